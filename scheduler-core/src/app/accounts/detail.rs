//! An account as the people of its workspace see it: with its schedule and its health.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::account::{Account, AccountView, Quota, is_paused};
use crate::app::Scheduler;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::AccountId;
use crate::post::{ListFilter, ListOrder, ListQuery, PageQuery, Window};
use crate::timing::{SlotView, Zone};
use crate::workspace::Workspace;

/// How many of an account's latest posts are looked through for the last that went live.
const LOOKED_THROUGH: u32 = 50;

/// A connected account with its schedule and its health.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AccountDetail {
    /// What the API of the keys says of it.
    pub account: AccountView,
    /// When it was first connected.
    pub connected_at: DateTime<Utc>,
    /// When it posts what is queued.
    pub schedule: ScheduleView,
    /// Options that its posts have where nothing else is said.
    #[serde(default)]
    pub default_options: Map<String, Value>,
    /// Whether it can be used.
    pub health: AccountHealth,
}

/// When an account posts what is queued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Schedule"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ScheduleView {
    /// The IANA zone in which it is read: the account's own, else that of the workspace, else UTC.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub zone: Zone,
    /// From Monday to Sunday.
    pub slots: Vec<SlotView>,
}

impl ScheduleView {
    /// The schedule of an account in its workspace.
    #[must_use]
    pub fn of(account: &Account, workspace: &Workspace) -> Self {
        let slots = account.schedule.slots().iter().copied().map(SlotView::from).collect();
        Self { zone: account.zone(workspace.timezone), slots }
    }
}

/// Whether an account can be used, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AccountHealth {
    /// Whether it can be used.
    pub state: AccountState,
    /// When its access token expires, where the network says so; it is renewed before, where the
    /// network allows that.
    pub token_expires_at: Option<DateTime<Utc>>,
    /// The version of the network's interface that is spoken, where it has versions.
    pub api_version: Option<String>,
    /// The first day on which the network may refuse that version, where it is known.
    pub api_version_ends_at: Option<NaiveDate>,
    /// What is used of what it may use.
    #[serde(default)]
    pub quota: Vec<Quota>,
    /// When the latest of its posts went live; `None` when none of its latest 50 has.
    pub last_published_at: Option<DateTime<Utc>>,
    /// How many targets are to come through it, one of each post.
    pub due_targets: u64,
}

/// How soon something ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// There is time.
    Later,
    /// Within 60 days: whoever runs the server has to see to it.
    Soon,
    /// Within 14 days, or it has ended.
    Now,
}

impl Ending {
    /// Days before the end from which on it is soon, and from which on it is now.
    ///
    /// Source: our decision.
    const DAYS: [i64; 2] = [60, 14];

    /// How soon this day is.
    fn of(end: NaiveDate, today: NaiveDate) -> Self {
        let [soon, now] = Self::DAYS;
        match (end - today).num_days() {
            days if days < now => Self::Now,
            days if days < soon => Self::Soon,
            _ => Self::Later,
        }
    }
}

impl AccountHealth {
    /// How soon the network may refuse the version of its interface that is spoken; `None` where
    /// that is not known.
    #[must_use]
    pub fn version_ends(&self, today: NaiveDate) -> Option<Ending> {
        self.api_version_ends_at.map(|end| Ending::of(end, today))
    }
}

/// Whether an account can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccountState {
    /// It can.
    Connected,
    /// The network has refused its token for good: it has to be connected again.
    NeedsReconnect,
    /// It is beyond the channels that the plan covers.
    Paused,
}

impl Scheduler {
    /// The connected accounts of a workspace with their schedules and their health, in the order of
    /// connection.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn account_details(
        &self,
        workspace: &Workspace,
    ) -> Result<Vec<AccountDetail>, AppError> {
        let accounts = self.accounts(workspace.id).await?;
        let mut details = Vec::with_capacity(accounts.len());
        for account in &accounts {
            details.push(self.detail(workspace, &accounts, account).await?);
        }
        Ok(details)
    }

    /// One of them.
    ///
    /// # Errors
    /// `not_found` when it is not connected.
    pub async fn account_detail(
        &self,
        workspace: &Workspace,
        id: AccountId,
    ) -> Result<AccountDetail, AppError> {
        let accounts = self.accounts(workspace.id).await?;
        let found = accounts.iter().find(|account| account.id == id);
        let account = found.ok_or_else(|| Refusal::not_found(Resource::Account))?;
        self.detail(workspace, &accounts, account).await
    }

    async fn detail(
        &self,
        workspace: &Workspace,
        accounts: &[Account],
        account: &Account,
    ) -> Result<AccountDetail, AppError> {
        let channels = self.settings.plans.of(workspace.plan).channels;
        let paused = is_paused(accounts, account.id, channels);
        let state = match (account.needs_reconnect, paused) {
            (true, _) => AccountState::NeedsReconnect,
            (false, true) => AccountState::Paused,
            (false, false) => AccountState::Connected,
        };
        let version =
            self.ports.networks.network(account.platform).and_then(|network| network.api_version());
        let (api_version, api_version_ends_at) =
            version.map_or((None, None), |version| (Some(version.name), version.retires_on));
        let credentials = self.store().credentials(account.id).await?;
        Ok(AccountDetail {
            account: AccountView::new(account, paused),
            connected_at: account.connected_at,
            schedule: ScheduleView::of(account, workspace),
            default_options: account.default_options.clone(),
            health: AccountHealth {
                state,
                token_expires_at: credentials.and_then(|stored| stored.credentials.expires_at),
                api_version,
                api_version_ends_at,
                quota: self.quotas(account).await?,
                last_published_at: self.last_published_at(account).await?,
                due_targets: self.due_posts(account).await?,
            },
        })
    }

    async fn last_published_at(
        &self,
        account: &Account,
    ) -> Result<Option<DateTime<Utc>>, AppError> {
        let accounts = BTreeSet::from([account.id]);
        let posts = self
            .store()
            .list_posts(&ListQuery {
                workspace_id: account.workspace_id,
                status: None,
                filter: ListFilter { accounts, ..ListFilter::default() },
                window: Window::Since(account.connected_at),
                order: ListOrder::Recent,
                page: PageQuery { limit: LOOKED_THROUGH, before: None },
            })
            .await?;
        let targets = posts.iter().flat_map(|post| &post.targets);
        let own = targets.filter(|target| target.account_id == account.id);
        Ok(own.filter_map(|target| target.published_at()).max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_soon_a_version_ends() {
        let today: NaiveDate = "2026-12-01".parse().unwrap();
        for (end, want) in [
            ("2027-12-01", Ending::Later),
            ("2027-01-30", Ending::Later),
            ("2027-01-29", Ending::Soon),
            ("2026-12-15", Ending::Soon),
            ("2026-12-14", Ending::Now),
            ("2026-12-01", Ending::Now),
            ("2026-11-01", Ending::Now),
        ] {
            assert_eq!(Ending::of(end.parse().unwrap(), today), want, "{end}");
        }
    }
}
