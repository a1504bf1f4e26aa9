//! What a key of the preset `agent` does, whatever it tries: nothing goes out, nothing gets a time,
//! nothing is approved. Over the endpoints of the API and a store in memory.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::TimeDelta;
use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::app::{Caller, NewKeyInput, Scheduler, Settings, WorkspaceChange};
use scheduler_core::audit::ToolCall;
use scheduler_core::error::AppError;
use scheduler_core::key::{Confirmation, Preset, Scopes};
use scheduler_core::memory::{ManualClock, MemoryNetwork, MemoryStore, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ConnectInput, Networks, WorkKind};
use scheduler_core::post::{Post, PostStatus, Review};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Program, Visit};
use scheduler_http::{App, ConnectPages, RateLimit, Server, ServerSettings};
use scheduler_worker::{Health, OsRandom, SystemClock};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use warp::reply::Response;

use crate::api::{Answer, Api, Call, Unanswered};
use crate::catalogue::entries;
use crate::confirm::Person;
use crate::http_endpoint::Within;
use crate::server::Tools;
use crate::tool::Outcome;

/// Calls that are made; `AGENT_CALLS` makes more of them.
const CALLS: usize = 10_000;

/// The program that was let in last.
static ADMITTED: Mutex<Option<Program>> = Mutex::new(None);

static ADMIT: Endpoint =
    Endpoint::page("admit", Method::POST, "/admit", |visit| admit(visit).boxed());
static PAGES: [&Endpoint; 1] = [&ADMIT];

async fn admit(visit: Visit) -> Response {
    let (program, _) = visit.into_program().await.unwrap();
    *ADMITTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(program);
    Response::default()
}

/// The tools of an agent as if nothing in them looked at its scopes, and as if it asked nobody: what
/// holds then is what the API looks at.
struct Unguarded(Arc<Within>);

#[async_trait]
impl Api for Unguarded {
    async fn call(&self, call: Call) -> Result<Answer, Unanswered> {
        self.0.call(call).await
    }

    fn scopes(&self) -> Scopes {
        Preset::Full.scopes()
    }

    fn confirmation(&self) -> Confirmation {
        Confirmation::Never
    }

    async fn count_live_call(&self) -> Result<(), AppError> {
        Ok(())
    }

    fn note(&self, tool: &str, call: ToolCall) {
        self.0.note(tool, call);
    }

    fn caller(&self) -> String {
        format!("unguarded {}", self.0.caller())
    }
}

/// A workspace with posts of a person: drafts, one that is to go out, one that is live.
struct World {
    scheduler: Scheduler,
    store: Arc<MemoryStore>,
    network: Arc<MemoryNetwork>,
    clock: Arc<ManualClock>,
    address: std::net::SocketAddr,
    owner: Caller,
}

impl World {
    async fn new() -> Self {
        let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse().unwrap()));
        let (store, network) = (Arc::new(MemoryStore::new()), Arc::new(MemoryNetwork::new()));
        let mut ports = test_ports(clock.clone());
        ports.store = store.clone();
        ports.random = Arc::new(OsRandom);
        let networks = [Platform::Mastodon, Platform::Bluesky].into_iter();
        ports.networks =
            networks.fold(Networks::default(), |all, one| all.with(one, network.clone()));
        let scheduler = Scheduler::new(ports, Settings::default());
        let first = scheduler.first_start().await.unwrap().unwrap();
        let owner = scheduler.authenticate(Some(first.key.value.expose())).await.unwrap();
        for platform in [Platform::Mastodon, Platform::Bluesky] {
            let input = ConnectInput::default();
            scheduler.connect_account(&owner.workspace, platform, &input).await.unwrap();
        }
        let all = std::num::NonZeroU32::MAX;
        let app = App {
            scheduler: scheduler.clone(),
            settings: ServerSettings {
                rate_limit: RateLimit { per_minute: all, burst: all },
                batches_per_minute: Some(all),
                ..ServerSettings::default()
            },
            worker: None,
            health: Health::new(store.clone(), Arc::new(SystemClock::new())),
            signed_files: None,
            connecting: ConnectPages::at("http://localhost".parse().unwrap()),
            doctor: None,
            pages: &PAGES,
        };
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap();
        let address = server.address();
        tokio::spawn(server.serve(std::future::pending()));
        Self { scheduler, store, network, clock, address, owner }
    }

    /// What a program with a new key of a preset works with.
    async fn program(&self, preset: Preset) -> Arc<Within> {
        let input = NewKeyInput::new("a program", preset);
        let key = self.scheduler.create_key(&self.owner.workspace, &input).await.unwrap();
        let key = key.value.expose();
        let request = format!(
            "POST /admit HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\n\
             content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
        );
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let admitted = ADMITTED.lock().unwrap_or_else(PoisonError::into_inner).take();
        Arc::new(Within(admitted.unwrap_or_else(|| panic!("{answer}"))))
    }

    fn posts(&self) -> Vec<Post> {
        self.store.posts()
    }
}

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    /// True so many times of a hundred.
    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// What an agent knows, and has learnt from answers.
struct Agent {
    dice: Dice,
    ids: Vec<String>,
    targets: Vec<String>,
    plans: Vec<String>,
}

/// Remembers a text that is new, as long as there are not too many.
fn keep(known: &mut Vec<String>, found: Option<&Value>) {
    let Some(Value::String(text)) = found else { return };
    if known.len() < 200 && !known.contains(text) {
        known.push(text.clone());
    }
}

/// What a key asks the API for without a tool.
const REQUESTS: [&str; 12] = [
    "create",
    "batch",
    "change",
    "change",
    "retry",
    "retry many",
    "take down",
    "edit",
    "approve",
    "undo",
    "move",
    "swap",
];

/// The times that somebody can ask for.
const TIMES: [&str; 4] = ["publishNow", "queue", "scheduledAt", "scheduledLocal"];

impl Agent {
    /// Keeps what an answer names: plans, posts and their targets.
    fn learn(&mut self, answer: &Value) {
        match answer {
            Value::Object(fields) => {
                for name in ["planId", "requestState"] {
                    keep(&mut self.plans, fields.get(name));
                }
                if let Some(Value::Array(targets)) = fields.get("targets") {
                    keep(&mut self.ids, fields.get("id"));
                    targets.iter().for_each(|target| keep(&mut self.targets, target.get("id")));
                }
                fields.values().for_each(|value| self.learn(value));
            }
            Value::Array(all) => all.iter().for_each(|one| self.learn(one)),
            _ => {}
        }
    }

    fn time(&mut self, body: &mut Map<String, Value>) {
        let name = *self.dice.of(&TIMES);
        let value = match name {
            "scheduledAt" => json!("2026-12-01T09:00:05Z"),
            "scheduledLocal" => json!("2026-12-01T10:30"),
            _ => json!(true),
        };
        body.insert(name.to_owned(), value);
    }

    /// A plan that was shown for something, or that nobody has shown.
    fn plan(&mut self) -> Value {
        if self.dice.percent(20) {
            return json!(format!("plan_{:032x}", self.dice.below(1 << 30)));
        }
        json!(self.dice.of(&self.plans))
    }

    fn value(&mut self, name: &str, schema: &Value) -> Value {
        match name {
            "id" | "postId" => json!(self.dice.of(&self.ids)),
            "postIds" => json!([self.dice.of(&self.ids), self.dice.of(&self.ids)]),
            "targetId" => json!(self.dice.of(&self.targets)),
            "planId" | "confirm" => self.plan(),
            "idempotencyKey" => json!(format!("the call {}", self.dice.below(60))),
            "revision" => json!(self.dice.below(4)),
            "scheduledAt" => json!("2026-12-01T09:00:05Z"),
            "month" => json!("2026-12"),
            "network" => json!("mastodon"),
            "targets" => json!([{"account": self.dice.of(&["mastodon", "bluesky"])}]),
            "content" | "text" => json!(format!("Text {}", self.dice.below(1_000))),
            "accounts" => json!(["mastodon"]),
            _ => match schema["type"].as_str() {
                Some("boolean") => json!(self.dice.percent(70)),
                Some("integer" | "number") => json!(self.dice.below(5)),
                Some("array") => json!([]),
                Some("object") => json!({}),
                _ => json!("2026-12-01T10:30"),
            },
        }
    }

    /// Arguments of a tool: mostly such as it takes, and now and then more.
    fn arguments(&mut self, schema: &Value) -> Map<String, Value> {
        let mut arguments = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        for (name, schema) in &properties {
            let is_needed = required.iter().any(|one| one == name);
            if self.dice.percent(if is_needed { 97 } else { 15 }) {
                arguments.insert(name.clone(), self.value(name, schema));
            }
        }
        if self.dice.percent(10) {
            self.time(&mut arguments);
        }
        arguments
    }

    /// What is to be shown of a post that may go out then.
    fn check(&mut self) -> Map<String, Value> {
        let mut arguments = Map::from_iter([("postId".to_owned(), json!(self.dice.of(&self.ids)))]);
        self.time(&mut arguments);
        arguments
    }

    /// Somebody who was never asked, or of whom the program says that they said yes.
    fn person(&mut self) -> Person {
        if self.dice.percent(60) {
            return Person::default();
        }
        let yes = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
        let about = self.plan().as_str().map(str::to_owned);
        Person { can_be_asked: true, said: self.dice.percent(80).then_some(yes), about }
    }

    /// A request to the API by the key itself.
    fn request(&mut self) -> (&'static str, Call) {
        let post = self.dice.of(&self.ids).clone();
        let target = self.dice.of(&self.targets).clone();
        let other = self.dice.of(&self.targets).clone();
        let mut body = Map::new();
        self.time(&mut body);
        let revision = i64::try_from(self.dice.below(3)).unwrap();
        let mut new = body.clone();
        new.insert("content".to_owned(), json!("Out now"));
        new.insert("targets".to_owned(), json!([{"platform": "mastodon"}]));
        let at = format!("/v1/posts/{post}");
        let kind = *self.dice.of(&REQUESTS);
        let (method, path, body) = match kind {
            "create" => (Method::POST, "/v1/posts".to_owned(), Value::Object(new)),
            "batch" => {
                let body = json!({"posts": [{"key": format!("beside {post}"), "post": new}]});
                (Method::POST, "/v1/posts/batch".to_owned(), body)
            }
            "change" => (Method::PATCH, at, Value::Object(body)),
            "retry" => (Method::POST, format!("{at}/retry"), json!({})),
            "retry many" => (Method::POST, "/v1/posts/retry".to_owned(), json!({"ids": [post]})),
            "take down" => (Method::DELETE, format!("{at}/targets/{target}/remote"), json!({})),
            "edit" => {
                let body = json!({"content": "Other"});
                (Method::PATCH, format!("{at}/targets/{target}/remote"), body)
            }
            "approve" => (
                Method::POST,
                format!("/app/v1/posts/{post}/approve"),
                json!({"revision": revision}),
            ),
            "undo" => (Method::POST, format!("/app/v1/posts/{post}/undo"), json!({})),
            "move" => {
                let body = json!({"targetId": target, "instant": "2026-12-01T09:00:05Z"});
                (Method::POST, "/app/v1/queue/move".to_owned(), body)
            }
            _ => {
                let body = json!({"targetId": target, "with": other});
                (Method::POST, "/app/v1/queue/swap".to_owned(), body)
            }
        };
        let call = Call::new(method, path).with_body(body);
        (kind, if self.dice.percent(50) { call.at_revision(revision) } else { call })
    }
}

/// Calls a tool; what it answers, or the refusal.
async fn call(
    api: Arc<dyn Api>,
    at: usize,
    arguments: Map<String, Value>,
    person: Person,
) -> Value {
    let tools = Tools::new(api);
    let answered = Box::pin(tools.answer(
        entries()[at].definition,
        arguments,
        person,
        "an agent/1".to_owned(),
    ));
    match answered.await {
        Ok(Outcome::Done(value) | Outcome::Waits(value)) => value,
        Ok(Outcome::Ask(question)) => {
            serde_json::to_value(question.into_result().unwrap()).unwrap()
        }
        Err(failure) => failure.into_value(),
    }
}

#[tokio::test]
async fn ten_thousand_attempts_of_an_agent_publish_nothing() {
    let more = std::env::var("AGENT_CALLS").ok().and_then(|text| text.parse().ok());
    // Where nobody else has to approve a post, and where somebody has to.
    for second_pair in [false, true] {
        attempts(CALLS.max(more.unwrap_or_default()), second_pair).await;
    }
}

async fn attempts(calls: usize, second_pair: bool) {
    let world = World::new().await;
    let person = world.program(Preset::Full).await;
    let written = async |body: Value| {
        let call = Call::new(Method::POST, "/v1/posts").with_body(body);
        person.call(call).await.unwrap().body
    };
    let to = json!([{"platform": "mastodon"}, {"platform": "bluesky"}]);
    let live = written(json!({"content": "Live", "publishNow": true, "targets": to})).await;
    world.scheduler.run_due().await.unwrap();
    assert_eq!(world.network.texts(), ["Live", "Live"], "{live}");
    let later = json!({"content": "Later", "scheduledAt": "2027-03-01T09:00:00Z", "targets": to});
    let later = written(later).await;
    let second_pair =
        WorkspaceChange { second_pair: Some(second_pair), ..WorkspaceChange::default() };
    world.scheduler.change_workspace(&world.owner.workspace, second_pair).await.unwrap();
    let mut ids = vec![live["id"].clone(), later["id"].clone()];
    for number in 0..3 {
        let body =
            json!({"content": format!("Draft {number}"), "saveAsDraft": true, "targets": to});
        ids.push(written(body).await["id"].clone());
    }
    let mut agent =
        Agent { dice: Dice(11), ids: Vec::new(), targets: Vec::new(), plans: Vec::new() };
    agent.ids.extend(ids.iter().map(|id| id.as_str().unwrap().to_owned()));
    for post in world.posts() {
        agent.targets.extend(post.targets.iter().map(|target| target.id.0.to_string()));
    }
    // Plans that the person was shown, with a key that may publish.
    let checking = entries().iter().position(|it| it.definition.name == "check_post").unwrap();
    for id in &agent.ids.clone() {
        for time in [json!({"publishNow": true}), json!({"scheduledAt": "2026-12-01T09:00:05Z"})] {
            let mut arguments = time.as_object().unwrap().clone();
            arguments.insert("postId".to_owned(), json!(id));
            agent.learn(&call(person.clone(), checking, arguments, Person::default()).await);
        }
    }
    assert!(agent.plans.len() >= 6, "{:?}", agent.plans);

    let guarded = world.program(Preset::Agent).await;
    let unguarded = Arc::new(Unguarded(guarded.clone()));
    let mut outcomes = std::collections::BTreeMap::<String, usize>::new();
    for number in 0..calls {
        let api: Arc<dyn Api> =
            if agent.dice.percent(50) { guarded.clone() } else { unguarded.clone() };
        let (answer, kind) = if agent.dice.percent(15) {
            let (kind, request) = agent.request();
            (guarded.call(request).await.unwrap().body, format!("request to {kind}"))
        } else {
            let at = agent.dice.below(entries().len());
            let schema = Value::Object((*entries()[at].tool.input_schema).clone());
            let is_check = at == checking && agent.dice.percent(70);
            let mut arguments = if is_check { agent.check() } else { agent.arguments(&schema) };
            let who = agent.person();
            let mut answer = call(api.clone(), at, arguments.clone(), who.clone()).await;
            // It answers its own question, as if its person had.
            let plan = answer["planId"].as_str().or(answer["requestState"].as_str());
            if let Some(plan) = plan.map(str::to_owned)
                && agent.dice.percent(70)
            {
                arguments.insert("confirm".to_owned(), json!(plan));
                let who = Person { about: Some(plan), ..who };
                answer = call(api, at, arguments, who).await;
            }
            (answer, entries()[at].definition.name.to_owned())
        };
        let outcome = answer["error"]["code"].as_str().unwrap_or("done");
        *outcomes.entry(format!("{kind} {outcome}")).or_default() += 1;
        agent.learn(&answer);
        if number % 1_000 == 999 {
            world.clock.advance(TimeDelta::hours(30));
            world.scheduler.run_due().await.unwrap();
        }
    }

    assert_eq!(world.network.texts(), ["Live", "Live"], "nothing went out: {outcomes:#?}");
    for post in world.posts() {
        let id = json!(post.id.0.to_string());
        let want: &[PostStatus] = if id == live["id"] {
            &[PostStatus::Done]
        } else if id == later["id"] {
            &[PostStatus::Scheduled, PostStatus::Canceled]
        } else {
            &[PostStatus::Draft, PostStatus::Canceled]
        };
        assert!(want.contains(&post.status), "{:?} of {post:?}", post.status);
        assert!(!matches!(post.review, Some(Review::Approved { .. })), "{post:?}");
        if id == later["id"] && post.status == PostStatus::Scheduled {
            assert_eq!(json!(post.scheduled_at), later["scheduledAt"], "its time is as it was");
        }
        if id == live["id"] {
            assert!(post.targets.iter().all(|target| target.remote().is_some()), "{post:?}");
        }
    }
    let due = world.store.work().into_iter().filter(|(kind, _)| *kind == WorkKind::Publish);
    assert!(due.count() <= 2, "no more than the person's own");
    // It has tried: drafts were written and shown, and what goes out was refused in both ways.
    for (outcome, least) in [
        ("create_draft done", calls / 500),
        ("check_post done", calls / 2_000),
        ("publish_now forbidden", calls / 100),
        ("schedule_post forbidden", calls / 100),
        ("retry_targets forbidden", calls / 100),
        ("take_down forbidden", calls / 100),
        ("reply_to_comment forbidden", calls / 100),
    ] {
        let found = outcomes.get(outcome).copied().unwrap_or_default();
        assert!(found >= least, "{outcome}: {found} of {least}: {outcomes:#?}");
    }
    for kind in REQUESTS {
        let outcome = format!("request to {kind} forbidden");
        assert!(outcomes.contains_key(&outcome), "{outcome}: {outcomes:#?}");
    }
}
