//! The page of a client: without scripts, without a cookie, on a small screen, and on paper.

use fantoccini::Locator;
use reqwest::Method;
use serde_json::json;

use super::Site;
use super::browser::{Browser, Like};

const NOTE: &str = "textarea[name=note]";

#[tokio::test(flavor = "multi_thread")]
async fn a_client_decides_and_thinks_again() {
    let like = Like { without_scripts: true, ..Like::default() };
    let Some(browser) = Browser::start(like).await else { return };
    let site = Site::start().await;
    let id = site.post("To the fair", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let link = site.client_link(&[&id], "Our week");
    let stored = async || {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        post["approvalState"].as_str().unwrap().to_owned()
    };
    browser.emulate(320).await;
    browser.open(&link).await;
    for want in
        ["default", "Hello Jonas,", "Our week", "Mastodon: ", "To the fair", "14 May 2031, 09:30 ("]
    {
        assert!(browser.text("body").await.contains(want), "{want}");
    }
    browser.follow("button[value=changes]").await;
    assert!(browser.text("[role=alert]").await.contains("Write what should change."));
    browser.write(NOTE, "Warmer, please").await;
    browser.follow("button[value=changes]").await;
    assert!(browser.text(".decide").await.contains("You have asked for changes on "));
    assert!(browser.text(".decide").await.contains("Warmer, please"));
    assert_eq!(stored().await, "changes");
    browser.follow("button[value=approve]").await;
    assert!(browser.text("[role=status]").await.starts_with("You have approved it on "));
    assert_eq!(stored().await, "approved");

    // What has changed since is asked about again, and an answer to what was before is not stored.
    let change = json!({"content": "To the market"});
    site.service.api().send(Method::PATCH, &format!("/posts/{id}"), None, Some(&change)).await;
    browser.follow("button[value=approve]").await;
    assert!(browser.text("[role=alert]").await.contains("has changed since you opened this page"));
    assert!(browser.text(".glass").await.contains("market"));
    assert_eq!(stored().await, "pending");
    browser.open(&link).await;
    let sentence = browser.text("[role=status]").await;
    assert!(sentence.contains("It has changed since you approved: the words marked are new"));
    for (css, want) in [(".glass ins", "market"), (".glass del", "fair")] {
        assert!(browser.text(css).await.ends_with(want), "{css}");
    }
    let page = browser.client.source().await.unwrap();
    let marked = "To the <del><span class=\"vh\">gone: </span>fair</del>\
        <ins><span class=\"vh\">new: </span>market</ins>";
    assert!(page.contains(marked), "said too: {page}");

    assert!(browser.client.get_all_cookies().await.unwrap().is_empty());
    let page = browser.client.source().await.unwrap();
    assert!(!page.contains("/w/"), "no way into the workspace");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_prints_on_white_with_all_texts() {
    let Some(browser) = Browser::start(Like { is_dark: true, ..Like::default() }).await else {
        return;
    };
    let site = Site::start().await;
    let id = site.post("To the fair", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    browser.open(&site.client_link(&[&id], "Our week")).await;
    browser.emulate_print().await;
    let grounds = "return ['html', 'body', '.alone']
        .map((name) => getComputedStyle(document.querySelector(name)).backgroundColor);";
    let clear = "rgba(0, 0, 0, 0)";
    assert_eq!(browser.run(grounds, vec![]).await, json!([clear, clear, clear]));
    let ink = "return getComputedStyle(document.querySelector('.say')).color;";
    assert_eq!(browser.run(ink, vec![]).await, json!("rgb(30, 28, 25)"));
    for (css, is_printed) in [(".glass .say", true), ("blockquote", true), (".decide form", false)]
    {
        let found = browser.client.find(Locator::Css(css)).await.unwrap();
        assert_eq!(found.is_displayed().await.unwrap(), is_printed, "{css}");
    }
    browser.end().await;
}
