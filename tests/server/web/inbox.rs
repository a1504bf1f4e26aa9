//! Conversations under live posts: by keys, with links of others that are asked about, and what the
//! network lets one do.

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::Site;
use super::acting::{live, write_under};
use super::browser::{Browser, Like};
use crate::support::wait_for;

const PROBLEM: &str = "return document.getElementById('problem')?.textContent ?? '';";

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_answered_by_keys() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let (id, target) = live(&site, "mastodon", json!({})).await;
    let text = "<script>window.ran = 1</script> \u{202e}gpj.exe https://evil.example/a?b=1&c.";
    write_under(&site, &id, text).await;
    write_under(&site, &id, "And salt?").await;
    let comments_at = format!("/posts/{id}/targets/{target}/comments");
    let told = site.service.api().get(&comments_at).await;
    browser.open(&site.link("editor")).await;
    browser.follow("button.go").await;
    let page = site.at(&format!("inbox/{id}/{target}"));
    browser.open(&page).await;

    // What can be done is what the network lets one do, for each comment.
    let offered = "return ['r', 'l', 'h'].map((act) =>
        document.querySelectorAll(`[data-act=${act}]`).length);";
    let can = |name: &str| if told["can"][name] == true { 2 } else { 0 };
    let want = json!([can("reply"), can("like"), can("hide")]);
    assert_eq!(browser.run(offered, vec![]).await, want, "{told}");

    // Texts of others are texts; their links are asked about.
    let inert = "return [window.ran ?? null, document.querySelector('.say script') === null,
        document.querySelector('.say').textContent.includes('\\u202e')];";
    assert_eq!(browser.run(inert, vec![]).await, json!([null, true, false]));
    let links = "return [...document.querySelectorAll('.say a')].map((link) => link.textContent);";
    assert_eq!(browser.run(links, vec![]).await, json!(["https://evil.example/a?b=1&c"]));
    browser.follow(".say a").await;
    assert_eq!(browser.path().await, "/w/default/leave");
    assert!(browser.text("main").await.contains("It leads to evil.example."));
    browser.open(&page).await;

    let keys = async |keys: &str| {
        browser.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    };
    browser.run("document.body.focus();", vec![]).await;
    let row =
        "return [...document.querySelectorAll('[data-row]')].indexOf(document.activeElement);";
    keys("j").await;
    assert_eq!(browser.run(row, vec![]).await, json!(0));
    keys("j").await;
    assert_eq!(browser.run(row, vec![]).await, json!(1));
    keys("k").await;
    assert_eq!(browser.run(row, vec![]).await, json!(0));

    // A reply that is refused is back in the field, with the reason.
    let fault = json!({"platform": "mastodon", "operation": "comment", "kind": "permanent"});
    site.networks.fault(&fault).await;
    keys("r").await;
    browser.wait("the field", "return document.activeElement.matches('textarea');").await;
    keys("It is.").await;
    keys(&format!("{}{}", char::from(Key::Control), char::from(Key::Enter))).await;
    wait_for("the reason", async || {
        (browser.run(PROBLEM, vec![]).await.as_str() != Some("")).then_some(())
    })
    .await;
    let field = "return document.querySelector('[data-row] details[open] textarea').value;";
    assert_eq!(browser.run(field, vec![]).await, json!("It is."));
    browser.click("[data-row] details[open] button[value=reply]").await;
    let live_at = async || {
        let comments = site.service.api().get(&comments_at).await;
        let comments: Vec<Value> = comments["data"].as_array().unwrap().clone();
        comments.iter().filter(|it| it["text"].as_str().unwrap().ends_with("It is.")).count()
    };
    wait_for("the reply", async || (live_at().await == 1).then_some(())).await;
    browser.end().await;
}
