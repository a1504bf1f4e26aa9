//! What the posts of a list have to have, beside their status and their time.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Facet, ListInput, Post, PostStatus, check_label, folded_label};
use crate::error::Refusal;
use crate::ids::AccountId;
use crate::platform::Platform;
use crate::target::{Target, TargetStatus};
use crate::text::words;

/// Characters that a search has at most.
///
/// Source: our decision.
pub const SEARCH_MAX_CHARACTERS: usize = 200;

/// Networks, accounts or labels of which a list may be asked for any, at most of each.
///
/// Source: our decision.
pub const ANY_OF_MAX: usize = 20;

/// What posts have to have to be listed: all of this, and of each set any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// They go to one of these networks; to whatever network when there are none.
    pub platforms: BTreeSet<Platform>,
    /// They go to one of these accounts; to whatever account when there are none.
    pub accounts: BTreeSet<AccountId>,
    /// They have one of these labels, as labels are compared; whatever labels when there are none.
    pub labels: BTreeSet<String>,
    /// They are in this state.
    pub state: Option<ListedState>,
    /// For each of these, they have a word that begins so.
    pub words: Vec<String>,
}

/// A state that posts are listed by and that is no status of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ListedState {
    /// A target has failed.
    Failed,
    /// Of a target nobody can tell whether it is live.
    InDoubt,
    /// A person has to do something: a target has failed or is in doubt, a client has asked for
    /// changes, or something is due for an account that has to be connected again.
    NeedsAttention,
    /// A client has yet to decide on it.
    AwaitingApproval,
    /// It is a draft that a network would refuse.
    Unfinished,
}

impl ListedState {
    /// Every state. Tables in tests run over it.
    pub const ALL: [Self; 5] = [
        Self::Failed,
        Self::InDoubt,
        Self::NeedsAttention,
        Self::AwaitingApproval,
        Self::Unfinished,
    ];

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::InDoubt => "in_doubt",
            Self::NeedsAttention => "needs_attention",
            Self::AwaitingApproval => "awaiting_approval",
            Self::Unfinished => "unfinished",
        }
    }

    /// What a post is found by that is in this state, any of them.
    #[must_use]
    pub fn facets(self) -> BTreeSet<Facet> {
        BTreeSet::from_iter(match self {
            Self::Failed => vec![Facet::Failed],
            Self::InDoubt => vec![Facet::InDoubt],
            Self::NeedsAttention => vec![Facet::Failed, Facet::InDoubt, Facet::ChangesAsked],
            Self::AwaitingApproval => vec![Facet::AwaitingApproval],
            Self::Unfinished => vec![Facet::Unfinished],
        })
    }

    /// True when a post is also in this state while something of it is due for an account that
    /// cannot be used.
    #[must_use]
    pub const fn counts_unusable_accounts(self) -> bool {
        matches!(self, Self::NeedsAttention)
    }
}

impl ListFilter {
    /// Reads the parameters.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter.
    pub(super) fn parse(input: &ListInput) -> Result<Self, Refusal> {
        check_any_of("platform", &input.platform)?;
        check_any_of("accountId", &input.account_id)?;
        let platforms = input.platform.iter().map(|name| {
            name.parse().map_err(|_| {
                let message = if name.contains(',') {
                    format!("{name:?} is not a network; send platform once for each.")
                } else {
                    let known: Vec<_> = Platform::known().map(Platform::as_str).collect();
                    format!("{name:?} is not a network; send one of {}.", known.join(", "))
                };
                Refusal::invalid("platform", message)
            })
        });
        let accounts = input.account_id.iter().map(|id| {
            id.parse().map_err(|_| {
                let once = if id.contains(',') { "; send accountId once for each" } else { "" };
                let message = format!("{id:?} is not the id of an account{once}.");
                Refusal::invalid("accountId", message)
            })
        });
        Ok(Self {
            platforms: platforms.collect::<Result<_, _>>()?,
            accounts: accounts.collect::<Result<_, _>>()?,
            labels: parse_labels(&input.label)?,
            state: input.state.as_deref().map(parse_state).transpose()?,
            words: input.q.as_deref().map_or(Ok(Vec::new()), parse_search)?,
        })
    }

    /// True when it leaves out nothing.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// True when the post has what it asks for; `unusable` are the accounts that have to be
    /// connected again.
    #[must_use]
    pub fn takes(&self, post: &Post, unusable: &BTreeSet<AccountId>) -> bool {
        let goes = |is_meant: &dyn Fn(&Target) -> bool| post.targets.iter().any(is_meant);
        (self.platforms.is_empty() || goes(&|target| self.platforms.contains(&target.platform)))
            && (self.accounts.is_empty()
                || goes(&|target| self.accounts.contains(&target.account_id)))
            && (self.labels.is_empty() || self.has_label(post))
            && self.state.is_none_or(|state| is_in(post, state, unusable))
            && (self.words.is_empty() || self.has_words(post))
    }

    fn has_label(&self, post: &Post) -> bool {
        post.annotations.labels.iter().any(|label| self.labels.contains(&folded_label(label)))
    }

    fn has_words(&self, post: &Post) -> bool {
        begin_words(&post.search_words(), &self.words)
    }
}

fn is_in(post: &Post, state: ListedState, unusable: &BTreeSet<AccountId>) -> bool {
    let waits_in_vain = || {
        let is_due = matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing);
        let mut pending =
            post.targets.iter().filter(|target| target.status() == TargetStatus::Pending);
        is_due && pending.any(|target| unusable.contains(&target.account_id))
    };
    !post.facets().is_disjoint(&state.facets())
        || state.counts_unusable_accounts() && waits_in_vain()
}

fn parse_state(text: &str) -> Result<ListedState, Refusal> {
    ListedState::ALL.into_iter().find(|state| state.as_str() == text).ok_or_else(|| {
        let known = ListedState::ALL.map(ListedState::as_str).join(", ");
        Refusal::invalid("state", format!("{text:?} is not a state; send one of {known}."))
    })
}

/// # Errors
/// `invalid_request` naming the parameter that is sent too often.
fn check_any_of(field: &str, values: &[String]) -> Result<(), Refusal> {
    if values.len() > ANY_OF_MAX {
        let message = format!("{field} is sent more than {ANY_OF_MAX} times.");
        return Err(Refusal::invalid(field, message));
    }
    Ok(())
}

/// The labels of a list, any of them, as labels are compared.
///
/// # Errors
/// `invalid_request` naming `label`.
pub(crate) fn parse_labels(labels: &[String]) -> Result<BTreeSet<String>, Refusal> {
    check_any_of("label", labels)?;
    let folded = labels.iter().map(|label| {
        check_label("label", label)?;
        Ok(folded_label(label))
    });
    folded.collect()
}

/// True when each of these is the beginning of a word that is found.
pub(crate) fn begin_words(found: &BTreeSet<String>, beginnings: &[String]) -> bool {
    beginnings
        .iter()
        .all(|word| found.range(word.clone()..).next().is_some_and(|first| first.starts_with(word)))
}

/// The beginnings of words to look for.
///
/// # Errors
/// `invalid_request` naming `q`.
pub(crate) fn parse_search(text: &str) -> Result<Vec<String>, Refusal> {
    let length = text.chars().count();
    if !(1..=SEARCH_MAX_CHARACTERS).contains(&length) {
        let message = format!(
            "q has {length} characters; send the words to look for, 1 to {SEARCH_MAX_CHARACTERS} characters."
        );
        return Err(Refusal::invalid("q", message));
    }
    let mut found: Vec<String> = words(text).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return Err(Refusal::invalid("q", "q has no word; send letters or digits to look for."));
    }
    Ok(found)
}
