//! A program that was let in by its key, and what it asks within the server.

use std::convert::Infallible;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::StreamBody;
use hyper::body::Frame;
use scheduler_core::app::NewKeyInput;
use scheduler_core::key::Preset;
use scheduler_core::session::Role;
use scheduler_http::endpoints::{Access, Endpoint, application};
use scheduler_http::visit::Visit;
use scheduler_http::{App, ConnectPages, RateLimit, Server, ServerSettings};
use serde_json::{Value, json};
use warp::reply::Response;

use crate::support::{Client, World, server_url};

/// Asks within the server what its body says.
static ASKING: Endpoint =
    Endpoint::page("asking", Method::POST, "/asking", |visit| Box::pin(asked(visit)));

static PAGES: [&Endpoint; 1] = [&ASKING];

async fn asked(visit: Visit) -> Response {
    let (program, request) = match visit.into_program().await {
        Ok(admitted) => admitted,
        Err(declined) => return declined.into_answer(),
    };
    let asked: Value = serde_json::from_slice(request.body()).unwrap();
    let within = Request::builder()
        .method(asked["method"].as_str().unwrap())
        .uri(asked["path"].as_str().unwrap())
        .header("content-type", "application/json");
    let body = asked.get("body").map_or_else(|| "{}".to_owned(), Value::to_string);
    let (status, body) = program.answer(within.body(Bytes::from(body)).unwrap()).await;
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}

/// A client of a server with that page, with a key of a preset.
async fn with_key(world: &World, preset: Preset) -> Client {
    with_key_and(world, preset, RateLimit::default()).await
}

async fn with_key_and(world: &World, preset: Preset, rate_limit: RateLimit) -> Client {
    let app = App {
        scheduler: world.scheduler.clone(),
        settings: ServerSettings { rate_limit, ..ServerSettings::default() },
        worker: None,
        health: world.health(),
        signed_files: None,
        connecting: ConnectPages::at(server_url()),
        doctor: None,
        pages: &PAGES,
    };
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap();
    let address = server.address();
    tokio::spawn(server.serve(std::future::pending()));
    let input = NewKeyInput::new("p", preset);
    let key = world.scheduler.create_key(&world.workspace, &input).await.unwrap();
    Client::new(address, key.value.expose()).with("host", "s.example")
}

/// Whether a program is refused for what its key allows.
async fn is_forbidden(client: &Client, method: &Method, path: &str) -> bool {
    let asked = json!({"method": method.as_str(), "path": path}).to_string();
    let client = client.with("content-type", "application/json");
    let answer = client.send(Method::POST, "/asking", &asked).await;
    assert_ne!(answer.status, 401, "{method} {path}: {answer:?}");
    assert_ne!(answer.status, 429, "{method} {path}: {answer:?}");
    answer.status == 403
}

#[tokio::test]
async fn of_the_application_a_key_opens_what_drafts_and_never_more() {
    let world = World::new().await;
    let all = NonZeroU32::new(10_000).unwrap();
    for preset in Preset::ALL {
        let rate_limit = RateLimit { per_minute: all, burst: all };
        let client = with_key_and(&world, preset, rate_limit).await;
        for endpoint in application() {
            let Access::Role(least) = endpoint.access() else { continue };
            let segments =
                endpoint.pattern.split('/').map(|segment| match segment.chars().next() {
                    Some('{') => "0190a0a0-0000-7000-8000-000000000000",
                    _ => segment,
                });
            let path = segments.collect::<Vec<_>>().join("/");
            let want = match least {
                Role::Reader => false,
                Role::Drafter => preset == Preset::Read,
                Role::Editor | Role::Owner => true,
            };
            let found = is_forbidden(&client, &endpoint.method, &path).await;
            // Sessions are ended by owners, and by who has them: a program has none.
            let want = want || endpoint.name == "end_session";
            assert_eq!(found, want, "{} with {}", endpoint.name, preset.as_str());
        }
    }
}

#[tokio::test]
async fn of_the_api_a_key_opens_what_its_scopes_allow() {
    let world = World::new().await;
    let nothing = "/v1/posts/0190a0a0-0000-7000-8000-000000000000";
    for (preset, want) in [
        (Preset::Read, [false, true, true]),
        (Preset::Agent, [false, false, true]),
        (Preset::Publish, [false, false, false]),
    ] {
        let client = with_key(&world, preset).await;
        let retry = format!("{nothing}/retry");
        let found = [
            is_forbidden(&client, &Method::GET, nothing).await,
            is_forbidden(&client, &Method::DELETE, nothing).await,
            is_forbidden(&client, &Method::POST, &retry).await,
        ];
        assert_eq!(found, want, "{}", preset.as_str());
    }
}

#[tokio::test]
async fn what_is_asked_within_counts_against_the_limit_of_the_key() {
    let world = World::new().await;
    let client = with_key(&world, Preset::Read).await;
    let client = client.with("content-type", "application/json");
    let asked = json!({"method": "GET", "path": "/v1/posts"}).to_string();
    let mut taken = 0;
    while client.send(Method::POST, "/asking", &asked).await.status == 200 {
        taken += 1;
        assert!(taken <= 100, "nothing is counted");
    }
    // Two of the burst of 100 for each, and what comes back meanwhile.
    assert!((50..75).contains(&taken), "{taken}");
}

#[tokio::test]
async fn a_large_body_does_not_hold_up_what_is_asked_within() {
    let world = World::new().await;
    let client = with_key(&world, Preset::Read).await;
    let client = client.with("content-type", "application/json");
    let check = json!({"content": "ä".repeat(50 << 10), "targets": [{"platform": "bluesky"}]});
    let large = json!({"method": "POST", "path": "/v1/platforms/validate", "body": check});
    let small = json!({"method": "POST", "path": "/v1/platforms/validate", "body": {"targets": [{"platform": "bluesky"}]}});
    // A body of an unknown length is charged as the longest.
    for (asked, is_chunked) in [(&large, false), (&large, true), (&small, true)] {
        let begun = Instant::now();
        let asked = asked.to_string();
        let answer = if is_chunked {
            let whole = Ok::<_, Infallible>(Frame::data(Bytes::from(asked)));
            let body = StreamBody::new(futures_util::stream::once(std::future::ready(whole)));
            client.send_body(Method::POST, "/asking", body).await
        } else {
            client.send(Method::POST, "/asking", &asked).await
        };
        assert_eq!(answer.status, 200, "{is_chunked}: {answer:?}");
        assert!(begun.elapsed() < Duration::from_secs(10), "it waited for itself");
    }
}
