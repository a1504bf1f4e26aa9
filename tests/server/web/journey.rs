//! From a link to a post that is live: by mouse, by keys alone, and without scripts.

use fantoccini::key::Key;
use reqwest::Method;
use serde_json::{Value, json};

use super::Site;
use super::browser::{Browser, Like};
use crate::support::wait_for;

/// The day and time at which a card stands, and where it and a cell are on the screen.
const PLACES: &str = "
    const card = document.querySelector(`.card[data-id='${arguments[0]}']`);
    const row = card.closest('tr');
    // Clear of the edges, at which a drag scrolls the page.
    row.scrollIntoView({ block: 'center', behavior: 'instant' });
    const column = [...row.children].indexOf(card.closest('td'));
    const cell = (row.nextElementSibling ?? row.previousElementSibling).children[column];
    const middle = (box) => [box.x + box.width / 2, box.y + box.height - 6];
    return { at: card.dataset.at, to: cell.dataset.date,
      card: middle(card.getBoundingClientRect()), cell: middle(cell.getBoundingClientRect()) };";

const AT: &str = "return document.querySelector(`.card[data-id='${arguments[0]}']`).dataset.at;";

fn pair(value: &Value) -> (f64, f64) {
    (value[0].as_f64().unwrap(), value[1].as_f64().unwrap())
}

/// The wall-clock time at which the API says that a post goes out.
async fn stored_at(site: &Site, id: &str) -> String {
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    post["scheduledAt"].as_str().unwrap()[..16].to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn by_mouse() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let link = site.link("owner");
    browser.open(&link).await;
    browser.follow("button.go").await;
    assert!(browser.path().await.starts_with("/w/default/calendar/"), "{}", browser.path().await);

    // Written, checked while it is written, and live in the imitation.
    browser.open(&site.at("compose")).await;
    let tick = "const box = [...document.querySelectorAll('input[name=account]')]
        .find((box) => box.closest('label').textContent.includes('Bluesky')); box.click();";
    browser.run(tick, vec![]).await;
    browser.wait("the account", "return document.querySelector('.shot') !== null;").await;
    browser.write("#content", &"é".repeat(302)).await;
    let over =
        "return document.querySelector('.shot .over')?.textContent === '2 over 300 characters'
        && document.querySelector('.say mark')?.textContent === 'éé';";
    browser.wait("the count", over).await;
    browser.run("document.getElementById('content').value = '';", vec![]).await;
    browser.write("#content", "Hello from a browser").await;
    browser.run("document.querySelector('input[name=when][value=now]').click();", vec![]).await;
    browser.follow("#go").await;
    assert!(browser.path().await.starts_with("/w/default/posts/"), "{}", browser.path().await);
    let id = browser.path().await.rsplit('/').next().unwrap().to_owned();
    wait_for("the post to be live", async || {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        (post["targets"][0]["status"] == "published").then_some(())
    })
    .await;
    browser.client.refresh().await.unwrap();
    assert!(browser.text("main").await.contains("Live on 1 of 1."));

    // What is typed is kept without a press, also without an account.
    browser.open(&site.at("compose")).await;
    browser.write("#content", "Kept by itself").await;
    let kept = "return document.getElementById('saved').textContent.startsWith('Saved ');";
    browser.wait("the draft", kept).await;
    browser.client.refresh().await.unwrap();
    let text = "return document.getElementById('content').value;";
    assert_eq!(browser.run(text, vec![]).await, json!("Kept by itself"));
    assert!(browser.path().await.starts_with("/w/default/compose/"));

    // Dragged to another day: the date changes, the wall-clock time does not; and back. A drop on a
    // free slot is another thing.
    let id = site.post("To be moved", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    browser.open(&site.at("calendar/2031-05?slots=0")).await;
    let places = browser.run(PLACES, vec![json!(id)]).await;
    browser.drag(pair(&places["card"]), pair(&places["cell"])).await;
    let want = format!("{}T09:30", places["to"].as_str().unwrap());
    wait_for("the move", async || (stored_at(&site, &id).await == want).then_some(())).await;
    assert_eq!(browser.run(AT, vec![json!(id)]).await, json!(want));
    browser.wait("the toast", "return !document.getElementById('undo').hidden;").await;
    browser.click("#undo").await;
    wait_for("the undo", async || {
        (stored_at(&site, &id).await == "2031-05-14T09:30").then_some(())
    })
    .await;

    // What is live does not move.
    let live = "const card = document.querySelector('.card.is-published');
        return [card !== null, card?.classList.contains('movable')];";
    browser.open(&site.at("calendar")).await;
    assert_eq!(browser.run(live, vec![]).await, json!([true, false]));

    // Another's change is not overwritten by a page that is not told of it.
    browser.begin_with("navigator.locks.request = () => new Promise(() => {});").await;
    browser.open(&site.at("calendar/2031-05?slots=0")).await;
    let change = json!({"scheduledAt": "2031-05-20T10:00:00Z"});
    site.service.api().send(Method::PATCH, &format!("/posts/{id}"), None, Some(&change)).await;
    let places = browser.run(PLACES, vec![json!(id)]).await;
    browser.drag(pair(&places["card"]), pair(&places["cell"])).await;
    browser
        .wait("the refusal", "return document.getElementById('toast-text').textContent !== '';")
        .await;
    assert_eq!(stored_at(&site, &id).await, "2031-05-20T10:00");
    assert_eq!(browser.run(AT, vec![json!(id)]).await, places["at"], "it is back");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn by_keys_alone() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let id = site.post("To be moved", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    browser.open(&site.link("editor")).await;
    let press = async |keys: &str| {
        browser.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    };
    // To the button, past the field that the script has filled.
    let key = |key: Key| char::from(key).to_string();
    browser.wait("the code", "return document.getElementById('link').value !== '';").await;
    press(&key(Key::Tab)).await;
    press(&key(Key::Tab)).await;
    press(&key(Key::Enter)).await;
    browser
        .wait("the calendar", "return location.pathname.startsWith('/w/default/calendar/');")
        .await;
    browser.open(&site.at("calendar/2031-05")).await;
    // One tab stop; into the cell, and a week later with its card.
    let focus = "document.querySelector('[role=gridcell][tabindex=\"0\"]').focus();
        return document.querySelectorAll('#grid [tabindex=\"0\"]').length;";
    assert_eq!(browser.run(focus, vec![]).await, json!(1));
    let day = "return document.activeElement.dataset.date;";
    for _ in 0..40 {
        if browser.run(day, vec![]).await == json!("2031-05-14") {
            break;
        }
        let after = "return document.activeElement.dataset.date < '2031-05-14';";
        let later = browser.run(after, vec![]).await == json!(true);
        press(&key(if later { Key::Right } else { Key::Left })).await;
        let edge = "const row = document.activeElement.parentElement.children;
            return [...row].indexOf(document.activeElement);";
        if later && browser.run(edge, vec![]).await == json!(6) {
            press(&key(Key::Down)).await;
            press(&key(Key::Home)).await;
        }
    }
    assert_eq!(browser.run(day, vec![]).await, json!("2031-05-14"));
    press(&key(Key::Enter)).await;
    press(&format!("{}{}", char::from(Key::Alt), char::from(Key::Down))).await;
    wait_for("the move", async || {
        (stored_at(&site, &id).await == "2031-05-21T09:30").then_some(())
    })
    .await;
    // The form of the move, by M.
    let is_there = format!("return document.activeElement.dataset.id === '{id}';");
    browser.wait("the card", &is_there).await;
    press("m").await;
    browser.wait("the form", "return document.getElementById('mover').open;").await;
    assert!(browser.text("#mover").await.contains("Move the post"));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts() {
    let like = Like { without_scripts: true, ..Like::default() };
    let Some(browser) = Browser::start(like).await else { return };
    let site = Site::start().await;
    let link = site.link("editor");
    let (_, code) = link.split_once('#').unwrap();
    browser.open(&link).await;
    browser.write("#link", code).await;
    browser.follow("button.go").await;
    browser.open(&site.at("compose")).await;
    for name in ["Mastodon", "Bluesky"] {
        let label = format!("//label[contains(., ', {name}')]");
        let label = browser.client.find(fantoccini::Locator::XPath(&label)).await.unwrap();
        label.click().await.unwrap();
    }
    browser.write("#content", "For all").await;
    browser.follow("#look").await;
    // The server has drawn the fields of each account by now.
    let own = "//details[contains(., 'Mastodon')]/summary";
    browser.client.find(fantoccini::Locator::XPath(own)).await.unwrap().click().await.unwrap();
    let own = "//details[contains(summary, 'Mastodon')]//textarea[contains(@name, '.caption')]";
    let own = browser.client.find(fantoccini::Locator::XPath(own)).await.unwrap();
    own.send_keys("For Mastodon").await.unwrap();
    let local = "//label[contains(., 'Each account’s clock')]";
    browser.client.find(fantoccini::Locator::XPath(local)).await.unwrap().click().await.unwrap();
    browser.write("input[name=day]", "05142031").await;
    browser.write("input[name=time]", "0930AM").await;
    browser.follow("#look").await;
    let answer = browser.text("#answer").await;
    assert!(
        answer.contains("For Mastodon") && answer.contains("Wednesday 14 May 2031, 09:30"),
        "{answer}"
    );
    browser.follow("#go").await;
    let path = browser.path().await;
    let id = path.rsplit('/').next().unwrap();
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!((&post["status"], &post["content"]), (&json!("scheduled"), &json!("For all")));
    assert_eq!(post["timing"]["local"], "2031-05-14T09:30", "{post}");
    let own = post["targets"].as_array().unwrap().iter();
    let own: Vec<&Value> = own.map(|target| &target["options"]["caption"]).collect();
    assert!(own.contains(&&json!("For Mastodon")) && own.contains(&&Value::Null), "{own:?}");
    browser.end().await;
}
