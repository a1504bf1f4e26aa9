//! No page has anything that axe finds, in both schemes and at four widths, with all that opens on
//! it, and none scrolls sideways.

use chrono::{Days, NaiveDate, TimeDelta};
use http::header::{COOKIE, LOCATION};
use reqwest::Method;
use scheduler_core::media::MediaKind;
use serde_json::{Value, json};

use super::browser::{Browser, Like};
use super::doors::signed_in;
use super::figures::now;
use super::files::stored_film;
use super::programs::describing::Describing;
use super::{Site, acting, openid};
use crate::everywhere::upload;
use crate::support::{client_of_forms, free_port};

/// axe-core 4.14.1 (MPL-2.0), as npm gives it.
const AXE: &str = include_str!("axe.min.js");

const RUN: &str = "
    const done = arguments[arguments.length - 1];
    const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // What is still coming in is not as it will be.
    const comes = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity);
    const come = Promise.allSettled(comes.map((each) => each.finished));
    come.then(() => axe.run(document, { runOnly: rules })).then((found) => done({
      wrong: found.violations.map(({ id, nodes: [node] }) => `${id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`),
      right: found.passes.length,
      beyond: document.documentElement.scrollWidth - arguments[0],
    }));";

/// Opens what is folded, and shows what is only said when something happens; says how many dialogs
/// and popovers there are.
const OPEN: &str = "
    for (const details of document.querySelectorAll('details')) details.open = true;
    const texts = { 'toast-text': 'Moved to Friday 23 May, 09:00.', said: 'Moved.',
      offline: 'No connection since 14:02. What you typed is kept on this page.' };
    for (const [id, text] of Object.entries(texts)) {
      const told = document.getElementById(id);
      if (told) told.textContent = text;
    }
    const changes = document.querySelector('#changes span');
    if (changes) changes.textContent = '2 changes.';
    for (const id of ['toast', 'undo', 'offline', 'changes', 'waiting']) {
      document.getElementById(id)?.removeAttribute('hidden');
    }
    return document.querySelectorAll('dialog, [popover]').length;";

/// Opens one of the dialogs and popovers, and closes the one before.
const OPEN_ONE: &str = "
    const all = [...document.querySelectorAll('dialog, [popover]')];
    all.forEach((each, place) => {
      if (each.localName === 'dialog') { if (place === arguments[0]) each.showModal(); else each.close(); }
      else each.togglePopover(place === arguments[0]);
    });
    return all[arguments[0]]?.id ?? null;";

/// What the team writes to its client.
const NOTE: &str = "<script>alert(1)</script> 👩‍👩‍👧 שלום";

const WIDTHS: [u32; 4] = [1_440, 800, 390, 320];

/// Expects that axe finds nothing on the page that is open.
pub(super) async fn is_clean(browser: &Browser, name: &str) {
    browser.run(AXE, vec![]).await;
    let found = browser.client.execute_async(RUN, vec![]).await.unwrap();
    assert_eq!(found["wrong"], json!([]), "{name}");
}

/// What axe finds on a page as it is, and by how much it is too wide.
async fn judged(browser: &Browser, what: &str, width: u32) {
    // As high as the page: what sticks to the foot covers nothing that can be moved from under it.
    browser.emulate_screen(width, 6_000).await;
    let found = browser.client.execute_async(RUN, vec![json!(width)]).await.unwrap();
    assert_eq!(found["wrong"], json!([]), "{what} at {width}");
    assert!(found["right"].as_u64().unwrap() > 10, "{what}: {found}");
    let beyond = found["beyond"].as_i64().unwrap();
    assert!(beyond <= 0, "{what} at {width} scrolls sideways by {beyond}");
}

/// Looks at a page at every width, and then at all that opens on it.
pub(super) async fn look(browser: &Browser, address: &str, name: &str, is_dark: bool) {
    browser.open(address).await;
    browser.run(AXE, vec![]).await;
    let what = format!("{name}, dark: {is_dark}");
    for width in WIDTHS {
        judged(browser, &what, width).await;
    }
    let dialogs = browser.run(OPEN, vec![]).await.as_u64().unwrap();
    let what = format!("{what}, with all that is folded open");
    for width in [WIDTHS[0], WIDTHS[3]] {
        judged(browser, &what, width).await;
    }
    for place in 0..dialogs {
        let id = browser.run(OPEN_ONE, vec![json!(place)]).await;
        judged(browser, &format!("{what}, and {id}"), WIDTHS[3]).await;
    }
}

/// A server with something on each of its pages, much of it written by people who mean harm.
pub(super) struct Seeded {
    pub(super) site: Site,
    /// The short name of its workspace.
    workspace: String,
    /// The pages of the workspace.
    pub(super) pages: Vec<String>,
    /// The addresses that need no session.
    pub(super) doors: Vec<String>,
    /// Whom a page asks about.
    _program: Describing,
}

impl Seeded {
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}/w/{}/{path}", self.site.service.url, self.workspace)
    }

    /// Every page, with its address.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, String)> {
        let pages = self.pages.iter().map(|page| (page.as_str(), self.at(page)));
        pages.chain(self.doors.iter().map(|door| (door.as_str(), door.clone())))
    }

    /// A browser in which the owner is signed in.
    pub(super) async fn browser(&self, like: Like) -> Option<Browser> {
        let browser = Browser::start(like).await?;
        browser.open(&self.site.link("owner")).await;
        browser.follow("button.go").await;
        Some(browser)
    }
}

/// With these LinkedIn opens a person and a page, one of which is then picked.
const SCOPES: (&str, &str) = (
    "SCHEDULER_LINKEDIN_SCOPES",
    "openid profile w_member_social rw_organization_admin w_organization_social",
);

/// What people write who mean harm: markup, an override of the direction, a word without an end.
const HOSTILE: &str =
    "<script>window.ran=1</script><img src=x onerror=window.ran=1>\u{202e}gpj.exe שלום";

/// Writes harm into whatever has a name or a note; the pages that have most of it, and the short name
/// of the workspace afterwards.
async fn harmed(site: &Site) -> (Vec<String>, String) {
    let api = site.service.api();
    let file = upload(&api, MediaKind::Image).await;
    let named = json!({"name": format!("{HOSTILE}.jpg"), "altText": HOSTILE});
    let answer = api.send(Method::PATCH, &format!("/media/{file}"), None, Some(&named)).await;
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    let more = json!({"scheduledAt": "2031-05-14T10:30:00Z", "mediaIds": [file],
        "labels": [&HOSTILE[..40], "x".repeat(50)], "note": HOSTILE});
    let id = site.post(&"W".repeat(400), more).await;
    let mut pages = vec![
        format!("posts/{id}"),
        format!("compose/{id}"),
        format!("media/{file}"),
        format!("media/{file}/crop"),
    ];
    let all = ["mastodon", "bluesky", "threads", "telegram", "discord"];
    let targets: Vec<Value> = all.iter().map(|name| json!({"platform": name})).collect();
    let more = json!({"scheduledAt": "2031-05-14T11:30:00Z", "targets": targets});
    site.post(&"W".repeat(300), more).await;
    let cookie = signed_in(site, "owner").await;
    let shorter = json!({"content": "W".repeat(399)});
    let answer = api.send(Method::PATCH, &format!("/posts/{id}"), None, Some(&shorter)).await;
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    let listed = client_of_forms().get(site.at(&format!("compose/{id}/versions")));
    let listed = listed.header(COOKIE, &cookie).send().await.unwrap().text().await.unwrap();
    let (_, version) = listed.split_once(&format!("compose/{id}/versions/")).unwrap();
    let (version, _) = version.split_once('"').unwrap();
    pages.push(format!("compose/{id}/versions/{version}"));
    let sent = async |path: &str, form: &[(&str, &str)]| {
        let request = client_of_forms().post(site.at(path)).header(COOKIE, &cookie).form(form);
        let answer = request.send().await.unwrap();
        assert!(!answer.status().is_client_error(), "{path}: {}", answer.text().await.unwrap());
        let led = answer.headers().get(LOCATION).map(|to| to.to_str().unwrap().to_owned());
        led.unwrap_or_default()
    };
    sent("keys", &[("name", HOSTILE), ("preset", "read")]).await;
    let led = sent("settings", &[("name", HOSTILE), ("zone", "Europe/Stockholm")]).await;
    (pages, led.split('/').nth(2).unwrap().to_owned())
}

/// A day on which accounts have free slots.
async fn free_day(site: &Site) -> NaiveDate {
    let targets = json!([{"platform": "bluesky"}]);
    let queued = json!({"queue": true, "targets": targets});
    let id = site.post("In the next slot", queued).await;
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    let at = post["scheduledAt"].as_str().unwrap();
    let day: NaiveDate = at[..10].parse().unwrap();
    day + Days::new(1)
}

/// Starts a server and writes to it.
pub(super) async fn seeded() -> Seeded {
    let program = Describing::start().await;
    let authority = program.authority();
    let programs = [("SCHEDULER_OAUTH_ALLOW_PRIVATE", "true"), ("SSL_CERT_FILE", &*authority)];
    let variables = [&[SCOPES][..], &programs].concat();
    let site = Site::start_as(&openid::settings(free_port(), true), &variables).await;
    let hostile = "<script>alert(1)</script>\u{202e}gpj.exe 👩‍👩‍👧 שלום ".repeat(8);
    let id = site.post(&hostile, json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let accounts = site.service.api().get("/oauth/accounts").await;
    let account = accounts["data"][0]["id"].as_str().unwrap();
    // One that is live after a failed attempt, with a comment; and one that failed for good.
    let fault = |kind: &str| {
        json!({"platform": "mastodon", "operation": "publish", "kind": kind, "times": 1,
            "retryAfterSeconds": 1})
    };
    site.networks.fault(&fault("rate_limited")).await;
    let (live, target) = acting::live(&site, "mastodon", json!({})).await;
    acting::write_under(&site, &live, "<script>alert(1)</script>\u{202e}gpj.exe").await;
    let film = json!([stored_film(&site).await]);
    let fields =
        json!({"publishNow": true, "mediaIds": film, "targets": [{"platform": "youtube"}]});
    let watched = site.post("A film", fields).await;
    site.service.api().ended(&watched).await;
    site.networks.fault(&fault("permanent")).await;
    let failed = site.post("Refused", json!({"publishNow": true})).await;
    site.service.api().ended(&failed).await;
    let pages: Vec<String> = [
        "calendar/2031-05",
        "calendar/2031-W20",
        "calendar/2031-05-14",
        "calendar/list",
        "rehearsal",
        "compose",
        "approvals",
        "inbox",
        "media",
        "accounts",
        "accounts/connect",
        "figures",
        "figures/posts",
        "figures/times",
        "activity/now",
        "activity/deliveries",
        "activity/webhooks",
        "activity/keys",
        "activity/log",
        "settings",
        "settings/server",
        "start",
        "more",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain([format!("posts/{id}"), format!("posts/{id}/move"), format!("compose/{id}")])
    .chain([format!("compose/{id}/versions"), format!("posts/{watched}/watched")])
    .chain([format!("posts/{live}"), format!("posts/{failed}"), format!("inbox/{live}/{target}")])
    .chain([format!("accounts/{account}/slots"), format!("accounts/{account}/disconnect")])
    .chain(["leave?to=https%3A%2F%2Fexample.com%2F".to_owned()])
    .chain([format!("compose?account={}", site.account("tiktok").await)])
    .collect();
    // What people see who have no session: clients, and whoever follows a link to connect.
    let second = site.post(&hostile, json!({"saveAsDraft": true})).await;
    let third = site.post("Another", json!({"scheduledAt": "2031-05-15T09:30:00Z"})).await;
    // What a rehearsal finds, for it is due soon and waits for its client.
    let soon = json!({"scheduledAt": now() + TimeDelta::days(1)});
    let soon = site.post("Ask Jonas", soon).await;
    let doors = [
        format!("{}/signin", site.service.url),
        format!("{}/signin/once", site.service.url),
        format!("{}/docs", site.service.url),
        format!("{}/docs/rules", site.service.url),
        format!("{}/login?code=wdjb-mjht", site.service.url),
        format!("{}/login", site.service.url),
        format!("{}/connect/friendster", site.service.url),
        format!("{}/approve/unknown", site.service.url),
        format!("{}/upload/unknown", site.service.url),
        format!("{}/l/unknown", site.service.url),
        site.client_link(&[&id], NOTE),
        site.client_link(&[&second, &third, &soon], NOTE),
    ];
    let (harmed, workspace) = harmed(&site).await;
    let mut pages = pages;
    pages.extend(harmed);
    // Where slots are free.
    let day = free_day(&site).await;
    pages.extend(["%Y-%m", "%G-W%V", "%F"].map(|view| format!("calendar/{}", day.format(view))));
    let mut doors = Vec::from(doors);
    // What a person is asked about a program; it has no script, as those have none.
    let asked = program.wish(&site);
    doors.push(format!("{}/w/{workspace}/programs?{asked}", site.service.url));
    Seeded { site, workspace, pages, doors, _program: program }
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing() {
    let seeded = seeded().await;
    for is_dark in [false, true] {
        let like = Like { is_dark, ..Like::default() };
        let Some(browser) = seeded.browser(like).await else { return };
        for (name, address) in seeded.all() {
            look(&browser, &address, name, is_dark).await;
        }
        // From the link to the network, back to what it has opened, and to what was picked of it.
        browser.open(&seeded.at("accounts/connect")).await;
        browser.follow("button[value=linkedin]").await;
        let begin = browser.client.current_url().await.unwrap();
        look(&browser, begin.as_str(), "connecting", is_dark).await;
        browser.follow("button.go").await;
        browser.follow("button[name=decision]").await;
        let pick = browser.client.current_url().await.unwrap();
        assert!(pick.path().ends_with("/connect/linkedin/pick"), "{pick}");
        look(&browser, pick.as_str(), "picking", is_dark).await;
        browser.emulate(1_440).await;
        browser.click("input[name=account]").await;
        browser.follow("button.go").await;
        let ended = browser.client.current_url().await.unwrap();
        assert!(browser.text("h1").await.contains("connected"), "{ended}");
        look(&browser, ended.as_str(), "connected", is_dark).await;
        let alert: Value = browser.run("return window.ran ?? null;", vec![]).await;
        assert_eq!(alert, Value::Null);
        browser.end().await;
    }
}
