//! The control calls and the page.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::bluesky::{Actor, post, rkey};
use crate::support::{World, send};

#[tokio::test]
async fn wrong_control_calls_get_a_sentence() {
    let world = World::default().await;
    let fault = |member: &str, value: Value| {
        let mut body = json!({"platform": "any", "operation": "any", "kind": "slow"});
        body[member] = value;
        body
    };
    for (name, method, path, body, status) in [
        ("fault of no kind", Method::POST, "faults", fault("kind", json!("none")), 400),
        ("fault of no operation", Method::POST, "faults", fault("operation", json!("none")), 400),
        ("fault at no network", Method::POST, "faults", fault("platform", json!("none")), 400),
        ("fault with a typo", Method::POST, "faults", fault("time", json!(1)), 400),
        ("fault is no object", Method::POST, "faults", json!(1), 400),
        ("account at no network", Method::POST, "accounts", json!({"platform": "none"}), 400),
        (
            "account with a bad name",
            Method::POST,
            "accounts",
            json!({"platform": "bluesky", "name": "a/b"}),
            400,
        ),
        (
            "account with no text as name",
            Method::POST,
            "accounts",
            json!({"platform": "bluesky", "name": 1}),
            400,
        ),
        ("reset with a typo", Method::POST, "reset", json!({"accounts": 1}), 400),
        ("a clock that goes back", Method::POST, "clock", json!({"advanceMilliseconds": -1}), 400),
        ("a clock without a time", Method::POST, "clock", json!({}), 400),
        ("posts of no network", Method::GET, "posts?platform=none", json!({}), 400),
        ("requests of no network", Method::GET, "requests?platform=none", json!({}), 400),
        ("wrong method", Method::PUT, "faults", json!({}), 405),
        ("no such call", Method::GET, "nothing", json!({}), 404),
    ] {
        let got = send(world.request(method, &format!("/_sandbox/{path}")).json(&body)).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
        assert!(got.text_of("error").ends_with('.'), "{name}: {got:?}");
    }
    let unknown = world.get("/nowhere").await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn the_clock_of_the_networks_moves_ahead() {
    let world = World::default().await;
    let year: i64 = 365 * 24 * 60 * 60 * 1_000;
    let first = world.post("/_sandbox/clock", &json!({"advanceMilliseconds": 0})).await;
    let later = world.post("/_sandbox/clock", &json!({"advanceMilliseconds": year})).await;
    assert_eq!((first.status, later.status), (200, 200));
    let read = |got: &str| chrono::DateTime::parse_from_rfc3339(got).unwrap();
    let passed = read(&later.text_of("now")) - read(&first.text_of("now"));
    assert_eq!(passed.num_days(), 365);
}

#[tokio::test]
async fn answers_are_dated_by_the_clock_of_the_networks() {
    let world = World::default().await;
    let dated = async || {
        let got = world.get("/mastodon/api/v2/instance").await;
        assert_eq!(got.headers.get_all("date").iter().count(), 1);
        chrono::DateTime::parse_from_rfc2822(got.header("date").unwrap()).unwrap()
    };
    let before = dated().await;
    let day: i64 = 24 * 60 * 60 * 1_000;
    world.post("/_sandbox/clock", &json!({"advanceMilliseconds": day})).await;
    assert_eq!((dated().await - before).num_days(), 1);
    for kind in ["error500", "expired_token"] {
        let fault = json!({"platform": "mastodon", "operation": "any", "kind": kind});
        assert_eq!(world.post("/_sandbox/faults", &fault).await.status, 201, "{kind}");
        assert_eq!((dated().await - before).num_days(), 1, "{kind}");
    }
}

#[tokio::test]
async fn bytes_are_counted_also_of_bodies_that_never_end() {
    let world = World::default().await;
    let received = async || world.get("/_sandbox/received").await.body["data"]["mastodon"].clone();
    assert_eq!(received().await, 0);
    let whole = world.request(Method::POST, "/mastodon/api/v2/media").body(vec![0; 1_000]);
    send(whole).await;
    assert_eq!(received().await, 1_000);
    {
        let mut stream = TcpStream::connect(world.sandbox.address()).await.unwrap();
        let head = "POST /mastodon/api/v2/media HTTP/1.1\r\nhost: h\r\ncontent-length: 900\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&[0; 500]).await.unwrap();
    }
    while received().await != 1_500 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.requests().await.len(), 1, "the other was never there as a whole");
    assert_eq!(world.post("/_sandbox/reset", &json!({})).await.status, 204);
    assert_eq!(received().await, 0);
}

#[tokio::test]
async fn a_slow_line_takes_its_time() {
    let rate = NonZeroU64::new(1_000_000);
    let options = Options { receive_bytes_per_second: rate, ..Options::default() };
    let world = World::start(options).await;
    let begun = Instant::now();
    let file = world.request(Method::POST, "/mastodon/api/v2/media").body(vec![0; 200_000]);
    send(file).await;
    assert!(begun.elapsed() >= Duration::from_millis(200), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn any_number_of_accounts_and_no_name_twice() {
    let world = World::default().await;
    let unnamed = world.post("/_sandbox/accounts", &json!({"platform": "bluesky"})).await;
    assert_eq!((unnamed.status, unnamed.text_of("handle")), (201, "sandbox-1.test".to_owned()));
    world.account("bluesky", "Ana B").await;
    let again = json!({"platform": "bluesky", "name": "ana b"});
    let again = world.post("/_sandbox/accounts", &again).await;
    assert_eq!(again.status, 400);
    assert_eq!(again.text_of("error"), "There is an account ana-b.test already.");
}

/// Behind a proxy, what an account is opened by leads to the proxy and not around it.
#[tokio::test]
async fn an_account_is_told_by_the_address_that_was_asked() {
    let world = World::default().await;
    let body = json!({"platform": "discord"});
    for (name, headers, want) in [
        ("itself", vec![], world.sandbox.url().to_owned()),
        ("a proxy", vec![("host", "proxy.example:8080")], "http://proxy.example:8080".to_owned()),
        (
            "a proxy with TLS",
            vec![("host", "proxy.example"), ("x-forwarded-proto", "https")],
            "https://proxy.example".to_owned(),
        ),
    ] {
        let mut request = world.request(Method::POST, "/_sandbox/accounts").json(&body);
        for (header, value) in headers {
            request = request.header(header, value);
        }
        let made = send(request).await;
        let url = made.text_of("webhookUrl");
        assert!(url.starts_with(&format!("{want}/discord/api/webhooks/")), "{name}: {url}");
    }
}

#[tokio::test]
async fn requests_are_kept_as_received_without_secrets() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    ana.put(&world, &rkey(0), &post("hi")).await;
    ana.upload(&world, "image/png", vec![0xff; 20]).await;
    let requests = world.requests().await;
    let paths: Vec<&str> =
        requests.iter().map(|request| request["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "/bluesky/xrpc/com.atproto.server.createSession",
            "/bluesky/xrpc/com.atproto.repo.putRecord",
            "/bluesky/xrpc/com.atproto.repo.uploadBlob",
        ]
    );
    let operations: Vec<&Value> = requests.iter().map(|request| &request["operation"]).collect();
    assert_eq!(operations, ["token", "publish", "upload"]);
    let everything = serde_json::to_string(&requests).unwrap();
    for secret in [&ana.app_password, &ana.access, &ana.refresh] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
    assert_eq!(requests[1]["headers"]["authorization"], "[redacted]");
    let body: Value = serde_json::from_str(requests[1]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["record"]["text"], "hi");
    assert_eq!(requests[2].get("body"), None, "a picture is no text");
    assert_eq!(requests[2]["bodyBytes"], 20);
    assert_eq!(requests[2]["bodySha256"].as_str().map(str::len), Some(64));
}

#[tokio::test]
async fn only_the_last_ten_thousand_requests_are_kept() {
    let world = World::default().await;
    for number in 0..10_050 {
        let path = format!("/bluesky/xrpc/none?number={number}");
        world.request(Method::GET, &path).send().await.unwrap();
    }
    let requests = world.requests().await;
    assert_eq!(requests.len(), 10_000);
    assert_eq!(requests[0]["query"], "number=50");
    assert_eq!(requests[9_999]["query"], "number=10049");
}

#[tokio::test]
async fn a_reset_forgets_posts_and_keeps_accounts_unless_told_otherwise() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    ana.put(&world, &rkey(0), &post("hi")).await;
    world.arm(json!({"platform": "any", "operation": "any", "kind": "error500"})).await;
    let reset = world.request(Method::POST, "/_sandbox/reset").send().await.unwrap();
    assert_eq!(reset.status(), 204);
    assert_eq!(world.posts("bluesky").await, Vec::<Value>::new());
    assert_eq!(world.requests().await, Vec::<Value>::new());
    assert_eq!(ana.put(&world, &rkey(0), &post("hi")).await.status, 200, "the token still works");
    assert_eq!(world.post("/_sandbox/reset", &json!({"accounts": true})).await.status, 204);
    let gone = ana.put(&world, &rkey(0), &post("hi")).await;
    assert_eq!((gone.status, gone.text_of("error")), (400, "InvalidToken".to_owned()));
}

#[tokio::test]
async fn the_page_shows_what_is_live_escaped_and_newest_first() {
    let world = World::default().await;
    let empty = world.get("/").await;
    assert_eq!(empty.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(empty.text.contains("0 posts are live now"), "{}", empty.text);
    let ana = Actor::new(&world, "ana").await;
    ana.put(&world, &rkey(0), &post("first")).await;
    ana.put(&world, &rkey(1), &post("<script>alert('x')</script>")).await;
    let page = world.get("/").await.text;
    assert!(!page.contains("<script"), "{page}");
    let newest = page.find("&lt;script&gt;alert(&#39;x&#39;)").unwrap();
    assert!(newest < page.find(">first<").unwrap());
    assert!(page.contains("ana.test"));
}

#[tokio::test]
async fn an_address_that_is_taken_is_an_error_and_stopping_frees_it() {
    let world = World::default().await;
    let address = world.sandbox.address();
    let taken =
        scheduler_sandbox::Sandbox::start(address, scheduler_sandbox::Options::default()).await;
    assert_eq!(taken.unwrap_err().to_string(), format!("cannot listen on {address}"));
    world.sandbox.stop().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}
