//! What open pages are told: a stream of events, without a browser.

use std::time::{Duration, Instant};

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::Site;
use super::doors::signed_in;
use crate::support::{TIMEOUT, client_of_forms, wait_for};

/// Streams that a session may have.
const STREAMS: usize = 8;

/// A stream as it is read.
struct Stream {
    response: Response,
    text: String,
}

async fn asked(site: &Site, cookie: &str, query: &str) -> Response {
    let address = site.at(&format!("events{query}"));
    let request = client_of_forms().get(address).header(ACCEPT, "text/event-stream");
    request.header(COOKIE, cookie).send().await.unwrap()
}

impl Stream {
    async fn open(site: &Site, cookie: &str, query: &str) -> Self {
        let response = asked(site, cookie, query).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_TYPE], "text/event-stream");
        let mut stream = Self { response, text: String::new() };
        stream.read("the first beat", |text| text.contains("event: now\n")).await;
        stream
    }

    /// The next piece; `None` at its end.
    async fn piece(&mut self) -> Option<()> {
        let piece = timeout(TIMEOUT, self.response.chunk()).await.expect("a piece or the end");
        self.text.push_str(std::str::from_utf8(&piece.ok()??).unwrap());
        Some(())
    }

    /// Reads until something is there.
    async fn read(&mut self, what: &str, is_there: impl Fn(&str) -> bool) {
        while !is_there(&self.text) {
            assert!(
                self.piece().await.is_some(),
                "the stream has ended before {what}: {}",
                self.text
            );
        }
    }

    /// The data of the events of a kind.
    fn events(text: &str, kind: &str) -> Vec<Value> {
        let begin = format!("event: {kind}\ndata: ");
        let found = text.split("\n\n").filter_map(|event| event.strip_prefix(&begin));
        found.map(|rest| serde_json::from_str(rest.lines().next().unwrap()).unwrap()).collect()
    }
}

/// What the events of a kind tell of a thing.
fn of<'a>(events: &'a [Value], id: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| event["id"] == id)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_and_the_worker_change_is_told_by_ids() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "reader").await;
    let mut stream = Stream::open(&site, &cookie, "").await;
    let (_, place) = stream.text.rsplit_once("id: ").unwrap();
    let place = place.trim().to_owned();

    let id = site.post("Hello", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let told = |text: &str| of(&Stream::events(text, "post"), &id).count() > 0;
    stream.read("the new post", told).await;
    let events = Stream::events(&stream.text, "post");
    let first = of(&events, &id).next().unwrap();
    assert_eq!(first["revision"], 1);
    assert!(!stream.text.contains("Hello"), "ids alone");

    // The worker changes it twice or more: it goes out, and is live.
    let now = site.post("Goes out", json!({"publishNow": true})).await;
    site.service.api().ended(&now).await;
    let stored = site.service.api().get(&format!("/posts/{now}")).await;
    let at = chrono::DateTime::parse_from_rfc3339(stored["updatedAt"].as_str().unwrap()).unwrap();
    let is_last = |text: &str| {
        let events = Stream::events(text, "post");
        of(&events, &now).any(|event| event["changed"] == at.timestamp_micros())
    };
    stream.read("what the worker did", is_last).await;

    // One that is gone is told by the log.
    let address = format!("/posts/{id}");
    for _ in 0..2 {
        let gone = site.service.api().send(Method::DELETE, &address, None, None).await;
        assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    }
    let is_gone = |text: &str| {
        let events = Stream::events(text, "post");
        of(&events, &id).any(|event| event["revision"].is_null())
    };
    stream.read("that it is gone", is_gone).await;

    // Whoever comes later is told what came in between: by a stream, and at once.
    let after = Stream::open(&site, &cookie, &format!("?since={place}")).await;
    assert!(is_last(&after.text) && is_gone(&after.text), "{}", after.text);
    let address = site.at(&format!("events?since={place}"));
    let answer = client_of_forms().get(address).header(COOKIE, &cookie).send().await.unwrap();
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    let told = answer["events"].as_array().unwrap().iter().map(|event| event["data"].clone());
    assert!(of(&told.collect::<Vec<_>>(), &now).count() > 0, "{answer}");
    assert!(answer["until"].as_str().unwrap() > place.as_str());
    let long_ago = client_of_forms().get(site.at("events?since=1")).header(COOKIE, &cookie);
    let answer = long_ago.send().await.unwrap().text().await.unwrap();
    assert!(answer.contains(r#""event":"all""#), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_session() {
    let site = Site::start().await;
    let [cookie, other] = [signed_in(&site, "editor").await, signed_in(&site, "editor").await];
    let mut stream = Stream::open(&site, &cookie, "").await;
    let mut stays = Stream::open(&site, &other, "").await;
    let begun = Instant::now();
    let out =
        client_of_forms().post(format!("{}/signout", site.service.url)).header(COOKIE, &cookie);
    assert_eq!(out.send().await.unwrap().status(), StatusCode::SEE_OTHER);
    stream.read("its end", |text| text.contains("event: bye\n")).await;
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    assert_eq!(stream.piece().await, None, "nothing comes after it");
    assert_eq!(asked(&site, &cookie, "").await.status(), StatusCode::UNAUTHORIZED);

    let id = site.post("Hello", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    stays.read("a change", |text| of(&Stream::events(text, "post"), &id).count() > 0).await;
    assert!(!stays.text.contains("event: bye\n"), "another session lasts");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_bounded_and_hold_no_stop_up() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "reader").await;
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        streams.push(Stream::open(&site, &cookie, "").await);
    }
    let refused = asked(&site, &cookie, "").await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key(RETRY_AFTER));
    streams.pop();
    wait_for("a place", async || {
        (asked(&site, &cookie, "").await.status() == StatusCode::OK).then_some(())
    })
    .await;

    let begun = Instant::now();
    let Site { service, .. } = site;
    assert_eq!(service.stop(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    for mut stream in streams {
        while stream.piece().await.is_some() {}
    }
}
