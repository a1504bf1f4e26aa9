//! Free slots, several posts at once, and what a month asks of the store.

use std::collections::BTreeMap;

use http::header::COOKIE;
use serde_json::json;

use super::super::doors::signed_in;
use super::*;
use crate::support::{client, client_of_forms};

/// Two browsers open the same free slot: one gets it, the other is told the next and gets that.
#[tokio::test(flavor = "multi_thread")]
async fn two_who_want_one_slot_get_two() {
    let Some((site, one)) = stockholm().await else { return };
    let Some(other) = Browser::start(Like::default()).await else { return };
    enter(&site, &other).await;
    let account = site.account("mastodon").await;
    let view = format!("calendar/2031-05?account={account}");
    one.open(&site.at(&view)).await;
    // 09:00, 13:00 and 18:00 on each of five weeks, and on two of the days before and after.
    let ghosts =
        "return [...document.querySelectorAll('.ghost')].map((ghost) => ghost.dataset.slot);";
    let free = one.run(ghosts, vec![]).await;
    let free: Vec<&str> =
        free.as_array().unwrap().iter().map(|slot| slot.as_str().unwrap()).collect();
    assert_eq!(free.len(), 5 * 7 * 3, "every slot of the account");
    assert!(free.contains(&"2031-05-14T07:00:00Z"));

    let ghost = ".ghost[data-slot='2031-05-14T07:00:00Z']";
    for (browser, text) in [(&one, "Mine"), (&other, "Theirs")] {
        browser.open(&site.at(&view)).await;
        let href = format!("location.href = document.querySelector(\"{ghost}\").href;");
        browser.run(&href, vec![]).await;
        browser.wait("the composer", "return document.getElementById('content') !== null;").await;
        let chosen = "return [document.querySelector('[name=when]:checked').value,
            document.querySelector('[name=day]').value, document.querySelector('[name=time]').value];";
        let want = json!(["slot", "2031-05-14", "09:00"]);
        assert_eq!(browser.run(chosen, vec![]).await, want, "{text}");
        browser.write("#content", text).await;
    }
    one.click("#go").await;
    one.wait("the post", "return location.pathname.includes('/posts/');").await;
    other.click("#go").await;
    let told = "return document.querySelector('main').textContent
        .includes('09:00 has just been taken; 13:00 is the next.');";
    other.wait("the sentence", told).await;
    let posts =
        site.service.api().get("/posts?from=2031-05-14T00:00:00Z&to=2031-05-15T00:00:00Z").await;
    assert_eq!(posts["data"].as_array().unwrap().len(), 1, "nothing was stored without a word");
    other.click("#go").await;
    other.wait("the post", "return location.pathname.includes('/posts/');").await;
    let posts =
        site.service.api().get("/posts?from=2031-05-14T00:00:00Z&to=2031-05-15T00:00:00Z").await;
    let held: BTreeMap<&str, (&str, &str)> = posts["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|post| {
            let of = |value: &serde_json::Value| value.as_str().unwrap().to_owned().leak() as &str;
            (of(&post["content"]), (of(&post["timing"]["kind"]), of(&post["scheduledAt"])))
        })
        .collect();
    let want = BTreeMap::from([
        ("Mine", ("queue", "2031-05-14T07:00:00Z")),
        ("Theirs", ("queue", "2031-05-14T11:00:00Z")),
    ]);
    assert_eq!(held, want);
    one.open(&site.at(&view)).await;
    let free = one.run(ghosts, vec![]).await;
    assert_eq!(free.as_array().unwrap().len(), 5 * 7 * 3 - 2);
    one.end().await;
    other.end().await;
}

/// Several posts of a list are chosen, which is said, and moved, asked about and cancelled at once.
#[tokio::test(flavor = "multi_thread")]
async fn several_posts_at_once() {
    let Some((site, browser)) = stockholm().await else { return };
    let mut ids = Vec::new();
    for (text, more) in [
        ("First", json!({"scheduledAt": "2031-10-22T07:30:00Z"})),
        ("Second", json!({"scheduledLocal": "2031-10-23T09:30"})),
    ] {
        ids.push(site.post(text, more).await);
    }
    let live = site.post("Live", json!({"publishNow": true})).await;
    site.service.api().ended(&live).await;
    ids.push(live);
    let list = site.at("calendar/list?order=recent");
    let choose = async || {
        browser.open(&list).await;
        let tick = "for (const box of document.querySelectorAll('input[name=post]')) box.click();
            return document.getElementById('said').textContent;";
        assert_eq!(browser.run(tick, vec![]).await, json!("3 posts are chosen."));
    };
    choose().await;
    browser.run("document.querySelector('[name=days]').value = '7';", vec![]).await;
    browser.click("[value=move]").await;
    browser.wait("the answer", "return document.getElementById('told') !== null;").await;
    let told = browser.text("#told").await;
    assert!(told.starts_with("2 posts moved. 1 post was left as it is."), "{told}");
    // Over the night in which clocks go back.
    assert_eq!(stored(&site, &ids[0]).await["at"], "2031-10-29T08:30:00Z");
    let local = json!({"kind": "local", "local": "2031-10-30T09:30"});
    assert_eq!(stored(&site, &ids[1]).await["timing"], local);

    choose().await;
    browser.click("[value=cancel]").await;
    browser.wait("the answer", "return document.getElementById('told') !== null;").await;
    assert!(browser.text("#told").await.starts_with("2 posts cancelled. 1 post was left"));
    for id in &ids[..2] {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        assert_eq!(post["status"], "canceled");
    }

    // In the grid, by keys.
    let asked = site.post("Asked", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    browser.open(&site.at("calendar/2031-05")).await;
    focus(&browser, &format!(".card[data-id='{asked}']")).await;
    press(&browser, "x").await;
    assert_eq!(browser.text("#chosen-said").await, "1 post is chosen.");
    // It stays chosen when the page shows what has changed elsewhere.
    browser.run("document.activeElement.blur();", vec![]).await;
    let other = site.post("Other", json!({"scheduledAt": "2031-05-15T07:30:00Z"})).await;
    let shown = format!("return document.querySelector(\".card[data-id='{other}']\") !== null;");
    browser.wait("the other", &shown).await;
    assert_eq!(browser.text("#chosen-said").await, "1 post is chosen.");
    browser.write("#chosen [name=client]", "Jonas").await;
    browser.click("#chosen [value=ask]").await;
    browser.wait("the link", "return document.body.innerHTML.includes('/approve/');").await;
    let post = site.service.api().get(&format!("/posts/{asked}")).await;
    assert_eq!(post["approvalState"], "pending");
    browser.end().await;
}

/// The operations of the store that a page needs, by their names, as the metrics count them. What
/// the worker does meanwhile has other names.
async fn operations(site: &Site, cookie: &str, path: &str) -> BTreeMap<String, u64> {
    let counted = async || -> BTreeMap<String, u64> {
        let text = client().get(format!("{}/metrics", site.service.url)).send().await.unwrap();
        let text = text.text().await.unwrap();
        let of_pages =
            ["accounts", "approvals", "held_instants", "inbox", "list_posts", "unread_comments"];
        let line = |line: &str| {
            let rest = line.strip_prefix("scheduler_store_operations_total{")?;
            let (labels, count) = rest.rsplit_once(' ')?;
            let name = labels.split("operation=\"").nth(1)?.split('"').next()?;
            of_pages.contains(&name).then(|| (name.to_owned(), count.parse().unwrap()))
        };
        text.lines().filter_map(line).fold(BTreeMap::new(), |mut all, (name, count): (_, u64)| {
            *all.entry(name).or_default() += count;
            all
        })
    };
    let before = counted().await;
    let request = client_of_forms().get(site.at(path)).header(COOKIE, cookie);
    assert!(request.send().await.unwrap().status().is_success());
    let mut after = counted().await;
    for (name, count) in &mut after {
        *count -= before.get(name).copied().unwrap_or_default();
    }
    after.retain(|_, count| *count > 0);
    after
}

#[tokio::test(flavor = "multi_thread")]
async fn a_month_asks_the_store_for_the_same_whatever_is_in_it() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "owner").await;
    let account = site.account("mastodon").await;
    let empty = operations(&site, &cookie, "calendar/2031-07").await;
    assert!(empty["held_instants"] == 1 && empty["list_posts"] == 3, "{empty:?}");
    let one = format!("calendar/2031-07?account={account}");
    assert_eq!(operations(&site, &cookie, &one).await, empty, "one account as thirteen");
    let posts: Vec<_> = (0..120)
        .map(|number| {
            let at = format!("2031-05-{:02}T{:02}:00:00Z", 1 + number % 30, number / 30);
            let targets = json!([{"platform": "mastodon"}, {"platform": "bluesky"}]);
            json!({"key": format!("many-{number:04}"), "post":
                {"content": format!("Number {number}"), "scheduledAt": at, "targets": targets}})
        })
        .collect();
    let batch = json!({"posts": posts});
    site.service.api().send(reqwest::Method::POST, "/posts/batch", None, Some(&batch)).await;
    assert_eq!(operations(&site, &cookie, "calendar/2031-05").await, empty, "120 posts as none");
}

/// A card that is dropped on a free slot takes it, and waits in the queue from then on.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_on_a_free_slot_takes_it() {
    let Some((site, browser)) = stockholm().await else { return };
    let id = site.post("Dropped", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    // Other accounts have the same slot, which stays theirs.
    let account = site.account("mastodon").await;
    browser.open(&site.at(&format!("calendar/2031-W20?account={account}"))).await;
    let places = "const [card, ghost] = [`.card[data-id='${arguments[0]}']`,
        \"[data-slot='2031-05-15T07:00:00Z']\"].map((css) => document.querySelector(css));
        card.scrollIntoView({ block: 'center' });
        return [card, ghost].map((each) => {
          const box = each.getBoundingClientRect();
          return [box.x + 12, box.y + box.height / 2];
        });";
    let places = browser.run(places, vec![json!(id)]).await;
    let pair = |place: &Value| (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    browser.drag(pair(&places[0]), pair(&places[1])).await;
    let at = "2031-05-15T07:00:00Z";
    becomes(&site, &id, &json!({"timing": {"kind": "queue"}, "at": at, "due": [at]})).await;
    toast(&browser, "the slot", |said| said == "Moved to Thursday 15 May, 09:00.").await;
    let is_there = format!(
        "return document.querySelector(\".card[data-id='{id}']\").closest('td').dataset.date
          === '2031-05-15' && document.querySelector(\"[data-slot='{at}']\") === null;"
    );
    browser.run("document.activeElement.blur();", vec![]).await;
    browser.client.refresh().await.unwrap();
    browser.wait("the card in place of the slot", &is_there).await;
    browser.end().await;
}
