//! The rehearsal of a workspace's calendar: reads everything, writes nothing.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};

use super::{Caller, Scheduler};
use crate::account::Credentials;
use crate::cursor::Cursor;
use crate::engine::RunError;
use crate::error::AppError;
use crate::ids::{AccountId, RecurrenceId, WorkspaceId};
use crate::key::Scope;
use crate::media::Media;
use crate::ports::StoreError;
use crate::post::{
    LIMIT_MAX, ListFilter, ListOrder, ListQuery, Month, PageQuery, Post, Window, parse_number,
};
use crate::recurrence::{EntryUse, Progress, Recurrence, RecurrenceState};
use crate::rehearsal::{
    COUNTS_BACK, Calendar, CalendarAccount, DAYS_DEFAULT, DAYS_MAX, PAST_BACK, POSTS_MAX,
    Rehearsal, TARGETS_MAX, Terms, named_by, rehearse,
};
use crate::target::Target;

/// Files that are read from the store at once.
const FILES_AT_ONCE: usize = 500;

impl Scheduler {
    /// Plays the calendar of a workspace against networks that count by what is known of them: what
    /// goes out when in the next `days`, [`DAYS_DEFAULT`] of them when nothing is said, what keeps
    /// posts back, and what would mend it. Nothing is stored and nothing is sent.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming `days` when they are no number
    /// from 1 to [`DAYS_MAX`]; [`AppError::Store`].
    pub async fn rehearse(
        &self,
        caller: &Caller,
        days: Option<&str>,
    ) -> Result<Rehearsal, AppError> {
        caller.require(Scope::PostsRead)?;
        let days = parse_number("days", days, DAYS_DEFAULT, DAYS_MAX)?;
        let from = self.ports.clock.now();
        let mut until = from + TimeDelta::days(days);
        let workspace = caller.workspace.id;
        let mut posts = self.all_posts(workspace, ListOrder::Due, between(FIRST, until)).await?;
        let taken = rehearsed_at_once(&posts);
        let whole = taken == posts.len();
        if let Some(first_left_out) = posts.get(taken) {
            // Right after it is due, for others may be due at the same instant.
            let end = first_left_out.next_due().map_or(until, |at| at.max(from) + INSTANT);
            until = until.min(end);
            posts.truncate(taken);
        }
        let calendar = self.calendar_of(caller, posts, (from, until)).await?;
        let terms = Terms {
            from,
            until,
            settings: self.settings,
            rules: self.rules.clone(),
            decoding: self.decoding(),
        };
        let found = rehearse(calendar, &terms).await;
        let mut found = found.map_err(|error| match error {
            RunError::Store(error) => AppError::Store(error),
            RunError::Impossible(bug) => {
                AppError::Store(StoreError::Corrupt { what: "rehearsal", source: Box::new(bug) })
            }
        })?;
        found.whole = whole;
        Ok(found)
    }

    /// Everything that posts go out with.
    async fn calendar_of(
        &self,
        caller: &Caller,
        posts: Vec<Post>,
        (now, until): (DateTime<Utc>, DateTime<Utc>),
    ) -> Result<Calendar, AppError> {
        let workspace = caller.workspace.id;
        // What has gone out at this very instant as well.
        let back = between(now - COUNTS_BACK - PAST_BACK, now + INSTANT);
        let mut past = self.all_posts(workspace, ListOrder::Recent, back).await?;
        past.retain(|post| {
            let mut went_out = post.targets.iter().filter_map(Target::published_at);
            went_out.any(|at| at >= now - COUNTS_BACK)
        });
        let accounts = self.calendar_accounts(workspace, &posts).await?;
        let priced = accounts.iter().filter(|one| {
            // Only accounts that posts name have a token.
            one.token.is_some() && one.account.platform.sheet().prices.is_some()
        });
        let budgets = priced.filter_map(|one| Some(self.month_of_cost(&one.account)?.1));
        let budgets: Vec<_> = budgets.collect();
        let amounts = self.store().spent(&budgets).await?;
        let spent = budgets.into_iter().zip(amounts).collect();
        let files = self.calendar_files(workspace, &posts, &past).await?;
        let recurrences = match self.store().recurrences(workspace).await {
            Ok(recurrences) => recurrences,
            Err(StoreError::Unsupported) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let beyond_the_plan = self.beyond_the_plan(caller, &recurrences, until).await?;
        let recurrences = self.calendar_recurrences(recurrences, &posts).await?;
        let networks = &self.ports.networks;
        let networks = networks.platforms().map(|platform| {
            let network = networks.network(platform);
            (platform, network.and_then(|network| network.api_version()))
        });
        let networks = networks.collect();
        let workspace = caller.workspace.clone();
        Ok(Calendar {
            workspace,
            accounts,
            posts,
            past,
            files,
            recurrences,
            spent,
            beyond_the_plan,
            networks,
        })
    }

    /// The connected accounts, and those that posts name besides. Only those that posts name are
    /// opened, and what opens them stays here: what is given on says only when it ends.
    async fn calendar_accounts(
        &self,
        workspace: WorkspaceId,
        posts: &[Post],
    ) -> Result<Vec<CalendarAccount>, StoreError> {
        let mut accounts = self.store().accounts(workspace).await?;
        let known: BTreeSet<AccountId> = accounts.iter().map(|account| account.id).collect();
        let named = accounts_of(posts);
        for id in named.difference(&known) {
            accounts.extend(self.store().account(workspace, *id).await?);
        }
        let mut all = Vec::with_capacity(accounts.len());
        for account in accounts {
            if !named.contains(&account.id) {
                all.push(CalendarAccount { account, token: None, is_renewed: true });
                continue;
            }
            let stored = match self.store().credentials(account.id).await {
                Ok(stored) => stored,
                // The publish itself would be put off for as long as it cannot be read.
                Err(StoreError::Corrupt { .. }) => None,
                Err(error) => return Err(error),
            };
            let network = self.ports.networks.network(account.platform);
            let is_renewed = match (&stored, network) {
                (Some(stored), Some(network)) => network.renews(&account, &stored.credentials),
                _ => true,
            };
            let token = stored.map(|stored| {
                Credentials::new(account.id.to_string(), stored.credentials.expires_at)
            });
            all.push(CalendarAccount { account, token, is_renewed });
        }
        Ok(all)
    }

    async fn calendar_files(
        &self,
        workspace: WorkspaceId,
        posts: &[Post],
        past: &[Post],
    ) -> Result<Vec<Media>, StoreError> {
        let named: Vec<_> = named_by(posts).union(&named_by(past)).copied().collect();
        let mut files = Vec::with_capacity(named.len());
        for ids in named.chunks(FILES_AT_ONCE) {
            files.extend(self.store().media(workspace, ids).await?);
        }
        Ok(files)
    }

    /// Those recurrences that posts belong to, with their uses.
    async fn calendar_recurrences(
        &self,
        mut recurrences: Vec<(Recurrence, Progress)>,
        posts: &[Post],
    ) -> Result<Vec<(Recurrence, Vec<EntryUse>)>, StoreError> {
        let named = posts.iter().filter_map(|post| Some(post.occurrence.as_ref()?.recurrence_id));
        let named: BTreeSet<RecurrenceId> = named.collect();
        recurrences.retain(|(recurrence, _)| named.contains(&recurrence.id));
        let mut used = Vec::with_capacity(recurrences.len());
        for (recurrence, _) in recurrences {
            let uses = self.store().entry_uses(recurrence.id).await?;
            used.push((recurrence, uses));
        }
        Ok(used)
    }

    /// When posts would be due that recurrences cannot make until an instant, since the plan of a
    /// month does not cover them.
    async fn beyond_the_plan(
        &self,
        caller: &Caller,
        recurrences: &[(Recurrence, Progress)],
        until: DateTime<Utc>,
    ) -> Result<Vec<DateTime<Utc>>, AppError> {
        let mut by_month: BTreeMap<Month, Vec<DateTime<Utc>>> = BTreeMap::new();
        for (recurrence, progress) in recurrences {
            if recurrence.state == RecurrenceState::Active {
                for at in self.occurrences_of(caller, recurrence, progress, until).await? {
                    by_month.entry(Month::of(at)).or_default().push(at);
                }
            }
        }
        let limit = self.allowances(caller).posts_a_month;
        let mut beyond = Vec::new();
        for (month, mut instants) in by_month {
            instants.sort_unstable();
            let counted = self.store().posts_in_month(caller.workspace.id, month).await?;
            let left = usize::try_from(limit.saturating_sub(counted)).unwrap_or(usize::MAX);
            beyond.extend_from_slice(instants.get(left..).unwrap_or_default());
        }
        Ok(beyond)
    }

    /// All posts of a list.
    async fn all_posts(
        &self,
        workspace: WorkspaceId,
        order: ListOrder,
        window: Window,
    ) -> Result<Vec<Post>, StoreError> {
        let (mut posts, mut before): (Vec<Post>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let page = self
                .store()
                .list_posts(&ListQuery {
                    workspace_id: workspace,
                    status: None,
                    filter: ListFilter::default(),
                    window,
                    order,
                    page: PageQuery { limit: LIMIT_MAX, before },
                })
                .await?;
            let last = page.last().and_then(|post| order.place(post));
            posts.extend(page);
            if last.is_none() || posts.len() > POSTS_MAX {
                return Ok(posts);
            }
            before = last;
        }
    }
}

/// The accounts that posts go to.
fn accounts_of(posts: &[Post]) -> BTreeSet<AccountId> {
    posts.iter().flat_map(|post| &post.targets).map(|target| target.account_id).collect()
}

/// How many of these posts are rehearsed: no more than [`POSTS_MAX`], with [`TARGETS_MAX`] targets.
fn rehearsed_at_once(posts: &[Post]) -> usize {
    let mut targets = 0;
    let fits = posts.iter().take(POSTS_MAX).take_while(|post| {
        targets += post.targets.len();
        targets <= TARGETS_MAX
    });
    fits.count()
}

/// The least time between two instants that are stored.
const INSTANT: TimeDelta = TimeDelta::microseconds(1);

/// An instant before every one that a post may have.
const FIRST: DateTime<Utc> = DateTime::UNIX_EPOCH;

const fn between(from: DateTime<Utc>, to: DateTime<Utc>) -> Window {
    Window::Between { from, to }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use uuid::Uuid;

    use super::*;
    use crate::ids::{PostId, TargetId};
    use crate::platform::Platform;

    #[test]
    fn posts_and_their_targets_are_bounded() {
        let (id, account) = (TargetId(Uuid::nil()), AccountId(Uuid::nil()));
        let target = Target::new(id, Platform::Mastodon, account, Map::new(), Some(FIRST), None);
        for (name, posts, targets, want) in [
            ("all", 10, 2, 10),
            ("more posts", POSTS_MAX + 1, 1, POSTS_MAX),
            ("as many targets as there may be", POSTS_MAX + 1, 2, POSTS_MAX),
            ("more targets", POSTS_MAX, 3, TARGETS_MAX / 3),
        ] {
            let post = Post::new(PostId(Uuid::nil()), WorkspaceId(Uuid::nil()), FIRST);
            let post = Post { targets: vec![target.clone(); targets], ..post };
            assert_eq!(rehearsed_at_once(&vec![post; posts]), want, "{name}");
        }
    }
}
