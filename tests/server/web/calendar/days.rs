//! Days that are full, failed, longer or shorter than others, and the zone of a view.

use http::header::COOKIE;
use serde_json::json;

use super::super::doors::signed_in;
use super::*;
use crate::support::client_of_forms;

async fn page(site: &Site, cookie: &str, path: &str) -> String {
    let request = client_of_forms().get(site.at(path)).header(COOKIE, cookie);
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{path}");
    answer.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_day_counts_what_it_hides_and_hides_nothing_failed() {
    let Some((site, browser)) = stockholm().await else { return };
    for minute in 10..18 {
        let at = json!({"scheduledAt": format!("2031-05-14T07:{minute}:00Z")});
        site.post(&format!("Full {minute}"), at).await;
    }
    browser.open(&site.at("calendar/2031-05")).await;
    let day = "const cell = document.querySelector(\"[data-date='2031-05-14']\");
        return [cell.querySelectorAll('.card').length, cell.querySelector('.more').textContent,
          cell.querySelector('.num').getAttribute('aria-label')];";
    let want = json!([3, "+5 more on Wednesday 14 May, 5 scheduled", "Wednesday 14 May, 8 posts"]);
    assert_eq!(browser.run(day, vec![]).await, want);
    browser.click("[data-date='2031-05-14'] .more").await;
    browser.wait("the day", "return location.pathname.endsWith('/2031-05-14');").await;
    let cards = "return document.querySelectorAll('.card').length;";
    assert_eq!(browser.run(cards, vec![]).await, json!(8));

    // The last of four has failed.
    for number in 1..=3 {
        let id = site.post(&format!("Live {number}"), json!({"publishNow": true})).await;
        site.service.api().ended(&id).await;
    }
    site.networks.fault_publish("mastodon", "permanent", 1).await;
    let failed = site.post("Refused", json!({"publishNow": true})).await;
    let post = site.service.api().ended(&failed).await;
    let why = post["targets"][0]["error"].as_str().unwrap().to_owned();
    let at: chrono::DateTime<chrono::Utc> = post["scheduledAt"].as_str().unwrap().parse().unwrap();
    let zone: scheduler_core::timing::Zone = "Europe/Stockholm".parse().unwrap();
    let local = zone.local(at);
    let week = local.format("%G-W%V").to_string();
    let (month, day) = (local.format("%Y-%m").to_string(), local.date().to_string());
    // Its ring, its sign, and why in words: in the name of the card in a month, to be seen elsewhere.
    let seen = "const card = document.querySelector(`.card[data-id='${arguments[0]}']`);
        const why = card.querySelector('.why');
        return [card.querySelector('use').getAttribute('href').split('#')[1],
          why?.textContent ?? card.querySelector('svg').getAttribute('aria-label').replace(/^failed, to Mastodon: |,$/g, ''),
          why?.className ?? 'name', getComputedStyle(card).borderTopColor, getComputedStyle(card).boxShadow];";
    for (view, class) in [(&month, "name"), (&week, "why"), (&day, "why")] {
        browser.open(&site.at(&format!("calendar/{view}"))).await;
        let card = browser.run(seen, vec![json!(failed)]).await;
        assert_eq!(
            (&card[0], &card[2], &card[3]),
            (&json!("s-failed"), &json!(class), &json!("rgb(180, 37, 37)")),
            "{view}"
        );
        assert!(card[1].as_str().unwrap().contains(&why), "{view}: {card}");
        assert!(card[4].as_str().unwrap().contains("rgb(180, 37, 37)"), "{view}: {card}");
    }
    browser.open(&site.at("calendar/list?order=recent")).await;
    assert!(browser.text(".list .bad-t").await.contains(&why));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_on_which_clocks_change() {
    let Some((site, browser)) = stockholm().await else { return };
    let rows = "return [...document.querySelectorAll('th.hour')].map((th) => th.textContent)
        .filter((label) => label.startsWith('02:00'));";
    let hatched = "return [...document.querySelectorAll('td.gap')].map((cell) => [
        cell.dataset.date, cell.textContent.trim(),
        getComputedStyle(cell).backgroundImage.startsWith('repeating-linear-gradient')]);";
    for (month, date, want) in [
        ("2026-10", "2026-10-25", "25 hours: 02:00 comes twice"),
        ("2026-03", "2026-03-29", "23 hours: 02:00–03:00 does not exist"),
    ] {
        browser.open(&site.at(&format!("calendar/{month}"))).await;
        let head = format!("[data-date='{date}'] .dst");
        assert_eq!(browser.text(&head).await, want);
    }
    for view in ["2026-W43", "2026-10-25"] {
        browser.open(&site.at(&format!("calendar/{view}"))).await;
        let want = json!(["02:00 summer time", "02:00 winter time"]);
        assert_eq!(browser.run(rows, vec![]).await, want, "{view}");
        assert!(browser.text("thead .dst").await.starts_with("25 hours"), "{view}");
    }
    for view in ["2026-W13", "2026-03-29"] {
        browser.open(&site.at(&format!("calendar/{view}"))).await;
        let want = json!([["2026-03-29", "02:00–03:00 does not exist", true]]);
        assert_eq!(browser.run(hatched, vec![]).await, want, "{view}");
    }

    // Each post stands in the pass that it goes out in, and moves to the other.
    let first = site.post("First", json!({"scheduledAt": "2031-10-26T00:30:00Z"})).await;
    let second = site.post("Second", json!({"scheduledAt": "2031-10-26T01:30:00Z"})).await;
    browser.open(&site.at("calendar/2031-10-26")).await;
    let row = "return document.querySelector(`.card[data-id='${arguments[0]}']`)
        .closest('tr').querySelector('th').textContent;";
    for (id, want) in [(&first, "02:00 summer time"), (&second, "02:00 winter time")] {
        assert_eq!(browser.run(row, vec![json!(id)]).await, json!(want));
    }
    focus(&browser, &format!(".card[data-id='{first}']")).await;
    press(&browser, &chord(fantoccini::key::Key::Alt, fantoccini::key::Key::Down)).await;
    let at = "2031-10-26T01:30:00Z";
    becomes(&site, &first, &json!({"timing": {"kind": "instant"}, "at": at, "due": [at]})).await;
    wait_for("the other row", async || {
        let row = browser.run(row, vec![json!(first)]).await;
        (row == json!("02:00 winter time")).then_some(())
    })
    .await;

    // What was asked for in the hour that does not exist says both times.
    let id = site.post("Skipped", json!({"scheduledLocal": "2031-03-30T02:30"})).await;
    browser.open(&site.at("calendar/2031-03-30")).await;
    let card = browser.text(&format!(".card[data-id='{id}']")).await;
    assert!(card.contains("03:30") && card.contains("asked for 02:30, goes at 03:30"), "{card}");
    browser.end().await;
}

/// The zone is in the address, which gives the same page to anybody who opens it.
#[tokio::test(flavor = "multi_thread")]
async fn the_zone_of_a_view_is_in_its_address() {
    let Some((site, browser)) = stockholm().await else { return };
    let id = site.post("Far", json!({"scheduledAt": "2031-05-14T20:30:00Z"})).await;
    browser.open(&site.at("calendar/2031-05?slots=0")).await;
    let at = "return document.querySelector(`.card[data-id='${arguments[0]}']`).dataset.at;";
    assert_eq!(browser.run(at, vec![json!(id)]).await, json!("2031-05-14T22:30"));
    focus(&browser, "[role=gridcell]").await;
    press(&browser, "z").await;
    browser.wait("the zones", "return document.querySelector('.zones').open;").await;
    let field = "document.querySelector('.zones [name=zone]').value = 'Asia/Tokyo';";
    browser.run(field, vec![]).await;
    browser.click(".zones button").await;
    browser.wait("the address", "return location.search.includes('zone=Asia%2FTokyo');").await;
    assert_eq!(browser.run(at, vec![json!(id)]).await, json!("2031-05-15T05:30"));
    assert!(browser.text(".zones summary").await.starts_with("Times in Tokyo (UTC+9)"));
    let (_, path) = browser
        .client
        .current_url()
        .await
        .unwrap()
        .as_str()
        .split_once("/w/default/")
        .map(|(host, path)| (host.to_owned(), path.to_owned()))
        .unwrap();
    let grid = |page: &str| {
        let (_, rest) = page.split_once("id=\"grid\"").unwrap();
        rest.split_once("</table>").unwrap().0.to_owned()
    };
    let mut seen = Vec::new();
    for _ in 0..2 {
        let cookie = signed_in(&site, "editor").await;
        seen.push(grid(&page(&site, &cookie, &path).await));
    }
    assert_eq!(seen[0], seen[1]);
    assert!(seen[0].contains("2031-05-15T05:30") && path.contains("slots=0"), "{path}");
    // A move counts by the clocks that the view shows.
    drag(&browser, &id, "2031-05-22", None).await;
    let at = "2031-05-21T20:30:00Z";
    becomes(&site, &id, &json!({"timing": {"kind": "instant"}, "at": at, "due": [at]})).await;
    let cookie = signed_in(&site, "editor").await;
    let request = client_of_forms().get(site.at("calendar/2031-05?zone=Nowhere"));
    let answer = request.header(COOKIE, cookie).send().await.unwrap();
    assert_eq!(answer.status(), 400);
    assert!(answer.text().await.unwrap().contains("is not an IANA time zone"));
    browser.end().await;
}

/// What an empty view says, and where its filters are cleared.
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_view_says_what_is_not_there() {
    let site = Site::start().await;
    let account = site.account("bluesky").await;
    let cookie = signed_in(&site, "editor").await;
    for (path, want, clears) in [
        ("calendar/2031-05".to_owned(), "Nothing planned in May 2031.", false),
        (
            format!("calendar/2031-05?state=failed&account={account}"),
            "No post matches failed on ",
            true,
        ),
        ("calendar/2031-05?q=bread".to_owned(), "No post matches “bread” in May 2031.", true),
        // The list keeps its order.
        (
            "calendar/list?order=recent&q=bread".to_owned(),
            "calendar/list?order=recent\">Clear filters",
            true,
        ),
        (
            "calendar/list?from=2031-05-01&to=2031-05-07".to_owned(),
            "Nothing planned from Thursday 1 May – Wednesday 7 May 2031.",
            false,
        ),
    ] {
        let page = page(&site, &cookie, &path).await;
        assert!(page.contains(want), "{path}: {want}");
        assert_eq!(page.contains("Clear filters"), clears, "{path}");
    }
    // A reader may not plan, and sees no free slots.
    let reader = signed_in(&site, "reader").await;
    let month = page(&site, &reader, "calendar/2031-05").await;
    assert!(!month.contains("class=\"ghost\"") && !month.contains("Write a post</a>"));
}
