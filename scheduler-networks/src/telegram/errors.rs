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
use scheduler_core::ports::{NetworkError, NetworkErrorKind as Kind};
use scheduler_core::target::FailureCode;

use super::wire::Refused;
use crate::conversation::Answer;

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matter {
    /// The text, as it is.
    Text,
    /// A file, as it is.
    File,
    /// A link to a file, which is sent instead of its bytes.
    FileLink,
    /// The chat is gone, or the bot was never there.
    Chat,
    /// The bot is not in the chat any more.
    Membership,
    /// The bot may not do it in this chat.
    Right,
    /// The token.
    Token,
    /// The message is not there any more.
    Gone,
    /// The message is too old to be deleted, or not the bot's to delete.
    Undeletable,
    /// The message is not the bot's to change.
    Uneditable,
    /// The group has become a supergroup.
    Moved,
    /// The server is older than the method.
    Server,
}

/// Refusals by their number and words of their descriptions, in lower case.
const MATTERS: [(u16, &str, Matter); 38] = [
    (400, "message is too long", Matter::Text),
    (400, "text is too long", Matter::Text),
    (400, "caption is too long", Matter::Text),
    (400, "message text is empty", Matter::Text),
    (400, "can't parse entities", Matter::Text),
    (400, "photo_invalid_dimensions", Matter::File),
    (400, "photo_ext_invalid", Matter::File),
    (400, "unsupported extension", Matter::File),
    (400, "too big for a photo", Matter::File),
    (400, "image_process_failed", Matter::File),
    (400, "can't be mixed with other media types", Matter::File),
    (400, "too many messages to send as an album", Matter::File),
    (400, "wrong file identifier/http url specified", Matter::FileLink),
    (400, "failed to get http url content", Matter::FileLink),
    (400, "wrong type of the web page content", Matter::FileLink),
    (400, "chat not found", Matter::Chat),
    (400, "upgraded to a supergroup", Matter::Moved),
    (400, "not enough rights to send", Matter::Right),
    (400, "have no write access to the chat", Matter::Right),
    (400, "need administrator rights", Matter::Right),
    (400, "chat_write_forbidden", Matter::Right),
    (400, "chat_admin_required", Matter::Right),
    (400, "topic_closed", Matter::Right),
    (400, "message to edit not found", Matter::Gone),
    (400, "message to delete not found", Matter::Gone),
    (400, "message can't be deleted", Matter::Undeletable),
    (400, "message can't be edited", Matter::Uneditable),
    (400, "logged out", Matter::Token),
    (403, "bot was kicked from", Matter::Membership),
    (403, "bot is not a member of", Matter::Membership),
    (403, "bot was blocked by the user", Matter::Membership),
    (403, "the group chat was deleted", Matter::Membership),
    (403, "user is deactivated", Matter::Membership),
    (403, "not enough rights", Matter::Right),
    (403, "chat_write_forbidden", Matter::Right),
    (404, "method not found", Matter::Server),
    // A token of a wrong form is no part of any known path.
    (404, "not found", Matter::Token),
    (401, "", Matter::Token),
];

impl Matter {
    fn of(number: u16, description: &str) -> Option<Self> {
        let description = description.to_lowercase();
        let is_it = |(known, words, _): &&(u16, &str, Self)| {
            *known == number && description.contains(words)
        };
        MATTERS.iter().find(is_it).map(|(_, _, matter)| *matter)
    }

    /// What it means, and a sentence on what to do about it. Where the code is `None`, it follows
    /// from the kind.
    const fn meaning(self) -> (Kind, Option<FailureCode>, &'static str) {
        use FailureCode as Code;
        match self {
            Self::Text => {
                (Kind::Permanent, Some(Code::ValidationFailed), "Telegram refuses the text.")
            }
            Self::File => (
                Kind::Permanent,
                Some(Code::ValidationFailed),
                "Telegram refuses a file of the post. Use another one.",
            ),
            Self::FileLink => (Kind::Temporary, None, "Telegram could not take a file."),
            Self::Chat => (
                Kind::Reconnect,
                None,
                "Telegram does not know the chat, or the bot is not in it. Add the bot to the chat and connect it again.",
            ),
            Self::Membership => (
                Kind::Reconnect,
                None,
                "The bot is not in the chat any more. Add it to the chat and connect it again.",
            ),
            Self::Right => (
                Kind::Reconnect,
                None,
                "The bot may not post in the chat. Make the bot an administrator who may post, and connect it again.",
            ),
            Self::Token => (
                Kind::Reconnect,
                None,
                "Telegram does not accept the token of the bot any more. Connect every chat of this bot again with its new token.",
            ),
            Self::Gone => (Kind::Permanent, None, "The message is not there any more."),
            Self::Undeletable => (
                Kind::Permanent,
                Some(Code::Unsupported),
                "The bot cannot delete the message: it is older than 48 hours, or the bot lacks the right. Delete it in Telegram.",
            ),
            Self::Uneditable => {
                (Kind::Permanent, None, "The bot cannot change the message. Change it in Telegram.")
            }
            Self::Moved => (
                Kind::Temporary,
                None,
                "The group was upgraded to a supergroup. Connect the supergroup if this goes on.",
            ),
            Self::Server => (
                Kind::Permanent,
                None,
                "The Bot API server is too old for this. Bring it up to date.",
            ),
        }
    }
}

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
    is_refused_as(answer, "message to delete not found")
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
    let is_page = refused.is_none();
    let number = refused.as_ref().map_or(answer.status, |refused| refused.error_code);
    let description = refused.as_ref().map_or("", |refused| refused.description.as_str());
    let said = match answer.words("description") {
        words if words.is_empty() => format!("status {number}"),
        words => words,
    };
    // What the server had done by then is not known.
    let unsettled = |sentence: &str| {
        let kind = if is_visible { Kind::Unsettled } else { Kind::Temporary };
        let remedy = if is_visible { CHECK_FIRST } else { "" };
        NetworkError::new(kind, format!("{sentence} ({said}).{remedy}"))
            .with_code(FailureCode::NetworkError)
    };
    match number {
        420 | 429 => {
            let seconds = refused.as_ref().and_then(|refused| refused.parameters.retry_after);
            let told = seconds.map(|seconds| TimeDelta::seconds(i64::from(seconds)));
            NetworkError::new(
                Kind::RateLimited { wait: told.or_else(|| answer.retry_after(now)) },
                "Telegram takes no more from this bot for now.",
            )
        }
        413 => NetworkError::new(
            Kind::Permanent,
            format!("The files are larger than the Bot API server takes: {said}."),
        )
        .with_code(FailureCode::ValidationFailed),
        300..=399 => NetworkError::new(
            Kind::Permanent,
            "The Bot API server has moved. Check the address of Telegram in the settings.",
        ),
        500.. => unsettled("Telegram failed"),
        // Something in front of the server answered for it, before or after it did.
        _ if is_page => unsettled("Telegram did not answer itself"),
        409 => NetworkError::new(
            Kind::Temporary,
            format!("Another program receives the updates of this bot: {said}."),
        ),
        _ => match Matter::of(number, description).map(Matter::meaning) {
            Some((kind, code, sentence)) => {
                let error = NetworkError::new(kind, format!("{sentence} Telegram says: {said}."));
                match code {
                    Some(code) => error.with_code(code),
                    None => error,
                }
            }
            None => NetworkError::new(Kind::Temporary, format!("Telegram refused: {said}.")),
        },
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
    let refused = Refused::read(answer);
    let number = refused.as_ref().map_or(answer.status, |refused| refused.error_code);
    if !is_of_one_item(answer) && !matches!(number, 420 | 429) {
        return failure(answer, true, now);
    }
    let said = match answer.words("description") {
        words if words.is_empty() => format!("status {number}"),
        words => words,
    };
    let message = format!(
        "Telegram may have sent the album in part: {said}. Look into the chat, and delete what is there before you retry."
    );
    NetworkError::new(Kind::Unsettled, message)
}

/// True when an item of an album was refused, whatever became of the others.
pub(super) fn is_of_one_item(answer: &Answer) -> bool {
    let refused = Refused::read(answer);
    refused.is_some_and(|it| it.description.to_lowercase().contains("failed to send message #"))
}

/// What to do where a post may be there.
const CHECK_FIRST: &str =
    " Telegram did not confirm the post. Look into the chat; retry only if it is not there.";

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
