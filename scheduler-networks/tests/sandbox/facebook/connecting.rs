//! Letting Pages in.

use std::collections::BTreeMap;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{AuthorizeInput, ConnectInput, NetworkErrorKind as Kind};
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use super::Facebook;
use crate::support::input;

const BACK: &str = "https://s.example/connect/facebook/callback";

#[tokio::test]
async fn a_page_is_opened_with_the_token_of_its_person() {
    let facebook = Facebook::new().await;
    let connected = &facebook.world.connected;
    assert_eq!(connected.display_name.as_deref(), Some("Sandbox Page 1"));
    assert_eq!(connected.username.as_deref(), Some("sandboxpage1"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    // Its own figures hold in place of the sheet's, so a try in the sandbox meets what that states.
    let (limits, sheet) = (&connected.limits, Platform::Facebook.sheet());
    let longest = sheet.max_video_duration_seconds.map(f64::from);
    assert_eq!(limits.max_video_duration_seconds, longest);
    assert_eq!(limits.max_video_bytes, Some(sheet.max_video_bytes));
    let wrong = input(&json!({ "accessToken": "wrong" }));
    let error = facebook.network.connect(&wrong).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "{error}");
    facebook.world.fault(json!({ "operation": "any", "kind": "error500" })).await;
    let error = facebook.network.connect(&wrong).await.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary, "{error}");
}

#[tokio::test]
async fn a_person_lets_the_server_in_on_the_networks_page() {
    let facebook = Facebook::new().await;
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: BACK.to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from("v".repeat(43)),
    };
    let authorization = facebook.network.authorize(&asked).await.unwrap();
    let mut page = Url::parse(&authorization.url).unwrap();
    assert_eq!(facebook.control.get(page.clone()).send().await.unwrap().status(), 200);
    let mut form: BTreeMap<String, String> = page.query_pairs().into_owned().collect();
    page.set_query(None);
    let scopes: Vec<&str> =
        form["scope"].split(',').filter(|scope| *scope != "read_insights").collect();
    let scopes = scopes.join(",");
    form.insert("scope".to_owned(), scopes);
    form.insert("account".to_owned(), facebook.world.connected.network_id.clone());
    form.insert("decision".to_owned(), "allow".to_owned());
    let answer = facebook.control.post(page).form(&form).send().await.unwrap();
    assert_eq!(answer.status(), 302);
    let back = Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap();
    assert!(back.as_str().starts_with(BACK), "{back}");
    let found: BTreeMap<String, String> = back.query_pairs().into_owned().collect();
    assert_eq!(found["state"], "state-1");
    let mut values = authorization.kept.0;
    values.insert("code".to_owned(), found["code"].clone());
    values.insert("redirectUri".to_owned(), BACK.to_owned());
    values.insert("codeVerifier".to_owned(), "v".repeat(43));
    let values = ConnectInput(values);
    let connected = facebook.network.connect(&values).await.unwrap().remove(0);
    assert_eq!(connected.network_id, facebook.world.connected.network_id);
    assert_eq!(connected.lacks.len(), 1, "{:?}", connected.lacks);
    assert!(connected.lacks[0].contains("read_insights"));
    assert_eq!(connected.credentials.expires_at, None);
    let error = facebook.network.connect(&values).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "a code is good once: {error}");

    // Figures that may not be read leave what anybody counts.
    let mut access = facebook.access();
    access.credentials = connected.credentials.clone();
    let job = facebook.job(1, "Hello", Vec::new(), &json!({}));
    let post = facebook.live_post(facebook.world.publish(job).await.0.unwrap(), 0);
    let figures = facebook.after.figures(&access, &[post]).await.unwrap().remove(0).unwrap();
    assert_eq!(figures.0.len(), 3, "{figures:?}");
}

#[tokio::test]
async fn a_pages_token_is_never_exchanged() {
    let facebook = Facebook::new().await;
    let access = facebook.access();
    facebook.world.fault(json!({ "operation": "token", "kind": "permanent" })).await;
    let same = facebook.network.refresh(&access.account, &access.credentials).await.unwrap();
    assert_eq!(same.expose(), access.credentials.expose());
}
