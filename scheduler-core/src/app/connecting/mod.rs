//! Connecting accounts in a browser: the invitation, the network's page, the way back, the pick.
//!
//! Every step finds the pending connection by what the browser shows, decides, and stores the next
//! stage against the version that it has decided on. What can be used once is used up by that
//! before anything else is done with it.

mod authorize;
mod come_back;
mod give;
mod invite;
mod pick;
mod view;

use crate::connecting::{Pass, PassHash, PendingConnection};
use crate::error::{AppError, NotFound, Refusal, Resource};
use crate::ids::WorkspaceId;
use crate::platform::Platform;
use crate::ports::{ConnectInput, PendingConnectionOf};
use crate::workspace::Workspace;

use super::Scheduler;

pub use authorize::OpenedPage;
pub use come_back::Returned;
pub use invite::{ConnectLinkInput, ConnectLinkView, Invitation};
pub use view::{Choice, ConnectingView, StageView};

/// Characters of a value that a person gives, at most.
const VALUE_CHARS_MAX: usize = 4_096;

/// What a browser shows: the ticket of its link, and the cookie of the visit that it is in.
#[derive(Clone, Debug, Default)]
pub struct Browser {
    /// The ticket, on the first page.
    pub ticket: Option<Pass>,
    /// The cookie, from then on.
    pub cookie: Option<Pass>,
}

impl Browser {
    /// A browser that shows a cookie and no ticket.
    #[must_use]
    pub const fn in_visit(cookie: Option<Pass>) -> Self {
        Self { ticket: None, cookie }
    }

    /// What it shows, the ticket first: whoever follows a new link does not mean the visit before.
    fn passes(&self) -> impl Iterator<Item = PassHash> {
        [&self.ticket, &self.cookie].into_iter().flatten().map(Pass::hash)
    }
}

impl Scheduler {
    /// The pending connection of a browser.
    ///
    /// # Errors
    /// `not_found` when there is none of this network, or its time is over.
    async fn pending(
        &self,
        platform: Platform,
        browser: &Browser,
    ) -> Result<PendingConnection, AppError> {
        let now = self.ports.clock.now();
        for pass in browser.passes() {
            let found = self.store().pending_connection(PendingConnectionOf::Pass(pass)).await?;
            let is_meant =
                |found: &PendingConnection| found.platform == platform && found.is_open_at(now);
            if let Some(found) = found.filter(is_meant) {
                return Ok(found);
            }
        }
        Err(no_visit().into())
    }

    /// Stores the next stage, which becomes what is worked with.
    ///
    /// # Errors
    /// `not_found` when another request of the same browser was faster.
    async fn step(&self, pending: PendingConnection) -> Result<PendingConnection, AppError> {
        if self.store().save_pending_connection(&pending).await? {
            return Ok(PendingConnection { version: pending.version + 1, ..pending });
        }
        Err(no_visit().into())
    }

    async fn workspace_of(&self, id: WorkspaceId) -> Result<Workspace, AppError> {
        let found = self.store().workspace(id).await?;
        found.ok_or_else(|| Refusal::not_found(Resource::Workspace).into())
    }

    pub(super) fn new_pass(&self) -> Pass {
        Pass::from_random(self.ports.random.bytes())
    }
}

/// The visit is over, or never was.
fn no_visit() -> Refusal {
    NotFound::Visit.into()
}

/// Joins what was given before and what is given now; the latter wins.
///
/// # Errors
/// `invalid_request` for a value that is too long.
fn joined(before: &ConnectInput, now: ConnectInput) -> Result<ConnectInput, Refusal> {
    if let Some((name, _)) = now.0.iter().find(|(_, value)| value.chars().count() > VALUE_CHARS_MAX)
    {
        let message = format!("{name} is longer than {VALUE_CHARS_MAX} characters.");
        return Err(Refusal::invalid(name.clone(), message));
    }
    let mut values = before.clone();
    values.0.extend(now.0);
    Ok(values)
}
