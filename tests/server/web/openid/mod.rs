//! Signing in with an OpenID provider that others have written, in the browser.

use std::path::Path;
use std::process::{Command, Stdio};

use http::header::{CONTENT_SECURITY_POLICY, COOKIE};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::Site;
use super::browser::{Browser, Like};
use crate::support::{Watched, client_of_forms, free_port, wait_for};

/// The provider, as npm has it.
const PROVIDER: &str = "oidc-provider@9.13.3";

const SECRET: &str = "a secret: of & house";

/// Installs the provider into a folder; `false` where it cannot be had, which is said.
fn install(folder: &Path) -> bool {
    std::fs::write(folder.join("package.json"), r#"{"private": true}"#).unwrap();
    let script = format!("{}/tests/server/web/openid/provider.mjs", env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(script, folder.join("provider.mjs")).unwrap();
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error", PROVIDER]);
    npm.current_dir(folder).stdout(Stdio::null());
    let is_there = npm.status().is_ok_and(|status| status.success());
    let must = std::env::var_os("SCHEDULER_REQUIRE_OPENID").is_some();
    assert!(is_there || !must, "npm does not install {PROVIDER}");
    if !is_there {
        eprintln!("NOT TESTED: npm does not install {PROVIDER}");
    }
    is_there
}

/// The settings of a server that lets Ada in, Bob once his address is confirmed, and Kim as a
/// reader.
pub(super) fn settings(provider: u16, has_ada: bool) -> String {
    let ada = "[[openid.allow]]\nemail = \"Ada@house.example\"\nrole = \"editor\"\n";
    format!(
        "openid_issuer = \"http://localhost:{provider}\"\nopenid_client_id = \"scheduler\"\n\
         openid_client_secret = \"{SECRET}\"\nopenid_name = \"House\"\n{}\
         [[openid.allow]]\nemail = \"bob@house.example\"\nrole = \"editor\"\n\
         [[openid.allow]]\nsubject = \"kim\"\nrole = \"reader\"\nname = \"Kim of the list\"\n",
        if has_ada { ada } else { "" },
    )
}

/// Goes to the provider, and back as somebody.
async fn sign_in(browser: &Browser, site: &Site, name: &str) {
    browser.open(&format!("{}/signin?next=/w/default/settings", site.service.url)).await;
    browser.click("form[action='/signin/openid'] button").await;
    wait_for("the provider", async || {
        browser.client.find(fantoccini::Locator::Css("input[name=login]")).await.ok()
    })
    .await;
    browser.write("input[name=login]", name).await;
    browser.write("input[name=password]", "any").await;
    browser.click("button.login-submit").await;
    // What the scheduler asks for has to be allowed.
    browser.click("input[value=consent] + button.login-submit").await;
    // The provider names itself in the address that it leads back to.
    let here = format!("{}/", site.service.url);
    let back = async || browser.at().await.starts_with(&here).then_some(());
    wait_for("the way back", back).await;
}

fn sessions(site: &Site) -> Vec<Value> {
    let sessions = site.setup.json(&[], &["sessions", "list"]);
    sessions["data"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn people_of_the_list_are_let_in_and_nobody_else() {
    let packages = tempfile::tempdir().unwrap();
    let Some(browser) = Browser::start(Like::default()).await else { return };
    if !install(packages.path()) {
        return;
    }
    let (port, provider) = (free_port(), free_port());
    let listen = format!("127.0.0.1:{port}");
    let variables = [("SCHEDULER_LISTEN", listen.as_str())];
    let site = Site::start_as(&settings(provider, true), &variables).await;
    let address = format!("{}/signin", site.service.url);

    // The provider is not there yet.
    browser.open(&address).await;
    assert!(browser.text("#by-openid").await.contains("With House"));
    browser.click("form[action='/signin/openid'] button").await;
    let alert = browser.shown(".alert").await;
    assert!(alert.starts_with("House does not answer at the moment."), "{alert}");
    let redirect = format!("{address}/openid/callback");
    let mut node = Command::new("node");
    node.arg(packages.path().join("provider.mjs")).args([&provider.to_string(), &redirect]);
    let mut running = Watched::start(&mut node);
    running.line("the provider", |line| line == "listening").await;

    // Somebody who is not on the list.
    sign_in(&browser, &site, "eve").await;
    let alert = browser.shown(".alert").await;
    assert_eq!(alert, "eve@house.example is not let in here. Ask the owner.");
    assert!(sessions(&site).is_empty());
    let cookies = browser.client.get_all_cookies().await.unwrap();
    let ours = cookies.iter().filter(|cookie| cookie.name().starts_with("scheduler"));
    assert_eq!(ours.count(), 0, "nothing is left behind");
    // The same again from the history is no sign-in of this browser any more.
    browser.client.refresh().await.unwrap();
    let alert = browser.shown(".alert").await;
    assert!(alert.starts_with("This sign-in was not begun in this browser"), "{alert}");
    browser.end().await;

    // Somebody whose address nobody has confirmed, and somebody who changes their mind.
    let browser = Browser::start(Like::default()).await.unwrap();
    sign_in(&browser, &site, "bob").await;
    let alert = browser.shown(".alert").await;
    assert!(alert.contains("House does not say that the address is confirmed"), "{alert}");
    browser.end().await;
    let browser = Browser::start(Like::default()).await.unwrap();
    browser.open(&address).await;
    browser.click("form[action='/signin/openid'] button").await;
    browser.click("a[href$='/abort']").await;
    let alert = browser.shown(".alert").await;
    assert!(alert.starts_with("House did not sign you in: access was denied there."), "{alert}");
    browser.end().await;
    assert!(sessions(&site).is_empty());

    // Ada, without any script; what she does is hers in the log.
    let browser = Browser::start(Like { without_scripts: true, ..Like::default() }).await.unwrap();
    sign_in(&browser, &site, "ada").await;
    assert_eq!(browser.path().await, "/w/default/settings");
    let of_ada = cookie(&browser).await;
    browser.end().await;
    let keep = [("content", "Kept by Ada"), ("do", "save")];
    let request = client_of_forms().post(site.at("compose")).header(COOKIE, &of_ada).form(&keep);
    assert_eq!(request.send().await.unwrap().status(), StatusCode::SEE_OTHER);
    let entry = wait_for("the entry", async || {
        let log = site.setup.json(&[], &["log"]);
        let mut entries = log["data"].as_array()?.iter();
        entries.find(|entry| entry["operation"] == "web_write_post").cloned()
    })
    .await;
    assert_eq!(entry["by"]["person"]["name"], "Ada Byron", "{entry}");
    let [session] = &sessions(&site)[..] else { panic!("one session") };
    assert_eq!(
        (&session["role"], &session["person"]["name"]),
        (&json!("editor"), &json!("Ada Byron"))
    );

    // By what the provider calls them, named by the list.
    let browser = Browser::start(Like::default()).await.unwrap();
    sign_in(&browser, &site, "kim").await;
    let of_kim = sessions(&site).into_iter().find(|session| session["role"] == "reader").unwrap();
    assert_eq!(of_kim["person"]["name"], "Kim of the list");
    browser.end().await;

    // Who is taken from the list is not let in again; a session ends when an owner ends it.
    let Site { service, setup, networks, _folder } = site;
    drop(service);
    std::fs::write(_folder.path().join("scheduler.toml"), settings(provider, false)).unwrap();
    let service = setup.serve_with(&variables);
    let site = Site { service, setup, networks, _folder };
    let open = client_of_forms().get(site.at("calendar/list")).header(COOKIE, &of_ada);
    assert_eq!(open.send().await.unwrap().status(), StatusCode::OK);
    let browser = Browser::start(Like::default()).await.unwrap();
    sign_in(&browser, &site, "ada").await;
    let alert = browser.shown(".alert").await;
    assert_eq!(alert, "ada@house.example is not let in here. Ask the owner.");
    browser.end().await;
    let lines = running.lines().join("\n");
    assert!(!lines.contains("server_error"), "{lines}");
}

/// The cookie of the session.
async fn cookie(browser: &Browser) -> String {
    let cookie = browser.client.get_named_cookie("scheduler").await.unwrap();
    assert_eq!(cookie.http_only(), Some(true));
    format!("{}={}", cookie.name(), cookie.value())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_begun_here_lets_nobody_in() {
    let site = Site::start_as(&settings(free_port(), true), &[]).await;
    let at = |path: &str| format!("{}{path}", site.service.url);
    for (name, query, cookie) in [
        ("nothing", "", ""),
        ("a code of somebody else", "?code=a&state=b", ""),
        ("a cookie of no attempt", "?code=a&state=b", "scheduler-openid=attempt%3Dx"),
        ("an empty state", "?code=a&state=", "scheduler-openid=attempt=00.1"),
    ] {
        let address = at(&format!("/signin/openid/callback{query}"));
        let answer = client_of_forms().get(address).header(COOKIE, cookie).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{name}");
        let page = answer.text().await.unwrap();
        assert!(page.contains("This sign-in was not begun in this browser"), "{name}");
    }
    // Forms lead nowhere but here, also on this page.
    let answer = client_of_forms().get(at("/signin")).send().await.unwrap();
    let policy = answer.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.contains("form-action 'self';"), "{policy}");
    // A page of another site begins nothing.
    let begin = client_of_forms().post(at("/signin/openid")).header("sec-fetch-site", "cross-site");
    let begun = begin.form(&[("next", "/")]).send().await.unwrap();
    assert_eq!(begun.status(), StatusCode::FORBIDDEN);

    // Without a provider there is no such way.
    let plain = Site::start().await;
    let page = client_of_forms().get(format!("{}/signin", plain.service.url)).send().await.unwrap();
    assert!(!page.text().await.unwrap().contains("/signin/openid"));
    let begin = client_of_forms().post(format!("{}/signin/openid", plain.service.url));
    let begun = begin.form(&[("next", "/")]).send().await.unwrap();
    assert_eq!(begun.status(), StatusCode::CONFLICT);
    assert!(begun.text().await.unwrap().contains("lets nobody in by an OpenID provider"));
}
