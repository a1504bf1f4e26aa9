//! Links for sending take no more room than what they are for, and one attempt.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::{Row, any_backends, crowd};
use crate::files::{declare, id_of, picture, post, put, ready};
use crate::support::{Backend, Bucket, Networks, Setup, client, wait_for};

const ATTACK: &str =
    "one upload link 40 times at once, parts without an end, more bytes to a bucket";

const SENDS: usize = 40;

/// Bytes of the disk that everything below a folder takes.
fn bytes_on_disk(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let taken = entries.flatten().map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_on_disk(&entry.path()),
        Ok(found) => found.blocks() * 512,
        // Gone since it was listed.
        Err(_) => 0,
    });
    taken.sum()
}

/// Sends all but the last byte to a link, and that once it may; the status of the answer.
async fn send(link: url::Url, bytes: Vec<u8>, mut goes_on: watch::Receiver<bool>) -> u16 {
    let address = format!("{}:{}", link.host_str().unwrap(), link.port().unwrap());
    let mut stream = TcpStream::connect(address).await.unwrap();
    let path = &link[url::Position::BeforePath..];
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        bytes.len()
    );
    let (most, last) = bytes.split_at(bytes.len() - 1);
    // What is cut off is answered while it is sent.
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(most).await;
    goes_on.wait_for(|goes_on| *goes_on).await.unwrap();
    let _ = stream.write_all(last).await;
    let mut answer = [0; 12];
    match stream.read_exact(&mut answer).await {
        Ok(_) => String::from_utf8_lossy(&answer[9..]).parse().unwrap(),
        // Closed with bytes of ours on their way, which takes the answer away.
        Err(_) => 0,
    }
}

/// Sends to a link many times at once; the most bytes of the disk that were taken, and how many
/// sends were good.
async fn attack(folder: &Path, link: &Value, bytes: &[u8]) -> (u64, usize) {
    let link: url::Url = link.as_str().expect("a link").parse().unwrap();
    let (go_on, goes_on) = watch::channel(false);
    let mut sends = JoinSet::new();
    for _ in 0..SENDS {
        sends.spawn(send(link.clone(), bytes.to_vec(), goes_on.clone()));
    }
    let (mut most, mut quiet, mut last) = (0, 0, 0);
    // Until nothing moves any more: all hang on their last byte.
    while quiet < 20 {
        tokio::time::sleep(Duration::from_millis(25)).await;
        let found = bytes_on_disk(folder);
        most = most.max(found);
        quiet = if found == last && found > 0 { quiet + 1 } else { 0 };
        last = found;
    }
    go_on.send_replace(true);
    let statuses = sends.join_all().await;
    assert!(statuses.iter().all(|status| [0, 200, 409].contains(status)), "{statuses:?}");
    (most, statuses.iter().filter(|status| **status == 200).count())
}

/// Sends to a link without an end, or one far behind what is declared, until it is answered; the
/// status of the answer.
async fn send_without_end(link: &Value, head: &str) -> u16 {
    let link: url::Url = link.as_str().expect("a link").parse().unwrap();
    let address = format!("{}:{}", link.host_str().unwrap(), link.port().unwrap());
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut answer, mut request) = stream.into_split();
    let path = link[url::Position::BeforePath..].to_owned();
    let head = format!("PUT {path} HTTP/1.1\r\nhost: a\r\n{head}\r\n\r\n");
    let sending = tokio::spawn(async move {
        let mut piece = b"100000\r\n".to_vec();
        piece.extend(vec![b'x'; 1 << 20]);
        piece.extend(b"\r\n");
        let mut open = request.write_all(head.as_bytes()).await.is_ok();
        while open {
            open = request.write_all(&piece).await.is_ok();
        }
    });
    let mut line = [0; 12];
    answer.read_exact(&mut line).await.expect("it is answered before it is closed");
    sending.abort();
    String::from_utf8_lossy(&line[9..]).parse().unwrap()
}

/// The most that may be taken: the bytes, once for each attempt, and of each send that is cut off
/// a piece more, in whole blocks.
fn room(bytes: u64, attempts: u64) -> u64 {
    attempts * bytes + SENDS as u64 * (512 << 10) / 4
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_used_many_times_at_once_takes_room_once() {
    for backend in any_backends().await {
        let row = Row::new(ATTACK, &backend);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        crowd(&setup, 1);
        let api = service.api();
        let files = folder.path().join("files");

        let file = picture(1_200, 1_000);
        let size = file.len() as u64;
        let declared = declare(&api, &file).await;
        let (id, link) = (id_of(&declared), &declared["upload"]["uploadUrl"]);
        for (what, attempts) in [("a link", 1), ("a link whose file is there", 2)] {
            let (most, good) = attack(&files, link, &file).await;
            assert_eq!(good, 1, "the newest");
            let what = format!("{what} for {size} bytes, {SENDS} sends at once, bytes on the disk");
            row.at_most(&what, most, room(size, attempts));
        }
        post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
        ready(&api, &id).await;

        let large = json!({"kind": "video", "sizeBytes": 17 << 20});
        let (_, declared) = post(&api, "/media", &large).await;
        let (part, link) =
            (&declared["upload"]["parts"][0], &declared["upload"]["parts"][0]["url"]);
        let size = declared["upload"]["partSize"].as_u64().unwrap();
        let bytes = vec![7; usize::try_from(size).unwrap()];
        assert_eq!(part["partNumber"], 1, "{declared}");
        let before = bytes_on_disk(&files);
        for head in ["transfer-encoding: chunked", "content-length: 1099511627776"] {
            let status = send_without_end(link, head).await;
            assert!((400..500).contains(&status), "{head}: {status}");
            let what = format!("a part that never ends, {head}, bytes on the disk");
            row.at_most(&what, bytes_on_disk(&files) - before, room(0, 1));
        }
        for (what, attempts) in [("a part", 1), ("a part that is there", 2), ("once more", 2)] {
            let (most, good) = attack(&files, link, &bytes).await;
            assert_eq!(good, 1, "the newest");
            let what = format!("{what} for {size} bytes, {SENDS} sends at once, bytes on the disk");
            row.at_most(&what, most - before, room(size, attempts));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_bucket_takes_no_other_number_of_bytes() {
    for backend in any_backends().await {
        let row = Row::new(ATTACK, &backend);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let bucket = Bucket::start().await;
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve_with(&bucket.variables());
        let api = service.api();
        let declared = declare(&api, &[7; 1_000]).await;
        let link = &declared["upload"]["uploadUrl"];
        for size in [5_000_000, 1_001, 999, 0] {
            match client().put(link.as_str().unwrap()).body(vec![7; size]).send().await {
                Ok(sent) => assert_eq!(sent.status(), StatusCode::FORBIDDEN, "{size}"),
                // The service has answered and closed while more was on its way.
                Err(error) => assert!(size > 1_000_000, "{size}: {error}"),
            }
        }
        let what = "a link to a bucket for 1000 bytes, sent 5000000, bytes in the bucket";
        // The server writes a probe now and then and deletes it; what came by the link would stay.
        let kept = wait_for("nothing to be left in the bucket", async || {
            Some(bytes_on_disk(&bucket.objects())).filter(|bytes| *bytes == 0)
        });
        row.at_most(what, kept.await, 0);
        put(link, &[7; 1_000]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_leave_some_of_the_disk_free_and_publishing_goes_on() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let key = service.first_key.clone().unwrap();
    let file = picture(64, 48);
    let declared = declare(&service.api(), &file).await;
    let id = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], &file).await;
    post(&service.api(), &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(&service.api(), &id).await;
    let awaited = declare(&service.api(), &file).await;

    // More than any disk has.
    let least = (1_u64 << 60).to_string();
    let service = service.kill().serve_with(&[("SCHEDULER_FILES_FREE_BYTES_MIN", &least)]);
    let api = crate::files::again(&service, &key);
    let body = json!({"kind": "image", "sizeBytes": file.len()});
    let (status, refused) = post(&api, "/media", &body).await;
    assert_eq!((status.as_u16(), &refused["error"]["code"]), (507, &json!("storage_full")));
    let row = Row::new(ATTACK, &Backend::Sqlite);
    row.holds("less free than the floor, an upload", 507, "refused", status.as_u16() == 507);
    // A link of before is refused as well; its address is that of the server that made it.
    let shown = api.get(&format!("/media/{}", id_of(&awaited))).await;
    let link = shown["upload"]["uploadUrl"].as_str().expect("a fresh link");
    let sent = client().put(link).body(file).send().await.unwrap();
    assert_eq!(sent.status().as_u16(), 507, "{}", sent.text().await.unwrap());

    let with_file = json!({
        "content": "goes on", "publishNow": true, "mediaIds": [id],
        "targets": [{"platform": "bluesky"}],
    });
    let created = api.create(&with_file).await;
    let ended = wait_for("the post to end", async || {
        let post = api.get(&format!("/posts/{}", created["id"].as_str().unwrap())).await;
        crate::support::post_ended(&post).then_some(post)
    })
    .await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
}
