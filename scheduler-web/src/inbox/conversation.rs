//! The comments under one live post, read from its network, and what can be done with each.

use askama::Template;
use http::Method;
use scheduler_core::app::CommentInput;
use scheduler_core::error::Refusal;
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::ports::{Comment, CommentRights};
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use super::links::{Piece, pieces};
use crate::card::first_words;
use crate::filters;
use crate::mark::{self, Mark};
use crate::metrics;
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

const PATH: &str = "/w/{workspaceId}/inbox/{id}/{targetId}";

pub(crate) static CONVERSATION: Endpoint =
    Endpoint::page("web_conversation", Method::GET, PATH, |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static ACT: Endpoint =
    Endpoint::page("web_act_on_comment", Method::POST, PATH, |visit| {
        Box::pin(entered(visit, Role::Editor, act))
    });

#[derive(Template)]
#[template(path = "inbox/conversation.html")]
struct Conversation {
    frame: Frame,
    script: String,
    here: String,
    mark: Mark,
    account: String,
    words: String,
    post: String,
    link: Option<String>,
    picture: Option<String>,
    figures: Vec<(String, String)>,
    comments: Vec<Line>,
    /// False where the network tells no comments.
    is_told: bool,
    can: CommentRights,
    /// Why the comments cannot be shown, or why something was refused.
    problem: Option<String>,
    /// What was written, and to which comment, when it was refused.
    written: Option<(String, String)>,
    /// Of the replies of this page: one that is sent twice is made once.
    key: String,
}

struct Line {
    id: String,
    author: String,
    text: String,
    /// The text, with the links that are in it.
    pieces: Vec<Piece>,
    age: Option<String>,
    is_own: bool,
    is_hidden: bool,
    likes: Option<u64>,
}

impl Conversation {
    /// The text that was refused as an answer to this comment.
    fn refused(&self, id: &str) -> Option<&str> {
        let (to, text) = self.written.as_ref()?;
        (to == id).then_some(text.as_str())
    }

    /// What was refused as an answer to a comment that is not shown.
    fn homeless(&self) -> Option<&(String, String)> {
        let written = self.written.as_ref();
        written.filter(|(to, _)| self.comments.iter().all(|comment| comment.id != *to))
    }
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    let target = target(&visitor, &post)?;
    Ok(page::shown(&conversation(&visitor, &post, target).await?))
}

/// The target that the path names.
fn target<'a>(visitor: &Visitor, post: &'a PostView) -> Result<&'a TargetView, Declined> {
    let id: TargetId = visitor.segment("targetId")?;
    let target = post.targets.iter().find(|target| target.id == id);
    target.ok_or_else(Visitor::nothing_here)
}

async fn conversation(
    visitor: &Visitor,
    post: &PostView,
    target: &TargetView,
) -> Result<Conversation, Declined> {
    let (caller, post_id, target_id) = (visitor.caller.clone(), post.id, target.id);
    let read = visitor
        .visit()
        .to_its_end(
            |scheduler| async move { scheduler.comments(&caller, post_id, target_id).await },
        )
        .await;
    let (read, problem) = match read {
        Ok(read) => (read, None),
        Err(declined) => (Default::default(), Some(declined.message().to_owned())),
    };
    let words = first_words(post);
    let accounts = visitor.accounts().await?;
    let account = accounts.get(&target.account_id).map(mark::name);
    let can = if visitor.may(Role::Editor) { read.can } else { CommentRights::default() };
    Ok(Conversation {
        frame: Frame::of(visitor, "inbox", format!("Comments · {words}")).await?,
        script: crate::assets::address("inbox.js"),
        here: visitor.at(&format!("inbox/{}/{}", post.id, target.id)),
        mark: target.platform.into(),
        account: account.unwrap_or_else(|| "an account that is disconnected".to_owned()),
        words,
        post: visitor.at(&format!("posts/{}#t-{}", post.id, target.id)),
        link: target.remote_url.clone(),
        picture: post.media_ids.first().map(|id| visitor.at(&format!("media/{id}/thumb"))),
        figures: metrics::shown(target.metrics.as_ref()),
        comments: read.data.iter().map(|comment| line(comment, visitor)).collect(),
        is_told: read.supported || problem.is_some(),
        can,
        problem,
        written: None,
        key: visitor.scheduler().ports().ids.next(visitor.now()).to_string(),
    })
}

fn line(comment: &Comment, visitor: &Visitor) -> Line {
    Line {
        id: comment.id.clone(),
        author: comment.author.clone().unwrap_or_else(|| "somebody".to_owned()),
        text: comment.text.clone(),
        pieces: pieces(&comment.text, &visitor.at("leave")),
        age: comment.created_at.map(|at| when::distance(at, visitor.now())),
        is_own: comment.own,
        is_hidden: comment.hidden,
        likes: comment.like_count.filter(|count| *count > 0),
    }
}

async fn act(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let target = target(&visitor, &post)?;
    let Some(comment) = form.only("comment").map(str::to_owned) else {
        return Err(Refusal::invalid("comment", "Choose a comment.").into());
    };
    let action = form.only("action").unwrap_or_default();
    if action == "delete" && form.only("sure").is_none() {
        let message = "Tick that the comment is deleted for good: this cannot be undone.";
        return Err(Refusal::invalid("sure", message).into());
    }
    let done = done(&visitor, &form, (post.id, target.id), &comment).await;
    let Err(declined) = done else {
        let said = match action {
            "reply" => Said::Replied,
            "delete" => Said::CommentDeleted,
            _ => Said::CommentChanged,
        };
        let here = format!("inbox/{}/{}?{}{}", post.id, target.id, said.query(), place(&comment));
        return Ok(page::sent_to(&visitor.at(&here)));
    };
    let page = conversation(&visitor, &post, target).await?;
    let written = form.only("text").map(|text| (comment, text.to_owned()));
    // The form that is sent again is the same one: its reply is made once.
    let key = form.only("key").map_or_else(|| page.key.clone(), str::to_owned);
    Ok(declined.into_page(|status, message| {
        let problem = Some(message.to_owned());
        page::shown_as(status, &Conversation { problem, written, key, ..page })
    }))
}

/// The place of a comment on the page, behind its address; none where its id cannot stand there.
fn place(comment: &str) -> String {
    let is_plain =
        |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.' | ':');
    if comment.chars().all(is_plain) { format!("#c-{comment}") } else { String::new() }
}

/// Does with a comment what the form says.
async fn done(
    visitor: &Visitor,
    form: &Form,
    (post, target): (PostId, TargetId),
    comment: &str,
) -> Result<(), Declined> {
    let text = form.only("text").map(|text| text.replace("\r\n", "\n"));
    let input = CommentInput { action: form.only("action").map(str::to_owned), text };
    // Each comment of the page has replies of its own.
    let key = form.only("key").map(|key| IdempotencyKey::new(key, None)).transpose()?;
    let (caller, comment) = (visitor.caller.clone(), comment.to_owned());
    let acted = visitor.visit().to_its_end(|scheduler| async move {
        scheduler.act_on_comment(&caller, post, target, &comment, input, key.as_ref()).await
    });
    acted.await.map(drop)
}
