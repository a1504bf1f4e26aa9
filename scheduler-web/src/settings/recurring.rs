//! The recurrences whose posts come again, and what an editor does with them.

use http::Method;
use scheduler_core::error::Refusal;
use scheduler_core::ids::RecurrenceId;
use scheduler_core::recurrence::{RecurrenceChange, RecurrenceState, RecurrenceView};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::page::{self, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

macro_rules! recurrence_page {
    ($endpoint:ident, $name:literal, $path:literal, $answer:expr) => {
        pub(crate) static $endpoint: Endpoint = Endpoint::page(
            $name,
            Method::POST,
            concat!("/w/{workspaceId}/recurring/{id}", $path),
            |visit| Box::pin(entered(visit, Role::Editor, $answer)),
        );
    };
}

recurrence_page!(PAUSE, "web_pause_recurrence", "/pause", async |visitor| {
    change(visitor, RecurrenceState::Paused, Said::RecurrencePaused).await
});
recurrence_page!(RESUME, "web_resume_recurrence", "/resume", async |visitor| {
    change(visitor, RecurrenceState::Active, Said::RecurrenceResumed).await
});
recurrence_page!(END, "web_end_recurrence", "/end", async |visitor| {
    change(visitor, RecurrenceState::Ended, Said::RecurrenceEnded).await
});
recurrence_page!(REMOVE, "web_remove_recurrence", "/remove", remove);

/// A recurrence as the page shows it.
pub(super) struct Recurrence {
    pub(super) name: String,
    /// By what its posts come.
    pub(super) by: String,
    pub(super) state: &'static str,
    /// When its next post is due.
    pub(super) next: Option<String>,
    pub(super) problem: Option<String>,
    pub(super) is_active: bool,
    /// True while it can go on.
    pub(super) is_paused: bool,
    /// True once it has ended.
    pub(super) has_ended: bool,
    /// Where it is paused, let go on, ended and removed: each a word below this.
    pub(super) href: String,
}

/// The recurrences of the workspace.
pub(super) async fn recurrences(
    visitor: &Visitor,
    zone: Zone,
) -> Result<Vec<Recurrence>, Declined> {
    let all = visitor.scheduler().recurrences(&visitor.caller).await?;
    let row = |view: RecurrenceView| Recurrence {
        name: view.name,
        by: view.rule.map_or_else(|| "free slots".to_owned(), |rule| rule.rrule),
        state: view.state.as_str(),
        next: view.upcoming.first().map(|next| when::instant(next.at, zone)),
        problem: view.problem.map(|problem| problem.message),
        is_active: view.state == RecurrenceState::Active,
        is_paused: view.state == RecurrenceState::Paused,
        has_ended: view.state == RecurrenceState::Ended,
        href: visitor.at(&format!("recurring/{}", view.id)),
    };
    Ok(all.into_iter().map(row).collect())
}

/// Back to the settings, which say what was done.
fn done(visitor: &Visitor, said: Said) -> Response {
    page::sent_to(&visitor.at(&format!("settings?{}#recurring", said.query())))
}

async fn change(visitor: Visitor, to: RecurrenceState, said: Said) -> Result<Response, Declined> {
    let id: RecurrenceId = visitor.id()?;
    let change = RecurrenceChange { state: Some(to), ..RecurrenceChange::default() };
    visitor.scheduler().change_recurrence(&visitor.caller, id, change).await?;
    Ok(done(&visitor, said))
}

async fn remove(visitor: Visitor) -> Result<Response, Declined> {
    let id: RecurrenceId = visitor.id()?;
    // What has ended stays so: nothing else is removed, and nothing is ended here.
    if visitor.scheduler().recurrence(&visitor.caller, id).await?.state != RecurrenceState::Ended {
        let message = "The recurring post has not ended; end it first.";
        return Err(Refusal::invalid("state", message).into());
    }
    visitor.scheduler().remove_recurrence(&visitor.caller, id).await?;
    Ok(done(&visitor, Said::RecurrenceRemoved))
}
