//! Callers who go away before they are answered, and servers that stop then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use scheduler_core::app::{Ports, Scheduler};
use scheduler_core::assistant::AssistantCall;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Assistant, AssistantError, AssistantStore as _, Prompt, ReadingStore as _,
};
use scheduler_core::post::Month;
use scheduler_core::target::TargetStatus;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::support::World;

/// Has nothing to say, in the end.
#[derive(Debug, Default)]
struct SlowAssistant {
    is_asked: AtomicBool,
    may_answer: AtomicBool,
}

#[async_trait]
impl Assistant for SlowAssistant {
    fn is_configured(&self) -> bool {
        true
    }

    async fn answer(&self, _: &Prompt) -> Result<String, AssistantError> {
        self.is_asked.store(true, Ordering::SeqCst);
        while !self.may_answer.load(Ordering::SeqCst) {
            sleep(Duration::from_secs(1)).await;
        }
        Err(AssistantError::Unavailable("it has nothing to say".to_owned()))
    }
}

/// Sends a request, goes away when it is being met, has the server stopped, and only then lets
/// `answer` happen; returns when the server has stopped.
async fn leave_and_stop(
    world: &World,
    (method, path, body): (&str, &str, &Value),
    is_begun: impl Fn() -> bool,
    answer: impl FnOnce(),
) {
    let server = world.server().await;
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async {
        let _ = stopped.await;
    }));
    let (key, body) = (&world.key, body.to_string());
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let begun = async {
        while !is_begun() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(20), begun).await.unwrap();
    drop(stream);
    stop.send(()).unwrap();
    answer();
    timeout(Duration::from_secs(20), serving).await.unwrap().unwrap();
}

/// A target that is live, after somebody has asked for this of it and gone away.
async fn left(method: &str, rest: &str, body: Value) -> (World, String) {
    let world = World::new().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let (_, path) = world.live(&account).await;
    world.after.hangs.store(true, Ordering::SeqCst);
    let request = (method, format!("{path}/{rest}"));
    let is_begun = || world.after.in_flight.load(Ordering::SeqCst) == 1;
    let answer = || world.after.hangs.store(false, Ordering::SeqCst);
    leave_and_stop(&world, (request.0, &request.1, &body), is_begun, answer).await;
    (world, request.1)
}

#[tokio::test]
async fn what_a_network_did_is_written_down_when_nobody_waits_for_it() {
    let requests = [
        ("DELETE", "remote", json!({})),
        ("PATCH", "remote", json!({"content": "New"})),
        ("POST", "metrics", json!({})),
    ];
    let left = requests.map(|(method, rest, body)| left(method, rest, body));
    let worlds = join_all(left).await;
    for (world, path) in &worlds {
        assert_eq!(world.after.answered.load(Ordering::SeqCst), 1, "{path}");
    }
    let target = |index: usize| {
        let world: &World = &worlds[index].0;
        world.posts(world.workspace.id)[0].targets[0].clone()
    };
    assert_eq!(target(0).status(), TargetStatus::Skipped);
    assert_eq!(Value::from(target(1).options), json!({"caption": "New"}));
    let readings = worlds[2].0.store.inner.readings(target(2).id, None, 10).await.unwrap();
    assert_eq!(readings.len(), 1);
}

#[tokio::test]
async fn a_call_that_fails_costs_nothing_when_nobody_waits_for_it() {
    let mut world = World::new().await;
    let assistant = Arc::new(SlowAssistant::default());
    let ports = Ports { assistant: assistant.clone(), ..world.scheduler.ports().clone() };
    world.scheduler = Scheduler::new(ports, *world.scheduler.settings());
    let body = json!({"content": "x", "platforms": ["bluesky"]});
    let request = ("POST", "/v1/ai/captions", &body);
    let is_begun = || assistant.is_asked.load(Ordering::SeqCst);
    let answer = || assistant.may_answer.store(true, Ordering::SeqCst);
    leave_and_stop(&world, request, is_begun, answer).await;
    let month = Month::of(world.now());
    let calls =
        world.store.inner.calls_in_month(world.workspace.id, month, AssistantCall::Captions);
    assert_eq!(calls.await.unwrap(), 0);
}
