//! Connected accounts.

mod asking;
mod audience;
mod defaults;
mod detail;
mod leaving;
mod picture;
mod schedules;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::account::{Account, AccountView, is_paused};
use crate::app::item_page::page_of;
use crate::app::{Caller, Scheduler};
use crate::audit::{Actor, ActorKind, AuditEntry};
use crate::error::{AccountRefusal, AppError, Invalid, NotFound, Refusal, Resource, Unsupported};
use crate::ids::{AccountId, AuditId, WorkspaceId};
use crate::platform::Platform;
use crate::ports::{ConnectInput, ConnectOutcome, Connected, Network, NetworkError};

use crate::post::PageInput;
use crate::timing::{WeeklySchedule, Zone};
use crate::workspace::Workspace;

pub use asking::{MENTION_QUERY_MAX_CHARACTERS, NewPlaylistInput};
pub use audience::{AUDIENCE_DAYS_DEFAULT, AUDIENCE_DAYS_MAX, AudienceReading, AudienceSeries};
pub use defaults::DefaultsInput;
pub use detail::{AccountDetail, AccountHealth, AccountState, Ending, ScheduleView};
pub use leaving::{DUE_SHOWN, DueChoice};
pub use picture::AccountPicture;
pub use schedules::{ScheduleInput, SchedulesInput, ZoneInput};

/// An account that was just connected.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectedAccount {
    /// The account.
    pub account: Account,
    /// True when the workspace had it before.
    pub was_known: bool,
}

/// A page of connected accounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AccountList"))]
#[serde(rename_all = "camelCase")]
pub struct AccountPage {
    /// The accounts, in the order of connection.
    pub data: Vec<AccountView>,
    /// The cursor of the next page, where a page was asked for and more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl Scheduler {
    /// The connected accounts of the caller's workspace, in the order of connection.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn account_views(&self, caller: &Caller) -> Result<Vec<AccountView>, AppError> {
        let accounts = self.store().accounts(caller.workspace.id).await?;
        let channels = self.settings.plans.of(caller.plan()).channels;
        Ok(accounts
            .iter()
            .map(|account| AccountView::new(account, is_paused(&accounts, account.id, channels)))
            .collect())
    }

    /// A page of them.
    ///
    /// # Errors
    /// [`AppError::Store`]; `invalid_request` naming `limit` or `before`.
    pub async fn accounts_page(
        &self,
        caller: &Caller,
        page: &PageInput,
    ) -> Result<AccountPage, AppError> {
        let accounts = self.account_views(caller).await?;
        let (data, next_cursor) = page_of(accounts, page, |account| account.id.to_string())?;
        Ok(AccountPage { data, next_cursor })
    }

    /// The connected accounts of a workspace, in the order of connection.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn accounts(&self, workspace: WorkspaceId) -> Result<Vec<Account>, AppError> {
        Ok(self.store().accounts(workspace).await?)
    }

    /// The connected account that a person names by id, by `platform`, or by `platform:@handle`.
    ///
    /// # Errors
    /// `not_found` when there is none, `invalid_request` when several fit.
    pub async fn account_named(
        &self,
        workspace: WorkspaceId,
        name: &str,
    ) -> Result<Account, AppError> {
        let mut found: Vec<Account> = self.store().accounts(workspace).await?;
        found.retain(|account| account.is_named(name));
        match found.len() {
            1 => Ok(found.swap_remove(0)),
            0 => Err(NotFound::AccountNamed(name.to_owned()).into()),
            _ => {
                let labels = found
                    .iter()
                    .map(|account| format!("{} ({})", account.label(), account.id))
                    .collect();
                Err(Refusal::invalid("account", Invalid::WhichAccount(labels)).into())
            }
        }
    }

    /// Connects an account of a network, or connects it again. Where what was given opens several,
    /// its value `account` says which, by the network's id or by name.
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
    /// let me = ConnectInput([("name".to_owned(), "ana".to_owned())].into());
    /// let connected = scheduler.connect_account(&caller.workspace, Platform::Bluesky, &me).await?;
    /// assert!(!connected.was_known);
    /// let again = scheduler.connect_account(&caller.workspace, Platform::Bluesky, &me).await?;
    /// assert!(again.was_known && again.account.id == connected.account.id);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// Those of [`Self::open_accounts`] and [`Self::add_account`]; `invalid_request` naming
    /// `account` when it has to be said which.
    pub async fn connect_account(
        &self,
        workspace: &Workspace,
        platform: Platform,
        input: &ConnectInput,
    ) -> Result<ConnectedAccount, AppError> {
        let opened = self.open_accounts(workspace, platform, input).await?;
        let picked = pick(opened, input.value("account"))?;
        self.add_account(workspace, platform, picked).await
    }

    /// The accounts that what a person gave opens; none of them is connected by it.
    ///
    /// # Errors
    /// `unsupported` for a network that is not built in, and for an account of X that is not
    /// connected already, unless the operator allows it; `account_not_connected` with the
    /// network's reason when it refuses.
    pub async fn open_accounts(
        &self,
        workspace: &Workspace,
        platform: Platform,
        input: &ConnectInput,
    ) -> Result<Vec<Connected>, AppError> {
        let offer = self.offer(workspace, platform).await?;
        if matches!(&offer, Offer::Again(known) if known.is_empty()) {
            return Err(Unsupported::NewAccounts.into());
        }
        let network = self.network(platform)?;
        let mut opened = network.connect(input).await.map_err(not_opened)?;
        if let Offer::Again(known) = &offer {
            opened.retain(|account| known.contains(&account.network_id));
            if opened.is_empty() {
                return Err(Unsupported::NewAccounts.into());
            }
        }
        Ok(opened)
    }

    /// Connects an account that was opened, or connects it again.
    ///
    /// # Errors
    /// `channel_limit` when the plan covers no further account.
    pub async fn add_account(
        &self,
        workspace: &Workspace,
        platform: Platform,
        opened: Connected,
    ) -> Result<ConnectedAccount, AppError> {
        let now = self.ports.clock.now();
        let account = Account {
            server_url: opened.server_url,
            username: opened.username,
            display_name: opened.display_name,
            avatar_url: opened.avatar_url,
            connection: opened.connection,
            limits: opened.limits,
            ..Account::new(
                AccountId(self.ports.ids.next(now)),
                workspace.id,
                platform,
                opened.network_id,
                now,
            )
        };
        let channels = self.settings.plans.of(workspace.plan).channels;
        let outcome = self.store().connect_account(&account, &opened.credentials, channels).await?;
        match outcome {
            ConnectOutcome::Added => Ok(ConnectedAccount { account, was_known: false }),
            ConnectOutcome::Reconnected(account) => {
                Ok(ConnectedAccount { account, was_known: true })
            }
            ConnectOutcome::LimitReached => {
                Err(self.settings.plans.channel_limit(workspace.plan).into())
            }
        }
    }

    /// Notes in the log that an account was connected: whoever does that in a browser follows a
    /// link, and has neither key nor session.
    pub(super) async fn note_connected(&self, account: &Account) -> Result<(), AppError> {
        let at = self.ports.clock.now();
        let entry = AuditEntry {
            id: AuditId(self.ports.ids.next(at)),
            workspace_id: account.workspace_id,
            at,
            by: Actor::new(ActorKind::Server, None, None),
            operation: "connected_account".to_owned(),
            path: format!("/accounts/{}", account.id),
            call: None,
        };
        Ok(self.store().add_audit(&[entry]).await?)
    }

    /// The adapter of a network.
    ///
    /// # Errors
    /// `unsupported` for one that is not built in.
    fn network(&self, platform: Platform) -> Result<&Arc<dyn Network>, AppError> {
        let network = self.ports.networks.network(platform);
        network.ok_or_else(|| Unsupported::Connecting(platform).into())
    }

    /// Refuses a network none of whose accounts can be connected to a workspace.
    ///
    /// # Errors
    /// `unsupported` for a network that is not built in, and for X where the workspace has no
    /// account of it that could be connected again, unless the operator allows it.
    pub(in crate::app) async fn require_offer(
        &self,
        workspace: &Workspace,
        platform: Platform,
    ) -> Result<&Arc<dyn Network>, AppError> {
        let offer = self.offer(workspace, platform).await?;
        if matches!(&offer, Offer::Again(known) if known.is_empty()) {
            return Err(Unsupported::NewAccounts.into());
        }
        self.network(platform)
    }

    /// Which accounts of a network may be connected.
    async fn offer(&self, workspace: &Workspace, platform: Platform) -> Result<Offer, AppError> {
        if platform != Platform::Twitter || self.settings.connect_twitter {
            return Ok(Offer::Any);
        }
        let accounts = self.store().accounts(workspace.id).await?;
        let of_platform = accounts.into_iter().filter(|account| account.platform == platform);
        Ok(Offer::Again(of_platform.map(|account| account.network_id).collect()))
    }

    /// The connected account of this id.
    ///
    /// # Errors
    /// `not_found` when there is none.
    pub async fn connected_account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
    ) -> Result<Account, AppError> {
        let found = self.store().account(workspace, id).await?;
        let connected = found.filter(Account::is_connected);
        Ok(connected.ok_or_else(|| Refusal::not_found(Resource::Account))?)
    }

    /// Changes an account's zone. What is already scheduled does not move.
    ///
    /// # Errors
    /// `not_found` when it is gone.
    pub async fn set_account_timezone(
        &self,
        account: &Account,
        zone: Option<Zone>,
    ) -> Result<(), AppError> {
        self.save_account(&Account { timezone: zone, ..account.clone() }).await
    }

    /// Changes an account's posting schedule. What already holds a slot keeps it.
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
    /// let account = scheduler.account_named(caller.workspace.id, "bluesky").await?;
    /// scheduler.set_account_schedule(&account, "mon-fri 09:30".parse()?).await?;
    /// let body = json!({"content": "Hi", "queue": true, "targets": [{"platform": "bluesky"}]});
    /// let post = scheduler.create_post(&caller, serde_json::from_value(body)?, None).await?.value;
    /// assert_eq!(post.scheduled_at, Some("2026-12-01T09:30:00Z".parse()?));
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `not_found` when it is gone.
    pub async fn set_account_schedule(
        &self,
        account: &Account,
        schedule: WeeklySchedule,
    ) -> Result<(), AppError> {
        self.save_account(&Account { schedule, ..account.clone() }).await
    }

    async fn save_account(&self, account: &Account) -> Result<(), AppError> {
        if self.store().update_account(account).await? {
            Ok(())
        } else {
            Err(Refusal::not_found(Resource::Account).into())
        }
    }
}

/// Which accounts of a network may be connected.
enum Offer {
    /// Any.
    Any,
    /// Those that are connected, again; by the network's names for them.
    Again(Vec<String>),
}

/// The account of that name, or the only one.
///
/// # Errors
/// `invalid_request` naming `account`, and all of them.
fn pick(opened: Vec<Connected>, name: Option<&str>) -> Result<Connected, Refusal> {
    let labels: Vec<String> = opened.iter().map(Connected::label).collect();
    let is_only = opened.len() == 1;
    let picked = opened.into_iter().find(|account| match name {
        Some(name) => account.is_named(name),
        None => is_only,
    });
    picked.ok_or_else(|| Refusal::invalid("account", Invalid::WhichAccount(labels)))
}

/// What a person is told of a network that opens no account.
pub(in crate::app) fn not_opened(error: NetworkError) -> Refusal {
    AccountRefusal::NotOpened(error).into()
}
