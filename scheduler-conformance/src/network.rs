//! Networks under test: a publish under the real engine that is broken at every call.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Ports, Scheduler, Settings};
use scheduler_core::memory::{ManualClock, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, Clock as _, ConnectInput, Connected, Located, Network,
    NetworkError, NetworkErrorKind, Networks, PublishJob, Step,
};
use scheduler_core::post::{LiveRights, PostStatus, PostView};
use scheduler_core::target::{FailureCode, Remote, TargetStatus};
use serde_json::Value;
use tokio::sync::Notify;

/// How much time passes before another holder takes over.
const PAUSE: TimeDelta = TimeDelta::hours(1);

/// No publish needs more turns of the engine.
const TURNS_MAX: u32 = 100;

/// A network that a publish is tested on. Each run opens one of its own.
pub trait NetworkUnderTest: Network + Sized + 'static {
    /// A network on which nothing is live, and to which an account connects with
    /// [`ConnectInput::default`].
    fn open() -> Self;

    /// The texts of everything that is live, in the order in which it came.
    fn live(&self) -> Vec<String>;
}

/// What goes wrong at a call of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// Nothing was done, and the network says that it failed.
    Failed,
    /// It was done, and the answer is lost.
    Lost,
    /// It was done, and the process dies before it hears of it.
    Died,
    /// It was done, and the adapter panics.
    Panicked,
}

const CUTS: [Cut; 4] = [Cut::Failed, Cut::Lost, Cut::Died, Cut::Panicked];

/// A network with cuts at calls of these numbers.
struct Faulty<N> {
    inner: N,
    cuts: Vec<(usize, Cut)>,
    calls: AtomicUsize,
    /// The process is to die.
    dies: Notify,
}

impl<N: Network> Faulty<N> {
    async fn cut<T: Send>(
        &self,
        call: impl Future<Output = Result<T, NetworkError>> + Send,
    ) -> Result<T, NetworkError> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        let cut = self.cuts.iter().find(|(at, _)| *at == number).map(|(_, cut)| *cut);
        if cut == Some(Cut::Failed) {
            return Err(NetworkError::new(NetworkErrorKind::Temporary, "it failed"));
        }
        let answer = call.await;
        match cut {
            None | Some(Cut::Failed) => answer,
            Some(Cut::Lost) => Err(NetworkError::new(NetworkErrorKind::InDoubt, "it was lost")),
            Some(Cut::Died) => {
                self.dies.notify_one();
                std::future::pending().await
            }
            Some(Cut::Panicked) => panic!("the adapter panics"),
        }
    }
}

#[async_trait]
impl<N: Network> Network for Faulty<N> {
    async fn authorize(&self, input: &AuthorizeInput) -> Result<Authorization, NetworkError> {
        self.inner.authorize(input).await
    }

    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        self.inner.connect(input).await
    }

    fn begin(&self, job: &PublishJob) -> Value {
        self.inner.begin(job)
    }

    fn is_visible(&self, progress: &Value) -> bool {
        self.inner.is_visible(progress)
    }

    fn call_within(&self, job: &PublishJob, progress: &Value) -> TimeDelta {
        self.inner.call_within(job, progress)
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        self.cut(self.inner.advance(job, progress)).await
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        self.cut(self.inner.locate(job, progress)).await
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        self.inner.live_part(progress)
    }

    fn skip(&self, progress: &Value) -> Option<Value> {
        self.inner.skip(progress)
    }

    async fn refresh(&self, of: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        self.inner.refresh(of, old).await
    }
}

/// Publishes a post with no cut, with a cut of every kind at every call of the network, and with
/// every pair of them. The engine is the real one, over a store in memory; the post is the body of
/// a request that goes out at once, such as `{"content": "Hi", "publishNow": true, "targets":
/// [{"platform": "intranet"}]}`. However it goes, the texts are live once, in this order, and the
/// post is told to be live.
///
/// # Panics
///
/// When a text is live twice or not at all, or the post is not told to be live. The message names
/// the cuts.
pub fn exhaust<N: NetworkUnderTest>(platform: Platform, post: &Value, texts: &[&str]) {
    every_cut::<N>(platform, post, |post, live, cuts| {
        assert_eq!(live, texts, "{cuts}");
        assert_eq!(post.targets[0].status, TargetStatus::Published, "{cuts}");
    });
}

/// The same of a network that offers no way to look: no text is live twice, and where the post is
/// not told to be live, it is told to be in doubt.
///
/// # Panics
///
/// As [`exhaust`], but a publish with a cut may end in doubt.
pub fn exhaust_in_doubt<N: NetworkUnderTest>(platform: Platform, post: &Value, texts: &[&str]) {
    every_cut::<N>(platform, post, |post, live, cuts| {
        let target = &post.targets[0];
        if target.status == TargetStatus::Published {
            assert_eq!(live, texts, "{cuts}");
            return;
        }
        assert_ne!(cuts, "[]", "in doubt although nothing went wrong");
        assert_eq!(target.error_code, Some(FailureCode::InDoubt), "{cuts}");
        assert!(live.len() <= texts.len() && live == &texts[..live.len()], "{cuts}: {live:?}");
    });
}

fn every_cut<N: NetworkUnderTest>(
    platform: Platform,
    post: &Value,
    judge: impl Fn(&PostView, &[String], &str),
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = |cuts: Vec<(usize, Cut)>| {
        let name = format!("{cuts:?}");
        let inner = N::open();
        let calls = AtomicUsize::new(0);
        let network = Arc::new(Faulty { inner, cuts, calls, dies: Notify::new() });
        let post = runtime.block_on(publish(&network, platform, post, &name));
        judge(&post, &network.inner.live(), &name);
        network.calls.load(Ordering::SeqCst)
    };
    for first in 0..run(Vec::new()) {
        for cut in CUTS {
            let calls = run(vec![(first, cut)]);
            for second in first + 1..calls {
                for other in CUTS {
                    run(vec![(first, cut), (second, other)]);
                }
            }
        }
    }
}

/// Publishes until the post has ended.
async fn publish<N: NetworkUnderTest>(
    network: &Arc<Faulty<N>>,
    platform: Platform,
    post: &Value,
    name: &str,
) -> PostView {
    let begun: DateTime<Utc> = DateTime::from_timestamp(1_795_168_800, 0).unwrap();
    let clock = Arc::new(ManualClock::at(begun));
    let mut ports: Ports = test_ports(clock.clone());
    ports.networks = Networks::default().with(platform, network.clone());
    let mut scheduler = Scheduler::new(ports.clone(), Settings::default());
    let first = scheduler.first_start().await.unwrap().unwrap();
    let caller = scheduler.authenticate(Some(first.key.value.expose())).await.unwrap();
    let me = ConnectInput::default();
    scheduler.connect_account(&caller.workspace, platform, &me).await.unwrap();
    let input = serde_json::from_value(post.clone()).unwrap();
    let id = scheduler.create_post(&caller, input, None).await.unwrap().value.id;
    for _ in 0..TURNS_MAX {
        tokio::select! {
            _ = scheduler.run_due() => {}
            // What comes next is another process over the same store.
            () = network.dies.notified() => {
                scheduler = Scheduler::new(ports.clone(), Settings::default());
            }
        }
        let post = scheduler.post(&caller, id).await.unwrap();
        let post = PostView::new(&post, &LiveRights::at(clock.now()));
        if post.status == PostStatus::Done {
            return post;
        }
        clock.advance(PAUSE);
    }
    panic!("no end after {TURNS_MAX} turns: {name}");
}
