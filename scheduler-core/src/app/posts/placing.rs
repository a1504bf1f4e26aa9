//! Finding the accounts of a post's targets, and their times.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat, Utc};

use crate::account::{Account, is_paused};
use crate::app::{Caller, Scheduler};
use crate::error::{
    AccountRefusal, AppError, Invalid, PlanRefusal, PostRefusal, Refusal, RefusalKind, Resource,
};
use crate::ids::{AccountId, WorkspaceId};
use crate::ports::StoreError;
use crate::post::TargetInput;
use crate::post::decide::local_due_at;
use crate::target::Target;
use crate::timing::Timing;
use crate::workspace::Workspace;

/// The connected accounts of a workspace, to choose from.
pub(crate) struct Roster {
    workspace: WorkspaceId,
    accounts: Vec<Account>,
    channels: u64,
    /// The plan's refusal of what is beyond `channels`.
    limit: PlanRefusal,
}

/// When one target goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) due_at: Option<DateTime<Utc>>,
    pub(crate) slot_at: Option<DateTime<Utc>>,
}

impl Scheduler {
    /// The connected accounts of a workspace, as the rules see them.
    pub(super) async fn connected_accounts(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Vec<Account>, StoreError> {
        let mut accounts = self.store().accounts(workspace).await?;
        for account in &mut accounts {
            self.add_told_limits(account);
            if !self.settings.connect_twitter {
                account.limits.takes_files = None;
            }
        }
        Ok(accounts)
    }

    pub(crate) async fn roster(&self, caller: &Caller) -> Result<Roster, AppError> {
        let accounts = self.connected_accounts(caller.workspace.id).await?;
        let channels = self.allowances(caller).channels;
        let limit = self.settings.plans.channel_limit(caller.plan());
        Ok(Roster { workspace: caller.workspace.id, accounts, channels, limit })
    }

    /// The accounts that the targets name, in their order, each once.
    pub(crate) async fn chosen_accounts(
        &self,
        roster: &Roster,
        inputs: &[TargetInput],
    ) -> Result<Vec<Account>, AppError> {
        let mut chosen: Vec<Account> = Vec::with_capacity(inputs.len());
        for (index, input) in inputs.iter().enumerate() {
            let account = match roster.choose(index, input) {
                Ok(account) => account,
                Err(Missing::Refused(refusal)) => return Err(refusal.into()),
                Err(Missing::NotConnected(id)) => {
                    let field = format!("targets[{index}].accountId");
                    let workspace = roster.workspace;
                    return Err(self.not_connected(workspace, field, id).await?.into());
                }
            };
            refuse_repeated(index, account, &chosen)?;
            chosen.push(account.clone());
        }
        Ok(chosen)
    }

    /// The refusal of an account that is not among the connected ones: it was disconnected, or
    /// never was there.
    pub(crate) async fn not_connected(
        &self,
        workspace: WorkspaceId,
        field: String,
        id: AccountId,
    ) -> Result<Refusal, AppError> {
        let known = self.store().account(workspace, id).await?;
        Ok(match known {
            Some(account) => AccountRefusal::Disconnected(account.label()).into(),
            None => Refusal::not_found(Resource::Account).at(field),
        })
    }

    /// When each account's target goes out. Slots are only looked up here; the store makes sure
    /// that nobody else has taken them. Those of `given_up`, the post's targets so far, are free.
    pub(super) async fn places(
        &self,
        timing: Timing,
        workspace: &Workspace,
        accounts: &[Account],
        given_up: &[Target],
        now: DateTime<Utc>,
    ) -> Result<Vec<Place>, AppError> {
        let mut places = Vec::with_capacity(accounts.len());
        for account in accounts {
            places.push(self.place(timing, workspace, account, given_up, now).await?);
        }
        Ok(places)
    }

    /// When the target of one account goes out.
    pub(crate) async fn place(
        &self,
        timing: Timing,
        workspace: &Workspace,
        account: &Account,
        given_up: &[Target],
        now: DateTime<Utc>,
    ) -> Result<Place, AppError> {
        let at = match timing {
            Timing::Draft => return Ok(Place::default()),
            Timing::Now => now,
            Timing::At(at) => at,
            Timing::Local(local) => {
                local_due_at(local, account, account.zone(workspace.timezone), now)?
            }
            Timing::Slot(at) => {
                let taken = self.taken(account, given_up, now).await?;
                return place_in(account, workspace, at, &taken, now);
            }
            Timing::NextSlot => {
                let taken = self.taken(account, given_up, now).await?;
                let slot = next_slot(account, workspace, now, &taken)?;
                return Ok(Place { due_at: Some(slot), slot_at: Some(slot) });
            }
        };
        Ok(Place { due_at: Some(at), slot_at: None })
    }

    /// The instants that others hold of an account; those of `given_up` are free.
    async fn taken(
        &self,
        account: &Account,
        given_up: &[Target],
        now: DateTime<Utc>,
    ) -> Result<BTreeSet<DateTime<Utc>>, AppError> {
        let mut taken = self.store().taken_instants(account.id, now).await?;
        let own = given_up.iter().filter(|target| target.account_id == account.id);
        for slot in own.filter_map(Target::slot_at) {
            taken.remove(&slot);
        }
        Ok(taken)
    }
}

/// The place of a target at an instant that is to be the slot of its account, where it has one then.
fn place_in(
    account: &Account,
    workspace: &Workspace,
    at: DateTime<Utc>,
    taken: &BTreeSet<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<Place, AppError> {
    if at < now {
        let sent = at.to_rfc3339_opts(SecondsFormat::Secs, true);
        return Err(Refusal::invalid("scheduledAt", Invalid::Past { sent, at }).into());
    }
    let zone = account.zone(workspace.timezone);
    let is_slot = account.schedule.upcoming(zone, at).next() == Some(at);
    if is_slot && taken.contains(&at) {
        return Err(PostRefusal::SlotTaken(at).into());
    }
    Ok(Place { due_at: Some(at), slot_at: is_slot.then_some(at) })
}

fn next_slot(
    account: &Account,
    workspace: &Workspace,
    now: DateTime<Utc>,
    taken: &BTreeSet<DateTime<Utc>>,
) -> Result<DateTime<Utc>, Refusal> {
    let zone = account.zone(workspace.timezone);
    let slot = account.schedule.next_free(zone, now, taken);
    slot.ok_or_else(|| Refusal::invalid("queue", Invalid::NoSlot(account.label())))
}

/// Why an account cannot be chosen.
pub(crate) enum Missing {
    /// It is clear why.
    Refused(Refusal),
    /// It is named, and not among the connected ones.
    NotConnected(AccountId),
}

impl Roster {
    /// The account that one target means.
    pub(crate) fn choose(&self, index: usize, input: &TargetInput) -> Result<&Account, Missing> {
        let account = match input.account_id {
            Some(id) => self
                .accounts
                .iter()
                .find(|account| account.id == id)
                .ok_or(Missing::NotConnected(id))?,
            None => self.only_of_platform(index, input).map_err(Missing::Refused)?,
        };
        self.check(index, input, account).map_err(Missing::Refused)?;
        Ok(account)
    }

    fn only_of_platform(&self, index: usize, input: &TargetInput) -> Result<&Account, Refusal> {
        let platform = input.platform;
        let of_platform: Vec<&Account> =
            self.accounts.iter().filter(|account| account.platform == platform).collect();
        let unpaused: Vec<&Account> =
            of_platform.iter().copied().filter(|account| !self.is_paused(account)).collect();
        match (unpaused.as_slice(), of_platform.as_slice()) {
            ([account], _) | ([], [account]) => Ok(account),
            ([], []) => Err(AccountRefusal::NoneConnected(platform).into()),
            ([], [account, ..]) => Ok(account),
            (several, _) => {
                let accounts = several
                    .iter()
                    .map(|account| format!("{} ({})", account.label(), account.id))
                    .collect();
                let problem = Invalid::SeveralAccounts { platform, accounts };
                Err(Refusal::invalid(format!("targets[{index}].accountId"), problem))
            }
        }
    }

    fn check(&self, index: usize, input: &TargetInput, account: &Account) -> Result<(), Refusal> {
        if account.platform != input.platform {
            let problem =
                Invalid::OtherNetwork { account: account.platform, target: input.platform };
            return Err(Refusal::invalid(format!("targets[{index}].accountId"), problem));
        }
        if self.is_paused(account) {
            let plan = self.limit.clone();
            return Err(RefusalKind::Paused { account: account.label(), plan }.into());
        }
        Ok(())
    }

    fn is_paused(&self, account: &Account) -> bool {
        is_paused(&self.accounts, account.id, self.channels)
    }

    /// The accounts by id.
    pub(crate) fn by_id(&self) -> BTreeMap<AccountId, &Account> {
        self.accounts.iter().map(|account| (account.id, account)).collect()
    }
}

/// Refuses a target whose account an earlier one has.
///
/// # Errors
/// `invalid_request` naming the account of the target.
pub(crate) fn refuse_repeated<'a>(
    index: usize,
    account: &Account,
    earlier: impl IntoIterator<Item = &'a Account>,
) -> Result<(), Refusal> {
    if earlier.into_iter().any(|other| other.id == account.id) {
        let problem = Invalid::AccountTwice(account.label());
        return Err(Refusal::invalid(format!("targets[{index}].accountId"), problem));
    }
    Ok(())
}

/// Refuses to send at once through an account that has to be connected again.
pub(super) fn refuse_reconnect(timing: Timing, accounts: &[Account]) -> Result<(), Refusal> {
    let broken = accounts.iter().find(|account| account.needs_reconnect);
    match (timing, broken) {
        (Timing::Now, Some(account)) => Err(AccountRefusal::NeedsReconnect(account.label()).into()),
        _ => Ok(()),
    }
}
