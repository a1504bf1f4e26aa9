//! No page has anything that axe finds, in both schemes and at four widths, and none scrolls
//! sideways.

use serde_json::{Value, json};

use super::browser::{Browser, Like};
use super::{Site, acting};

/// axe-core 4.14.1 (MPL-2.0), as npm gives it.
const AXE: &str = include_str!("axe.min.js");

const RUN: &str = "
    const done = arguments[arguments.length - 1];
    const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
    axe.run(document, { runOnly: rules }).then((found) => done({
      wrong: found.violations.map((rule) => `${rule.id}: ${rule.nodes[0].html.slice(0, 200)}`),
      right: found.passes.length,
      beyond: document.documentElement.scrollWidth - innerWidth,
    }));";

/// What the team writes to its client.
const NOTE: &str = "<script>alert(1)</script> 👩‍👩‍👧 שלום";

const WIDTHS: [u32; 4] = [1_440, 800, 390, 320];

/// Looks at a page at every width.
pub(super) async fn look(browser: &Browser, address: &str, name: &str, is_dark: bool) {
    browser.open(address).await;
    browser.run(AXE, vec![]).await;
    for width in WIDTHS {
        browser.emulate(width).await;
        let found = browser.client.execute_async(RUN, vec![]).await.unwrap();
        assert_eq!(found["wrong"], json!([]), "{name} at {width}, dark: {is_dark}");
        assert!(found["right"].as_u64().unwrap() > 10, "{name}: {found}");
        let beyond = found["beyond"].as_i64().unwrap();
        assert!(beyond <= 0, "{name} at {width} scrolls sideways by {beyond}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing() {
    let site = Site::start().await;
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
    site.networks.fault(&fault("permanent")).await;
    let failed = site.post("Refused", json!({"publishNow": true})).await;
    site.service.api().ended(&failed).await;
    let pages: Vec<String> = [
        "calendar/2031-05",
        "calendar/2031-W20",
        "calendar/2031-05-14",
        "calendar/list",
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
    .chain([format!("posts/{live}"), format!("posts/{failed}"), format!("inbox/{live}/{target}")])
    .chain([format!("accounts/{account}/slots")])
    .chain([format!("compose?account={}", site.account("tiktok").await)])
    .collect();
    // What people see who have no session: clients, and whoever follows a link to connect.
    let second = site.post(&hostile, json!({"saveAsDraft": true})).await;
    let third = site.post("Another", json!({"scheduledAt": "2031-05-15T09:30:00Z"})).await;
    let doors = [
        format!("{}/signin", site.service.url),
        format!("{}/signin/once", site.service.url),
        format!("{}/docs", site.service.url),
        format!("{}/login?code=wdjb-mjht", site.service.url),
        format!("{}/login", site.service.url),
        format!("{}/connect/friendster", site.service.url),
        format!("{}/approve/unknown", site.service.url),
        site.client_link(&[&id], NOTE),
        site.client_link(&[&second, &third], NOTE),
    ];
    for is_dark in [false, true] {
        let like = Like { is_dark, ..Like::default() };
        let Some(browser) = Browser::start(like).await else { return };
        browser.open(&site.link("owner")).await;
        browser.click("button.go").await;
        for page in &pages {
            look(&browser, &site.at(page), page, is_dark).await;
        }
        for address in &doors {
            look(&browser, address, address, is_dark).await;
        }
        if !is_dark {
            // From the link to the network, and back to what is connected.
            browser.open(&site.at("accounts/connect")).await;
            browser.click("button[value=facebook]").await;
            let begin = browser.client.current_url().await.unwrap();
            look(&browser, begin.as_str(), "connecting", is_dark).await;
            browser.click("button.go").await;
            browser.click("button[name=decision]").await;
            let pick = browser.client.current_url().await.unwrap();
            assert!(pick.path().ends_with("/connect/facebook/pick"), "{pick}");
            look(&browser, pick.as_str(), "connected", is_dark).await;
        }
        let alert: Value = browser.run("return window.ran ?? null;", vec![]).await;
        assert_eq!(alert, Value::Null);
        browser.end().await;
    }
}
