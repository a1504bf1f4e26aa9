//! A service that is slow, or stops.

use chrono::{DateTime, Utc};
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::ports::Files as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;

use super::*;

struct Now;

impl Clock for Now {
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}

/// Pieces of the file that the service gives, a byte each.
const PIECES: usize = 12;
/// From one piece to the next.
const PAUSE: Duration = Duration::from_millis(200);
/// Shorter than all pieces take, and far longer than one.
const TIMEOUT: Duration = Duration::from_millis(1_600);

/// Answers the next request with the beginning of a file; then there is no service.
async fn begin_answer(listener: TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().await.unwrap();
    drop(listener);
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0, "closed early");
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\netag: \"e\"\r\nlast-modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n\
         content-length: {PIECES}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Reads a file of which the service gives so many pieces.
async fn read(pieces: usize) -> Result<bytes::Bytes, FilesError> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let service = tokio::spawn(async move {
        let mut stream = begin_answer(listener).await;
        for _ in 0..pieces {
            tokio::time::sleep(PAUSE).await;
            stream.write_all(b"x").await.unwrap();
        }
        std::future::pending::<()>().await;
    });
    let bucket = BucketUrl {
        bucket: "media".to_owned(),
        prefix: String::new(),
        endpoint: Some(endpoint),
        region: "us-east-1".to_owned(),
        addressing: Addressing::Path,
    };
    let keys = S3Keys {
        access_key_id: "key".to_owned(),
        secret_access_key: "secret".to_owned().into(),
        session_token: None,
    };
    let files = S3Files::within(&bucket, Some(&keys), Arc::new(Now), TIMEOUT).unwrap();
    let media = MediaId(Uuid::from_u128(2));
    let key = FileKey::folder(WorkspaceId(Uuid::from_u128(1)), media).original();
    let read = async { files.read(&key, None).await?.collect().await };
    let read = read.await;
    service.abort();
    read
}

#[tokio::test]
async fn a_file_may_take_longer_than_one_answer_is_waited_for() {
    assert_eq!(read(PIECES).await.unwrap(), vec![b'x'; PIECES]);
}

#[tokio::test]
async fn a_service_that_stops_is_not_waited_for() {
    let told = read(PIECES / 2).await.unwrap_err().to_string();
    assert!(told.contains("the S3 service does not answer as it should"), "{told}");
    assert!(!told.contains("http"), "{told}");
}
