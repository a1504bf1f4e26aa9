//! Rows of `accounts`.

use scheduler_core::account::{Account, Connection, Credentials};
use scheduler_core::ids::{AccountId, WorkspaceId};
use scheduler_core::ports::{StoreError, StoredCredentials};
use uuid::Uuid;

use super::{from_json, from_name, parse, row};
use crate::instant::Instant;
use crate::sealing::{Sealed, Sealer};

row! {
    /// A row of `accounts`.
    pub(crate) struct AccountRow by account_columns {
        a {
            pub(crate) id: Uuid,
            workspace_id: Uuid,
            platform: String,
            network_id: String,
            server_url: Option<String>,
            username: Option<String>,
            display_name: Option<String>,
            avatar_url: Option<String>,
            connection: Option<String>,
            needs_reconnect: bool,
            timezone: Option<String>,
            schedule: String,
            default_options: Option<String>,
            limits: String,
            connected_at: Instant,
            disconnected_at: Option<Instant>,
        }
    }
}

impl AccountRow {
    pub(crate) fn read(self) -> Result<Account, StoreError> {
        Ok(Account {
            id: AccountId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            platform: parse("accounts.platform", &self.platform)?,
            network_id: self.network_id,
            server_url: self.server_url,
            username: self.username,
            display_name: self.display_name,
            avatar_url: self.avatar_url,
            connection: self
                .connection
                .map(|name| from_name::<Connection>("accounts.connection", &name))
                .transpose()?,
            needs_reconnect: self.needs_reconnect,
            timezone: self.timezone.map(|name| parse("accounts.timezone", &name)).transpose()?,
            schedule: parse("accounts.schedule", &self.schedule)?,
            default_options: match self.default_options {
                Some(options) => from_json("accounts.default_options", &options)?,
                None => serde_json::Map::new(),
            },
            limits: from_json("accounts.limits", &self.limits)?,
            connected_at: self.connected_at.0,
            disconnected_at: self.disconnected_at.map(|at| at.0),
        })
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.disconnected_at.is_none()
    }
}

row! {
    /// What of a row of `accounts` opens the account.
    pub(crate) struct CredentialsRow by credentials_columns {
        a {
            credentials: Option<Vec<u8>>,
            credentials_expire_at: Option<Instant>,
            credentials_version: i64,
        }
    }
}

impl CredentialsRow {
    /// The credentials; `None` when the account is disconnected.
    pub(crate) fn open(
        &self,
        account: Uuid,
        sealer: &Sealer,
    ) -> Result<Option<StoredCredentials>, StoreError> {
        let Some(sealed) = &self.credentials else { return Ok(None) };
        let secret = sealer.open(Sealed::Credentials, account, sealed)?;
        let expires_at = self.credentials_expire_at.map(|at| at.0);
        Ok(Some(StoredCredentials {
            credentials: Credentials::new(secret, expires_at),
            version: self.credentials_version,
        }))
    }
}

row! {
    /// A row of `accounts` with everything.
    pub(crate) struct OpenAccountRow {
        ..pub(crate) account: AccountRow,
        ..pub(crate) credentials: CredentialsRow,
    }
}
