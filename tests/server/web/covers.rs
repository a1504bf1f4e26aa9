//! The frame that is the cover of a video, beside its tile.

use http::StatusCode;
use serde_json::json;

use super::Site;
use super::accessible;
use super::acting::{Visitor, between};
use super::browser::{Browser, Like};
use super::files::{stored, stored_film};
use crate::files::picture;

#[tokio::test(flavor = "multi_thread")]
async fn a_cover_is_chosen_in_seconds_by_the_form_alone() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "drafter").await;
    let film = stored_film(&site).await;
    let [instagram, pinterest, bluesky] = [
        site.account("instagram").await,
        site.account("pinterest").await,
        site.account("bluesky").await,
    ];
    let accounts = [instagram.as_str(), &pinterest, &bluesky].map(|id| ("account", id));
    let cover = format!("cover.{instagram}");
    let slot = format!("id=\"at-o-{instagram}-coverTimestampMs\"");
    let press = async |more: &[(&str, &str)]| {
        let form = [&accounts[..], &[("content", "Rye"), ("when", "draft")], more].concat();
        let (status, page) = visitor.send("compose", &form).await;
        assert_eq!(status, StatusCode::OK, "{more:?}");
        page
    };
    let with_film = [("media", film.as_str()), ("do", "check")];
    let page = press(&[&with_film[..], &[(&cover, "0.5")]].concat()).await;
    let tile = between(&page, "<fieldset class=\"cover\">", "</fieldset>");
    let field = between(tile, &format!("name=\"{cover}\""), ">");
    assert!(field.contains("value=\"0.5\""), "{field}");
    assert!(tile.contains(&format!("media/{film}/file#t=0.5\"")), "{tile}");
    assert!(tile.contains(&format!("name=\"cover.{pinterest}\"")), "{tile}");
    assert!(!tile.contains(&bluesky), "Bluesky takes none: {tile}");
    assert_eq!(page.matches(&slot).count(), 1, "it stands in one place");
    assert!(!page.contains(&format!("option.{instagram}.coverTimestampMs")), "{page}");

    // What is no number is refused beside the field; what is beyond the end of the video as well.
    for wrong in ["two", "600"] {
        let page = press(&[&with_film[..], &[(&cover, wrong)]].concat()).await;
        let tile = between(&page, "<fieldset class=\"cover\">", "</fieldset>");
        let told = between(tile, &slot, "</div>");
        assert!(told.contains("class=\"issue"), "{wrong}: {told}");
        assert!(tile.contains(&format!("value=\"{wrong}\"")), "{wrong}: it stays to be mended");
    }
    // An account with files of its own does not get the video: it has the option among its others.
    let (own, other) = (format!("own-files.{pinterest}"), json!({"mediaIds": []}).to_string());
    let page = press(&[&with_film[..], &[(&own, &other)]].concat()).await;
    let tile = between(&page, "<fieldset class=\"cover\">", "</fieldset>");
    assert!(tile.contains(&cover) && !tile.contains(&pinterest), "{tile}");
    assert!(page.contains(&format!("name=\"option.{pinterest}.coverTimestampMs\"")), "{page}");
    // Without a video it is an option like any other.
    let page = press(&[("do", "check")]).await;
    assert!(!page.contains("class=\"cover\""));
    assert!(page.contains(&format!("name=\"option.{instagram}.coverTimestampMs\"")));

    let form = [
        &accounts[..],
        &[("content", "Rye"), ("when", "draft"), ("media", &film), (&cover, "0.5"), ("do", "save")],
    ]
    .concat();
    let kept = visitor.done("compose", &form).await;
    let id = kept.split(['/', '?']).nth(4).unwrap();
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    let of = |account: &str| {
        let targets = post["targets"].as_array().unwrap();
        let target = targets.iter().find(|target| target["accountId"] == account).unwrap();
        target["options"]["coverTimestampMs"].clone()
    };
    assert_eq!([of(&instagram), of(&pinterest)], [json!(500), json!(null)]);
    let page = visitor.page(&format!("compose/{id}")).await;
    assert!(between(&page, &format!("name=\"{cover}\""), ">").contains("value=\"0.5\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_frame_is_shown_while_the_second_is_written() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let film = stored_film(&site).await;
    let more = json!({
        "saveAsDraft": true, "allowIssues": true, "targets": [{"platform": "instagram"}],
        "mediaIds": [film],
    });
    let id = site.post("Rye", more).await;
    browser.open(&site.link("drafter")).await;
    browser.follow("button.go").await;
    browser.open(&site.at(&format!("compose/{id}"))).await;
    let known = "return document.querySelector('.cover video').readyState > 0;";
    browser.wait("the film", known).await;
    browser.write(".cover input", "0.5").await;
    let shown = "return document.querySelector('.cover video').currentTime === 0.5;";
    browser.wait("the frame", shown).await;
    accessible::is_clean(&browser, "the cover of a video").await;
    let kept = crate::support::wait_for("the draft", async || {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        let cover = post["targets"][0]["options"]["coverTimestampMs"].clone();
        (!cover.is_null()).then_some(cover)
    })
    .await;
    assert_eq!(kept, json!(500));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cover_stands_once_and_stays_while_tiles_are_drawn_anew() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let (film, other) = (stored_film(&site).await, stored(&site, &picture(80, 48)).await);
    let more = json!({
        "saveAsDraft": true, "allowIssues": true, "targets": [{"platform": "instagram"}],
    });
    let id = site.post("Rye", more).await;
    let field = format!("o-{}-coverTimestampMs", site.account("instagram").await);
    browser.open(&site.link("drafter")).await;
    browser.follow("button.go").await;
    browser.open(&site.at(&format!("compose/{id}"))).await;
    // The first video brings the field with what the option says, which has none any more.
    let take = "document.getElementById(arguments[0]).value = '500';
        document.querySelector(`#library input[value='${arguments[1]}']`).click();";
    browser.run(take, vec![json!(field), json!(film)]).await;
    browser.wait("the cover", "return document.querySelector('.cover input') !== null;").await;
    let fields = "return [...document.querySelectorAll(`[id='${arguments[0]}']`)]
        .map((field) => [field.name.split('.')[0], field.value]);";
    let found = browser.run(fields, vec![json!(field)]).await;
    assert_eq!(found, json!([["cover", "0.5"]]));
    let labels = "return document.querySelectorAll(`label[for='${arguments[0]}']`).length;";
    assert_eq!(browser.run(labels, vec![json!(field)]).await, json!(1));
    // What is written while the server draws the tile of a busy video stays, and has the focus.
    let write = "const field = document.getElementById(arguments[0]);
        field.closest('.file').dataset.busy = '';
        document.querySelector(`#library input[value='${arguments[1]}']`).click();
        field.focus();
        field.value = '1.5';";
    browser.run(write, vec![json!(field), json!(other)]).await;
    let drawn = "return document.querySelectorAll('#files .file[data-id]').length === 2
        && document.querySelector('#files [data-busy]') === null;";
    browser.wait("the tiles", drawn).await;
    assert_eq!(browser.run(fields, vec![json!(field)]).await, json!([["cover", "1.5"]]));
    let focused = "return document.activeElement.id;";
    assert_eq!(browser.run(focused, vec![]).await, json!(field));
    // Without the film it is among the options of the account again, with what was written.
    browser.click(&format!("#files button[value='remove.{film}']")).await;
    let back = browser.run(fields, vec![json!(field)]).await;
    assert_eq!(back, json!([["option", "1500"]]));
    assert_eq!(browser.run(labels, vec![json!(field)]).await, json!(1));
    browser.end().await;
}
