//! The looks at a workspace that its open streams share.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use scheduler_core::app::Scheduler;
use scheduler_core::changes::{CHANGE_SETTLES_WITHIN, Change, Changes};
use scheduler_core::error::AppError;
use scheduler_core::ids::{SessionId, WorkspaceId};
use tokio::sync::watch;
use tokio::time::Instant;
use uuid::Uuid;

use crate::api::Api;

/// How often it is looked.
///
/// Source: our decision; the design shows a change within a second or so.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// After how long a look that has not ended is given up for another.
///
/// Source: our decision.
const LOOK_LOST: Duration = Duration::from_secs(30);

/// News that are kept for streams that have not told them yet.
const NEWS_KEPT: usize = 64;

/// What is watched of a workspace while there is a stream of it.
#[derive(Debug)]
pub(super) struct Watched {
    workspace: WorkspaceId,
    looks: Mutex<Looks>,
    /// The number of the last look that has ended.
    ended: watch::Sender<u64>,
}

#[derive(Debug)]
struct Looks {
    number: u64,
    begun_at: Option<Instant>,
    is_looking: bool,
    /// When the last look that found out anything was begun.
    since: DateTime<Utc>,
    /// The changes that the next look may find again, by their marks.
    seen: HashMap<(Uuid, i64), DateTime<Utc>>,
    news: VecDeque<News>,
    /// The sessions that last, and when it was begun to look for them.
    sessions: Option<(Instant, HashSet<SessionId>)>,
}

/// What a look has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct News {
    number: u64,
    /// When the look was begun: who knows all of it has to ask for what comes after.
    pub(super) until: DateTime<Utc>,
    pub(super) changes: Changes,
}

impl Looks {
    /// Takes in what a look has found that was begun at `asked_at`.
    fn take(&mut self, asked_at: DateTime<Utc>, mut changes: Changes) {
        self.since = asked_at;
        changes.list.retain(|change: &Change| self.seen.insert(change.mark, change.at).is_none());
        self.seen.retain(|_, at| *at >= asked_at - CHANGE_SETTLES_WITHIN * 2);
        if changes.is_cut || !changes.list.is_empty() {
            self.news.push_back(News { number: self.number + 1, until: asked_at, changes });
            if self.news.len() > NEWS_KEPT {
                self.news.pop_front();
            }
        }
    }

    /// When the next look is due; `None` for the first.
    fn due_at(&self) -> Option<Instant> {
        let wait = if self.is_looking { LOOK_LOST } else { LOOK_EVERY };
        self.begun_at.map(|at| at + wait)
    }
}

impl Watched {
    /// Watches a workspace from now on.
    pub(super) fn new(workspace: WorkspaceId, since: DateTime<Utc>) -> Self {
        let looks = Looks {
            number: 0,
            begun_at: None,
            is_looking: false,
            since,
            seen: HashMap::new(),
            news: VecDeque::new(),
            sessions: None,
        };
        Self { workspace, looks: Mutex::new(looks), ended: watch::Sender::new(0) }
    }

    fn looks(&self) -> MutexGuard<'_, Looks> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the last look that found out anything was begun.
    pub(super) fn since(&self) -> DateTime<Utc> {
        self.looks().since
    }

    /// Tells the number of each look that ends.
    pub(super) fn follow(&self) -> watch::Receiver<u64> {
        self.ended.subscribe()
    }

    /// When the next look is due.
    pub(super) fn due_at(&self) -> Instant {
        self.looks().due_at().unwrap_or_else(Instant::now)
    }

    /// Looks, unless another stream has begun to. It goes on without the stream, which nobody may
    /// read any more.
    pub(super) fn look(self: &Arc<Self>, api: &Api) {
        let begun_at = Instant::now();
        {
            let mut looks = self.looks();
            if looks.due_at().is_some_and(|due_at| due_at > begun_at) {
                return;
            }
            looks.begun_at = Some(begun_at);
            looks.is_looking = true;
        }
        let (watched, scheduler) = (Arc::clone(self), api.scheduler.clone());
        api.calls.spawn(async move {
            let asked_at = scheduler.ports().clock.now();
            let found = watched.find(&scheduler).await;
            let mut looks = watched.looks();
            looks.is_looking = false;
            match found {
                Ok((changes, sessions)) => {
                    looks.take(asked_at, changes);
                    looks.sessions = Some((begun_at, sessions));
                }
                // What the next look finds begins where this one did.
                Err(error) => tracing::debug!(%error, "what has changed is not known now"),
            }
            looks.number += 1;
            watched.ended.send_replace(looks.number);
        });
    }

    async fn find(&self, scheduler: &Scheduler) -> Result<(Changes, HashSet<SessionId>), AppError> {
        let since = self.looks().since;
        let changes = scheduler.changes(self.workspace, since).await?;
        let sessions = scheduler.sessions(self.workspace).await?;
        Ok((changes, sessions.into_iter().map(|session| session.id).collect()))
    }

    /// What the looks after this one have found.
    pub(super) fn news_after(&self, number: u64) -> Vec<News> {
        let looks = self.looks();
        let mut news: Vec<News> =
            looks.news.iter().filter(|news| news.number > number).cloned().collect();
        // A stream that nobody has read for long may have missed some.
        let is_behind = looks.news.len() == NEWS_KEPT && news.len() == NEWS_KEPT;
        if let Some(last) = news.last_mut().filter(|_| is_behind) {
            last.changes.is_cut = true;
        }
        news
    }

    /// True when a look that was begun after `opened_at` has not found the session any more.
    pub(super) fn has_ended(&self, session: SessionId, opened_at: Instant) -> bool {
        let looks = self.looks();
        let newer = looks.sessions.as_ref().filter(|(begun_at, _)| *begun_at > opened_at);
        newer.is_some_and(|(_, sessions)| !sessions.contains(&session))
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use scheduler_core::ids::PostId;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    fn change(version: i64, seconds: i64) -> Change {
        Change::of_post(PostId(Uuid::nil()), version, version, at(seconds))
    }

    fn watched(looks: &[(i64, Vec<Change>)]) -> Watched {
        let watched = Watched::new(WorkspaceId(Uuid::nil()), at(0));
        for (asked_at, found) in looks {
            let mut looks = watched.looks();
            looks.take(at(*asked_at), Changes::of(found.iter().copied().map(Some).collect()));
            looks.number += 1;
        }
        watched
    }

    #[test]
    fn each_change_is_told_once() {
        let (first, second) = (change(1, 9), change(2, 11));
        let watched = watched(&[
            (10, vec![first]),
            (11, vec![first]),
            (12, vec![first, second]),
            (13, vec![second]),
        ]);
        let told = |number| -> Vec<(DateTime<Utc>, Vec<Change>)> {
            let news = watched.news_after(number).into_iter();
            news.map(|news| (news.until, news.changes.list)).collect()
        };
        assert_eq!(told(0), [(at(10), vec![first]), (at(12), vec![second])]);
        assert_eq!(told(1), [(at(12), vec![second])], "what is told already is not told again");
        assert!(told(3).is_empty());
    }

    #[test]
    fn a_stream_that_is_far_behind_shows_everything_anew() {
        let many = i64::try_from(NEWS_KEPT).unwrap() + 1;
        let looks: Vec<_> =
            (1..=many).map(|second| (second, vec![change(second, second)])).collect();
        let watched = watched(&looks);
        assert!(watched.news_after(0).last().unwrap().changes.is_cut);
        assert!(!watched.news_after(2).last().unwrap().changes.is_cut);
    }

    #[tokio::test]
    async fn a_session_ends_by_a_look_that_is_newer_than_its_stream() {
        let watched = watched(&[]);
        let session = SessionId(Uuid::from_u128(1));
        let opened_at = Instant::now();
        for (name, begun_at, known, want) in [
            ("an older look", opened_at, false, false),
            ("it lasts", opened_at + LOOK_EVERY, true, false),
            ("it has ended", opened_at + LOOK_EVERY, false, true),
        ] {
            let sessions = known.then_some(session).into_iter().collect();
            watched.looks().sessions = Some((begun_at, sessions));
            assert_eq!(watched.has_ended(session, opened_at), want, "{name}");
        }
    }
}
