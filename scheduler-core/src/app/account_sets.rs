//! Accounts that a workspace picks together.

use std::collections::BTreeMap;

use super::{Caller, Scheduler};
use crate::account::{
    ACCOUNT_SETS_MAX, AccountSet, AccountSetChange, AccountSetInput, AccountSetView, AccountView,
    LeftOut, LeftOutReason, SET_ACCOUNTS_MAX, SET_NAME_MAX_CHARACTERS,
};
use crate::error::{AppError, Refusal, Resource};
use crate::ids::{AccountId, AccountSetId};
use crate::key::Scope;
use crate::ports::SetOutcome;
use crate::post::check_text;

impl Scheduler {
    /// The sets of accounts of a workspace, oldest first.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`.
    pub async fn account_sets(&self, caller: &Caller) -> Result<Vec<AccountSetView>, AppError> {
        let connected = self.account_views(caller).await?;
        self.account_sets_among(caller, &connected).await
    }

    /// The same where the connected accounts of the workspace are known, as [`Self::account_views`]
    /// gives them.
    ///
    /// # Errors
    /// Those of [`Self::account_sets`].
    pub async fn account_sets_among(
        &self,
        caller: &Caller,
        connected: &[AccountView],
    ) -> Result<Vec<AccountSetView>, AppError> {
        caller.require(Scope::PostsRead)?;
        let sets = self.store().account_sets(caller.workspace.id).await?;
        let former = self.former(&sets, connected).await?;
        let connected = by_id(connected);
        Ok(sets.into_iter().map(|set| shown(set, &connected, &former)).collect())
    }

    /// Keeps accounts as a set, to be picked together.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `invalid_request` naming the field: a name of no or too
    /// many characters, or that another set has; no account, too many, or one that is not connected;
    /// a workspace that keeps [`ACCOUNT_SETS_MAX`] already.
    pub async fn create_account_set(
        &self,
        caller: &Caller,
        input: AccountSetInput,
    ) -> Result<AccountSetView, AppError> {
        caller.require(Scope::PostsWrite)?;
        let connected = self.account_views(caller).await?;
        let now = self.ports.clock.now();
        let set = AccountSet {
            id: AccountSetId(self.ports.ids.next(now)),
            workspace_id: caller.workspace.id,
            name: checked_name(&input.name)?,
            accounts: checked_accounts(input.account_ids, &connected, &[])?,
            created_at: now,
        };
        stored(self.store().create_account_set(&set, ACCOUNT_SETS_MAX).await?)?;
        self.shown_set(set, &connected).await
    }

    /// Changes the name or the accounts of a set; what is not said stays as it is, also where somebody
    /// else changes it at the same time. Accounts that it has already may be disconnected.
    ///
    /// # Errors
    /// `not_found`, and those of [`Self::create_account_set`].
    pub async fn change_account_set(
        &self,
        caller: &Caller,
        id: AccountSetId,
        change: AccountSetChange,
    ) -> Result<AccountSetView, AppError> {
        caller.require(Scope::PostsWrite)?;
        let set = self.account_set(caller, id).await?;
        let connected = self.account_views(caller).await?;
        let name = change.name.as_deref().map(checked_name).transpose()?;
        let account_ids = change.account_ids;
        let account_ids = account_ids
            .map(|accounts| checked_accounts(accounts, &connected, &set.accounts))
            .transpose()?;
        let change = AccountSetChange { name, account_ids };
        let outcome = self.store().update_account_set(caller.workspace.id, id, &change).await?;
        stored(outcome)?;
        self.shown_set(self.account_set(caller, id).await?, &connected).await
    }

    /// A set as it is stored.
    async fn account_set(&self, caller: &Caller, id: AccountSetId) -> Result<AccountSet, AppError> {
        let sets = self.store().account_sets(caller.workspace.id).await?;
        let found = sets.into_iter().find(|set| set.id == id);
        Ok(found.ok_or_else(|| Refusal::not_found(Resource::AccountSet))?)
    }

    /// Removes a set of accounts. The accounts stay, and so do posts that go to them.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `not_found`.
    pub async fn remove_account_set(
        &self,
        caller: &Caller,
        id: AccountSetId,
    ) -> Result<(), AppError> {
        caller.require(Scope::PostsWrite)?;
        if self.store().remove_account_set(caller.workspace.id, id).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::AccountSet).into())
    }

    /// A set with those of its accounts that cannot be posted to as things are.
    async fn shown_set(
        &self,
        set: AccountSet,
        connected: &[AccountView],
    ) -> Result<AccountSetView, AppError> {
        let former = self.former(std::slice::from_ref(&set), connected).await?;
        Ok(shown(set, &by_id(connected), &former))
    }

    /// What the accounts of sets that are not connected are called; each is read once.
    async fn former(
        &self,
        sets: &[AccountSet],
        connected: &[AccountView],
    ) -> Result<BTreeMap<AccountId, String>, AppError> {
        let connected = by_id(connected);
        let mut former = BTreeMap::new();
        for set in sets {
            for id in &set.accounts {
                if connected.contains_key(id) || former.contains_key(id) {
                    continue;
                }
                let account = self.store().account(set.workspace_id, *id).await?;
                let label = account.map_or_else(|| id.to_string(), |account| account.label());
                former.insert(*id, label);
            }
        }
        Ok(former)
    }
}

fn by_id(accounts: &[AccountView]) -> BTreeMap<AccountId, &AccountView> {
    accounts.iter().map(|account| (account.id, account)).collect()
}

/// A set with its accounts that cannot be posted to; `former` says what those are called that are not
/// connected.
fn shown(
    set: AccountSet,
    connected: &BTreeMap<AccountId, &AccountView>,
    former: &BTreeMap<AccountId, String>,
) -> AccountSetView {
    let left_out = set.accounts.iter().filter_map(|id| {
        let (label, reason) = match connected.get(id) {
            Some(account) => {
                let reason = account.left_out()?;
                (account.label(), reason)
            }
            None => {
                let label = former.get(id).cloned().unwrap_or_else(|| id.to_string());
                (label, LeftOutReason::Disconnected)
            }
        };
        Some(LeftOut { id: *id, label, reason })
    });
    let left_out = left_out.collect();
    AccountSetView::new(set, left_out)
}

fn stored(outcome: SetOutcome) -> Result<(), Refusal> {
    match outcome {
        SetOutcome::Stored => Ok(()),
        SetOutcome::Missing => Err(Refusal::not_found(Resource::AccountSet)),
        SetOutcome::NameTaken => {
            let message = "Another set has this name; choose another, or change that set.";
            Err(Refusal::invalid("name", message))
        }
        SetOutcome::Full => {
            let message = format!(
                "This workspace keeps {ACCOUNT_SETS_MAX} sets of accounts, which is the limit; remove one before you add another."
            );
            Err(Refusal::invalid("name", message))
        }
    }
}

/// The name without blanks around it.
fn checked_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        let message = format!(
            "The name of a set has 1 to {SET_NAME_MAX_CHARACTERS} characters, in one line."
        );
        return Err(Refusal::invalid("name", message));
    }
    check_text("name", name, SET_NAME_MAX_CHARACTERS)?;
    Ok(name.to_owned())
}

/// The accounts, each once: those that are connected, and `kept` ones.
fn checked_accounts(
    asked: Vec<AccountId>,
    connected: &[AccountView],
    kept: &[AccountId],
) -> Result<Vec<AccountId>, Refusal> {
    let mut accounts: Vec<AccountId> = Vec::new();
    for (index, id) in asked.into_iter().enumerate() {
        if !kept.contains(&id) && connected.iter().all(|account| account.id != id) {
            let message =
                "No connected account of this workspace has this id; choose one that is connected.";
            return Err(Refusal::invalid(format!("accountIds[{index}]"), message));
        }
        if !accounts.contains(&id) {
            accounts.push(id);
        }
    }
    if accounts.is_empty() || accounts.len() > SET_ACCOUNTS_MAX {
        let message = format!("A set has 1 to {SET_ACCOUNTS_MAX} accounts; choose some.");
        return Err(Refusal::invalid("accountIds", message));
    }
    Ok(accounts)
}
