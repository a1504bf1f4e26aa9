//! What Telegram's errors mean.
//!
//! An album is the exception to "a refusal means that nothing was sent": see [`album_failure`].
//!
//! A refusal has a number, which is also the HTTP status, and a description in English, by which
//! most refusals are told apart. What is not known falls back on its number.
//!
//! Source: <https://core.telegram.org/bots/api#making-requests> and
//! <https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/Client.cpp>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};

use super::wire::Refused;
use crate::conversation::Answer;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary};
use crate::refusals::{
    CONTENT, PAGE, REFUSED, Refusal, Table, UNSUPPORTED, rows, status, status_between,
};

/// What to do where a post may be there.
const CHECK_FIRST: &str =
    " Telegram did not confirm the post. Look into the chat; retry only if it is not there.";

const NO_MEMBER: &str = "The bot is not in the chat any more. Add it to the chat and connect it again. Telegram says: {said}.";
const BAD_FILE: &str =
    "Telegram refuses a file of the post. Use another one. Telegram says: {said}.";
const NO_RIGHT: &str = "The bot may not post in the chat. Make the bot an administrator who may post, and connect it again. Telegram says: {said}.";
const NO_TOKEN: &str = "Telegram does not accept the token of the bot any more. Connect every chat of this bot again with its new token. Telegram says: {said}.";

/// Refusals by their number and words of their descriptions, in lower case.
const ERRORS: Table = Table {
    rows: rows! {
        status(&[420, 429]) => Limited(None), "Telegram takes no more from this bot for now.";
        status(&[413]) => CONTENT, "The files are larger than the Bot API server takes: {said}.";
        status_between(300, 399) => REFUSED,
            "The Bot API server has moved. Check the address of Telegram in the settings.";
        // What the server had done by then is not known.
        status_between(500, u16::MAX) => Failed, "Telegram failed ({said}).{remedy}";
        // Something in front of the server answered for it, before or after it did.
        PAGE => Failed, "Telegram did not answer itself ({said}).{remedy}";
        status(&[409]) => Temporary, "Another program receives the updates of this bot: {said}.";
        status(&[400]).says(&["message is too long", "text is too long", "caption is too long",
            "message text is empty", "can't parse entities"]) => CONTENT,
            "Telegram refuses the text. Telegram says: {said}.";
        status(&[400]).says(&["photo_invalid_dimensions", "photo_ext_invalid",
            "unsupported extension", "too big for a photo",
            "can't be mixed with other media types", "too many messages to send as an album"]) =>
            CONTENT,
            BAD_FILE;
        status(&[400]).says(&["image_process_failed"]).unverified() => CONTENT, BAD_FILE;
        status(&[400]).says(&["message thread not found"]) => CONTENT,
            "Telegram knows no such topic of the chat: choose another, or leave topicId out. Telegram says: {said}.";
        status(&[400]).says(&["button_url_invalid", "inline keyboard"]) => CONTENT,
            "Telegram refuses a button of the post. Telegram says: {said}.";
        status(&[400]).says(&["poll "]) => CONTENT,
            "Telegram refuses the poll. Telegram says: {said}.";
        // A link to a file, which is sent instead of its bytes.
        status(&[400]).says(&["wrong file identifier/http url specified",
            "failed to get http url content", "wrong type of the web page content"]) => Temporary,
            "Telegram could not take a file. Telegram says: {said}.";
        status(&[400]).says(&["chat not found"]) => Reconnect,
            "Telegram does not know the chat, or the bot is not in it. Add the bot to the chat and connect it again. Telegram says: {said}.";
        status(&[400]).says(&["upgraded to a supergroup"]) => Temporary,
            "The group was upgraded to a supergroup. Connect the supergroup if this goes on. Telegram says: {said}.";
        status(&[400]).says(&["not enough rights to send", "have no write access to the chat",
            "need administrator rights"]) => Reconnect,
            NO_RIGHT;
        status(&[400]).says(&["chat_write_forbidden", "chat_admin_required", "topic_closed"])
            .unverified() => Reconnect,
            NO_RIGHT;
        status(&[400]).says(&["message to edit not found", GONE]) => REFUSED,
            "The message is not there any more. Telegram says: {said}.";
        status(&[400]).says(&["message can't be deleted"]) => UNSUPPORTED,
            "The bot cannot delete the message: it is older than 48 hours, or the bot lacks the right. Delete it in Telegram. Telegram says: {said}.";
        status(&[400]).says(&["message can't be edited"]) => REFUSED,
            "The bot cannot change the message. Change it in Telegram. Telegram says: {said}.";
        status(&[400]).says(&["not enough rights to manage pinned messages"]) => REFUSED,
            "The bot may not pin messages in the chat. Allow it to, and pin the post by hand. Telegram says: {said}.";
        status(&[400]).says(&["logged out"]) => Reconnect, NO_TOKEN;
        status(&[403]).says(&["bot was kicked from", "bot is not a member of",
            "bot was blocked by the user", "the group chat was deleted", "user is deactivated"]) =>
            Reconnect,
            NO_MEMBER;
        status(&[403]).says(&["not enough rights"]) => Reconnect, NO_RIGHT;
        status(&[403]).says(&["chat_write_forbidden"]).unverified() => Reconnect, NO_RIGHT;
        status(&[404]).says(&["method not found"]) => REFUSED,
            "The Bot API server is too old for this. Bring it up to date. Telegram says: {said}.";
        // A token of a wrong form is no part of any known path.
        status(&[404]).says(&["not found"]) => Reconnect, NO_TOKEN;
        status(&[401]) => Reconnect, NO_TOKEN;
    },
    unknown: (Temporary, "Telegram refused: {said}."),
};

/// A message cannot be deleted since it is not there.
const GONE: &str = "message to delete not found";

/// The supergroup that the chat of a refused call has become.
pub(super) fn moved_to(answer: &Answer) -> Option<i64> {
    Refused::read(answer)?.parameters.migrate_to_chat_id
}

/// True when an edit was refused since the message says that already.
pub(super) fn is_unchanged(answer: &Answer) -> bool {
    is_refused_as(answer, "message is not modified")
}

/// True when a message cannot be deleted since it is not there.
pub(super) fn is_gone(answer: &Answer) -> bool {
    is_refused_as(answer, GONE)
}

fn is_refused_as(answer: &Answer, words: &str) -> bool {
    let refused = Refused::read(answer).filter(|refused| refused.error_code == 400);
    refused.is_some_and(|refused| refused.description.to_lowercase().contains(words))
}

/// What an answer that is no result means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let refused = Refused::read(answer);
    let seconds = refused.as_ref().and_then(|refused| refused.parameters.retry_after);
    let told = seconds.map(|seconds| TimeDelta::seconds(i64::from(seconds)));
    let remedy = if is_visible { CHECK_FIRST } else { "" };
    let number = number(answer, refused.as_ref());
    ERRORS.failure(&Refusal {
        status: number,
        is_page: refused.is_none(),
        words: refused.map(|refused| refused.description.to_lowercase()).unwrap_or_default(),
        is_visible,
        wait: told.or_else(|| answer.retry_after(now)),
        places: vec![("said", said(answer, number)), ("remedy", remedy.to_owned())],
        ..Refusal::default()
    })
}

/// The number of a refusal, which is that of the status where there is none.
fn number(answer: &Answer, refused: Option<&Refused>) -> u16 {
    refused.map_or(answer.status, |refused| refused.error_code)
}

fn said(answer: &Answer, number: u16) -> String {
    match answer.words("description") {
        words if words.is_empty() => format!("status {number}"),
        words => words,
    }
}

/// What a refused album means. The server sends its items one by one: where one of them fails, the
/// others stay, and what the description quotes is about that one alone. A limit may have been
/// reached by any of them. So nothing is known of the album as a whole, and it is never sent again
/// by itself.
///
/// Source: <https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/Client.cpp>,
/// `on_message_send_failed` and `process_send_media_group_query`.
pub(super) fn album_failure(answer: &Answer, now: Option<DateTime<Utc>>) -> NetworkError {
    let number = number(answer, Refused::read(answer).as_ref());
    if !is_of_one_item(answer) && !matches!(number, 420 | 429) {
        return failure(answer, true, now);
    }
    let message = format!(
        "Telegram may have sent the album in part: {}. Look into the chat, and delete what is there before you retry.",
        said(answer, number)
    );
    NetworkError::new(NetworkErrorKind::Unsettled, message)
}

/// True when an item of an album was refused, whatever became of the others.
pub(super) fn is_of_one_item(answer: &Answer) -> bool {
    let refused = Refused::read(answer);
    refused.is_some_and(|it| it.description.to_lowercase().contains("failed to send message #"))
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
