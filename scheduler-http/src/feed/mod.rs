//! What open pages are told: what changes in their workspace, by ids alone, as a stream of events
//! or at once.
//!
//! The streams of a process share one look a second at each workspace that any of them is of; where
//! there is no stream, nothing is looked at. A look reads what the store has noted, so it finds what
//! another node or a worker has changed too.

mod watched;

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::stream;
use http::header::CONTENT_TYPE;
use http::{HeaderName, HeaderValue};
use scheduler_core::app::Member;
use scheduler_core::changes::{Changed, Changes};
use scheduler_core::ids::{SessionId, WorkspaceId};
use scheduler_core::timing::Zone;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use warp::Reply as _;
use warp::reply::Response;

use crate::answer::Lasting;
use crate::api::Api;
use crate::error::ApiError;
use watched::{News, Watched};

/// How often a stream says that it is there.
///
/// Source: our decision.
const BEAT_EVERY: Duration = Duration::from_secs(20);

/// How long a stream lasts; whoever is still there opens another, and whoever is not is not kept.
///
/// Source: our decision; as long as changes are told back.
const STREAM_LASTS: Duration = Duration::from_mins(15);

/// Streams of one session at the same time. A browser has one.
///
/// Source: our decision.
const STREAMS_OF_A_SESSION: usize = 8;

/// How long somebody waits for whom there is no place.
const BUSY_SECONDS: u32 = 15;

/// Asks proxies not to hold anything back.
///
/// Source: <https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering>.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The streams of a process.
#[derive(Debug)]
pub(crate) struct Feed {
    streams_max: usize,
    held: Mutex<Held>,
    /// Cancelled when the server stops, which waits for no stream.
    pub(crate) stopping: CancellationToken,
}

#[derive(Debug, Default)]
struct Held {
    streams: usize,
    of_sessions: HashMap<Option<SessionId>, usize>,
    watched: HashMap<WorkspaceId, Weak<Watched>>,
}

/// The place of a stream; free again when it is dropped.
#[derive(Debug)]
struct Place {
    feed: Arc<Feed>,
    session: Option<SessionId>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.feed.held();
        held.streams -= 1;
        if let Some(count) = held.of_sessions.get_mut(&self.session) {
            *count -= 1;
            if *count == 0 {
                held.of_sessions.remove(&self.session);
            }
        }
    }
}

impl Feed {
    /// Holds as many streams as half of the connections may carry.
    pub(crate) fn new(connections: usize) -> Arc<Self> {
        let (held, stopping) = (Mutex::default(), CancellationToken::new());
        Arc::new(Self { streams_max: connections.div_ceil(2), held, stopping })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a stream of a session.
    ///
    /// # Errors
    /// `unavailable` when there is none.
    fn place(self: &Arc<Self>, session: Option<SessionId>) -> Result<Place, ApiError> {
        let mut held = self.held();
        let of_session = held.of_sessions.get(&session).copied().unwrap_or_default();
        if held.streams >= self.streams_max || of_session >= STREAMS_OF_A_SESSION {
            return Err(ApiError::busy(BUSY_SECONDS));
        }
        held.streams += 1;
        held.of_sessions.insert(session, of_session + 1);
        Ok(Place { feed: Arc::clone(self), session })
    }

    /// What the streams of a workspace share, which is watched from `now` on unless it is already.
    fn watched(&self, workspace: WorkspaceId, now: DateTime<Utc>) -> Arc<Watched> {
        let mut held = self.held();
        held.watched.retain(|_, watched| watched.strong_count() > 0);
        if let Some(watched) = held.watched.get(&workspace).and_then(Weak::upgrade) {
            return watched;
        }
        let watched = Arc::new(Watched::new(workspace, now));
        held.watched.insert(workspace, Arc::downgrade(&watched));
        watched
    }
}

/// What has changed since an instant, at once.
pub(crate) async fn at_once(
    api: &Api,
    member: &Member,
    since: Option<DateTime<Utc>>,
) -> Result<Response, ApiError> {
    let now = api.scheduler.ports().clock.now();
    let changes = api.scheduler.changes(member.workspace.id, since.unwrap_or(now)).await?;
    let events = events_of(&changes).map(|(event, data)| json!({ "event": event, "data": data }));
    let answer = json!({
        "until": now.timestamp_micros().to_string(),
        "minute": minute(member, now),
        "events": events.collect::<Vec<_>>(),
    });
    Ok(warp::reply::json(&answer).into_response())
}

/// What has changed since an instant, and what changes from now on, as a stream of events.
pub(crate) async fn stream(
    api: &Arc<Api>,
    member: &Arc<Member>,
    since: Option<DateTime<Utc>>,
) -> Result<Response, ApiError> {
    let session = member.session.as_ref().map(|session| session.id);
    let place = api.feed.place(session)?;
    let now = api.scheduler.ports().clock.now();
    let watched = api.feed.watched(member.workspace.id, now);
    let ended = watched.follow();
    let told = *ended.borrow();
    let changes = api.scheduler.changes(member.workspace.id, since.unwrap_or(now)).await?;
    let opened_at = Instant::now();
    let first = format!("{}{}", written(now, &changes), beat(member, now, now));
    let stream = Stream {
        api: Arc::clone(api),
        member: Arc::clone(member),
        _place: place,
        watched,
        ended,
        told,
        opened_at,
        beat_at: opened_at + BEAT_EVERY,
        first: Some(first),
        is_over: false,
    };
    let texts = stream::unfold(stream, async |mut stream| {
        let text = stream.next().await?;
        Some((Ok::<_, Infallible>(text), stream))
    });
    let mut response = warp::reply::stream(texts).into_response();
    response.extensions_mut().insert(Lasting);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// A stream on its way.
struct Stream {
    api: Arc<Api>,
    member: Arc<Member>,
    _place: Place,
    watched: Arc<Watched>,
    ended: watch::Receiver<u64>,
    /// The number of the last look of which everything is told.
    told: u64,
    opened_at: Instant,
    beat_at: Instant,
    first: Option<String>,
    is_over: bool,
}

impl Stream {
    /// What is sent next; `None` at the end.
    async fn next(&mut self) -> Option<String> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        while !self.is_over {
            tokio::select! {
                () = self.api.feed.stopping.cancelled() => return None,
                () = sleep_until(self.opened_at + STREAM_LASTS) => return None,
                // The sender is held here too.
                _ = self.ended.changed() => {}
                () = sleep_until(self.beat_at) => {}
                () = sleep_until(self.watched.due_at()) => self.watched.look(&self.api),
            }
            let text = self.news();
            if !text.is_empty() {
                return Some(text);
            }
        }
        None
    }

    /// What there is to tell now.
    fn news(&mut self) -> String {
        let number = *self.ended.borrow_and_update();
        let news = self.watched.news_after(self.told);
        self.told = number;
        let told = news.iter().map(|News { until, changes, .. }| written(*until, changes));
        let mut text: String = told.collect();
        let session = self.member.session.as_ref();
        if session.is_some_and(|session| self.watched.has_ended(session.id, self.opened_at)) {
            self.is_over = true;
            text.push_str("event: bye\ndata: {}\n\n");
        } else if self.beat_at <= Instant::now() {
            self.beat_at = Instant::now() + BEAT_EVERY;
            let now = self.api.scheduler.ports().clock.now();
            // Whoever comes again asks from where the last look has found out anything.
            text.push_str(&beat(&self.member, now, self.watched.since()));
        }
        text
    }
}

/// Changes as events of a stream. Whoever has read the last of them has read what a look found that
/// was begun at `until`.
///
/// Source: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
fn written(until: DateTime<Utc>, changes: &Changes) -> String {
    let mut text = String::new();
    for (event, data) in events_of(changes) {
        let _ = write!(text, "event: {event}\ndata: {data}\n");
        let _ = write!(text, "id: {}\n\n", until.timestamp_micros());
    }
    text
}

/// Says that the stream is there, and what the clocks of the workspace show. Whoever has read it has
/// read what had changed until `until`.
fn beat(member: &Member, now: DateTime<Utc>, until: DateTime<Utc>) -> String {
    let data = json!({ "minute": minute(member, now) });
    format!("event: now\ndata: {data}\nid: {}\n\n", until.timestamp_micros())
}

fn minute(member: &Member, now: DateTime<Utc>) -> String {
    let zone = member.workspace.timezone.unwrap_or(Zone::UTC);
    zone.local(now).format("%H:%M").to_string()
}

/// Names and data of events; `all` where everything may have changed.
fn events_of(changes: &Changes) -> impl Iterator<Item = (&'static str, Value)> {
    let events = changes.list.iter().map(|change| match change.what {
        Changed::Post(id, revision) => {
            let at = change.at.timestamp_micros();
            ("post", json!({ "id": id, "revision": revision, "changed": at }))
        }
        Changed::Account(id) => ("account", json!({ "id": id })),
        Changed::File(id, status) => {
            ("file", json!({ "id": id, "state": status.map(|status| status.as_str()) }))
        }
        Changed::Inbox => ("inbox", json!({})),
    });
    events.chain(changes.is_cut.then(|| ("all", json!({}))))
}

#[cfg(test)]
mod tests {
    use scheduler_core::changes::Change;
    use scheduler_core::ids::PostId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn places_are_bounded_and_come_free() {
        let feed = Feed::new(20);
        let sessions = [1, 2].map(|id| Some(SessionId(Uuid::from_u128(id))));
        let mut places: Vec<Place> =
            (0..STREAMS_OF_A_SESSION).map(|_| feed.place(sessions[0]).unwrap()).collect();
        assert!(feed.place(sessions[0]).is_err(), "the session has its share");
        places.extend([feed.place(sessions[1]).unwrap(), feed.place(sessions[1]).unwrap()]);
        assert!(feed.place(sessions[1]).is_err(), "ten of twenty connections");
        drop(places.remove(0));
        assert!(feed.place(sessions[0]).is_ok());
        drop(places);
        let held = feed.held();
        assert_eq!((held.streams, held.of_sessions.len()), (0, 0));
    }

    #[test]
    fn events_as_they_are_sent() {
        let id = PostId(Uuid::nil());
        let changes =
            Changes::of(vec![Some(Change::of_post(id, 3, 9, DateTime::UNIX_EPOCH)), None]);
        let until = DateTime::from_timestamp(1, 0).unwrap();
        let text = written(until, &changes);
        let data = text.strip_prefix("event: post\ndata: ").unwrap();
        let data = data.strip_suffix("\nid: 1000000\n\n").unwrap();
        let want = json!({ "id": id, "revision": 3, "changed": 0 });
        assert_eq!(serde_json::from_str::<Value>(data).unwrap(), want);
    }
}
