//! Reading the figures of an account's posts, its followers and its limits.
//!
//! One run makes at most one call for figures, or looks at the account itself, and records what
//! came of it; the store knows when the account is due again. Nothing here touches how a target
//! stands or when it is published.

mod comments;
mod course;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::{NetworkCallError, RunOutcome, budget};
use crate::account::Account;
use crate::app::Scheduler;
use crate::platform::{CapabilitySheet, FiguresCost, Platform};
use crate::ports::{
    Access, AfterPublishing, Claim, DueReading, Figures, Followers, LivePost, Metered,
    NetworkError, ReadMode, ReadingContext, ReadingState, ReadingsTaken, Recorded, Spending,
    StoreError, TakenReading,
};
use crate::reading::{Reading, next_due, superfluous};
use crate::webhook::Event;

use course::ReadFailure;

/// How long followers are kept.
///
/// Source: interface description, Limits: an audience reaches back up to 730 days.
const FOLLOWERS_KEPT: TimeDelta = TimeDelta::days(730);

/// How long before credentials end that only a person can renew this is told of.
///
/// Source: our decision.
const TOLD_BEFORE: TimeDelta = TimeDelta::days(7);

/// How many posts are looked at together that no network is asked about.
const UNASKED_AT_ONCE: usize = 100;

impl Scheduler {
    /// Takes the readings of an account that are due, as far as one run does.
    pub(super) async fn read(&self, claim: &Claim) -> Result<RunOutcome, StoreError> {
        let store = &self.ports().store;
        let now = self.ports().clock.now();
        let limit = claim.platform.map_or(1, |platform| Offer::of(self, platform).limit());
        let read = store.reading_context(claim, now, limit).await;
        let Some(context) = self.readable(claim, read).await? else { return Ok(RunOutcome::Lost) };
        let offer = Offer::of(self, context.account.platform);
        let state = context.state;
        let is_open = context.credentials.is_some() && !context.account.needs_reconnect;
        let (taken, ran) = if state.blocked_until.is_some_and(|until| until > now) {
            (ReadingsTaken::nothing(state), RunOutcome::Read)
        } else if !is_open {
            (cut_off(&context.due, now), RunOutcome::ReadDeferred)
        } else if state.look_due_at <= now {
            self.look(&context, &offer).await?
        } else {
            self.take_figures(&context, &offer).await?
        };
        match store.record_readings(claim, &taken).await? {
            Recorded::Stored => Ok(ran),
            Recorded::Lost => Ok(RunOutcome::Lost),
        }
    }

    /// Looks at the account itself: its followers and its limits.
    async fn look(
        &self,
        context: &ReadingContext,
        offer: &Offer,
    ) -> Result<(ReadingsTaken, RunOutcome), StoreError> {
        let account = &context.account;
        let state = context.state;
        let has_followers = offer.is_built_in && offer.sheet.reports_followers;
        let has_limits = offer.is_built_in && offer.sheet.limits_differ;
        let calls = u32::from(has_followers) + u32::from(has_limits);
        let requests = calls * offer.sheet.readings.look;
        if let Some(until) = self.spend(account, requests).await? {
            return Ok((
                ReadingsTaken::nothing(course::out_of_budget(&state, until)),
                RunOutcome::ReadDeferred,
            ));
        }
        let mut read_failures = Vec::new();
        let mut followers = None;
        if has_followers {
            let asked =
                self.paid(account, |after, access| async move { after.followers(&access).await });
            match asked.await {
                Ok(count) => followers = count,
                Err(NetworkCallError::Network(error)) => {
                    read_failures.push(self.read_failure(&error, &state))
                }
                Err(NetworkCallError::Store(error)) => return Err(error),
            }
        }
        let mut limits = None;
        if has_limits && !read_failures.contains(&ReadFailure::CutOff) {
            let asked =
                self.paid(account, |after, access| async move { after.limits(&access).await });
            match asked.await {
                Ok(found) => limits = found,
                Err(NetworkCallError::Network(error)) => {
                    read_failures.push(self.read_failure(&error, &state))
                }
                Err(NetworkCallError::Store(error)) => return Err(error),
            }
        }
        let now = self.ports().clock.now();
        let read_failure = read_failures.into_iter().max();
        if read_failure == Some(ReadFailure::CutOff) {
            return Ok((cut_off(&context.due, now), RunOutcome::ReadDeferred));
        }
        let day = now.date_naive();
        let state = course::after_look(&state, read_failure.as_ref(), now);
        let taken = ReadingsTaken {
            followers: followers.map(|count| Followers { account_id: account.id, day, count }),
            forget_followers_before: Some((now - FOLLOWERS_KEPT).date_naive()),
            limits,
            event: self.token_expiring(context, now),
            ..ReadingsTaken::nothing(state)
        };
        let is_whole = !matches!(read_failure, Some(ReadFailure::Blocked { .. }));
        Ok((taken, if is_whole { RunOutcome::Read } else { RunOutcome::ReadDeferred }))
    }

    /// The event of an account whose credentials end soon and cannot be renewed without a person.
    fn token_expiring(&self, context: &ReadingContext, now: DateTime<Utc>) -> Option<Event> {
        let stored = context.credentials.as_ref()?;
        let expires_at = stored.credentials.expires_at?;
        let network = self.ports().networks.network(context.account.platform)?;
        let is_soon = expires_at <= now + TOLD_BEFORE;
        let is_renewed = network.renews(&context.account, &stored.credentials);
        (is_soon && !is_renewed)
            .then(|| Event::token_expiring(&context.account, stored.version, expires_at, now))
    }

    /// Reads the figures of the posts that are due, in one call.
    async fn take_figures(
        &self,
        context: &ReadingContext,
        offer: &Offer,
    ) -> Result<(ReadingsTaken, RunOutcome), StoreError> {
        let state = context.state;
        let (live, gone): (Vec<_>, Vec<_>) = context.due.iter().partition(|due| due.live.is_some());
        let mut taken = ReadingsTaken::nothing(state);
        taken.readings.extend(gone.into_iter().map(never_again));
        let Some(at_once) = offer.at_once else {
            taken.readings.extend(live.into_iter().map(never_again));
            return Ok((taken, RunOutcome::Read));
        };
        let at_once = match state.mode {
            ReadMode::Batch => at_once,
            ReadMode::OneByOne => 1,
        };
        let has_more = live.len() > at_once;
        let mut batch: Vec<(&DueReading, &LivePost)> = live
            .into_iter()
            .filter_map(|due| Some((due, due.live.as_ref()?)))
            .take(at_once)
            .collect();
        if batch.is_empty() {
            return Ok((taken, RunOutcome::Read));
        }
        let account = &context.account;
        let mut count = u32::try_from(batch.len()).unwrap_or(u32::MAX);
        let cost = offer.sheet.readings.figures;
        let mut refused = self.spend(account, cost.of(count)).await?;
        while matches!(cost, FiguresCost::Post(_)) && count > 1 && refused.is_some() {
            // What is left may do for fewer.
            count /= 2;
            refused = self.spend(account, cost.of(count)).await?;
            batch.truncate(batch.len() / 2);
        }
        if let Some(until) = refused {
            taken.state = course::out_of_budget(&state, until);
            return Ok((taken, RunOutcome::ReadDeferred));
        }
        let posts: Vec<LivePost> = batch.iter().map(|(_, live)| (*live).clone()).collect();
        let posts = posts.as_slice();
        let asked =
            self.paid(account, |after, access| async move { after.figures(&access, posts).await });
        let asked = asked.await;
        let now = self.ports().clock.now();
        let figures = match asked {
            Ok(figures) => figures,
            Err(NetworkCallError::Store(error)) => return Err(error),
            Err(NetworkCallError::Network(error)) => {
                let read_failure = self.read_failure(&error, &state);
                set_back(&mut taken, &batch, read_failure, now);
                return Ok((taken, RunOutcome::ReadDeferred));
            }
        };
        let mut figures = figures.into_iter();
        let mut changed = Vec::new();
        for (due, live) in batch {
            let reading = reading_of(due, live, figures.next().flatten(), now);
            changed.extend(comments::changed(due, live, &reading));
            taken.readings.push(reading);
        }
        taken.state = course::after_figures(&state, has_more);
        self.take_comments(context, offer, changed, &mut taken).await?;
        Ok((taken, RunOutcome::Read))
    }

    fn read_failure(&self, error: &NetworkError, state: &ReadingState) -> ReadFailure {
        ReadFailure::of(error, state, self.ports().clock.now())
    }

    /// Asks a network what was counted as much as it can take.
    async fn paid<T, F>(
        &self,
        account: &Account,
        ask: impl Fn(Arc<dyn AfterPublishing>, Access) -> F + Send,
    ) -> Result<T, NetworkCallError>
    where
        F: Future<Output = Result<T, NetworkError>> + Send,
    {
        self.call_network(account, Metered::free(), ask).await
    }

    /// Counts requests against the budgets of the account's network; the instant until which the
    /// account is left alone where one of them has no room for them.
    async fn spend(
        &self,
        account: &Account,
        requests: u32,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        if requests == 0 {
            return Ok(None);
        }
        let budgets = budget::of_readings(account, self.ports().clock.now());
        let spent = self.ports().store.spend(&budgets, requests).await?;
        Ok(match spent {
            Spending::Counted => None,
            Spending::UsedUp(index) => {
                budgets.get(index).map(|budget| budget::back_at(budget, account))
            }
        })
    }
}

/// What the network of an account offers to read.
struct Offer {
    sheet: &'static CapabilitySheet,
    is_built_in: bool,
    /// Posts of one call for figures; `None` where it reports none.
    at_once: Option<usize>,
}

impl Offer {
    fn of(scheduler: &Scheduler, platform: Platform) -> Self {
        let sheet = platform.sheet();
        let after = scheduler.ports().after.network(platform);
        let reports = after.filter(|_| !sheet.metric_fields.is_empty());
        let at_once = reports.map(|after| budget::batch(&sheet.readings, after.figures_at_once()));
        Self { sheet, is_built_in: after.is_some(), at_once }
    }

    /// How many posts one run looks at.
    fn limit(&self) -> u32 {
        u32::try_from(self.at_once.unwrap_or(UNASKED_AT_ONCE)).unwrap_or(u32::MAX)
    }
}

/// What a failed call for figures makes of its posts and of the account.
fn set_back(
    taken: &mut ReadingsTaken,
    batch: &[(&DueReading, &LivePost)],
    read_failure: ReadFailure,
    now: DateTime<Utc>,
) {
    let later = |due_at: &dyn Fn(&LivePost) -> Option<DateTime<Utc>>| -> Vec<TakenReading> {
        batch.iter().map(|(due, live)| put_off(due, due_at(live))).collect()
    };
    match read_failure {
        ReadFailure::NotOffered => taken.readings.extend(later(&|_| None)),
        ReadFailure::Refused if batch.len() > 1 => {
            taken.state = course::one_by_one(&taken.state);
        }
        ReadFailure::Refused => {
            taken.readings.extend(later(&|live| next_due(live.published_at, now)));
            // This was the one, so that the others are read together again.
            taken.state = course::after_figures(&taken.state, false);
        }
        ReadFailure::Blocked { until, failures } => {
            if let Some(due_at) = course::gives_way_until(failures, now) {
                let again = |live: &LivePost| {
                    (!course::is_given_up(live.published_at, now)).then_some(due_at)
                };
                taken.readings.extend(later(&again));
            }
            taken.state.blocked_until = Some(until);
            taken.state.failures = failures;
        }
        ReadFailure::CutOff => {
            taken.readings.extend(later(&|live| next_due(live.published_at, now)));
            taken.state = course::cut_off(now);
        }
    }
}

/// Reads nothing of an account that has to be connected again.
fn cut_off(due: &[DueReading], now: DateTime<Utc>) -> ReadingsTaken {
    let next = |due: &DueReading| {
        let next = due.live.as_ref().and_then(|live| next_due(live.published_at, now));
        put_off(due, next)
    };
    ReadingsTaken {
        readings: due.iter().map(next).collect(),
        ..ReadingsTaken::nothing(course::cut_off(now))
    }
}

fn never_again(due: &DueReading) -> TakenReading {
    put_off(due, None)
}

fn put_off(due: &DueReading, next_due_at: Option<DateTime<Utc>>) -> TakenReading {
    TakenReading { target_id: due.target_id, reading: None, superfluous: Vec::new(), next_due_at }
}

fn reading_of(
    due: &DueReading,
    live: &LivePost,
    figures: Option<Figures>,
    now: DateTime<Utc>,
) -> TakenReading {
    let next_due_at = next_due(live.published_at, now);
    let Some(figures) = figures else { return put_off(due, next_due_at) };
    let mut taken_at = due.taken_at.clone();
    taken_at.push(now);
    taken_at.sort_unstable();
    TakenReading {
        target_id: due.target_id,
        reading: Some(Reading { at: now, figures }),
        superfluous: superfluous(live.published_at, &taken_at),
        next_due_at,
    }
}
