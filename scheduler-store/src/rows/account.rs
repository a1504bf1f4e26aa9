//! Rows of `accounts`.

use scheduler_core::account::{Account, Connection, Credentials};
use scheduler_core::ids::{AccountId, WorkspaceId};
use scheduler_core::ports::{StoreError, StoredCredentials};
use uuid::Uuid;

use super::{from_json, from_name, parse};
use crate::instant::Instant;
use crate::sealing::{Sealed, Sealer};

/// The columns of `accounts a`.
macro_rules! account_columns {
    () => {
        "a.id AS id, a.workspace_id AS workspace_id, a.platform AS platform, \
         a.network_id AS network_id, a.server_url AS server_url, a.username AS username, \
         a.display_name AS display_name, a.avatar_url AS avatar_url, \
         a.connection AS connection, a.needs_reconnect AS needs_reconnect, \
         a.timezone AS timezone, a.schedule AS schedule, a.limits AS limits, \
         a.connected_at AS connected_at, a.disconnected_at AS disconnected_at"
    };
}
pub(crate) use account_columns;

/// The columns of `accounts a` that open it.
macro_rules! credentials_columns {
    () => {
        "a.credentials AS credentials, \
         a.credentials_expire_at AS credentials_expire_at, \
         a.credentials_version AS credentials_version"
    };
}
pub(crate) use credentials_columns;

/// A row of `accounts`.
#[derive(sqlx::FromRow)]
pub(crate) struct AccountRow {
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
    limits: String,
    connected_at: Instant,
    disconnected_at: Option<Instant>,
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
            limits: from_json("accounts.limits", &self.limits)?,
            connected_at: self.connected_at.0,
            disconnected_at: self.disconnected_at.map(|at| at.0),
        })
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.disconnected_at.is_none()
    }
}

/// What of a row of `accounts` opens the account.
#[derive(sqlx::FromRow)]
pub(crate) struct CredentialsRow {
    credentials: Option<Vec<u8>>,
    credentials_expire_at: Option<Instant>,
    credentials_version: i64,
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

/// A row of `accounts` with everything.
#[derive(sqlx::FromRow)]
pub(crate) struct OpenAccountRow {
    #[sqlx(flatten)]
    pub(crate) account: AccountRow,
    #[sqlx(flatten)]
    pub(crate) credentials: CredentialsRow,
}
