//! The pages on which clients approve posts.

use chrono::TimeDelta;
use http::Method;
use scheduler_core::app::ApprovalInput;
use scheduler_core::ids::{MediaId, PostId};
use scheduler_core::media::{Media, MediaDescription, MediaKind, MediaStatus, Transfer};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Ids as _, MediaStore as _};
use scheduler_core::post::{ApprovalState, PostInput};
use scheduler_worker::UuidV7;
use serde_json::json;

use crate::support::{Answer, Client, World};

const HOSTILE: &str = "<script>alert('x')</script>\"&";

pub(crate) async fn show(world: &World, id: PostId) -> String {
    show_all(world, &[id]).await
}

async fn show_all(world: &World, ids: &[PostId]) -> String {
    let input = ApprovalInput {
        post_ids: ids.to_vec(),
        client: Some(HOSTILE.to_owned()),
        note: Some(HOSTILE.to_owned()),
        ..ApprovalInput::default()
    };
    let new = world.scheduler.create_approval(world.workspace.id, &input).await.unwrap();
    format!("/approve/{}", new.pass.expose())
}

pub(crate) async fn submit(client: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    let client = client.with("content-type", "application/x-www-form-urlencoded");
    client.send(Method::POST, path, &serde_urlencoded::to_string(fields).unwrap()).await
}

async fn browser(world: &World) -> Client {
    world.serve().await.without("authorization")
}

/// What the form of a page has hidden: the post, and what was seen of it.
pub(crate) fn hidden(page: &str) -> (String, String) {
    let field = |name: &str| {
        let (_, rest) = page.split_once(name).unwrap_or_else(|| panic!("{page}"));
        rest.split('"').next().unwrap().to_owned()
    };
    (field("name=\"post\" value=\""), field("name=\"seen\" value=\""))
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

    let (post, seen) = hidden(&html);
    let fields =
        [("post", post.as_str()), ("seen", seen.as_str()), ("decision", "changes"), ("note", "")];
    let empty = submit(&client, &path, &fields).await;
    assert_eq!(empty.status, 400);
    assert!(empty.text().contains("Write what should change."), "{}", empty.text());
    assert_eq!(state(&world, id), Some(ApprovalState::Pending));
    let long = "x".repeat(2_001);
    let fields = [
        ("post", post.as_str()),
        ("seen", seen.as_str()),
        ("decision", "changes"),
        ("note", long.as_str()),
    ];
    let refused = submit(&client, &path, &fields).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains(&long), "what was written is not lost");
    let fields = [
        ("post", post.as_str()),
        ("seen", seen.as_str()),
        ("decision", "changes"),
        ("note", HOSTILE),
    ];
    for _ in 0..2 {
        let answer = submit(&client, &path, &fields).await;
        assert_eq!(answer.status, 303);
        assert_eq!(answer.header("location"), path.strip_prefix("/approve/"));
        assert_eq!(state(&world, id), Some(ApprovalState::Changes));
    }
    let html = client.get(&path).await.text();
    assert!(html.contains("You have asked for changes on ") && !html.contains("<script"), "{html}");
    let fields =
        [("post", post.as_str()), ("seen", seen.as_str()), ("decision", "approve"), ("note", "")];
    assert_eq!(submit(&client, &path, &fields).await.status, 303);
    assert_eq!(state(&world, id), Some(ApprovalState::Approved));
    assert!(client.get(&path).await.text().contains("You have approved it on "));
    for decision in ["", "reject"] {
        let fields = [("post", post.as_str()), ("seen", seen.as_str()), ("decision", decision)];
        assert_eq!(submit(&client, &path, &fields).await.status, 400, "{decision}");
    }
}

#[tokio::test]
async fn a_post_that_changed_is_shown_again() {
    let world = World::new().await;
    let id = scheduled(&world, "First").await;
    let client = browser(&world).await;
    let path = show(&world, id).await;
    let (post, old) = hidden(&client.get(&path).await.text());
    change(&world, id, HOSTILE).await;
    let fields =
        [("post", post.as_str()), ("seen", old.as_str()), ("decision", "approve"), ("note", "Go!")];
    let answer = submit(&client, &path, &fields).await;
    assert_eq!(answer.status, 409);
    let html = answer.text();
    assert!(html.contains("has changed since you opened") && html.contains("Go!"), "{html}");
    assert!(html.contains("&#60;script&#62;") && !html.contains("<script"), "{html}");
    assert_eq!(state(&world, id), Some(ApprovalState::Pending));
    let (post, new) = hidden(&html);
    let fields =
        [("post", post.as_str()), ("seen", new.as_str()), ("decision", "approve"), ("note", "Go!")];
    assert_eq!(submit(&client, &path, &fields).await.status, 303);
}

#[tokio::test]
async fn several_posts_are_approved_alone_or_together() {
    let world = World::new().await;
    let account = world.connect(Platform::Bluesky, "ana").await;
    let mut ids = Vec::new();
    for hour in 1..=4 {
        let at = (world.now() + TimeDelta::hours(hour)).to_rfc3339();
        let content = format!("Number {hour}");
        ids.push(world.post(&account, &content, json!({"scheduledAt": at})).await.id);
    }
    let client = browser(&world).await;
    let path = show_all(&world, &ids).await;
    let html = client.get(&path).await.text();
    assert!(html.contains("Post 4 of 4") && html.contains("Approve all 4 as they are"), "{html}");
    assert!(html.contains("Hello &#60;script&#62;") && !html.contains("<script"), "{html}");
    // The forms stand in the order of the posts, the one for all before them.
    let of_post = |index: usize| {
        let article = format!("<article id=\"{}\"", ids[index]);
        hidden(html.split_once(&article).unwrap().1)
    };
    let (post, seen) = of_post(1);
    assert_eq!(post, ids[1].to_string());
    let fields = [("post", post.as_str()), ("seen", seen.as_str()), ("decision", "changes")];
    let answer = submit(&client, &path, &[&fields[..], &[("note", "Warmer")]].concat()).await;
    assert_eq!(answer.status, 303);
    let back = format!("{}#{post}", path.strip_prefix("/approve/").unwrap());
    assert_eq!(answer.header("location"), Some(back.as_str()));
    let html = client.get(&path).await.text();
    assert!(html.contains("Approve all 3 as they are") && html.contains("Warmer"), "{html}");
    assert!(html.contains("0 approved, 1 with changes asked for, 3 to decide."), "{html}");

    // One of three has changed when all are approved: those before it are, and it is shown anew.
    change(&world, ids[2], "Other").await;
    let all: Vec<(String, String)> = [0, 2, 3].map(of_post).to_vec();
    let fields: Vec<(&str, &str)> =
        all.iter().flat_map(|(post, seen)| [("post", post.as_str()), ("seen", seen)]).collect();
    let fields = [&fields[..], &[("decision", "approve")]].concat();
    let answer = submit(&client, &path, &fields).await;
    assert_eq!(answer.status, 409);
    assert!(answer.text().contains("A post has changed since"), "{}", answer.text());
    let states = [0, 1, 2, 3].map(|index| state(&world, ids[index]).unwrap().as_str());
    assert_eq!(states, ["approved", "changes", "pending", "pending"]);
    for fields in [
        vec![("decision", "approve")],
        vec![("post", "x"), ("seen", "y"), ("decision", "approve")],
        vec![("post", all[0].0.as_str()), ("decision", "approve")],
    ] {
        assert_eq!(submit(&client, &path, &fields).await.status, 400, "{fields:?}");
    }
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
    let (post, seen) = hidden(&client.get(&path).await.text());
    let fields = [("post", post.as_str()), ("seen", seen.as_str()), ("decision", "approve")];
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
    let (post, seen) = hidden(&client.get(&path).await.text());
    world.scheduler.delete_post(&world.caller().await, id, None).await.unwrap();
    let html = client.get(&path).await.text();
    assert!(html.contains("was cancelled") && !html.contains("<form"), "{html}");
    let fields = [("post", post.as_str()), ("seen", seen.as_str()), ("decision", "approve")];
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
    assert!(html.contains("Description: &#60;script&#62;") && !html.contains("<script"), "{html}");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'; "), "{policy}");
    // The files of this world lie in memory, where no browser could load them from.
    assert!(policy.ends_with("form-action 'self'") && !policy.contains("unsafe"), "{policy}");
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let world = World::new().await;
    let id = scheduled(&world, "x").await;
    let client = browser(&world).await;
    for path in [show(&world, id).await, "/approve/nothing".to_owned()] {
        for endpoint in
            scheduler_web::pages().iter().filter(|one| one.pattern.starts_with("/approve/"))
        {
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
