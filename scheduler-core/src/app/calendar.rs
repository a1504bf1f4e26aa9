//! The calendar feed of a workspace: making its address, switching it off, and what it shows.

use super::Scheduler;
use crate::calendar::{CalendarEntry, CalendarFeed, ENTRIES_MAX, shown_at};
use crate::connecting::Pass;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::WorkspaceId;
use crate::workspace::Workspace;

/// A calendar feed that was just made, with its secret, which is shown this once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewCalendarFeed {
    /// The feed as it is kept.
    pub feed: CalendarFeed,
    /// The secret in its address.
    pub pass: Pass,
}

/// What calendars read of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CalendarPage {
    /// What the calendar is called: the name of the workspace.
    pub name: String,
    /// Where the pages of the workspace are, where there are any.
    pub pages: Option<String>,
    /// The targets, those that lie furthest ahead first.
    pub entries: Vec<CalendarEntry>,
}

impl CalendarPage {
    /// What calendars read of a workspace of this name, with the address of its pages.
    #[must_use]
    pub const fn new(name: String, pages: Option<String>, entries: Vec<CalendarEntry>) -> Self {
        Self { name, pages, entries }
    }
}

impl Scheduler {
    /// Makes the address of a workspace's calendar feed. The one that it had shows nothing from
    /// then on.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, test_ports};
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let scheduler = Scheduler::new(test_ports(clock), Settings::default());
    /// # let workspace = scheduler.first_start().await?.ok_or("the store is not new")?.workspace;
    /// let first = scheduler.make_calendar_feed(workspace.id).await?;
    /// let second = scheduler.make_calendar_feed(workspace.id).await?;
    /// assert_eq!(scheduler.workspace_of_calendar(&first.pass).await?, None);
    /// let found = scheduler.workspace_of_calendar(&second.pass).await?.ok_or("it is new")?;
    /// assert_eq!(scheduler.calendar_page(&found).await?.name, workspace.name);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn make_calendar_feed(
        &self,
        workspace: WorkspaceId,
    ) -> Result<NewCalendarFeed, AppError> {
        let pass = self.new_pass();
        let created_at = self.ports.clock.now();
        let feed = CalendarFeed { workspace_id: workspace, hash: pass.hash(), created_at };
        self.store().save_calendar_feed(&feed).await?;
        Ok(NewCalendarFeed { feed, pass })
    }

    /// The calendar feed of a workspace, where it has one.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn calendar_feed(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Option<CalendarFeed>, AppError> {
        Ok(self.store().calendar_feed(workspace).await?)
    }

    /// Switches the calendar feed of a workspace off: its address shows nothing from then on.
    ///
    /// # Errors
    /// `not_found`
    pub async fn remove_calendar_feed(&self, workspace: WorkspaceId) -> Result<(), AppError> {
        if self.store().remove_calendar_feed(workspace).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::CalendarFeed).into())
    }

    /// The workspace whose calendar feed has this secret.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn workspace_of_calendar(&self, pass: &Pass) -> Result<Option<Workspace>, AppError> {
        Ok(self.store().workspace_of_calendar(pass.hash()).await?)
    }

    /// What the calendar feed of a workspace shows: of each target with a time, from
    /// [`DAYS_BACK`](crate::calendar::DAYS_BACK) to [`DAYS_AHEAD`](crate::calendar::DAYS_AHEAD) of
    /// now, at most [`ENTRIES_MAX`].
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn calendar_page(&self, workspace: &Workspace) -> Result<CalendarPage, AppError> {
        let [from, to] = shown_at(self.ports.clock.now());
        let entries = self.store().calendar_entries(workspace.id, from, to, ENTRIES_MAX).await?;
        Ok(CalendarPage::new(workspace.name.clone(), self.pages_of(workspace), entries))
    }
}
