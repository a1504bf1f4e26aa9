//! The pages on which clients approve posts.

use chrono::TimeDelta;
use http::Method;
use scheduler_core::ids::{MediaId, PostId};
use scheduler_core::media::{Media, MediaDescription, MediaKind, MediaStatus, Transfer};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Ids as _, MediaStore as _};
use scheduler_core::post::{ApprovalState, PostInput};
use scheduler_http::endpoints;
use scheduler_worker::UuidV7;
use serde_json::json;

use crate::support::{Answer, Client, World};

const HOSTILE: &str = "<script>alert('x')</script>\"&";

async fn show(world: &World, id: PostId) -> String {
    let day = TimeDelta::days(1);
    let new = world.scheduler.create_approval(world.workspace.id, id, day).await.unwrap();
    format!("/approve/{}", new.pass.expose())
}

async fn submit(client: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    let client = client.with("content-type", "application/x-www-form-urlencoded");
    client.send(Method::POST, path, &serde_urlencoded::to_string(fields).unwrap()).await
}

async fn browser(world: &World) -> Client {
    world.serve().await.without("authorization")
}

/// The value of the hidden field of a page.
fn seen(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"seen\" value=\"").unwrap_or_else(|| panic!("{page}"));
    rest.split('"').next().unwrap().to_owned()
}

fn state(world: &World, id: PostId) -> Option<ApprovalState> {
    let posts = world.posts(world.workspace.id);
    posts.into_iter().find(|post| post.id == id).unwrap().approval_state
}

async fn change(world: &World, id: PostId, content: &str) {
    let input: PostInput = serde_json::from_value(json!({"content": content})).unwrap();
    world.scheduler.update_post(&world.caller().await, id, input, None).await.unwrap();
}

async fn scheduled(world: &World, content: &str) -> PostId {
    let account = world.connect(Platform::Bluesky, "ana").await;
    let at = (world.now() + TimeDelta::hours(3)).to_rfc3339();
    world.post(&account, content, json!({"scheduledAt": at})).await.id
}

#[tokio::test]
async fn a_client_looks_asks_for_changes_and_approves() {
    let world = World::new().await;
    let id = scheduled(&world, "To the fair").await;
    let client = browser(&world).await;
    let path = show(&world, id).await;
    let page = client.get(&path).await;
    assert_eq!(page.status, 200);
    let html = page.text();
    assert!(html.contains("<strong>default</strong>") && html.contains("To the fair"), "{html}");
    assert!(html.contains("Bluesky: ") && html.contains("(UTC)."), "{html}");
    assert_eq!(client.send(Method::HEAD, &path, "").await.status, 200);

    let seen = seen(&html);
    let fields = [("seen", seen.as_str()), ("decision", "changes"), ("note", "")];
    let empty = submit(&client, &path, &fields).await;
    assert_eq!(empty.status, 400);
    assert!(empty.text().contains("Write what should change."), "{}", empty.text());
    assert_eq!(state(&world, id), Some(ApprovalState::Pending));
    let long = "x".repeat(2_001);
    let fields = [("seen", seen.as_str()), ("decision", "changes"), ("note", long.as_str())];
    let refused = submit(&client, &path, &fields).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains(&long), "what was written is not lost");
    let fields = [("seen", seen.as_str()), ("decision", "changes"), ("note", HOSTILE)];
    for _ in 0..2 {
        let answer = submit(&client, &path, &fields).await;
        assert_eq!(answer.status, 303);
        assert_eq!(answer.header("location"), path.strip_prefix("/approve/"));
        assert_eq!(state(&world, id), Some(ApprovalState::Changes));
    }
    let html = client.get(&path).await.text();
    assert!(html.contains("You have asked for changes on ") && !html.contains("<script"), "{html}");
    let fields = [("seen", seen.as_str()), ("decision", "approve"), ("note", "")];
    assert_eq!(submit(&client, &path, &fields).await.status, 303);
    assert_eq!(state(&world, id), Some(ApprovalState::Approved));
    assert!(client.get(&path).await.text().contains("You have approved it on "));
    for decision in ["", "reject"] {
        let fields = [("seen", seen.as_str()), ("decision", decision)];
        assert_eq!(submit(&client, &path, &fields).await.status, 400, "{decision}");
    }
}

#[tokio::test]
async fn a_post_that_changed_is_shown_again() {
    let world = World::new().await;
    let id = scheduled(&world, "First").await;
    let client = browser(&world).await;
    let path = show(&world, id).await;
    let old = seen(&client.get(&path).await.text());
    change(&world, id, HOSTILE).await;
    let fields = [("seen", old.as_str()), ("decision", "approve"), ("note", "Go!")];
    let answer = submit(&client, &path, &fields).await;
    assert_eq!(answer.status, 409);
    let html = answer.text();
    assert!(html.contains("has changed since you opened") && html.contains("Go!"), "{html}");
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script"), "{html}");
    assert_eq!(state(&world, id), Some(ApprovalState::Pending));
    let new = seen(&html);
    let fields = [("seen", new.as_str()), ("decision", "approve"), ("note", "Go!")];
    assert_eq!(submit(&client, &path, &fields).await.status, 303);
}

#[tokio::test]
async fn links_that_lead_nowhere_say_so() {
    let world = World::new().await;
    let id = scheduled(&world, "x").await;
    let client = browser(&world).await;
    let path = show(&world, id).await;
    let replaced = path.clone();
    let path = show(&world, id).await;
    world.scheduler.withdraw_approval(world.workspace.id, id).await.unwrap();
    let unknown = format!("/approve/{}", "A".repeat(43));
    for path in [replaced.as_str(), &path, &unknown, "/approve/short", "/approve/%3Cscript%3E"] {
        for answer in
            [client.get(path).await, submit(&client, path, &[("decision", "approve")]).await]
        {
            assert_eq!(answer.status, 404, "{path}");
            assert!(answer.text().contains("There is no post under this link"), "{path}");
        }
    }
    assert_eq!(client.send(Method::DELETE, &unknown, "").await.status, 405);
}

#[tokio::test]
async fn forms_of_other_sites_decide_nothing() {
    let world = World::new().await;
    let id = scheduled(&world, "x").await;
    let client = browser(&world).await;
    let path = show(&world, id).await;
    let seen = seen(&client.get(&path).await.text());
    let fields = [("seen", seen.as_str()), ("decision", "approve")];
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
    ] {
        let answer = submit(&client.with(name, value), &path, &fields).await;
        assert_eq!(answer.status, 403, "{name} {value}");
        assert_eq!(state(&world, id), Some(ApprovalState::Pending));
    }
    let own = client.with("sec-fetch-site", "same-origin");
    assert_eq!(submit(&own, &path, &fields).await.status, 303);
}

#[tokio::test]
async fn what_has_begun_cannot_be_decided_any_more() {
    let world = World::new().await;
    let id = scheduled(&world, "x").await;
    let client = browser(&world).await;
    let path = show(&world, id).await;
    let seen = seen(&client.get(&path).await.text());
    world.scheduler.delete_post(&world.caller().await, id, None).await.unwrap();
    let html = client.get(&path).await.text();
    assert!(html.contains("was cancelled") && !html.contains("<form"), "{html}");
    let fields = [("seen", seen.as_str()), ("decision", "approve")];
    let answer = submit(&client, &path, &fields).await;
    assert_eq!(answer.status, 409);
    assert!(answer.text().contains("canceled"), "{}", answer.text());
}

#[tokio::test]
async fn files_are_seen_under_their_own_links_and_nothing_else_is_loaded() {
    let world = World::new().await;
    let media = Media {
        id: MediaId(UuidV7.next(world.now())),
        workspace_id: world.workspace.id,
        kind: MediaKind::Image,
        status: MediaStatus::Ready,
        mime_type: Some("image/png".into()),
        size_bytes: Some(1_000),
        duration_seconds: None,
        width: Some(100),
        height: Some(100),
        fps: None,
        video_codec: None,
        frame_count: None,
        file_name: Some(format!("{HOSTILE}.png")),
        description: MediaDescription::default(),
        error: None,
        created_at: world.now(),
        transfer: Transfer::Single,
        has_preview: true,
        due_at: None,
        tries: 0,
        version: 0,
    };
    world.store.inner.create_media(&media, u64::MAX, None).await.unwrap();
    let account = world.connect(Platform::Bluesky, "ana").await;
    let body = json!({"saveAsDraft": true, "mediaIds": [media.id], "altTexts": [HOSTILE]});
    let id = world.post(&account, "x", body).await.id;
    let client = browser(&world).await;
    let page = client.get(&show(&world, id).await).await;
    let html = page.text();
    let (_, rest) = html.split_once("<img src=\"").unwrap_or_else(|| panic!("{html}"));
    let link = rest.split('"').next().unwrap().replace("&amp;", "&");
    assert!(link.contains("/preview"), "{link}");
    assert!(html.contains("Description: &lt;script&gt;") && !html.contains("<script"), "{html}");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    // The files of this world lie in memory, where no browser could load them from.
    assert!(policy.ends_with("form-action 'self'") && !policy.contains("unsafe"), "{policy}");
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let world = World::new().await;
    let id = scheduled(&world, "x").await;
    let client = browser(&world).await;
    for path in [show(&world, id).await, "/approve/nothing".to_owned()] {
        for endpoint in endpoints::all().filter(|one| one.pattern.starts_with("/approve/")) {
            let answer = client.send(endpoint.method.clone(), &path, "decision=x").await;
            let name = format!("{} {path}", endpoint.method);
            for (header, want) in [
                ("content-type", "text/html; charset=utf-8"),
                ("cache-control", "no-store"),
                ("referrer-policy", "no-referrer"),
                ("x-content-type-options", "nosniff"),
                ("x-frame-options", "DENY"),
            ] {
                assert_eq!(answer.header(header), Some(want), "{name} {header}");
            }
            let policy = answer.header("content-security-policy").unwrap();
            assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
            assert!(policy.contains("form-action 'self'"), "{policy}");
        }
    }
}
