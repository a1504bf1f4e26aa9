//! What somebody tries who has a code, a token or a page that is not theirs to use.

use http::header::{LOCATION, ORIGIN};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::by_hand::{AGENT, Person, VERIFIER};
use crate::support::client;

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_of_one_client_and_used_once() {
    let person = Person::start().await;
    let code = person.code(&AGENT).await;
    let other = VERIFIER.replace('d', "e");
    for (name, field, want) in [
        ("another verifier", ("code_verifier", other.as_str()), "invalid_grant"),
        ("another redirect", ("redirect_uri", "http://127.0.0.1/other"), "invalid_grant"),
        ("another client", ("client_id", "https://b.example/client.json"), "invalid_grant"),
        ("another resource", ("resource", "https://b.example/mcp"), "invalid_target"),
        ("another scope", ("scope", "posts:publish"), "invalid_scope"),
        ("a made-up code", ("code", "oac_0"), "invalid_grant"),
        ("a password", ("grant_type", "password"), "unsupported_grant_type"),
        ("no verifier", ("code_verifier", ""), "invalid_grant"),
    ] {
        let (status, said) = person.with_code(&code, Some(field)).await;
        assert_eq!((status, &said["error"]), (400, &json!(want)), "{name}");
    }
    let (status, tokens) = person.with_code(&code, None).await;
    assert_eq!(status, 200, "{tokens}");
    let (status, said) = person.with_code(&code, None).await;
    assert_eq!((status, &said["error"]), (400, &json!("invalid_grant")), "a second time");
    let after = person.call(&tokens["access_token"], "list_accounts").await;
    assert_eq!(after.status(), StatusCode::UNAUTHORIZED, "what came of it has ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_opens_the_tools_and_nothing_else() {
    let person = Person::start().await;
    let tokens = person.connected(&AGENT).await;
    let token = tokens["access_token"].as_str().unwrap();
    for path in ["/v1/posts", "/v1/workspace/webhooks", "/app/v1/me", "/app/v1/grants"] {
        let answer = client().get(person.url(path)).bearer_auth(token).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    let in_query = format!("{}?access_token={token}", person.resource());
    let answer = client().post(in_query).json(&json!({})).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "in the query");
    let as_refresh = person.call(&tokens["refresh_token"], "list_accounts").await;
    assert_eq!(as_refresh.status(), StatusCode::UNAUTHORIZED, "the other token");
    assert_eq!(person.call(&tokens["access_token"], "list_accounts").await.status(), 200);

    let mut database = person.site.setup.connect().await;
    let expire = "UPDATE grant_tokens SET expires_at = 0 WHERE kind = 'access'";
    sqlx::query(expire).execute(&mut database).await.unwrap();
    let expired = person.call(&tokens["access_token"], "list_accounts").await;
    assert_eq!(expired.status(), StatusCode::UNAUTHORIZED, "expired");
    let kept: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT hash FROM grant_tokens").fetch_all(&mut database).await.unwrap();
    assert!(kept.iter().all(|hash| hash.len() == 32), "hashes alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_used_twice_ends_everything_of_it() {
    let person = Person::start().await;
    let first = person.connected(&AGENT).await;
    let (status, second) = person.with_refresh(first["refresh_token"].as_str().unwrap()).await;
    assert_eq!(status, 200, "{second}");
    assert_ne!(first["refresh_token"], second["refresh_token"]);
    let (status, said) = person.with_refresh(first["refresh_token"].as_str().unwrap()).await;
    assert_eq!((status, &said["error"]), (400, &json!("invalid_grant")));
    for tokens in [&first, &second] {
        let after = person.call(&tokens["access_token"], "list_accounts").await;
        assert_eq!(after.status(), StatusCode::UNAUTHORIZED);
    }
    let (status, _) = person.with_refresh(second["refresh_token"].as_str().unwrap()).await;
    assert_eq!(status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_given_back_opens_nothing() {
    let person = Person::start().await;
    let tokens = person.connected(&AGENT).await;
    let metadata = person.url("/.well-known/oauth-authorization-server/mcp");
    let metadata: Value = client().get(metadata).send().await.unwrap().json().await.unwrap();
    let address = metadata["revocation_endpoint"].as_str().unwrap();
    assert_eq!(address, person.url("/mcp/revoke"));
    let revoke = async |form: &[(&str, &str)]| {
        let answer = client().post(address).form(form).send().await.unwrap();
        assert_eq!(answer.headers()["cache-control"], "no-store");
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let token = tokens["refresh_token"].as_str().unwrap();
    let (status, said) = revoke(&[("token_type_hint", "refresh_token")]).await;
    assert!(status == 400 && said.contains("invalid_request"), "{status} {said}");
    let other = "https://b.example/client.json";
    let (status, said) = revoke(&[("token", token), ("client_id", other)]).await;
    assert!(status == 400 && said.contains("invalid_grant"), "{status} {said}");
    let id = person.program.id();
    let (status, said) = revoke(&[("token", token), ("client_id", &id), ("client_id", &id)]).await;
    assert!(status == 400 && said.contains("invalid_request"), "{status} {said}");
    assert_eq!(person.call(&tokens["access_token"], "list_accounts").await.status(), 200);
    for _ in 0..2 {
        assert_eq!(revoke(&[("token", token), ("client_id", &id)]).await, (200, String::new()));
        let after = person.call(&tokens["access_token"], "list_accounts").await;
        assert_eq!(after.status(), StatusCode::UNAUTHORIZED);
    }
    assert_eq!(person.with_refresh(token).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_site_says_yes_and_nobody_grants_more_than_they_may() {
    let person = Person::start().await;
    let wish = person.wish();
    for (name, header, value) in [
        ("a foreign origin", ORIGIN.as_str(), "https://evil.example"),
        ("a page of another site", "sec-fetch-site", "cross-site"),
        ("a page of a neighbour", "sec-fetch-site", "same-site"),
    ] {
        let sent = person.answering(&wish, &AGENT).header(header, value);
        assert_eq!(sent.send().await.unwrap().status(), StatusCode::FORBIDDEN, "{name}");
    }
    for (name, scopes, want) in [
        ("nothing at all", &[][..], StatusCode::BAD_REQUEST),
        ("webhooks", &["posts:read", "webhooks:write"], StatusCode::FORBIDDEN),
        ("everything", &["*"], StatusCode::FORBIDDEN),
    ] {
        let answer = person.answering(&wish, scopes).send().await.unwrap();
        assert_eq!(answer.status(), want, "{name}");
    }
    // What a program may not ask for, it is told by a link that its person may follow; where it may
    // not be told, there is none.
    let plain = wish.replace("S256", "plain");
    let page = person.site.at(&format!("programs?{plain}"));
    let asked = person.open(&page).await;
    let answered = person.answering(&plain, &AGENT).send().await.unwrap();
    for answer in [asked, answered] {
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        assert_eq!(answer.headers().get(LOCATION), None, "nobody is sent on");
        let page = answer.text().await.unwrap();
        assert!(page.contains("error=invalid_request") && !page.contains("code="), "{page}");
        assert!(page.contains("a program on your own computer"), "{page}");
    }
    let elsewhere = wish.replace("127.0.0.1%3A49152", "evil.example");
    let answer = person.answering(&elsewhere, &AGENT).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(answer.headers().get(LOCATION), None);
    // Also what no program has fetched yet would stand here; lists show what is connected.
    let mut database = person.site.setup.connect().await;
    let grants: i64 =
        sqlx::query_scalar("SELECT count(*) FROM grants").fetch_one(&mut database).await.unwrap();
    assert_eq!(grants, 0, "nothing was granted");
    let log = person.site.setup.json(&[], &["log"]);
    let mut noted = log["data"].as_array().unwrap().iter();
    assert!(noted.all(|entry| entry["operation"] != "web_connect_program"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_inside_is_called_to_see_who_a_program_is() {
    let person = Person::start_with(&[]).await;
    let page = person.open(&person.site.at(&format!("programs?{}", person.wish()))).await;
    assert_eq!(page.status(), StatusCode::BAD_REQUEST);
    let answer = person.answering(&person.wish(), &AGENT).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(person.program.asked(), 0, "it was not called");
}
