//! All that a sandbox holds, behind one lock.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use crate::faults::Faults;
use crate::log::RequestLog;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::outside::now;
use crate::registry;

/// A network and where it answers.
pub(crate) struct Hosted {
    pub(crate) network: Box<dyn Network>,
    /// Base URL, without a slash at its end.
    pub(crate) base: String,
}

impl Hosted {
    /// Returns the network with what surrounds the handling of a request.
    pub(crate) fn with_context<'a>(
        &'a mut self,
        options: &'a Options,
        clock: Clock,
    ) -> (&'a mut dyn Network, Context<'a>) {
        (self.network.as_mut(), Context { now: clock.now(), base: &self.base, options })
    }
}

/// The clock of all networks: the machine's, moved ahead as tests wish.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock {
    ahead: TimeDelta,
}

impl Clock {
    /// Returns the present of the networks.
    pub(crate) fn now(self) -> DateTime<Utc> {
        now() + self.ahead
    }

    /// Moves the clock ahead.
    pub(crate) fn advance(&mut self, by: TimeDelta) {
        self.ahead += by;
    }
}

/// Networks, faults and requests.
pub(crate) struct State {
    pub(crate) clock: Clock,
    pub(crate) networks: Vec<Hosted>,
    pub(crate) faults: Faults,
    pub(crate) log: RequestLog,
}

/// What every connection shares.
pub(crate) struct Shared {
    pub(crate) options: Options,
    /// Names of the networks, in the order of the state.
    pub(crate) platforms: Vec<&'static str>,
    /// Bytes of bodies that have come for each of them.
    pub(crate) received: Vec<AtomicU64>,
    state: Mutex<State>,
}

impl Shared {
    /// Makes an empty sandbox that answers at `url`.
    pub(crate) fn new(url: &str, options: Options) -> Self {
        let networks: Vec<Hosted> = registry::networks()
            .into_iter()
            .map(|network| {
                let base = format!("{url}/{}", network.name());
                Hosted { network, base }
            })
            .collect();
        let platforms = networks.iter().map(|hosted| hosted.network.name()).collect();
        let received = networks.iter().map(|_| AtomicU64::new(0)).collect();
        let clock = Clock::default();
        let state =
            State { clock, networks, faults: Faults::default(), log: RequestLog::default() };
        Self { options, platforms, received, state: Mutex::new(state) }
    }

    /// Locks the state; a handler that panicked does not lock it for ever.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
