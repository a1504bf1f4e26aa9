//! Lost answers: nothing is there twice, and nothing is missing.

use chrono::TimeDelta;
use serde_json::{Value, json};
use url::Url;

use super::super::testing::{bot_job, discord, held, webhook_job};
use super::super::wire::{FORUM, TEXT};
use super::*;
use crate::conversation::{Body, Conversation, Method, PartContent};
use crate::testing::crash::{Imitation, exhaust, exhaust_in_doubt};
use crate::testing::files::with_images;
use crate::testing::{answered, with_options};

const BOT: &str = "1100000000000000000";

/// How long Discord remembers a nonce here.
const NONCE_LIFE: TimeDelta = TimeDelta::minutes(2);

/// A server of Discord with one channel.
#[derive(Clone, Default)]
struct Server {
    is_forum: bool,
    /// How long a thread stays among the active ones.
    active: TimeDelta,
    messages: Vec<Posted>,
    /// The messages that have opened a thread, and its name.
    threads: Vec<(usize, String)>,
}

#[derive(Clone)]
struct Posted {
    id: u64,
    content: String,
    files: Vec<String>,
    nonce: Option<String>,
    at: DateTime<Utc>,
}

impl Server {
    fn post(&mut self, input: &Value, now: DateTime<Utc>) -> usize {
        let nonce = input["nonce"].as_str().filter(|_| input["enforce_nonce"] == true);
        let is_known = |posted: &Posted| {
            nonce.is_some() && posted.nonce.as_deref() == nonce && now < posted.at + NONCE_LIFE
        };
        if let Some(at) = self.messages.iter().position(is_known) {
            return at;
        }
        let files = input["attachments"].as_array().cloned().unwrap_or_default();
        self.messages.push(Posted {
            id: snowflake_of(now) + self.messages.len() as u64,
            content: input["content"].as_str().unwrap_or_default().trim().to_owned(),
            files: files.iter().map(|file| file["filename"].as_str().unwrap().into()).collect(),
            nonce: nonce.map(str::to_owned),
            at: now,
        });
        self.messages.len() - 1
    }

    fn view(&self, at: usize, channel: &str) -> Value {
        let posted = &self.messages[at];
        let files: Vec<Value> =
            posted.files.iter().map(|name| json!({ "filename": name })).collect();
        json!({
            "id": posted.id.to_string(),
            "channel_id": channel,
            "author": { "id": BOT, "username": "newsbot" },
            "content": posted.content,
            "timestamp": posted.at.to_rfc3339(),
            "attachments": files,
        })
    }

    fn listed(&self, is_archived: bool, now: DateTime<Utc>) -> Value {
        let put_away_at = |at: usize| self.messages[at].at + self.active;
        let is_shown = |at: usize| self.is_forum && (now >= put_away_at(at)) == is_archived;
        let shown = self.threads.iter().filter(|(at, _)| is_shown(*at));
        let threads = shown.rev().map(|(at, name)| {
            let posted = &self.messages[*at];
            json!({
                "id": posted.id.to_string(),
                "name": name,
                "parent_id": "1400000000000000000",
                "owner_id": BOT,
                "thread_metadata": { "archive_timestamp": put_away_at(*at).to_rfc3339() },
            })
        });
        json!({ "threads": threads.collect::<Vec<_>>(), "has_more": false })
    }

    /// The messages after an id, newest first.
    fn after(&self, channel: &str, url: &Url) -> Value {
        let after = url.query_pairs().find(|(name, _)| name == "after").unwrap().1;
        let after: u64 = after.parse().unwrap();
        let shown = (0..self.messages.len()).rev().filter(|at| {
            let id = self.messages[*at].id;
            id > after && (!self.is_forum || channel == id.to_string())
        });
        shown.map(|at| self.view(at, channel)).collect()
    }
}

fn input(body: &Body) -> Value {
    match body {
        Body::Json(value) => value.clone(),
        Body::Multipart(parts) => match &parts[0].content {
            PartContent::Json(value) => value.clone(),
            other => panic!("{}", matches!(other, PartContent::Text(_))),
        },
        other => panic!("{other:?}"),
    }
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().skip(2).collect();
        match (request.method, path.as_slice()) {
            (Method::Post, ["webhooks", _, _] | ["channels", _, "messages"]) => {
                let at = self.post(&input(&request.body), now);
                answered(200, &self.view(at, "1400000000000000000"))
            }
            (Method::Post, ["channels", _, "messages", id, "threads"]) => {
                let at = self.messages.iter().position(|posted| posted.id.to_string() == *id);
                let at = at.unwrap();
                if self.threads.iter().any(|(known, _)| *known == at) {
                    return answered(400, &json!({ "message": "exists", "code": 160_004 }));
                }
                self.threads.push((at, input(&request.body)["name"].as_str().unwrap().into()));
                answered(201, &json!({ "id": id }))
            }
            (Method::Post, ["channels", _, "threads"]) => {
                let input = input(&request.body);
                let at = self.post(&input["message"], now);
                self.threads.push((at, input["name"].as_str().unwrap().into()));
                let id = self.messages[at].id.to_string();
                let message = self.view(at, &id);
                answered(201, &json!({ "id": id, "message": message }))
            }
            (Method::Get, ["guilds", _, "threads", "active"]) => {
                answered(200, &self.listed(false, now))
            }
            (Method::Get, ["channels", _, "threads", "archived", "public"]) => {
                answered(200, &self.listed(true, now))
            }
            (Method::Get, ["channels", channel, "messages"]) => {
                answered(200, &self.after(channel, &request.url))
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let show = |(at, posted): (usize, &Posted)| {
            let threads = self.threads.iter().filter(|(known, _)| *known == at);
            let threads = threads.map(|(_, name)| format!(" [{name}]"));
            format!("{} {}{}", posted.content, posted.files.len(), threads.collect::<String>())
        };
        self.messages.iter().enumerate().map(show).collect()
    }
}

fn named(job: PublishJob) -> PublishJob {
    with_options(job, json!({ "threadName": "News" }))
}

fn pauses() -> [TimeDelta; 4] {
    [TimeDelta::seconds(5), TimeDelta::minutes(5), TimeDelta::minutes(65), TimeDelta::hours(30)]
}

#[test]
fn whatever_breaks_a_bots_message_is_there_once() {
    for pause in pauses() {
        for (job, want) in [
            (bot_job(TEXT), "Hello #rust 0"),
            (with_images(bot_job(TEXT), 2), "Hello #rust 2"),
            (named(bot_job(TEXT)), "Hello #rust 0 [News]"),
            (named(with_images(bot_job(TEXT), 1)), "Hello #rust 1 [News]"),
        ] {
            exhaust(&discord(), &Server::default(), &job, pause, &[want]);
        }
    }
}

#[test]
fn whatever_breaks_a_bots_thread_in_a_forum_is_there_once() {
    for pause in pauses() {
        for active in [TimeDelta::hours(1), TimeDelta::days(7)] {
            let server = Server { is_forum: true, active, ..Server::default() };
            for (job, want) in [
                (named(bot_job(FORUM)), "Hello #rust 0 [News]"),
                (named(with_images(bot_job(FORUM), 2)), "Hello #rust 2 [News]"),
            ] {
                exhaust(&discord(), &server, &job, pause, &[want]);
            }
        }
    }
}

#[test]
fn whatever_breaks_a_webhooks_message_is_never_there_twice() {
    for pause in pauses() {
        for (job, want) in [
            (webhook_job(), "Hello #rust 0"),
            (with_images(webhook_job(), 2), "Hello #rust 2"),
            (named(webhook_job()), "Hello #rust 0"),
        ] {
            exhaust_in_doubt(&discord(), &Server::default(), &job, pause, &[want]);
        }
    }
}

fn located(job: &PublishJob, progress: &Value, answers: &[Answer]) -> (Vec<Value>, Located) {
    let (asked, located) = held(answers, |answers| discord().locate(job, progress, answers));
    (asked, located.unwrap())
}

#[test]
fn a_webhook_can_not_be_asked() {
    let job = webhook_job();
    let (asked, located) = located(&job, &discord().begin(&job), &[]);
    assert_eq!((asked, located), (Vec::new(), Located::Unknown));
}

#[test]
fn a_message_is_looked_for_since_its_call() {
    let job = bot_job(TEXT);
    let progress = discord().begin(&job);
    let (asked, found) = located(&job, &progress, &[answered(200, &json!([]))]);
    let after = snowflake_of(job.begun_at - CLOCK_DOUBT);
    assert_eq!(
        asked[0]["request"],
        format!(
            "GET https://discord.com/api/v10/channels/1400000000000000000/messages?after={after}&limit=100"
        )
    );
    assert!(matches!(found, Located::Absent(_)), "{found:?}");
}

fn shown(id: u64, author: &str, content: &str, files: &[&str]) -> Value {
    let files: Vec<Value> = files.iter().map(|name| json!({ "filename": name })).collect();
    json!({
        "id": id.to_string(),
        "channel_id": "1400000000000000000",
        "author": { "id": author, "username": "x" },
        "content": content,
        "attachments": files,
    })
}

/// A message of ours without files that was edited since.
fn edited(id: u64, content: &str) -> Value {
    let mut message = shown(id, BOT, content, &[]);
    message["edited_timestamp"] = "2026-11-20T10:01:00Z".into();
    message
}

#[test]
fn a_message_is_ours_by_its_author_its_text_and_its_files() {
    let name = "00000000-0000-0000-0000-000000000010.png";
    let other = "00000000-0000-0000-0000-000000000011.png";
    for (case, author, content, files, want) in [
        ("ours", BOT, "Hello #rust", vec![name], true),
        ("trimmed", BOT, " Hello #rust\n", vec![name], true),
        ("of somebody else", "5", "Hello #rust", vec![name], false),
        ("another text", BOT, "Hello", vec![name], false),
        ("another file", BOT, "Hello #rust", vec![other], false),
        ("without files", BOT, "Hello #rust", vec![], false),
        ("with more files", BOT, "Hello #rust", vec![name, other], false),
    ] {
        let mut job = with_images(bot_job(TEXT), 1);
        job.now += TimeDelta::hours(1);
        let page =
            answered(200, &json!([shown(snowflake_of(job.begun_at), author, content, &files)]));
        let found = located(&job, &discord().begin(&job), &[page]).1;
        assert_eq!(matches!(found, Located::Live(_)), want, "{case}: {found:?}");
    }
}

#[test]
fn what_cannot_be_told_apart_is_in_doubt() {
    let mut job = bot_job(TEXT);
    job.now += TimeDelta::hours(1);
    let at = |seconds: i64| snowflake_of(job.begun_at + TimeDelta::seconds(seconds));
    let ours = |seconds: i64| shown(at(seconds), BOT, "Hello #rust", &[]);
    for (case, messages, want) in [
        ("one", vec![ours(5)], Some(at(5))),
        ("one, and one of before", vec![ours(5), ours(-600)], Some(at(5))),
        ("two", vec![ours(5), ours(9)], None),
        ("one of before, or of a clock that is behind", vec![ours(-600)], None),
        ("a text with other signs", vec![shown(at(5), BOT, "Hello — rust", &[])], None),
        ("other signs, a little before", vec![shown(at(-600), BOT, "Hello — rust", &[])], None),
        ("edited into another text", vec![edited(at(5), "Other")], None),
        ("edited, a little before", vec![edited(at(-600), "Other")], None),
        ("edited, and as it was sent", vec![edited(at(5), "Hello #rust")], Some(at(5))),
    ] {
        let page = answered(200, &Value::Array(messages));
        let found = located(&job, &discord().begin(&job), &[page]).1;
        match (found, want) {
            (Located::Live(live), Some(id)) => {
                assert_eq!(live.remote.unwrap().id, id.to_string(), "{case}");
            }
            (found, want) => assert_eq!((found, want), (Located::Unknown, None), "{case}"),
        }
    }
}

#[test]
fn what_was_not_sent_by_the_call_is_absent() {
    let mut job = bot_job(TEXT);
    job.now += TimeDelta::hours(1);
    let at = |seconds: i64| snowflake_of(job.begun_at + TimeDelta::seconds(seconds));
    for (case, message) in [
        ("another text", shown(at(5), BOT, "Other", &[])),
        ("another text with a file", shown(at(5), BOT, "Hello #rust", &["a.png"])),
        ("edited, long before", edited(at(-901), "Other")),
        ("of somebody else", shown(at(5), "5", "Hello #rust", &[])),
    ] {
        let page = answered(200, &json!([message]));
        let found = located(&job, &discord().begin(&job), &[page]).1;
        assert!(matches!(found, Located::Absent(_)), "{case}: {found:?}");
    }
}

#[test]
fn a_busy_channel_is_followed_and_not_for_ever() {
    let mut job = bot_job(TEXT);
    job.now += TimeDelta::hours(1);
    let start = snowflake_of(job.begun_at);
    let page = |from: u64| -> Answer {
        let messages = (0..100).rev().map(|number| shown(start + from + number, "5", "x", &[]));
        answered(200, &messages.collect())
    };
    let last = answered(200, &json!([shown(start + 900, BOT, "Hello #rust", &[])]));
    let (asked, found) = located(&job, &discord().begin(&job), &[page(1), page(101), last]);
    assert!(matches!(found, Located::Live(_)), "{found:?}");
    let request = asked[1]["request"].as_str().unwrap();
    assert!(request.contains(&format!("after={}&", start + 100)), "{request}");

    let pages: Vec<Answer> = (0..10).map(|number| page(number * 100 + 1)).collect();
    assert_eq!(located(&job, &discord().begin(&job), &pages).1, Located::Unknown);
}

#[test]
fn a_look_that_fails_settles_nothing() {
    use scheduler_core::ports::NetworkErrorKind as Kind;
    for (channel_type, calls) in [(TEXT, 1), (FORUM, 1)] {
        let mut job = named(bot_job(channel_type));
        job.now += TimeDelta::hours(2);
        let progress = discord().begin(&job);
        for (status, kind) in [
            (500, Kind::Temporary),
            (429, Kind::RateLimited { wait: None }),
            (200, Kind::Temporary),
        ] {
            let answer = answered(status, &json!({}));
            let (asked, found) =
                held(&[answer], |answers| discord().locate(&job, &progress, answers));
            assert_eq!(asked.len(), calls);
            assert_eq!(found.unwrap_err().kind, kind, "{channel_type} {status}");
        }
    }
}

#[test]
fn a_thread_is_ours_by_its_channel_owner_name_and_time() {
    let job = named(bot_job(FORUM));
    let start = snowflake_of(job.begun_at);
    let old = snowflake_of(job.begun_at - TimeDelta::hours(1));
    let early = snowflake_of(job.begun_at - TimeDelta::minutes(10));
    for (case, id, parent, owner, name, want) in [
        ("ours", start, "1400000000000000000", BOT, "News", Some(true)),
        ("of another channel", start, "5", BOT, "News", Some(false)),
        ("of somebody else", start, "1400000000000000000", "5", "News", Some(false)),
        ("another name, or ours renamed", start, "1400000000000000000", BOT, "Other", None),
        ("the same, a little before", early, "1400000000000000000", BOT, "Other", None),
        ("of an earlier post", old, "1400000000000000000", BOT, "News", Some(false)),
        ("another name, of an earlier post", old, "1400000000000000000", BOT, "Other", Some(false)),
    ] {
        let thread =
            json!({ "id": id.to_string(), "name": name, "parent_id": parent, "owner_id": owner });
        let active = answered(200, &json!({ "threads": [thread] }));
        let message =
            answered(200, &json!([shown(id + 2, "5", "re", &[]), shown(id, BOT, "x", &[])]));
        let none = answered(200, &json!({ "threads": [], "has_more": false }));
        let mut answers = vec![active, none];
        answers.extend((want == Some(true)).then_some(message));
        let (_, found) = located(&job, &discord().begin(&job), &answers);
        let is_there = match &found {
            Located::Live(live) => {
                assert_eq!(live.remote.as_ref().unwrap().id, id.to_string(), "{case}");
                Some(true)
            }
            Located::Absent(_) => Some(false),
            _ => None,
        };
        assert_eq!(is_there, want, "{case}: {found:?}");
    }
}
