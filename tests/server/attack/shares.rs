//! One workspace whose servers hang takes its share of a server, and another goes on.
//!
//! In the short form what is judged is that everything of the other has ended before anything of
//! the one has; in the long form, how much longer the other has to wait.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{Row, crowd, is_long, sized};
use crate::files::{id_of, picture, post, put, ready};
use crate::support::{Networks, Receiver, Setup, Tenant, backends, film, wait_for};

/// Of each kind: what the one workspace asks for at once.
fn slow() -> usize {
    sized(8, 32)
}

/// Posts, events and files of the other workspace, one after the other.
fn rounds() -> usize {
    sized(12, 100)
}

/// A place that takes connections, and answers nobody.
struct Hanging {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Hanging {
    /// `head` is answered at once, and nothing after it.
    async fn start(head: &'static [u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.read(&mut [0; 4096]).await;
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = stream.write_all(head).await;
                held.push(stream);
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// A program in the place of `ffmpeg` that takes as long as it may: it stops itself, since what is
/// confined starts no other.
fn slow_ffmpeg(folder: &Path) -> String {
    let path = folder.join("slow-ffmpeg");
    std::fs::write(&path, "#!/bin/sh\nkill -STOP $$\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// What 99 of a hundred times keep within.
fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[(times.len() * 99).div_ceil(100) - 1]
}

/// A post, its event and a file of a workspace; how long each took.
async fn round(tenant: &Tenant, receiver: &Receiver, file: &[u8], number: usize) -> [Duration; 3] {
    let begun = Instant::now();
    let created = tenant
        .api
        .create(&json!({
            "content": format!("quick {number}"),
            "publishNow": true,
            "targets": [{"platform": "mastodon"}],
        }))
        .await;
    let ended = tenant.api.ended(created["id"].as_str().unwrap()).await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
    let published = begun.elapsed();
    let published_event = async || {
        let events = receiver.events();
        let of = |event: &Value| event["data"]["postId"] == created["id"];
        events.iter().any(of).then_some(())
    };
    wait_for("the event", published_event).await;
    let delivered = begun.elapsed();

    let begun = Instant::now();
    let body = json!({"kind": "image", "sizeBytes": file.len()});
    let (_, declared) = post(&tenant.api, "/media", &body).await;
    let id = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], file).await;
    post(&tenant.api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(&tenant.api, &id).await;
    [published, delivered, begun.elapsed()]
}

/// The p99 of posts, events and files of a workspace, one after the other.
async fn measure(tenant: &Tenant, receiver: &Receiver, file: &[u8]) -> [Duration; 3] {
    let mut times: [Vec<Duration>; 3] = Default::default();
    for number in 0..rounds() {
        let round = round(tenant, receiver, file, number).await;
        times.iter_mut().zip(round).for_each(|(times, time)| times.push(time));
    }
    times.map(p99)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_whose_servers_hang_holds_up_no_other() {
    // Held for longer than anybody waits; in the long form answered just in time as well.
    attack("that never answer", "timeout", 3_600_000).await;
    if is_long() {
        attack("that answer after 29 s", "slow", 29_000).await;
    }
}

async fn attack(name: &str, kind: &str, after_ms: u64) {
    let networks = Networks::start().await;
    let fault = json!({
        "platform": "mastodon", "operation": "publish", "containing": "hang",
        "kind": kind, "times": 1_000, "afterMs": after_ms,
    });
    networks.fault(&fault).await;
    let source = Hanging::start(
        b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 9000000\r\n\r\nx",
    )
    .await;
    let deaf = Hanging::start(b"").await;
    let file = picture(64, 48);
    for backend in backends().await {
        let row =
            Row::new("slow sources, long examinations, receivers and networks that hang", &backend);
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let ffmpeg = slow_ffmpeg(folder.path());
        let service = setup.serve_with(&[
            ("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true"),
            ("SCHEDULER_UPLOADS_PER_MINUTE", "100000"),
            ("SCHEDULER_FFMPEG", &ffmpeg),
            ("SCHEDULER_PUBLISHES_IN_FLIGHT", "8"),
            ("SCHEDULER_PUBLISHES_IN_FLIGHT_PER_NETWORK", "4"),
            ("SCHEDULER_DELIVERIES_IN_FLIGHT", "4"),
            ("SCHEDULER_FETCHES_IN_FLIGHT", "4"),
            ("SCHEDULER_EXAMINATIONS_IN_FLIGHT", "4"),
        ]);
        let one = Tenant::first(&service, &setup);
        let two = Tenant::new(&service, &setup, "two");
        two.connect("mastodon", 1);
        crowd(&setup, 2);
        let receiver = Receiver::start().await;
        two.api.add_webhook(&receiver.url()).await;
        let before = measure(&two, &receiver, &file).await;

        one.connect("mastodon", slow() - 1);
        let hanging = async || [networks.hits("mastodon").await, deaf.asked(), source.asked()];
        let asked = hanging().await;
        one.api.add_webhook(&format!("http://{}/events", deaf.address)).await;
        let post = hang(&one, source.address).await;
        wait_for("everything to hang", async || {
            let all = hanging().await;
            all.iter().zip(asked).all(|(now, before)| now - before >= 2).then_some(())
        })
        .await;

        let attacked = measure(&two, &receiver, &file).await;
        for (what, (after, before)) in
            ["a publish", "an event", "a file"].into_iter().zip(attacked.into_iter().zip(before))
        {
            let before_ms = before.as_millis();
            let what =
                format!("beside servers {name}, the p99 of {what} grew from {before_ms} ms by");
            row.within(&what, after.saturating_sub(before), Duration::from_secs(1));
        }
        if !is_long() {
            nothing_has_ended(&one, &post).await;
        }
    }
}

/// Asks for what hangs: posts whose events nobody takes, files of slow sources, films that are
/// examined for long, and a post to servers that hang; the id of that post.
async fn hang(one: &Tenant, source: SocketAddr) -> String {
    for number in 0..slow() {
        let quick = json!({
            "content": format!("quick {number}"),
            "publishNow": true,
            "targets": [{"platform": "bluesky"}],
        });
        one.api.create(&quick).await;
        let url = format!("http://{source}/{number}.png");
        let (_, declared) =
            post(&one.api, "/media", &json!({"kind": "image", "sourceUrl": url})).await;
        assert_eq!(declared["media"]["status"], "ingesting");
    }
    let film = film::bytes();
    for _ in 0..slow() {
        let body = json!({"kind": "video", "sizeBytes": film.len()});
        let (_, declared) = post(&one.api, "/media", &body).await;
        put(&declared["upload"]["uploadUrl"], &film).await;
        post(&one.api, &format!("/media/{}/uploaded", id_of(&declared)), &json!({})).await;
    }
    let targets = one.targets("mastodon").await;
    assert_eq!(targets.len(), slow());
    let slow = json!({"content": "hang", "publishNow": true, "targets": targets});
    one.api.create(&slow).await["id"].as_str().unwrap().to_owned()
}

/// Nothing of the one has come to an end meanwhile, so that no place became free by it.
async fn nothing_has_ended(one: &Tenant, post: &str) {
    let post = one.api.get(&format!("/posts/{post}")).await;
    let published = |target: &Value| target["status"] == "published";
    assert!(!post["targets"].as_array().unwrap().iter().any(published), "{post}");
    let files = one.api.get("/media?limit=200").await;
    let statuses = |wanted: &str| {
        let files = files["data"].as_array().unwrap();
        files.iter().filter(|file| file["status"] == wanted).count()
    };
    assert_eq!(statuses("ingesting"), slow());
    assert_eq!(statuses("ready"), 0, "films are examined for half a minute each");
}
