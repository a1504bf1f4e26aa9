//! The rehearsal itself: the engine works on the copy, from one due instant to the next.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};

use super::cause::Cause;
use super::copy::{Calendar, Stage, Terms};
use super::gather::{Concerned, Gathered};
use super::report::{FindingKind, Rehearsal, RehearsedAccount, RehearsedOutcome, RehearsedTarget};
use super::turns::Turns;
use crate::engine::{LEASE, RunError, RunOutcome};
use crate::ids::{AccountId, PostId, TargetId};
use crate::platform::Platform;
use crate::ports::{Claim, ClaimRequest, Place, WorkQueue as _};
use crate::post::{Month, Post};
use crate::target::{Stage as Reached, Target, TargetStatus};

/// Lanes that are worked on between two looks at what is due, and pieces of each.
const LANES: u32 = 1_000;
const OF_A_LANE: u32 = 64;

/// Rehearses a calendar.
///
/// # Errors
/// [`RunError`], which a store in memory has no reason for.
pub(crate) async fn rehearse(calendar: Calendar, terms: &Terms) -> Result<Rehearsal, RunError> {
    let mut turns = Turns::default();
    let stage = Stage::of(&calendar, terms, &mut turns).await?;
    let planned = planned(&calendar.posts, terms);
    let mut gathered = Gathered::default();
    gather_beyond_the_plan(&calendar.beyond_the_plan, &mut gathered);
    gather_lost_slots(&calendar, terms, &mut gathered, &mut turns).await;
    let accounts = accounts(&calendar);
    let mut run = Run {
        stage,
        terms,
        post_of: planned.iter().map(|one| (one.target, one.post)).collect(),
        ended: BTreeMap::new(),
        withheld: BTreeSet::new(),
        turns,
    };
    run.play(calendar.posts).await?;
    Ok(run.report(planned, accounts, gathered).await)
}

/// A target that is to go out.
struct Planned {
    target: TargetId,
    post: PostId,
    platform: Platform,
    account: AccountId,
    due_at: DateTime<Utc>,
}

/// The targets that are due before the end, by when they are.
fn planned(posts: &[Post], terms: &Terms) -> Vec<Planned> {
    let targets = posts.iter().flat_map(|post| post.targets.iter().map(move |one| (post.id, one)));
    let waiting = targets.filter_map(|(post, target)| {
        let due_at = target.next_attempt_at().filter(|at| *at < terms.until)?;
        let due_at = due_at.max(terms.from);
        let (platform, account) = (target.platform, target.account_id);
        Some(Planned { target: target.id, post, platform, account, due_at })
    });
    let mut planned: Vec<Planned> = waiting.collect();
    planned.sort_by_key(|one| (one.due_at, one.target));
    planned
}

fn accounts(calendar: &Calendar) -> Vec<RehearsedAccount> {
    let targets = calendar.posts.iter().flat_map(|post| &post.targets);
    let named: BTreeSet<AccountId> = targets.map(|target| target.account_id).collect();
    let accounts = calendar.accounts.iter().map(|one| &one.account);
    let named = accounts.filter(|account| named.contains(&account.id));
    let rehearsed = |account: &crate::account::Account| RehearsedAccount {
        id: account.id,
        platform: account.platform,
        label: account.label(),
    };
    named.map(rehearsed).collect()
}

/// Adds the posts that recurrences cannot make, by when they would be due.
fn gather_beyond_the_plan(beyond: &[DateTime<Utc>], gathered: &mut Gathered) {
    for due_at in beyond.iter().copied() {
        gathered.add(Concerned {
            cause: Cause::until(FindingKind::MonthPosts, Month::of(due_at).end()),
            platform: None,
            account: None,
            due_at,
            outcome: RehearsedOutcome::Stopped,
            delay: None,
            said: None,
        });
    }
}

/// Adds the times of queued targets that are no slots of their accounts' schedules any more.
async fn gather_lost_slots(
    calendar: &Calendar,
    terms: &Terms,
    gathered: &mut Gathered,
    turns: &mut Turns,
) {
    let mut held: BTreeMap<AccountId, BTreeSet<DateTime<Utc>>> = BTreeMap::new();
    for post in &calendar.posts {
        for target in &post.targets {
            let is_due = target.next_attempt_at().is_some_and(|at| at < terms.until);
            if let Some(at) = target.slot_at().filter(|at| is_due && *at >= terms.from) {
                held.entry(target.account_id).or_default().insert(at);
            }
        }
        turns.one_is_done().await;
    }
    for account in calendar.accounts.iter().map(|one| &one.account) {
        turns.one_is_done().await;
        let held = held.remove(&account.id).unwrap_or_default();
        let Some(first) = held.first() else { continue };
        let zone = account.zone(calendar.workspace.timezone);
        let slots = account.schedule.upcoming(zone, *first);
        let slots: BTreeSet<_> = slots.take_while(|at| *at < terms.until).collect();
        for lost in held.difference(&slots) {
            gathered.add(Concerned {
                cause: Cause::of(FindingKind::Slots),
                platform: Some(account.platform),
                account: Some(account.id),
                due_at: *lost,
                outcome: RehearsedOutcome::OnTime,
                delay: None,
                said: None,
            });
        }
    }
}

/// The posts as they are copied, each with the instant at which its first target is due, the
/// earliest first.
///
/// A target that is going out at this moment is left out: nobody holds its publish here, so that it
/// would never end, and what uses the same entry of a recurrence would wait for it for good.
fn to_come(posts: Vec<Post>) -> Vec<(DateTime<Utc>, Post)> {
    let mut to_come: Vec<(DateTime<Utc>, Post)> = posts
        .into_iter()
        .filter_map(|mut post| {
            post.targets.retain(|target| target.status() != TargetStatus::Publishing);
            let due_at = post.targets.iter().filter_map(Target::next_attempt_at).min()?;
            Some((due_at, post))
        })
        .collect();
    to_come.sort_by_key(|(due_at, post)| (*due_at, post.id));
    to_come
}

/// A rehearsal that is under way.
struct Run<'a> {
    stage: Stage,
    terms: &'a Terms,
    post_of: BTreeMap<TargetId, PostId>,
    /// What has become of the targets that are done with.
    ended: BTreeMap<TargetId, Target>,
    /// Those that wait for an approval.
    withheld: BTreeSet<TargetId>,
    turns: Turns,
}

impl Run<'_> {
    /// Lets the engine work until the end.
    async fn play(&mut self, posts: Vec<Post>) -> Result<(), RunError> {
        let mut to_come = to_come(posts).into_iter().peekable();
        let mut now = self.terms.from;
        loop {
            while let Some((_, post)) = to_come.next_if(|(due_at, _)| *due_at <= now) {
                self.stage.store.put_post(post);
                self.turns.one_is_done().await;
            }
            self.work(now).await?;
            let due = self.stage.store.next_due_but_readings(now);
            let next = to_come.peek().map(|(due_at, _)| *due_at);
            let next = [due, next].into_iter().flatten().min();
            match next {
                Some(next) if next < self.terms.until => {
                    // What is claimed by nobody and due is never left.
                    let next = next.max(now + TimeDelta::microseconds(1));
                    self.stage.clock.advance(next - now);
                    now = next;
                }
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// Does what is due.
    async fn work(&mut self, now: DateTime<Utc>) -> Result<(), RunError> {
        let request =
            ClaimRequest::new(now, now + LEASE, LANES, OF_A_LANE).without(Place::BESIDE_PUBLISHES);
        loop {
            let mut claims = self.stage.store.claim(&request).await?;
            if claims.is_empty() {
                return Ok(());
            }
            // Whatever lane it is in: accounts share what a network allows an application.
            claims.sort_by_key(|claim| claim.due_at);
            let mut touched = BTreeSet::new();
            for claim in &claims {
                touched.extend(self.publish(claim).await?);
                self.turns.one_is_done().await;
            }
            self.retire(&touched).await;
        }
    }

    /// Publishes a target, and says which post it belongs to.
    async fn publish(&mut self, claim: &Claim) -> Result<Option<PostId>, RunError> {
        let target = TargetId(claim.subject);
        let outcome = self.stage.scheduler.run(claim).await?;
        if outcome == RunOutcome::PublishWithheld {
            // It is looked at again every hour until somebody has approved it, which nobody does
            // here.
            self.stage.shared.note(target, Cause::of(FindingKind::Approval));
            self.stage.store.drop_publish(target);
            self.withheld.insert(target);
        }
        if outcome == RunOutcome::PublishCoolsDown {
            self.stage.shared.note(target, Cause::of(FindingKind::CoolDown));
        }
        Ok(self.post_of.get(&target).copied())
    }

    /// True when nothing more becomes of a target.
    fn is_done(&self, target: &Target) -> bool {
        target.status().has_ended() || self.withheld.contains(&target.id)
    }

    /// Takes posts out of the store that are done with, so that it stays small.
    async fn retire(&mut self, touched: &BTreeSet<PostId>) {
        for id in touched {
            let is_done = |post: &Post| post.targets.iter().all(|target| self.is_done(target));
            let taken = self.stage.store.take_post_if(*id, is_done);
            let targets = taken.into_iter().flat_map(|post| post.targets);
            self.ended.extend(targets.map(|target| (target.id, target)));
            self.turns.one_is_done().await;
        }
    }

    async fn report(
        mut self,
        planned: Vec<Planned>,
        accounts: Vec<RehearsedAccount>,
        mut gathered: Gathered,
    ) -> Rehearsal {
        let left = self.stage.store.posts().into_iter().flat_map(|post| post.targets);
        self.ended.extend(left.map(|target| (target.id, target)));
        let mut keys = Vec::with_capacity(planned.len());
        let mut targets = Vec::with_capacity(planned.len());
        for one in &planned {
            self.turns.one_is_done().await;
            // Every one of them was copied.
            let Some(target) = self.ended.get(&one.target) else { continue };
            let (at, outcome) = self.outcome(one, target);
            let kept_back = (outcome != RehearsedOutcome::OnTime).then(|| Concerned {
                cause: self.cause(one, target),
                platform: Some(one.platform),
                account: Some(one.account),
                due_at: one.due_at,
                outcome,
                delay: at.map(|at| at - one.due_at),
                said: target.failure().map(|failure| failure.message.clone()),
            });
            keys.push(kept_back.map(|one| gathered.add(one)));
            targets.push(RehearsedTarget {
                target_id: one.target,
                post_id: one.post,
                account_id: one.account,
                due_at: one.due_at,
                at,
                outcome,
                finding: None,
            });
        }
        let count = |wanted: RehearsedOutcome| {
            let found = targets.iter().filter(|target| target.outcome == wanted).count();
            u64::try_from(found).unwrap_or(u64::MAX)
        };
        let posts: BTreeSet<PostId> = targets.iter().map(|target| target.post_id).collect();
        let mut found = Rehearsal {
            from: self.terms.from,
            until: self.terms.until,
            whole: true,
            posts: u64::try_from(posts.len()).unwrap_or(u64::MAX),
            on_time: count(RehearsedOutcome::OnTime),
            delayed: count(RehearsedOutcome::Delayed),
            stopped: count(RehearsedOutcome::Stopped),
            findings: Vec::new(),
            accounts,
            targets,
        };
        let label = |id| found.account(id).map(|of| of.label.clone()).unwrap_or_default();
        let (findings, places) = gathered.finish(self.terms.from, label);
        found.findings = findings;
        for (target, key) in found.targets.iter_mut().zip(keys) {
            target.finding = key.and_then(|key| places.get(&key).copied());
        }
        found
    }

    /// When a target goes out, if it does before the end, and what becomes of it.
    fn outcome(
        &self,
        planned: &Planned,
        target: &Target,
    ) -> (Option<DateTime<Utc>>, RehearsedOutcome) {
        match target.published_at() {
            Some(at) if at <= planned.due_at => (Some(at), RehearsedOutcome::OnTime),
            Some(at) => (Some(at), RehearsedOutcome::Delayed),
            None if self.is_done(target) => (None, RehearsedOutcome::Stopped),
            None => (None, RehearsedOutcome::Delayed),
        }
    }

    fn cause(&self, planned: &Planned, target: &Target) -> Cause {
        let causes = self.stage.shared.causes(planned.target);
        let Reached::Failed { failure, .. } = &target.stage else {
            return causes.map_or(Cause::of(FindingKind::Other), |(first, _)| first);
        };
        let at = target.failed_attempts.last().map_or(planned.due_at, |last| last.at);
        let ended = self.stage.shared.token_ended(planned.account);
        Cause::of_failure(failure, at, causes.map(|(_, last)| last), ended)
    }
}
