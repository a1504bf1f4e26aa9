//! All that a sandbox holds, behind one lock, and the steps in which it changes.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};

use crate::arrived::Arrived;
use crate::dispatch::{self, Decision};
use crate::faults::Faults;
use crate::fetch::{self, Fetched};
use crate::journal::{self, Chosen, Earlier, Event, Journal, Moment, NotReplayed};
use crate::log::RequestLog;
use crate::network::{Context, Network};
use crate::options::{Options, Watcher};
use crate::outside::{now, random_seed};
use crate::registry;
use crate::step::{self, Begun};

/// A network and where it answers.
pub(crate) struct Hosted {
    pub(crate) network: Box<dyn Network>,
    /// Base URL, without a slash at its end.
    pub(crate) base: String,
}

/// The clock of all networks: the machine's, moved ahead as tests wish. It stands still within a
/// step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock {
    machine: DateTime<Utc>,
    ahead: TimeDelta,
}

impl Clock {
    /// Returns the present of the networks.
    pub(crate) fn now(self) -> DateTime<Utc> {
        self.machine + self.ahead
    }

    /// Moves the clock ahead.
    pub(crate) fn advance(&mut self, by: TimeDelta) {
        self.ahead += by;
    }
}

/// Networks, faults and requests.
pub(crate) struct State {
    pub(crate) clock: Clock,
    pub(crate) options: Options,
    pub(crate) networks: Vec<Hosted>,
    pub(crate) faults: Faults,
    pub(crate) log: RequestLog,
    /// Requests that have come for networks: the number of the last one.
    pub(crate) arrived: u64,
    /// Fetches that have begun.
    fetches: u64,
    journal: Option<Journal>,
    /// Whether the sandbox has ended; nothing is done any more then.
    is_over: bool,
}

impl State {
    /// Of a sandbox that was asked nothing, and answers at `url`.
    fn empty(url: &str, options: Options) -> Self {
        let hosted = registry::networks().into_iter().map(|network| {
            let base = format!("{url}/{}", network.name());
            Hosted { network, base }
        });
        Self {
            clock: Clock::default(),
            options,
            networks: hosted.collect(),
            faults: Faults::default(),
            log: RequestLog::default(),
            arrived: 0,
            fetches: 0,
            journal: None,
            is_over: false,
        }
    }

    /// Returns a network with what surrounds the handling of a request.
    pub(crate) fn network(&mut self, index: usize) -> (&mut dyn Network, Context<'_>) {
        let Hosted { network, base } = &mut self.networks[index];
        (network.as_mut(), Context { now: self.clock.now(), base, options: &self.options })
    }

    /// Does something at a moment; the fetches that it has begun get the next numbers.
    fn at<T>(
        &mut self,
        moment: Moment,
        act: impl FnOnce(&mut Self) -> T,
    ) -> (T, Vec<(u64, Begun)>) {
        self.clock.machine = moment.at;
        let (done, begun) = step::run(moment.seed, || act(self));
        let first = self.fetches;
        self.fetches += begun.len() as u64;
        (done, (first..).zip(begun).collect())
    }
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotDone {
    /// The sandbox has ended.
    #[error("the sandbox has ended")]
    Over,
    /// It could not be written down.
    #[error("the sandbox cannot write down what it is asked: {0}")]
    NotWritten(#[from] io::Error),
}

/// What every connection shares.
pub(crate) struct Shared {
    /// Where the sandbox answers, without a slash at its end.
    url: String,
    /// How fast bodies come; see [`Options::receive_bytes_per_second`].
    pub(crate) receive_bytes_per_second: Option<std::num::NonZeroU64>,
    /// Names of the networks, in the order of the state.
    pub(crate) platforms: Vec<&'static str>,
    /// Who is told of answers.
    pub(crate) watcher: Option<Watcher>,
    /// Bytes of bodies that have come for each of them.
    pub(crate) received: Vec<AtomicU64>,
    state: Mutex<State>,
}

impl Shared {
    /// Makes an empty sandbox that answers at `url`.
    pub(crate) fn new(url: &str, options: Options) -> Self {
        let receive_bytes_per_second = options.receive_bytes_per_second;
        let watcher = options.watcher.clone();
        let state = State::empty(url, options);
        let platforms = state.networks.iter().map(|hosted| hosted.network.name()).collect();
        let received = state.networks.iter().map(|_| AtomicU64::new(0)).collect();
        let (url, state) = (url.to_owned(), Mutex::new(state));
        Self { url, receive_bytes_per_second, platforms, watcher, received, state }
    }

    /// Locks the state to read it; a handler that panicked does not lock it for ever.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state: writes down what is done, then does it.
    ///
    /// # Errors
    /// [`NotDone`]; nothing was done then.
    pub(crate) fn step<T>(
        self: &Arc<Self>,
        event: impl FnOnce() -> Event,
        act: impl FnOnce(&mut State) -> T,
    ) -> Result<T, NotDone> {
        let mut state = self.lock();
        if state.is_over {
            return Err(NotDone::Over);
        }
        let moment = Moment { at: now().trunc_subsecs(6), seed: random_seed() };
        if let Some(journal) = &mut state.journal {
            journal.add(moment, &event())?;
        }
        let (done, begun) = state.at(moment, act);
        for (number, begun) in begun {
            self.fetch(number, begun);
        }
        Ok(done)
    }

    fn fetch(self: &Arc<Self>, number: u64, (link, file): Begun) {
        let shared = Arc::clone(self);
        fetch::run(link, move |fetched: Option<Fetched>| {
            let event = || Event::Fetched(number, fetched.clone());
            // What cannot be written down is fetched again by the next process.
            if let Err(error) = shared.step(event, |_| file.end(fetched.clone())) {
                tracing::warn!(%error, "a file that was fetched is dropped");
            }
        });
    }

    /// Does again what an earlier sandbox has done in this folder, and keeps there what is done
    /// from now on. True when nothing had been done before, or when it cannot be done again: the
    /// imitations have changed since. Then the sandbox begins anew, as after another version.
    ///
    /// # Errors
    /// The folder cannot be read or written.
    pub(crate) fn keep_in(
        self: &Arc<Self>,
        folder: &Path,
        address: std::net::SocketAddr,
        earlier: Option<Earlier>,
    ) -> io::Result<bool> {
        let options = self.lock().options.clone();
        let chosen = Chosen::of(&options);
        let mut again = Again { is_new: true, ..Again::default() };
        let replay =
            |earlier: Earlier| earlier.replay(|moment, event| again.act(self, moment, event));
        let journal = match earlier.map(replay) {
            Some(Ok(journal)) => journal,
            None => Journal::begin(folder, address)?,
            Some(Err(NotReplayed::Unread(error))) => return Err(error),
            Some(Err(error @ NotReplayed::Changed { .. })) => {
                journal::put_aside(folder)?;
                tracing::warn!(
                    %error,
                    "the sandbox in {} cannot be made as it was and begins anew; what it was asked is kept in {}",
                    folder.display(),
                    journal::OLD_NAME
                );
                self.forget(options);
                again = Again { is_new: true, ..Again::default() };
                Journal::begin(folder, address)?
            }
        };
        self.lock().journal = Some(journal);
        // What was under way when the process ended begins anew; how it ends is written down.
        for (number, begun) in again.fetches {
            self.fetch(number, begun);
        }
        let start = || Event::Start(chosen.clone());
        self.step(start, |state| chosen.put_into(&mut state.options)).map_err(io::Error::other)?;
        Ok(again.is_new)
    }

    /// Leaves nothing of what was done.
    fn forget(&self, options: Options) {
        *self.lock() = State::empty(&self.url, options);
        for received in &self.received {
            received.store(0, Ordering::Relaxed);
        }
    }

    /// Ends it: whatever is still under way is not done.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.is_over = true;
        state.journal = None;
    }
}

/// What is under way while everything is done again.
#[derive(Default)]
struct Again {
    held: BTreeMap<u64, (usize, Arrived)>,
    fetches: BTreeMap<u64, Begun>,
    is_new: bool,
}

impl Again {
    fn act(&mut self, shared: &Arc<Shared>, moment: Moment, event: Event) -> Result<(), String> {
        let mut state = shared.lock();
        let begun = match event {
            Event::Start(chosen) => {
                chosen.put_into(&mut state.options);
                Vec::new()
            }
            Event::Request(written) => {
                self.is_new = false;
                let arrived = Arrived::from_written(*written, &shared.platforms)?;
                let counter = arrived.network.and_then(|index| shared.received.get(index));
                if let Some(counter) = counter {
                    counter.fetch_add(arrived.request.body.length, Ordering::Relaxed);
                }
                // A handler that panicked did so before as well.
                let again = |state: &mut State| {
                    catch_unwind(AssertUnwindSafe(|| dispatch::arrive(shared, state, &arrived)))
                };
                let (done, begun) = state.at(moment, again);
                if let Ok(Decision::Hold { then: Some((number, index)), .. }) = done {
                    self.held.insert(number, (index, arrived));
                }
                begun
            }
            Event::Held(number) => {
                let (index, arrived) = self.held.remove(&number).ok_or("nothing was held")?;
                let again = |state: &mut State| {
                    catch_unwind(AssertUnwindSafe(|| {
                        dispatch::handle(state, index, &arrived.request)
                    }))
                };
                state.at(moment, again).1
            }
            Event::Fetched(number, fetched) => {
                let (_, file) = self.fetches.remove(&number).ok_or("nothing was fetched")?;
                file.end(fetched);
                Vec::new()
            }
        };
        self.fetches.extend(begun);
        Ok(())
    }
}
