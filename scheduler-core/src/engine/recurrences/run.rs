//! One look at a recurrence: what was made, what is wanted, and what is done about it.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use super::LEASE;
use crate::app::{Caller, Scheduler};
use crate::error::AppError;
use crate::ids::PostId;
use crate::ports::{Recorded, StoreError};
use crate::post::Post;
use crate::recurrence::{
    EntryUse, History, OccurrencePlace, PLAN_EVERY, PLANNED_MAX, Planned, PlannedStage, Planner,
    Problem, Progress, Recurrence, RecurrenceState, TextMark, Used,
};
use crate::target::{Stage, Target};
use crate::webhook::Event;

/// What is due within this is left to go out: a change of its recurrence comes too late for it.
///
/// Source: our decision.
const TOO_LATE: TimeDelta = TimeDelta::minutes(2);

/// How much of a lease has to be left where a step is begun: longer than making one post takes.
///
/// Source: our decision.
const LEASE_MARGIN: TimeDelta = TimeDelta::seconds(20);

/// One look at a recurrence.
pub(super) struct Run<'a> {
    pub(super) scheduler: &'a Scheduler,
    pub(super) caller: &'a Caller,
    pub(super) recurrence: &'a Recurrence,
    pub(super) planner: &'a Planner<'a>,
    /// What was published of it.
    pub(super) uses: Vec<EntryUse>,
    pub(super) progress: Progress,
    /// The posts that were made, as they are.
    pub(super) posts: BTreeMap<PostId, Post>,
    pub(super) lease_until: DateTime<Utc>,
    /// How many posts it has made.
    pub(super) made: usize,
}

/// Why a look ends early.
pub(super) enum Stop {
    /// Somebody else has taken the recurrence meanwhile.
    Lost,
    /// What it works with has failed.
    Failed(AppError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Run<'_> {
    /// Finds what was made, decides, stores what is to be done, and does it.
    pub(super) async fn finish(&mut self) -> Result<(), Stop> {
        if self.progress.revision != self.recurrence.revision {
            self.progress.problem = None;
        }
        self.find_posts().await?;
        self.decide();
        self.record(false, None).await?;
        // What is taken back gives its place to what is made: at the next look, which is at once.
        let is_freed = self.take_back_all().await?;
        self.change_all().await?;
        self.make_all().await?;
        let (now, posts) = (self.planner.now, &self.posts);
        self.progress
            .planned
            .retain(|one| one.is_remembered(one.post.and_then(|id| posts.get(&id)), now));
        self.progress.next_at = if is_freed { now } else { now + PLAN_EVERY };
        self.progress.revision = self.recurrence.revision;
        self.record(true, None).await
    }

    /// Stores how far it has come, and takes the recurrence anew unless it is done.
    pub(super) async fn record(
        &mut self,
        is_done: bool,
        event: Option<&Event>,
    ) -> Result<(), Stop> {
        let (id, ports) = (self.recurrence.id, self.scheduler.ports());
        let until = ports.clock.now() + LEASE;
        let renewed = (!is_done).then_some(until);
        let (held, progress) = (self.lease_until, &self.progress);
        match ports.store.record_planned(id, held, progress, renewed, event).await? {
            Recorded::Stored => {
                self.lease_until = until;
                Ok(())
            }
            Recorded::Lost => Err(Stop::Lost),
        }
    }

    /// Makes sure, before a step, that nobody else takes the recurrence meanwhile, so that no two
    /// work on it at once.
    pub(super) async fn hold(&mut self) -> Result<(), Stop> {
        if self.scheduler.ports().clock.now() + LEASE_MARGIN < self.lease_until {
            return Ok(());
        }
        self.record(false, None).await
    }

    /// The occurrences at a stage, by their place in the list.
    pub(super) fn at_stage(&self, stage: PlannedStage) -> Vec<OccurrencePlace> {
        let planned = self.progress.planned.iter();
        planned.filter(|one| one.stage == stage).map(|one| one.place).collect()
    }

    /// The occurrence of a place.
    pub(super) fn planned(&mut self, place: OccurrencePlace) -> Option<&mut Planned> {
        self.progress.planned.iter_mut().find(|one| one.place == place)
    }

    /// Forgets the occurrence of a place, which can be made again.
    pub(super) fn forget(&mut self, place: OccurrencePlace) {
        self.progress.planned.retain(|one| one.place != place);
    }

    /// Reads the posts that were made; of one whose making was broken off it is found out whether
    /// it was.
    async fn find_posts(&mut self) -> Result<(), Stop> {
        let store = &self.scheduler.ports().store;
        let workspace = self.recurrence.workspace_id;
        let known: Vec<_> = self.progress.planned.iter().map(|one| (one.place, one.post)).collect();
        for (place, id) in known {
            let post = match id {
                Some(id) => store.post(workspace, id).await?,
                None => store.post_by_key(workspace, &self.key_text(place)).await?,
            };
            let Some(post) = post else { continue };
            if id.is_some() {
                self.posts.insert(post.id, post);
            } else if self.is_ours(&post) {
                self.made(place, post).await?;
            }
        }
        Ok(())
    }

    /// Decides what becomes of what was made, and what is made beside it.
    fn decide(&mut self) {
        let (terms, now) = (&self.recurrence.terms, self.planner.now);
        let is_active = self.recurrence.state == RecurrenceState::Active;
        let until = now + terms.ahead();
        let places = if is_active { self.planner.places(until) } else { Vec::new() };
        let mut planned = std::mem::take(&mut self.progress.planned);
        planned.retain_mut(|one| {
            let found = places.iter().find(|(place, _)| *place == one.place);
            // Another zone moves a place.
            if let Some((_, at)) = found {
                one.at = *at;
            }
            let is_out_of_reach = one.at <= now + TOO_LATE || one.at > until;
            let is_wanted = is_active
                && (is_out_of_reach || found.is_some())
                && self.planner.goes_there(one.place, one.entry);
            match one.post.and_then(|id| self.posts.get(&id)) {
                Some(post) => {
                    self.compare(one, post, is_wanted, is_out_of_reach);
                    true
                }
                None => match one.stage {
                    PlannedStage::Making if is_wanted => one.at > now,
                    // Whoever was slow may still make it: it is remembered until its time has
                    // passed, unless its place is filled anew, under the same key.
                    PlannedStage::Making | PlannedStage::Removing if one.post.is_none() => {
                        one.stage = PlannedStage::Removing;
                        found.is_none() && one.at > now
                    }
                    PlannedStage::Making | PlannedStage::Removing => false,
                    PlannedStage::Made | PlannedStage::Changing => true,
                },
            }
        });
        let mut history = History::of(&self.uses);
        for one in &planned {
            self.uses_of(one).into_iter().for_each(|used| history.add(used));
        }
        let waits = |one: &&Planned| one.at > now && !one.is_unmade();
        let waiting = planned.iter().filter(waits).count();
        let mut free = places;
        free.retain(|(place, _)| planned.iter().all(|one| one.place != *place));
        if is_active {
            self.tell_of_nobody(&free);
        }
        let most = PLANNED_MAX.saturating_sub(waiting);
        let filled = self.planner.fill(free, &mut history, most);
        planned.extend(filled.into_iter().map(|occurrence| Planned {
            place: occurrence.place,
            at: occurrence.at,
            entry: occurrence.entry,
            text: TextMark::of(&occurrence.text),
            stage: PlannedStage::Making,
            post: None,
            revision: 0,
            body: String::new(),
        }));
        self.progress.planned = planned;
    }

    /// Decides what becomes of a post that was made.
    fn compare(&self, one: &mut Planned, post: &Post, is_wanted: bool, is_out_of_reach: bool) {
        match one.stage {
            PlannedStage::Making => one.stage = PlannedStage::Made,
            PlannedStage::Changing if post.revision == one.revision => {}
            PlannedStage::Changing => {
                // It was changed, by this or by hand: by this where it is what it was to become.
                if post.revision == one.revision + 1 && self.is_changed_alike(one, post) {
                    one.revision = post.revision;
                }
                one.stage = PlannedStage::Made;
            }
            PlannedStage::Removing => return,
            PlannedStage::Made => {}
        }
        if !one.is_untouched(post) {
            return;
        }
        if !is_wanted {
            one.stage = PlannedStage::Removing;
        } else if !is_out_of_reach
            && let Some((text, body)) = self.wanted_body(one)
            && body != one.body
        {
            (one.stage, one.text, one.body) = (PlannedStage::Changing, text, body);
        }
    }

    /// The uses that an occurrence is, where it goes out or has.
    fn uses_of(&self, one: &Planned) -> Vec<Used> {
        let Some(post) = one.post.and_then(|id| self.posts.get(&id)) else {
            let is_made = one.stage == PlannedStage::Making;
            return if is_made {
                self.planner.uses(one.place, one.entry, &one.text)
            } else {
                Vec::new()
            };
        };
        let at = |target: &Target| match &target.stage {
            Stage::Parked { .. } | Stage::Waiting(_) | Stage::Publishing(_) => {
                Some(target.due_at().unwrap_or(one.at))
            }
            Stage::Published(_) | Stage::TakenDown { .. } => target.published_at(),
            Stage::Failed { .. } | Stage::Canceled { .. } => None,
        };
        let targets = post.targets.iter();
        let used = targets.filter_map(|target| {
            let (entry, account, text) = (one.entry, target.account_id, one.text.clone());
            Some(Used { entry, account, text, at: at(target)? })
        });
        used.collect()
    }

    /// Says so where an entry can go nowhere, with what keeps it.
    fn tell_of_nobody(&mut self, free: &[(OccurrencePlace, DateTime<Utc>)]) {
        if let Some((entry_id, message)) = &self.planner.unreachable {
            let now = self.planner.now;
            self.progress.problem = Some(Problem {
                at: now,
                due_at: free.first().map_or(now, |(_, at)| *at),
                entry_id: *entry_id,
                message: message.clone(),
                post_id: None,
            });
        }
    }
}
