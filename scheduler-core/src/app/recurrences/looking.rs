//! What is to come of a recurrence.

use chrono::{DateTime, TimeDelta, Utc};

use super::SHOWN;
use crate::account::Account;
use crate::app::posts::{Missing, Roster};
use crate::app::{Caller, Scheduler};
use crate::error::{AccountRefusal, AppError, Refusal};
use crate::ids::AccountId;
use crate::ports::StoreError;
use crate::post::PostStatus;
use crate::recurrence::{
    Candidate, Entry, EntryView, History, Occurrence, OccurrencePlace, OccurrenceView, PLANNED_MAX,
    Planner, Progress, Recurrence, RecurrencePreview, RecurrenceState, RecurrenceView,
    RecurrenceWarning, Terms,
};
use crate::rules::ValidationIssue;
use crate::timing::{Zone, format_local};

/// How far ahead it is looked for occurrences to show; of a rule further, since it may come once a
/// year.
///
/// Source: our decision.
const LOOKED_AHEAD: [(bool, TimeDelta); 2] =
    [(true, TimeDelta::days(3 * 366)), (false, TimeDelta::days(31))];

/// How many places are looked at for occurrences to show.
///
/// Source: our decision; twice a day for three years.
const PLACES_LOOKED_AT: usize = 2_200;

impl Scheduler {
    /// What decides which occurrences there are, as the accounts are now.
    pub(crate) async fn planner<'a>(
        &self,
        caller: &Caller,
        terms: &'a Terms,
        now: DateTime<Utc>,
    ) -> Result<Planner<'a>, AppError> {
        let roster = self.roster(caller).await?;
        let mut accounts = Vec::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut unreachable = None;
        for entry in &terms.entries {
            let (chosen, refused) = chosen(&roster, entry);
            if chosen.is_empty() && unreachable.is_none() {
                unreachable = refused.map(|refusal| (entry.id, refusal.message()));
            }
            accounts.push(chosen.iter().map(|account| account.id).collect::<Vec<AccountId>>());
            for account in chosen {
                if candidates.iter().all(|one| one.account != account.id) {
                    candidates.push(Candidate {
                        account: account.id,
                        platform: account.platform,
                        zone: account.zone(caller.workspace.timezone),
                        schedule: account.schedule.clone(),
                        taken: self.store().taken_instants(account.id, now).await?,
                    });
                }
            }
        }
        let zone = caller.workspace.timezone.unwrap_or(Zone::UTC);
        Ok(Planner { terms, candidates, accounts, unreachable, zone, now })
    }

    /// A recurrence with the posts that are made of it.
    pub(super) async fn recurrence_view(
        &self,
        recurrence: &Recurrence,
        progress: &Progress,
    ) -> Result<RecurrenceView, AppError> {
        let terms = &recurrence.terms;
        let uses = self.store().entry_uses(recurrence.id).await?;
        let entries = terms.entries.iter().map(|entry| {
            let of_entry = uses.iter().filter(|one| one.entry_id == entry.id);
            EntryView::new(entry, of_entry.map(|one| one.used_at).max())
        });
        let now = self.ports.clock.now();
        let waiting = progress.planned.iter().filter(|one| one.at > now && !one.is_unmade());
        let upcoming = waiting.map(|one| OccurrenceView {
            post_id: one.post,
            ..shown(
                terms,
                &Occurrence { place: one.place, at: one.at, entry: one.entry, text: String::new() },
            )
        });
        let mut upcoming: Vec<OccurrenceView> = upcoming.collect();
        upcoming.sort_by_key(|one| (one.at, one.account_id));
        Ok(RecurrenceView {
            id: recurrence.id,
            name: recurrence.name.clone(),
            state: recurrence.state,
            rule: terms.rule.clone().map(Into::into),
            evergreen: terms.rule.is_none(),
            cool_down_days: terms.cool_down_days,
            entries: entries.collect(),
            upcoming,
            problem: progress.problem.clone(),
            warnings: warnings(terms),
            created_at: recurrence.created_at,
            updated_at: recurrence.updated_at,
            revision: recurrence.revision,
        })
    }

    /// The same, and what follows.
    pub(super) async fn recurrence_shown(
        &self,
        caller: &Caller,
        recurrence: &Recurrence,
        progress: &Progress,
    ) -> Result<RecurrenceView, AppError> {
        let mut view = self.recurrence_view(recurrence, progress).await?;
        if recurrence.state != RecurrenceState::Active {
            return Ok(view);
        }
        let planner = self.planner(caller, &recurrence.terms, self.ports.clock.now()).await?;
        let most = SHOWN.saturating_sub(view.upcoming.len());
        let until = looked_until(&planner);
        let follow = self.to_follow(recurrence, progress, &planner, (until, most)).await?;
        view.upcoming.extend(follow.iter().map(|one| shown(&recurrence.terms, one)));
        view.upcoming.sort_by_key(|one| (one.at, one.account_id));
        Ok(view)
    }

    /// When the posts are due that would still be made of a recurrence until an instant.
    pub(in crate::app) async fn occurrences_of(
        &self,
        caller: &Caller,
        recurrence: &Recurrence,
        progress: &Progress,
        until: DateTime<Utc>,
    ) -> Result<Vec<DateTime<Utc>>, AppError> {
        let planner = self.planner(caller, &recurrence.terms, self.ports.clock.now()).await?;
        let within = (until, PLACES_LOOKED_AT);
        let follow = self.to_follow(recurrence, progress, &planner, within).await?;
        Ok(follow.iter().map(|one| one.at).collect())
    }

    /// The occurrences that follow those that were made, until an instant and at most so many.
    async fn to_follow(
        &self,
        recurrence: &Recurrence,
        progress: &Progress,
        planner: &Planner<'_>,
        (until, most): (DateTime<Utc>, usize),
    ) -> Result<Vec<Occurrence>, StoreError> {
        let mut history = History::of(&self.store().entry_uses(recurrence.id).await?);
        for one in &progress.planned {
            let uses = planner.uses(one.place, one.entry, &one.text);
            uses.into_iter().for_each(|used| history.add(used));
        }
        let known = |place: OccurrencePlace| progress.planned.iter().any(|one| one.place == place);
        Ok(ahead(planner, &mut history, known, (until, most)))
    }

    /// What would come of a recurrence that is not stored.
    pub(super) async fn terms_previewed(
        &self,
        caller: &Caller,
        terms: &Terms,
        issues: Vec<ValidationIssue>,
    ) -> Result<RecurrencePreview, AppError> {
        let planner = self.planner(caller, terms, self.ports.clock.now()).await?;
        let within = (looked_until(&planner), PLANNED_MAX);
        let follow = ahead(&planner, &mut History::default(), |_| false, within);
        let upcoming = follow.iter().map(|one| shown(terms, one)).collect();
        Ok(RecurrencePreview { upcoming, issues, warnings: warnings(terms) })
    }

    /// True while a post of a recurrence is still to go out.
    pub(super) async fn has_waiting(
        &self,
        recurrence: &Recurrence,
        progress: &Progress,
    ) -> Result<bool, StoreError> {
        for id in progress.planned.iter().filter_map(|one| one.post) {
            let post = self.store().post(recurrence.workspace_id, id).await?;
            let waits = |status| matches!(status, PostStatus::Scheduled | PostStatus::Publishing);
            if post.is_some_and(|post| waits(post.status)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The accounts of an entry that can be chosen, and why the first of the others cannot.
fn chosen<'a>(roster: &'a Roster, entry: &Entry) -> (Vec<&'a Account>, Option<Refusal>) {
    let targets = entry.post.targets.value().map(Vec::as_slice).unwrap_or_default();
    let (mut chosen, mut refused) = (Vec::new(), None);
    for (index, target) in targets.iter().enumerate() {
        match roster.choose(index, target) {
            Ok(account) => chosen.push(account),
            Err(missing) => {
                refused.get_or_insert_with(|| match missing {
                    Missing::Refused(refusal) => refusal,
                    Missing::NotConnected(_) => {
                        AccountRefusal::NoneConnected(target.platform).into()
                    }
                });
            }
        }
    }
    (chosen, refused)
}

/// Until when it is looked for occurrences to show.
fn looked_until(planner: &Planner<'_>) -> DateTime<Utc> {
    let has_rule = planner.terms.rule.is_some();
    let looked = LOOKED_AHEAD.iter().find(|(of_rule, _)| *of_rule == has_rule);
    planner.now + looked.map_or(TimeDelta::zero(), |(_, ahead)| *ahead)
}

/// Occurrences that lie ahead, in places that are not known.
fn ahead(
    planner: &Planner<'_>,
    history: &mut History,
    known: impl Fn(OccurrencePlace) -> bool,
    (until, most): (DateTime<Utc>, usize),
) -> Vec<Occurrence> {
    let places = planner.places(until).into_iter().take(PLACES_LOOKED_AT);
    let free = places.filter(|(place, _)| !known(*place));
    planner.fill(free, history, most)
}

fn shown(terms: &Terms, occurrence: &Occurrence) -> OccurrenceView {
    let (local, account_id) = match occurrence.place {
        OccurrencePlace::Local(local) => (Some(format_local(local)), None),
        OccurrencePlace::Slot { account, .. } => (None, Some(account)),
    };
    let entry = terms.entries.iter().position(|entry| entry.id == occurrence.entry);
    OccurrenceView {
        at: occurrence.at,
        local,
        account_id,
        entry_id: occurrence.entry,
        entry: entry.unwrap_or_default(),
        post_id: None,
    }
}

/// The entries of one text for a network that refuses what it was posted before.
fn warnings(terms: &Terms) -> Vec<RecurrenceWarning> {
    let single = terms.entries.iter().filter(|entry| entry.texts().count() == 1);
    let of_entries = single.flat_map(|entry| {
        let targets = entry.post.targets.value().into_iter().flatten();
        let refusing = targets.filter(|target| target.platform.sheet().refuses_repeats);
        refusing.map(|target| RecurrenceWarning {
            entry_id: entry.id,
            platform: target.platform,
            message: format!(
                "{} refuses a text that the account has posted before; give this entry several texts, which take turns.",
                target.platform.sheet().name,
            ),
        })
    });
    of_entries.collect()
}
