//! A post that two people, or two windows, write at the same time: whoever stores second is asked
//! which text is to stay, and both are kept as versions.

use askama::Template;
use http::StatusCode;
use scheduler_core::account::AccountView;
use scheduler_core::post::PostView;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use super::written::Written;
use crate::filters;
use crate::page::{self, Said};
use crate::visitor::Visitor;
use crate::when;

/// What the button sends that takes what the other has stored.
pub(super) const TAKE_THEIRS: &str = "theirs";

/// What the other button sends begins so, and ends with the revision that it stores over.
const KEEP_MINE: &str = "mine.";

/// What somebody else has stored meanwhile.
#[derive(Template)]
#[template(path = "compose/elsewhere.html")]
pub(super) struct Elsewhere {
    at: String,
    who: Option<String>,
    revision: i64,
    versions: String,
}

impl Elsewhere {
    /// Asks what is to stay. What is written here is kept as a version at once: the window may be
    /// closed without an answer.
    pub(super) async fn of(
        visitor: &Visitor,
        post: &PostView,
        written: &Written,
        accounts: &[AccountView],
    ) -> Result<Self, Declined> {
        let scheduler = visitor.scheduler();
        scheduler.keep_beside(&visitor.caller, post.id, &written.draft(accounts)).await?;
        let versions = scheduler.versions(&visitor.caller, post.id).await?;
        let theirs = versions.into_iter().find(|version| version.is_current);
        let who = theirs.and_then(|theirs| theirs.version.by);
        Ok(Self {
            at: when::clock(visitor.zone()?.local(post.updated_at)),
            who: who.and_then(|by| by.called().map(str::to_owned)),
            revision: post.revision,
            versions: visitor.at(&format!("compose/{}/versions", post.id)),
        })
    }

    /// The answer to a script that keeps what is typed.
    pub(super) fn part(&self) -> Response {
        page::shown_as(StatusCode::PRECONDITION_FAILED, self)
    }
}

/// The revision over which what is written here is to be stored.
pub(super) fn kept_over(form: &Form) -> Option<i64> {
    form.only("do")?.strip_prefix(KEEP_MINE)?.parse().ok()
}

/// Keeps what is written here as a version, and goes on with what is stored.
pub(super) async fn take_theirs(
    visitor: &Visitor,
    post: &PostView,
    written: &Written,
    accounts: &[AccountView],
) -> Result<Response, Declined> {
    let input = written.draft(accounts);
    visitor.scheduler().keep_beside(&visitor.caller, post.id, &input).await?;
    let said = Said::KeptBeside.query();
    Ok(page::sent_to(&visitor.at(&format!("compose/{}?{said}", post.id))))
}
