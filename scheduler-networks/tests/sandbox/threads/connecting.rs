//! Connecting, and tokens that end.

use chrono::TimeDelta;
use reqwest::header::LOCATION;
use scheduler_core::ports::{
    AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind as Kind, Step,
};
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use crate::support::{input, present};
use crate::threads::here::Here;

const CALLBACK: &str = "https://post.example/connect/threads/callback";

/// Lets the app in as an account, and connects it with what comes back.
async fn let_in(here: &Here, account: &str) -> Result<Vec<Connected>, NetworkError> {
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: CALLBACK.to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from("unused"),
    };
    let page = here.world.network.authorize(&asked).await.unwrap();
    let shown = here.http.get(&page.url).send().await.unwrap();
    assert_eq!(shown.status(), 200);
    let url = Url::parse(&page.url).unwrap();
    let mut form: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    form.push(("account".to_owned(), account.to_owned()));
    let back = here.http.post(&page.url).form(&form).send().await.unwrap();
    let back = Url::parse(back.headers()[LOCATION].to_str().unwrap()).unwrap();
    assert_eq!(back.fragment(), Some("_"));
    let value = |name: &str| {
        let mut pairs = back.query_pairs();
        pairs.find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap()
    };
    assert_eq!(value("state"), "state-1");
    let code = format!("{}#_", value("code"));
    let values = json!({ "code": code, "redirectUri": CALLBACK, "codeVerifier": "unused" });
    here.world.network.connect(&input(&values)).await
}

#[tokio::test]
async fn an_account_is_connected_by_its_page() {
    let here = Here::new().await;
    let connected = let_in(&here, "new").await.unwrap().remove(0);
    assert_eq!(connected.username.as_deref(), Some("sandbox_2"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    let life = connected.credentials.expires_at.unwrap() - present();
    assert!((life - TimeDelta::days(30)).abs() < TimeDelta::minutes(1), "{life}");
    let used = json!({ "code": "used", "redirectUri": CALLBACK });
    let error = here.world.network.connect(&input(&used)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}

#[tokio::test]
async fn an_account_is_connected_by_its_token() {
    let here = Here::new().await;
    assert_eq!(here.world.connected.username.as_deref(), Some("sandbox_1"));
    let life = here.world.connected.credentials.expires_at.unwrap() - present();
    assert!((life - TimeDelta::hours(25)).abs() < TimeDelta::minutes(1), "{life}");
    let error = here.world.network.connect(&input(&json!({ "accessToken": "x" }))).await;
    assert_eq!(error.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn a_token_that_ends_within_a_thread_lets_it_go_on_after_connecting_again() {
    let here = Here::new().await;
    let mut job = here.world.job(1, "one", &json!({ "thread": ["two", "three"] }));
    let network = &here.world.network;
    let mut progress = network.begin(&job);
    let mut is_armed = false;
    let error = loop {
        if network.live_part(&progress).is_some() && !is_armed {
            is_armed = true;
            here.world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
        }
        match network.advance(&job, &progress).await {
            Ok(Step::Next(next)) => progress = next,
            Ok(Step::Wait { progress: next, until }) => (progress, job.now) = (next, until),
            Ok(Step::Live(live)) => panic!("{live:?}"),
            Ok(Step::Failed { error, .. }) | Err(error) => break error,
        }
    };
    assert_eq!(error.kind, Kind::Reconnect, "{error}");
    assert!(error.message.starts_with("Part 2 of 3 of the thread: "), "{error}");
    let error = network.refresh(&job.account, &job.credentials).await.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);

    let account = job.account.network_id.clone();
    job.credentials = let_in(&here, &account).await.unwrap().remove(0).credentials;
    loop {
        match network.advance(&job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            Step::Wait { progress: next, until } => (progress, job.now) = (next, until),
            Step::Live(_) => break,
            Step::Failed { error, .. } => panic!("{error}"),
        }
    }
    assert_eq!(here.world.texts().await, ["one", "two", "three"]);
}
