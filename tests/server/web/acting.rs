//! What is done on pages, by their forms alone.

use http::header::{COOKIE, LOCATION};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::Site;
use super::doors::signed_in;
use crate::support::{Api, Receiver, client_of_forms, wait_for};

/// A browser without scripts.
pub(super) struct Visitor<'a> {
    site: &'a Site,
    cookie: String,
}

impl<'a> Visitor<'a> {
    pub(super) async fn of(site: &'a Site, role: &str) -> Self {
        Self { site, cookie: signed_in(site, role).await }
    }

    pub(super) async fn page(&self, path: &str) -> String {
        let request = client_of_forms().get(self.site.at(path)).header(COOKIE, &self.cookie);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.unwrap()
    }

    /// Sends a form; the status, and the page or where it leads.
    pub(super) async fn send(&self, path: &str, form: &[(&str, &str)]) -> (StatusCode, String) {
        let request =
            client_of_forms().post(self.site.at(path)).header(COOKIE, &self.cookie).form(form);
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let led = answer.headers().get(LOCATION).map(|to| to.to_str().unwrap().to_owned());
        (status, led.unwrap_or(answer.text().await.unwrap()))
    }

    /// Sends a form that is taken.
    pub(super) async fn done(&self, path: &str, form: &[(&str, &str)]) -> String {
        let (status, led) = self.send(path, form).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{path}: {led}");
        led
    }
}

/// Sends a form as an editor: the status, and the page or where it leads.
pub(super) async fn sent(site: &Site, path: &str, form: &[(&str, &str)]) -> (StatusCode, String) {
    Visitor::of(site, "editor").await.send(path, form).await
}

/// What stands between two texts of a page.
pub(super) fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("{before} in {page}"));
    rest.split_once(after).unwrap().0
}

/// A post that is live on one network, and the id of its target.
pub(super) async fn live(site: &Site, network: &str, options: Value) -> (String, String) {
    let targets = json!([{"platform": network, "options": options}]);
    let id = site.post("First words", json!({"publishNow": true, "targets": targets})).await;
    let post = site.service.api().ended(&id).await;
    assert_eq!(post["targets"][0]["status"], "published", "{post}");
    (id, post["targets"][0]["id"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_post_shows_attempts_and_changes_what_is_live() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let fault = json!({"platform": "mastodon", "operation": "publish", "kind": "rate_limited",
        "times": 2, "retryAfterSeconds": 1});
    site.networks.fault(&fault).await;
    let (id, target) = live(&site, "mastodon", json!({})).await;
    let page = visitor.page(&format!("posts/{id}")).await;
    assert!(page.contains("1 live, 2 failed, 0 to come."), "{page}");
    assert_eq!(page.matches("(rate_limited)").count(), 2, "a row for each");

    let form = [("target", target.as_str()), ("content", "Other words\r\nof two lines")];
    visitor.done(&format!("posts/{id}/live"), &form).await;
    let shown: Vec<String> = site.networks.live("mastodon").await.into_keys().collect();
    assert!(shown.iter().any(|text| text.ends_with("Other words\nof two lines")), "{shown:?}");
    visitor.done(&format!("posts/{id}/figures"), &form).await;
    assert!(visitor.page(&format!("posts/{id}")).await.contains("read now"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_is_sent_to_another_account() {
    let site = Site::start().await;
    site.setup.run(&["accounts", "connect", "bluesky", "--sandbox"]);
    let visitor = Visitor::of(&site, "editor").await;
    let accounts = site.service.api().get("/oauth/accounts").await;
    let of_bluesky: Vec<&str> = accounts["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|account| account["platform"] == "bluesky")
        .map(|account| account["id"].as_str().unwrap())
        .collect();
    let [first, second] = of_bluesky[..] else { panic!("{accounts}") };
    let targets = json!([{"platform": "bluesky", "accountId": first}]);
    let more = json!({"scheduledAt": "2031-05-14T09:30:00Z", "targets": targets});
    let id = site.post("Where to", more).await;
    let path = format!("/posts/{id}");
    let target = site.service.api().get(&path).await["targets"][0]["id"].clone();
    let form = [("target", target.as_str().unwrap()), ("account", second)];
    visitor.done(&format!("posts/{id}/account"), &form).await;
    assert_eq!(site.service.api().get(&path).await["targets"][0]["accountId"], second);
}

/// Somebody else writes under a live post of the sandbox's Mastodon, over the API of Mastodon.
pub(super) async fn write_under(site: &Site, post: &str, text: &str) {
    let post = site.service.api().get(&format!("/posts/{post}")).await;
    let status = &post["targets"][0]["remoteId"];
    let account = site.networks.new_account("mastodon").await;
    let url = format!("{}/mastodon/api/v1/statuses", site.networks.url());
    let request = client_of_forms().post(url).bearer_auth(account["accessToken"].as_str().unwrap());
    let answer = request.json(&json!({"status": text, "in_reply_to_id": status})).send().await;
    assert_eq!(answer.unwrap().status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_answered_once() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let (id, target) = live(&site, "mastodon", json!({})).await;
    let path = format!("/posts/{id}/targets/{target}/comments");
    write_under(&site, &id, "Is it <b>bread</b>?").await;
    let page_at = format!("inbox/{id}/{target}");
    let page = visitor.page(&page_at).await;
    assert!(page.contains("Is it &#60;b&#62;bread"), "{page}");
    let comment = between(&page, "id=\"c-", "\"");
    let key = between(&page, "name=\"key\" value=\"", "\"");
    let form = |text| [("comment", comment), ("key", key), ("action", "reply"), ("text", text)];
    let (status, refused) = visitor.send(&page_at, &form(" ")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(refused.contains("needs a text"), "{refused}");
    for _ in 0..2 {
        visitor.done(&page_at, &form("It is.")).await;
    }
    let comments = site.service.api().get(&path).await;
    let texts = comments["data"].as_array().unwrap().iter();
    assert_eq!(
        texts.filter(|comment| comment["text"].as_str().unwrap().ends_with("It is.")).count(),
        1,
        "{comments}"
    );
    let delete = [("comment", comment), ("action", "delete")];
    assert_eq!(
        visitor.send(&page_at, &delete).await.0,
        StatusCode::BAD_REQUEST,
        "not without a tick"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_made_and_revoked() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "owner").await;
    let (status, page) = visitor.send("keys", &[("name", "a script"), ("preset", "read")]).await;
    assert_eq!(status, StatusCode::OK);
    let key = between(&page, "readonly value=\"", "\"");
    let api = Api::new(&site.service.url, key);
    let asked = async || api.send(reqwest::Method::GET, "/posts", None, None).await.status();
    assert_eq!(asked().await, StatusCode::OK);
    let listed = visitor.page("activity/keys").await;
    assert!(!listed.contains(key) && listed.contains(&key[..8]), "shown once");
    let row = listed.split("<tr>").find(|row| row.contains("a script")).unwrap();
    let revoke = between(row, "action=\"/w/default/", "\"").to_owned();
    visitor.done(&revoke, &[]).await;
    // A server takes a key that it has just looked up as good for a moment.
    let is_refused = async || (asked().await == StatusCode::UNAUTHORIZED).then_some(());
    wait_for("the key to be refused", is_refused).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_added_tested_and_removed_and_a_delivery_is_sent_again() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "owner").await;
    let receiver = Receiver::start().await;
    let (status, page) = visitor.send("webhooks", &[("url", "nowhere")]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(page.contains("value=\"nowhere\""), "what was written stays");
    let (status, page) = visitor.send("webhooks", &[("url", &receiver.url())]).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("value=\"whsec_"), "{page}");
    let listed = visitor.page("activity/webhooks").await;
    assert!(!listed.contains("whsec_"), "shown once");
    let webhook = between(&listed, "/w/default/webhooks/", "/").to_owned();
    let led = visitor.done(&format!("webhooks/{webhook}/test"), &[]).await;
    let tested = visitor.page(led.strip_prefix("/w/default/").unwrap()).await;
    assert!(tested.contains("The test was acknowledged: 204."), "{led}");

    live(&site, "mastodon", json!({})).await;
    let event = wait_for("the event", async || {
        receiver.events().into_iter().find(|event| event["event"] == "post.published")
    })
    .await;
    let again = wait_for("the end of the delivery", async || {
        let page = visitor.page("activity/deliveries").await;
        page.contains("Send again")
            .then(|| between(&page, "/w/default/deliveries/", "/").to_owned())
    })
    .await;
    visitor.done(&format!("deliveries/{again}/send"), &[]).await;
    wait_for("the delivery", async || {
        let events = receiver.events();
        (events.iter().filter(|one| one["id"] == event["id"]).count() == 2).then_some(())
    })
    .await;
    visitor.done(&format!("webhooks/{webhook}/remove"), &[("sure", "on")]).await;
    assert!(visitor.page("activity/webhooks").await.contains("Nothing yet."));
}

#[tokio::test(flavor = "multi_thread")]
async fn first_steps_are_ticked_off() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "owner").await;
    let step = async |title: &str| {
        let page = visitor.page("start").await;
        let step = page.split("<li").find(|step| step.contains(title)).unwrap().to_owned();
        between(&step, "class=\"vh\">", "<").to_owned()
    };
    assert_eq!(step("Connect an account").await, "done", "the sandbox has accounts");
    assert_eq!(step("Write a post").await, "to do");
    site.post("The first", json!({"saveAsDraft": true})).await;
    assert_eq!(step("Write a post").await, "done");
    let found = visitor.page("settings/server").await;
    assert!(found.contains("<table"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slots_are_changed_in_the_form_and_stored_when_they_are_saved() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "owner").await;
    let accounts = site.service.api().get("/oauth/accounts").await;
    let path = format!("accounts/{}/slots", accounts["data"][0]["id"].as_str().unwrap());
    let week = |page: &str| {
        let (_, area) = page.split_once("name=\"week\"").unwrap();
        between(area, ">", "</textarea>").to_owned()
    };
    let before = week(&visitor.page(&path).await);
    let add = [("week", "mon 09:00"), ("add", "slot"), ("day", "sun"), ("time", "18:30")];
    let (status, page) = visitor.send(&path, &add).await;
    assert_eq!((status, week(&page).as_str()), (StatusCode::OK, "mon 09:00; sun 18:30"));
    let (_, page) = visitor.send(&path, &[("week", &week(&page)), ("remove", "mon 09:00")]).await;
    assert_eq!(week(&page), "sun 18:30");
    assert_eq!(week(&visitor.page(&path).await), before, "nothing is stored yet");
    visitor.done(&path, &[("week", "sun 18:30")]).await;
    assert_eq!(week(&visitor.page(&path).await), "sun 18:30");
    let (status, page) = visitor.send(&path, &[("week", "sun 25:00")]).await;
    assert_eq!((status, week(&page).as_str()), (StatusCode::BAD_REQUEST, "sun 25:00"));
}
