//! Files in the composer and the library: how they come, in which order they go, and which stay.

use std::path::{Path, PathBuf};

use fantoccini::Locator;
use fantoccini::key::Key;
use http::header::{CONTENT_TYPE, COOKIE, LOCATION};
use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::Site;
use super::browser::{Browser, Like};
use super::doors::signed_in;
use super::tiktok::sha256;
use crate::files::{declare, id_of, picture, post, put, ready};
use crate::support::{client_of_forms, film, wait_for};

const PRIVATE: [(&str, &str); 1] = [("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true")];

/// A file of the workspace that is ready.
pub(super) async fn stored(site: &Site, bytes: &[u8]) -> String {
    let api = site.service.api();
    let declared = declare(&api, bytes).await;
    let id = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], bytes).await;
    post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(&api, &id).await;
    id
}

/// The id of a film that the server has.
pub(super) async fn stored_film(site: &Site) -> String {
    let (api, bytes) = (site.service.api(), film::bytes());
    let declared = json!({"kind": "video", "sizeBytes": bytes.len(), "fileName": "film.mp4"});
    let (_, declared) = post(&api, "/media", &declared).await;
    let id = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], &bytes).await;
    post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(&api, &id).await;
    id
}

/// Files of a folder that a browser can choose.
fn on_disk(folder: &Path, files: &[(&str, Vec<u8>)]) -> Vec<PathBuf> {
    let written = files.iter().map(|(name, bytes)| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    });
    written.collect()
}

/// Chooses files in a field.
async fn choose(browser: &Browser, css: &str, paths: &[PathBuf]) {
    let paths: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    let field = browser.client.find(Locator::Css(css)).await.unwrap();
    field.send_keys(&paths.join("\n")).await.unwrap();
}

pub(super) async fn tick(browser: &Browser, network: &str) {
    let label = format!("//label[contains(., ', {network}')]");
    browser.client.find(Locator::XPath(&label)).await.unwrap().click().await.unwrap();
}

/// The names of the tiles, in their order.
const NAMES: &str = "return [...document.querySelectorAll('#files .file[data-id]')]
    .map((tile) => tile.querySelector('.clip').textContent).join(' ');";

/// The ids of the tiles, in their order.
const IDS: &str = "return [...document.querySelectorAll('#files .file[data-id]')]
    .map((tile) => tile.dataset.id);";

/// True once so many files are there and examined.
fn are_ready(count: usize) -> String {
    format!(
        "const tiles = [...document.querySelectorAll('#files .file')];
         return tiles.length === {count} && tiles.every((tile) => tile.dataset.id
           && tile.dataset.busy === undefined && tile.querySelector('.pic img'));"
    )
}

async fn signed_in_at(site: &Site, browser: &Browser, role: &str) {
    browser.open(&site.link(role)).await;
    browser.follow("button.go").await;
}

/// What is live on a network, with its files.
async fn live(site: &Site, platform: &str) -> Value {
    let url = format!("{}/_sandbox/posts?platform={platform}", site.networks.url());
    wait_for("the post on the network", async || {
        let posts: Value = client_of_forms().get(&url).send().await.unwrap().json().await.unwrap();
        let found = posts["data"].as_array()?.first()?.clone();
        Some(found)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_files_are_chosen_described_ordered_and_scheduled() {
    let like = Like { without_scripts: true, ..Like::default() };
    let Some(browser) = Browser::start(like).await else { return };
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let files = [("first.png", picture(320, 240)), ("second.png", picture(240, 320))];
    let paths = on_disk(folder.path(), &files);
    let link = site.link("editor");
    let (_, code) = link.split_once('#').unwrap();
    browser.open(&link).await;
    browser.write("#link", code).await;
    browser.follow("button.go").await;
    browser.open(&site.at("compose")).await;
    for name in ["Mastodon", "Bluesky"] {
        tick(&browser, name).await;
    }
    browser.write("#content", "With two files").await;
    choose(&browser, "#choose", &paths).await;
    browser.follow("#look").await;
    let tiles = browser.client.find_all(Locator::Css("#files .file")).await.unwrap();
    assert_eq!(tiles.len(), 2, "both are taken");
    let mut ids = Vec::new();
    for (tile, (name, _)) in tiles.iter().zip(&files) {
        assert!(tile.text().await.unwrap().contains(name), "in the order of choosing");
        ids.push(tile.attr("data-id").await.unwrap().unwrap());
    }
    for id in &ids {
        ready(&site.service.api(), id).await;
    }

    // Each is described, and the second one goes first.
    for (id, alt) in ids.iter().zip(["The first", "The second"]) {
        browser.write(&format!("textarea[name='alt.{id}']"), alt).await;
    }
    browser.click(&format!("button[value='earlier.{}']", ids[1])).await;
    let first = browser.client.find(Locator::Css("#files .file")).await.unwrap();
    assert!(first.text().await.unwrap().contains("second.png"));
    let own = "//details[contains(., 'Mastodon')]/summary";
    browser.client.find(Locator::XPath(own)).await.unwrap().click().await.unwrap();
    let own = "//details[contains(summary, 'Mastodon')]//textarea[contains(@name, '.caption')]";
    let own = browser.client.find(Locator::XPath(own)).await.unwrap();
    own.send_keys("For Mastodon").await.unwrap();
    let local = "//label[contains(., 'Each account’s clock')]";
    browser.client.find(Locator::XPath(local)).await.unwrap().click().await.unwrap();
    let day = browser.client.find(Locator::Css("input[name=day]")).await.unwrap();
    day.send_keys("05142031").await.unwrap();
    browser.click("#look").await;
    assert!(browser.text("#answer").await.contains("For Mastodon"));
    let previews = browser.client.find_all(Locator::Css(".shot img.shown")).await.unwrap();
    assert_eq!(previews.len(), 4, "two files in each preview");
    browser.follow("#go").await;
    let path = browser.path().await;
    assert!(path.starts_with("/w/default/posts/"), "{path}");
    let id = path.rsplit('/').next().unwrap();
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!(post["status"], "scheduled", "{post}");
    assert_eq!(post["timing"]["kind"], "local");
    assert_eq!(post["mediaIds"], json!([ids[1], ids[0]]));
    assert_eq!(post["altTexts"], json!(["The second", "The first"]));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_with_files_keeps_its_words_whatever_becomes_of_a_file() {
    let site = Site::start_with(&[("SCHEDULER_FILE_BYTES_MAX", "600000")]).await;
    let cookie = signed_in(&site, "drafter").await;
    let send = async |button: &str, parts: Vec<(&'static str, Vec<u8>)>| {
        let mut form =
            Form::new().text("content", "Kept in any case").text("do", button.to_owned());
        for (name, bytes) in parts {
            let part = Part::bytes(bytes).file_name(name).mime_str("image/png").unwrap();
            form = form.part("files", part);
        }
        let request = client_of_forms().post(site.at("compose")).header(COOKIE, &cookie);
        let answer = request.multipart(form).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    let tiles = |page: &str| page.matches("name=\"media\" value=").count();
    // Nothing was chosen.
    let (status, page) = send("check", vec![("", Vec::new())]).await;
    assert_eq!((status, tiles(&page)), (StatusCode::OK, 0));
    // One is too large, and the other is here; the button does not go on without it.
    let parts = vec![("small.png", picture(64, 64)), ("large.png", picture(800, 600))];
    let (status, page) = send("save", parts).await;
    assert_eq!((status, tiles(&page)), (StatusCode::OK, 1), "{page}");
    assert!(page.contains("large.png") && page.contains("Kept in any case"));
    let problem = page.split("id=\"problem\"").nth(1).unwrap().split("</p>").next().unwrap();
    assert!(problem.contains("larger than 600000 bytes"), "{problem}");
    assert_eq!(site.service.api().get("/posts").await["data"], json!([]), "nothing is stored");
    let (_, page) = send("check", vec![("empty.png", Vec::new())]).await;
    assert!(page.contains("The file is empty."));
    let media = site.service.api().get("/media").await;
    let states: Vec<&Value> =
        media["data"].as_array().unwrap().iter().map(|media| &media["status"]).collect();
    assert_eq!(states.iter().filter(|state| **state == "failed").count(), 2, "{states:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_come_in_every_way_and_go_in_the_order_that_is_shown() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start_with(&PRIVATE).await;
    let library = stored(&site, &picture(64, 48)).await;
    let change = json!({"name": "kept.png", "altText": "From the library"});
    let path = format!("/media/{library}");
    site.service.api().send(reqwest::Method::PATCH, &path, None, Some(&change)).await;
    let elsewhere = picture(72, 48);
    let address = serve_once(elsewhere.clone()).await;
    let folder = tempfile::tempdir().unwrap();
    let (chosen, dropped, pasted) = (picture(80, 48), picture(88, 48), picture(96, 48));
    let paths = on_disk(folder.path(), &[("chosen.png", chosen.clone())]);
    signed_in_at(&site, &browser, "editor").await;
    browser.open(&site.at("compose")).await;
    tick(&browser, "Mastodon").await;
    browser.wait("the account", "return document.querySelector('.shot') !== null;").await;
    browser.write("#content", "Four ways").await;

    choose(&browser, "#choose", &paths).await;
    browser.wait("the chosen file", &are_ready(1)).await;
    // Dropped and pasted, as the browser tells it.
    let given = "const [kind, name, bytes] = arguments;
        const data = new DataTransfer();
        const file = new File([Uint8Array.from(bytes)], name,
          { type: 'image/png' });
        data.items.add(file);
        const event = kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        document.getElementById('write').dispatchEvent(event);";
    let arguments =
        |kind: &str, name: &str, bytes: &[u8]| vec![json!(kind), json!(name), json!(bytes)];
    browser.run(given, arguments("drop", "dropped.png", &dropped)).await;
    browser.wait("the dropped file", &are_ready(2)).await;
    browser.run(given, arguments("paste", "pasted.png", &pasted)).await;
    browser.wait("the pasted file", &are_ready(3)).await;
    browser.write("#address", &address).await;
    browser.click("button[value=fetch]").await;
    browser.wait("the fetched file", &are_ready(4)).await;
    browser.click("#library summary").await;
    browser.click(&format!("#library input[value='{library}']")).await;
    browser.wait("that of the library", &are_ready(5)).await;
    let names = browser.run(NAMES, vec![]).await;
    assert_eq!(names, json!("chosen.png dropped.png pasted.png far.png kept.png"));
    let alt = format!("return document.querySelector(\"[name='alt.{library}']\").value;");
    assert_eq!(browser.run(&alt, vec![]).await, json!("From the library"));
    // A network keeps four.
    browser.click("#files .file:nth-child(4) button[value^=remove]").await;
    browser.wait("the others", &are_ready(4)).await;

    // By a button, by keys, and by dragging.
    browser.click("#files .file:nth-child(1) button[value^=later]").await;
    let names = browser.run(NAMES, vec![]).await;
    assert_eq!(names, json!("dropped.png chosen.png pasted.png kept.png"));
    browser.run("document.querySelector('#files .file:nth-child(4)').focus();", vec![]).await;
    let earlier = format!("{}{}", char::from(Key::Alt), char::from(Key::Left));
    browser.client.active_element().await.unwrap().send_keys(&earlier).await.unwrap();
    let names = browser.run(NAMES, vec![]).await;
    assert_eq!(names, json!("dropped.png chosen.png kept.png pasted.png"));
    let focused = "return document.activeElement.dataset.name;";
    assert_eq!(browser.run(focused, vec![]).await, json!("kept.png"), "the focus goes along");
    assert!(browser.path().await.starts_with("/w/default/compose"), "the history stays");
    let said = "return document.getElementById('uploads').textContent;";
    assert_eq!(browser.run(said, vec![]).await, json!("kept.png is at place 3 of 4."));
    let middles = "document.getElementById('files').scrollIntoView({ block: 'center' });
      return [...document.querySelectorAll('#files .file .pic')].map((pic) => {
        const box = pic.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      });";
    let middles = browser.run(middles, vec![]).await;
    let at =
        |index: usize| (middles[index][0].as_f64().unwrap(), middles[index][1].as_f64().unwrap());
    browser.drag(at(3), at(0)).await;
    let names = browser.run(NAMES, vec![]).await;
    assert_eq!(names, json!("pasted.png dropped.png chosen.png kept.png"));

    // Each is described; where none is, the page says who would keep one.
    let lacks =
        "return document.querySelector('#files .file:nth-child(2) .lacks').checkVisibility();";
    assert_eq!(browser.run(lacks, vec![]).await, json!(true));
    let words = browser.text("#files .file:nth-child(2) .lacks").await;
    assert_eq!(words, "No description yet. Mastodon would keep one.");
    browser.write("#files .file:nth-child(2) textarea", "A dropped one").await;
    assert_eq!(browser.run(lacks, vec![]).await, json!(false));
    let ids = browser.run(IDS, vec![]).await;
    browser.run("document.querySelector('input[name=when][value=now]').click();", vec![]).await;
    browser.click("#go").await;
    browser.wait("the post", "return location.pathname.startsWith('/w/default/posts/');").await;
    let id = browser.path().await.rsplit('/').next().unwrap().to_owned();
    let post = site.service.api().ended(&id).await;
    assert_eq!(post["mediaIds"], ids);
    assert_eq!(post["altTexts"], json!([null, "A dropped one", null, "From the library"]));
    let sent = live(&site, "mastodon").await;
    let sent: Vec<&str> = sent["media"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["sha256"].as_str().unwrap())
        .collect();
    let want = [&pasted, &dropped, &chosen, &picture(64, 48)].map(|bytes| sha256(bytes));
    assert_eq!(sent, want, "in the order that was shown");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_goes_on_after_the_network_was_lost() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    // A film with room behind it, so that it comes in three parts.
    let mut bytes = film::bytes();
    let free = 40_u32 << 20;
    bytes.extend(free.to_be_bytes());
    bytes.extend(b"free");
    bytes.resize(bytes.len() + free as usize - 8, 0);
    let paths = on_disk(folder.path(), &[("long.mp4", bytes.clone())]);
    // Notes each address to which bytes were sent whole.
    let noted = "const { open } = XMLHttpRequest.prototype;
        XMLHttpRequest.prototype.open = function (method, url) {
          this.addEventListener('load', () => {
            if (method === 'PUT' && this.status === 200) window.name += `${url} `;
          });
          return open.call(this, method, url);
        };";
    browser.begin_with(noted).await;
    signed_in_at(&site, &browser, "editor").await;
    browser.open(&site.at("compose")).await;
    browser.write("#content", "A long film").await;
    browser.network(false, Some(8 << 20)).await;
    choose(&browser, "#choose", &paths).await;
    // Into the second part.
    let value = "const bar = document.querySelector('.sending progress');
        return bar !== null && bar.value > 18e6;";
    browser.wait("some of it", value).await;
    let state = "return document.querySelector('.sending .state')?.textContent ?? '';";
    let words = browser.run(state, vec![]).await;
    assert!(words.as_str().unwrap().contains(" MB"), "{words}");
    browser.network(true, None).await;
    let lost = "return document.querySelector('.sending .state').textContent
        .startsWith('Waits for the network: ');";
    browser.wait("the loss to be said", lost).await;
    // A button that is pressed meanwhile waits for the file, and takes it along.
    browser.click("#look").await;
    let waits = "return document.getElementById('uploads').textContent;";
    assert_eq!(browser.run(waits, vec![]).await, json!("It goes on once the files are here."));
    browser.network(false, None).await;
    let there = "return document.querySelector('#files .file[data-id]') !== null
        && document.querySelector('.sending') === null;";
    browser.wait("the whole file", there).await;
    let ids = browser.run(IDS, vec![]).await;
    let media = ready(&site.service.api(), ids[0].as_str().unwrap()).await;
    assert_eq!(media["sizeBytes"], bytes.len());
    // What had arrived was not sent again.
    let taken = "const taken = window.name.trim().split(' ');
        return [taken.length, new Set(taken).size];";
    assert_eq!(browser.run(taken, vec![]).await, json!([3, 3]), "each part once");
    let link = media["previewUrl"].as_str().unwrap();
    let kept = client_of_forms().get(link).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(sha256(&kept), sha256(&bytes));
    browser.end().await;
}

/// A button that was pressed while a file was under way does nothing when that file is refused.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_goes_out_without_a_file_that_could_not_be_sent() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let paths = on_disk(folder.path(), &[("lost.png", picture(80, 48))]);
    // The file is refused once the button has been pressed.
    let refused = "const plainFetch = window.fetch;
        window.fetch = async (address, options) => {
          if (!String(address).endsWith('/complete')) return plainFetch(address, options);
          while (!window.isPressed) await new Promise((done) => setTimeout(done, 20));
          return new Response('It is no picture.', { status: 422 });
        };";
    browser.begin_with(refused).await;
    signed_in_at(&site, &browser, "editor").await;
    browser.open(&site.at("compose")).await;
    browser.write("#content", "With a picture").await;
    choose(&browser, "#choose", &paths).await;
    browser.wait("the file", "return document.querySelector('.sending') !== null;").await;
    browser.click("#look").await;
    let told = "return document.getElementById('uploads').textContent;";
    let waits = "It goes on once the files are here.";
    assert_eq!(browser.run(told, vec![]).await, json!(waits));
    browser.run("window.isPressed = true;", vec![]).await;
    let toast = "return document.getElementById('toast-text').textContent !== '';";
    browser.wait("what is said of it", toast).await;
    let told =
        "return ['uploads', 'toast-text'].map((id) => document.getElementById(id).textContent)
        .concat(document.querySelectorAll('#files .file').length, window.isPressed);";
    let why = "lost.png could not be sent: It is no picture.";
    assert_eq!(browser.run(told, vec![]).await, json!([why, why, 0, true]), "the page stays");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_use_stays_and_says_which_posts_need_it() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let file = stored(&site, &picture(320, 240)).await;
    let more = |when: Value| {
        let mut more = json!({"mediaIds": [file], "altTexts": ["A ring"]});
        more.as_object_mut().unwrap().extend(when.as_object().unwrap().clone());
        more
    };
    let draft = site.post("Not yet", more(json!({"saveAsDraft": true}))).await;
    let at = json!({"scheduledAt": "2031-05-14T09:30:00Z"});
    let scheduled = site.post("In May", more(at)).await;
    let gone = site.post("Long ago", more(json!({"publishNow": true}))).await;
    site.service.api().ended(&gone).await;
    signed_in_at(&site, &browser, "editor").await;
    let page = site.at(&format!("media/{file}"));
    browser.open(&page).await;
    let button = "return document.querySelector('form[action$=\"/delete\"] button').disabled;";
    assert_eq!(browser.run(button, vec![]).await, json!(true));
    assert!(browser.text("#needed").await.starts_with("Needed by 2 posts to come: "));
    let links = "return [...document.querySelectorAll('#needed a')]
        .map((link) => `${link.textContent} ${link.getAttribute('href')}`).sort();";
    let want = json!([
        format!("In May /w/default/posts/{scheduled}"),
        format!("Not yet /w/default/posts/{draft}"),
    ]);
    assert_eq!(browser.run(links, vec![]).await, want);
    assert!(browser.text("#uses").await.contains("Long ago"), "and the one that is over");
    // Whoever sends the form all the same is told the same.
    let cookie = signed_in(&site, "editor").await;
    let request = client_of_forms().post(format!("{page}/delete")).header(COOKIE, cookie);
    let answer = request.form(&[("do", "delete")]).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let text = answer.text().await.unwrap();
    assert!(text.contains(&format!("/w/default/posts/{scheduled}")), "{text}");
    for id in [&draft, &scheduled] {
        let path = format!("/posts/{id}");
        site.service.api().send(reqwest::Method::DELETE, &path, None, None).await;
    }
    browser.open(&page).await;
    browser.click("form[action$='/delete'] button").await;
    browser.wait("the library", "return location.pathname === '/w/default/media';").await;
    let media = site.service.api().get(&format!("/media/{file}")).await;
    assert_eq!(media["status"], "deleted");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn previews_play_what_is_sent_and_the_creator_is_shown() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start_with(&PRIVATE).await;
    let bytes = film::bytes();
    let video = stored_film(&site).await;
    let account = site.account("tiktok").await;
    // Written on the page: a program has to say who sees it.
    let form = [
        ("do", "save"),
        ("content", "A foot ring"),
        ("account", account.as_str()),
        ("media", video.as_str()),
    ];
    let cookie = signed_in(&site, "editor").await;
    let request = client_of_forms().post(site.at("compose")).header(COOKIE, cookie).form(&form);
    let kept = request.send().await.unwrap();
    let kept = kept.headers()[LOCATION].to_str().unwrap();
    let id = kept.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    signed_in_at(&site, &browser, "editor").await;
    browser.open(&site.at(&format!("compose/{id}"))).await;

    // The film that the preview plays is the one that lies here, byte for byte.
    let source = "return document.querySelector('.shot video').getAttribute('src');";
    let source = browser.run(source, vec![]).await;
    assert_eq!(source, json!(format!("/w/default/media/{video}/file")));
    let plays = "return document.querySelector('.shot video').readyState > 0
        && document.querySelector('.shot video').duration > 0;";
    browser.wait("the length of the film", plays).await;
    let cookie = signed_in(&site, "reader").await;
    let get = async |range: Option<&str>| {
        let address = site.at(&format!("media/{video}/file"));
        let mut request = client_of_forms().get(address).header(COOKIE, &cookie);
        if let Some(range) = range {
            request = request.header("range", range);
        }
        request.send().await.unwrap()
    };
    let whole = get(None).await;
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(whole.headers()[CONTENT_TYPE], "video/mp4");
    let policy = whole.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("sandbox"), "{policy}");
    assert!(whole.bytes().await.unwrap() == bytes, "nothing is added");
    let part = get(Some("bytes=4-7")).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()["content-range"], format!("bytes 4-7/{}", bytes.len()));
    assert_eq!(&part.bytes().await.unwrap()[..], &bytes[4..8]);
    // The film stays where it is while somebody writes.
    browser.run("document.querySelector('.shot video').dataset.same = 'yes';", vec![]).await;
    browser.write("#content", " again").await;
    let same = "return document.querySelector('.shot .say').textContent.endsWith('again')
        && document.querySelector('.shot video').dataset.same === 'yes';";
    browser.wait("the new words beside the same film", same).await;

    // Who posts: name and picture, from this server alone.
    assert!(browser.text(".choices").await.contains("Posting to sandbox"));
    let face = "const face = document.querySelector('.choices img.face');
        return face.complete && face.naturalWidth > 0 && face.getAttribute('src');";
    let want = json!(format!("/w/default/avatars/{account}"));
    wait_for("the picture", async || (browser.run(face, vec![]).await == want).then_some(())).await;
    let foreign = "return performance.getEntriesByType('resource')
        .filter((entry) => new URL(entry.name).origin !== location.origin).length;";
    assert_eq!(browser.run(foreign, vec![]).await, json!(0));
    let missing = site.account("mastodon").await;
    let request = client_of_forms().get(site.at(&format!("avatars/{missing}")));
    let answer = request.header(COOKIE, &cookie).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND, "none can be had from there");
    browser.end().await;
}

/// Gives a file under an address, to whoever asks for it first.
async fn serve_once(bytes: Vec<u8>) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/far.png", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = [0; 4_096];
        let _ = stream.read(&mut head).await.unwrap();
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        stream.write_all(&[answer.as_bytes(), &bytes].concat()).await.unwrap();
    });
    address
}
