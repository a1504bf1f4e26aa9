//! The queue: the slots to come of accounts, what holds them, and how that is changed.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::posts::{saved, too_busy};
use super::{DECIDE_ATTEMPTS, Scheduler};
use crate::account::Account;
use crate::error::{AppError, Invalid, PostRefusal, Refusal, Resource};
use crate::ids::{AccountId, PostId, TargetId};
use crate::object::only_from_object;
use crate::ports::{Held, SaveOutcome};
use crate::post::Post;
use crate::post::decide::{self, reset_approval};
use crate::target::{Target, TargetStatus};
use crate::timing::{SLOT_LEAD, Zone};
use crate::workspace::Workspace;

/// How many slots of the queue are shown.
///
/// Source: our decision.
pub const QUEUE_SLOTS: usize = 100;

/// Days of free slots that are shown at most: the six weeks that a month can lie in, and a day for
/// clocks that change.
///
/// Source: our decision.
pub const FREE_SLOTS_DAYS: i64 = 43;

/// A slot to come, and what holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct QueueSlot {
    /// The account whose slot it is.
    pub account_id: AccountId,
    /// When it is.
    pub instant: DateTime<Utc>,
    /// The same on the wall clock of the account, `YYYY-MM-DDTHH:MM`.
    pub local: String,
    /// The target that goes out then; absent where the slot is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<TargetId>,
    /// The post of that target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_id: Option<PostId>,
}

/// A target and the slot that it is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct SlotMove {
    /// The target, which waits for a slot.
    pub target_id: TargetId,
    /// The instant of a slot of its account to come.
    pub instant: DateTime<Utc>,
}

impl QueueSlot {
    /// A slot of an account that nothing holds.
    fn free(account: &Account, zone: Zone, instant: DateTime<Utc>) -> Self {
        Self {
            account_id: account.id,
            instant,
            local: crate::timing::format_local(zone.local(instant)),
            target_id: None,
            post_id: None,
        }
    }
}

only_from_object!(SlotMove);

/// Two targets that change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct SlotSwap {
    /// A target that waits for a slot.
    pub target_id: TargetId,
    /// Another one of the same account.
    pub with: TargetId,
}

only_from_object!(SlotSwap);

/// Targets in the order in which they are to go out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct SlotOrder {
    /// Targets of one account that wait for slots, 2 to 100, each once.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 100)))]
    pub target_ids: Vec<TargetId>,
}

only_from_object!(SlotOrder);

impl Scheduler {
    /// The next [`QUEUE_SLOTS`] slots of an account, or of all accounts together, soonest first,
    /// taken or free. A target whose time was given and is that of a slot takes it too.
    ///
    /// # Errors
    /// `not_found` for an account that is not connected.
    pub async fn queue(
        &self,
        workspace: &Workspace,
        account: Option<AccountId>,
    ) -> Result<Vec<QueueSlot>, AppError> {
        let mut accounts = self.accounts(workspace.id).await?;
        if let Some(id) = account {
            accounts.retain(|account| account.id == id);
            if accounts.is_empty() {
                return Err(Refusal::not_found(Resource::Account).at("accountId").into());
            }
        }
        let earliest = self.ports.clock.now() + SLOT_LEAD;
        let mut slots: Vec<QueueSlot> = accounts
            .iter()
            .flat_map(|account| {
                let zone = account.zone(workspace.timezone);
                let upcoming = account.schedule.upcoming(zone, earliest).take(QUEUE_SLOTS);
                upcoming.map(move |instant| QueueSlot::free(account, zone, instant))
            })
            .collect();
        slots.sort_by_key(|slot| (slot.instant, slot.account_id));
        slots.truncate(QUEUE_SLOTS);
        if let Some(last) = slots.last().map(|slot| slot.instant) {
            let held = self.held(&accounts, earliest, last + TimeDelta::seconds(1)).await?;
            for slot in &mut slots {
                if let Some((target, post)) = held.get(&(slot.account_id, slot.instant)) {
                    (slot.target_id, slot.post_id) = (Some(*target), Some(*post));
                }
            }
        }
        Ok(slots)
    }

    /// The slots of accounts in `[from, to)` that are still to come and that nothing holds, soonest
    /// first; of all accounts where none is named. No more than those of [`FREE_SLOTS_DAYS`] days.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn free_slots(
        &self,
        workspace: &Workspace,
        of: &BTreeSet<AccountId>,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Vec<QueueSlot>, AppError> {
        let from = from.max(self.ports.clock.now() + SLOT_LEAD);
        let to = to.min(from + TimeDelta::days(FREE_SLOTS_DAYS));
        if from >= to {
            return Ok(Vec::new());
        }
        let mut accounts = self.accounts(workspace.id).await?;
        accounts.retain(|account| of.is_empty() || of.contains(&account.id));
        let held = self.held(&accounts, from, to).await?;
        let mut slots: Vec<QueueSlot> = accounts
            .iter()
            .flat_map(|account| {
                let zone = account.zone(workspace.timezone);
                let upcoming = account.schedule.upcoming(zone, from);
                upcoming
                    .take_while(|at| *at < to)
                    .filter(|at| !held.contains_key(&(account.id, *at)))
                    .map(move |at| QueueSlot::free(account, zone, at))
            })
            .collect();
        slots.sort_by_key(|slot| (slot.instant, slot.account_id));
        Ok(slots)
    }

    /// What holds the instants of accounts: read at once for all of them.
    async fn held(
        &self,
        accounts: &[Account],
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<BTreeMap<(AccountId, DateTime<Utc>), (TargetId, PostId)>, AppError> {
        let with_slots = accounts.iter().filter(|account| !account.schedule.is_empty());
        let ids: Vec<AccountId> = with_slots.map(|account| account.id).collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let held = self.store().held_instants(&ids, from, to).await?;
        let by_place = |held: Held| ((held.account_id, held.at), (held.target_id, held.post_id));
        Ok(held.into_iter().map(by_place).collect())
    }

    /// Gives a target that waits for a slot another one of its account.
    ///
    /// # Errors
    /// `not_found` when there is no such target; `already_started` when it does not wait for a
    /// slot; `invalid_request` naming `instant` when that is no slot of its account to come;
    /// `slot_taken` when another target holds it.
    pub async fn move_slot(
        &self,
        workspace: &Workspace,
        input: SlotMove,
    ) -> Result<Post, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let (post, account) = self.queued(workspace, input.target_id, "targetId").await?;
            self.refuse_no_slot(workspace, &account, input.instant)?;
            let taken = self.store().taken_instants(account.id, self.ports.clock.now()).await?;
            let own = post.target(input.target_id).and_then(Target::slot_at);
            if taken.contains(&input.instant) && own != Some(input.instant) {
                return Err(PostRefusal::SlotTaken(input.instant).into());
            }
            let at = Some(input.instant);
            match self.save_slot(workspace, &post, input.target_id, at, at).await? {
                Kept::Saved(post) => return Ok(saved(*post)),
                Kept::Again => {}
            }
        }
        Err(too_busy().into())
    }

    /// Has two targets of one account change their slots; returns their posts, that of `target_id`
    /// first. Should the program stop half-way, both go out at one time, and neither is lost.
    ///
    /// # Errors
    /// As [`move_slot`](Self::move_slot); `invalid_request` naming `with` when the two are of two
    /// accounts, or one.
    pub async fn swap_slots(
        &self,
        workspace: &Workspace,
        input: SlotSwap,
    ) -> Result<[Post; 2], AppError> {
        let SlotSwap { target_id: first, with: second } = input;
        for _ in 0..DECIDE_ATTEMPTS {
            let (one, account) = self.queued(workspace, first, "targetId").await?;
            let (other, of_other) = self.queued(workspace, second, "with").await?;
            if first == second || account.id != of_other.id {
                let message = "Two targets of one account change their slots.";
                return Err(Refusal::invalid("with", message).into());
            }
            let slot = |post: &Post, id| post.target(id).and_then(Target::slot_at);
            let (mine, theirs) = (slot(&one, first), slot(&other, second));
            // A slot has one holder: the first gives its own up before the second takes it.
            let Kept::Saved(_) = self.save_slot(workspace, &one, first, theirs, None).await? else {
                continue;
            };
            let moved = self.save_slot(workspace, &other, second, mine, mine).await;
            let own = if matches!(moved, Ok(Kept::Saved(_))) { theirs } else { mine };
            let one = self.hold_slot(workspace, first, own).await?;
            if let Kept::Saved(other) = moved? {
                return Ok([one, *other]);
            }
        }
        Err(too_busy().into())
    }

    /// Has targets of one account go out in the order in which they are named: they share the slots
    /// that they hold among them. Returns their posts in that order. One is moved after the other,
    /// so that a program that stops half-way has moved some of them, and lost none.
    ///
    /// # Errors
    /// `invalid_request` naming `targetIds` when they are fewer than 2 or more than [`QUEUE_SLOTS`],
    /// one is named twice, or they are of several accounts; otherwise as
    /// [`move_slot`](Self::move_slot).
    pub async fn order_slots(
        &self,
        workspace: &Workspace,
        input: &SlotOrder,
    ) -> Result<Vec<Post>, AppError> {
        let wanted = &input.target_ids;
        let distinct: BTreeSet<&TargetId> = wanted.iter().collect();
        if wanted.len() < 2 || wanted.len() > QUEUE_SLOTS || distinct.len() < wanted.len() {
            let message = format!("Name 2 to {QUEUE_SLOTS} targets, each once.");
            return Err(Refusal::invalid("targetIds", message).into());
        }
        let mut held = Vec::with_capacity(wanted.len());
        for (index, id) in wanted.iter().enumerate() {
            let field = format!("targetIds[{index}]");
            let (post, account) = self.queued(workspace, *id, &field).await?;
            held.push((post.target(*id).and_then(Target::slot_at), *id, account.id));
        }
        if held.iter().any(|(_, _, account)| *account != held[0].2) {
            let message = "Only targets of one account share their slots.";
            return Err(Refusal::invalid("targetIds", message).into());
        }
        let mut order: Vec<TargetId> = {
            held.sort_unstable();
            held.into_iter().map(|(_, id, _)| id).collect()
        };
        for (index, target_id) in wanted.iter().copied().enumerate() {
            let with = order[index];
            if target_id != with {
                self.swap_slots(workspace, SlotSwap { target_id, with }).await?;
                let other = order.iter().position(|id| *id == target_id).unwrap_or(index);
                order.swap(index, other);
            }
        }
        let mut posts = Vec::with_capacity(wanted.len());
        for id in wanted {
            posts.push(self.placed(workspace, *id, "targetIds").await?.0);
        }
        Ok(posts)
    }

    /// Gives a target a slot that nobody else holds.
    async fn hold_slot(
        &self,
        workspace: &Workspace,
        id: TargetId,
        slot: Option<DateTime<Utc>>,
    ) -> Result<Post, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let (post, _) = self.placed(workspace, id, "targetId").await?;
            if let Kept::Saved(post) = self.save_slot(workspace, &post, id, slot, slot).await? {
                return Ok(*post);
            }
        }
        Err(too_busy().into())
    }

    /// The post of a target that waits for a slot, and its account.
    async fn queued(
        &self,
        workspace: &Workspace,
        id: TargetId,
        field: &str,
    ) -> Result<(Post, Account), AppError> {
        let (post, account) = self.placed(workspace, id, field).await?;
        let waits = |target: &Target| {
            target.status() == TargetStatus::Pending && target.slot_at().is_some()
        };
        if post.target(id).is_some_and(waits) {
            return Ok((post, account));
        }
        Err(Refusal::from(PostRefusal::NotQueued).at(field).into())
    }

    async fn placed(
        &self,
        workspace: &Workspace,
        id: TargetId,
        field: &str,
    ) -> Result<(Post, Account), AppError> {
        let missing = || Refusal::not_found(Resource::Target).at(field);
        let post = self.store().post_of_target(workspace.id, id).await?.ok_or_else(missing)?;
        let account = post.target(id).ok_or_else(missing)?.account_id;
        let account = self.store().account(workspace.id, account).await?.ok_or_else(missing)?;
        Ok((post, account))
    }

    /// Refuses an instant that is no slot of an account to come.
    fn refuse_no_slot(
        &self,
        workspace: &Workspace,
        account: &Account,
        instant: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let zone = account.zone(workspace.timezone);
        let is_to_come = instant >= self.ports.clock.now();
        let is_slot = account.schedule.upcoming(zone, instant).next() == Some(instant);
        if is_to_come && is_slot {
            return Ok(());
        }
        Err(Refusal::invalid("instant", Invalid::NotASlot(account.label())))
    }

    /// Stores a target with another time.
    async fn save_slot(
        &self,
        workspace: &Workspace,
        current: &Post,
        id: TargetId,
        due_at: Option<DateTime<Utc>>,
        slot_at: Option<DateTime<Utc>>,
    ) -> Result<Kept, AppError> {
        let mut post = current.clone();
        let mut targets = std::mem::take(&mut post.targets);
        if let Some(target) = targets.iter_mut().find(|target| target.id == id) {
            target.reschedule(due_at, slot_at);
        }
        decide::place(&mut post, targets)?;
        reset_approval(current, &mut post);
        post.touch(self.ports.clock.now());
        let posts_a_month = self.settings.plans.of(workspace.plan).posts_a_month;
        let outcome = self.store().save_post(&post, posts_a_month).await?;
        if let (SaveOutcome::SlotTaken, Some(slot)) = (outcome, slot_at) {
            return Err(PostRefusal::SlotTaken(slot).into());
        }
        let is_saved = self.is_saved(workspace, outcome)?;
        Ok(if is_saved { Kept::Saved(Box::new(post)) } else { Kept::Again })
    }
}

/// What became of a target with another time.
enum Kept {
    /// It is stored.
    Saved(Box<Post>),
    /// Something has changed since it was read.
    Again,
}
