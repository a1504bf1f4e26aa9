//! Files on their way through the driver to a socket on loopback.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::DateTime;
use futures_util::stream;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::bluesky::IMAGE_RECIPE;
use scheduler_core::ports::{
    ByteStream, Derived, ExamineError, Examined, Examiner, FilesError, NetworkErrorKind, NoMedia,
};
use scheduler_core::target::FailureCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;
use uuid::Uuid;

use super::*;
use crate::conversation::{
    FETCH_TIMEOUT, FileBody, FormPart, FormWithLinks, JsonWithFiles, JsonWithLinks, LinkedFile,
};

/// Reads one request to the end that it names, and answers it.
async fn server() -> (Url, JoinHandle<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/path", listener.local_addr().unwrap())).unwrap();
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = Vec::new();
        let head = loop {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "closed early");
            if let Some(at) = read.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
        };
        let mut body = read.split_off(head);
        let head = String::from_utf8(read).unwrap().to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("no length").parse().unwrap();
        while body.len() < length {
            // A client that gives up may close or reset.
            if stream.read_buf(&mut body).await.unwrap_or_default() == 0 {
                return (head, body);
            }
        }
        assert_eq!(body.len(), length);
        let answer = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
        stream.write_all(answer).await.unwrap();
        (head, body)
    });
    (url, task)
}

fn folder() -> FileFolder {
    FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)))
}

fn file(recipe: Option<&'static Recipe>) -> FileBody {
    FileBody {
        folder: folder(),
        recipe: recipe.copied().map(Box::new),
        media_type: "video/mp4".to_owned(),
        range: None,
    }
}

fn form(file: FileBody) -> Body {
    let description = FormPart::text("description", "Eine Krabbe, „rot“");
    let about = FormPart::json("about", serde_json::json!({ "id": 0 }));
    Body::Multipart(vec![description, about, FormPart::file("file", "name", file)])
}

fn driver(stored: StoredFiles) -> Driver {
    Driver::new(Guard::new(true), stored).unwrap()
}

/// Bytes of many pieces that are not all alike.
fn long() -> Bytes {
    (0..3_000_000_u32).map(|number| number.to_le_bytes()[usize::from(number % 7 == 0)]).collect()
}

#[tokio::test]
async fn a_file_arrives_whole_with_its_length_and_type() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), long());
    let driver = driver(StoredFiles { files, examiner: Arc::new(NoMedia) });
    let (url, task) = server().await;
    let answer = driver.send(&Request::act(url, Body::File(file(None))).bearer("t")).await.unwrap();
    assert_eq!(answer.status, 200);
    let (head, body) = task.await.unwrap();
    assert!(head.contains("content-type: video/mp4\r\n"), "{head}");
    assert!(head.contains("content-length: 3000000\r\n"), "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    assert!(body == long(), "other bytes");
}

#[tokio::test]
async fn what_is_kept_elsewhere_is_sent_to_a_server_that_reads_paths() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), Bytes::from_static(b"bytes of it"));
    let driver = driver(StoredFiles { files, examiner: Arc::new(NoMedia) }).sending_paths();
    let (url, task) = server().await;
    driver.send(&Request::act(url, form(file(None))).bearer("t")).await.unwrap();
    assert!(String::from_utf8(task.await.unwrap().1).unwrap().contains("bytes of it"));
}

#[tokio::test]
async fn json_with_files_arrives_whole_with_its_length() {
    use base64::Engine as _;
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), long());
    let driver = driver(StoredFiles { files, examiner: Arc::new(NoMedia) });
    let (url, task) = server().await;
    let value = serde_json::json!({ "items": [{ "data": null }, { "data": "" }], "z": "é" });
    let place = |at: &str| (at.to_owned(), file(None));
    let places = vec![place("/items/1/data"), place("/items/0/data")];
    let json = JsonWithFiles { value: value.clone(), files: places };
    let body = Body::JsonWithFiles(Box::new(json));
    driver.send(&Request::act(url.clone(), body).bearer("t")).await.unwrap();
    let (head, body) = task.await.unwrap();
    assert!(head.contains("content-type: application/json\r\n"), "{head}");
    assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    let data = base64::engine::general_purpose::STANDARD.encode(long());
    let mut want = value;
    want["items"] = serde_json::json!([{ "data": data }, { "data": data }]);
    assert!(body == want.to_string().as_bytes(), "another body");

    let json = JsonWithFiles { value: want, files: vec![place("/items/2/data")] };
    let body = Body::JsonWithFiles(Box::new(json));
    let error = driver.send(&Request::act(url, body)).await.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent, "{error}");
}

#[tokio::test]
async fn a_piece_of_a_file_is_sent_alone() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), long());
    let driver = driver(StoredFiles { files, examiner: Arc::new(NoMedia) });
    let (url, task) = server().await;
    let piece = Request::act(url, Body::File(file(None).bytes(5..1_005))).method(Method::Put);
    let piece = piece.header("content-type", "application/octet-stream".to_owned());
    driver.send(&piece).await.unwrap();
    let (head, body) = task.await.unwrap();
    assert!(head.starts_with("put /path http/1.1\r\n"), "{head}");
    assert!(head.contains("content-length: 1000\r\n"), "{head}");
    assert!(head.contains("content-type: application/octet-stream\r\n"), "{head}");
    assert!(!head.contains("video/mp4"), "{head}");
    assert!(body == long()[5..1_005], "other bytes");

    let beyond = u64::try_from(long().len()).unwrap() + 1;
    let nobody = Url::parse("http://127.0.0.1:9/").unwrap();
    let piece = Request::act(nobody, Body::File(file(None).bytes(5..beyond)));
    let error = driver.send(&piece).await.unwrap_err();
    assert_eq!(error.code, scheduler_core::target::FailureCode::MediaUnusable, "{error}");
}

#[tokio::test]
async fn a_form_with_a_file_has_a_length_too() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), long());
    let driver = driver(StoredFiles { files, examiner: Arc::new(NoMedia) });
    let (url, task) = server().await;
    driver.send(&Request::act(url, form(file(None)))).await.unwrap();
    let (head, body) = task.await.unwrap();
    assert!(head.contains("content-type: multipart/form-data; boundary="), "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    let sent = long();
    let at = body.windows(1_000).position(|window| *window == sent[..1_000]).unwrap();
    assert!(body[at..].starts_with(&sent), "other bytes");
    let before = String::from_utf8_lossy(&body[..at]);
    for line in [
        "Content-Disposition: form-data; name=\"description\"\r\n\r\nEine Krabbe, „rot“\r\n",
        "Content-Disposition: form-data; name=\"file\"; filename=\"name.mp4\"\r\n",
        "Content-Type: video/mp4\r\n",
        "name=\"about\"\r\nContent-Type: application/json\r\n\r\n{\"id\":0}\r\n",
    ] {
        assert!(before.contains(line), "{line}: {before}");
    }
}

/// Makes of every picture the same one, or fails.
struct Making(Arc<MemoryFiles>, Option<ExamineError>);

#[async_trait]
impl Examiner for Making {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        Err(ExamineError::Temporary("not asked for".to_owned()))
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        if let Some(error) = &self.1 {
            return Err(error.clone());
        }
        let key = folder.derived(recipe.name);
        self.0.put(key.clone(), Bytes::from_static(b"small"));
        let mime_type = Some("image/webp".to_owned());
        Ok(Derived {
            key,
            facts: MediaFacts { mime_type, ..MediaFacts::of_kind(MediaKind::Image) },
        })
    }
}

#[tokio::test]
async fn what_a_recipe_makes_is_sent_in_place_of_the_original() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), long());
    let examiner = Arc::new(Making(files.clone(), None));
    let driver = driver(StoredFiles { files, examiner });
    let (url, task) = server().await;
    driver.send(&Request::act(url, Body::File(file(Some(&IMAGE_RECIPE))))).await.unwrap();
    let (head, body) = task.await.unwrap();
    assert!(head.contains("content-type: image/webp\r\n"), "{head}");
    assert_eq!(body, b"small");
}

#[tokio::test]
async fn a_file_that_cannot_be_had_keeps_the_call_from_being_made() {
    let nobody = Url::parse("http://127.0.0.1:9/").unwrap();
    let unusable = ExamineError::Unusable("The file is damaged.".to_owned());
    let busy = ExamineError::Temporary("The server is stopping.".to_owned());
    let down = ExamineError::Files(FilesError::Unavailable("the disk is full".to_owned()));
    let gone = ExamineError::Files(FilesError::Missing);
    let (permanent, temporary) = (NetworkErrorKind::Permanent, NetworkErrorKind::Temporary);
    for (name, error, recipe, kind, code) in [
        ("gone", None, None, permanent, FailureCode::MediaUnusable),
        ("damaged", Some(unusable), Some(&IMAGE_RECIPE), permanent, FailureCode::MediaUnusable),
        ("original gone", Some(gone), Some(&IMAGE_RECIPE), permanent, FailureCode::MediaUnusable),
        ("busy", Some(busy), Some(&IMAGE_RECIPE), temporary, FailureCode::NetworkError),
        ("store down", Some(down), Some(&IMAGE_RECIPE), temporary, FailureCode::NetworkError),
    ] {
        let files = Arc::new(MemoryFiles::new());
        let examiner = Arc::new(Making(files.clone(), error));
        let driver = driver(StoredFiles { files, examiner });
        let linked = LinkedFile::new(file(recipe), DateTime::UNIX_EPOCH);
        let linked = FormWithLinks { fields: Vec::new(), links: vec![("url", linked)] };
        let linked = Body::FormWithLinks(Box::new(linked));
        for body in [Body::File(file(recipe)), form(file(recipe)), linked] {
            let error = driver.send(&Request::act(nobody.clone(), body)).await.unwrap_err();
            assert_eq!((error.kind, error.code), (kind, code), "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn a_file_that_breaks_off_on_its_way_is_no_success() {
    for (name, last, want) in [
        (
            "the store fails",
            Some(Err(FilesError::Unavailable("no answer".to_owned()))),
            "A file of the post could not be read",
        ),
        ("it is shorter than it was", None, "broke before the file was sent"),
    ] {
        let pieces = [Some(Ok(Bytes::from_static(b"first piece"))), last];
        let bytes = ByteStream(Box::pin(stream::iter(pieces.into_iter().flatten())));
        let opened = OpenedFile::of("video/mp4", 1_000, bytes);
        let stored =
            StoredFiles { files: Arc::new(MemoryFiles::new()), examiner: Arc::new(NoMedia) };
        let driver = driver(stored);
        let (url, task) = server().await;
        // Others could see what it does, but it is not whole.
        let request = Request::act(url, Body::File(file(None))).visible();
        let handed_over = HandedOver::of(std::slice::from_ref(&opened));
        let call = driver.call(&request, &request.body, vec![opened], &handed_over).unwrap();
        let Unanswered(_, error) = failed(&request, &handed_over, &call.send().await.unwrap_err());
        assert_eq!(error.kind, NetworkErrorKind::Temporary, "{name}");
        assert!(error.message.contains(want), "{name}: {error}");
        task.abort();
    }
}

#[tokio::test]
async fn a_call_with_a_file_may_take_as_long_as_the_file_needs() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), vec![0; 256 * 1024].into());
    let stored = StoredFiles { files, examiner: Arc::new(NoMedia) };
    let limits = Limits { connect: Duration::from_secs(5), whole: Duration::from_millis(1) };
    let driver = Driver::within(Guard::new(true), stored, limits).unwrap();
    let (url, task) = server().await;
    driver.send(&Request::act(url, Body::File(file(None)))).await.unwrap();
    task.await.unwrap();
}

#[tokio::test]
async fn links_to_files_stand_in_their_places() {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), long());
    let examiner = Arc::new(Making(files.clone(), None));
    let driver = driver(StoredFiles { files, examiner });
    let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    let until = (now + FETCH_TIMEOUT).timestamp();
    assert_eq!(until, 1_800_000_000 + 24 * 60 * 60);
    let of = |recipe| LinkedFile::new(file(recipe), now);
    let link = |key: FileKey| format!("memory:get/{key}?expires={until}");
    let original = link(folder().original());
    let made = link(folder().derived(IMAGE_RECIPE.name));

    let (url, task) = server().await;
    let json = JsonWithLinks {
        value: serde_json::json!({"text": "a", "media": [{"url": null}, {"url": null}]}),
        links: vec![
            ("/media/0/url".to_owned(), of(None)),
            ("/media/1/url".to_owned(), of(Some(&IMAGE_RECIPE))),
        ],
    };
    let misplaced = JsonWithLinks { value: serde_json::json!({}), ..json.clone() };
    driver.send(&Request::act(url, Body::JsonWithLinks(Box::new(json)))).await.unwrap();
    let (head, body) = task.await.unwrap();
    assert!(head.contains("content-type: application/json\r\n"), "{head}");
    let sent: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let want = serde_json::json!({"text": "a", "media": [{"url": original}, {"url": made}]});
    assert_eq!(sent, want);

    let (url, task) = server().await;
    let form = FormWithLinks {
        fields: vec![("caption", "a b".to_owned())],
        links: vec![("image_url", of(Some(&IMAGE_RECIPE)))],
    };
    let request = Request::act(url, Body::FormWithLinks(Box::new(form)));
    let printed = format!("{request:?}");
    assert!(!printed.contains("original") && printed.contains("[form with links]"), "{printed}");
    driver.send(&request).await.unwrap();
    let (head, body) = task.await.unwrap();
    assert!(head.contains("content-type: application/x-www-form-urlencoded\r\n"), "{head}");
    let sent: Vec<(String, String)> = url::form_urlencoded::parse(&body).into_owned().collect();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(sent, [pair("caption", "a b"), pair("image_url", &made)]);

    let nobody = Url::parse("http://127.0.0.1:9/").unwrap();
    let request = Request::act(nobody, Body::JsonWithLinks(Box::new(misplaced)));
    let error = driver.send(&request).await.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent, "{error}");
    assert!(error.message.contains("has no place"), "{error}");
}
