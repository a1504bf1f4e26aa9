//! Accounts that a workspace picks together.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{AccountId, AccountSetId, WorkspaceId};
use crate::object::only_from_object;

/// How many sets of accounts a workspace keeps at most.
///
/// Source: our decision.
pub const ACCOUNT_SETS_MAX: u32 = 100;

/// Accounts that a set has at most.
///
/// Source: our decision.
pub const SET_ACCOUNTS_MAX: usize = 500;

/// Characters that the name of a set has at most.
///
/// Source: our decision.
pub const SET_NAME_MAX_CHARACTERS: usize = 50;

/// Accounts that are picked together, under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountSet {
    /// Its id.
    pub id: AccountSetId,
    /// The workspace that keeps it.
    pub workspace_id: WorkspaceId,
    /// What people call it; unique in the workspace.
    pub name: String,
    /// The accounts, in the order that was chosen; each once. Those that were disconnected since stay.
    pub accounts: Vec<AccountId>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// The body of a new set of accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountSetInput {
    /// What people call it: 1 to 50 characters, such as `Clients’ Instagram`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = SET_NAME_MAX_CHARACTERS)))]
    pub name: String,
    /// Its accounts, 1 to 500, which are connected; one that is named twice counts once.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = SET_ACCOUNTS_MAX)))]
    pub account_ids: Vec<AccountId>,
}

only_from_object!(AccountSetInput);

/// What is to change of a set of accounts; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountSetChange {
    /// What people call it: 1 to 50 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = SET_NAME_MAX_CHARACTERS)))]
    pub name: Option<String>,
    /// All of its accounts, 1 to 500: connected ones, and those that it has already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = SET_ACCOUNTS_MAX)))]
    pub account_ids: Option<Vec<AccountId>>,
}

only_from_object!(AccountSetChange);

/// Why an account of a set is not picked with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// It is not connected any more.
    Disconnected,
    /// The network has refused its token for good: it has to be connected again.
    NeedsReconnect,
    /// It is beyond the channels that the plan covers.
    Paused,
}

impl LeftOutReason {
    /// In a few words, beside the name of the account.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Disconnected => "disconnected",
            Self::NeedsReconnect => "connect it again",
            Self::Paused => "paused, beyond the plan",
        }
    }
}

/// An account of a set that cannot be posted to as things are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LeftOut {
    /// The account.
    pub id: AccountId,
    /// What a person recognises it by, such as `instagram @kiln`.
    pub label: String,
    /// Why.
    pub reason: LeftOutReason,
}

/// A set of accounts as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AccountSet"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AccountSetView {
    /// Its id.
    pub id: AccountSetId,
    /// What people call it.
    pub name: String,
    /// All of its accounts.
    pub account_ids: Vec<AccountId>,
    /// Those of them that cannot be posted to as things are, and why.
    pub left_out: Vec<LeftOut>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

impl LeftOut {
    /// The account and why it is left out: `instagram @kiln (disconnected)`.
    #[must_use]
    pub fn said(&self) -> String {
        format!("{} ({})", self.label, self.reason.words())
    }
}

impl AccountSetView {
    /// A set with those of its accounts that are left out.
    #[cfg(feature = "engine")]
    pub(crate) fn new(set: AccountSet, left_out: Vec<LeftOut>) -> Self {
        let AccountSet { id, name, accounts, created_at, .. } = set;
        Self { id, name, account_ids: accounts, left_out, created_at }
    }

    /// The accounts that are picked with it: all but those that are left out.
    pub fn picked(&self) -> impl Iterator<Item = AccountId> {
        let is_left_out = |id: &AccountId| self.left_out.iter().any(|left| left.id == *id);
        self.account_ids.iter().copied().filter(move |id| !is_left_out(id))
    }

    /// The accounts that are left out, and why, with commas between.
    #[must_use]
    pub fn said_left_out(&self) -> String {
        self.left_out.iter().map(LeftOut::said).collect::<Vec<_>>().join(", ")
    }
}
