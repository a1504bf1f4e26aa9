//! Keys of the grid and its cards, also mirrored; addresses that Back undoes; without scripts.

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

use super::*;

/// The day of the cell that has the focus.
const DAY: &str = "return document.activeElement.dataset.date ?? null;";

#[tokio::test(flavor = "multi_thread")]
async fn the_grid_is_one_tab_stop_and_every_key_does_what_it_says() {
    let Some((site, browser)) = stockholm().await else { return };
    let id = site.post("First", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    let later = site.post("Later", json!({"scheduledAt": "2031-05-14T08:30:00Z"})).await;
    let card = format!(".card[data-id='{id}']");
    browser.open(&site.at("calendar/2031-05?slots=0")).await;
    let stops = "return document.querySelectorAll('#grid [tabindex=\"0\"]').length;";
    assert_eq!(browser.run(stops, vec![]).await, json!(1));
    let key = |key: Key| char::from(key).to_string();
    let (right, left) = (char::from(Key::Right), char::from(Key::Left));
    for (dir, along, back) in [("ltr", right, left), ("rtl", left, right)] {
        let mirror = format!("document.dir = '{dir}';");
        browser.run(&mirror, vec![]).await;
        focus(&browser, "[data-date='2031-05-14']").await;
        for (name, keys, want) in [
            ("a day on", along.to_string(), "2031-05-15"),
            ("a week on", key(Key::Down), "2031-05-22"),
            ("a day back", back.to_string(), "2031-05-21"),
            ("a week back", key(Key::Up), "2031-05-14"),
            ("the end of the row", key(Key::End), "2031-05-18"),
            ("the next week follows", along.to_string(), "2031-05-19"),
            ("its beginning", key(Key::Home), "2031-05-19"),
            ("the first cell", chord(Key::Control, Key::Home), "2031-04-28"),
            ("no further", back.to_string(), "2031-04-28"),
            ("the last cell", chord(Key::Control, Key::End), "2031-06-01"),
        ] {
            press(&browser, &keys).await;
            assert_eq!(browser.run(DAY, vec![]).await, json!(want), "{name}, {dir}");
            assert_eq!(browser.run(stops, vec![]).await, json!(1), "{name}, {dir}");
        }
        focus(&browser, "[data-date='2031-05-14']").await;
        press(&browser, " ").await;
        let chosen = "return document.querySelector('[aria-selected=true]').dataset.date;";
        assert_eq!(browser.run(chosen, vec![]).await, json!("2031-05-14"));
        // Into the cards of the day, from one to the next, and back.
        press(&browser, &key(Key::Enter)).await;
        let focused = "return document.activeElement.dataset.id ?? null;";
        assert_eq!(browser.run(focused, vec![]).await, json!(id));
        press(&browser, &key(Key::Down)).await;
        assert_eq!(browser.run(focused, vec![]).await, json!(later));
        press(&browser, &key(Key::Up)).await;
        press(&browser, &key(Key::Escape)).await;
        assert_eq!(browser.run(DAY, vec![]).await, json!("2031-05-14"));
        // A card goes the way that its arrow points.
        focus(&browser, &card).await;
        press(&browser, &chord(Key::Alt, along)).await;
        toast(&browser, "a day on", |said| said == "Moved to Thursday 15 May, 09:30.").await;
        press(&browser, &chord(Key::Alt, back)).await;
        toast(&browser, "a day back", |said| said == "Moved to Wednesday 14 May, 09:30.").await;
    }
    browser.run("document.dir = 'ltr';", vec![]).await;

    // What can be done with a card, by keys and by its menu.
    focus(&browser, &card).await;
    press(&browser, &chord(Key::Shift, Key::F10)).await;
    let menu = "return document.getElementById('card-menu').matches(':popover-open')
        && document.getElementById('card-menu').contains(document.activeElement);";
    browser.wait("the menu", menu).await;
    press(&browser, &key(Key::Escape)).await;
    focus(&browser, &card).await;
    press(&browser, "m").await;
    browser.wait("the form", "return document.getElementById('mover').open;").await;
    press(&browser, &key(Key::Escape)).await;
    let is_back = format!("return document.activeElement.dataset.id === '{id}';");
    browser.wait("the card", &is_back).await;
    press(&browser, "x").await;
    assert_eq!(browser.text("#chosen-said").await, "1 post is chosen.");
    focus(&browser, &card).await;
    press(&browser, "x").await;
    focus(&browser, &card).await;
    press(&browser, &key(Key::Delete)).await;
    let asks = "return document.getElementById('canceler').open
        && document.activeElement.textContent === 'Keep it';";
    browser.wait("the question", asks).await;
    press(&browser, &key(Key::Enter)).await;
    browser.wait("the card", &is_back).await;
    press(&browser, "d").await;
    browser.wait("the copy", "return location.pathname.includes('/compose/');").await;
    let text = "return document.getElementById('content').value;";
    assert_eq!(browser.run(text, vec![]).await, json!("First"));
    browser.open(&site.at("calendar/2031-05")).await;
    focus(&browser, &card).await;
    press(&browser, &key(Key::Delete)).await;
    browser.wait("the question", asks).await;
    browser.click("#canceler .bad").await;
    browser.wait("the page", "return location.pathname.includes('/posts/');").await;
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!(post["status"], "canceled");

    // Other views and periods.
    browser.open(&site.at("calendar/2031-05")).await;
    for (keys, want) in [
        ("n", "2031-06"),
        ("p", "2031-05"),
        ("2", "2031-W18"),
        ("3", "2031-04-28"),
        ("4", "list"),
        ("1", ""),
    ] {
        focus(&browser, "#main").await;
        press(&browser, keys).await;
        let there = format!(
            "return location.pathname.includes('/calendar/{want}')
            && document.readyState === 'complete';"
        );
        browser.wait(keys, &there).await;
    }
    browser.open(&site.at("calendar/2031-05")).await;
    for (page_key, want, title) in
        [(Key::PageDown, "2031-06", "June 2031"), (Key::PageUp, "2031-05", "May 2031")]
    {
        focus(&browser, "[role=gridcell][tabindex='0']").await;
        press(&browser, &key(page_key)).await;
        let there = format!(
            "return location.pathname.endsWith('/{want}')
            && document.querySelector('h1').textContent === '{title}'
            && document.activeElement.matches('[role=gridcell]');"
        );
        browser.wait(want, &there).await;
    }
    press(&browser, "f").await;
    let filter = "return document.activeElement.closest('.states') !== null;";
    browser.wait("the filters", filter).await;
    focus(&browser, "#main").await;
    press(&browser, "t").await;
    browser.wait("today", "return document.getElementById('today') !== null;").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn back_undoes_each_choice() {
    let Some((site, browser)) = stockholm().await else { return };
    site.post("Bread", json!({"scheduledAt": "2031-05-14T07:30:00Z"})).await;
    let account = site.account("bluesky").await;
    browser.open(&site.at("calendar/2031-05")).await;
    let here = async || {
        let url = browser.client.current_url().await.unwrap();
        (url.as_str().to_owned(), browser.text("#period").await, browser.text("#grid").await)
    };
    let mut seen = vec![here().await];
    for (name, act, keeps) in [
        ("a state", ".states .is-scheduled", "state=scheduled"),
        ("an account", &*format!(".who a[href*='{account}']"), "account="),
        ("a view", "[data-key='2']", "2031-W"),
        ("a date", "[data-key=n]", "2031-W"),
        ("words", "", "q=Bread"),
    ] {
        if act.is_empty() {
            browser.write("input[type=search]", &format!("Bread{}", char::from(Key::Enter))).await;
        } else {
            browser.click(act).await;
        }
        let last = seen.last().unwrap().0.clone();
        wait_for(name, async || {
            let url = browser.client.current_url().await.ok()?;
            (url.as_str() != last).then_some(())
        })
        .await;
        browser.wait(name, "return document.readyState === 'complete';").await;
        seen.push(here().await);
        let (url, ..) = seen.last().unwrap();
        assert!(url.contains(keeps), "{name}: {url}");
        assert!(
            seen.len() < 3 || url.contains("state=scheduled"),
            "{name} keeps the others: {url}"
        );
    }
    seen.pop();
    while let Some(want) = seen.pop() {
        browser.client.back().await.unwrap();
        browser.wait(&want.0, "return document.readyState === 'complete';").await;
        assert_eq!(here().await, want);
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_everything_is_a_link_or_a_form() {
    let like = Like { without_scripts: true, ..Like::default() };
    let Some(browser) = Browser::start(like).await else { return };
    let site = Site::start().await;
    let mut ids = Vec::new();
    for minute in 10..15 {
        let at = json!({"scheduledAt": format!("2031-05-14T07:{minute}:00Z")});
        ids.push(site.post(&format!("Post {minute}"), at).await);
    }
    let link = site.link("editor");
    let (_, code) = link.split_once('#').unwrap();
    browser.open(&link).await;
    browser.write("#link", code).await;
    browser.follow("button.go").await;
    // From view to view.
    browser.open(&site.at("calendar/2031-05")).await;
    for (view, path) in
        [("Week", "2031-W18"), ("Day", "2031-04-28"), ("Month", "2031-04"), ("List", "list")]
    {
        browser.client.find(Locator::LinkText(view)).await.unwrap().click().await.unwrap();
        assert!(browser.path().await.ends_with(path), "{view}: {}", browser.path().await);
    }
    // What is hidden, a filter, the zone, and moving.
    browser.open(&site.at("calendar/2031-05")).await;
    browser.follow(".states .is-scheduled").await;
    assert!(
        browser.client.current_url().await.unwrap().query().unwrap().contains("state=scheduled")
    );
    browser.click(".zones summary").await;
    let zone = browser.client.find(Locator::Css(".zones [name=zone]")).await.unwrap();
    zone.clear().await.unwrap();
    zone.send_keys("Europe/Stockholm").await.unwrap();
    browser.follow(".zones button").await;
    browser.follow(".more").await;
    assert!(browser.path().await.ends_with("/2031-05-14"), "{}", browser.path().await);
    let query = browser.client.current_url().await.unwrap().query().unwrap().to_owned();
    assert!(
        query.contains("zone=Europe%2FStockholm") && query.contains("state=scheduled"),
        "{query}"
    );
    assert!(browser.text("#grid").await.contains("09:14"));
    browser.click(&format!(".card[data-id='{}']", ids[0])).await;
    browser.follow("a[href$='/move']").await;
    browser.follow("button[name=slot]").await;
    assert!(browser.text("main").await.contains("Moved."));
    assert_eq!(stored(&site, &ids[0]).await["timing"], json!({"kind": "queue"}));
    // A free slot.
    browser.open(&site.at("calendar/2031-05-20")).await;
    browser.follow(".ghost").await;
    let slot = "input[name=when][value=slot]";
    assert!(browser.client.find(Locator::Css(slot)).await.unwrap().is_selected().await.unwrap());
    // Several posts.
    browser.open(&site.at("calendar/list")).await;
    browser.click(&format!("input[name=post][value='{}']", ids[1])).await;
    browser.follow("[name=do][value=cancel]").await;
    assert_eq!(browser.text("#told").await, "1 post cancelled.");
    let post = site.service.api().get(&format!("/posts/{}", ids[1])).await;
    assert_eq!(post["status"], "canceled");
    browser.end().await;
}
