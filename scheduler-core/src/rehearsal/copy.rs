//! The copy of a calendar that is rehearsed, and the scheduler that does it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};

use super::counts::Use;
use super::network::{Imitation, Shared};
use super::turns::Turns;
use crate::account::{Account, Credentials};
use crate::app::{Scheduler, Settings};
use crate::media::{Decoding, FileFolder, FileKey, Media, MediaFacts, MediaKind, Recipe};
use crate::memory::{ManualClock, MemoryStore, test_ports};
use crate::platform::Platform;
use crate::ports::{
    AccountStore as _, ApiVersion, Budget, Derived, ExamineError, Examined, Examiner, FilesError,
    ReadingStore as _, RecurrenceStore as _, StoreError, WorkspaceStore as _,
};
use crate::post::Post;
use crate::recurrence::{EntryUse, Recurrence};
use crate::rules::RuleSet;
use crate::workspace::Workspace;

/// How far back it is looked for what counts against the limits of networks: their longest span,
/// with an hour for a day on which clocks are set back.
pub(crate) const COUNTS_BACK: TimeDelta = TimeDelta::hours(25);

/// How long before it the first target of a post went out whose last is looked for: targets wait for
/// retries, slots, cool-downs and approvals.
///
/// Source: our decision.
pub(crate) const PAST_BACK: TimeDelta = TimeDelta::days(7);

/// A calendar and what its posts go out with, as it is rehearsed.
pub(crate) struct Calendar {
    pub(crate) workspace: Workspace,
    /// Every account that a post goes to, and every connected one.
    pub(crate) accounts: Vec<CalendarAccount>,
    /// What is to come, that first which is due first.
    pub(crate) posts: Vec<Post>,
    /// The posts of which something went out within [`COUNTS_BACK`].
    pub(crate) past: Vec<Post>,
    /// The files of all posts.
    pub(crate) files: Vec<Media>,
    /// The recurrences that posts belong to, with their uses.
    pub(crate) recurrences: Vec<(Recurrence, Vec<EntryUse>)>,
    /// What the posts of accounts have cost in this month.
    pub(crate) spent: Vec<(Budget, u32)>,
    /// When posts would be due that recurrences cannot make, since the plan does not cover them.
    pub(crate) beyond_the_plan: Vec<DateTime<Utc>>,
    /// The networks that the server publishes to, with the versions that it speaks.
    pub(crate) networks: BTreeMap<Platform, Option<ApiVersion>>,
}

/// An account of a calendar.
pub(crate) struct CalendarAccount {
    pub(crate) account: Account,
    /// When its token ends, in place of the token itself; `None` while it is not connected.
    pub(crate) token: Option<Credentials>,
    /// False when the token cannot be renewed.
    pub(crate) is_renewed: bool,
}

/// How a calendar is rehearsed.
pub(crate) struct Terms {
    pub(crate) from: DateTime<Utc>,
    pub(crate) until: DateTime<Utc>,
    pub(crate) settings: Settings,
    pub(crate) rules: RuleSet,
    pub(crate) decoding: Decoding,
}

/// A scheduler over the copy, without its posts.
pub(super) struct Stage {
    pub(super) scheduler: Scheduler,
    pub(super) store: Arc<MemoryStore>,
    pub(super) clock: Arc<ManualClock>,
    pub(super) shared: Shared,
}

impl Stage {
    /// Copies everything but the posts.
    pub(super) async fn of(
        calendar: &Calendar,
        terms: &Terms,
        turns: &mut Turns,
    ) -> Result<Self, StoreError> {
        let clock = Arc::new(ManualClock::at(terms.from));
        let (store, shared) = (Arc::new(MemoryStore::new()), Shared::default());
        let mut ports = test_ports(clock.clone());
        ports.store = store.clone();
        ports.examiner = Arc::new(EverythingFits(terms.decoding));
        for (platform, version) in &calendar.networks {
            let accounts = calendar.accounts.iter();
            let unrenewed =
                accounts.filter(|one| one.account.platform == *platform && !one.is_renewed);
            let network = Imitation {
                platform: *platform,
                shared: shared.clone(),
                unrenewed: unrenewed.map(|one| one.account.id).collect(),
                version: version.clone(),
            };
            ports.networks = std::mem::take(&mut ports.networks).with(*platform, Arc::new(network));
        }
        let scheduler = Scheduler::new(ports, terms.settings).with_rules(terms.rules.clone());
        store.create_workspace(&calendar.workspace).await?;
        for CalendarAccount { account, token, .. } in &calendar.accounts {
            let none = Credentials::new(String::new(), None);
            let connected = Account { disconnected_at: None, ..account.clone() };
            store.connect_account(&connected, token.as_ref().unwrap_or(&none), u64::MAX).await?;
            if let Some(at) = account.disconnected_at {
                store.disconnect_account(account.workspace_id, account.id, at).await?;
            }
        }
        store.put_media(calendar.files.iter().cloned());
        for (recurrence, uses) in &calendar.recurrences {
            store.create_recurrence(recurrence, u32::MAX).await?;
            for used in uses {
                store.use_entry(recurrence.workspace_id, used, None).await?;
            }
        }
        for (budget, amount) in &calendar.spent {
            // More may have been spent than may be spent by now.
            let any = Budget { limit: u32::MAX, ..budget.clone() };
            store.spend(&[any], *amount).await?;
        }
        let stage = Self { scheduler, store, clock, shared };
        stage.count_past(calendar, terms.from, turns).await;
        Ok(stage)
    }

    /// Counts what went out before against the limits of the networks.
    async fn count_past(&self, calendar: &Calendar, now: DateTime<Utc>, turns: &mut Turns) {
        let kinds: BTreeMap<_, MediaKind> =
            calendar.files.iter().map(|file| (file.id, file.kind)).collect();
        let mut went_out = Vec::new();
        for post in &calendar.past {
            for target in &post.targets {
                let counts = target.published_at().filter(|at| *at >= now - COUNTS_BACK);
                if let Some(at) = counts {
                    went_out.push((at, post, target));
                }
            }
            turns.one_is_done().await;
        }
        went_out.sort_by_key(|(at, _, target)| (*at, target.id));
        for (at, post, target) in went_out {
            let parts = target.thread();
            let files = std::iter::once(post.media_of(target))
                .chain(parts.iter().map(|part| part.media_ids.as_slice()));
            for (part, files) in files.enumerate() {
                let files = files.iter().filter_map(|id| kinds.get(id).copied()).collect();
                let (platform, account) = (target.platform, target.account_id);
                let options = &target.options;
                self.shared.count(&Use { platform, account, options, part, files }, at);
            }
            turns.one_is_done().await;
        }
    }
}

/// Makes of every file what is asked for, at once and without looking at it.
struct EverythingFits(Decoding);

#[async_trait]
impl Examiner for EverythingFits {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        Err(FilesError::Missing.into())
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        let is_video = recipe.media_types.iter().any(|of| of.starts_with("video/"));
        let kind = if is_video { MediaKind::Video } else { MediaKind::Image };
        Ok(Derived { key: folder.derived(recipe.name), facts: MediaFacts::of_kind(kind) })
    }

    fn decoding(&self) -> Decoding {
        self.0
    }
}

/// The files that posts name.
pub(crate) fn named_by(posts: &[Post]) -> BTreeSet<crate::ids::MediaId> {
    posts.iter().flat_map(Post::files).collect()
}
