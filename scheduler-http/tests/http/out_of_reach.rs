//! What a request can name but not have: things of other workspaces, and fields that only the
//! server sets.

use std::collections::BTreeSet;

use http::Method;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::coverage::rows;
use crate::exchange::{DOCUMENT, Operation, operations, resolved};
use crate::support::World;

/// An id that names nothing.
const NOBODYS: &str = "00000000-0000-7000-8000-000000000000";

#[tokio::test]
async fn things_of_another_workspace_cannot_be_named_in_a_body_or_a_query() {
    let world = World::new().await;
    let client = world.serve().await;
    let theirs = world.connect(Platform::Bluesky, "theirs").await;
    let (their_post, their_target) = world.live(&theirs).await;
    let their_file = world.ready_file().await.to_string();
    let (workspace, key) = world.other_workspace("other", Plan::Studio).await;
    let ours = world.connect_to(&workspace, Platform::Bluesky, "ours").await;
    let client = client.keyed(&key);
    let target = |account: &str| json!([{"platform": "bluesky", "accountId": account}]);
    let (theirs_id, ours_id) = (theirs.id.to_string(), ours.id.to_string());
    let draft = json!({"content": "x", "saveAsDraft": true, "targets": target(&ours_id)});
    let made = client.post("/v1/posts", &draft).await;
    assert_eq!(made.status, 201, "{made:?}");
    let draft = format!("/v1/posts/{}", made.json()["id"].as_str().unwrap());
    let target_id = their_target.rsplit('/').next().unwrap();
    for (name, method, path, body) in [
        (
            "an account to post to",
            Method::POST,
            "/v1/posts",
            json!({"content": "x", "saveAsDraft": true, "targets": target(&theirs_id)}),
        ),
        (
            "a file of a new post",
            Method::POST,
            "/v1/posts",
            json!({"content": "x", "saveAsDraft": true, "targets": target(&ours_id),
                   "mediaIds": [their_file]}),
        ),
        ("an account of a draft", Method::PATCH, &draft, json!({"targets": target(&theirs_id)})),
        ("a file of a draft", Method::PATCH, &draft, json!({"mediaIds": [their_file]})),
        (
            "a file of a dry run",
            Method::POST,
            "/v1/platforms/validate",
            json!({"content": "x", "targets": target(&ours_id), "mediaIds": [their_file]}),
        ),
        ("a target to review", Method::POST, "/v1/ai/review", json!({"targetId": target_id})),
    ] {
        let answer = client.json(method.clone(), path, &body).await;
        assert!(matches!(answer.status.as_u16(), 400 | 404), "{name}: {answer:?}");
        // An id that nobody has is answered in the same words.
        let anonymous = |text: String| {
            let ids = [theirs_id.as_str(), their_file.as_str(), target_id];
            ids.iter().fold(text, |text, id| text.replace(id, NOBODYS))
        };
        let unknown: Value = serde_json::from_str(&anonymous(body.to_string())).unwrap();
        let other = client.json(method, path, &unknown).await;
        assert_eq!(answer.status, other.status, "{name}");
        assert_eq!(anonymous(answer.text()), anonymous(other.text()), "{name}");
    }
    let filtered = client.get(&format!("/v1/posts?accountId={theirs_id}")).await;
    let listed = client.get("/v1/posts").await.text();
    assert!(!listed.contains(&their_post.id.to_string()), "{listed}");
    assert!(!filtered.text().contains(&their_post.id.to_string()), "{filtered:?}");
    assert_eq!(world.posts(workspace.id).len(), 1, "only the draft was made");
}

/// Requests that any endpoint takes from one workspace in a minute; each server counts by itself.
const A_MINUTE: usize = 60;

/// The names of the fields of a schema, and of those that it is put together from.
fn fields_of(at: &str, found: &mut BTreeSet<String>) {
    let (at, schema) = resolved(at);
    let Some(schema) = schema else { return };
    let properties = schema["properties"].as_object();
    found.extend(properties.into_iter().flatten().map(|(name, _)| name.clone()));
    for way in ["allOf", "oneOf", "anyOf"] {
        for index in 0..schema[way].as_array().map_or(0, Vec::len) {
            fields_of(&format!("{at}/{way}/{index}"), found);
        }
    }
}

/// Every name that a field of any object of the API has, in requests or answers.
fn every_field() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in DOCUMENT["components"]["schemas"].as_object().unwrap().keys() {
        fields_of(&format!("/components/schemas/{name}"), &mut found);
    }
    // What a careless server would take from anybody.
    found.extend(["workspace", "workspaceId", "plan", "scopes", "isAdmin", "role"].map(Into::into));
    found
}

fn body_of(operation: &Operation) -> BTreeSet<String> {
    let path = crate::exchange::escaped(operation.path);
    let at = format!("/paths/{path}/{}/requestBody", operation.method);
    let (at, _) = resolved(&at);
    let mut found = BTreeSet::new();
    fields_of(&format!("{at}/content/application~1json/schema"), &mut found);
    found
}

#[tokio::test]
async fn no_field_can_be_set_that_a_request_does_not_have() {
    let (world, client, rows) = rows().await;
    let before = world.posts(world.workspace.id);
    let every = every_field();
    let mut tried = 0_usize;
    for (endpoint, case) in rows.iter().filter(|(_, case)| case.reads_body) {
        let pattern = endpoint.pattern.strip_prefix("/v1").unwrap();
        let method = endpoint.method.as_str().to_ascii_lowercase();
        let mut all = operations();
        let operation = all.find(|one| one.path == pattern && one.method == method).unwrap();
        let own = body_of(&operation);
        assert!(!own.is_empty(), "{}", endpoint.name);
        let fields: Vec<&String> = every.difference(&own).collect();
        for fields in fields.chunks(A_MINUTE) {
            let client = world.serve().await;
            for field in fields {
                let body = json!({*field: "x"});
                let answer = client.json(endpoint.method.clone(), &case.path, &body).await;
                let want = (400, "invalid_request".into(), Some((*field).clone()));
                assert_eq!(answer.refusal(), want, "{}: {field}", endpoint.name);
                tried += 1;
            }
        }
    }
    // The same one level down: what a target of a post holds.
    let mut own = BTreeSet::new();
    fields_of("/components/schemas/TargetInput", &mut own);
    assert!(own.contains("accountId"), "{own:?}");
    for field in every.difference(&own) {
        let body = json!({"content": "x", "targets": [{"platform": "bluesky", field: "x"}]});
        for path in ["/v1/posts", "/v1/platforms/validate"] {
            let answer = client.post(path, &body).await;
            let (status, code, at) = answer.refusal();
            assert_eq!((status, code.as_str()), (400, "invalid_request"), "{path}: {field}");
            assert!(at.is_some_and(|at| at.ends_with(field.as_str())), "{path}: {field}");
            tried += 1;
        }
    }
    assert_eq!(world.posts(world.workspace.id), before, "nothing was changed");
    assert!(tried > 1_000, "{tried}");
}
