//! Connecting, and tokens that end.

use chrono::TimeDelta;
use reqwest::header::LOCATION;
use scheduler_core::account::Credentials;
use scheduler_core::ports::{
    AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind as Kind, Step,
};
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use crate::support::{input, present};
use crate::twitter::here::Here;

const CALLBACK: &str = "https://post.example/connect/twitter/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Lets the application in as an account, and connects it with what comes back.
async fn let_in(
    here: &Here,
    account: &str,
    verifier: &str,
) -> Result<Vec<Connected>, NetworkError> {
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: CALLBACK.to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from(VERIFIER),
    };
    let page = here.world.network.authorize(&asked).await.unwrap();
    let shown = here.http.get(&page.url).send().await.unwrap();
    assert_eq!(shown.status(), 200);
    let url = Url::parse(&page.url).unwrap();
    let mut form: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    form.push(("user".to_owned(), account.to_owned()));
    let back = here.http.post(&page.url).form(&form).send().await.unwrap();
    let back = Url::parse(back.headers()[LOCATION].to_str().unwrap()).unwrap();
    let value = |name: &str| {
        let mut pairs = back.query_pairs();
        pairs.find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap()
    };
    assert_eq!(value("state"), "state-1");
    let values =
        json!({ "code": value("code"), "redirectUri": CALLBACK, "codeVerifier": verifier });
    here.world.network.connect(&input(&values)).await
}

#[tokio::test]
async fn an_account_is_connected_by_its_page() {
    let here = Here::new().await;
    let connected = let_in(&here, "new", VERIFIER).await.unwrap().remove(0);
    assert_eq!(connected.username.as_deref(), Some("sandbox_2"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    let life = connected.credentials.expires_at.unwrap() - present();
    assert!((life - TimeDelta::hours(2)).abs() < TimeDelta::minutes(1), "{life}");
    let error = let_in(&here, "new", "another verifier").await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}

#[tokio::test]
async fn an_account_is_connected_by_its_tokens() {
    let here = Here::new().await;
    let connected = &here.world.connected;
    assert_eq!(connected.username.as_deref(), Some("sandbox_1"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    let error = here.world.network.connect(&input(&json!({ "accessToken": "x" }))).await;
    assert_eq!(error.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn a_refresh_token_is_used_once_and_the_next_is_kept() {
    let here = Here::new().await;
    let job = here.world.job(1, "", &json!({}));
    let network = &here.world.network;
    let refresh = |credentials: Credentials| {
        let account = job.account.clone();
        async move { network.refresh(&account, &credentials).await }
    };
    let first = refresh(job.credentials.clone()).await.unwrap();
    let error = refresh(job.credentials.clone()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect, "it is spent: {error}");
    let second = refresh(first).await.unwrap();
    let life = second.expires_at.unwrap() - present();
    assert!((life - TimeDelta::hours(2)).abs() < TimeDelta::minutes(1), "{life}");

    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("rate_limited", Kind::RateLimited { wait: None }),
    ] {
        here.world.fault(json!({ "operation": "token", "kind": kind })).await;
        let error = refresh(second.clone()).await.unwrap_err();
        match (error.kind, want) {
            (Kind::RateLimited { wait: Some(_) }, Kind::RateLimited { .. }) => {}
            (kind, want) => assert_eq!(kind, want),
        }
    }
    let third = refresh(second).await.unwrap();
    here.world.fault(json!({ "operation": "token", "kind": "permanent" })).await;
    assert_eq!(refresh(third.clone()).await.unwrap_err().kind, Kind::Reconnect);
    // What was renewed and lost on its way is spent all the same.
    here.world.fault(json!({ "operation": "token", "kind": "reset_after" })).await;
    assert_eq!(refresh(third.clone()).await.unwrap_err().kind, Kind::Temporary);
    assert_eq!(refresh(third).await.unwrap_err().kind, Kind::Reconnect);
}

#[tokio::test]
async fn a_token_that_ends_within_a_thread_is_renewed() {
    let here = Here::new().await;
    let network = &here.world.network;
    let mut job = here.world.job(1, "one", &json!({ "thread": ["two", "three"] }));
    let progress = network.begin(&job);
    let Ok(Step::Next(mut progress)) = network.advance(&job, &progress).await else {
        panic!("no next step")
    };
    here.world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
    let error = network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(error.kind, Kind::TokenExpired);
    assert!(error.message.starts_with("Part 2 of 3 of the thread: "), "{error}");
    job.credentials = network.refresh(&job.account, &job.credentials).await.unwrap();
    while let Step::Next(next) = network.advance(&job, &progress).await.unwrap() {
        progress = next;
    }
    assert_eq!(here.world.texts().await, ["one", "two", "three"]);
}
