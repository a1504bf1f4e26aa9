//! Rows of `notifiers`.

use scheduler_core::ids::{EventId, NotifierId, WorkspaceId};
use scheduler_core::notification::{Notifier, NotifierState};
use scheduler_core::ports::StoreError;
use secrecy::SecretString;
use uuid::Uuid;

use super::{from_json, narrow, parse, row};
use crate::instant::Instant;
use crate::sealing::{Sealed, Sealer};

row! {
    /// A row of `notifiers`.
    pub(crate) struct NotifierRow by notifier_columns {
        n {
            id: Uuid,
            workspace_id: Uuid,
            channel: String,
            address: Vec<u8>,
            events: String,
            quiet: Option<String>,
            created_at: Instant,
            until_at: Instant,
            until_event_id: Uuid,
            next_at: Instant,
            failures: i64,
            told_at: Option<Instant>,
            error: Option<String>,
        }
    }
}

impl NotifierRow {
    pub(crate) fn open(self, sealer: &Sealer) -> Result<(Notifier, NotifierState), StoreError> {
        let address = sealer.open(Sealed::NotifierAddress, self.id, &self.address);
        let address = address.map(|text| text.to_string()).unwrap_or_else(|error| {
            tracing::error!(notifier_id = %self.id, %error, "the address of a notifier is lost");
            String::new()
        });
        let notifier = Notifier {
            id: NotifierId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            channel: parse("notifiers.channel", &self.channel)?,
            address: SecretString::from(address),
            events: from_json("notifiers.events", &self.events)?,
            quiet: self.quiet.map(|hours| parse("notifiers.quiet", &hours)).transpose()?,
            created_at: self.created_at.0,
        };
        let state = NotifierState {
            told_until: (self.until_at.0, EventId(self.until_event_id)),
            next_at: self.next_at.0,
            failures: narrow("notifiers.failures", self.failures)?,
            told_at: self.told_at.map(|at| at.0),
            error: self.error,
        };
        Ok((notifier, state))
    }
}
