//! Posts that come again.

mod looking;

use super::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, ErrorCode, Refusal, Resource};
use crate::ids::{EntryId, RecurrenceId};
use crate::key::{Scope, Scopes};
use crate::post::PostInput;
use crate::recurrence::{
    Entry, Progress, RECURRENCES_MAX, Recurrence, RecurrenceChange, RecurrenceInput,
    RecurrencePreview, RecurrenceState, RecurrenceView, Terms, checked_cool_down, checked_entries,
    checked_name, checked_rule, within,
};
use crate::rules::ValidationIssue;

impl Scheduler {
    /// The recurrences of a workspace, oldest first, each with the posts that are made of it.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`.
    pub async fn recurrences(&self, caller: &Caller) -> Result<Vec<RecurrenceView>, AppError> {
        caller.require(Scope::PostsRead)?;
        let mut views = Vec::new();
        for (recurrence, progress) in self.store().recurrences(caller.workspace.id).await? {
            views.push(self.recurrence_view(&recurrence, &progress).await?);
        }
        Ok(views)
    }

    /// A recurrence, with its next occurrences.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`.
    pub async fn recurrence(
        &self,
        caller: &Caller,
        id: RecurrenceId,
    ) -> Result<RecurrenceView, AppError> {
        caller.require(Scope::PostsRead)?;
        let (recurrence, progress) = self.recurrence_of(caller, id).await?;
        self.recurrence_shown(caller, &recurrence, &progress).await
    }

    /// Creates a recurrence, after the rules have agreed to every text of it. Its posts are made by
    /// [`Self::plan_recurrences`].
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `invalid_request` naming the field; the refusals of
    /// [`Self::create_post`] of an entry; a workspace that has [`RECURRENCES_MAX`] already.
    pub async fn create_recurrence(
        &self,
        caller: &Caller,
        input: RecurrenceInput,
    ) -> Result<RecurrenceView, AppError> {
        caller.require(Scope::PostsPublish)?;
        let name = checked_name(&input.name)?;
        let (terms, _) = self.checked_terms(caller, input).await?;
        let now = self.ports.clock.now();
        let recurrence = Recurrence {
            id: RecurrenceId(self.ports.ids.next(now)),
            workspace_id: caller.workspace.id,
            name,
            state: RecurrenceState::Active,
            terms,
            created_at: now,
            updated_at: now,
            revision: 1,
        };
        if self.store().create_recurrence(&recurrence, RECURRENCES_MAX).await? {
            return self.recurrence_shown(caller, &recurrence, &Progress::new(now)).await;
        }
        let message = format!(
            "This workspace has {RECURRENCES_MAX} recurrences, which is the limit; remove one before you add another."
        );
        Err(Refusal::invalid("name", message).into())
    }

    /// Tells what would come of a recurrence, and stores nothing.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; those of [`Self::create_recurrence`], but for the limit.
    pub async fn preview_recurrence(
        &self,
        caller: &Caller,
        input: RecurrenceInput,
    ) -> Result<RecurrencePreview, AppError> {
        caller.require(Scope::PostsWrite)?;
        // Who may only write drafts may look what would be.
        let looking = Caller { scopes: Scopes::of(&[Scope::All]), ..caller.clone() };
        let (terms, issues) = self.checked_terms(&looking, input).await?;
        self.terms_previewed(&looking, &terms, issues).await
    }

    /// Changes a recurrence. What waits of it and nobody has changed is changed alike, or taken back.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `not_found`; `invalid_request` naming the field: those of
    /// [`Self::create_recurrence`], a rule for a pool, anything of one that has ended.
    pub async fn change_recurrence(
        &self,
        caller: &Caller,
        id: RecurrenceId,
        change: RecurrenceChange,
    ) -> Result<RecurrenceView, AppError> {
        caller.require(Scope::PostsPublish)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let (mut recurrence, progress) = self.recurrence_of(caller, id).await?;
            if recurrence.state == RecurrenceState::Ended {
                let message = "It has ended, and stays so; create another one.";
                return Err(Refusal::invalid("state", message).into());
            }
            self.apply(caller, &mut recurrence, change.clone()).await?;
            if self.store().save_recurrence(&recurrence).await? {
                return self.recurrence_shown(caller, &recurrence, &progress).await;
            }
        }
        Err(super::posts::too_busy().into())
    }

    /// Ends a recurrence: what waits of it and nobody has changed is taken back. One that has ended
    /// is removed; posts that were made of it stay as they are.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `not_found`; `in_use` for one that has ended while posts
    /// of it are still to go out, whose cool-down it keeps.
    pub async fn remove_recurrence(
        &self,
        caller: &Caller,
        id: RecurrenceId,
    ) -> Result<(), AppError> {
        caller.require(Scope::PostsPublish)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let (mut recurrence, progress) = self.recurrence_of(caller, id).await?;
            let now = self.ports.clock.now();
            let is_done = if recurrence.state == RecurrenceState::Ended {
                let is_current = progress.revision == recurrence.revision;
                if !is_current || self.has_waiting(&recurrence, &progress).await? {
                    return Err(Refusal::new(ErrorCode::InUse, STILL_WAITING).into());
                }
                self.store().remove_recurrence(&recurrence, now).await?
            } else {
                recurrence.state = RecurrenceState::Ended;
                recurrence.updated_at = now;
                recurrence.revision += 1;
                self.store().save_recurrence(&recurrence).await?
            };
            if is_done {
                return Ok(());
            }
        }
        Err(super::posts::too_busy().into())
    }

    async fn recurrence_of(
        &self,
        caller: &Caller,
        id: RecurrenceId,
    ) -> Result<(Recurrence, Progress), AppError> {
        let found = self.store().recurrence(caller.workspace.id, id).await?;
        Ok(found.ok_or_else(|| Refusal::not_found(Resource::Recurrence))?)
    }

    /// What is repeated, and what the rules say of it.
    async fn checked_terms(
        &self,
        caller: &Caller,
        input: RecurrenceInput,
    ) -> Result<(Terms, Vec<ValidationIssue>), AppError> {
        let RecurrenceInput { rule, evergreen, cool_down_days, entries, .. } = input;
        let is_evergreen = evergreen == Some(true);
        if rule.is_some() == is_evergreen {
            let message = "Send either rule, or evergreen: true for a pool that fills free slots.";
            return Err(Refusal::invalid("rule", message).into());
        }
        let rule = rule.map(|rule| checked_rule(rule, self.ports.clock.now())).transpose()?;
        let cool_down_days = checked_cool_down(cool_down_days, is_evergreen)?;
        let entries = checked_entries(entries, &[], || self.new_entry_id())?;
        let issues = self.check_entries(caller, &entries).await?;
        Ok((Terms { rule, cool_down_days, entries, written_by: caller.person.clone() }, issues))
    }

    /// Applies a change to what is repeated, and when.
    async fn apply(
        &self,
        caller: &Caller,
        recurrence: &mut Recurrence,
        change: RecurrenceChange,
    ) -> Result<(), AppError> {
        let RecurrenceChange { name, state, rule, cool_down_days, entries } = change;
        let terms = &mut recurrence.terms;
        if let Some(name) = name {
            recurrence.name = checked_name(&name)?;
        }
        if let Some(rule) = rule {
            if terms.rule.is_none() {
                let message = "This is a pool that fills free slots, and has no rule.";
                return Err(Refusal::invalid("rule", message).into());
            }
            terms.rule = Some(checked_rule(rule, self.ports.clock.now())?);
        }
        if cool_down_days.is_some() {
            terms.cool_down_days = checked_cool_down(cool_down_days, terms.rule.is_none())?;
        }
        if let Some(entries) = entries {
            terms.entries = checked_entries(entries, &terms.entries, || self.new_entry_id())?;
            terms.written_by = caller.person.clone().or_else(|| terms.written_by.take());
            self.check_entries(caller, &terms.entries).await?;
        }
        recurrence.state = state.unwrap_or(recurrence.state);
        recurrence.updated_at = self.ports.clock.now();
        recurrence.revision += 1;
        Ok(())
    }

    fn new_entry_id(&self) -> EntryId {
        EntryId(self.ports.ids.next(self.ports.clock.now()))
    }

    /// Has the rules look at every text of every entry; gives their warnings.
    async fn check_entries(
        &self,
        caller: &Caller,
        entries: &[Entry],
    ) -> Result<Vec<ValidationIssue>, AppError> {
        let mut issues = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            for (turn, text) in entry.texts().enumerate() {
                let input = PostInput { save_as_draft: true.into(), ..entry.with_text(text) };
                let found = Box::pin(self.check_create(caller, input)).await;
                issues.extend(found.map_err(|error| match error {
                    AppError::Refused(refusal)
                        if !entry.texts.is_empty()
                            && refusal.field.as_deref().is_none_or(|field| field == "content") =>
                    {
                        refusal.at(format!("entries[{index}].texts[{turn}]")).into()
                    }
                    AppError::Refused(refusal) => {
                        within(&format!("entries[{index}].post"), refusal).into()
                    }
                    error => error,
                })?);
            }
        }
        Ok(issues)
    }
}

const STILL_WAITING: &str = "Posts of it are still to go out, or being taken back; cancel those that were changed by hand, and try again in a minute.";

/// How many occurrences are shown beside those whose post is made.
///
/// Source: our decision.
pub(super) const SHOWN: usize = 10;
