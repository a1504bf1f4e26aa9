//! The page, tokens, and what they open.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, encoded, post};
use crate::support::{Got, World, png, send};

pub(super) const REDIRECT: &str = "https://app.example/back";

async fn form(world: &World, path: &str, fields: &[(&str, &str)]) -> Got {
    send(world.request(Method::POST, &format!("/linkedin{path}")).form(fields)).await
}

/// Lets an application in with these permissions and returns where the browser is sent.
pub(super) async fn allow(world: &World, member: &str, scope: &str) -> String {
    let fields = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("state", "s&1"),
        ("scope", scope),
        ("member", member.rsplit_once(':').unwrap().1),
        ("decision", "allow"),
    ];
    let got = form(world, "/oauth/v2/authorization", &fields).await;
    assert_eq!(got.status, 302, "{got:?}");
    got.header("location").unwrap().to_owned()
}

pub(super) async fn exchange(
    world: &World,
    location: &str,
    client_id: &str,
    redirect: &str,
) -> Got {
    let code = location.split("code=").nth(1).unwrap().split('&').next().unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("client_id", client_id),
        ("client_secret", "secret"),
        ("redirect_uri", redirect),
    ];
    form(world, "/oauth/v2/accessToken", &fields).await
}

#[tokio::test]
async fn a_code_becomes_a_token_that_may_do_what_was_allowed() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let query = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", "openid profile"),
        ("state", "\"><script>"),
    ];
    let page = world.request(Method::GET, "/linkedin/oauth/v2/authorization").query(&query);
    let page = send(page).await;
    assert!(page.text.contains("<button") && page.text.contains(">Ana<"), "{page:?}");
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let location = allow(&world, &ana.member, "openid profile w_member_social").await;
    assert!(location.starts_with(REDIRECT) && location.ends_with("&state=s%261"), "{location}");
    let token = exchange(&world, &location, "app", REDIRECT).await;
    assert_eq!(token.body["expires_in"], 5_184_000);
    assert_eq!(token.body["scope"], "openid,profile,w_member_social");
    let again = exchange(&world, &location, "app", REDIRECT).await;
    assert_eq!((again.status, again.text_of("error").as_str()), (400, "invalid_grant"));

    let ours = Actor { token: token.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    let user = ours.get(&world, "/v2/userinfo").await;
    assert_eq!(user.body["name"], "Ana");
    assert_eq!(ours.publish(&world, &post(&ana.member, "x")).await.status, 201);
    let body = json!({ "initializeUploadRequest": { "owner": ana.member } });
    let image = ours.post(&world, "/rest/images?action=initializeUpload", &body).await;
    let url = image.body["value"]["uploadUrl"].as_str().unwrap();
    let url = url.strip_prefix(world.sandbox.url()).unwrap().to_owned();
    let put = world.request(Method::PUT, &url).header("content-type", "image/png");
    assert_eq!(send(put.bearer_auth(&ours.token).body(png(1))).await.status, 201);
    let image = encoded(image.body["value"]["image"].as_str().unwrap());
    for (name, path) in [
        ("files", format!("/rest/images/{image}")),
        ("pages", "/rest/organizationAcls?q=roleAssignee".to_owned()),
        ("followers", "/rest/memberFollowersCount?q=me".to_owned()),
        (
            "figures",
            "/rest/memberCreatorPostAnalytics?q=entity&entity=(share:urn%3Ali%3Ashare%3A1)&aggregation=TOTAL"
                .to_owned(),
        ),
    ] {
        let got = ours.get(&world, &path).await;
        assert_eq!((got.status, code(&got)), (403, "ACCESS_DENIED"), "{name}");
    }
}

#[tokio::test]
async fn every_way_a_token_is_not_given() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, client, redirect, status, error) in [
        ("another application", "other", REDIRECT, 400, "invalid_grant"),
        ("another address", "app", "https://evil.example", 400, "invalid_grant"),
        ("no application", "", REDIRECT, 401, "invalid_client"),
    ] {
        let location = allow(&world, &ana.member, "openid").await;
        let got = exchange(&world, &location, client, redirect).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{name}");
    }
    for (name, member, value, want) in [
        ("a permission", "scope", "r_everything", "error=unauthorized_scope_error"),
        ("a kind", "response_type", "token", "error=unsupported_response_type"),
        ("a refusal", "decision", "cancel", "error=user_cancelled_authorize"),
    ] {
        let mut fields = json!({
            "response_type": "code", "client_id": "app", "redirect_uri": REDIRECT,
            "state": "s", "scope": "openid",
        });
        fields[member] = json!(value);
        let path = "/linkedin/oauth/v2/authorization";
        let got = send(world.request(Method::POST, path).form(&fields)).await;
        let location = got.header("location").unwrap();
        assert!(location.contains(want) && location.ends_with("state=s"), "{name}: {location}");
    }
}

#[tokio::test]
async fn a_refresh_gives_another_token_and_the_same_refresh_token() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let refresh = async |token: &str| {
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", token),
            ("client_id", "app"),
            ("client_secret", "secret"),
        ];
        form(&world, "/oauth/v2/accessToken", &fields).await
    };
    let first = refresh(&ana.refresh_token).await;
    assert_eq!(first.text_of("refresh_token"), ana.refresh_token);
    let renewed = Actor { token: first.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    assert_eq!(renewed.get(&world, "/v2/userinfo").await.body["name"], "Ana");
    let unknown = refresh("x").await;
    assert_eq!((unknown.status, unknown.text_of("error").as_str()), (400, "invalid_grant"));

    let revoke = [("client_id", "app"), ("client_secret", "s"), ("token", &ana.token)];
    assert_eq!(form(&world, "/oauth/v2/revoke", &revoke).await.status, 200);
    let revoked = ana.get(&world, "/v2/userinfo").await;
    assert_eq!((revoked.status, code(&revoked)), (401, "REVOKED_ACCESS_TOKEN"));
    let everything = serde_json::to_string(&world.requests().await).unwrap();
    for secret in [&ana.token, &ana.refresh_token] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
}

#[tokio::test]
async fn the_pages_of_a_member() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana Bell").await;
    let ben = Actor::new(&world, "Ben").await;
    let path = "/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED";
    let roles = ana.get(&world, path).await;
    assert_eq!(roles.body["elements"][0]["organization"], ana.page);
    assert_eq!(roles.body["elements"].as_array().unwrap().len(), 1);
    let id = ana.page.rsplit_once(':').unwrap().1;
    let many = ana.get(&world, &format!("/rest/organizations?ids=List({id},1)")).await;
    assert_eq!(many.body["results"][id]["localizedName"], "Ana Bell Ltd");
    assert_eq!(many.body["statuses"]["1"], 404);
    let named = ben.get(&world, "/rest/organizations?q=vanityName&vanityName=ana-bell").await;
    assert_eq!(named.body["elements"][0]["vanityName"], "ana-bell");
    let none = ben.get(&world, "/rest/organizations?q=vanityName&vanityName=ana").await;
    assert_eq!(none.body["elements"], Value::Array(Vec::new()));
    assert_eq!(ana.get(&world, &format!("/rest/organizations/{id}")).await.status, 200);
    assert_eq!(ben.get(&world, &format!("/rest/organizations/{id}")).await.status, 403);
}
