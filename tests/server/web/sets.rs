//! Sets of accounts in the composer: by its form alone, and in a browser.

use http::StatusCode;
use serde_json::{Value, json};

use super::Site;
use super::accessible;
use super::acting::{Visitor, between};
use super::browser::{Browser, Like};

/// The accounts that a page of the composer has ticked.
fn ticked(page: &str) -> Vec<String> {
    let boxes = page.split("name=\"account\" value=\"").skip(1);
    let boxes = boxes.map(|rest| rest.split_once('>').unwrap().0);
    let ticked = boxes.filter(|input| input.contains(" checked"));
    let mut ids: Vec<String> = ticked.map(|input| input[..36].to_owned()).collect();
    ids.sort_unstable();
    ids
}

/// The values of the buttons that pick a set.
fn picks(page: &str) -> Vec<String> {
    let buttons = page.split("value=\"set.pick.").skip(1);
    buttons.map(|rest| format!("set.pick.{}", rest.split('"').next().unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn sets_are_kept_picked_and_changed_by_the_form_alone() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "drafter").await;
    let [bluesky, mastodon] = [site.account("bluesky").await, site.account("mastodon").await];
    let mut both = vec![bluesky.clone(), mastodon.clone()];
    both.sort_unstable();
    let press = async |form: &[(&str, &str)]| {
        let form = [&[("content", "Bread"), ("when", "draft")], form].concat();
        let (status, page) = visitor.send("compose", &form).await;
        assert_eq!(status, StatusCode::OK, "{form:?}: {page}");
        assert!(page.contains(">Bread</textarea>"), "what is written stays: {form:?}");
        page
    };
    // Keeps what is ticked, under a name of its own.
    let two = [("account", bluesky.as_str()), ("account", mastodon.as_str())];
    let named = [("do", "set.keep"), ("set-name", "Clients\u{2019} <two>")];
    let page = press(&[&two[..], &named].concat()).await;
    assert_eq!(ticked(&page), both);
    let pick = picks(&page);
    let [pick] = &pick[..] else { panic!("{pick:?}") };
    assert!(page.contains("Clients\u{2019} &#60;two&#62;"), "{page}");
    let again = press(&[&two[..1], &named].concat()).await;
    let problem = between(&again, "id=\"set-problem\">", "</p>");
    assert!(problem.starts_with("Another set has this name"), "{problem}");
    assert!(again.contains("value=\"Clients\u{2019} &#60;two&#62;\" maxlength"), "to be mended");
    let nothing = press(&[("do", "set.keep"), ("set-name", "None")]).await;
    assert!(between(&nothing, "id=\"set-problem\">", "</p>").contains("choose some"));

    // One press picks it, and another all.
    let page = press(&[("do", pick), ("account", &bluesky)]).await;
    assert_eq!(ticked(&page), both);
    let page = press(&[("do", "set.all"), ("account", &bluesky)]).await;
    let accounts = site.service.api().get("/oauth/accounts").await;
    assert_eq!(ticked(&page).len(), accounts["data"].as_array().unwrap().len());
    let nothing = site.service.api().get("/posts").await;
    assert_eq!(nothing["data"], json!([]), "no post is stored by it");

    // Another name, other accounts.
    let id = pick.trim_start_matches("set.pick.");
    let name = format!("set-name.{id}");
    let rename = format!("set.rename.{id}");
    let page = press(&[("do", &rename), (&name, "Customers")]).await;
    assert!(page.contains(">Customers</button>"), "{page}");
    let take = format!("set.take.{id}");
    press(&[&two[..1], &[("do", take.as_str())]].concat()).await;
    assert_eq!(ticked(&press(&[("do", pick)]).await), std::slice::from_ref(&bluesky));
    press(&[&two[..], &[("do", take.as_str())]].concat()).await;

    // An account that is gone is named, and the rest is picked.
    assert!(site.setup.run(&["accounts", "disconnect", "bluesky", "--yes"]).status.success());
    let page = press(&[("do", pick)]).await;
    assert_eq!(ticked(&page), std::slice::from_ref(&mastodon));
    let hint = between(&page, &format!("id=\"left-{id}\">"), "</p>");
    assert!(hint.starts_with("Customers: picked without bluesky @"), "{hint}");
    assert!(hint.ends_with(" (disconnected)."), "{hint}");

    let remove = format!("set.remove.{id}");
    let page = press(&[("do", &remove)]).await;
    assert_eq!(picks(&page), Vec::<String>::new());
    let page = press(&[("do", &remove)]).await;
    assert!(page.contains("There is no such set of accounts in this workspace."), "{page}");

    // Who reads has no use of them.
    let reader = Visitor::of(&site, "reader").await;
    assert!(!reader.page("compose").await.contains("set.all"));
    assert_eq!(reader.send("compose", &[("do", "set.all")]).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn sets_are_picked_in_a_browser() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let saved = ["accounts", "sets", "save", "Two of them", "bluesky,mastodon"];
    let saved = site.setup.run(&saved);
    assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stderr));
    browser.open(&site.link("drafter")).await;
    browser.follow("button.go").await;
    browser.open(&site.at("compose")).await;
    browser.write("#content", "Rye").await;
    browser.follow(".sets button[id^=set-]").await;
    let state = "return {
        ticked: document.querySelectorAll('input[name=account]:checked').length,
        text: document.getElementById('content').value,
        pressed: [...document.querySelectorAll('.sets [aria-pressed=true]')].map((each) => each.textContent).join(),
        focused: document.activeElement?.textContent ?? '',
    };";
    let want = json!({
        "ticked": 2, "text": "Rye", "pressed": "Two of them", "focused": "Two of them",
    });
    assert_eq!(browser.run(state, vec![]).await, want);
    accessible::is_clean(&browser, "a set that is picked").await;
    // By keys: a name, and Enter keeps what is ticked.
    browser.click("#sets summary").await;
    browser.write("#set-name", "Mine").await;
    browser.run("window.left = false;", vec![]).await;
    browser.write("#set-name", "\u{e007}").await;
    let kept = "return window.left === undefined && document.querySelectorAll('.sets button').length === 3;";
    browser.wait("the new set", kept).await;
    accessible::is_clean(&browser, "sets of accounts").await;
    // What is picked is part of the draft that is kept by itself.
    let targets = crate::support::wait_for("the draft", async || {
        let posts = site.service.api().get("/posts").await;
        let post: &Value = &posts["data"][0];
        (post["targets"].as_array()?.len() == 2).then(|| post["content"].clone())
    })
    .await;
    assert_eq!(targets, "Rye");
    browser.end().await;
}
