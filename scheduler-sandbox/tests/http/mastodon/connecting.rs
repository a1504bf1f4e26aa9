//! Apps, authorisation and tokens.

use reqwest::Method;
use serde_json::{Value, json};

use super::Actor;
use crate::support::{Got, World, send};

const REDIRECT: &str = "https://app.example/back";
const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";
const SCOPES: &str = "read:accounts write:statuses";
/// Source: RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async fn register(world: &World) -> Got {
    let body = json!({
        "client_name": "Ours",
        "redirect_uris": format!("{REDIRECT} {OUT_OF_BAND}"),
        "scopes": "read write:statuses",
        "website": "https://app.example",
    });
    let app = world.post("/mastodon/api/v1/apps", &body).await;
    assert_eq!(app.status, 200, "{app:?}");
    app
}

async fn form(world: &World, path: &str, fields: &[(&str, &str)]) -> Got {
    send(world.request(Method::POST, &format!("/mastodon{path}")).form(fields)).await
}

/// Allows the app and returns where the browser is sent.
async fn allow(world: &World, client_id: &str, redirect: &str, account: &str) -> String {
    let fields = [
        ("client_id", client_id),
        ("redirect_uri", redirect),
        ("response_type", "code"),
        ("scope", SCOPES),
        ("state", "s&1"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("account", account),
        ("decision", "authorize"),
    ];
    let got = form(world, "/oauth/authorize", &fields).await;
    assert_eq!(got.status, 302, "{got:?}");
    got.header("location").unwrap().to_owned()
}

fn code_of(location: &str) -> String {
    let after = location.split("code=").nth(1).unwrap();
    after.split('&').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_whole_way_from_app_to_token() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let app = register(&world).await;
    assert_eq!(app.body["client_secret_expires_at"], 0);
    let (id, secret) = (app.text_of("client_id"), app.text_of("client_secret"));

    let page = world.request(Method::GET, "/mastodon/oauth/authorize").query(&[
        ("client_id", id.as_str()),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("scope", SCOPES),
        ("state", "\"><script>"),
    ]);
    let page = send(page).await;
    assert!(
        page.status == 200 && page.text.contains("<button") && page.text.contains("@ana"),
        "{page:?}"
    );
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let location = allow(&world, &id, REDIRECT, &ana.id).await;
    assert!(location.starts_with(REDIRECT) && location.ends_with("&state=s%261"), "{location}");
    let code = code_of(&location);
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("client_id", &id),
        ("client_secret", &secret),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    let token = form(&world, "/oauth/token", &fields).await;
    assert_eq!(
        (token.status, token.text_of("scope").as_str(), token.text_of("token_type").as_str()),
        (200, SCOPES, "Bearer")
    );
    let again = form(&world, "/oauth/token", &fields).await;
    assert_eq!(
        (again.status, again.text_of("error").as_str()),
        (400, "invalid_grant"),
        "a code works once"
    );

    let ours =
        Actor { token: token.text_of("access_token"), id: ana.id.clone(), acct: ana.acct.clone() };
    let me = ours.get(&world, "/api/v1/accounts/verify_credentials").await;
    assert_eq!(me.body["id"], ana.id);
    assert_eq!(
        ours.say(&world, "hi").await.body["application"],
        json!({"name": "Ours", "website": "https://app.example"})
    );
    let outside = ours.get(&world, "/api/v1/accounts/search?q=a").await;
    assert_eq!(outside.status, 200, "read:accounts is enough");
    let outside = ours.upload(&world, "image/png", crate::support::png(1)).await;
    assert_eq!(
        (outside.status, outside.text_of("error").as_str()),
        (403, "This action is outside the authorized scopes")
    );

    let fields = [("client_id", id.as_str()), ("client_secret", &secret), ("token", &ours.token)];
    assert_eq!(form(&world, "/oauth/revoke", &fields).await.body, json!({}));
    let revoked = ours.say(&world, "hi").await;
    assert_eq!(
        (revoked.status, revoked.text_of("error").as_str()),
        (401, "The access token was revoked")
    );
    let stranger = [("client_id", id.as_str()), ("client_secret", "no"), ("token", &ours.token)];
    let refused = form(&world, "/oauth/revoke", &stranger).await;
    assert_eq!((refused.status, refused.text_of("error").as_str()), (403, "unauthorized_client"));
}

#[tokio::test]
async fn a_code_is_shown_to_the_person_and_a_new_account_can_be_made() {
    let world = World::default().await;
    let app = register(&world).await;
    let location = allow(&world, &app.text_of("client_id"), OUT_OF_BAND, "new").await;
    let path = location.strip_prefix(world.sandbox.url()).unwrap();
    let page = world.get(path).await;
    assert!(page.text.contains(&format!("<code>{}</code>", code_of(&location))), "{page:?}");
}

#[tokio::test]
async fn every_way_a_token_is_not_given() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let app = register(&world).await;
    let other = register(&world).await;
    let (id, secret) = (app.text_of("client_id"), app.text_of("client_secret"));
    let (other_id, other_secret) = (other.text_of("client_id"), other.text_of("client_secret"));
    let grant = "authorization_code";
    for (name, grant, id_sent, secret_sent, redirect, verifier, status, error) in [
        ("wrong secret", grant, &id, "no", REDIRECT, VERIFIER, 401, "invalid_client"),
        ("unknown app", grant, &"x".to_owned(), "no", REDIRECT, VERIFIER, 401, "invalid_client"),
        (
            "another app",
            grant,
            &other_id,
            other_secret.as_str(),
            REDIRECT,
            VERIFIER,
            400,
            "invalid_grant",
        ),
        ("other address", grant, &id, &secret, OUT_OF_BAND, VERIFIER, 400, "invalid_grant"),
        ("wrong verifier", grant, &id, &secret, REDIRECT, "no", 400, "invalid_grant"),
        (
            "other grant",
            "password",
            &id,
            &secret,
            REDIRECT,
            VERIFIER,
            400,
            "unsupported_grant_type",
        ),
    ] {
        let code = code_of(&allow(&world, &id, REDIRECT, &ana.id).await);
        let fields = [
            ("grant_type", grant),
            ("code", &code),
            ("client_id", id_sent.as_str()),
            ("client_secret", secret_sent),
            ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ];
        let got = form(&world, "/oauth/token", &fields).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{name}");
        assert!(!got.text_of("error_description").is_empty(), "{name}");
    }
    let nameless = world.post("/mastodon/api/v1/apps", &json!({})).await;
    assert_eq!(
        (nameless.status, nameless.text_of("error").as_str()),
        (422, "Validation failed: Application name can't be blank, Redirect URI can't be blank")
    );
}

#[tokio::test]
async fn a_request_for_authorisation_that_is_not_in_order() {
    let world = World::default().await;
    let app = register(&world).await;
    let id = app.text_of("client_id");
    for (name, member, value, status, want) in [
        ("unknown app", "client_id", "x", 401, None),
        ("other address", "redirect_uri", "https://evil.example", 400, None),
        ("scope", "scope", "admin:write", 302, Some("error=invalid_scope")),
        ("response type", "response_type", "token", 302, Some("error=unsupported_response_type")),
        (
            "plain challenge",
            "code_challenge_method",
            "plain",
            302,
            Some("error=invalid_code_challenge_method"),
        ),
        ("denied", "decision", "deny", 302, Some("error=access_denied")),
    ] {
        let mut fields = json!({
            "client_id": id, "redirect_uri": REDIRECT, "response_type": "code", "scope": SCOPES,
            "state": "s", "code_challenge": CHALLENGE, "code_challenge_method": "S256",
        });
        fields[member] = json!(value);
        let got =
            send(world.request(Method::POST, "/mastodon/oauth/authorize").form(&fields)).await;
        assert_eq!(got.status, status, "{name}");
        if let Some(want) = want {
            let location = got.header("location").unwrap();
            assert!(
                location.starts_with(REDIRECT)
                    && location.contains(want)
                    && location.contains("state=s"),
                "{name}: {location}"
            );
        }
    }
}

#[tokio::test]
async fn tokens_that_do_not_speak_for_a_person() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let app = register(&world).await;
    let (id, secret) = (app.text_of("client_id"), app.text_of("client_secret"));
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", id.as_str()),
        ("client_secret", &secret),
        ("scope", "write:statuses"),
    ];
    let of_app = form(&world, "/oauth/token", &fields).await.text_of("access_token");
    let invalid = "The access token is invalid";
    for (name, token, status, error) in [
        ("of an app", Some(of_app.as_str()), 422, "This method requires an authenticated user"),
        ("made up", Some("x"), 401, invalid),
        ("none", None, 401, invalid),
    ] {
        let mut request =
            world.request(Method::POST, "/mastodon/api/v1/statuses").json(&json!({"status": "x"}));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let got = send(request).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{name}");
    }
    let everything = serde_json::to_string(&world.requests().await).unwrap();
    for secret in [&secret, &of_app, &ana.token] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
    let metadata = world.get("/mastodon/.well-known/oauth-authorization-server").await;
    assert_eq!(metadata.body["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(world.posts("mastodon").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_token_tells_its_app() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let app = ana.get(&world, "/api/v1/apps/verify_credentials").await;
    assert_eq!((app.status, app.text_of("name").as_str()), (200, "Scheduler"));
    let scopes = [
        "read:accounts",
        "read:search",
        "read:statuses",
        "write:favourites",
        "write:media",
        "write:statuses",
    ];
    assert_eq!(app.body["scopes"], json!(scopes));

    let registered = register(&world).await;
    let token = form(
        &world,
        "/oauth/token",
        &[
            ("grant_type", "client_credentials"),
            ("client_id", &registered.text_of("client_id")),
            ("client_secret", &registered.text_of("client_secret")),
            ("scope", "read"),
        ],
    )
    .await;
    let request = world.request(Method::GET, "/mastodon/api/v1/apps/verify_credentials");
    let app = send(request.bearer_auth(token.text_of("access_token"))).await;
    assert_eq!(app.body["name"], "Ours");
    assert_eq!(app.body["scopes"], json!(["read", "write:statuses"]));
    assert_eq!(world.get("/mastodon/api/v1/apps/verify_credentials").await.status, 401);
}
