//! Readings of posts and accounts.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::{MemoryStore, Tables};
use crate::effects::{NewWork, readings_due_at};
use crate::ids::{AccountId, CommentId, PostId, TargetId, WorkspaceId};
use crate::inbox::ReceivedComment;
use crate::ports::{
    Budget, Claim, DueReading, FigureQuery, FigureReading, Followers, LivePost, ReadingContext,
    ReadingState, ReadingStore, ReadingsTaken, Recorded, RefreshOutcome, Spending, StoreError,
    StoredCredentials, WorkAfter, WorkKind,
};
use crate::reading::Reading;
use crate::target::Target;

/// Everything that is kept of readings.
#[derive(Debug, Default)]
pub(super) struct Readings {
    states: BTreeMap<AccountId, ReadingState>,
    plans: BTreeMap<TargetId, Plan>,
    /// The plans of an account that have a time, by that time.
    due: BTreeMap<AccountId, BTreeSet<(DateTime<Utc>, TargetId)>>,
    history: BTreeMap<TargetId, BTreeMap<DateTime<Utc>, Reading>>,
    followers: BTreeMap<(AccountId, NaiveDate), u64>,
    refreshed_at: BTreeMap<WorkspaceId, DateTime<Utc>>,
    spent: BTreeMap<String, BTreeMap<DateTime<Utc>, Spent>>,
    /// What others have written under live targets.
    pub(super) comments: BTreeMap<CommentId, ReceivedComment>,
}

/// When the figures of a live target are read next.
#[derive(Clone, Copy, Debug)]
struct Plan {
    post_id: PostId,
    account_id: AccountId,
    published_at: DateTime<Utc>,
    due_at: Option<DateTime<Utc>>,
    comments_seen: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Spent {
    amount: u32,
    ends_at: DateTime<Utc>,
}

impl Readings {
    /// When the work of an account is due.
    fn work_due_at(&self, account: AccountId, state: &ReadingState) -> DateTime<Utc> {
        let first = self.due.get(&account).and_then(BTreeSet::first);
        readings_due_at(state, first.map(|(due_at, _)| *due_at))
    }

    fn set_due(&mut self, target: TargetId, due_at: Option<DateTime<Utc>>) {
        let Some(plan) = self.plans.get_mut(&target) else { return };
        let due = self.due.entry(plan.account_id).or_default();
        if let Some(old) = std::mem::replace(&mut plan.due_at, due_at) {
            due.remove(&(old, target));
        }
        due.extend(due_at.map(|due_at| (due_at, target)));
    }

    fn keep(&mut self, target: TargetId, reading: &Reading, superfluous: &[DateTime<Utc>]) {
        let history = self.history.entry(target).or_default();
        for at in superfluous {
            history.remove(at);
        }
        history.insert(reading.at, reading.clone());
    }

    /// Moves every wait back.
    pub(super) fn move_back(&mut self, by: TimeDelta) {
        for state in self.states.values_mut() {
            state.look_due_at -= by;
            state.blocked_until = state.blocked_until.map(|until| until - by);
        }
        let targets: Vec<(TargetId, Option<DateTime<Utc>>)> =
            self.plans.iter().map(|(target, plan)| (*target, plan.due_at)).collect();
        for (target, due_at) in targets {
            self.set_due(target, due_at.map(|due_at| due_at - by));
        }
        for at in self.refreshed_at.values_mut() {
            *at -= by;
        }
    }

    pub(super) fn remove<'a>(&mut self, targets: impl IntoIterator<Item = &'a Target>) {
        for target in targets {
            self.set_due(target.id, None);
            self.plans.remove(&target.id);
            self.history.remove(&target.id);
            self.comments.retain(|_, comment| comment.target_id != target.id);
        }
    }
}

impl Tables {
    /// Has an account looked at, now that it is connected.
    pub(super) fn begin_reading(&mut self, account: AccountId, at: DateTime<Utc>) {
        let state = ReadingState::new(at);
        self.readings.states.insert(account, state);
        let Some(row) = self.accounts.get(&account) else { return };
        self.queue.remove(WorkKind::Read, account.0);
        let due_at = self.readings.work_due_at(account, &state);
        self.queue.add(NewWork::of_readings(&row.account, due_at));
    }

    /// Has the figures of a target read, now that it is live.
    pub(super) fn plan_readings(
        &mut self,
        post_id: PostId,
        target: &Target,
        due_at: DateTime<Utc>,
    ) {
        let Some(published_at) = target.published_at() else { return };
        let account_id = target.account_id;
        self.readings.set_due(target.id, None);
        let plan = Plan { post_id, account_id, published_at, due_at: None, comments_seen: None };
        self.readings.plans.insert(target.id, plan);
        self.readings.set_due(target.id, Some(due_at));
        self.queue.bring_forward(WorkKind::Read, account_id.0, due_at);
    }

    fn show_latest(&mut self, target: TargetId) {
        let latest = self.readings.history.get(&target).and_then(|history| history.values().last());
        let Some(latest) = latest.cloned() else { return };
        let post = self.readings.plans.get(&target).map(|plan| plan.post_id);
        let Some(post) = post.and_then(|post| self.posts.get_mut(&post)) else { return };
        for shown in post.targets.iter_mut().filter(|other| other.id == target) {
            shown.reading = Some(latest.clone());
        }
    }

    fn due_reading(&self, target_id: TargetId, plan: &Plan) -> DueReading {
        let post = self.posts.get(&plan.post_id);
        let live = post.and_then(|post| LivePost::of(post, target_id));
        let history = self.readings.history.get(&target_id);
        let taken_at = history.map(|history| history.keys().copied().collect()).unwrap_or_default();
        let Plan { post_id, comments_seen, .. } = *plan;
        DueReading { target_id, post_id, live, taken_at, comments_seen }
    }
}

#[async_trait]
impl ReadingStore for MemoryStore {
    async fn reading_context(
        &self,
        claim: &Claim,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<Option<ReadingContext>, StoreError> {
        let mut guard = self.tables();
        let tables = &mut *guard;
        if !tables.queue.is_held(claim) {
            return Ok(None);
        }
        let id = AccountId(claim.subject);
        let (Some(row), Some(state)) = (tables.accounts.get(&id), tables.readings.states.get(&id))
        else {
            return Ok(None);
        };
        let readings = &tables.readings;
        let due = readings.due.get(&id).into_iter().flatten();
        let due = due
            .take_while(|(due_at, _)| *due_at <= now)
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .filter_map(|(_, target)| Some((*target, readings.plans.get(target)?)))
            .map(|(target, plan)| tables.due_reading(target, plan))
            .collect();
        let credentials = row.credentials.clone();
        Ok(Some(ReadingContext {
            account: row.account.clone(),
            credentials: credentials
                .map(|credentials| StoredCredentials { credentials, version: row.version }),
            state: *state,
            due,
        }))
    }

    async fn record_readings(
        &self,
        claim: &Claim,
        taken: &ReadingsTaken,
    ) -> Result<Recorded, StoreError> {
        let mut guard = self.tables();
        let tables = &mut *guard;
        if !tables.queue.is_held(claim) {
            return Ok(Recorded::Lost);
        }
        let id = AccountId(claim.subject);
        for of_target in &taken.readings {
            if !tables.readings.plans.contains_key(&of_target.target_id) {
                continue;
            }
            tables.readings.set_due(of_target.target_id, of_target.next_due_at);
            if let Some(reading) = &of_target.reading {
                tables.readings.keep(of_target.target_id, reading, &of_target.superfluous);
                tables.show_latest(of_target.target_id);
            }
        }
        for comments in &taken.comments {
            let Some(plan) = tables.readings.plans.get_mut(&comments.target_id) else { continue };
            plan.comments_seen = Some(comments.seen);
            tables.add_comments(comments);
        }
        tables.add_events(taken.event.as_ref());
        if let Some(followers) = taken.followers {
            tables
                .readings
                .followers
                .insert((followers.account_id, followers.day), followers.count);
        }
        if let Some(before) = taken.forget_followers_before {
            let days = (id, NaiveDate::MIN)..(id, before);
            let old: Vec<_> = tables.readings.followers.range(days).map(|(key, _)| *key).collect();
            for key in old {
                tables.readings.followers.remove(&key);
            }
        }
        if let (Some(limits), Some(row)) = (&taken.limits, tables.accounts.get_mut(&id)) {
            row.account.limits = limits.clone();
        }
        tables.readings.states.insert(id, taken.state);
        let due_at = tables.readings.work_due_at(id, &taken.state);
        Ok(tables.queue.settle(claim, WorkAfter::DueAt(due_at)))
    }

    async fn add_reading(
        &self,
        target: TargetId,
        reading: &Reading,
        superfluous: &[DateTime<Utc>],
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if tables.readings.plans.contains_key(&target) {
            tables.readings.keep(target, reading, superfluous);
            tables.show_latest(target);
        }
        Ok(())
    }

    async fn readings(
        &self,
        target: TargetId,
        since: Option<DateTime<Utc>>,
        limit: u32,
    ) -> Result<Vec<Reading>, StoreError> {
        let tables = self.tables();
        let Some(history) = tables.readings.history.get(&target) else { return Ok(Vec::new()) };
        let wanted =
            history.values().filter(|reading| since.is_none_or(|since| reading.at >= since));
        let mut readings: Vec<Reading> = wanted.cloned().collect();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(readings.split_off(readings.len().saturating_sub(limit)))
    }

    async fn figure_readings(
        &self,
        workspace: WorkspaceId,
        query: &FigureQuery,
    ) -> Result<Vec<FigureReading>, StoreError> {
        let tables = self.tables();
        let mut found = Vec::new();
        for (target_id, plan) in &tables.readings.plans {
            let Plan { account_id, published_at, .. } = *plan;
            let account = tables.accounts.get(&account_id).map(|row| &row.account);
            let is_shown = account
                .is_some_and(|account| account.workspace_id == workspace && account.is_connected());
            let history = tables.readings.history.get(target_id).filter(|_| is_shown);
            for (at, reading) in history.into_iter().flatten() {
                let value = reading.figures.0.get(&query.metric);
                if let Some(value) = value.filter(|_| query.takes(account_id, published_at, *at)) {
                    let (target_id, at, value) = (*target_id, *at, *value);
                    found.push(FigureReading { account_id, target_id, published_at, at, value });
                }
            }
        }
        found.sort_by_key(|of| (of.account_id, of.published_at, of.target_id, of.at));
        found.truncate(usize::try_from(query.limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn refresh_readings(
        &self,
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta,
    ) -> Result<RefreshOutcome, StoreError> {
        let mut guard = self.tables();
        let tables = &mut *guard;
        if let Some(last) = tables.readings.refreshed_at.get(&workspace)
            && *last + every > now
        {
            return Ok(RefreshOutcome::TooSoon { until: *last + every });
        }
        tables.readings.refreshed_at.insert(workspace, now);
        let mut hastened = Vec::new();
        for (target, plan) in &tables.readings.plans {
            let post =
                tables.posts.get(&plan.post_id).filter(|post| post.workspace_id == workspace);
            let is_live = post.is_some_and(|post| LivePost::of(post, *target).is_some());
            let account = tables.accounts.get(&plan.account_id);
            let is_connected = account.is_some_and(|row| row.account.is_connected());
            if !is_live || !is_connected || plan.published_at < published_since {
                continue;
            }
            // What waits already keeps its place before what was read since.
            let due_at = plan.due_at.map_or(now, |due_at| due_at.min(now));
            hastened.push((*target, plan.account_id, due_at));
        }
        for (target, account, due_at) in &hastened {
            tables.readings.set_due(*target, Some(*due_at));
            tables.queue.bring_forward(WorkKind::Read, account.0, now);
        }
        Ok(RefreshOutcome::Queued(u64::try_from(hastened.len()).unwrap_or(u64::MAX)))
    }

    async fn followers(
        &self,
        workspace: WorkspaceId,
        from: NaiveDate,
    ) -> Result<Vec<Followers>, StoreError> {
        let tables = self.tables();
        let is_shown = |id: &AccountId| {
            tables.accounts.get(id).is_some_and(|row| {
                row.account.workspace_id == workspace && row.account.is_connected()
            })
        };
        let rows = tables.readings.followers.iter();
        Ok(rows
            .filter(|((account, day), _)| *day >= from && is_shown(account))
            .map(|((account_id, day), count)| Followers {
                account_id: *account_id,
                day: *day,
                count: *count,
            })
            .collect())
    }

    async fn spend(&self, budgets: &[Budget], amount: u32) -> Result<Spending, StoreError> {
        let mut tables = self.tables();
        let all = &mut tables.readings.spent;
        for (index, budget) in budgets.iter().enumerate() {
            let spent = all.get(&budget.subject).and_then(|spans| spans.get(&budget.begins_at));
            let spent = spent.map_or(0, |spent| u64::from(spent.amount));
            if spent + u64::from(amount) > u64::from(budget.limit) {
                return Ok(Spending::UsedUp(index));
            }
        }
        for budget in budgets {
            let spans = all.entry(budget.subject.clone()).or_default();
            let kept_from = budget.begins_at - (budget.ends_at - budget.begins_at);
            spans.retain(|_, spent| spent.ends_at > kept_from);
            let begun = Spent { amount: 0, ends_at: budget.ends_at };
            let spent = spans.entry(budget.begins_at).or_insert(begun);
            spent.amount = spent.amount.saturating_add(amount);
        }
        Ok(Spending::Counted)
    }

    async fn spent(&self, budgets: &[Budget]) -> Result<Vec<u32>, StoreError> {
        let tables = self.tables();
        let all = &tables.readings.spent;
        let spent = |budget: &Budget| {
            all.get(&budget.subject)?.get(&budget.begins_at).map(|spent| spent.amount)
        };
        Ok(budgets.iter().map(|budget| spent(budget).unwrap_or_default()).collect())
    }
}
