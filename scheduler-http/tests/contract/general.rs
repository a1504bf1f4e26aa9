//! What every endpoint answers alike: without a key, without a scope, from elsewhere, too often,
//! and to what is no request of the API.

use std::num::NonZeroU32;
use std::sync::Arc;

use chrono::TimeDelta;
use http::Method;
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_http::RateLimit;
use serde_json::{Value, json};

use crate::shapes::{CAPABILITIES, NEW_WEBHOOK};
use crate::table::{Row, TABLE};
use crate::world::{Tenant, World, serve, text};

/// A live post with its target, a file, an account and a webhook of a workspace.
struct Things {
    post: String,
    target: String,
    media: String,
    account: String,
    webhook: String,
}

impl Things {
    async fn of(tenant: &Tenant) -> Self {
        let account = tenant.connect(Platform::Mastodon, "a").await.id.to_string();
        let path = tenant.sent(Platform::Mastodon, "Hello").await;
        let [_, _, post, _, target] = path.split('/').collect::<Vec<_>>()[..] else {
            panic!("no path of a target: {path}")
        };
        let webhook = json!({"url": "https://receiver.example"});
        let webhook = tenant.post("/workspace/webhooks", &webhook).await.ok(201, &NEW_WEBHOOK);
        Self {
            post: post.to_owned(),
            target: target.to_owned(),
            media: tenant.file("image").await,
            account,
            webhook: text(&webhook["id"]),
        }
    }

    fn path(&self, row: &Row) -> String {
        let ids: &[&str] = if row.path.starts_with("/posts/{id}") {
            &[&self.post, &self.target, "c%2F1"]
        } else if row.path.starts_with("/media") {
            &[&self.media]
        } else if row.path.starts_with("/oauth") {
            &[&self.account]
        } else if row.path.starts_with("/snippets") {
            &["tags"]
        } else if row.path.starts_with("/ai") {
            &[&self.target]
        } else {
            &[&self.webhook]
        };
        // A look-up without its question would not do.
        let query = if row.path.ends_with("/mentions") { "?q=a" } else { "" };
        format!("{}{query}", row.filled(ids))
    }

    /// A body that the endpoint can read.
    fn body(&self, row: &Row) -> Value {
        match row.name().as_str() {
            "POST /posts/{id}/targets/{targetId}/comments/{commentId}" => {
                json!({"action": "reply", "text": "Hi"})
            }
            "PATCH /posts/{id}/targets/{targetId}/remote" => json!({"content": "Hi"}),
            "PATCH /posts/{id}/targets/{targetId}/account" => json!({"accountId": self.account}),
            "PUT /snippets/{name}" => json!({"text": "#bread"}),
            "PATCH /posts/{id}" => json!({"content": "Hi"}),
            "POST /media/{id}/complete" => json!({"parts": [{"partNumber": 1, "etag": "x"}]}),
            "POST /oauth/accounts/{id}/youtube/playlists" => json!({"title": "News"}),
            "POST /ai/review" => json!({"targetId": self.target}),
            _ => json!({}),
        }
    }
}

async fn call(tenant: &Tenant, row: &Row, path: &str, body: &Value) -> crate::world::Reply {
    let method: Method = row.method.parse().unwrap();
    match row.reads_body {
        true => tenant.json(method, path, body).await,
        false => tenant.send(method, path, "").await,
    }
}

async fn without_a_key(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    let stranger = world.stranger(&tenant);
    for row in TABLE.iter() {
        let path = things.path(row);
        if row.scope == "-" {
            call(&stranger, row, &path, &json!({})).await.ok(200, &CAPABILITIES);
            continue;
        }
        call(&stranger, row, &path, &json!({})).await.refused(401, "unauthorized");
    }
    let unknown = stranger.with("authorization", &format!("Bearer sk_{}", "0".repeat(43)));
    unknown.get("/posts").await.refused(401, "unauthorized");
    let short = tenant.keyed(&[Scope::All]).await;
    short.get("/posts").await.ok(200, &crate::shapes::POST_PAGE);
    world.clock.advance(TimeDelta::days(1));
    short.get("/posts").await.refused(401, "unauthorized");
}

async fn without_its_scope(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    for row in TABLE.iter().filter(|row| !matches!(row.scope, "-" | "any")) {
        let needed: Vec<&str> = row.scope.split(['+', '|']).collect();
        let lacking: Vec<Vec<Scope>> = if row.scope.contains('+') {
            // Each of both has to be there.
            needed.iter().map(|scope| all_but(&[*scope])).collect()
        } else {
            vec![all_but(&needed)]
        };
        for scopes in lacking {
            let tenant = tenant.keyed(&scopes).await;
            let reply = call(&tenant, row, &things.path(row), &things.body(row)).await;
            let message = text(&reply.refused(403, "forbidden")["message"]);
            let named = needed.iter().any(|scope| message.contains(scope));
            assert!(named, "{}: {message}", row.name());
        }
    }
}

async fn with_no_other_scope(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    for row in TABLE.iter().filter(|row| row.scope != "-") {
        let needed: Vec<&str> = row.scope.split(['+', '|']).collect();
        let scopes = Scope::ALL.into_iter().filter(|scope| needed.contains(&scope.as_str()));
        let mut scopes: Vec<Scope> = scopes.collect();
        if row.scope == "any" {
            scopes.push(Scope::WebhooksRead);
        }
        let keyed = tenant.keyed(&scopes).await;
        let reply = call(&keyed, row, &things.path(row), &things.body(row)).await;
        assert_ne!(reply.answer.status, 403, "{}", row.name());
    }
}

fn all_but(names: &[&str]) -> Vec<Scope> {
    let all = Scope::ALL.into_iter();
    all.filter(|scope| *scope != Scope::All && !names.contains(&scope.as_str())).collect()
}

async fn of_another_workspace(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    let other = world.tenant().await;
    other.connect(Platform::Mastodon, "b").await;
    // A name is of whoever saves something under it.
    let is_owned =
        |row: &&Row| (row.path.contains('{') && row.method != "PUT") || row.path == "/ai/review";
    for row in TABLE.iter().filter(is_owned) {
        let path = things.path(row);
        call(&other, row, &path, &things.body(row)).await.refused(404, "not_found");
        if row.path.contains("{targetId}/") {
            // The target is there, but of another post.
            let post = tenant.post_to(Platform::Mastodon, "x", json!({"saveAsDraft": true})).await;
            let path = path.replace(&things.post, &text(&post["id"]));
            call(&tenant, row, &path, &things.body(row)).await.refused(404, "not_found");
        }
    }
    other.get("/nothing").await.refused(404, "not_found");
    let shown = tenant.get(&format!("/posts/{}", things.post)).await;
    assert_eq!(shown.ok(200, &crate::shapes::POST)["targets"][0]["status"], "published");
}

async fn too_often(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    let once = NonZeroU32::MIN;
    let server = serve(&world.scheduler, RateLimit { per_minute: once, burst: once }).await;
    let limited = Tenant { client: server.keyed(&tenant.key), ..tenant.clone() };
    limited.get("/oauth/accounts").await.ok(200, &crate::shapes::ACCOUNTS);
    for row in TABLE.iter().filter(|row| row.scope != "-") {
        let reply = call(&limited, row, &things.path(row), &things.body(row)).await;
        reply.refused(429, "rate_limited");
    }
    world.clock.advance(TimeDelta::minutes(1));
    // The wall clock gives nothing back: the limit goes by time that passes evenly.
    limited.get("/oauth/accounts").await.refused(429, "rate_limited");
}

async fn no_request_of_the_api(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    for row in TABLE.iter() {
        let path = things.path(row);
        let method: Method = row.method.parse().unwrap();
        let unknown = format!("{}?nonsense=1", path.split('?').next().unwrap());
        tenant.send(method.clone(), &unknown, "").await.invalid("nonsense");
        let allowed: Vec<&str> = TABLE
            .iter()
            .filter(|other| other.path == row.path)
            .flat_map(|other| match other.method {
                "GET" => vec!["GET", "HEAD"],
                method => vec![method],
            })
            .collect();
        let other = if allowed.contains(&"PUT") { Method::POST } else { Method::PUT };
        let answer = tenant.send(other.clone(), &path, "").await.answer;
        assert_eq!(answer.refusal().0, 405, "{other} {path}");
        assert_eq!(answer.refusal().1, "invalid_request", "{other} {path}");
        assert_eq!(answer.header("allow"), Some(allowed.join(", ").as_str()), "{other} {path}");
        if !row.reads_body {
            continue;
        }
        let plain = tenant.with("content-type", "text/plain");
        plain.send(method.clone(), &path, "{}").await.refused(415, "invalid_request");
        let zipped = tenant.with("content-encoding", "gzip");
        zipped.json(method.clone(), &path, &json!({})).await.refused(415, "invalid_request");
        let json = tenant.with("content-type", "application/json");
        json.send(method.clone(), &path, "{\"").await.refused(400, "invalid_request");
        let nonsense = tenant.json(method.clone(), &path, &json!({"nonsense": 1})).await;
        nonsense.invalid("nonsense");
        let most = if row.path == "/posts/batch" { 8 << 20 } else { 1 << 20 };
        let large = format!("\"{}\"", "x".repeat(most));
        json.send(method, &path, &large).await.refused(413, "payload_too_large");
    }
}

async fn head_as_get(world: Arc<World>) {
    let tenant = world.tenant().await;
    let things = Things::of(&tenant).await;
    for row in TABLE.iter().filter(|row| row.method == "GET") {
        let path = things.path(row);
        let get = tenant.get(&path).await.answer;
        let head = tenant.send(Method::HEAD, &path, "").await.answer;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        let length = get.body.len().to_string();
        assert_eq!(head.header("content-length"), Some(length.as_str()), "{path}");
    }
}

scenarios!(
    without_a_key,
    without_its_scope,
    with_no_other_scope,
    of_another_workspace,
    too_often,
    no_request_of_the_api,
    head_as_get,
);
