//! Connecting accounts in a browser, beside the command that waits for it.

use reqwest::{Response, StatusCode, Url};
use serde_json::Value;

use crate::support::{Networks, Service, Setup, client_of_forms};

/// A browser that follows no redirect by itself, and has at most one cookie.
struct Browser {
    server: Url,
    cookie: Option<String>,
}

impl Browser {
    fn at(service: &Service) -> Self {
        Self { server: service.url.parse().unwrap(), cookie: None }
    }

    async fn get(&self, address: &str) -> Response {
        let request = client_of_forms().get(self.server.join(address).unwrap());
        let cookie = self.cookie.iter().map(|cookie| ("cookie", cookie.clone()));
        let request = cookie.fold(request, |request, (name, value)| request.header(name, value));
        request.send().await.unwrap()
    }

    /// Sends a form; returns where it leads.
    async fn submit(&mut self, address: &str, fields: &[(&str, &str)]) -> String {
        let url = self.server.join(address).unwrap();
        let answer = client_of_forms().post(url.clone()).form(fields).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{}", answer.text().await.unwrap());
        let cookie = answer.headers().get("set-cookie").map(|value| value.to_str().unwrap());
        self.cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
        url.join(answer.headers()["location"].to_str().unwrap()).unwrap().into()
    }
}

fn ticket_of(link: &str) -> String {
    let link = Url::parse(link).unwrap();
    link.query_pairs().find(|(name, _)| name == "ticket").unwrap().1.into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_password_is_given_in_a_browser() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let mut command = setup.begin(&[
        "accounts",
        "connect",
        "bluesky",
        "--in-browser",
        "--json",
        "--public-url",
        &service.url,
    ]);
    let told: Value = serde_json::from_str(&command.line()).unwrap();
    let link = told["url"].as_str().unwrap();
    let mut browser = Browser::at(&service);
    assert_eq!(browser.get(link).await.status(), StatusCode::OK);

    let account = networks.new_account("bluesky").await;
    let value = |name: &str| account[name].as_str().unwrap();
    let ticket = ticket_of(link);
    let fields = [
        ("way", "appPassword"),
        ("identifier", value("identifier")),
        ("appPassword", value("appPassword")),
    ];
    let pick = browser.submit(&format!("/connect/bluesky?ticket={ticket}"), &fields).await;
    let page = browser.get(&pick).await.text().await.unwrap();
    assert!(page.contains("is connected."), "{page}");
    let told: Value = serde_json::from_str(&command.line()).unwrap();
    assert_eq!(told["data"][0]["username"], account["handle"]);
    assert_eq!(command.ended(), Some(0));
    assert_eq!(browser.get(link).await.status(), StatusCode::SEE_OTHER, "its own visit");
    browser.cookie = None;
    assert_eq!(browser.get(link).await.status(), StatusCode::NOT_FOUND, "the ticket is used up");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_connected_on_the_page_of_its_server() {
    let mastodon = [("way", "page"), ("instance", "m.example")];
    let bluesky = [("way", "page"), ("identifier", "ana.test")];
    for (platform, fields, yes) in
        [("mastodon", mastodon, "authorize"), ("bluesky", bluesky, "accept")]
    {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup::new(folder.path(), networks.url());
        let service = setup.serve();
        let arguments = ["accounts", "connect", platform, "--in-browser", "--json"];
        let mut command = setup.begin(&[&arguments[..], &["--public-url", &service.url]].concat());
        let told: Value = serde_json::from_str(&command.line()).unwrap();
        let link = told["url"].as_str().unwrap().to_owned();
        let mut browser = Browser::at(&service);
        let ticket = ticket_of(&link);
        let page = browser.submit(&format!("/connect/{platform}?ticket={ticket}"), &fields).await;
        let begin = format!("{}/{platform}/oauth/authorize?", networks.url());
        assert!(page.starts_with(&begin), "{page}");

        // The person says yes on the network's page, which sends the browser back.
        let page = Url::parse(&page).unwrap();
        let mut answers: Vec<(String, String)> = page.query_pairs().into_owned().collect();
        answers.push(("account".into(), "new".into()));
        answers.push(("decision".into(), yes.into()));
        let form = client_of_forms().post(page.as_str().split('?').next().unwrap()).form(&answers);
        let back = form.send().await.unwrap();
        let back = back.headers()["location"].to_str().unwrap().to_owned();
        assert!(
            back.starts_with(&format!("{}/connect/{platform}/callback?", service.url)),
            "{back}"
        );

        let stranger = Browser::at(&service);
        assert_eq!(stranger.get(&back).await.status(), StatusCode::NOT_FOUND);
        let answer = browser.get(&back).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{}", answer.text().await.unwrap());
        let told: Value = serde_json::from_str(&command.line()).unwrap();
        assert_eq!(told["data"][0]["platform"], platform);
        assert_eq!(command.ended(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_of_accounts_read_what_this_server_is() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let public = [("SCHEDULER_PUBLIC_URL", "https://scheduler.example/below")];
    let service = setup.serve_with(&public);
    let stranger = Browser::at(&service);
    let document = "/connect/bluesky/client-metadata.json";
    let told: Value = stranger.get(document).await.json().await.unwrap();
    let own = "https://scheduler.example/below/connect/bluesky";
    assert_eq!(told["client_id"], format!("{own}/client-metadata.json"));
    assert_eq!(told["redirect_uris"][0], format!("{own}/callback"));
    let keys = told["jwks"]["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 1);
    assert!(keys[0]["d"].is_null(), "the private half");
    let other = "/connect/mastodon/client-metadata.json";
    assert_eq!(stranger.get(other).await.status(), StatusCode::NOT_FOUND);

    // The same key after another start.
    drop(service);
    let service = setup.serve_with(&public);
    let again: Value = Browser::at(&service).get(document).await.json().await.unwrap();
    assert_eq!(again, told);
}
