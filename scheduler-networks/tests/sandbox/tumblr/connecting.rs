//! Connecting, and tokens that end.

use reqwest::header::LOCATION;
use scheduler_core::ports::{AuthorizeInput, ConnectInput, NetworkErrorKind as Kind};
use secrecy::SecretString;
use serde_json::{Value, json};
use url::Url;

use crate::support::{input, present};
use crate::tumblr::here::Here;

const CALLBACK: &str = "https://post.example/connect/tumblr/callback";

/// Lets the application in as a new user, and gives what came back.
async fn let_in(here: &Here) -> Value {
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: CALLBACK.to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from("unused"),
    };
    let page = here.network.authorize(&asked).await.unwrap();
    assert_eq!(here.http.get(&page.url).send().await.unwrap().status(), 200);
    let url = Url::parse(&page.url).unwrap();
    let mut form: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    form.push(("user".to_owned(), "new".to_owned()));
    let back = here.http.post(&page.url).form(&form).send().await.unwrap();
    let back = Url::parse(back.headers()[LOCATION].to_str().unwrap()).unwrap();
    let value = |name: &str| {
        let mut pairs = back.query_pairs();
        pairs.find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap()
    };
    assert_eq!(value("state"), "state-1");
    json!({ "code": value("code"), "redirectUri": CALLBACK, "codeVerifier": "unused" })
}

#[tokio::test]
async fn blogs_are_connected_on_the_networks_page() {
    let here = Here::new().await;
    let given = let_in(&here).await;
    let blogs = here.network.connect(&input(&given)).await.unwrap();
    let names: Vec<_> = blogs.iter().map(|blog| blog.username.as_deref().unwrap()).collect();
    assert_eq!(names, ["sandbox-2", "sandbox-2-notes"]);
    for blog in &blogs {
        assert!(blog.network_id.starts_with("t:"));
        assert_eq!(blog.lacks, Vec::<String>::new());
        let life = blog.credentials.expires_at.unwrap() - present();
        assert!((2_400..=2_520).contains(&life.num_seconds()), "{life}");
        assert!(blog.server_url.is_some());
    }
    let used = here.network.connect(&input(&given)).await.unwrap_err();
    assert_eq!(used.kind, Kind::Permanent);
}

#[tokio::test]
async fn a_blog_is_connected_by_what_the_sandbox_gives() {
    let here = Here::new().await;
    let connected = &here.world.connected;
    assert_eq!(connected.username.as_deref(), Some("sandbox-1"));
    assert_eq!(connected.display_name.as_deref(), Some("Sandbox 1"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    let wrong = json!({ "accessToken": "wrong" });
    let error = here.network.connect(&input(&wrong)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "{error}");
}

#[tokio::test]
async fn an_expired_token_is_refreshed_and_a_used_one_asks_for_a_connection() {
    let mut here = Here::new().await;
    // Its adapter knows the application, without which nothing can be refreshed.
    here.world.network = here.network.clone();
    let world = &here.world;
    for (target, operation) in [(1, "publish"), (2, "upload"), (3, "poll")] {
        world.fault(json!({ "operation": operation, "kind": "expired_token" })).await;
        let mut job = here.job(target, operation, &json!({}), &[]);
        // Each account's tokens are good for one refresh.
        let another = here.another(&format!("user-{target}")).await;
        let connected = here.network.connect(&input(&another)).await.unwrap().remove(0);
        job.account.network_id = connected.network_id.clone();
        job.account.username = connected.username.clone();
        job.credentials = connected.credentials.clone();
        let (remote, failures) = world.publish(job.clone()).await;
        assert!(remote.is_ok(), "{operation}: {remote:?}");
        assert_eq!(failures, [Kind::TokenExpired], "{operation}");
        let used = here.network.refresh(&job.account, &job.credentials).await.unwrap_err();
        assert_eq!(used.kind, Kind::Reconnect, "{operation}");
    }
    let job = here.job(9, "never", &json!({}), &[]);
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("permanent", Kind::Reconnect),
        ("expired_token", Kind::Reconnect),
    ] {
        world.fault(json!({ "operation": "token", "kind": kind })).await;
        let error = here.network.refresh(&job.account, &job.credentials).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}: {error}");
    }
}
