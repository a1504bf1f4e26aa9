//! One workspace whose servers hang takes its share of a server, and another goes on.
//!
//! The times are printed and not judged: what is judged is that everything of the other has ended
//! before anything of the one has.
#![expect(clippy::print_stdout, reason = "the figures are for a person")]

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::files::{id_of, picture, post, put, ready};
use crate::support::{Networks, Receiver, Setup, Tenant, backends, film, wait_for};

/// Of each kind: what the one workspace asks for at once.
const SLOW: usize = 8;

/// Posts, events and files of the other workspace, one after the other.
const ROUNDS: usize = 12;

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

/// The longest, and the one in the middle.
fn figures(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    format!("median {:?}, longest {:?}", times[times.len() / 2], times[times.len() - 1])
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

async fn rounds(name: &str, tenant: &Tenant, receiver: &Receiver, file: &[u8]) {
    let mut times: [Vec<Duration>; 3] = Default::default();
    for number in 0..ROUNDS {
        let round = round(tenant, receiver, file, number).await;
        times.iter_mut().zip(round).for_each(|(times, time)| times.push(time));
    }
    for (what, times) in ["publish", "event", "file"].into_iter().zip(times) {
        println!("{name}: {what}: {}", figures(times));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_whose_servers_hang_holds_up_no_other() {
    let networks = Networks::start().await;
    // Held for longer than anybody waits.
    let never = json!({
        "platform": "mastodon", "operation": "publish", "containing": "hang",
        "kind": "timeout", "times": 1_000, "afterMs": 3_600_000,
    });
    networks.fault(&never).await;
    let source = Hanging::start(
        b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 9000000\r\n\r\nx",
    )
    .await;
    let deaf = Hanging::start(b"").await;
    let file = picture(64, 48);
    for backend in backends().await {
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let ffmpeg = slow_ffmpeg(folder.path());
        let service = setup.serve_with(&[
            ("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true"),
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
        let receiver = Receiver::start().await;
        two.api.add_webhook(&receiver.url()).await;
        let name = if backend.url().is_none() { "SQLite" } else { "PostgreSQL" };
        rounds(&format!("{name}, before"), &two, &receiver, &file).await;

        // Everything of the one hangs: networks, receivers, sources, and what examines its films.
        one.connect("mastodon", SLOW - 1);
        let hanging = async || [networks.hits("mastodon").await, deaf.asked(), source.asked()];
        let before = hanging().await;
        one.api.add_webhook(&format!("http://{}/events", deaf.address)).await;
        for number in 0..SLOW {
            let quick = json!({
                "content": format!("quick {number}"),
                "publishNow": true,
                "targets": [{"platform": "bluesky"}],
            });
            one.api.create(&quick).await;
            let url = format!("http://{}/{number}.png", source.address);
            let (_, declared) =
                post(&one.api, "/media", &json!({"kind": "image", "sourceUrl": url})).await;
            assert_eq!(declared["media"]["status"], "ingesting");
        }
        let film = film::bytes();
        let mut films = Vec::new();
        for _ in 0..SLOW {
            let body = json!({"kind": "video", "sizeBytes": film.len()});
            let (_, declared) = post(&one.api, "/media", &body).await;
            put(&declared["upload"]["uploadUrl"], &film).await;
            let id = id_of(&declared);
            post(&one.api, &format!("/media/{id}/uploaded"), &json!({})).await;
            films.push(id);
        }
        let targets = one.targets("mastodon").await;
        assert_eq!(targets.len(), SLOW);
        let slow = json!({"content": "hang", "publishNow": true, "targets": targets});
        let slow = one.api.create(&slow).await;
        let begun = Instant::now();
        wait_for("everything to hang", async || {
            let all = hanging().await;
            all.iter().zip(before).all(|(now, before)| now - before >= 2).then_some(())
        })
        .await;

        rounds(&format!("{name}, attacked"), &two, &receiver, &file).await;
        let took = begun.elapsed();
        let [publishes, deliveries, fetches] = hanging().await;
        println!(
            "{name}: within {took:?} {} publishes, {} deliveries and {} fetches of the other hung",
            publishes - before[0],
            deliveries - before[1],
            fetches - before[2],
        );
        // Nothing of the one has come to an end meanwhile, so that no place became free by it.
        let slow = one.api.get(&format!("/posts/{}", slow["id"].as_str().unwrap())).await;
        let published = |target: &Value| target["status"] == "published";
        assert!(!slow["targets"].as_array().unwrap().iter().any(published), "{slow}");
        let statuses = async |wanted: &str| {
            let files = one.api.get("/media?limit=200").await;
            let files = files["data"].as_array().unwrap().clone();
            files.iter().filter(|file| file["status"] == wanted).count()
        };
        assert_eq!(statuses("ingesting").await, SLOW);
        assert_eq!(statuses("ready").await, 0, "films are examined for half a minute each");
    }
}
