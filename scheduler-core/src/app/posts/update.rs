//! Changing a post that has not gone out.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::placing::{Place, Roster, refuse_reconnect};
use super::{has_errors, refuse_errors, refuse_unknown_files, saved, too_busy};
use crate::account::Account;
use crate::app::media::{NamedFiles, refuse_deleted};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Invalid, Refusal, Resource};
use crate::ids::PostId;
use crate::key::Scope;
use crate::links::LinkRules;
use crate::platform::LINK_CARD;
use crate::ports::SaveOutcome;
use crate::post::decide::{check_changeable, place, reset_approval};
use crate::post::{Field, Post, PostInput, PostStatus, Review, TargetInput};
use crate::target::Target;
use crate::timing::Timing;

impl Scheduler {
    /// Changes what was sent of a draft or a scheduled post; the whole result is checked as a new
    /// post is. A draft that is unfinished may stay so.
    ///
    /// `expected` are the revisions that the caller takes the post to have, any of them; without,
    /// whatever it has.
    ///
    /// Without a timing field every target keeps its time, and an added target joins the others:
    /// in its account's next free slot when the post was queued, else at the post's time. A client
    /// who was shown the post is asked again when anything but its time has changed.
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
    /// let draft = json!({"content": "Hi", "saveAsDraft": true, "targets": [{"platform": "bluesky"}]});
    /// let draft = scheduler.create_post(&caller, serde_json::from_value(draft)?, None).await?.value;
    /// let change = serde_json::from_value(json!({"scheduledAt": "2026-12-01T10:00:00Z"}))?;
    /// let post = scheduler.update_post(&caller, draft.id, change, Some(&[1])).await?;
    /// assert_eq!((post.status.as_str(), &*post.content), ("scheduled", "Hi"));
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// In the order of the checks: `forbidden`, `invalid_request`, `not_found`, `stale`,
    /// `invalid_request` of `links`, `already_started`, `targets_locked`, `account_not_connected`, `channel_limit`, `media_unusable` when a file
    /// that the post keeps was deleted, `validation_failed`, `post_limit`.
    pub async fn update_post(
        &self,
        caller: &Caller,
        id: PostId,
        input: PostInput,
        expected: Option<&[i64]>,
    ) -> Result<Post, AppError> {
        caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish])?;
        input.check_bounds()?;
        let now = self.ports.clock.now();
        let timing = Timing::parse(&input.timing(), now)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_of(caller, id).await?;
            require_scope(caller, &current, timing)?;
            self.refuse_stale(&current, expected).await?;
            // What it wants already was taken once, as was what its recurrence wants.
            let is_new = |wanted: &&LinkRules| {
                input.occurrence.is_none() && current.links.as_ref() != Some(*wanted)
            };
            let wanted = input.links.value().filter(is_new);
            self.check_links("links", wanted).await?;
            check_changeable(&current, input.targets.is_sent())?;
            let changed = self.changed(caller, &current, &input, timing, now).await?;
            let (mut post, roster, files) = changed;
            let read = self.fill_cards(caller, &mut post).await;
            caller.write(Some(&current), &mut post);
            reset_approval(&current, &mut post);
            let posts_a_month = self.allowances(caller).posts_a_month;
            let outcome = self.store().save_post(&post, posts_a_month).await;
            if !matches!(outcome, Ok(SaveOutcome::Saved)) {
                self.forget_cards(caller, &read).await;
            }
            if self.is_saved(&caller.workspace, outcome?)? {
                self.begin_conversions(&post, &roster, &files).await;
                self.note_version(caller, Some(&current), &post).await;
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }

    /// The post as it is to be saved, and what its rules were asked with.
    async fn changed(
        &self,
        caller: &Caller,
        current: &Post,
        input: &PostInput,
        timing: Option<Timing>,
        now: DateTime<Utc>,
    ) -> Result<(Post, Roster, NamedFiles), AppError> {
        let mut post = current.clone();
        input.apply_to(&mut post);
        if input.occurrence.is_some() {
            post.occurrence.clone_from(&input.occurrence);
        }
        post.timing = timing.map_or(current.timing, Into::into);
        post.touch(now);

        let roster = self.roster(caller).await?;
        let goes_out = timing.map_or(current.status == PostStatus::Scheduled, Timing::goes_out);
        let targets = match &input.targets {
            Field::Value(inputs) => {
                let replaced = self.replaced(&roster, current, inputs, now).await?;
                // An occurrence is changed as a whole: what its entry does not say is as in a new post.
                if input.occurrence.is_some() {
                    let accounts = self.chosen_accounts(&roster, inputs).await?;
                    let fresh = self.new_targets(&accounts, inputs, now);
                    let both = replaced.into_iter().zip(fresh);
                    both.map(|(kept, Target { options, files, .. })| Target {
                        options,
                        files,
                        ..kept
                    })
                    .collect()
                } else {
                    replaced
                }
            }
            Field::Absent | Field::Null => {
                if goes_out {
                    let kept: Vec<TargetInput> = current.targets.iter().map(as_input).collect();
                    self.chosen_accounts(&roster, &kept).await?;
                }
                current.targets.clone()
            }
        };
        let targets = self.timed(caller, &roster, current, targets, timing, now).await?;
        if goes_out && targets.is_empty() {
            return Err(Refusal::invalid("targets", Invalid::NoTargets).into());
        }
        place(&mut post, targets)?;
        if let Some(card) = input.link_card.value() {
            for target in post.targets.iter_mut().filter(|target| !target.has_started()) {
                if !input.targets.is_sent() {
                    target.options.remove(LINK_CARD);
                }
                card.fill(target.platform.sheet(), &mut target.options);
            }
        }
        if wants_other_links(current, &post) || has_open_links(current) {
            self.change_links(&caller.workspace, &mut post, now);
        }
        if input.targets.is_sent() {
            refuse_unknown_files(&post)?;
        }
        let files = self.files_of(&post).await?;
        files.describe(&mut post, input);
        if !input.media_ids.is_sent() {
            refuse_deleted(files.of(&post.media_ids))?;
        }
        let may_be_unfinished = !goes_out && (current.unfinished || input.allows_issues());
        self.check_changed(caller, &mut post, &roster, &files, may_be_unfinished)?;
        Ok((post, roster, files))
    }

    /// Runs the rules over a changed post, which is unfinished where they find an error.
    ///
    /// # Errors
    /// `validation_failed`, unless it may be unfinished.
    pub(super) fn check_changed(
        &self,
        caller: &Caller,
        post: &mut Post,
        roster: &Roster,
        files: &NamedFiles,
        may_be_unfinished: bool,
    ) -> Result<(), Refusal> {
        let accounts = roster.by_id();
        let targets: Vec<(&Target, Option<&Account>)> = post
            .targets
            .iter()
            .map(|target| (target, accounts.get(&target.account_id).copied()))
            .collect();
        let issues = self.issues_of(post, &targets, caller.workspace.timezone, files);
        let is_empty = post.targets.is_empty();
        post.unfinished = is_empty || has_errors(&issues);
        if !may_be_unfinished {
            refuse_errors(issues)?;
        }
        Ok(())
    }

    /// The targets that a list of inputs makes of the current ones: one for an account that the
    /// post goes to already keeps its id and its time.
    pub(super) async fn replaced(
        &self,
        roster: &Roster,
        current: &Post,
        inputs: &[TargetInput],
        now: DateTime<Utc>,
    ) -> Result<Vec<Target>, AppError> {
        let accounts = self.chosen_accounts(roster, inputs).await?;
        let fresh = self.new_targets(&accounts, inputs, now);
        Ok(fresh
            .into_iter()
            .zip(inputs)
            .map(|(target, input)| {
                let kept = current.targets.iter().find(|kept| kept.account_id == target.account_id);
                match kept {
                    Some(kept) => {
                        let mut kept = kept.clone();
                        if let Some(options) = &input.options {
                            kept.options.clone_from(options);
                        }
                        input.apply_files(&mut kept.files);
                        kept
                    }
                    None => target,
                }
            })
            .collect())
    }

    /// Gives targets their times: all of them a new one, or the added ones the post's.
    async fn timed(
        &self,
        caller: &Caller,
        roster: &Roster,
        current: &Post,
        mut targets: Vec<Target>,
        timing: Option<Timing>,
        now: DateTime<Utc>,
    ) -> Result<Vec<Target>, AppError> {
        let accounts = roster.by_id();
        let is_queued = current.targets.iter().any(|target| target.slot_at().is_some());
        for target in &mut targets {
            let is_added = current.target(target.id).is_none();
            let of_target = match (timing, current.scheduled_at) {
                (Some(timing), _) => Some(timing),
                (None, Some(_)) if is_added && is_queued => Some(Timing::NextSlot),
                (None, Some(at)) if is_added => Some(Timing::At(at)),
                (None, _) => None,
            };
            let Some(of_target) = of_target else { continue };
            let place = match of_target {
                Timing::Draft => Place::default(),
                Timing::At(at) => Place { due_at: Some(at), slot_at: None },
                Timing::Now | Timing::Local(_) | Timing::NextSlot | Timing::Slot(_) => {
                    let account = accounts
                        .get(&target.account_id)
                        .ok_or_else(|| Refusal::not_found(Resource::Account))?;
                    let account: &[Account] = std::slice::from_ref(*account);
                    refuse_reconnect(of_target, account)?;
                    let places = self
                        .places(of_target, &caller.workspace, account, &current.targets, now)
                        .await?;
                    places.first().copied().unwrap_or_default()
                }
            };
            target.reschedule(place.due_at, place.slot_at);
        }
        Ok(targets)
    }
}

/// True when a change decides anew what becomes of the links of a post. What a card shows of the page
/// behind a link is not part of it.
fn wants_other_links(before: &Post, after: &Post) -> bool {
    let of_targets = |post: &Post| {
        let of_target = |target: &Target| {
            let mut options = target.options.clone();
            options.remove(LINK_CARD);
            (target.account_id, options)
        };
        post.targets.iter().map(of_target).collect::<BTreeMap<_, _>>()
    };
    before.content != after.content
        || before.link_url != after.link_url
        || before.annotations.labels != after.annotations.labels
        || before.links != after.links
        || of_targets(before) != of_targets(after)
}

/// True for a draft that nobody has approved, neither a client nor the team: its links are worked
/// out once more at each change, by what its workspace wants then.
fn has_open_links(post: &Post) -> bool {
    post.status == PostStatus::Draft
        && post.approval_state.is_none()
        && !matches!(post.review, Some(Review::Approved { .. }))
}

/// What a caller would send to name the account of a target.
pub(super) fn as_input(target: &Target) -> TargetInput {
    TargetInput::from(target.platform).by(target.account_id)
}

/// Changing a draft is writing; giving it a time, or changing what is scheduled, is publishing.
fn require_scope(caller: &Caller, post: &Post, timing: Option<Timing>) -> Result<(), Refusal> {
    let goes_out = post.status != PostStatus::Draft || timing.is_some_and(Timing::goes_out);
    caller.require(if goes_out { Scope::PostsPublish } else { Scope::PostsWrite })
}
