//! Comments: the messages of the thread of a post. Only a bot can read them.
//!
//! What other people wrote is empty unless the application has the intent MESSAGE_CONTENT. A reply
//! that is sent again within a few minutes, since its answer was lost, is answered with the first.
//!
//! Source: <https://docs.discord.com/developers/resources/message>.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Comment, CommentAction, CommentRights, Comments, LivePost, NetworkError, NetworkErrorKind,
    unsupported,
};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::errors::{UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, code, failure, failure_of_act, unreadable};
use super::extras::no_mentions;
use super::hosts::{Hosts, called};
use super::message::reply_nonce;
use super::record::Record;
use super::wire::{Bot, Message, Sender, is_snowflake};
use crate::conversation::{Answer, Body, Method, Request, Session, Turn, TurnResult};

/// Messages of one page, the most that there can be.
const PAGE: &str = "100";

/// The sign that stands for a like.
const HEART: &str = "❤️";

/// Types of messages that people wrote: plain ones, replies, and commands.
///
/// Source: <https://docs.discord.com/developers/resources/message>, "Message Types".
const WRITTEN: [u8; 3] = [0, 19, 20];

const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: true, hide: false, like: true, delete: true };

/// The next turn of reading what was answered, newest first.
pub(super) fn read(
    hosts: &Hosts,
    session: &Session<'_, Sender>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    let Sender::Bot(bot) = &session.credentials else { return Ok(Turn::Done(None)) };
    let thread = thread(post)?;
    let Some(answer) = answers.first() else {
        let url = hosts.api(&["channels", &thread, "messages"], &[("limit", PAGE)]);
        return Ok(Turn::Send(called(Request::read(url), &session.credentials)));
    };
    // Nobody has opened a thread below the message.
    if code(answer) == Some(UNKNOWN_CHANNEL) {
        return Ok(Turn::Done(Some(Comments { comments: Vec::new(), rights: RIGHTS })));
    }
    let messages: Vec<Message> =
        answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
    let is_comment =
        |message: &Message| message.id != post.remote.id && WRITTEN.contains(&message.kind);
    let comments = messages.into_iter().filter(is_comment);
    let comments = comments.map(|message| comment(message, bot)).collect();
    Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
}

/// The next turn of doing something with a comment.
pub(super) fn act(
    hosts: &Hosts,
    session: &Session<'_, Sender>,
    post: &LivePost,
    id: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let Sender::Bot(bot) = &session.credentials else { return Err(unsupported(Platform::Discord)) };
    // In a forum the post is a message of its thread as well. It can be answered there, but is not
    // a comment to be changed or deleted.
    let is_post =
        id == post.remote.id && matches!(act, CommentAction::Edit(_) | CommentAction::Delete);
    if !is_snowflake(id) || is_post {
        return Err(NetworkError::not_found("There is no such comment on Discord."));
    }
    let thread = thread(post)?;
    let message = ["channels", &thread, "messages", id];
    let reaction = ["channels", &thread, "messages", id, "reactions", HEART, "@me"];
    let call = |segments: &[&str], body| Request::act(hosts.api(segments, &[]), body);
    let request = match act {
        CommentAction::Reply(text) => {
            let body = json!({
                "content": text,
                "message_reference": { "message_id": id },
                "allowed_mentions": no_mentions(),
                "nonce": reply_nonce(post, id, text),
                "enforce_nonce": true,
            });
            call(&["channels", &thread, "messages"], Body::Json(body)).visible()
        }
        CommentAction::Edit(text) => {
            let body = json!({ "content": text, "allowed_mentions": no_mentions() });
            call(&message, Body::Json(body)).method(Method::Patch)
        }
        CommentAction::Delete => call(&message, Body::Empty).method(Method::Delete),
        CommentAction::Like => call(&reaction, Body::Empty).method(Method::Put),
        CommentAction::Unlike => call(&reaction, Body::Empty).method(Method::Delete),
        CommentAction::Hide | CommentAction::Unhide => return Err(unsupported(Platform::Discord)),
    };
    let is_visible = request.is_visible;
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(called(request, &session.credentials)));
    };
    let is_gone = matches!(code(answer), Some(UNKNOWN_MESSAGE | UNKNOWN_CHANNEL));
    if *act == CommentAction::Delete && is_gone {
        return Ok(Turn::Done(None));
    }
    if !answer.is_success() {
        let error = failure_of_act(answer, is_visible, Some(session.now));
        return Err(if is_gone { error.with_code(FailureCode::NotFound) } else { error });
    }
    if !is_visible {
        return Ok(Turn::Done(None));
    }
    let message: Message = answer.json().ok_or_else(|| {
        NetworkError::new(
            NetworkErrorKind::InDoubt,
            "Discord took the reply, but its answer cannot be read.",
        )
    })?;
    Ok(Turn::Done(Some(comment(message, bot))))
}

/// The thread of a post: the one that it opened, else the one that people may have opened below
/// it, which has its id.
fn thread(post: &LivePost) -> Result<String, NetworkError> {
    Ok(Record::of(post)?.thread_id.unwrap_or_else(|| post.remote.id.clone()))
}

fn comment(message: Message, bot: &Bot) -> Comment {
    let likes = message.reactions.iter().find(|reaction| {
        reaction.emoji.name.as_deref().is_some_and(|name| {
            // With and without the sign that asks for a picture.
            name.trim_end_matches('\u{fe0f}') == HEART.trim_end_matches('\u{fe0f}')
        })
    });
    Comment {
        like_count: Some(likes.map_or(0, |likes| likes.count)),
        own: message.author.as_ref().is_some_and(|author| author.id == bot.id),
        author: message.author.map(super::wire::User::shown_name),
        id: message.id,
        text: message.content,
        created_at: message.timestamp,
        hidden: false,
    }
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
