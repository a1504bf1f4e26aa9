//! The calendar: moving by drag, form and keys, days that are full or have another length, zones,
//! free slots, keys and addresses.

mod days;
mod keys;
mod moves;
mod slots;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use serde_json::{Value, json};

use super::Site;
use super::browser::{Browser, Like};
use crate::support::wait_for;

/// What the toast says.
const TOAST: &str = "const toast = document.getElementById('toast');
    return toast.hidden ? '' : document.getElementById('toast-text').textContent;";

/// Where a card and a cell are in the window, which shows both: the cell of a day, in a week of an
/// hour too.
const BETWEEN: &str = "
    const [id, date, hour] = arguments;
    const card = document.querySelector(`.card[data-id='${id}']`);
    const cell = document.querySelector(
      `[role=gridcell][data-date='${date}']${hour ? `[data-hour='${hour}']` : ''}`);
    card.scrollIntoView({ block: 'center' });
    const places = () => {
      const of = card.getBoundingClientRect(), box = cell.getBoundingClientRect();
      return [[of.x + 30, of.y + 8], [box.x + box.width / 2, box.y + box.height - 6]];
    };
    const [[, from], [, to]] = places();
    scrollBy({ top: (from + to - innerHeight) / 2, behavior: 'instant' });
    return places();";

/// A server whose workspace is in Stockholm, and a browser of an editor.
async fn stockholm() -> Option<(Site, Browser)> {
    let browser = Browser::start(Like::default()).await?;
    let site = Site::start().await;
    site.setup.run(&["workspace", "set-timezone", "default", "Europe/Stockholm"]);
    enter(&site, &browser).await;
    Some((site, browser))
}

async fn enter(site: &Site, browser: &Browser) {
    browser.open(&site.link("editor")).await;
    browser.follow("button.go").await;
    browser.wait("the calendar", "return location.pathname.includes('/calendar/');").await;
}

/// Presses keys where the focus is, as a keyboard does; those of a chord stay down until its end.
async fn press(browser: &Browser, keys: &str) {
    let mut presses = KeyActions::new("keyboard".to_owned());
    let mut held = Vec::new();
    for value in keys.chars() {
        if value == char::from(Key::Null) {
            while let Some(value) = held.pop() {
                presses = presses.then(KeyAction::Up { value });
            }
        } else if [Key::Alt, Key::Control, Key::Shift]
            .into_iter()
            .any(|key| char::from(key) == value)
        {
            presses = presses.then(KeyAction::Down { value });
            held.push(value);
        } else {
            presses = presses.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
    }
    browser.client.perform_actions(presses).await.unwrap();
}

/// The keys that are held with another.
fn chord(key: Key, other: impl Into<char>) -> String {
    format!("{}{}{}", char::from(key), other.into(), char::from(Key::Null))
}

/// Waits until the toast says something that holds.
async fn toast(browser: &Browser, what: &str, holds: impl Fn(&str) -> bool) -> String {
    wait_for(what, async || {
        let said = browser.run(TOAST, vec![]).await;
        said.as_str().filter(|said| holds(said)).map(str::to_owned)
    })
    .await
}

async fn focus(browser: &Browser, css: &str) {
    let focus = format!("document.querySelector({}).focus();", json!(css));
    browser.run(&focus, vec![]).await;
}

async fn drag(browser: &Browser, id: &str, date: &str, hour: Option<&str>) {
    let places = browser.run(BETWEEN, vec![json!(id), json!(date), json!(hour)]).await;
    let pair = |place: &Value| (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    browser.drag(pair(&places[0]), pair(&places[1])).await;
}

/// How the time of a post is stored: as it was said, and for each target.
async fn stored(site: &Site, id: &str) -> Value {
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    let targets = post["targets"].as_array().unwrap().iter();
    let due: Vec<&Value> = targets.map(|target| &target["nextAttemptAt"]).collect();
    json!({"timing": post["timing"], "at": post["scheduledAt"], "due": due})
}

async fn becomes(site: &Site, id: &str, want: &Value) {
    wait_for(&format!("{want}"), async || (stored(site, id).await == *want).then_some(())).await;
}
