//! Bytes under signed links. Every endpoint of files has its cases here.

use std::sync::Arc;

use bytes::Bytes;
use chrono::TimeDelta;
use futures_util::stream;
use http::Method;
use http_body_util::StreamBody;
use hyper::body::Frame;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, PartPlan, UploadedPart};
use scheduler_core::ports::Files as _;
use scheduler_http::endpoints;
use scheduler_http::{App, ConnectPages, Server, ServerSettings};
use scheduler_store::{FolderFiles, FolderSettings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Client, World, server_url};

/// A server over a folder of files.
struct Folder {
    world: World,
    client: Client,
    files: FolderFiles,
    key: FileKey,
    _folder: tempfile::TempDir,
}

impl Folder {
    async fn new() -> Self {
        let world = World::new().await;
        let folder = tempfile::tempdir().unwrap();
        let settings = FolderSettings {
            folder: folder.path().into(),
            public_url: "http://test".parse().unwrap(),
            link_secret: [7; 32],
            free_bytes_min: 0,
        };
        let clock = Arc::clone(&world.scheduler.ports().clock);
        let files = FolderFiles::open(settings, clock).await.unwrap();
        let app = App {
            scheduler: world.scheduler.clone(),
            settings: ServerSettings::default(),
            worker: None,
            health: world.health(),
            signed_files: Some(Arc::new(files.clone())),
            connecting: ConnectPages::at(server_url()),
            doctor: None,
            pages: &[],
        };
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap();
        let address = server.address();
        tokio::spawn(server.serve(std::future::pending()));
        // Links need no key.
        let client = Client::new(address, "").without("authorization");
        let ids = [1, 2].map(uuid::Uuid::from_u128);
        let key = FileKey::folder(WorkspaceId(ids[0]), MediaId(ids[1])).original();
        Self { world, client, files, key, _folder: folder }
    }

    async fn upload_link(&self, size_bytes: u64) -> String {
        let until = self.world.now() + TimeDelta::hours(1);
        path(&self.files.upload_link(&self.key, size_bytes, until).await.unwrap().url)
    }

    async fn read_link(&self) -> String {
        let until = self.world.now() + TimeDelta::hours(1);
        path(&self.files.read_link(&self.key, "image/webp", until).await.unwrap())
    }

    /// The path of a link to a file that was sent.
    async fn sent(&self, content: &str) -> String {
        let link = self.upload_link(content.len() as u64).await;
        let answer = self.client.send(Method::PUT, &link, content).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        self.read_link().await
    }
}

fn path(link: &str) -> String {
    link.strip_prefix("http://test").unwrap().to_owned()
}

#[tokio::test]
async fn a_whole_file_is_sent_and_read() {
    let folder = Folder::new().await;
    let answer = folder.client.send(Method::PUT, &folder.upload_link(5).await, "bytes").await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
    assert!(answer.header("etag").is_some_and(|etag| etag.starts_with('"')));
    let link = folder.read_link().await;
    let etag = folder.client.get(&link).await.header("etag").unwrap().to_owned();
    for method in [Method::GET, Method::HEAD] {
        let answer = folder.client.send(method.clone(), &link, "").await;
        assert_eq!(answer.status, 200, "{method}");
        for (name, value) in [
            ("content-type", "image/webp"),
            ("content-length", "5"),
            ("accept-ranges", "bytes"),
            ("cache-control", "private"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("etag", &etag),
        ] {
            assert_eq!(answer.header(name), Some(value), "{method} {name}");
        }
        assert_eq!(answer.text(), if method == Method::GET { "bytes" } else { "" });
    }
    let known = folder.client.with("if-none-match", &etag).get(&link).await;
    assert_eq!((known.status.as_u16(), known.body.len()), (304, 0));
}

#[tokio::test]
async fn a_file_is_sent_in_parts() {
    let folder = Folder::new().await;
    let upload = folder.files.begin_parts(&folder.key).await.unwrap();
    let plan = PartPlan { part_bytes: 5 << 20, size_bytes: (5 << 20) + 3 };
    let until = folder.world.now() + TimeDelta::hours(1);
    let links = folder.files.part_links(&folder.key, &upload, plan, until).await.unwrap();
    let contents = ["a".repeat(5 << 20), "end".to_owned()];
    let mut parts = Vec::new();
    // The last part first: their order is free.
    for number in [1, 0] {
        let link = path(&links[number]);
        let answer = folder.client.send(Method::PUT, &link, &contents[number]).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let etag = answer.header("etag").unwrap().to_owned();
        parts.insert(0, UploadedPart { part_number: number as u32 + 1, etag });
    }
    folder.files.finish_parts(&folder.key, &upload, plan, &parts).await.unwrap();
    let answer = folder.client.get(&folder.read_link().await).await;
    assert_eq!(answer.text(), contents.concat());
    let late = folder.client.send(Method::PUT, &path(&links[1]), "end").await;
    assert_eq!(late.refusal(), (409, "media_unusable".into(), None));
}

#[tokio::test]
async fn ranges() {
    let folder = Folder::new().await;
    let link = folder.sent("0123456789").await;
    let etag = folder.client.get(&link).await.header("etag").unwrap().to_owned();
    for (name, range, version, want) in [
        ("the first", "bytes=0-0", None, (206, Some("bytes 0-0/10"), "0")),
        ("the middle", "bytes=2-4", None, (206, Some("bytes 2-4/10"), "234")),
        ("over the end", "bytes=8-99", None, (206, Some("bytes 8-9/10"), "89")),
        ("to the end", "bytes=7-", None, (206, Some("bytes 7-9/10"), "789")),
        ("the last", "bytes=-2", None, (206, Some("bytes 8-9/10"), "89")),
        ("several", "bytes=0-1,3-4", None, (200, None, "0123456789")),
        ("no range", "bytes=x", None, (200, None, "0123456789")),
        ("another unit", "lines=0-1", None, (200, None, "0123456789")),
        ("of this version", "bytes=0-0", Some(etag.as_str()), (206, Some("bytes 0-0/10"), "0")),
        ("of another", "bytes=0-0", Some("\"x\""), (200, None, "0123456789")),
        ("outside of another", "bytes=10-", Some("\"x\""), (200, None, "0123456789")),
    ] {
        let mut client = folder.client.with("range", range);
        if let Some(version) = version {
            client = client.with("if-range", version);
        }
        let answer = client.get(&link).await;
        let found = (answer.status.as_u16(), answer.header("content-range"), &*answer.text());
        assert_eq!(found, want, "{name}");
        assert_eq!(answer.header("content-length"), Some(want.2.len().to_string().as_str()));
        let head = client.send(Method::HEAD, &link, "").await;
        assert_eq!((head.status.as_u16(), head.header("content-length")), (200, Some("10")));
    }
    for range in ["bytes=10-", "bytes=-0"] {
        let answer = folder.client.with("range", range).get(&link).await;
        assert_eq!(answer.refusal(), (416, "invalid_request".into(), None), "{range}");
        assert_eq!(answer.header("content-range"), Some("bytes */10"), "{range}");
    }
}

#[tokio::test]
async fn links_that_do_not_do() {
    let folder = Folder::new().await;
    let read = folder.sent("bytes").await;
    let send = folder.upload_link(5).await;
    let past = folder.world.now() - TimeDelta::seconds(2);
    let ended = path(&folder.files.read_link(&folder.key, "image/webp", past).await.unwrap());
    let ended_send = path(&folder.files.upload_link(&folder.key, 5, past).await.unwrap().url);
    let bare = read.split('?').next().unwrap().to_owned();
    let forbidden = (403, "forbidden");
    for (name, method, link, want) in [
        ("another type", Method::GET, read.replace("webp", "png"), forbidden),
        ("another file", Method::GET, read.replace("original", "preview"), forbidden),
        ("no signature", Method::GET, bare.clone(), forbidden),
        ("nothing to send with", Method::PUT, bare.clone(), forbidden),
        ("sending where reading is allowed", Method::PUT, read.clone(), forbidden),
        ("reading where sending is allowed", Method::GET, send.clone(), forbidden),
        ("another size", Method::PUT, send.replace("size=5", "size=6"), forbidden),
        ("over", Method::GET, ended, forbidden),
        ("over for sending", Method::PUT, ended_send, forbidden),
        ("another depth", Method::GET, read.replace("/original", ""), (404, "not_found")),
        ("a slash at the end", Method::GET, format!("{bare}/"), (404, "not_found")),
        ("out of the folder", Method::GET, "/files/../../etc/passwd".into(), (404, "not_found")),
        ("out of it, hidden", Method::GET, "/files/a/b/%2e%2e%2fc".into(), forbidden),
    ] {
        let answer = folder.client.send(method, &link, "other").await;
        assert_eq!(answer.refusal(), (want.0, want.1.into(), None), "{name}");
    }
    assert_eq!(folder.client.get(&read).await.text(), "bytes", "nothing was changed");
    folder
        .files
        .erase(&FileKey::folder(
            WorkspaceId(uuid::Uuid::from_u128(1)),
            MediaId(uuid::Uuid::from_u128(2)),
        ))
        .await
        .unwrap();
    assert_eq!(folder.client.get(&read).await.refusal(), (404, "not_found".into(), None));
}

#[tokio::test]
async fn lengths_that_do_not_do() {
    let folder = Folder::new().await;
    let link = folder.upload_link(5).await;
    for (name, body, want) in [
        ("shorter", "four", (400, "invalid_request".into(), None)),
        ("longer", "longer", (413, "payload_too_large".into(), None)),
        ("nothing, not even a length", "", (411, "invalid_request".into(), None)),
    ] {
        let answer = folder.client.send(Method::PUT, &link, body).await;
        assert_eq!(answer.refusal(), want, "{name}");
    }
    let empty = folder.client.with("content-length", "0").send(Method::PUT, &link, "").await;
    assert_eq!(empty.refusal(), (400, "invalid_request".into(), None));
    let piece = Ok::<_, std::convert::Infallible>(Frame::data(Bytes::from_static(b"bytes")));
    let body = StreamBody::new(stream::iter([piece]));
    let answer = folder.client.send_body(Method::PUT, &link, body).await;
    assert_eq!(answer.refusal(), (411, "invalid_request".into(), None));
    assert_eq!(folder.files.size(&folder.key).await.unwrap(), None, "nothing is kept");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_not_kept() {
    let folder = Folder::new().await;
    let link = folder.upload_link(5).await;
    let mut stream = TcpStream::connect(folder.client.address).await.unwrap();
    let head = format!("PUT {link} HTTP/1.1\r\nhost: test\r\ncontent-length: 5\r\n\r\nbyt");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    // The server may answer or hang up; it has finished when this ends.
    let _ = stream.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP/1.1 200"), "{answer:?}");
    assert_eq!(folder.files.size(&folder.key).await.unwrap(), None);
}

#[tokio::test]
async fn a_caller_who_waits_hears_of_a_wrong_link_before_it_sends() {
    let folder = Folder::new().await;
    let link = folder.upload_link(5).await;
    for (link, want) in [(link.replace("size=5", "size=6"), "HTTP/1.1 403"), (link, "HTTP/1.1 100")]
    {
        let mut stream = TcpStream::connect(folder.client.address).await.unwrap();
        let head = format!(
            "PUT {link} HTTP/1.1\r\nhost: test\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(std::str::from_utf8(&answer).unwrap(), want);
    }
}

#[tokio::test]
async fn a_file_that_was_finished_takes_no_more_bytes() {
    let folder = Folder::new().await;
    let ids = [1, 2].map(uuid::Uuid::from_u128);
    let sent = FileKey::folder(WorkspaceId(ids[0]), MediaId(ids[1])).sent();
    let until = folder.world.now() + TimeDelta::hours(1);
    let link = path(&folder.files.upload_link(&sent, 5, until).await.unwrap().url);
    for body in ["first", "bytes"] {
        assert_eq!(folder.client.send(Method::PUT, &link, body).await.status, 200, "again");
    }
    folder.files.settle(&sent, &folder.key).await.unwrap();
    let late = folder.client.send(Method::PUT, &link, "other").await;
    assert_eq!(late.refusal(), (409, "media_unusable".into(), None));
    assert_eq!(folder.client.get(&folder.read_link().await).await.text(), "bytes");
}

#[tokio::test]
async fn other_methods() {
    let folder = Folder::new().await;
    let link = folder.read_link().await;
    for endpoint in endpoints::all().filter(|one| one.pattern.starts_with("/files/")) {
        assert!(endpoint.matches(link.split('?').next().unwrap()), "{}", endpoint.name);
    }
    for method in [Method::POST, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        let answer = folder.client.send(method.clone(), &link, "").await;
        assert_eq!(answer.refusal(), (405, "invalid_request".into(), None), "{method}");
        assert_eq!(answer.header("allow"), Some("GET, HEAD, PUT"), "{method}");
    }
}

#[tokio::test]
async fn without_a_folder_there_are_no_links() {
    let world = World::new().await;
    let client = world.serve().await;
    let link = Folder::new().await.read_link().await;
    for method in [Method::GET, Method::PUT] {
        let answer = client.send(method.clone(), &link, "x").await;
        assert_eq!(answer.refusal(), (404, "not_found".into(), None), "{method}");
    }
}
