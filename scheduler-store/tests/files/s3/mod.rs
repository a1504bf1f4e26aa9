//! A bucket of a real S3 server in this process, and what only a bucket can show.

mod server;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::TimeDelta;
use scheduler_core::ports::{ByteRange, ByteStream, Files as _, FilesError};
use scheduler_store::{FilesUrl, S3Files, S3Keys};

use crate::stores::{Serving, Store, clock, content, drop_midway, hanging, pieces, present};
use server::Server;

/// Sends real requests to presigned links.
struct Caller(reqwest::Client);

/// Installs what every sender of requests needs, once in a process.
fn install_tls() {
    // Another test may have been faster.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn client() -> reqwest::Client {
    install_tls();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

#[async_trait]
impl Serving for Caller {
    async fn send(
        &self,
        url: &str,
        declared: Option<u64>,
        body: ByteStream,
    ) -> Result<String, String> {
        let mut request = self.0.put(url);
        if let Some(bytes) = declared {
            request = request.header("content-length", bytes);
        }
        let sent = request.body(reqwest::Body::wrap_stream(body.0)).send().await;
        let response = sent.map_err(|error| error.to_string())?;
        if !response.status().is_success() {
            return Err(format!("{}: {}", response.status(), response.text().await.unwrap()));
        }
        Ok(response.headers()["etag"].to_str().unwrap().to_owned())
    }

    async fn fetch(&self, url: &str, range: Option<ByteRange>) -> Result<(String, Bytes), String> {
        let mut request = self.0.get(url);
        if let Some(range) = range {
            let text = match range {
                ByteRange::From { first, last: Some(last) } => format!("bytes={first}-{last}"),
                ByteRange::From { first, last: None } => format!("bytes={first}-"),
                ByteRange::Last(bytes) => format!("bytes=-{bytes}"),
            };
            request = request.header("range", text);
        }
        let response = request.send().await.map_err(|error| error.to_string())?;
        if !response.status().is_success() {
            return Err(response.status().to_string());
        }
        let media_type = response.headers()["content-type"].to_str().unwrap().to_owned();
        Ok((media_type, response.bytes().await.map_err(|error| error.to_string())?))
    }
}

fn open(url: &str, secret: &str) -> S3Files {
    install_tls();
    let FilesUrl::Bucket(bucket) = url.parse().unwrap() else { panic!("no bucket") };
    let keys = S3Keys {
        access_key_id: server::ACCESS_KEY_ID.to_owned(),
        secret_access_key: secret.into(),
        session_token: None,
    };
    S3Files::open(&bucket, Some(&keys), clock()).unwrap()
}

/// An empty bucket of a server of its own.
pub(crate) async fn bucket() -> Store {
    let (server, folder) = Server::start().await;
    let url = format!("s3://media/some/prefix?endpoint={}", server.address);
    let files = open(&url, server::SECRET_ACCESS_KEY);
    files.check().await.unwrap();
    Store {
        name: "bucket",
        files: Arc::new(files),
        serving: Arc::new(Caller(client())),
        clock: clock(),
        has_signed_links: true,
        binds_size: true,
        folder: Some(folder),
    }
}

#[tokio::test]
async fn a_link_of_the_bucket_is_signed_with_its_number_of_bytes() {
    let store = bucket().await;
    let key = store.media(1).original();
    let put = store.files.upload_link(&key, 5, store.soon()).await.unwrap().url;
    let (_, _, parts) = store.begin(&key, &content(1, 6 << 20)).await;
    for url in [&put, &parts[1]] {
        assert!(url.contains("X-Amz-SignedHeaders=content-length%3Bhost"), "{url}");
        let sent = store.serving.send(url, Some(4), pieces(&content(1, 4))).await.unwrap_err();
        assert!(sent.starts_with("403") && sent.contains("SignatureDoesNotMatch"), "{sent}");
    }
    store.upload(&key, &content(1, 5)).await.unwrap();
}

#[tokio::test]
async fn a_link_of_the_bucket_ends() {
    let store = bucket().await;
    let key = store.media(1).original();
    let soon = present() + TimeDelta::seconds(1);
    let put = store.files.upload_link(&key, 5, soon).await.unwrap().url;
    store.upload(&key, &content(1, 5)).await.unwrap();
    let get = store.files.read_link(&key, "image/png", soon).await.unwrap();
    let deadline = present() + TimeDelta::seconds(30);
    for expired in [false, true] {
        while store.serving.fetch(&get, None).await.is_err() != expired {
            assert!(present() < deadline, "the link does not end");
        }
    }
    assert!(store.serving.send(&put, Some(5), pieces(&content(2, 5))).await.is_err());
    assert!(store.read(&key).await == Some(content(1, 5)));
}

#[tokio::test]
async fn an_upload_of_the_server_that_a_crash_has_left_goes_when_its_file_is_erased() {
    let (server, _folder) = Server::start().await;
    let url = format!("s3://media/p?endpoint={}", server.address);
    let files = open(&url, server::SECRET_ACCESS_KEY);
    let store = Store { files: Arc::new(files), ..bucket().await };
    let (mine, other) = (store.media(1), store.media(2));
    store.files.begin_parts(&mine.original()).await.unwrap();
    store.files.begin_parts(&other.original()).await.unwrap();
    assert_eq!(server.open_uploads(), 2);
    store.files.erase(&mine).await.unwrap();
    assert_eq!(server.open_uploads(), 1);
}

#[tokio::test]
async fn a_write_that_is_dropped_gives_its_upload_up() {
    let (server, _folder) = Server::start().await;
    let url = format!("s3://media?endpoint={}", server.address);
    let store = Store { files: Arc::new(open(&url, server::SECRET_ACCESS_KEY)), ..bucket().await };
    let (stream, all_taken) = hanging(&content(1, 20 << 20));
    let key = store.media(1).original();
    drop_midway(store.files.write(&key, "video/mp4", stream), all_taken).await;
    // It is given up beside us.
    let deadline = present() + TimeDelta::seconds(30);
    while server.open_uploads() > 0 {
        assert!(present() < deadline, "the upload stays open");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_bucket_that_cannot_be_used_says_why() {
    let (server, _folder) = Server::start().await;
    let files = open(&format!("s3://media?endpoint={}", server.address), "wrong");
    let error = files.check().await.unwrap_err().to_string();
    assert!(error.contains("does not allow it with these keys"), "{error}");
    let gone = open("s3://media?endpoint=http://127.0.0.1:1", server::SECRET_ACCESS_KEY);
    let key = bucket().await.media(1).original();
    assert!(matches!(gone.size(&key).await, Err(FilesError::Unavailable(_))));
}
