//! What a connection is doing, as it is seen beside it and by its requests.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long the head of the first request may take. Source: our decision.
const FIRST_HEAD_WITHIN: Duration = Duration::from_secs(15);

/// How long a connection may rest between two requests, the head of the next one included, and how
/// long an answer may wait for its reader. Source: our decision.
pub(super) const REST: Duration = Duration::from_secs(60);

/// Bytes that have to be taken within that time by whoever reads an answer.
///
/// Source: our decision; less than a line of a modem carried.
const READ_BYTES: u64 = 16 << 10;

/// How long a request of somebody unknown is left alone when there are too many connections.
///
/// Source: our decision; the pages for people take milliseconds.
const GRACE: Duration = Duration::from_secs(5);

/// How long a new connection is not taken for a silent one. Without it, the newest would go first
/// where all others have sent something.
///
/// Source: our decision; a client sends its request with the answer to its opening, a round trip
/// later.
const NEW_FOR: Duration = Duration::from_secs(1);

/// What is lost when a connection is closed, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Worth {
    /// No request has come for a while.
    Silent,
    /// It rests, and nobody who is known has used it.
    Resting,
    /// Somebody unknown is waited for: for the first request of a new connection, for the body of
    /// a request, or for the reading of an answer.
    Slow,
    /// It rests, and somebody who is known has used it.
    KnownResting,
    /// A request is being answered.
    Busy,
}

/// What a connection is doing, as it is seen beside it.
#[derive(Debug)]
pub(super) struct Activity {
    peer: IpAddr,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    opened_at: Instant,
    /// When a request began or ended last.
    changed_at: Instant,
    /// When [`READ_BYTES`] more of the answers were written last.
    written_at: Instant,
    /// Bytes that were written since.
    written: u64,
    has_begun: bool,
    is_known: bool,
    /// Requests whose answers have not gone out.
    open: usize,
    /// How many of them wait for more of their bodies.
    awaited: usize,
    /// How many of them have an answer that is being sent.
    answering: usize,
    /// How many of them have an answer that goes on for as long as somebody reads it.
    lasting: usize,
    /// Pieces of bodies that have come.
    pieces: u64,
}

impl Activity {
    pub(super) fn of(peer: IpAddr) -> Self {
        let now = Instant::now();
        let state = State {
            opened_at: now,
            changed_at: now,
            written_at: now,
            written: 0,
            has_begun: false,
            is_known: false,
            open: 0,
            awaited: 0,
            answering: 0,
            lasting: 0,
            pieces: 0,
        };
        Self { peer: peer.to_canonical(), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address at the other end.
    pub(super) const fn peer(&self) -> IpAddr {
        self.peer
    }

    /// True when the head of any request has arrived.
    pub(super) fn has_begun(&self) -> bool {
        self.state().has_begun
    }

    /// True when there are requests, and each of them waits for more of its body.
    pub(super) fn waits_for_body(&self) -> bool {
        let state = self.state();
        state.open > 0 && state.awaited >= state.open
    }

    /// How many pieces of bodies have arrived.
    pub(super) fn pieces(&self) -> u64 {
        self.state().pieces
    }

    pub(super) fn piece_came(&self) {
        self.state().pieces += 1;
    }

    /// So many bytes went out.
    pub(super) fn wrote(&self, bytes: usize) {
        let mut state = self.state();
        state.written += bytes as u64;
        if state.written >= READ_BYTES {
            state.written = 0;
            state.written_at = Instant::now();
        }
    }

    /// A request waits for more of its body, or does so no longer.
    pub(super) fn awaits_body(&self, awaits: bool) {
        let mut state = self.state();
        state.awaited = if awaits { state.awaited + 1 } else { state.awaited.saturating_sub(1) };
    }

    /// What would be lost with it, and since when that has been so.
    pub(super) fn worth(&self) -> (Worth, Instant) {
        let state = self.state();
        let since = state.changed_at;
        let waits = state.awaited >= state.open || since.elapsed() > GRACE;
        // Whoever reads an answer that goes on opens another.
        let worth = match (state.open - state.lasting, state.is_known) {
            _ if !state.has_begun && state.opened_at.elapsed() < NEW_FOR => Worth::Slow,
            _ if !state.has_begun => Worth::Silent,
            (0, false) => Worth::Resting,
            (0, true) => Worth::KnownResting,
            (_, false) if waits => Worth::Slow,
            (_, _) => Worth::Busy,
        };
        (worth, since)
    }

    /// When it ends if nothing happens until then; `None` while the server has a request to answer.
    fn ends_at(&self) -> Option<Instant> {
        let state = self.state();
        if !state.has_begun {
            return Some(state.opened_at + FIRST_HEAD_WITHIN);
        }
        let waits_for_peer = state.answering >= state.open;
        waits_for_peer.then(|| state.changed_at.max(state.written_at) + REST)
    }

    /// Waits until the other end has let too much time pass.
    pub(super) async fn overstayed(&self) {
        loop {
            match self.ends_at() {
                Some(end) if end <= Instant::now() => return,
                Some(end) => tokio::time::sleep_until(end).await,
                None => tokio::time::sleep(REST).await,
            }
        }
    }
}

/// A request until its answer is sent.
#[derive(Debug)]
pub(super) struct Open {
    activity: Arc<Activity>,
    is_answering: bool,
    is_lasting: bool,
}

impl Open {
    pub(super) fn new(activity: &Arc<Activity>) -> Self {
        let mut state = activity.state();
        state.has_begun = true;
        state.open += 1;
        state.changed_at = Instant::now();
        drop(state);
        Self { activity: Arc::clone(activity), is_answering: false, is_lasting: false }
    }

    /// Its answer is there, and only has to be sent.
    pub(super) fn answering(mut self) -> Self {
        let mut state = self.activity.state();
        state.answering += 1;
        state.changed_at = Instant::now();
        drop(state);
        self.is_answering = true;
        self
    }

    /// Its answer is there, and goes on: nothing is waited for when nothing is sent.
    pub(super) fn lasting(mut self) -> Self {
        let mut state = self.activity.state();
        state.lasting += 1;
        state.changed_at = Instant::now();
        drop(state);
        self.is_lasting = true;
        self
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.open -= 1;
        state.answering -= usize::from(self.is_answering);
        state.lasting -= usize::from(self.is_lasting);
        state.changed_at = Instant::now();
    }
}

/// The connection that a request has come on, as its handler sees it.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Arc<Activity>);

impl Connection {
    pub(super) fn new(activity: &Arc<Activity>) -> Self {
        Self(Arc::clone(activity))
    }

    /// One of a peer, of which nothing else is known.
    #[cfg(test)]
    pub(crate) fn of(peer: IpAddr) -> Self {
        Self(Arc::new(Activity::of(peer)))
    }

    /// The address at its other end.
    pub(crate) fn peer(&self) -> IpAddr {
        self.0.peer()
    }

    /// Somebody has shown a key, a pass or a signed link on it.
    pub(crate) fn is_known(&self) {
        self.0.state().is_known = true;
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::time::{advance, timeout};

    use super::*;

    fn activity() -> Arc<Activity> {
        Arc::new(Activity::of(Ipv4Addr::LOCALHOST.into()))
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_lost_with_a_connection() {
        let one = activity();
        assert_eq!(one.worth().0, Worth::Slow, "its first request may be on its way");
        advance(NEW_FOR).await;
        assert_eq!(one.worth().0, Worth::Silent);
        let open = Open::new(&one);
        assert_eq!(one.worth().0, Worth::Busy);
        one.awaits_body(true);
        assert_eq!(one.worth().0, Worth::Slow, "it waits for the body of a stranger");
        one.awaits_body(false);
        assert_eq!(one.worth().0, Worth::Busy);
        advance(GRACE + Duration::from_millis(1)).await;
        assert_eq!(one.worth().0, Worth::Slow, "it takes too long for a page");
        drop(open);
        assert_eq!(one.worth().0, Worth::Resting);
        Connection::new(&one).is_known();
        assert_eq!(one.worth().0, Worth::KnownResting);
        let _open = Open::new(&one);
        one.awaits_body(true);
        advance(GRACE * 2).await;
        assert_eq!(one.worth().0, Worth::Busy, "whoever is known may take long");
    }

    /// How long a connection stays when nothing more happens, up to ten minutes.
    async fn stays(activity: &Activity) -> Option<u64> {
        let begun = Instant::now();
        let ended = timeout(Duration::from_secs(600), activity.overstayed()).await;
        ended.is_ok().then(|| begun.elapsed().as_secs())
    }

    #[tokio::test(start_paused = true)]
    async fn who_keeps_the_server_waiting_is_not_waited_for() {
        let one = activity();
        assert_eq!(stays(&one).await, Some(15), "nothing came");
        let one = activity();
        let open = Open::new(&one);
        assert_eq!(stays(&one).await, None, "the server takes its time");
        let open = open.answering();
        assert_eq!(stays(&one).await, Some(60), "nobody reads the answer");
        one.wrote(1 << 20);
        assert_eq!(stays(&one).await, Some(60), "it is read, and then not any more");
        one.wrote(100);
        assert_eq!(stays(&one).await, Some(0), "a drop is no progress");
        drop(open);
        assert_eq!(stays(&one).await, Some(60), "it rests");
        let stream = Open::new(&one).lasting();
        assert_eq!(stays(&one).await, None, "nothing has to be told");
        Connection::new(&one).is_known();
        assert_eq!(one.worth().0, Worth::KnownResting, "it makes room where there is none");
        let open = Open::new(&one);
        assert_eq!(one.worth().0, Worth::Busy, "another request of the connection");
        drop((open, stream));
        assert_eq!(stays(&one).await, Some(60), "it rests again");
    }
}
