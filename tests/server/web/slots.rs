//! The editor of weekly slots: the same week by keys, by pointer and as text.

use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::json;

use super::Site;
use super::browser::{Browser, Like};
use crate::support::wait_for;

const BEFORE: &str = "mon 09:00; wed 12:00; sun 20:00";
const ADDED: &str = "mon-tue 09:00; wed 12:00; sun 20:00";
const MOVED: &str = "mon-tue 09:00; thu 12:30; sun 20:00";
const WANTED: &str = "mon-tue 09:00; thu 12:30";

/// What `scheduler schedule show` says.
fn stored(site: &Site) -> String {
    let shown = site.setup.json(&[], &["schedule", "show", "mastodon"]);
    shown["schedule"].as_str().unwrap().to_owned()
}

/// Waits until the text says this.
async fn text(browser: &Browser, want: &str) {
    let week = "return document.querySelector('#slots [name=week]').value;";
    wait_for(want, async || (browser.run(week, vec![]).await == json!(want)).then_some(())).await;
}

async fn press(client: &Client, keys: &[Key]) {
    for key in keys {
        let key = char::from(*key).to_string();
        client.active_element().await.unwrap().send_keys(&key).await.unwrap();
    }
}

/// The middle of what a selector finds, or a place further down in it.
async fn place(browser: &Browser, css: &str, share: f64) -> (f64, f64) {
    let script = "const found = document.querySelector(arguments[0]);
        const box = found.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height * arguments[1]];";
    let at = browser.run(script, vec![json!(css), json!(share)]).await;
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

async fn by_keys(browser: &Browser) {
    let client = &browser.client;
    let focus = "document.querySelector('#slotgrid [tabindex=\"0\"]').focus();
        return document.querySelectorAll('#slotgrid [tabindex=\"0\"]').length;";
    assert_eq!(browser.run(focus, vec![]).await, json!(1), "one tab stop");
    press(client, &[Key::Right, Key::Enter]).await;
    text(browser, ADDED).await;

    // To Wednesday at noon, where it is picked up.
    press(client, &[Key::Right, Key::Down, Key::Down, Key::Down]).await;
    client.active_element().await.unwrap().send_keys(" ").await.unwrap();
    press(client, &[Key::Down]).await;
    text(browser, "mon-tue 09:00; wed 12:15; sun 20:00").await;
    press(client, &[Key::Escape]).await;
    text(browser, ADDED).await;
    let focused = "return document.activeElement.dataset.slot ?? null;";
    browser.wait("the slot", "return document.activeElement.dataset.slot === 'wed 12:00';").await;
    client.active_element().await.unwrap().send_keys(" ").await.unwrap();
    for (key, want) in [
        (Key::Down, "mon-tue 09:00; wed 12:15; sun 20:00"),
        (Key::Down, "mon-tue 09:00; wed 12:30; sun 20:00"),
        (Key::Right, MOVED),
    ] {
        press(client, &[key]).await;
        text(browser, want).await;
    }
    let later = format!("{}{}", char::from(Key::Shift), char::from(Key::Down));
    client.active_element().await.unwrap().send_keys(&later).await.unwrap();
    text(browser, "mon-tue 09:00; thu 12:35; sun 20:00").await;
    let earlier = format!("{}{}", char::from(Key::Shift), char::from(Key::Up));
    client.active_element().await.unwrap().send_keys(&earlier).await.unwrap();
    text(browser, MOVED).await;
    client.active_element().await.unwrap().send_keys(" ").await.unwrap();
    assert_eq!(browser.run(focused, vec![]).await, json!("thu 12:30"));

    // Removed, taken back, and removed again.
    press(client, &[Key::Right, Key::Right, Key::Right]).await;
    press(client, &[Key::Down; 8]).await;
    assert_eq!(browser.run(focused, vec![]).await, json!("sun 20:00"));
    press(client, &[Key::Delete]).await;
    text(browser, WANTED).await;
    let undo = format!("{}z", char::from(Key::Control));
    client.active_element().await.unwrap().send_keys(&undo).await.unwrap();
    text(browser, MOVED).await;
    browser.wait("the slot", "return document.activeElement.dataset.slot === 'sun 20:00';").await;
    press(client, &[Key::Delete]).await;
    text(browser, WANTED).await;
}

async fn by_pointer(browser: &Browser) {
    browser.click("[data-cell='tue 09']").await;
    text(browser, ADDED).await;
    let to_sight =
        "document.querySelector(\"[data-cell='wed 12']\").scrollIntoView({block: 'center'});";
    browser.run(to_sight, vec![]).await;
    let from = place(browser, "[data-slot='wed 12:00']", 0.5).await;
    let to = place(browser, "[data-cell='thu 12']", 0.54).await;
    browser.drag(from, to).await;
    text(browser, MOVED).await;
    browser.click("#slots details summary").await;
    browser.click("#slots details button[value='sun 20:00']").await;
    text(browser, WANTED).await;
}

async fn as_text(browser: &Browser) {
    let week = browser.client.find(Locator::Css("#slots [name=week]")).await.unwrap();
    week.clear().await.unwrap();
    week.send_keys("thu 12:30; mon,tue 09:00").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_pointer_and_text_make_the_same_week() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let path = format!("accounts/{}/slots", site.account("mastodon").await);
    browser.open(&site.link("owner")).await;
    browser.follow("button.go").await;
    for way in ["keys", "pointer", "text"] {
        site.setup.run(&["schedule", "set", "mastodon", BEFORE]);
        browser.open(&site.at(&path)).await;
        browser
            .wait("the script", "return document.querySelector('#slotgrid [tabindex]') !== null;")
            .await;
        match way {
            "keys" => by_keys(&browser).await,
            "pointer" => by_pointer(&browser).await,
            _ => as_text(&browser).await,
        }
        assert_eq!(stored(&site), BEFORE, "{way}: nothing is stored before it is saved");
        browser.run("window.isOld = true;", vec![]).await;
        browser.click("#slots button.go").await;
        browser
            .wait("the save", "return !window.isOld && document.querySelector('#slots') !== null;")
            .await;
        assert_eq!(stored(&site), WANTED, "{way}");
    }

    // A day is copied to others, and a post that has a slot is drawn on it.
    let copy = "document.querySelector('[name=from]').value = 'thu';
        document.querySelector('[name=onto][value=fri]').click();
        document.querySelector('[name=copy]').click();";
    browser.run(copy, vec![]).await;
    text(&browser, "mon-tue 09:00; thu-fri 12:30").await;
    site.post("In the queue", json!({"queue": true})).await;
    browser.open(&site.at(&path)).await;
    let taken =
        "return document.querySelectorAll(\"#slotgrid .pill[aria-label$=', taken']\").length;";
    assert_eq!(browser.run(taken, vec![]).await, json!(1));
    browser.end().await;
}
