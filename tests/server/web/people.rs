//! People: passkeys, whose work the log tells and who approves it, and several workspaces in one
//! browser.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use url::Url;

use super::Site;
use super::browser::{Browser, Like};
use super::doors::signed_in;
use crate::support::{client_of_forms, free_port, wait_for};

/// Gives the browser an authenticator of its own, whose person is there and verified.
#[derive(Debug)]
struct AddAuthenticator;

impl WebDriverCompatibleCommand for AddAuthenticator {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/webauthn/authenticator", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        let authenticator = json!({
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
            "hasUserVerification": true, "isUserVerified": true, "isUserConsenting": true,
        });
        (http::Method::POST, Some(authenticator.to_string()))
    }
}

/// A server that browsers reach by a name, as passkeys need one.
struct Named {
    site: Site,
    url: String,
}

impl Named {
    async fn start() -> Self {
        let port = free_port();
        let (listen, url) = (format!("127.0.0.1:{port}"), format!("http://localhost:{port}"));
        let variables = [("SCHEDULER_LISTEN", &*listen), ("SCHEDULER_PUBLIC_URL", &*url)];
        let site = Site::start_with(&variables).await;
        Self { site, url }
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Signs a browser in by a link.
    async fn enter(&self, browser: &Browser, role: &str) {
        let (_, code) = self.site.link(role).split_once('#').map(owned).unwrap();
        browser.open(&self.at(&format!("/signin/once#{code}"))).await;
        browser.follow("button.go").await;
        browser.wait("the calendar", "return location.pathname.startsWith('/w/')").await;
    }

    /// Adds a passkey of somebody under the settings.
    async fn add_passkey(&self, browser: &Browser, name: &str) {
        browser.open(&self.at("/w/default/settings")).await;
        browser.wait("the form", "return !document.getElementById('add-passkey').hidden").await;
        browser.write("#add-passkey input[name=name]", name).await;
        browser.click("#add-passkey button").await;
        let added = "return document.querySelector('#live [role=status]')
            ?.textContent.startsWith('The passkey is added.') ?? false";
        browser.wait("the passkey", added).await;
    }

    async fn sign_out(&self, browser: &Browser) {
        browser.click(".calm button").await;
        browser.wait("the door", "return location.pathname === '/signin'").await;
    }
}

fn owned((one, other): (&str, &str)) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

/// Sends a form of a page from within it; the status that comes of it, and where it leads.
async fn send(browser: &Browser, path: &str, form: Value) -> (u64, String) {
    let script = "const [path, form, done] = arguments;
        fetch(path, { method: 'POST', body: new URLSearchParams(form) })
          .then((answer) => done([answer.status, new URL(answer.url).pathname]));";
    let answer = browser.client.execute_async(script, vec![json!(path), form]).await.unwrap();
    (answer[0].as_u64().unwrap(), answer[1].as_str().unwrap().to_owned())
}

/// The log, once it tells of an operation.
async fn logged(site: &Site, operation: &str) -> Value {
    wait_for(operation, async || {
        let log = site.setup.json(&[], &["log"]);
        let entries = log["data"].as_array()?;
        entries.iter().find(|entry| entry["operation"] == operation).cloned()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_signs_in_and_names_who_it_was() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let named = Named::start().await;
    browser.client.issue_cmd(AddAuthenticator).await.unwrap();
    named.enter(&browser, "editor").await;
    named.add_passkey(&browser, "Ana").await;
    assert_eq!(browser.text(".calm span").await, "Signed in as Ana, editor");
    named.sign_out(&browser).await;

    browser.click("form[data-passkey] button").await;
    browser
        .wait("the calendar", "return location.pathname.startsWith('/w/default/calendar/')")
        .await;
    assert_eq!(browser.text(".calm span").await, "Signed in as Ana, editor");
    let (status, _) =
        send(&browser, "/w/default/compose", json!({"content": "By Ana", "do": "save"})).await;
    assert_eq!(status, 200);
    let entry = logged(&named.site, "web_write_post").await;
    assert_eq!(entry["by"]["person"]["name"], "Ana", "{entry}");
    let printed = named.site.setup.run(&["log"]).stdout;
    assert!(String::from_utf8(printed).unwrap().contains("Ana"));
    let sessions = named.site.setup.run(&["sessions", "list", "--json"]).stdout;
    let sessions: Value = serde_json::from_slice(&sessions).unwrap();
    let people = sessions["data"].as_array().unwrap().iter();
    assert!(people.clone().all(|session| session["person"]["name"] == "Ana"), "{sessions}");

    // An owner removes it: her session ends, and it opens nothing any more.
    let owner = signed_in(&named.site, "owner").await;
    let settings = client_of_forms().get(named.site.at("settings")).header(COOKIE, &owner);
    let settings = settings.send().await.unwrap().text().await.unwrap();
    let (_, rest) = settings.split_once("/passkeys/").unwrap();
    let (id, _) = rest.split_once("/remove").unwrap();
    let remove = client_of_forms().post(named.site.at(&format!("passkeys/{id}/remove")));
    let removed = remove.header(COOKIE, &owner).form(&[("do", "it")]).send().await.unwrap();
    assert_eq!(removed.status(), StatusCode::SEE_OTHER);
    browser.open(&named.at("/w/default/calendar")).await;
    assert_eq!(browser.path().await, "/signin");
    browser.click("form[data-passkey] button").await;
    let refused = "return document.querySelector('.alert')
        ?.textContent.startsWith('This passkey is not known here') ?? false";
    browser.wait("the refusal", refused).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_counts_once_and_for_this_server_alone() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let named = Named::start().await;
    browser.client.issue_cmd(AddAuthenticator).await.unwrap();
    named.enter(&browser, "editor").await;
    named.add_passkey(&browser, "Ana").await;
    named.sign_out(&browser).await;

    // The answer is taken out of the browser before it is sent.
    let keep = "HTMLFormElement.prototype.submit = function () {
        document.title = this.elements.answer.value; };";
    browser.run(keep, vec![]).await;
    browser.click("form[data-passkey] button").await;
    browser.wait("the answer", "return document.title.startsWith('{')").await;
    let answer = browser.client.title().await.unwrap();
    let cookies = browser.client.get_all_cookies().await.unwrap();
    let asked = cookies.iter().find(|cookie| cookie.name() == "scheduler-passkey").unwrap();
    assert!(asked.http_only().unwrap());
    let cookie = format!("{}={}", asked.name(), asked.value());
    let send = async |cookie: Option<&str>| {
        let mut request = client_of_forms().post(named.at("/signin/passkey"));
        if let Some(cookie) = cookie {
            request = request.header(COOKIE, cookie);
        }
        request.form(&[("answer", &answer)]).send().await.unwrap().status()
    };
    assert_eq!(send(None).await, StatusCode::UNAUTHORIZED, "by another browser");
    assert_eq!(send(Some(&cookie)).await, StatusCode::SEE_OTHER);
    assert_eq!(send(Some(&cookie)).await, StatusCode::UNAUTHORIZED, "again");

    // Under another address the browser has no passkey for it.
    browser.open(&format!("{}/signin", named.site.service.url)).await;
    browser.click("form[data-passkey] button").await;
    let refused = "return document.querySelector('form[data-passkey] [role=alert]').textContent
        === 'No passkey has answered. Try again, or sign in in another way.'";
    browser.wait("the refusal", refused).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_approves_their_own_post() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let named = Named::start().await;
    named.site.setup.run(&["workspace", "set-second-pair", "default", "on"]);
    browser.client.issue_cmd(AddAuthenticator).await.unwrap();
    named.enter(&browser, "editor").await;
    named.add_passkey(&browser, "Ana").await;
    let account = named.site.account("mastodon").await;
    let form = json!({
        "content": "Second pair of eyes", "account": account, "when": "instant",
        "day": "2031-05-14", "time": "09:30", "do": "schedule",
    });
    let (status, path) = send(&browser, "/w/default/compose", form).await;
    assert_eq!(status, 200, "{path}");
    let posts = named.site.service.api().get("/posts?state=awaiting_approval").await;
    let post = posts["data"][0].clone();
    assert_eq!(post["review"]["writtenBy"]["name"], "Ana", "{posts}");
    let page = format!("/w/default/posts/{}", post["id"].as_str().unwrap());
    browser.open(&named.at(&page)).await;
    let why = browser.text("#review-why").await;
    assert!(why.contains("Ana has written or last changed this post"), "{why}");
    let is_off = "return document.querySelector('#review button').disabled";
    assert_eq!(browser.run(is_off, vec![]).await, json!(true));
    let (status, _) = send(&browser, &format!("{page}/approve"), json!({"revision": "1"})).await;
    assert_eq!(status, 403, "her own, whatever the page shows");
    named.sign_out_of(&browser).await;

    named.enter(&browser, "editor").await;
    let (status, _) = send(&browser, &format!("{page}/approve"), json!({"revision": "1"})).await;
    assert_eq!(status, 403, "a session that names nobody");
    named.add_passkey(&browser, "Ben").await;
    browser.open(&named.at("/w/default/approvals")).await;
    browser.click("a[href*='/posts/']").await;
    browser.wait("the post", "return location.pathname.includes('/posts/')").await;
    browser.click("#review button").await;
    browser.wait("the approval", "return location.search === '?said=approved'").await;
    assert!(browser.text("#review").await.contains("Approved by Ben"));
    let post = named.site.service.api().get(&page.replace("/w/default", "")).await;
    assert_eq!(post["approvalState"], "approved", "{post}");
    let entry = logged(&named.site, "web_approve_post").await;
    assert_eq!(entry["by"]["person"]["name"], "Ben", "{entry}");
    browser.end().await;
}

impl Named {
    /// Signs out from wherever the browser is.
    async fn sign_out_of(&self, browser: &Browser) {
        browser.open(&self.at("/w/default/calendar")).await;
        self.sign_out(browser).await;
    }
}

/// The sessions that an answer has the browser hold.
fn held(answer: &Response) -> String {
    let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_browser_is_in_several_workspaces() {
    let site = Site::start().await;
    site.setup.run(&["workspace", "create", "Kiln & Field"]);
    let link = |workspace: &str| {
        let link = site.setup.json(&[], &["web", "open", "--workspace", workspace]);
        link["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
    };
    let post = async |path: &str, cookie: &str, form: &[(&str, &str)]| {
        let request = client_of_forms().post(format!("{}{path}", site.service.url));
        request.header(COOKIE, cookie).form(form).send().await.unwrap()
    };
    let get = async |path: &str, cookie: &str| {
        let request = client_of_forms().get(format!("{}{path}", site.service.url));
        request.header(COOKIE, cookie).send().await.unwrap()
    };
    let into = async |workspace: &str, cookie: &str| {
        let answer = post("/signin/once", cookie, &[("link", &link(workspace))]).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        held(&answer)
    };
    let (first, second) = ("/w/default/calendar/2031-05", "/w/kiln-field/calendar/2031-05");
    let one = into("default", "scheduler=").await;
    assert_eq!(get(second, &one).await.status(), StatusCode::NOT_FOUND);
    let both = into("Kiln & Field", &one).await;
    for (path, name, other) in
        [(first, "default", "/w/kiln-field/"), (second, "Kiln", "/w/default/")]
    {
        let page = get(path, &both).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        let page = page.text().await.unwrap();
        assert!(page.contains(&format!("href=\"{other}calendar\"")) && page.contains(name));
    }
    let home = get("/", &both).await;
    // It is new: nothing is connected yet.
    assert_eq!(home.headers()[LOCATION], "/w/kiln-field/start", "the one of the last link");
    // Signing in again replaces the session of that workspace alone.
    let again = into("default", &both).await;
    assert_eq!(again.matches("ses_").count(), 2, "{again}");
    let old = get(first, &one).await;
    assert_eq!(old.headers()[LOCATION], "/signin?next=%2Fw%2Fdefault%2Fcalendar%2F2031-05");

    // Signing out ends the one that is shown.
    let page = get(second, &again).await.text().await.unwrap();
    let (_, rest) = page.split_once("name=\"workspace\" value=\"").unwrap();
    let id = rest.split_once('"').unwrap().0;
    let out = post("/signout", &again, &[("workspace", id)]).await;
    assert_eq!(out.headers()[LOCATION], "/");
    let left = held(&out);
    assert_eq!(get(first, &left).await.status(), StatusCode::OK);
    assert_eq!(get(second, &left).await.status(), StatusCode::NOT_FOUND);
    // Whose session has ended is asked to sign in, and stays in the other.
    let ended = get(second, &again).await;
    assert_eq!(ended.status(), StatusCode::SEE_OTHER, "{ended:?}");
    assert_eq!(get(first, &again).await.status(), StatusCode::OK);

    let both = into("Kiln & Field", &left).await;
    let out = post("/signout", &both, &[("all", "all"), ("workspace", id)]).await;
    assert_eq!(out.headers()[LOCATION], "/signin");
    for path in [first, second] {
        assert_eq!(get(path, &both).await.status(), StatusCode::SEE_OTHER, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_switcher_leads_to_the_other_workspace() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    site.setup.run(&["workspace", "create", "Kiln & Field"]);
    for workspace in ["default", "Kiln & Field"] {
        let link = site.setup.json(&[], &["web", "open", "--workspace", workspace]);
        let (_, code) = link["url"].as_str().unwrap().split_once('#').unwrap();
        browser.open(&format!("{}/signin/once#{code}", site.service.url)).await;
        browser.follow("button.go").await;
        browser.wait("the page", "return location.pathname.startsWith('/w/')").await;
    }
    assert!(browser.path().await.starts_with("/w/kiln-field/"));
    browser.click(".spaces summary").await;
    browser.click(".spaces a").await;
    browser.wait("the other", "return location.pathname.startsWith('/w/default/calendar')").await;
    super::accessible::look(&browser, &site.at("settings"), "settings of two", false).await;
    super::accessible::look(&browser, &site.at("more"), "more of two", false).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_https_cookies_are_of_this_host_alone_and_unencrypted_nobody_signs_in() {
    for (public, host, want) in [
        ("https://posts.example.com", "posts.example.com", StatusCode::SEE_OTHER),
        ("http://posts.example.com", "posts.example.com", StatusCode::FORBIDDEN),
    ] {
        let site = Site::start_with(&[("SCHEDULER_PUBLIC_URL", public)]).await;
        let (_, code) = site.link("owner").split_once('#').map(owned).unwrap();
        let request = client_of_forms().post(format!("{}/signin/once", site.service.url));
        let request = request.header("host", host).form(&[("link", code)]);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), want, "{public}");
        if want == StatusCode::SEE_OTHER {
            let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
            assert!(cookie.starts_with("__Host-scheduler=ses_"), "{cookie}");
            for part in ["; Path=/;", "; HttpOnly", "; SameSite=Lax", "; Secure"] {
                assert!(cookie.contains(part), "{cookie}");
            }
            assert!(!cookie.contains("Domain"), "{cookie}");
        } else {
            let page = answer.text().await.unwrap();
            assert!(
                page.contains("This connection is not encrypted, so signing in is switched off.")
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_stays_in_the_browser() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let key = site.service.first_key.clone().unwrap();
    browser.open(&format!("{}/signin", site.service.url)).await;
    browser.write("input[name=key]", &key).await;
    browser.click("button.go:not([hidden])").await;
    browser.wait("the page", "return location.pathname.startsWith('/w/')").await;
    let kept = "const done = arguments[arguments.length - 1];
        indexedDB.databases().then((databases) => done({
          local: Object.entries(localStorage).flat().join(' '),
          session: Object.entries(sessionStorage).flat().join(' '),
          databases: databases.length,
          cookie: document.cookie,
          page: document.documentElement.outerHTML,
        }));";
    let id = site.post("A post", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    for path in ["calendar/2031-05", "compose", "settings", "activity/keys", &format!("posts/{id}")]
    {
        browser.open(&site.at(path)).await;
        let kept = browser.client.execute_async(kept, vec![]).await.unwrap();
        assert_eq!((&kept["databases"], &kept["cookie"]), (&json!(0), &json!("")), "{path}");
        for place in ["local", "session", "page"] {
            let text = kept[place].as_str().unwrap();
            assert!(!text.contains(&key) && !text.contains("ses_"), "{place} of {path}");
        }
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_and_an_ended_session_are_refused_at_once() {
    let site = Site::start().await;
    let owner = signed_in(&site, "owner").await;
    let create = ["--json", "keys", "create", "--name", "short", "--preset", "read"];
    let made = site.setup.run(&create).stdout;
    let made: Value = serde_json::from_slice(&made).unwrap();
    let (id, value) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
    let call = async || {
        let request = client_of_forms().get(format!("{}/v1/posts", site.service.url));
        request.bearer_auth(value).send().await.unwrap().status()
    };
    assert_eq!(call().await, StatusCode::OK);
    let revoke = client_of_forms().post(site.at(&format!("keys/{id}/revoke")));
    let revoked = revoke.header(COOKIE, &owner).form(&[("do", "it")]).send().await.unwrap();
    assert_eq!(revoked.status(), StatusCode::SEE_OTHER);
    // What was found valid is taken for that for 50 milliseconds.
    let is_refused = async || (call().await == StatusCode::UNAUTHORIZED).then_some(());
    wait_for("the key to be refused", is_refused).await;

    let reader = signed_in(&site, "reader").await;
    let fragment = async || {
        let request = client_of_forms().get(site.at("calendar/2031-05"));
        let request = request.header(COOKIE, &reader).header("x-fragment", "page");
        request.send().await.unwrap().status()
    };
    assert_eq!(fragment().await, StatusCode::OK);
    let sessions = site.setup.run(&["sessions", "list", "--json"]).stdout;
    let sessions: Value = serde_json::from_slice(&sessions).unwrap();
    let of_reader = |session: &&Value| session["role"] == "reader";
    let of_reader = sessions["data"].as_array().unwrap().iter().find(of_reader).unwrap();
    site.setup.run(&["sessions", "end", of_reader["id"].as_str().unwrap()]);
    assert_eq!(fragment().await, StatusCode::UNAUTHORIZED, "with the next request");
}
