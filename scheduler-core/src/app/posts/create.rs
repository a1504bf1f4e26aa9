//! Creating a post.

use std::ops::RangeInclusive;

use chrono::{DateTime, Utc};

use super::placing::{Place, refuse_reconnect};
use super::{issues_of, refuse_errors, too_busy};
use crate::account::Account;
use crate::app::media::{facts, file_deleted, thumbnail_facts};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Refusal};
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::ports::CreateOutcome;
use crate::post::{Post, PostInput, PostStatus, TargetInput};
use crate::target::Target;
use crate::timing::Timing;

/// What came of a request to create a post.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    /// The post.
    pub post: Post,
    /// False when the Idempotency-Key named a post that was there before.
    pub is_new: bool,
}

impl Scheduler {
    /// The post that was created under an Idempotency-Key before, as it is now.
    ///
    /// # Errors
    /// `forbidden` without `posts:write` or `posts:publish`; `invalid_request` naming
    /// `Idempotency-Key` when it is not 8 to 200 characters long.
    pub async fn post_by_key(&self, caller: &Caller, key: &str) -> Result<Option<Post>, AppError> {
        caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish])?;
        check_key(key)?;
        Ok(self.store().post_by_key(caller.workspace.id, key).await?)
    }

    /// Creates a post, after every target network's rules and the plan have agreed to it.
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
    /// // A scheduler whose workspace has an account of Bluesky.
    /// let body = json!({"content": "Hi", "queue": true, "targets": [{"platform": "bluesky"}]});
    /// let input = serde_json::from_value(body)?;
    /// let created = scheduler.create_post(&caller, input, Some("greeting-1")).await?;
    /// assert!(created.is_new);
    /// assert_eq!(created.post.status.as_str(), "scheduled");
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
        key: Option<&str>,
    ) -> Result<Created, AppError> {
        if let Some(key) = key
            && let Some(post) = self.post_by_key(caller, key).await?
        {
            return Ok(Created { post, is_new: false });
        }
        caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish])?;
        input.check_bounds()?;
        let now = self.ports.clock.now();
        let timing = Timing::parse(&input.timing(), now)?.ok_or_else(Timing::missing)?;
        caller.require(if timing.goes_out() { Scope::PostsPublish } else { Scope::PostsWrite })?;
        let targets = input.targets.value().cloned().unwrap_or_default();
        if targets.is_empty() {
            return Err(Refusal::invalid("targets", "A post needs at least 1 target.").into());
        }

        let roster = self.roster(caller).await?;
        let accounts = self.chosen_accounts(&roster, &targets).await?;
        refuse_reconnect(timing, &accounts)?;
        let mut post = self.new_post(caller, input, key, now);
        post.targets = self.new_targets(&accounts, targets, now);
        let media = self.named_media(caller.workspace.id, &post.media_ids).await?;
        let thumbnails = thumbnail_facts(&self.thumbnails_of(&post).await?);
        let limits = post.targets.iter().zip(accounts.iter().map(|account| &account.limits));
        let limits: Vec<_> = limits.collect();
        refuse_errors(issues_of(&self.rules, &post, &limits, &facts(&media), &thumbnails))?;
        self.store_new(caller, post, timing, &accounts, now).await
    }

    /// Stores a new post; looks for other slots as long as somebody else is faster.
    async fn store_new(
        &self,
        caller: &Caller,
        mut post: Post,
        timing: Timing,
        accounts: &[Account],
        now: DateTime<Utc>,
    ) -> Result<Created, AppError> {
        let posts_a_month = self.allowances(caller).posts_a_month;
        for _ in 0..DECIDE_ATTEMPTS {
            let places = self.places(timing, &caller.workspace, accounts, &[], now).await?;
            set_places(&mut post, &places);
            match self.store().create_post(&post, posts_a_month).await? {
                CreateOutcome::Created => {
                    self.ports.wake.wake();
                    return Ok(Created { post, is_new: true });
                }
                CreateOutcome::Existing(post) => return Ok(Created { post, is_new: false }),
                CreateOutcome::LimitReached => {
                    return Err(self.settings.plans.post_limit(caller.plan()).into());
                }
                CreateOutcome::FileDeleted => return Err(file_deleted().into()),
                CreateOutcome::SlotTaken => {}
            }
        }
        Err(too_busy().into())
    }

    fn new_post(
        &self,
        caller: &Caller,
        input: PostInput,
        key: Option<&str>,
        now: DateTime<Utc>,
    ) -> Post {
        Post {
            id: PostId(self.ports.ids.next(now)),
            workspace_id: caller.workspace.id,
            status: PostStatus::Draft,
            content: input.content.or_current(None).unwrap_or_default(),
            link_url: input.link_url.or_current(None),
            media_ids: input.media_ids.or_current(None).unwrap_or_default(),
            alt_texts: input.alt_texts.or_current(None).unwrap_or_default(),
            scheduled_at: None,
            approval_state: None,
            created_at: now,
            updated_at: now,
            idempotency_key: key.map(str::to_owned),
            version: 0,
            targets: Vec::new(),
        }
    }

    pub(super) fn new_targets(
        &self,
        accounts: &[Account],
        inputs: Vec<TargetInput>,
        now: DateTime<Utc>,
    ) -> Vec<Target> {
        accounts
            .iter()
            .zip(inputs)
            .map(|(account, input)| {
                let id = TargetId(self.ports.ids.next(now));
                let options = input.options.unwrap_or_default();
                Target::new(id, account.platform, account.id, options, None, None)
            })
            .collect()
    }
}

fn set_places(post: &mut Post, places: &[Place]) {
    for (target, place) in post.targets.iter_mut().zip(places) {
        target.due_at = place.due_at;
        target.slot_at = place.slot_at;
    }
    post.scheduled_at = places.iter().filter_map(|place| place.due_at).min();
    post.status =
        if post.scheduled_at.is_some() { PostStatus::Scheduled } else { PostStatus::Draft };
}

/// How many characters an Idempotency-Key has.
///
/// Source: interface description, Limits.
pub const IDEMPOTENCY_KEY_CHARACTERS: RangeInclusive<usize> = 8..=200;

/// Checks the length of an Idempotency-Key.
fn check_key(key: &str) -> Result<(), Refusal> {
    let length = key.chars().count();
    if IDEMPOTENCY_KEY_CHARACTERS.contains(&length) {
        return Ok(());
    }
    Err(Refusal::invalid(
        "Idempotency-Key",
        format!(
            "The key is {length} characters long, {} to {} are allowed.",
            IDEMPOTENCY_KEY_CHARACTERS.start(),
            IDEMPOTENCY_KEY_CHARACTERS.end()
        ),
    ))
}
