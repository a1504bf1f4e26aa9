//! Connected accounts and their credentials.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::effects::reconnected;
use scheduler_core::ids::{AccountId, WorkspaceId};
use scheduler_core::ports::{
    AccountStore, ConnectOutcome, RefreshClaim, StoreError, StoredCredentials,
};
use scheduler_core::timing::Zone;
use scheduler_core::webhook::Event;

use super::deliveries::add_events;
use super::readings::account as readings;
use super::{Backend, Connection, dialect};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::account::{AccountRow, CredentialsRow, account_columns, credentials_columns};
use crate::rows::{to_json, to_name};
use crate::sealing::{Sealed, Sealer};

const COUNT_CONNECTED: &str =
    "SELECT count(*) FROM accounts WHERE workspace_id = $1 AND disconnected_at IS NULL";
const KNOWN: &str = concat!(
    "SELECT ",
    account_columns!(),
    " FROM accounts a WHERE a.workspace_id = $1 AND a.platform = $2 AND a.network_id = $3"
);
const INSERT: &str = "INSERT INTO accounts (id, workspace_id, platform, network_id, server_url, \
    username, display_name, avatar_url, connection, limits, credentials, credentials_expire_at, \
    timezone, schedule, connected_at, needs_reconnect, credentials_version, default_options) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
const RECONNECT: &str = "UPDATE accounts SET server_url = $2, username = $3, display_name = $4, \
    avatar_url = $5, connection = $6, limits = $7, credentials = $8, credentials_expire_at = $9, \
    needs_reconnect = $10, disconnected_at = NULL, refresh_leased_until = NULL, \
    credentials_version = credentials_version + 1 WHERE id = $1 RETURNING credentials_version";
const ONE: &str = concat!(
    "SELECT ",
    account_columns!(),
    " FROM accounts a WHERE a.id = $1 AND a.workspace_id = $2"
);
const CONNECTED: &str = concat!(
    "SELECT ",
    account_columns!(),
    " FROM accounts a WHERE a.workspace_id = $1 AND a.disconnected_at IS NULL \
     ORDER BY a.connected_at, a.id"
);
const EXPIRING: &str = concat!(
    "SELECT ",
    account_columns!(),
    " FROM accounts a WHERE a.credentials_expire_at <= $1 AND a.disconnected_at IS NULL \
     AND NOT a.needs_reconnect ORDER BY a.credentials_expire_at, a.id LIMIT $2"
);
const UPDATE: &str = "UPDATE accounts SET timezone = $2, schedule = $3, \
    default_options = $4 WHERE id = $1";
const DISCONNECT: &str = "UPDATE accounts SET disconnected_at = $3, credentials = NULL, \
    credentials_expire_at = NULL, refresh_leased_until = NULL, \
    credentials_version = credentials_version + 1 \
    WHERE id = $1 AND workspace_id = $2 AND disconnected_at IS NULL";
const MARK: &str = "UPDATE accounts SET needs_reconnect = TRUE \
    WHERE id = $1 AND credentials_version = $2 AND disconnected_at IS NULL AND NOT needs_reconnect";
const IS_CURRENT: &str = "SELECT EXISTS (SELECT 1 FROM accounts \
    WHERE id = $1 AND credentials_version = $2 AND disconnected_at IS NULL)";
const CREDENTIALS: &str =
    concat!("SELECT ", credentials_columns!(), " FROM accounts a WHERE a.id = $1");
const CLAIM_REFRESH: &str = "UPDATE accounts SET refresh_leased_until = $4 \
    WHERE id = $1 AND credentials_version = $2 AND credentials IS NOT NULL \
    AND (refresh_leased_until IS NULL OR refresh_leased_until <= $3)";
const LEASE_END: &str = "SELECT refresh_leased_until FROM accounts WHERE id = $1";
const REPLACE: &str = "UPDATE accounts SET credentials = $3, credentials_expire_at = $4, \
    credentials_version = credentials_version + 1, refresh_leased_until = NULL, \
    needs_reconnect = FALSE \
    WHERE id = $1 AND credentials_version = $2 AND credentials IS NOT NULL";

/// The version of an account's first credentials.
const FIRST_VERSION: i64 = 1;

async fn connect(
    connection: &mut Connection,
    account: &Account,
    credentials: &Credentials,
    limit: u64,
    sealer: &Sealer,
) -> Result<ConnectOutcome, Abort<ConnectOutcome>> {
    dialect::lock_workspace(connection, account.workspace_id).await?;
    let known: Option<AccountRow> = sqlx::query_as(KNOWN)
        .bind(account.workspace_id.0)
        .bind(account.platform.as_str())
        .bind(&account.network_id)
        .fetch_optional(&mut *connection)
        .await?;
    if !known.as_ref().is_some_and(AccountRow::is_connected) {
        let connected: i64 = sqlx::query_scalar(COUNT_CONNECTED)
            .bind(account.workspace_id.0)
            .fetch_one(&mut *connection)
            .await?;
        if u64::try_from(connected).is_ok_and(|count| count >= limit) {
            return Ok(ConnectOutcome::LimitReached);
        }
    }
    let Some(known) = known else {
        insert(connection, account, credentials, sealer).await?;
        readings::begin(connection, account, FIRST_VERSION, account.connected_at, false).await?;
        return Ok(ConnectOutcome::Added);
    };
    let known = known.read()?;
    // The account as given was connected just now.
    let connected_at = account.connected_at;
    let has_work =
        readings::restart(connection, known.workspace_id, known.id, connected_at).await?;
    let account = reconnected(known, account);
    let version: i64 = sqlx::query_scalar(RECONNECT)
        .bind(account.id.0)
        .bind(&account.server_url)
        .bind(&account.username)
        .bind(&account.display_name)
        .bind(&account.avatar_url)
        .bind(connection_name(&account)?)
        .bind(to_json("accounts.limits", &account.limits)?)
        .bind(sealer.seal(Sealed::Credentials, account.id.0, credentials.expose())?)
        .bind(credentials.expires_at.map(Instant))
        .bind(false)
        .fetch_one(&mut *connection)
        .await?;
    readings::begin(connection, &account, version, connected_at, has_work).await?;
    Ok(ConnectOutcome::Reconnected(account))
}

async fn insert(
    connection: &mut Connection,
    account: &Account,
    credentials: &Credentials,
    sealer: &Sealer,
) -> Result<(), Failure> {
    sqlx::query(INSERT)
        .bind(account.id.0)
        .bind(account.workspace_id.0)
        .bind(account.platform.as_str())
        .bind(&account.network_id)
        .bind(&account.server_url)
        .bind(&account.username)
        .bind(&account.display_name)
        .bind(&account.avatar_url)
        .bind(connection_name(account)?)
        .bind(to_json("accounts.limits", &account.limits)?)
        .bind(sealer.seal(Sealed::Credentials, account.id.0, credentials.expose())?)
        .bind(credentials.expires_at.map(Instant))
        .bind(account.timezone.map(Zone::name))
        .bind(account.schedule.to_string())
        .bind(Instant(account.connected_at))
        .bind(false)
        .bind(FIRST_VERSION)
        .bind(default_options(account)?)
        .execute(connection)
        .await?;
    Ok(())
}

/// `None` for an account that has none.
fn default_options(account: &Account) -> Result<Option<String>, StoreError> {
    let options = &account.default_options;
    (!options.is_empty()).then(|| to_json("accounts.default_options", options)).transpose()
}

fn connection_name(account: &Account) -> Result<Option<String>, StoreError> {
    account.connection.as_ref().map(|how| to_name("accounts.connection", how)).transpose()
}

async fn claim_refresh(
    connection: &mut Connection,
    id: AccountId,
    version: i64,
    now: Instant,
    lease_until: Instant,
    sealer: &Sealer,
) -> Result<RefreshClaim, Failure> {
    let claimed = sqlx::query(CLAIM_REFRESH)
        .bind(id.0)
        .bind(version)
        .bind(now)
        .bind(lease_until)
        .execute(&mut *connection)
        .await?;
    if claimed.rows_affected() > 0 {
        return Ok(RefreshClaim::Granted);
    }
    Ok(match credentials(&mut *connection, id, sealer).await? {
        None => RefreshClaim::Gone,
        Some(stored) if stored.version != version => RefreshClaim::Newer(stored),
        Some(_) => {
            let until: Option<Option<Instant>> =
                sqlx::query_scalar(LEASE_END).bind(id.0).fetch_optional(connection).await?;
            // It may have ended since.
            RefreshClaim::Busy { until: until.flatten().unwrap_or(now).0 }
        }
    })
}

async fn credentials(
    connection: &mut Connection,
    id: AccountId,
    sealer: &Sealer,
) -> Result<Option<StoredCredentials>, Failure> {
    let row: Option<CredentialsRow> =
        sqlx::query_as(CREDENTIALS).bind(id.0).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(row.open(id.0, sealer)?)
}

/// Marks an account as in need of being connected again: whether its credentials are those of the
/// version, and whether it was not marked before.
async fn mark(
    connection: &mut Connection,
    id: AccountId,
    version: i64,
    event: Option<&Event>,
) -> Result<(bool, bool), Failure> {
    let marked = sqlx::query(MARK).bind(id.0).bind(version).execute(&mut *connection).await?;
    if marked.rows_affected() > 0 {
        add_events(connection, event).await?;
        return Ok((true, true));
    }
    let is_current = sqlx::query_scalar(IS_CURRENT).bind(id.0).bind(version);
    Ok((is_current.fetch_one(connection).await?, false))
}

#[async_trait]
impl AccountStore for Backend {
    async fn connect_account(
        &self,
        account: &Account,
        credentials: &Credentials,
        limit: u64,
    ) -> Result<ConnectOutcome, StoreError> {
        let arguments = (account.clone(), credentials.clone(), limit, self.sealer.clone());
        let outcome = self
            .write(
                "connect_account",
                arguments,
                |connection, (account, credentials, limit, sealer)| {
                    Box::pin(connect(connection, account, credentials, *limit, sealer))
                },
            )
            .await?;
        if outcome != ConnectOutcome::LimitReached {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
    ) -> Result<Option<Account>, StoreError> {
        self.read("account", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let row: Option<AccountRow> = sqlx::query_as(ONE)
                    .bind(id.0)
                    .bind(workspace.0)
                    .fetch_optional(connection)
                    .await?;
                Ok(row.map(AccountRow::read).transpose()?)
            })
        })
        .await
    }

    async fn accounts(&self, workspace: WorkspaceId) -> Result<Vec<Account>, StoreError> {
        self.read("accounts", workspace, |connection, workspace| {
            Box::pin(async move {
                let rows: Vec<AccountRow> =
                    sqlx::query_as(CONNECTED).bind(workspace.0).fetch_all(connection).await?;
                Ok(rows.into_iter().map(AccountRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn accounts_expiring(
        &self,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        self.read(
            "accounts_expiring",
            (Instant(until), i64::from(limit)),
            |connection, (until, limit)| {
                Box::pin(async move {
                    let rows: Vec<AccountRow> = sqlx::query_as(EXPIRING)
                        .bind(*until)
                        .bind(*limit)
                        .fetch_all(connection)
                        .await?;
                    Ok(rows.into_iter().map(AccountRow::read).collect::<Result<_, _>>()?)
                })
            },
        )
        .await
    }

    async fn update_account(&self, account: &Account) -> Result<bool, StoreError> {
        self.write("update_account", account.clone(), |connection, account| {
            Box::pin(async move {
                let result = sqlx::query(UPDATE)
                    .bind(account.id.0)
                    .bind(account.timezone.map(Zone::name))
                    .bind(account.schedule.to_string())
                    .bind(default_options(account)?)
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }

    async fn disconnect_account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.write(
            "disconnect_account",
            (workspace, id, Instant(at)),
            |connection, (workspace, id, at)| {
                Box::pin(async move {
                    readings::end(connection, *workspace, *id).await?;
                    let result = sqlx::query(DISCONNECT)
                        .bind(id.0)
                        .bind(workspace.0)
                        .bind(*at)
                        .execute(&mut *connection)
                        .await?;
                    Ok(result.rows_affected() > 0)
                })
            },
        )
        .await
    }

    async fn mark_needs_reconnect(
        &self,
        id: AccountId,
        version: i64,
        event: Option<&Event>,
    ) -> Result<bool, StoreError> {
        let arguments = (id, version, event.cloned());
        let (is_current, is_new) = self
            .write("mark_needs_reconnect", arguments, |connection, (id, version, event)| {
                Box::pin(async move { Ok(mark(connection, *id, *version, event.as_ref()).await?) })
            })
            .await?;
        if is_new && event.is_some() {
            self.wake_others();
        }
        Ok(is_current)
    }

    async fn credentials(&self, id: AccountId) -> Result<Option<StoredCredentials>, StoreError> {
        self.read("credentials", (id, self.sealer.clone()), |connection, (id, sealer)| {
            Box::pin(async move { Ok(credentials(connection, *id, sealer).await?) })
        })
        .await
    }

    async fn claim_refresh(
        &self,
        id: AccountId,
        version: i64,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<RefreshClaim, StoreError> {
        let arguments = (id, version, Instant(now), Instant(lease_until), self.sealer.clone());
        self.write(
            "claim_refresh",
            arguments,
            |connection, (id, version, now, lease_until, sealer)| {
                Box::pin(async move {
                    let claim =
                        claim_refresh(connection, *id, *version, *now, *lease_until, sealer);
                    Ok(claim.await?)
                })
            },
        )
        .await
    }

    async fn replace_credentials(
        &self,
        of: &[(AccountId, i64)],
        credentials: &Credentials,
    ) -> Result<Vec<AccountId>, StoreError> {
        let seal =
            |id: AccountId| self.sealer.seal(Sealed::Credentials, id.0, credentials.expose());
        let mut sealed = Vec::new();
        for (id, version) in of {
            sealed.push((*id, *version, seal(*id)?));
        }
        // Whoever replaces several at once takes them in the same order.
        sealed.sort_by_key(|(id, ..)| *id);
        let arguments = (sealed, credentials.expires_at.map(Instant));
        self.write("replace_credentials", arguments, |connection, (sealed, expires_at)| {
            Box::pin(async move {
                let mut replaced = Vec::new();
                for (id, version, sealed) in sealed {
                    let result = sqlx::query(REPLACE)
                        .bind(id.0)
                        .bind(*version)
                        .bind(sealed.as_slice())
                        .bind(*expires_at)
                        .execute(&mut *connection)
                        .await?;
                    if result.rows_affected() > 0 {
                        replaced.push(*id);
                    }
                }
                Ok(replaced)
            })
        })
        .await
    }
}
