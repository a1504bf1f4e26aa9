//! Letting accounts in, and keeping them in.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use scheduler_core::account::Connection;
use scheduler_core::ports::{AuthorizeInput, ConnectInput, NetworkErrorKind as Kind};
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use super::world::{World, given};
use crate::support::{input, present};

const BACK: &str = "https://s.example/connect/instagram/callback";

#[tokio::test]
async fn an_account_is_opened_in_either_way() {
    for (way, connection) in [("direct", Connection::Direct), ("via_page", Connection::ViaPage)] {
        let world = World::new(way).await;
        assert_eq!(json!(world.connected.network_id), world.made["account"]);
        assert_eq!(world.connected.username.as_deref(), Some("ana"));
        assert_eq!(world.connected.connection, Some(connection));
        let mut wrong = given(&world.made, way);
        wrong["accessToken"] = json!("wrong");
        let error = world.network.connect(&input(&wrong)).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{error}");
        world.fault(json!({ "operation": "any", "kind": "error500" })).await;
        let error = world.network.connect(&input(&given(&world.made, way))).await.unwrap_err();
        assert_eq!(error.kind, Kind::Temporary, "{error}");
    }
}

/// Lets an app in as a person does, with some of the scopes; what the browser brings back.
async fn allowed(world: &World, way: &str, left_out: &str) -> ConnectInput {
    let asked = AuthorizeInput {
        values: input(&json!({ "connection": way })),
        redirect_uri: BACK.to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from("v".repeat(43)),
    };
    let authorization = world.network.authorize(&asked).await.unwrap();
    let mut page = Url::parse(&authorization.url).unwrap();
    assert_eq!(world.control.get(page.clone()).send().await.unwrap().status(), 200);
    let mut form: BTreeMap<String, String> = page.query_pairs().into_owned().collect();
    page.set_query(None);
    let scopes = form["scope"].split(',').filter(|scope| *scope != left_out);
    let scopes: Vec<&str> = scopes.collect();
    let scopes = scopes.join(",");
    form.insert("scope".to_owned(), scopes);
    form.insert("account".to_owned(), world.connected.network_id.clone());
    form.insert("decision".to_owned(), "allow".to_owned());
    let answer = world.control.post(page).form(&form).send().await.unwrap();
    assert_eq!(answer.status(), 302);
    let back = answer.headers()["location"].to_str().unwrap();
    assert!(back.starts_with(BACK), "{back}");
    let back = Url::parse(back).unwrap();
    let found: BTreeMap<String, String> = back.query_pairs().into_owned().collect();
    assert_eq!(found["state"], "state-1");
    let mut values = authorization.kept.0;
    values.insert("code".to_owned(), format!("{}#_", found["code"]));
    values.insert("redirectUri".to_owned(), BACK.to_owned());
    values.insert("codeVerifier".to_owned(), "v".repeat(43));
    ConnectInput(values)
}

#[tokio::test]
async fn a_person_lets_the_server_in_on_the_networks_page() {
    for (way, left_out) in [
        ("direct", "instagram_business_manage_insights"),
        ("via_page", "instagram_manage_contents"),
    ] {
        let world = World::new(way).await;
        let values = allowed(&world, way, left_out).await;
        // `#_` is behind the code in Instagram's own login alone.
        let values = if way == "direct" {
            values
        } else {
            let mut values = values.0;
            let code = values["code"].trim_end_matches("#_").to_owned();
            values.insert("code".to_owned(), code);
            ConnectInput(values)
        };
        let connected = world.network.connect(&values).await.unwrap().remove(0);
        assert_eq!(connected.network_id, world.connected.network_id, "{way}");
        assert_eq!(connected.lacks.len(), 1, "{way}: {:?}", connected.lacks);
        assert!(connected.lacks[0].contains(left_out), "{way}");
        let renewal = connected.credentials.expires_at;
        if way == "direct" {
            let days = (renewal.unwrap() - present()).num_days();
            assert!((29..=30).contains(&days), "{days}");
        } else {
            assert_eq!(renewal, None);
        }
        let error = world.network.connect(&values).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "a code is good once: {error}");
    }
}

#[tokio::test]
async fn a_token_is_renewed_while_it_is_good() {
    let world = World::new("direct").await;
    let access = world.access();
    let renewed = world.network.refresh(&access.account, &access.credentials).await.unwrap();
    assert_ne!(renewed.expose(), access.credentials.expose());
    assert!(renewed.expires_at.unwrap() > present() + TimeDelta::days(29));
    let young = world.network.refresh(&access.account, &renewed).await.unwrap_err();
    assert_eq!(young.kind, Kind::Temporary, "{young}");
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_after", Kind::Temporary),
        ("permanent", Kind::Reconnect),
        ("expired_token", Kind::Reconnect),
    ] {
        world.fault(json!({ "operation": "token", "kind": kind })).await;
        let refreshed = world.network.refresh(&access.account, &access.credentials).await;
        assert_eq!(refreshed.unwrap_err().kind, want, "{kind}");
    }

    let world = World::new("via_page").await;
    let access = world.access();
    let same = world.network.refresh(&access.account, &access.credentials).await.unwrap();
    assert_eq!(same.expose(), access.credentials.expose());
}
