//! The link with which it begins.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::joined;
use crate::app::Scheduler;
use crate::connecting::{ConnectingStage, LIFETIME, Pass, PendingConnection};
use crate::error::AppError;
use crate::ids::ConnectionId;
use crate::object::only_from_object;
use crate::platform::Platform;
use crate::ports::{ConnectInput, PendingConnectionOf};
use crate::workspace::Workspace;

/// How long a pending connection is kept after its time, so that whoever waits for it sees its end.
const KEPT_AFTER: TimeDelta = TimeDelta::minutes(15);

/// Which network a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ConnectLinkInput {
    /// The network.
    pub platform: Platform,
}

only_from_object!(ConnectLinkInput);

/// A link under which accounts are connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ConnectLink"))]
#[serde(rename_all = "camelCase")]
pub struct ConnectLinkView {
    /// Its address, which holds the ticket.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub url: String,
    /// Until when it is good.
    pub expires_at: DateTime<Utc>,
}

/// A link that a person can follow once.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// Names what comes of it.
    pub id: ConnectionId,
    /// What the link shows.
    pub ticket: Pass,
    /// Until when it has to be done.
    pub expires_at: DateTime<Utc>,
}

impl Scheduler {
    /// Invites a person to connect accounts of a network to a workspace; `given` is what is known
    /// already, such as the server. The ticket is good for one use within 15 minutes.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// let invitation =
    ///     scheduler.invite(&caller.workspace, Platform::Bluesky, ConnectInput::default()).await?;
    /// let link = format!("https://s.example/connect/bluesky?ticket={}", invitation.ticket.expose());
    /// assert_eq!(link.len(), 41 + 43, "43 characters of base62");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `unsupported` for a network that is not built in, and for X where the workspace has no
    /// account of it that could be connected again, unless the operator allows it.
    pub async fn invite(
        &self,
        workspace: &Workspace,
        platform: Platform,
        given: ConnectInput,
    ) -> Result<Invitation, AppError> {
        self.require_offer(workspace, platform).await?;
        self.clear_pending_connections().await?;
        let given = joined(&ConnectInput::default(), given)?;
        let now = self.ports.clock.now();
        let ticket = self.new_pass();
        let pending = PendingConnection {
            id: ConnectionId(self.ports.ids.next(now)),
            workspace_id: workspace.id,
            platform,
            pass: ticket.hash(),
            stage: ConnectingStage::Invited { given },
            created_at: now,
            expires_at: now + LIFETIME,
            version: 1,
        };
        self.store().create_pending_connection(&pending).await?;
        Ok(Invitation { id: pending.id, ticket, expires_at: pending.expires_at })
    }

    /// What has come of an invitation; `None` once it is forgotten.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn pending_connection(
        &self,
        id: ConnectionId,
    ) -> Result<Option<PendingConnection>, AppError> {
        Ok(self.store().pending_connection(PendingConnectionOf::Id(id)).await?)
    }

    /// Forgets pending connections whose time has long been over, and the secrets in them; returns
    /// how many.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn clear_pending_connections(&self) -> Result<u64, AppError> {
        let until = self.ports.clock.now() - KEPT_AFTER;
        Ok(self.store().remove_pending_connections(until).await?)
    }
}
