//! Creating many posts by one request.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::{Caller, Scheduler};
use crate::error::{AppError, ErrorBody, ErrorDetail, Refusal};
use crate::idempotency::{Fingerprint, IdempotencyKey, Replay};
use crate::json;
use crate::key::Scope;
use crate::object::only_from_object;
use crate::post::{PAGE_MAX_BYTES, PostInput, PostView};
use crate::rules::ValidationIssue;
use crate::timing::Timing;

/// Posts that one request creates at most.
///
/// Source: our decision.
pub const BATCH_MAX_COUNT: usize = 500;

/// The body of a request that creates many posts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BatchInput"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BatchInput {
    /// The posts, in the order in which they are created.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = BATCH_MAX_COUNT)))]
    pub posts: Vec<BatchItem>,
    /// Tells what would come of them, and stores nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_only: Option<bool>,
}

impl BatchInput {
    /// True when nothing is to be stored.
    #[must_use]
    pub fn checks_only(&self) -> bool {
        self.check_only == Some(true)
    }
}

/// One post of many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct BatchItem {
    /// Its Idempotency-Key, as if the post was sent alone.
    #[cfg_attr(feature = "schema", schemars(length(min = 8, max = 200)))]
    pub key: String,
    /// The post.
    #[cfg_attr(feature = "schema", schemars(with = "PostInput"))]
    pub post: Value,
}

only_from_object!(BatchItem);

/// What came of many posts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BatchReport {
    /// What came of each, in the order in which they were sent.
    pub results: Vec<BatchResult>,
}

/// What came of one post of many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BatchResult {
    /// Its key.
    pub key: String,
    /// 201 for a new post, 200 for one that the key has made before or that would be created, else
    /// the status of the error.
    pub status: u16,
    /// The post; left out once the posts of the answer hold 8 MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<Box<PostView>>,
    /// `true` when the key was used before for a post with another body; nothing was made of this
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_body: Option<bool>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<ErrorDetail>>,
    /// With `checkOnly`: the warnings of a post that would be created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<ValidationIssue>>,
}

impl BatchResult {
    const fn new(key: String, status: u16) -> Self {
        Self { key, status, post: None, other_body: None, error: None, issues: None }
    }

    fn refused(key: String, refusal: Refusal) -> Self {
        let ErrorBody { error } = refusal.into();
        let status = error.status();
        Self { error: Some(Box::new(error)), ..Self::new(key, status) }
    }
}

impl Scheduler {
    /// Creates many posts, one after the other, each as if it was sent alone: one that is refused
    /// is no hindrance to the others. With `check_only` nothing is stored.
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
    /// let post = |text| json!({"content": text, "queue": true, "targets": [{"platform": "bluesky"}]});
    /// let batch = json!({"posts": [
    ///     {"key": "greeting-1", "post": post("Hi")},
    ///     {"key": "greeting-2", "post": post(&"a".repeat(301))},
    /// ]});
    /// let report = scheduler.create_posts(&caller, serde_json::from_value(batch)?).await?;
    /// let statuses: Vec<_> = report.results.iter().map(|result| result.status).collect();
    /// assert_eq!(statuses, [201, 422]);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `invalid_request` for no posts or too many; `forbidden` when the key lacks the scope that
    /// one of the posts needs, and then nothing is created; [`AppError::Store`]. Those of a post
    /// stand in its result.
    pub async fn create_posts(
        &self,
        caller: &Caller,
        input: BatchInput,
    ) -> Result<BatchReport, AppError> {
        caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish])?;
        let count = input.posts.len();
        if !(1..=BATCH_MAX_COUNT).contains(&count) {
            let message =
                format!("There are {count} posts, 1 to {BATCH_MAX_COUNT} are taken at once.");
            return Err(Refusal::invalid("posts", message).into());
        }
        let (now, check_only) = (self.ports.clock.now(), input.checks_only());
        let mut items = Vec::with_capacity(count);
        for item in input.posts {
            let read = Item::read(item);
            if let Ok(Some(timing)) =
                read.input.as_ref().map(|input| Timing::parse(&input.timing(), now).ok().flatten())
            {
                caller.require(timing.scope())?;
            }
            items.push(read);
        }
        let (mut results, mut room) = (Vec::with_capacity(count), PAGE_MAX_BYTES);
        for item in items {
            results.push(self.create_item(caller, item, check_only, &mut room).await?);
        }
        Ok(BatchReport { results })
    }

    async fn create_item(
        &self,
        caller: &Caller,
        item: Item,
        check_only: bool,
        room: &mut usize,
    ) -> Result<BatchResult, AppError> {
        let Item { key, idempotency_key, input } = item;
        let idempotency_key = match idempotency_key {
            Ok(idempotency_key) => idempotency_key,
            Err(refusal) => return Ok(BatchResult::refused(key, refusal)),
        };
        let earlier = self.earlier_post(caller, Some(&idempotency_key)).await?;
        let made = match (earlier, input) {
            (Some(earlier), _) => Ok(earlier),
            (None, Err(refusal)) => Err(refusal.into()),
            (None, Ok(input)) if check_only => match self.check_create(caller, input).await {
                Ok(issues) => {
                    return Ok(BatchResult { issues: Some(issues), ..BatchResult::new(key, 200) });
                }
                Err(error) => Err(error),
            },
            (None, Ok(input)) => self.create_post(caller, input, Some(&idempotency_key)).await,
        };
        match made {
            Ok(made) => {
                let status = if made.is_new() { 201 } else { 200 };
                let mut result = BatchResult::new(key, status);
                result.other_body = (made.replay == Some(Replay::OtherBody)).then_some(true);
                let left = room.checked_sub(made.value.held_bytes());
                *room = left.unwrap_or_default();
                if left.is_some() {
                    result.post = Some(Box::new(self.post_view(&made.value).await?));
                }
                Ok(result)
            }
            Err(AppError::Refused(refusal)) => Ok(BatchResult::refused(key, refusal)),
            Err(error) => Err(error),
        }
    }
}

/// A post of many, as far as it could be read.
struct Item {
    key: String,
    idempotency_key: Result<IdempotencyKey, Refusal>,
    input: Result<PostInput, Refusal>,
}

impl Item {
    fn read(item: BatchItem) -> Self {
        let body = item.post.to_string();
        let fingerprint = Fingerprint::of(body.as_bytes());
        let idempotency_key = IdempotencyKey::new(item.key.clone(), Some(fingerprint));
        Self {
            key: item.key,
            idempotency_key: idempotency_key.map_err(|refusal| refusal.at("key")),
            input: json::parse(body.as_bytes()),
        }
    }
}
