//! The feeds whose items become posts, what came of their last polls, and what an editor does with
//! them.

use http::Method;
use scheduler_core::feeds::{FeedInput, FeedView};
use scheduler_core::ids::FeedId;
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::page::{self, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

macro_rules! feed_page {
    ($endpoint:ident, $name:literal, $path:literal, $answer:expr) => {
        pub(crate) static $endpoint: Endpoint = Endpoint::page(
            $name,
            Method::POST,
            concat!("/w/{workspaceId}/feeds/{id}", $path),
            |visit| Box::pin(entered(visit, Role::Editor, $answer)),
        );
    };
}

feed_page!(POLL, "web_poll_feed", "/poll", poll);
feed_page!(PAUSE, "web_pause_feed", "/pause", async |visitor| pause(visitor, true).await);
feed_page!(RESUME, "web_resume_feed", "/resume", async |visitor| pause(visitor, false).await);
feed_page!(REMOVE, "web_remove_feed", "/remove", remove);

/// A feed as the page shows it.
pub(super) struct Feed {
    pub(super) name: String,
    pub(super) makes: &'static str,
    pub(super) read: Option<String>,
    pub(super) posted: Option<String>,
    /// When it is polled next, unless it is paused.
    pub(super) next: Option<String>,
    pub(super) problem: Option<String>,
    /// Where it is polled, paused, let go on and removed: each a word below this.
    pub(super) href: String,
}

/// The feeds of the workspace.
pub(super) async fn feeds(visitor: &Visitor, zone: Zone) -> Result<Vec<Feed>, Declined> {
    let feeds = visitor.scheduler().feeds(visitor.workspace().id).await?;
    let row = |view: FeedView| Feed {
        name: view.feed.name,
        makes: view.feed.mode.as_str(),
        read: view.read_at.map(|at| when::instant(at, zone)),
        posted: view.posted_at.map(|at| when::instant(at, zone)),
        next: view.next_at.map(|at| when::instant(at, zone)),
        problem: view.error,
        href: visitor.at(&format!("feeds/{}", view.id)),
    };
    Ok(feeds.into_iter().map(row).collect())
}

/// Back to the settings, which say what was done.
fn done(visitor: &Visitor, said: Said) -> Response {
    page::sent_to(&visitor.at(&format!("settings?{}#feeds", said.query())))
}

async fn poll(visitor: Visitor) -> Result<Response, Declined> {
    let id: FeedId = visitor.id()?;
    visitor.scheduler().hurry_feed(visitor.workspace().id, id).await?;
    Ok(done(&visitor, Said::FeedPolled))
}

async fn pause(visitor: Visitor, paused: bool) -> Result<Response, Declined> {
    let id: FeedId = visitor.id()?;
    let feed = visitor.scheduler().feed(visitor.workspace().id, id).await?.feed;
    let input = FeedInput { paused, ..feed };
    visitor.scheduler().change_feed(&visitor.caller, id, input).await?;
    Ok(done(&visitor, if paused { Said::FeedPaused } else { Said::FeedResumed }))
}

async fn remove(visitor: Visitor) -> Result<Response, Declined> {
    let id: FeedId = visitor.id()?;
    visitor.scheduler().remove_feed(visitor.workspace().id, id).await?;
    Ok(done(&visitor, Said::FeedRemoved))
}
