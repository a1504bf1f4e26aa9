//! Every part of the workspace, for screens that have no room for the menu.

use askama::Template;
use http::Method;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;

use crate::filters;
use crate::page::{self, Frame};
use crate::visitor::entered;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_more", Method::GET, "/w/{workspaceId}/more", |visit| {
        Box::pin(entered(visit, Role::Reader, |visitor| async move {
            let frame = Frame::of(&visitor, "more", "More").await?;
            Ok(page::shown(&Show { frame }))
        }))
    });

/// A part: its path, what it is called, and its icon.
type Part = (&'static str, &'static str, &'static str);

const PARTS: [Part; 7] = [
    ("approvals", "Approvals", "approve"),
    ("media", "Media", "media"),
    ("figures", "Analytics", "figures"),
    ("accounts", "Accounts", "accounts"),
    ("activity/now", "Activity", "activity"),
    ("settings", "Settings", "settings"),
    ("start", "First steps", "check"),
];

#[derive(Template)]
#[template(path = "more/show.html")]
struct Show {
    frame: Frame,
}
