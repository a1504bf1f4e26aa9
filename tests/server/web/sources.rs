//! What posts are made by: feeds and recurring posts, in the settings and on the pages of posts.

use http::header::{COOKIE, LOCATION};

use super::Site;
use super::doors::signed_in;
use crate::support::{client_of_forms, wait_for};

/// Sends a form without fields; the status, and where the browser is led.
async fn press(site: &Site, cookie: &str, path: &str) -> (u16, String) {
    let sent = client_of_forms().post(site.at(path)).header(COOKIE, cookie).send().await.unwrap();
    let led = sent.headers().get(LOCATION).map(|led| led.to_str().unwrap().to_owned());
    (sent.status().as_u16(), led.unwrap_or_default())
}

async fn page(site: &Site, cookie: &str, path: &str) -> String {
    let answer = client_of_forms().get(site.at(path)).header(COOKIE, cookie).send().await.unwrap();
    answer.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn recurring_posts_are_seen_paused_and_ended() {
    let site = Site::start().await;
    let rule = ["--rule", "FREQ=DAILY", "--start", "2026-01-01T09:00"];
    let add = ["recurring", "add", "Bread & <rye>", "--text", "Rye", "--to", "mastodon"];
    let made = site.setup.json(&[], &[&add[..], &rule].concat());
    let id = made["id"].as_str().unwrap();
    let (editor, reader) = (signed_in(&site, "editor").await, signed_in(&site, "reader").await);
    let post = wait_for("a post of it", async || {
        let posts = site.service.api().get("/posts").await;
        Some(posts["data"][0]["id"].as_str()?.to_owned())
    })
    .await;
    let shown = page(&site, &reader, &format!("posts/{post}")).await;
    assert!(shown.contains("The recurring post “Bread &#38; &#60;rye&#62;”"), "{shown}");

    let settings = page(&site, &editor, "settings").await;
    assert!(settings.contains("FREQ=DAILY") && settings.contains(&format!("recurring/{id}/pause")));
    let settings = page(&site, &reader, "settings").await;
    assert!(settings.contains("FREQ=DAILY") && !settings.contains(&format!("recurring/{id}/")));
    let state =
        || site.setup.json(&[], &["recurring", "show", id])["state"].as_str().unwrap().to_owned();
    for (verb, want) in [("pause", "paused"), ("resume", "active"), ("end", "ended")] {
        assert_eq!(press(&site, &reader, &format!("recurring/{id}/{verb}")).await.0, 403, "{verb}");
        let (status, led) = press(&site, &editor, &format!("recurring/{id}/{verb}")).await;
        assert!(status == 303 && led.ends_with("#recurring"), "{verb}: {status} {led}");
        assert_eq!(state(), want, "{verb}");
        if verb != "end" {
            let early = press(&site, &editor, &format!("recurring/{id}/remove")).await;
            assert_eq!((early.0, state()), (400, want.to_owned()), "{verb}");
        }
    }
    // Whoever ends it on a page that is old removes nothing.
    assert_eq!(press(&site, &editor, &format!("recurring/{id}/end")).await.0, 400);
    assert_eq!(state(), "ended");
    let settings = page(&site, &editor, "settings").await;
    assert!(settings.contains(&format!("recurring/{id}/remove")), "{settings}");
    assert!(!settings.contains(&format!("recurring/{id}/end")), "{settings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_are_paused_let_go_on_and_removed() {
    let site = Site::start().await;
    let made = site
        .setup
        .json(&[], &["feeds", "add", "https://blog.example/feed.xml", "--to", "mastodon"]);
    let id = made["id"].as_str().unwrap();
    let (editor, reader) = (signed_in(&site, "editor").await, signed_in(&site, "reader").await);
    let paused = || site.setup.json(&[], &["feeds", "list"])["data"][0]["feed"]["paused"].clone();
    for (verb, want) in [("pause", true), ("resume", false)] {
        assert_eq!(press(&site, &reader, &format!("feeds/{id}/{verb}")).await.0, 403, "{verb}");
        let (status, led) = press(&site, &editor, &format!("feeds/{id}/{verb}")).await;
        assert!(status == 303 && led.ends_with("#feeds"), "{verb}: {status} {led}");
        assert_eq!(paused(), want, "{verb}");
    }
    wait_for("a poll that failed", async || {
        site.setup.json(&[], &["feeds", "list"])["data"][0]["error"].as_str().map(drop)
    })
    .await;
    // It was polled within the last minute; once it has rested, it is polled soon.
    let poll = format!("feeds/{id}/poll");
    assert_eq!(press(&site, &editor, &poll).await.0, 429);
    site.setup.end_rest_of_feeds().await;
    let (status, led) = press(&site, &editor, &poll).await;
    assert!(status == 303 && led.ends_with("#feeds"), "{status} {led}");
    assert!(page(&site, &editor, "settings").await.contains(&format!("feeds/{id}/remove")));
    assert_eq!(press(&site, &editor, &format!("feeds/{id}/remove")).await.0, 303);
    assert_eq!(site.setup.json(&[], &["feeds", "list"])["data"], serde_json::json!([]));
}
