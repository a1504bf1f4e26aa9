//! Comments under live posts.

mod conversation;
mod links;

use askama::Template;
use http::Method;
use scheduler_core::ids::CommentId;
use scheduler_core::inbox::{InboxInput, MarkInput};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters;
use crate::mark::Mark;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};
use crate::when;

pub(crate) use self::conversation::{ACT, CONVERSATION};
pub(crate) use self::links::LEAVE;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_inbox", Method::GET, "/w/{workspaceId}/inbox", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static MARK: Endpoint =
    Endpoint::page("web_mark_comments", Method::POST, "/w/{workspaceId}/inbox", |visit| {
        Box::pin(entered(visit, Role::Drafter, mark))
    });

#[derive(Template)]
#[template(path = "inbox/show.html")]
struct Show {
    frame: Frame,
    script: String,
    rows: Vec<Row>,
    only_unread: bool,
    unread: u64,
    here: String,
    next: Option<String>,
}

struct Row {
    id: String,
    mark: Mark,
    author: String,
    text: Vec<links::Piece>,
    age: String,
    likes: Option<u64>,
    is_unread: bool,
    is_hidden: bool,
    /// The page of its conversation.
    href: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let only_unread = asked.only("unread") == Some("true");
    let input = InboxInput {
        unread: only_unread.then(|| "true".to_owned()),
        before: asked.only("before").map(str::to_owned),
        ..InboxInput::default()
    };
    let page = visitor.scheduler().inbox(&visitor.caller, &input).await?;
    let here = visitor.at("inbox");
    let frame = Frame::of(&visitor, "inbox", "Inbox").await?;
    Ok(page::shown(&Show {
        frame,
        script: crate::assets::address("inbox.js"),
        rows: page
            .data
            .iter()
            .map(|comment| Row {
                id: comment.id.to_string(),
                mark: comment.platform.into(),
                author: comment.author.clone().unwrap_or_else(|| "somebody".to_owned()),
                text: links::pieces(&comment.text, &visitor.at("leave")),
                age: when::distance(comment.at, visitor.now()),
                likes: comment.like_count,
                is_unread: comment.unread,
                is_hidden: comment.hidden,
                href: visitor.at(&format!(
                    "inbox/{}/{}#c-{}",
                    comment.post_id, comment.target_id, comment.comment_id
                )),
            })
            .collect(),
        only_unread,
        unread: page.unread,
        next: page.next_cursor.map(|cursor| {
            let mut pairs = vec![("before", cursor.as_str())];
            if only_unread {
                pairs.push(("unread", "true"));
            }
            format!("{here}?{}", query(&pairs))
        }),
        here,
    }))
}

async fn mark(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let ids: Vec<CommentId> = form.all("id").filter_map(|id| id.parse().ok()).collect();
    let is_all = form.only("all").is_some();
    let input = MarkInput {
        ids: (!is_all).then_some(ids),
        all: is_all.then_some(true),
        unread: form.only("unread").map(|unread| unread == "true"),
    };
    visitor.scheduler().mark_comments(&visitor.caller, input).await?;
    Ok(page::sent_to(&visitor.at("inbox")))
}
