//! What the scheduler works with in these tests: a clock that stands still, ids that count, a
//! network and a receiver that answer as told and remember what they were asked.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::feeds::{FeedAnswer, FeedDocument, FeedRequest};
use scheduler_core::media::{Decoding, FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::memory::ClockTasks;
use scheduler_core::notification::Message;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ByteStream, Clock, ConnectInput, Connected, Derived,
    EventSender, ExamineError, Examined, Examiner, FetchError, Fetched, Fetcher, FilesError, Ids,
    Located, Mailer, MockNetwork, Network, NetworkError, PageFacts, PublishJob, Random, Request,
    Response, SendError, Step, Task, Tasks, Wake,
};
use scheduler_core::target::Remote;
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) struct ManualClock {
    now: Mutex<DateTime<Utc>>,
    /// Seconds that pass with each reading.
    pub(crate) each: AtomicI64,
}

impl ManualClock {
    pub(crate) fn at(now: &str) -> Self {
        Self { now: Mutex::new(now.parse().unwrap()), each: AtomicI64::new(0) }
    }

    pub(crate) fn set(&self, now: DateTime<Utc>) {
        *self.now.lock().unwrap() = now;
    }

    pub(crate) fn advance(&self, by: TimeDelta) {
        *self.now.lock().unwrap() += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        let mut now = self.now.lock().unwrap();
        *now += TimeDelta::seconds(self.each.load(Ordering::Relaxed));
        *now
    }
}

#[derive(Default)]
pub(crate) struct SequentialIds(Mutex<u128>);

impl Ids for SequentialIds {
    fn next(&self, at: DateTime<Utc>) -> Uuid {
        let mut last = self.0.lock().unwrap();
        *last += 1;
        let millis = u128::try_from(at.timestamp_millis()).unwrap();
        Uuid::from_u128((millis << 80) | *last)
    }
}

/// Bytes that never repeat, and begin so that waits carry no jitter.
#[derive(Default)]
pub(crate) struct CountingRandom(Mutex<u64>);

impl Random for CountingRandom {
    fn bytes(&self) -> [u8; 32] {
        let mut last = self.0.lock().unwrap();
        *last += 1;
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&10_000_u32.to_be_bytes());
        bytes[24..].copy_from_slice(&last.to_be_bytes());
        bytes
    }
}

#[derive(Default)]
pub(crate) struct CountedWake(Mutex<u32>);

impl CountedWake {
    pub(crate) fn count(&self) -> u32 {
        *self.0.lock().unwrap()
    }
}

impl Wake for CountedWake {
    fn wake(&self) {
        *self.0.lock().unwrap() += 1;
    }
}

/// Keeps tasks until a test runs them, and waits by a clock.
pub(crate) struct CollectedTasks {
    pub(crate) spawned: Mutex<Vec<Task>>,
    waits: ClockTasks,
}

impl CollectedTasks {
    pub(crate) fn new(clock: Arc<ManualClock>) -> Self {
        Self { spawned: Mutex::default(), waits: ClockTasks::new(clock) }
    }

    /// Runs them as far as they come, and says how many have not ended.
    pub(crate) fn run(&self) -> usize {
        let mut spawned = self.spawned.lock().unwrap();
        spawned.retain_mut(|task| task.as_mut().now_or_never().is_none());
        spawned.len()
    }
}

impl Tasks for CollectedTasks {
    fn spawn(&self, task: Task) {
        self.spawned.lock().unwrap().push(task);
    }

    fn sleep(&self, time: TimeDelta) -> Task {
        self.waits.sleep(time)
    }
}

/// A network that does as scripted; without a script every publish is live at once.
///
/// Its progress is `{"step": n}`; a step with `"quiet": true` is one that nobody can see.
#[derive(Default)]
pub(crate) struct ScriptedNetwork {
    pub(crate) steps: Mutex<VecDeque<Result<Step, NetworkError>>>,
    pub(crate) looks: Mutex<VecDeque<Result<Located, NetworkError>>>,
    pub(crate) refreshes: Mutex<VecDeque<Result<Credentials, NetworkError>>>,
    /// True when only a person can renew credentials.
    pub(crate) renews_nothing: AtomicBool,
    /// Every call, such as `advance 0 token-1`.
    pub(crate) calls: Mutex<Vec<String>>,
    pub(crate) jobs: Mutex<Vec<PublishJob>>,
    pub(crate) expires_at: Mutex<Option<DateTime<Utc>>>,
    pub(crate) limits: Mutex<AccountLimits>,
    /// Connects in its place, while there is one.
    mock: Mutex<Option<Arc<MockNetwork>>>,
    /// How many seconds a call that others can see is waited for; the engine adds 3 of them.
    pub(crate) call_seconds: Mutex<i64>,
    /// The steps and exchanges that do not end before this is taken away.
    pub(crate) hangs: Mutex<Option<&'static str>>,
    /// What its pages were made with.
    pub(crate) pages: Mutex<Vec<AuthorizeInput>>,
    /// What its accounts were opened with.
    pub(crate) inputs: Mutex<Vec<ConnectInput>>,
}

pub(crate) fn step(number: u32) -> Value {
    json!({ "step": number })
}

pub(crate) fn live() -> Result<Step, NetworkError> {
    Ok(Step::Live(remote("live").into()))
}

pub(crate) fn remote(id: &str) -> Remote {
    Remote::new(id, Some(format!("https://example.com/{id}")))
}

impl ScriptedNetwork {
    pub(crate) fn script(&self, steps: impl IntoIterator<Item = Result<Step, NetworkError>>) {
        self.steps.lock().unwrap().extend(steps);
    }

    pub(crate) fn script_looks(
        &self,
        looks: impl IntoIterator<Item = Result<Located, NetworkError>>,
    ) {
        self.looks.lock().unwrap().extend(looks);
    }

    pub(crate) fn take_calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    async fn while_it_hangs(&self, what: &'static str) {
        std::future::poll_fn(|context| {
            let hangs = *self.hangs.lock().unwrap();
            match hangs {
                Some(hangs) if hangs == what => {
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
                Some("panic") if what == "advance" => panic!("an adapter panics"),
                _ => Poll::Ready(()),
            }
        })
        .await;
    }

    /// Has a mock connect accounts, until it is to be as usual.
    pub(crate) fn connects_as(&self, expect: impl FnOnce(&mut MockNetwork)) {
        let mut mock = MockNetwork::new();
        expect(&mut mock);
        *self.mock.lock().unwrap() = Some(Arc::new(mock));
    }

    pub(crate) fn connects_as_usual(&self) {
        *self.mock.lock().unwrap() = None;
    }

    fn mocked(&self) -> Option<Arc<MockNetwork>> {
        self.mock.lock().unwrap().clone()
    }

    fn called(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }
}

#[async_trait]
impl Network for ScriptedNetwork {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        if let Some(mock) = self.mocked() {
            return mock.connect(input).await;
        }
        // A code opens the accounts that it names; what else came with it is remembered.
        let names = input.value("code").or(input.value("name")).unwrap();
        self.called(format!("connect {names}"));
        self.inputs.lock().unwrap().push(input.clone());
        let opened = names.split('+').map(|name| Connected {
            username: Some(name.to_owned()),
            limits: self.limits.lock().unwrap().clone(),
            lacks: vec![format!("{name} cannot read comments.")],
            ..Connected::new(name, Credentials::new("token-1", *self.expires_at.lock().unwrap()))
        });
        Ok(opened.collect())
    }

    async fn authorize(&self, input: &AuthorizeInput) -> Result<Authorization, NetworkError> {
        if let Some(mock) = self.mocked() {
            return mock.authorize(input).await;
        }
        self.called("authorize".to_owned());
        self.pages.lock().unwrap().push(input.clone());
        let url = "https://network.example/authorize".to_owned();
        let kept = ConnectInput([("clientSecret".to_owned(), "kept".to_owned())].into());
        Ok(Authorization { url, kept })
    }

    fn begin(&self, _: &PublishJob) -> Value {
        step(0)
    }

    fn is_visible(&self, progress: &Value) -> bool {
        progress.get("quiet").is_none()
    }

    fn call_within(&self, _: &PublishJob, _: &Value) -> TimeDelta {
        TimeDelta::seconds(*self.call_seconds.lock().unwrap() - 3)
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        self.called(format!("advance {} {}", progress["step"], job.credentials.expose()));
        self.while_it_hangs("advance").await;
        self.jobs.lock().unwrap().push(job.clone());
        let scripted = self.steps.lock().unwrap().pop_front();
        scripted.unwrap_or_else(live)
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        self.called(format!("locate {} {}", progress["step"], job.credentials.expose()));
        self.looks.lock().unwrap().pop_front().unwrap()
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        (progress["step"].as_u64().unwrap() > 0).then(|| remote("first-part"))
    }

    /// Progress with `"last": n` has the steps up to it.
    fn skip(&self, progress: &Value) -> Option<Value> {
        let (now, last) = (progress["step"].as_u64()?, progress["last"].as_u64()?);
        (now < last).then(|| json!({ "step": now + 1, "last": last }))
    }

    fn renews(&self, _: &Account, _: &Credentials) -> bool {
        !self.renews_nothing.load(Ordering::Relaxed)
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        self.called(format!("refresh {}", old.expose()));
        self.while_it_hangs("refresh").await;
        self.refreshes.lock().unwrap().pop_front().unwrap()
    }
}

/// A mail server that takes everything unless told otherwise.
#[derive(Default)]
pub(crate) struct ScriptedMail {
    pub(crate) answers: Mutex<VecDeque<Result<(), String>>>,
    pub(crate) sent: Mutex<Vec<(String, Message)>>,
}

#[async_trait]
impl Mailer for ScriptedMail {
    fn check_mailbox(&self, mailbox: &str) -> Result<(), String> {
        if mailbox.contains('@') { Ok(()) } else { Err("This is no mailbox.".to_owned()) }
    }

    async fn send(&self, mailbox: &str, message: &Message) -> Result<(), String> {
        self.sent.lock().unwrap().push((mailbox.to_owned(), message.clone()));
        self.answers.lock().unwrap().pop_front().unwrap_or(Ok(()))
    }
}

/// A receiver that answers 204 unless told otherwise.
#[derive(Default)]
pub(crate) struct ScriptedReceiver {
    pub(crate) answers: Mutex<VecDeque<Result<Response, SendError>>>,
    pub(crate) received: Mutex<Vec<Request>>,
}

pub(crate) fn answer(status: u16) -> Result<Response, SendError> {
    Ok(Response { status, body_start: format!("answer {status}") })
}

#[async_trait]
impl EventSender for ScriptedReceiver {
    async fn send(&self, request: &Request) -> Result<Response, SendError> {
        self.received.lock().unwrap().push(request.clone());
        self.answers.lock().unwrap().pop_front().unwrap_or_else(|| answer(204))
    }

    fn check_address(&self, url: &str) -> Result<(), String> {
        if url.starts_with("https://") { Ok(()) } else { Err("url must be https.".into()) }
    }
}

/// A place on the internet that gives what it was told, and remembers what it was asked.
#[derive(Default)]
pub(crate) struct ScriptedSource {
    pub(crate) answers: Mutex<VecDeque<Result<Vec<&'static str>, FetchError>>>,
    pub(crate) asked: Mutex<Vec<(String, u64)>>,
    /// What the next page says of itself; nothing more is read without one.
    pub(crate) pages: Mutex<VecDeque<Result<PageFacts, FetchError>>>,
    /// What a feed is now, or why it cannot be read; as it was where its `ETag` is known already.
    pub(crate) feed: Mutex<Option<Result<FeedDocument, FetchError>>>,
    /// Happens while the next file comes.
    pub(crate) meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

/// Pieces of a file; a piece `too long` ends it as over the limit.
struct Pieces(VecDeque<&'static str>);

impl futures_core::Stream for Pieces {
    type Item = Result<Bytes, FilesError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front().map(|piece| match piece {
            "too long" => Err(FilesError::Refused("The file is too long.".to_owned())),
            "broken" => Err(FilesError::Unavailable("it broke".to_owned())),
            piece => Ok(Bytes::from_static(piece.as_bytes())),
        }))
    }
}

#[async_trait]
impl Fetcher for ScriptedSource {
    fn check_address(&self, url: &str) -> Result<(), String> {
        if url.starts_with("https://") { Ok(()) } else { Err("sourceUrl must be https.".into()) }
    }

    async fn fetch(&self, url: &str, max_bytes: u64) -> Result<Fetched, FetchError> {
        self.asked.lock().unwrap().push((url.to_owned(), max_bytes));
        if let Some(meanwhile) = self.meanwhile.lock().unwrap().take() {
            meanwhile();
        }
        let pieces = self.answers.lock().unwrap().pop_front().unwrap()?;
        Ok(Fetched { bytes: ByteStream(Box::pin(Pieces(pieces.into()))) })
    }

    async fn page(&self, url: &str) -> Result<PageFacts, FetchError> {
        let said = self.pages.lock().unwrap().pop_front();
        said.unwrap_or_else(|| Err(FetchError::Temporary(format!("{url} does not answer."))))
    }

    async fn feed(&self, request: &FeedRequest) -> Result<FeedAnswer, FetchError> {
        let document = self.feed.lock().unwrap().clone().expect("a feed")?;
        let is_known = document.etag.is_some() && document.etag == request.etag;
        Ok(if is_known { FeedAnswer::NotModified } else { FeedAnswer::Read(document) })
    }
}

/// An examiner that finds a picture with a preview unless told otherwise.
#[derive(Default)]
pub(crate) struct ScriptedExaminer {
    pub(crate) answers: Mutex<VecDeque<Result<Examined, ExamineError>>>,
    /// What comes of making a picture fit; a picture where nothing is said.
    pub(crate) made: Mutex<VecDeque<Result<Derived, ExamineError>>>,
    /// The recipes that were asked for, by their names.
    pub(crate) recipes: Mutex<Vec<String>>,
    /// Whether it says that it makes videos.
    pub(crate) films: AtomicBool,
    /// Happens while the next file is examined.
    pub(crate) meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

pub(crate) fn picture() -> Examined {
    let facts = MediaFacts {
        mime_type: Some("image/png".to_owned()),
        size_bytes: Some(4),
        width: Some(640),
        height: Some(480),
        ..MediaFacts::of_kind(MediaKind::Image)
    };
    Examined { facts, preview: Some(Bytes::from_static(b"preview")) }
}

#[async_trait]
impl Examiner for ScriptedExaminer {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        if let Some(meanwhile) = self.meanwhile.lock().unwrap().take() {
            meanwhile();
        }
        self.answers.lock().unwrap().pop_front().unwrap_or_else(|| Ok(picture()))
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        self.recipes.lock().unwrap().push(recipe.name.to_owned());
        let usual = || Ok(Derived { key: folder.derived(recipe.name), facts: picture().facts });
        self.made.lock().unwrap().pop_front().unwrap_or_else(usual)
    }

    fn decoding(&self) -> Decoding {
        Decoding { pictures: true, heif: false, films: self.films.load(Ordering::Relaxed) }
    }
}
