//! The use cases: one function for each thing that the API and the application offer.
//!
//! Each reads what it needs through the ports, decides by the pure functions of the resource's
//! module, and has the result stored in one act.

mod accounts;
mod caller;
mod check;
mod keys;
pub(crate) mod media;
mod platforms;
mod posts;
mod targets;
mod webhooks;
mod workspaces;

use std::fmt;
use std::sync::Arc;

use crate::plan::Plans;
use crate::ports::{Clock, EventSender, Ids, Networks, Random, Store, Wake};
use crate::retry::Waits;

pub use accounts::ConnectedAccount;
pub use caller::Caller;
pub use check::{CheckInput, CheckReport, MediaItem};
pub use keys::{NewKey, NewKeyInput};
pub use posts::Created;
pub(crate) use posts::issues_of;
pub use webhooks::WebhookInput;
pub use workspaces::{FirstStart, NewWorkspace};

/// Everything from outside that the core works with.
#[derive(Clone)]
pub struct Ports {
    /// What is kept.
    pub store: Arc<dyn Store>,
    /// The networks that are built in.
    pub networks: Networks,
    /// Sends events.
    pub sender: Arc<dyn EventSender>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// Gives randomness.
    pub random: Arc<dyn Random>,
    /// Wakes the engine.
    pub wake: Arc<dyn Wake>,
}

impl fmt::Debug for Ports {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Ports").field("networks", &self.networks).finish_non_exhaustive()
    }
}

/// What an operator can set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What each plan allows.
    pub plans: Plans,
    /// How long to wait after a failure.
    pub waits: Waits,
    /// Whether accounts of X can be connected.
    pub connect_twitter: bool,
}

/// The scheduler: the use cases and the engine over the ports.
///
/// Cloning it is cheap; every clone works on the same ports.
#[derive(Clone, Debug)]
pub struct Scheduler {
    ports: Ports,
    settings: Settings,
}

impl Scheduler {
    /// A scheduler over these ports.
    #[must_use]
    pub const fn new(ports: Ports, settings: Settings) -> Self {
        Self { ports, settings }
    }

    /// What it works with.
    #[must_use]
    pub const fn ports(&self) -> &Ports {
        &self.ports
    }

    /// What the operator has set.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    fn store(&self) -> &dyn Store {
        &*self.ports.store
    }
}

/// How often a use case decides anew when another was faster, before it gives up.
const DECIDE_ATTEMPTS: u32 = 100;
