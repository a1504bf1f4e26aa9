//! Sets of accounts: picking one with one press, keeping what is ticked as one, changing one.

use scheduler_core::account::{AccountSetChange, AccountSetInput, AccountSetView, AccountView};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::{AccountId, AccountSetId};
use scheduler_core::session::Role;
use scheduler_http::visit::{Declined, Form};

use super::written::Written;
use crate::visitor::Visitor;

/// What the buttons of sets do, and what stands on them.
pub(super) const KEEP: (&str, &str) = ("set.keep", "Keep what is ticked");
pub(super) const RENAME: (&str, &str) = ("set.rename", "Rename");
pub(super) const TAKE: (&str, &str) = ("set.take", "Take what is ticked");
pub(super) const REMOVE: (&str, &str) = ("set.remove", "Remove");
/// What picks a set, and all accounts that can be used.
pub(super) const PICK: &str = "set.pick";
pub(super) const ALL: &str = "set.all";

/// What the composer shows of sets of accounts.
pub(super) struct Sets {
    /// Whether anybody has a use of them here: whoever may write, with several accounts.
    pub(super) is_shown: bool,
    pub(super) list: Vec<Set>,
    /// Whether all accounts that can be used are picked.
    pub(super) is_all: bool,
    /// A name that was not taken, to be mended.
    pub(super) name: String,
    /// Why nothing was kept.
    pub(super) problem: Option<String>,
    /// The button or the field that has the focus.
    pub(super) focused: Option<String>,
}

/// A set of accounts.
pub(super) struct Set {
    pub(super) id: String,
    pub(super) name: String,
    /// Whether its accounts are those that are picked.
    pub(super) is_picked: bool,
    /// Whether none of its accounts can be used.
    pub(super) is_empty: bool,
    /// Its accounts that are not picked with it, and why, in words.
    pub(super) left_out: Option<String>,
}

impl Sets {
    pub(super) async fn of(
        visitor: &Visitor,
        written: &Written,
        accounts: &[AccountView],
    ) -> Result<Self, Declined> {
        let is_shown = visitor.may(Role::Drafter) && accounts.len() > 1;
        let sets = if is_shown {
            visitor.scheduler().account_sets_among(&visitor.caller, accounts).await?
        } else {
            Vec::new()
        };
        Ok(Self {
            is_shown,
            is_all: is_picked(written, usable(accounts)),
            list: sets.iter().map(|set| Set::of(set, written)).collect(),
            name: written.set_name.clone(),
            problem: None,
            focused: None,
        })
    }

    /// True for the button or the field that has the focus.
    pub(super) fn is_focused(&self, id: &str) -> bool {
        self.focused.as_deref() == Some(id)
    }
}

impl Set {
    fn of(set: &AccountSetView, written: &Written) -> Self {
        let is_empty = set.picked().next().is_none();
        Self {
            id: set.id.to_string(),
            name: set.name.clone(),
            is_picked: !is_empty && is_picked(written, set.picked()),
            is_empty,
            left_out: said(set, is_empty),
        }
    }

    /// The id of the field of its name.
    pub(super) fn field(&self) -> String {
        format!("set-name-{}", self.id)
    }
}

/// The accounts that can be used.
fn usable(accounts: &[AccountView]) -> impl Iterator<Item = AccountId> {
    accounts.iter().filter(|account| account.left_out().is_none()).map(|account| account.id)
}

/// Whether just these accounts are picked.
fn is_picked(written: &Written, accounts: impl Iterator<Item = AccountId>) -> bool {
    let (mut picked, mut these) = (written.accounts.clone(), accounts.collect::<Vec<_>>());
    picked.sort_unstable();
    these.sort_unstable();
    picked == these
}

/// What is said of the accounts of a set that are not picked with it.
fn said(set: &AccountSetView, is_empty: bool) -> Option<String> {
    let said = set.said_left_out();
    match (said.is_empty(), is_empty) {
        (true, _) => None,
        (false, true) => Some(format!("nothing can be picked: {said}")),
        (false, false) => Some(format!("picked without {said}")),
    }
}

/// What a button of the sets has done.
#[derive(Default)]
pub(super) struct Pressed {
    /// Whether a set was stored, changed or removed.
    pub(super) has_changed: bool,
    pub(super) problem: Option<String>,
    pub(super) focused: Option<String>,
}

/// Does what a button of the sets says; `None` for any other button.
pub(super) async fn press(
    visitor: &Visitor,
    form: &Form,
    written: &mut Written,
    accounts: &[AccountView],
) -> Result<Option<Pressed>, Declined> {
    let button = form.only("do").unwrap_or_default();
    if button == ALL {
        written.accounts = usable(accounts).collect();
        return Ok(Some(Pressed { focused: Some(ALL.to_owned()), ..Pressed::default() }));
    }
    let (scheduler, caller) = (visitor.scheduler(), &visitor.caller);
    if button == KEEP.0 {
        let (name, account_ids) = (written.set_name.clone(), written.accounts.clone());
        let input = AccountSetInput { name, account_ids };
        let kept = scheduler.create_account_set(caller, input).await;
        let kept = kept.map(|set| Some(set.id)).map_err(Declined::from);
        if kept.is_ok() {
            written.set_name.clear();
        }
        return told(kept, "set-name".to_owned()).map(Some);
    }
    let Some((act, id)) = button.rsplit_once('.') else { return Ok(None) };
    let Ok(id) = id.parse::<AccountSetId>() else { return Ok(None) };
    let change = |change| async move {
        let changed = scheduler.change_account_set(caller, id, change).await;
        changed.map(|set| Some(set.id)).map_err(Declined::from)
    };
    let done = if act == PICK {
        let sets = scheduler.account_sets_among(caller, accounts).await?;
        if let Some(set) = sets.iter().find(|set| set.id == id) {
            written.accounts = set.picked().collect();
        }
        let focused = Some(format!("set-{id}"));
        return Ok(Some(Pressed { focused, ..Pressed::default() }));
    } else if act == RENAME.0 {
        let name = form.only(&format!("set-name.{id}")).unwrap_or_default().to_owned();
        change(AccountSetChange { name: Some(name), ..AccountSetChange::default() }).await
    } else if act == TAKE.0 {
        let account_ids = Some(written.accounts.clone());
        change(AccountSetChange { account_ids, ..AccountSetChange::default() }).await
    } else if act == REMOVE.0 {
        let removed = scheduler.remove_account_set(caller, id).await;
        removed.map(|()| None).map_err(Declined::from)
    } else {
        return Ok(None);
    };
    told(done, format!("set-name-{id}")).map(Some)
}

/// What was done with a set, or why it was not; `field` is the one that is to be mended then.
fn told(done: Result<Option<AccountSetId>, Declined>, field: String) -> Result<Pressed, Declined> {
    match done {
        Ok(set) => {
            let focused = set.map_or_else(|| ALL.to_owned(), |id| format!("set-{id}"));
            Ok(Pressed { has_changed: true, problem: None, focused: Some(focused) })
        }
        Err(refused)
            if matches!(refused.code(), ErrorCode::InvalidRequest | ErrorCode::NotFound) =>
        {
            let problem = Some(refused.message().to_owned());
            Ok(Pressed { has_changed: false, problem, focused: Some(field) })
        }
        Err(refused) => Err(refused),
    }
}
