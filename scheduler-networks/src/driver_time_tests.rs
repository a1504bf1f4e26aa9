//! How long the conversation of a step, and its visible request, may take.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::bluesky::IMAGE_RECIPE;
use scheduler_core::ports::{Derived, ExamineError, Examined, Examiner};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant as Clock;
use url::Url;
use uuid::Uuid;

use super::*;
use crate::conversation::FileBody;
use crate::testing::no_files;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";

/// Answers each request after so long, and counts them.
async fn server(answers_after: Vec<Duration>) -> (Url, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        for wait in answers_after {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4_096]).await.unwrap();
            counted.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(wait).await;
            let _ = stream.write_all(OK).await;
        }
    });
    (url, count)
}

fn slow_driver() -> Driver {
    Driver::new(Guard::new(true), no_files()).unwrap()
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Holds a conversation that sends these requests; gives the kind of its error and the seconds
/// that it took.
async fn held(
    driver: &Driver,
    call_timeout: impl Into<Option<CallTimeout>>,
    requests: Vec<Request>,
) -> (Option<NetworkErrorKind>, u64) {
    let begun = Clock::now();
    let next = |answers: &[Answer]| {
        let request = requests.get(answers.len()).cloned();
        Ok(request.map_or(Turn::Done(()), Turn::Send))
    };
    let held = driver.hold_for(None, call_timeout.into(), None, next).await;
    (held.err().map(|error| error.kind), begun.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_visible_request_is_waited_for_as_long_as_its_network_needs_and_no_longer() {
    let two_minutes = CallTimeout::USUAL.answered_within(seconds(120));
    let in_doubt = Some(NetworkErrorKind::InDoubt);
    for (name, call_timeout, wait, want) in [
        ("in time", CallTimeout::USUAL, 29, (None, 29)),
        ("too late", CallTimeout::USUAL, 31, (in_doubt, 30)),
        ("a slow network in time", two_minutes, 119, (None, 119)),
        ("a slow network too late", two_minutes, 121, (in_doubt, 120)),
    ] {
        let (url, count) = server(vec![seconds(wait)]).await;
        let request = Request::act(url, Body::Empty).visible();
        assert_eq!(held(&slow_driver(), call_timeout, vec![request]).await, want, "{name}");
        assert_eq!(count.load(Ordering::Relaxed), 1, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_visible_request_is_not_begun_when_too_little_time_is_left() {
    let temporary = Some(NetworkErrorKind::Temporary);
    for (name, before, after, want) in [
        ("quick reads", 14, 0, (None, 14, 2)),
        ("slow reads", 16, 0, (temporary, 16, 1)),
        // What was read is over with the step, and the post was not sent.
        ("no answer to a read", 40, 0, (temporary, 30, 1)),
        ("quick reads, then all of the time", 14, 31, (Some(NetworkErrorKind::InDoubt), 44, 2)),
    ] {
        let (url, count) = server(vec![seconds(before), seconds(after)]).await;
        let requests = vec![Request::read(url.clone()), Request::act(url, Body::Empty).visible()];
        let (kind, took) = held(&slow_driver(), CallTimeout::USUAL, requests).await;
        assert_eq!((kind, took, count.load(Ordering::Relaxed)), want, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_follows_the_visible_request_is_over_with_the_step_and_leaves_doubt() {
    let unsettled = Some(NetworkErrorKind::Unsettled);
    for (name, answers_after, want) in [
        ("in time", vec![10, 10, 10], (None, 30, 3)),
        ("a read that is cut off with the step", vec![10, 29, 29], (unsettled, 45, 3)),
        ("a read without an answer", vec![10, 31], (unsettled, 40, 2)),
        // Nobody listens any more.
        ("a read that cannot be sent", vec![10], (unsettled, 10, 1)),
    ] {
        let (url, count) = server(answers_after.into_iter().map(seconds).collect()).await;
        let read = || Request::read(url.clone());
        let visible = Request::act(url.clone(), Body::Empty).visible();
        let (kind, took) =
            held(&slow_driver(), CallTimeout::USUAL, vec![visible, read(), read()]).await;
        assert_eq!((kind, took, count.load(Ordering::Relaxed)), want, "{name}");
    }

    let (url, _) = server(Vec::new()).await;
    let call_timeout = Some(CallTimeout::USUAL);
    let mut within = Within { until: Clock::now(), call_timeout, is_visible_sent: true };
    let late = slow_driver().send_for(None, &mut within, &Request::read(url)).await.unwrap_err();
    assert_eq!(late.kind, NetworkErrorKind::Unsettled, "no time left for the read");
}

#[tokio::test(start_paused = true)]
async fn a_conversation_without_a_timeout_is_over_after_two_minutes() {
    let temporary = Some(NetworkErrorKind::Temporary);
    for (name, answers_after, want) in [
        ("quick answers", vec![1; 60], (None, 60, 60)),
        ("slow answers", vec![29; 60], (temporary, 120, 5)),
        ("an answer at the last moment", vec![29, 29, 29, 29, 3], (None, 119, 5)),
    ] {
        let count = answers_after.len();
        let (url, sent) = server(answers_after.into_iter().map(seconds).collect()).await;
        let requests = vec![Request::read(url); count];
        let (kind, took) = held(&slow_driver(), None, requests).await;
        assert_eq!((kind, took, sent.load(Ordering::Relaxed)), want, "{name}");
    }
    // One that others could see is not begun where it could be cut off.
    for (name, reads, want) in [("in time", 3, (None, 75, 4)), ("late", 4, (temporary, 100, 4))] {
        let (url, sent) = server([vec![seconds(25); reads], vec![seconds(0)]].concat()).await;
        let mut requests = vec![Request::read(url.clone()); reads];
        requests.push(Request::act(url, Body::Empty).visible());
        let (kind, took) = held(&slow_driver(), None, requests).await;
        assert_eq!((kind, took, sent.load(Ordering::Relaxed)), want, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_bytes_of_files_have_their_time_beside_the_two_minutes() {
    let mut within = Within::from_now(None);
    let request = Request::read("https://a.example/".parse().unwrap());
    let driver = slow_driver();
    let minute = 60 * 128 * 1024;
    assert_eq!(driver.time_for(&request, minute, within).unwrap(), seconds(90));
    tokio::time::advance(seconds(110)).await;
    assert_eq!(driver.time_for(&request, minute, within).unwrap(), seconds(70));
    within.until += upload_time(minute);
    assert_eq!(driver.time_for(&request, 0, within).unwrap(), seconds(30));
    tokio::time::advance(seconds(70)).await;
    assert!(driver.time_for(&request, minute, within).is_err());
}

/// Makes a small picture after so long.
#[derive(Debug)]
struct Slow(Arc<MemoryFiles>, Duration);

#[async_trait]
impl Examiner for Slow {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        Err(ExamineError::Temporary("not asked for".to_owned()))
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        tokio::time::sleep(self.1).await;
        let key = folder.derived(recipe.name);
        self.0.put(key.clone(), Bytes::from_static(b"small"));
        Ok(Derived { key, facts: MediaFacts::of_kind(MediaKind::Image) })
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_that_its_files_take_to_be_made_counts_before_the_request() {
    for (name, wait, want) in [
        ("in time", 15, (None, 15, 1)),
        ("too late", 16, (Some(NetworkErrorKind::Temporary), 16, 0)),
    ] {
        let files = Arc::new(MemoryFiles::new());
        let examiner = Arc::new(Slow(files.clone(), seconds(wait)));
        let driver = Driver::new(Guard::new(true), StoredFiles { files, examiner }).unwrap();
        let folder = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::nil()));
        let file = FileBody {
            folder,
            recipe: Some(Box::new(IMAGE_RECIPE)),
            media_type: "image/png".to_owned(),
            range: None,
        };
        let (url, count) = server(vec![Duration::ZERO]).await;
        let request = Request::act(url, Body::File(file)).visible();
        let (kind, took) = held(&driver, CallTimeout::USUAL, vec![request]).await;
        assert_eq!((kind, took, count.load(Ordering::Relaxed)), want, "{name}");
    }
}
