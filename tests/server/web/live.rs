//! Open pages: what others change shows on them, and nothing typed is lost without a server or a
//! session.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use http::header::COOKIE;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::Site;
use super::browser::{Browser, Like};
use crate::support::{client_of_forms, free_port, wait_for};

const CHANGES: &str = "return document.getElementById('changes').hidden
    ? '' : document.querySelector('#changes span').textContent;";
const WORDS: &str = "return document.querySelector(`.card[data-id='${arguments[0]}'] .what`)
    ?.textContent ?? null;";
const BAND: &str = "const band = document.getElementById('offline');
    return !band.hidden && /^No connection since \\d\\d:\\d\\d\\. What you typed is kept on this page\\.$/
      .test(band.textContent);";
const NO_BAND: &str = "return document.getElementById('offline').hidden;";
const SAVED: &str = "return document.getElementById('saved').textContent.startsWith('Saved ');";
const TEXT: &str = "return document.getElementById('content').value;";

async fn entered(site: &Site, browser: &Browser) {
    browser.open(&site.link("owner")).await;
    browser.follow("button.go").await;
}

async fn change(site: &Site, id: &str, content: &str) {
    let change = json!({"content": content});
    site.service.api().send(Method::PATCH, &format!("/posts/{id}"), None, Some(&change)).await;
}

/// Waits until a script returns this.
async fn wait(browser: &Browser, script: &str, arguments: Vec<Value>, want: &Value) {
    wait_for(&format!("{want}"), async || {
        (browser.run(script, arguments.clone()).await == *want).then_some(())
    })
    .await;
}

/// Waits until a text is stored as that of a post.
async fn stored(site: &Site, content: &str) {
    wait_for("the draft", async || {
        let posts = site.service.api().get("/posts").await;
        let mut posts = posts["data"].as_array().unwrap().iter();
        posts.any(|post| post["content"] == content).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_change_shows_and_never_under_a_hand() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let due = json!({"scheduledAt": "2031-05-14T09:30:00Z"});
    let [one, two] = [site.post("One", due.clone()).await, site.post("Two", due).await];
    entered(&site, &browser).await;
    // A day of a month has room for three.
    for (view, day) in [
        ("calendar/2031-W20", 13),
        ("calendar/2031-05-14", 14),
        ("calendar/list", 15),
        ("calendar/2031-05", 16),
    ] {
        browser.open(&site.at(view)).await;
        let due = json!({"scheduledAt": format!("2031-05-{day}T09:30:00Z")});
        let id = site.post(&format!("New in {view}"), due).await;
        let shown = format!("return document.querySelector('a[href$=\"{id}\"]') !== null;");
        browser.wait(view, &shown).await;
    }

    // The last view is the month. While a card has the focus, what changes waits.
    let focus = format!("document.querySelector('.card[data-id=\"{one}\"]').focus();");
    browser.run(&focus, vec![]).await;
    change(&site, &one, "One anew").await;
    change(&site, &two, "Two anew").await;
    wait(&browser, CHANGES, vec![], &json!("2 changes.")).await;
    assert_eq!(browser.run(WORDS, vec![json!(one)]).await, json!("One"), "nothing is replaced");
    browser.click("#changes button").await;
    wait(&browser, WORDS, vec![json!(one)], &json!("One anew")).await;
    assert_eq!(browser.run(WORDS, vec![json!(two)]).await, json!("Two anew"));
    wait(&browser, CHANGES, vec![], &json!("")).await;
    let focused = "return document.activeElement.dataset.id ?? null;";
    assert_eq!(browser.run(focused, vec![]).await, json!(one), "it is where it was");

    // The same while a card is dragged; it shows when the card is let go.
    browser.run("document.activeElement.blur();", vec![]).await;
    let place = format!(
        "const box = document.querySelector('.card[data-id=\"{one}\"]').getBoundingClientRect();
         return [box.x + 20, box.y + 8];"
    );
    let place = browser.run(&place, vec![]).await;
    let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    let to = |x| PointerAction::MoveTo { duration: None, x, y };
    let mouse = MouseActions::new("mouse".to_owned());
    let mouse = mouse.then(to(x)).then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
    browser.client.perform_actions(mouse.then(to(x + 10.0))).await.unwrap();
    browser.wait("the lift", "return document.querySelector('.card.lifted') !== null;").await;
    change(&site, &two, "Two once more").await;
    wait(&browser, CHANGES, vec![], &json!("1 change.")).await;
    assert_eq!(browser.run(WORDS, vec![json!(two)]).await, json!("Two anew"));
    browser.client.release_actions().await.unwrap();
    browser.run("document.activeElement.blur();", vec![]).await;
    wait(&browser, WORDS, vec![json!(two)], &json!("Two once more")).await;

    // A post has a page of its own.
    browser.open(&site.at(&format!("posts/{one}"))).await;
    change(&site, &one, "On its own page").await;
    browser
        .wait("the page", "return document.querySelector('h1').textContent === 'On its own page';")
        .await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_late_is_named_on_an_open_page() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await.without_worker();
    entered(&site, &browser).await;
    browser.open(&site.at("activity/now")).await;
    assert!(browser.text("main").await.contains("Nothing is late."));
    site.post("Nobody sends it", json!({"publishNow": true})).await;
    let due = Instant::now();
    // It is late a second after its time, and a page waits no longer for that.
    let named = "const text = document.getElementById('live').textContent;
        return text.includes('1 post is late: “Nobody sends it” since ')
            && text.includes('is a worker running?');";
    browser.wait("the name", named).await;
    assert!(due.elapsed() < Duration::from_secs(6), "{:?}", due.elapsed());
    let linked = "return document.querySelector('#live td a').hash.startsWith('#t-');";
    assert_eq!(browser.run(linked, vec![]).await, json!(true), "to the target");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_connected_shows_on_open_pages() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    entered(&site, &browser).await;
    browser.open(&site.at("accounts")).await;
    browser.run("window.count = document.querySelectorAll('tbody tr').length;", vec![]).await;
    site.setup.run(&["accounts", "connect", "bluesky", "--sandbox"]);
    let is_shown = "return document.querySelectorAll('tbody tr').length === window.count + 1;";
    browser.wait("the account", is_shown).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_stream_it_is_asked() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    entered(&site, &browser).await;
    browser.begin_with("delete window.EventSource;").await;
    browser.open(&site.at("calendar/2031-05")).await;
    let id = site.post("Found", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    wait(&browser, WORDS, vec![json!(id)], &json!("Found")).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_loses_nothing_typed() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let listen = format!("127.0.0.1:{}", free_port());
    let mut site = Site::start_with(&[("SCHEDULER_LISTEN", &listen)]).await;
    entered(&site, &browser).await;
    browser.open(&site.at("compose")).await;
    browser.write("#content", "Before").await;
    browser.wait("the draft", SAVED).await;
    let key = site.service.first_key.clone();
    let Site { service, setup, networks, _folder } = site;
    service.kill();
    browser.wait("the band", BAND).await;
    browser.write("#content", " and during").await;
    // A press leaves the page for no answer.
    browser.click("#go").await;
    browser.wait("the word", "return !document.getElementById('toast').hidden;").await;
    assert_eq!(browser.run(TEXT, vec![]).await, json!("Before and during"));

    let mut service = setup.serve_with(&[("SCHEDULER_LISTEN", &listen)]);
    service.first_key = key;
    site = Site { service, setup, networks, _folder };
    browser.wait("the recovery", NO_BAND).await;
    stored(&site, "Before and during").await;
    assert_eq!(browser.run(TEXT, vec![]).await, json!("Before and during"));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_is_noticed_and_found_again() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    entered(&site, &browser).await;
    browser.open(&site.at("compose")).await;
    browser.write("#content", "Before").await;
    browser.wait("the draft", SAVED).await;
    let id = site.service.id().to_string();
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    };
    // It takes connections, and answers none.
    signal("-STOP");
    let begun = Instant::now();
    browser.write("#content", " and during").await;
    let waits = "return !document.getElementById('waiting').hidden
        && document.getElementById('answer').getAttribute('aria-busy') === 'true';";
    browser.wait("that it waits", waits).await;
    browser.wait("the band", BAND).await;
    eprintln!("the band appeared after {:.1} s", begun.elapsed().as_secs_f32());
    signal("-CONT");
    browser.wait("the recovery", NO_BAND).await;
    stored(&site, "Before and during").await;
    assert_eq!(browser.run(TEXT, vec![]).await, json!("Before and during"));
    browser.end().await;
}

/// A proxy that lets through all but streams, which it holds back for ever; its address, and how
/// many it holds.
async fn proxy(server: &str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = server.strip_prefix("http://").unwrap().to_owned();
    let held = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&held);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (server, count) = (server.clone(), Arc::clone(&count));
            tokio::spawn(async move {
                let (mut from_client, mut to_client) = client.into_split();
                let server = TcpStream::connect(server).await?;
                let (mut from_server, mut to_server) = server.into_split();
                let is_held = Arc::new(AtomicBool::new(false));
                let is_stream = Arc::clone(&is_held);
                tokio::spawn(async move {
                    let mut piece = vec![0; 65_536];
                    loop {
                        let size = from_server.read(&mut piece).await?;
                        if size == 0 {
                            return std::io::Result::Ok(());
                        }
                        if !is_held.load(Ordering::Relaxed) {
                            to_client.write_all(&piece[..size]).await?;
                        }
                    }
                });
                let mut piece = vec![0; 65_536];
                loop {
                    let size = from_client.read(&mut piece).await?;
                    if size == 0 {
                        return std::io::Result::Ok(());
                    }
                    if String::from_utf8_lossy(&piece[..size]).contains("text/event-stream") {
                        is_stream.store(true, Ordering::Relaxed);
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    to_server.write_all(&piece[..size]).await?;
                }
            });
        }
    });
    (address, held)
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_that_holds_streams_back_it_is_asked() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let (address, held) = proxy(&site.service.url).await;
    let link = site.link("owner").replace(&site.service.url, &address);
    browser.open(&link).await;
    browser.follow("button.go").await;
    browser.open(&site.at("calendar/2031-05").replace(&site.service.url, &address)).await;
    // It is tried twice.
    let before = held.load(Ordering::Relaxed);
    wait_for("two streams", async || (held.load(Ordering::Relaxed) > before.max(1)).then_some(()))
        .await;
    let id = site.post("Found", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let begun = Instant::now();
    wait(&browser, WORDS, vec![json!(id)], &json!("Found")).await;
    eprintln!("it showed after {:.1} s", begun.elapsed().as_secs_f32());
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_loses_nothing_typed() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    entered(&site, &browser).await;
    browser.open(&site.at("compose")).await;
    browser.write("#content", "While writing").await;
    browser.wait("the draft", SAVED).await;
    let cookies = browser.client.get_all_cookies().await.unwrap();
    let cookie = cookies.iter().find(|cookie| cookie.name() == "scheduler").unwrap();
    let cookie = format!("{}={}", cookie.name(), cookie.value());
    let out =
        client_of_forms().post(format!("{}/signout", site.service.url)).header(COOKIE, cookie);
    assert!(out.send().await.unwrap().status().is_redirection());
    let is_open = "return document.getElementById('again').open;";
    browser.wait("the dialog", is_open).await;
    browser.write("#again input[name=key]", "sk_wrong").await;
    browser.click("#again .go").await;
    let refused = "return document.querySelector('#again [role=alert]').textContent
        === 'This key is not known, or has expired. Keys begin with sk_.';";
    browser.wait("the refusal", refused).await;
    browser.run("document.querySelector('#again input[name=key]').value = '';", vec![]).await;
    browser.write("#again input[name=key]", site.service.first_key.as_deref().unwrap()).await;
    browser.click("#again .go").await;
    browser.wait("the page", "return !document.getElementById('again').open;").await;
    assert_eq!(browser.run(TEXT, vec![]).await, json!("While writing"));
    browser.write("#content", ", and after").await;
    stored(&site, "While writing, and after").await;
    browser.end().await;
}
