//! Creating a post.

use chrono::{DateTime, Utc};

use super::placing::{Place, Roster, refuse_reconnect};
use super::{has_errors, refuse_errors, refuse_unknown_files, too_busy};
use crate::account::Account;
use crate::app::media::{NamedFiles, file_deleted};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Invalid, Refusal};
use crate::idempotency::{IdempotencyKey, Made, Replay};
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::ports::CreateOutcome;
use crate::post::{Post, PostInput, PostStatus, TargetInput};
use crate::rules::ValidationIssue;
use crate::target::Target;
use crate::timing::Timing;

/// A post that may be created, and what it takes to store it.
struct Prepared {
    post: Post,
    issues: Vec<ValidationIssue>,
    timing: Timing,
    accounts: Vec<Account>,
    roster: Roster,
    files: NamedFiles,
}

impl Scheduler {
    /// The post that was created under an Idempotency-Key before, as it is now.
    ///
    /// # Errors
    /// `forbidden` without `posts:write` or `posts:publish`.
    pub async fn earlier_post(
        &self,
        caller: &Caller,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<Post>>, AppError> {
        caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish])?;
        let Some(key) = key else { return Ok(None) };
        let post = self.store().post_by_key(caller.workspace.id, key.as_str()).await?;
        Ok(post.map(|post| created_before(post, Some(key))))
    }

    /// Creates a post, after every target network's rules and the plan have agreed to it.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::idempotency::IdempotencyKey;
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
    /// // A scheduler whose workspace has an account of Bluesky.
    /// let body = json!({"content": "Hi", "queue": true, "targets": [{"platform": "bluesky"}]});
    /// let input = serde_json::from_value(body)?;
    /// let key = IdempotencyKey::new("greeting-1", None)?;
    /// let created = scheduler.create_post(&caller, input, Some(&key)).await?;
    /// assert!(created.is_new());
    /// assert_eq!(created.value.status.as_str(), "scheduled");
    ///
    /// let too_long = json!({"content": "a".repeat(301), "queue": true, "targets": [{"platform": "bluesky"}]});
    /// assert!(scheduler.create_post(&caller, serde_json::from_value(too_long)?, None).await.is_err());
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// In the order of the checks: `forbidden`, `invalid_request`, `account_not_connected`,
    /// `channel_limit`, `not_found`, `validation_failed`, `post_limit`.
    pub async fn create_post(
        &self,
        caller: &Caller,
        input: PostInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Made<Post>, AppError> {
        if let Some(earlier) = self.earlier_post(caller, key).await? {
            return Ok(earlier);
        }
        let Prepared { mut post, issues: _, timing, accounts, roster, files } =
            self.prepare(caller, input).await?;
        post.idempotency_key = key.cloned();
        let read = self.fill_cards(caller, &mut post).await;
        let now = post.created_at;
        let created = self.store_new(caller, post, timing, &accounts, now).await;
        match &created {
            Ok(created) if created.is_new() => {
                self.begin_conversions(&created.value, &roster, &files).await;
                if created.value.status == PostStatus::Draft {
                    self.note_version(caller, None, &created.value).await;
                }
            }
            Ok(_) | Err(_) => self.forget_cards(caller, &read).await,
        }
        created
    }

    /// Looks whether a post would be created, and creates nothing: what the rules say of it.
    ///
    /// # Errors
    /// Those of [`Self::create_post`], but for `post_limit`.
    pub(in crate::app) async fn check_create(
        &self,
        caller: &Caller,
        input: PostInput,
    ) -> Result<Vec<ValidationIssue>, AppError> {
        let prepared = self.prepare(caller, input).await?;
        let (timing, now) = (prepared.timing, prepared.post.created_at);
        self.places(timing, &caller.workspace, &prepared.accounts, &[], now).await?;
        Ok(prepared.issues)
    }

    /// A post as it is to be stored, without its times, once everything has agreed to it.
    async fn prepare(&self, caller: &Caller, input: PostInput) -> Result<Prepared, AppError> {
        input.check_bounds()?;
        // What a recurrence wants was taken when it was made.
        let wanted = input.links.value().filter(|_| input.occurrence.is_none());
        self.check_links("links", wanted).await?;
        let now = self.ports.clock.now();
        let timing = Timing::parse(&input.timing(), now)?.ok_or_else(Timing::missing)?;
        caller.require(timing.scope())?;
        let targets = input.targets.value().cloned().unwrap_or_default();
        let card = input.link_card.value();
        let targets: Vec<_> = targets.into_iter().map(|target| target.carded(card)).collect();
        if targets.is_empty() && !(input.targets.is_sent() && input.allows_issues()) {
            return Err(Refusal::invalid("targets", Invalid::NoTargets).into());
        }

        let roster = self.roster(caller).await?;
        let accounts = self.chosen_accounts(&roster, &targets).await?;
        refuse_reconnect(timing, &accounts)?;
        let mut post = Post::new(PostId(self.ports.ids.next(now)), caller.workspace.id, now);
        input.apply_to(&mut post);
        post.occurrence.clone_from(&input.occurrence);
        post.timing = timing.into();
        post.targets = self.new_targets(&accounts, &targets, now);
        self.change_links(&caller.workspace, &mut post, now);
        refuse_unknown_files(&post)?;
        let files = self.files_of(&post).await?;
        files.describe(&mut post, &input);
        if self.rules.has_own() {
            // Storing finds the times, and says what is wrong with them; rules look at them before.
            let places = self.places(timing, &caller.workspace, &accounts, &[], now).await;
            set_places(&mut post, &places.unwrap_or_default());
        }
        let targets: Vec<_> = post.targets.iter().zip(accounts.iter().map(Some)).collect();
        let zone = caller.workspace.timezone;
        let issues = self.issues_of(&post, &targets, zone, &files);
        post.unfinished = has_errors(&issues) || post.targets.is_empty();
        caller.write(None, &mut post);
        let issues = if input.allows_issues() { issues } else { refuse_errors(issues)? };
        Ok(Prepared { post, issues, timing, accounts, roster, files })
    }

    /// Stores a new post; looks for other slots as long as somebody else is faster.
    async fn store_new(
        &self,
        caller: &Caller,
        mut post: Post,
        timing: Timing,
        accounts: &[Account],
        now: DateTime<Utc>,
    ) -> Result<Made<Post>, AppError> {
        let posts_a_month = self.allowances(caller).posts_a_month;
        for _ in 0..DECIDE_ATTEMPTS {
            let places = self.places(timing, &caller.workspace, accounts, &[], now).await?;
            set_places(&mut post, &places);
            match self.store().create_post(&post, posts_a_month).await? {
                CreateOutcome::Created => {
                    self.ports.wake.wake();
                    return Ok(Made::new(post));
                }
                CreateOutcome::Existing(first) => {
                    return Ok(created_before(first, post.idempotency_key.as_ref()));
                }
                CreateOutcome::LimitReached => {
                    return Err(self.settings.plans.post_limit(caller.plan()).into());
                }
                CreateOutcome::FileDeleted => return Err(file_deleted().into()),
                CreateOutcome::SlotTaken => {}
            }
        }
        Err(too_busy().into())
    }

    pub(super) fn new_targets(
        &self,
        accounts: &[Account],
        inputs: &[TargetInput],
        now: DateTime<Utc>,
    ) -> Vec<Target> {
        accounts
            .iter()
            .zip(inputs)
            .map(|(account, input)| {
                let id = TargetId(self.ports.ids.next(now));
                let mut options = input.options.clone().unwrap_or_default();
                account.add_defaults(&mut options);
                let target = Target::new(id, account.platform, account.id, options, None, None);
                Target { files: input.target_files(), ..target }
            })
            .collect()
    }
}

/// The first post of a key, for a later request with it.
fn created_before(first: Post, key: Option<&IdempotencyKey>) -> Made<Post> {
    let keys = first.idempotency_key.as_ref().zip(key);
    let replay = keys.map_or(Replay::UnknownBody, |(first, later)| first.replay(later));
    Made { value: first, replay: Some(replay) }
}

fn set_places(post: &mut Post, places: &[Place]) {
    for (target, place) in post.targets.iter_mut().zip(places) {
        target.reschedule(place.due_at, place.slot_at);
    }
    post.scheduled_at = places.iter().filter_map(|place| place.due_at).min();
    post.status =
        if post.scheduled_at.is_some() { PostStatus::Scheduled } else { PostStatus::Draft };
}
