//! How a video is watched: a curve with its table, where viewers came from, and files of both.

use serde_json::json;

use super::Site;
use super::accessible::look;
use super::browser::{Browser, Like};
use super::doors::signed_in;
use super::figures::got;
use super::files::stored_film;
use crate::support::wait_for;

#[tokio::test(flavor = "multi_thread")]
async fn a_live_video_shows_how_it_is_watched() {
    let site = Site::start().await;
    let film = stored_film(&site).await;
    let api = site.service.api();
    let body = json!({
        "content": "A film of two seconds", "publishNow": true, "mediaIds": [film],
        "targets": [{"platform": "youtube"}],
    });
    let created = api.create(&body).await;
    let post = api.ended(created["id"].as_str().unwrap()).await;
    assert_eq!(post["targets"][0]["status"], "published", "{post}");
    let (id, target) = (post["id"].as_str().unwrap(), post["targets"][0]["id"].as_str().unwrap());
    let told = format!("/posts/{id}/targets/{target}/insights");
    wait_for("the network to have worked on the video", async || {
        let told = api.get(&told).await;
        told["retention"].as_array().filter(|points| !points.is_empty()).map(Vec::len)
    })
    .await;
    let cookie = signed_in(&site, "reader").await;
    let path = format!("posts/{id}/watched");
    let (_, _, page) = got(&site, &cookie, &format!("posts/{id}")).await;
    assert!(page.contains(&format!("/{path}\">How it is watched</a>")), "{page}");

    let (status, _, page) = got(&site, &cookie, &path).await;
    assert_eq!(status, 200);
    let line = page.split("class=\"l1\" d=\"").nth(1).unwrap().split('"').next().unwrap();
    let points: Vec<&str> = line.split(['M', 'L']).skip(1).collect();
    assert_eq!(points.len(), 100, "{line}");
    // From 119 % at the first hundredth to 20 % at the end, on an axis from 0 to 120 %.
    assert!(points[0].starts_with("70.20 "), "{line}");
    assert!(points[99].starts_with("684.00 "), "{line}");
    let said = "Of all views, 70\u{202f}% still watch at the middle of the video and 20\u{202f}% at its end.";
    assert!(page.contains(said), "{page}");
    assert!(page.contains("<th scope=\"row\">Search on YouTube</th><td class=\"r\">120</td>"));
    assert!(page.contains("<th scope=\"row\">Links on other sites</th>"), "{page}");

    let file = |table: &str| format!("{path}?target={target}&table={table}");
    let (_, kind, text) = got(&site, &cookie, &file("retention")).await;
    assert_eq!((kind.as_str(), text.lines().count()), ("text/csv; charset=utf-8", 101));
    let (_, _, text) = got(&site, &cookie, &file("sources")).await;
    assert_eq!(text.lines().nth(1), Some("Search on YouTube,120,240"));
    for wrong in [file("all"), format!("{path}?table=sources")] {
        assert_eq!(got(&site, &cookie, &wrong).await.0, 400, "{wrong}");
    }

    for is_dark in [false, true] {
        let Some(browser) = Browser::start(Like { is_dark, ..Like::default() }).await else {
            return;
        };
        browser.open(&site.link("reader")).await;
        browser.follow("button.go").await;
        look(&browser, &site.at(&path), "how a video is watched", is_dark).await;
        browser.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_tells_nothing_has_no_curve() {
    let site = Site::start().await;
    let api = site.service.api();
    let body = json!({
        "content": "No film", "publishNow": true, "targets": [{"platform": "mastodon"}],
    });
    let created = api.create(&body).await;
    let id = created["id"].as_str().unwrap();
    api.ended(id).await;
    let cookie = signed_in(&site, "reader").await;
    let (_, _, page) = got(&site, &cookie, &format!("posts/{id}")).await;
    assert!(!page.contains("How it is watched"), "{page}");
    let (status, _, page) = got(&site, &cookie, &format!("posts/{id}/watched")).await;
    assert_eq!(status, 200);
    assert!(page.contains("It is live on no network that tells how a video is watched."), "{page}");
}
