//! A sandbox that keeps what it holds in a folder, and goes on after its end.

use std::fs;
use std::path::Path;

use reqwest::Method;
use scheduler_sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use crate::bluesky::{Actor, post, procedure, rkey};
use crate::support::{Got, World, png, send};

fn kept_in(folder: &Path) -> Options {
    Options { folder: Some(folder.to_owned()), ..Options::default() }
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("requests.jsonl")
}

fn aside(folder: &Path) -> std::path::PathBuf {
    folder.join("requests.old.jsonl")
}

/// What is shown of everything.
async fn shown(world: &World) -> [Value; 3] {
    let get = async |call: &str| world.get(&format!("/_sandbox/{call}")).await.body;
    [get("posts").await, get("requests").await, get("received").await]
}

#[tokio::test]
async fn accounts_tokens_posts_faults_and_the_clock_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::start(kept_in(folder.path())).await;
    assert!(world.sandbox.is_new());
    let platforms: Vec<String> =
        shown(&world).await[2]["data"].as_object().unwrap().keys().cloned().collect();
    let mut accounts = Vec::new();
    for platform in platforms.iter().filter(|name| *name != "assistant") {
        accounts.push(world.account(platform, "ana").await);
    }
    assert_eq!(accounts.len(), 13);
    let bea = Actor::new(&world, "bea").await;
    assert_eq!(bea.put(&world, &rkey(0), &post("kept")).await.status, 200);
    assert_eq!(bea.upload(&world, "image/png", png(1)).await.status, 200);
    world.post("/_sandbox/clock", &json!({"advanceMilliseconds": 86_400_000})).await;
    let fault = json!({"platform": "bluesky", "operation": "any", "kind": "error500", "times": 2});
    world.arm(fault).await;
    assert_eq!(bea.put(&world, &rkey(1), &post("first hit")).await.status, 500);
    let (before, url) = (shown(&world).await, world.sandbox.url().to_owned());
    // Dropped as it stands, like a process that is killed.
    drop(world);

    let world = World::start(kept_in(folder.path())).await;
    assert!(!world.sandbox.is_new());
    assert_eq!(world.sandbox.url(), url);
    assert_eq!(shown(&world).await, before);
    assert_eq!(bea.put(&world, &rkey(1), &post("second hit")).await.status, 500);
    let refresh = "com.atproto.server.refreshSession";
    let renewed = procedure(&world, refresh, Some(&bea.refresh), &json!({})).await;
    assert_eq!(renewed.status, 200, "{renewed:?}");
    let bea = Actor { access: renewed.text_of("accessJwt"), ..bea };
    let got = bea.put(&world, &rkey(1), &post("after")).await;
    assert_eq!(got.status, 200, "{got:?}");
    let posts = world.posts("bluesky").await;
    let ahead: Vec<bool> =
        posts.iter().map(|post| post["createdAt"].as_str() > Some("2026-11-20T10")).collect();
    assert_eq!((posts.len(), ahead), (2, vec![true, true]), "{posts:?}");
    let before = shown(&world).await;
    world.sandbox.stop().await;

    let world = World::start(kept_in(folder.path())).await;
    assert_eq!(shown(&world).await, before, "stopped in peace");
}

/// Asks for the only thing that needs no account.
async fn make_account(world: &World, name: &str) -> Got {
    let body = json!({"platform": "bluesky", "name": name});
    send(world.request(Method::POST, "/_sandbox/accounts").json(&body)).await
}

#[tokio::test]
async fn what_was_held_is_done_once_or_never() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::start(kept_in(folder.path())).await;
    let ana = Actor::new(&world, "ana").await;
    let slow = |milliseconds: u64| {
        json!({
            "platform": "bluesky", "operation": "publish", "kind": "slow", "afterMs": milliseconds,
        })
    };
    world.arm(slow(1)).await;
    assert_eq!(ana.put(&world, &rkey(0), &post("late")).await.status, 200);
    world.arm(slow(3_600_000)).await;
    {
        let (key, never) = (rkey(1), post("never"));
        let mut held = std::pin::pin!(ana.put(&world, &key, &never));
        let count = world.requests().await.len();
        let arrived = async { while world.requests().await.len() == count {} };
        tokio::select! {
            got = &mut held => panic!("it is held: {got:?}"),
            () = arrived => {}
        }
    }
    let before = shown(&world).await;
    drop(world);
    let world = World::start(kept_in(folder.path())).await;
    assert_eq!(shown(&world).await, before);
    assert_eq!(world.posts("bluesky").await.len(), 1);
}

#[tokio::test]
async fn a_line_that_was_cut_off_was_never_answered() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::start(kept_in(folder.path())).await;
    assert_eq!(make_account(&world, "ana").await.status, 201);
    drop(world);
    let whole = fs::read(file(folder.path())).unwrap();
    fs::write(file(folder.path()), [&whole, &whole[whole.len() - 100..whole.len() - 20]].concat())
        .unwrap();

    let world = World::start(kept_in(folder.path())).await;
    assert_eq!(make_account(&world, "ana").await.status, 400, "ana is there");
    assert_eq!(make_account(&world, "bea").await.status, 201);
    drop(world);
    let world = World::start(kept_in(folder.path())).await;
    assert_eq!(make_account(&world, "bea").await.status, 400, "and so is bea");
}

#[tokio::test]
async fn the_file_of_another_version_is_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::start(kept_in(folder.path())).await;
    make_account(&world, "ana").await;
    drop(world);
    let text = fs::read_to_string(file(folder.path())).unwrap();
    let version = concat!("\"version\":\"", env!("CARGO_PKG_VERSION"));
    fs::write(file(folder.path()), text.replacen(version, "\"version\":\"0.0.0", 1)).unwrap();
    let world = World::start(kept_in(folder.path())).await;
    assert!(world.sandbox.is_new());
    assert_eq!(make_account(&world, "ana").await.status, 201);
    assert!(aside(folder.path()).exists());
}

#[tokio::test]
async fn a_file_that_cannot_be_done_again_is_put_aside() {
    for (name, event) in [
        ("no event", json!({})),
        ("an event that nobody knows", json!({"paused": 1})),
        ("a request that was never held", json!({"held": 99})),
        ("a file that was never fetched", json!({"fetched": [99, null]})),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let world = World::start(kept_in(folder.path())).await;
        make_account(&world, "ana").await;
        let url = world.sandbox.url().to_owned();
        drop(world);
        let mut text = fs::read_to_string(file(folder.path())).unwrap();
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        text += &json!({"moment": last["moment"], "event": event}).to_string();
        text += "\n";
        fs::write(file(folder.path()), &text).unwrap();

        let world = World::start(kept_in(folder.path())).await;
        assert!(world.sandbox.is_new(), "{name}");
        assert_eq!(world.sandbox.url(), url, "{name}");
        assert_eq!(fs::read_to_string(aside(folder.path())).unwrap(), text, "{name}");
        assert_eq!(make_account(&world, "ana").await.status, 201, "{name}: nothing is left");
        drop(world);
        let world = World::start(kept_in(folder.path())).await;
        assert!(!world.sandbox.is_new(), "{name}");
        assert_eq!(make_account(&world, "ana").await.status, 400, "{name}: it goes on");
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    fs::write(&taken, "a file").unwrap();
    let listen = "127.0.0.1:0".parse().unwrap();
    let error = Sandbox::start(listen, kept_in(&taken)).await.unwrap_err();
    assert!(error.to_string().contains(&taken.display().to_string()), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_kept_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/sandbox");
    let _world = World::start(kept_in(&inner)).await;
    for (path, mode) in [(inner.clone(), 0o700), (file(&inner), 0o600)] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, mode);
    }
}
