//! Posts that are moved: the wall-clock time stays, whichever way, and comes back.

use fantoccini::key::Key;
use reqwest::Method;
use serde_json::json;

use super::*;

/// Counts what a page sends that would change something.
const COUNT: &str = "window.sent = 0; const real = window.fetch;
    window.fetch = (address, options) => {
      if (options?.method === 'POST') window.sent += 1;
      return real(address, options);
    };";

/// Over the night in which clocks go back: by drag, by the form and by keys alike.
#[tokio::test(flavor = "multi_thread")]
async fn the_wall_clock_time_stays_over_a_clock_change_and_comes_back() {
    let Some((site, browser)) = stockholm().await else { return };
    site.setup.run(&["accounts", "set-timezone", "mastodon", "Asia/Tokyo"]);
    let targets = json!([{"platform": "mastodon"}, {"platform": "bluesky"}]);
    for (name, timing, want) in [
        (
            "one instant",
            json!({"scheduledAt": "2031-10-22T07:30:00Z"}),
            json!({"timing": {"kind": "instant"}, "at": "2031-10-29T08:30:00Z",
                "due": ["2031-10-29T08:30:00Z", "2031-10-29T08:30:00Z"]}),
        ),
        (
            "each account’s clock",
            json!({"scheduledLocal": "2031-10-22T09:30"}),
            json!({"timing": {"kind": "local", "local": "2031-10-29T09:30"},
                "at": "2031-10-29T00:30:00Z",
                "due": ["2031-10-29T00:30:00Z", "2031-10-29T08:30:00Z"]}),
        ),
    ] {
        for way in ["drag", "M", "Alt"] {
            let mut more = timing.clone();
            more["targets"] = targets.clone();
            let id = site.post(&format!("{name} by {way}"), more).await;
            let before = stored(&site, &id).await;
            browser.open(&site.at("calendar/2031-10?slots=0")).await;
            let card = format!(".card[data-id='{id}']");
            match way {
                "drag" => drag(&browser, &id, "2031-10-29", None).await,
                "M" => {
                    focus(&browser, &card).await;
                    press(&browser, "m").await;
                    browser.wait("the form", "return document.getElementById('mover').open;").await;
                    let day = "document.querySelector('#mover [name=day]').value = '2031-10-29';";
                    browser.run(day, vec![]).await;
                    browser.click("#move-go").await;
                }
                _ => {
                    focus(&browser, &card).await;
                    press(&browser, &chord(Key::Alt, Key::Down)).await;
                }
            }
            becomes(&site, &id, &want).await;
            let said = toast(&browser, name, |said| said.starts_with("Moved to ")).await;
            assert!(said.starts_with("Moved to Wednesday 29 October, "), "{name} by {way}: {said}");
            let shown = format!(
                "return document.querySelector(\"[data-date='2031-10-29'] {card}\") !== null;"
            );
            browser.wait("the card in its place", &shown).await;
            if way == "drag" {
                browser.click("#undo").await;
            } else {
                press(&browser, &chord(Key::Control, 'z')).await;
            }
            becomes(&site, &id, &before).await;
        }
    }
    browser.end().await;
}

/// In a week the hour changes and the minutes stay, also of an hour that is folded away.
#[tokio::test(flavor = "multi_thread")]
async fn hours_and_the_queue() {
    let Some((site, browser)) = stockholm().await else { return };
    let id = site.post("Hours", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    site.post("Other", json!({"scheduledAt": "2031-05-15T10:10:00Z"})).await;
    browser.open(&site.at("calendar/2031-W20?slots=0")).await;
    let at = |at: &str| json!({"timing": {"kind": "instant"}, "at": at, "due": [at]});
    // From 09:30 to the row of the other, at noon.
    drag(&browser, &id, "2031-05-15", Some("12")).await;
    becomes(&site, &id, &at("2031-05-15T10:30:00Z")).await;
    toast(&browser, "the move", |said| said == "Moved to Thursday 15 May, 12:30.").await;
    focus(&browser, &format!(".card[data-id='{id}']")).await;
    press(&browser, &chord(Key::Alt, Key::Down)).await;
    becomes(&site, &id, &at("2031-05-15T11:30:00Z")).await;
    let hour = format!(
        "return document.querySelector(\".card[data-id='{id}']\")?.closest('td').dataset.hour === '13'
         && document.activeElement.dataset.id === '{id}';"
    );
    browser.wait("the row that was folded", &hour).await;
    press(&browser, &chord(Key::Alt, Key::Left)).await;
    becomes(&site, &id, &at("2031-05-14T11:30:00Z")).await;

    // What waits in the queue leaves it, says so, and comes back to its slot; on a free slot it
    // stays in the queue.
    let queued = site.post("Queued", json!({"queue": true})).await;
    let before = stored(&site, &queued).await;
    let month = before["at"].as_str().unwrap()[..7].to_owned();
    browser.open(&site.at(&format!("calendar/{month}"))).await;
    let card = format!(".card[data-id='{queued}']");
    focus(&browser, &card).await;
    press(&browser, &chord(Key::Alt, Key::Down)).await;
    toast(&browser, "the queue", |said| said.ends_with("It has left the queue.")).await;
    assert_eq!(stored(&site, &queued).await["timing"], json!({"kind": "instant"}));
    press(&browser, &chord(Key::Control, 'z')).await;
    becomes(&site, &queued, &before).await;
    browser.open(&format!("{}/move", site.at(&format!("posts/{queued}")))).await;
    assert!(browser.text("main").await.contains("it leaves the queue; a free slot keeps it there"));
    browser.click("button[name=slot]").await;
    browser.wait("the post", "return !location.pathname.endsWith('/move');").await;
    let after = stored(&site, &queued).await;
    assert_eq!(after["timing"], json!({"kind": "queue"}));
    assert_ne!(after["at"], before["at"], "the next slot that is free");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_must_not_move_says_why() {
    let Some((site, browser)) = stockholm().await else { return };
    let live = site.post("Live", json!({"publishNow": true})).await;
    site.service.api().ended(&live).await;
    let id = site.post("Free", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    let gone = site.post("Gone", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    site.service.api().send(Method::DELETE, &format!("/posts/{gone}"), None, None).await;
    browser.begin_with(COUNT).await;
    browser.begin_with("navigator.locks.request = () => new Promise(() => {});").await;

    for (name, view, of, want) in [
        ("live", "calendar?slots=0", &live, "It is live since "),
        ("cancelled", "calendar/2031-05?state=canceled&slots=0", &gone, "It was cancelled."),
    ] {
        browser.open(&site.at(view)).await;
        let cell = "return [...document.querySelectorAll('[role=gridcell]')].at(-1).dataset.date;";
        let cell = browser.run(cell, vec![]).await;
        drag(&browser, of, cell.as_str().unwrap(), None).await;
        let said = toast(&browser, name, |said| said.starts_with(want)).await;
        assert!(said.ends_with("Duplicate it to post again."), "{said}");
        let left = "return [window.sent, document.querySelector('.lifted') === null,
            document.querySelectorAll('.card.movable').length];";
        assert_eq!(browser.run(left, vec![]).await, json!([0, true, 0]), "{name}");
    }

    // A day that is over takes nothing, and names itself; the server says the same.
    let went = stored(&site, &live).await;
    let yesterday: chrono::NaiveDate = went["at"].as_str().unwrap()[..10].parse().unwrap();
    let yesterday = yesterday.pred_opt().unwrap();
    browser.open(&site.at(&format!("calendar/{}", yesterday.format("%Y-%m")))).await;
    let is_past = format!(
        "return document.querySelector(\"[role=gridcell][data-date='{yesterday}']\")
         .classList.contains('past');"
    );
    assert_eq!(browser.run(&is_past, vec![]).await, json!(true));
    browser.open(&site.at("calendar/2031-05?slots=0")).await;
    // No month has a day to come and one that is over on every day of the year.
    let over = "document.querySelector(\"[data-date='2031-05-21']\").classList.add('past');";
    browser.run(over, vec![]).await;
    drag(&browser, &id, "2031-05-21", None).await;
    toast(&browser, "a past day", |said| said == "Wednesday 21 May, 09:30 has passed.").await;
    let place = "return [document.querySelector(`.card[data-id='${arguments[0]}']`)
        .closest('td').dataset.date, window.sent];";
    let is_back = json!(["2031-05-14", 0]);
    assert_eq!(browser.run(place, vec![json!(id)]).await, is_back);
    let form = [("from", "2031-05-14T09:30"), ("to", "2026-10-15T09:00")];
    let (status, told) =
        super::super::acting::sent(&site, &format!("posts/{id}/move"), &form).await;
    assert!(status.is_client_error(), "{status}");
    assert!(told.contains("Thursday 15 October, 09:00 has passed."), "{told}");

    // Somebody else was faster.
    let change = json!({"content": "Theirs"});
    site.service.api().send(Method::PATCH, &format!("/posts/{id}"), None, Some(&change)).await;
    // The log, which has the name, is written a moment later.
    let said = wait_for("the name", async || {
        drag(&browser, &id, "2031-05-22", None).await;
        let said =
            toast(&browser, "the other", |said| said.contains(" changed this post at ")).await;
        (!said.starts_with("Somebody")).then_some(said)
    })
    .await;
    assert!(said.ends_with("Look at it before it moves."), "{said}");
    let place = browser.run(place, vec![json!(id)]).await;
    assert_eq!(place[0], "2031-05-14", "it is back");
    let why = "return document.querySelector(`.card[data-id='${arguments[0]}'] .why`).textContent;";
    assert_eq!(browser.run(why, vec![json!(id)]).await, json!(said), "the card says it too");
    assert_eq!(stored(&site, &id).await["at"], "2031-05-14T07:30:00Z");
    browser.end().await;
}

/// Held over ‹ or ›, a card is taken to another month; Esc puts it back.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_taken_to_another_month() {
    use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};

    let Some((site, browser)) = stockholm().await else { return };
    let id = site.post("Far", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    let to = |place: &Value| PointerAction::MoveTo {
        duration: Some(std::time::Duration::from_millis(100)),
        x: place[0].as_f64().unwrap(),
        y: place[1].as_f64().unwrap(),
    };
    let arrow = "const box = document.querySelector('[data-key=n]').getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];";
    for is_dropped in [true, false] {
        browser.open(&site.at("calendar/2031-05")).await;
        let top = "scrollTo(0, 0);
            const box = document.querySelector(`.card[data-id='${arguments[0]}']`)
              .getBoundingClientRect();
            return [box.x + 30, box.y + 8];";
        let card = browser.run(top, vec![json!(id)]).await;
        let arrow = browser.run(arrow, vec![]).await;
        let mouse = MouseActions::new("mouse".to_owned());
        let mouse = mouse
            .then(to(&card))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(to(&arrow));
        browser.client.perform_actions(mouse).await.unwrap();
        browser
            .wait(
                "the month",
                "return location.pathname.endsWith('/2031-06')
            && document.querySelector('h1').textContent === 'June 2031';",
            )
            .await;
        let cell = "const box = document.querySelector(\"[data-date='2031-06-11']\")
            .getBoundingClientRect(); return [box.x + 40, box.y + box.height - 6];";
        let cell = browser.run(cell, vec![]).await;
        let mouse = MouseActions::new("mouse".to_owned()).then(to(&cell));
        browser.client.perform_actions(mouse).await.unwrap();
        let told = "return document.getElementById('fly').textContent;";
        wait_for("what would happen", async || {
            let told = browser.run(told, vec![]).await;
            (told == json!("Wednesday 11 June, 09:30")).then_some(())
        })
        .await;
        if is_dropped {
            let mouse = MouseActions::new("mouse".to_owned());
            let mouse = mouse.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
            browser.client.perform_actions(mouse).await.unwrap();
            toast(&browser, "the move", |said| said == "Moved to Wednesday 11 June, 09:30.").await;
            press(&browser, &chord(Key::Control, 'z')).await;
        } else {
            press(&browser, &char::from(Key::Escape).to_string()).await;
            browser.client.release_actions().await.unwrap();
        }
        let at = "2031-05-14T07:30:00Z";
        becomes(&site, &id, &json!({"timing": {"kind": "instant"}, "at": at, "due": [at]})).await;
    }
    browser.end().await;
}
