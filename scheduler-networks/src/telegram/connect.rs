//! Connecting by the token of a bot, and a chat that the bot is in.
//!
//! A chat is named by its `@username` or its id. One that has neither for a person to see is found
//! by a code: somebody posts `/connect CODE` in it, and the bot hears that.
//!
//! Source: <https://core.telegram.org/bots/api#getchat>, `getMe`, `getChatMember`, `getUpdates`.

use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError, NetworkErrorKind};
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::errors::{failure, moved_to};
use super::wire::{Bot, Chat, ChatKind, ChatMember, SendRights, Tokens, Update, User, result};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// News that are looked through for a code: the latest, as many as one call gives.
///
/// Source: <https://core.telegram.org/bots/api#getupdates>.
const UPDATES: i64 = 100;

/// The chat that a person names.
enum Named {
    /// By its username, with `@`, or by its id.
    Chat(Value),
    /// By a code that is posted in it.
    Code(String),
}

/// The next turn of connecting an account. Reads `botToken`, and `chatId` (an `@username`, an id,
/// or a link to the chat) or `connectCode`.
pub(super) fn connect(
    server: &Endpoint,
    limits: &AccountLimits,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let token = bot_token(input)?;
    let named = named_chat(input)?;
    let bot = Bot { server, token: &token };
    let mut answers = answers.iter();

    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(bot.call("getMe", Body::Empty)));
    };
    let me: User = read(answer, "Copy the token from @BotFather again.")?;

    let chat = match named {
        Named::Chat(chat) => chat,
        Named::Code(code) => {
            let Some(answer) = answers.next() else { return Ok(Turn::Send(latest_news(&bot))) };
            let updates: Vec<Update> = read(answer, "Name the chat by its @username or id.")?;
            chat_of(&code, updates).ok_or_else(|| unseen(&code))?.into()
        }
    };

    const REMEDY: &str =
        "Add the bot to the chat, to a channel as an administrator who may post, and try again.";
    let ask = |chat: &Value| bot.call("getChat", Body::Json(json!({ "chat_id": chat })));
    let Some(mut answer) = answers.next() else { return Ok(Turn::Send(ask(&chat))) };
    if let Some(chat) = moved_to(answer) {
        let Some(moved) = answers.next() else { return Ok(Turn::Send(ask(&chat.into()))) };
        answer = moved;
    }
    let chat: Chat = read(answer, REMEDY)?;

    let Some(answer) = answers.next() else {
        let body = json!({ "chat_id": chat.id, "user_id": me.id });
        return Ok(Turn::Send(bot.call("getChatMember", Body::Json(body))));
    };
    let lacks = lacks(&chat, &read(answer, REMEDY)?)?;

    let tokens = Tokens { bot_token: token, chat_id: chat.id };
    Ok(Turn::Done(vec![Connected {
        username: chat.username,
        display_name: chat.title.or(chat.first_name).filter(|name| !name.is_empty()),
        lacks,
        limits: AccountLimits { has_topics: Some(chat.is_forum), ..limits.clone() },
        ..Connected::new(format!("{}/{}", me.id, chat.id), Credentials::new(tokens.to_text(), None))
    }]))
}

fn latest_news(bot: &Bot<'_>) -> Request {
    let body = json!({
        "offset": -UPDATES,
        "limit": UPDATES,
        "timeout": 0,
        "allowed_updates": ["message", "channel_post", "my_chat_member"],
    });
    bot.call("getUpdates", Body::Json(body))
}

/// The token of the input: the bot's id, a colon, and its secret.
fn bot_token(input: &ConnectInput) -> Result<SecretString, NetworkError> {
    let missing = "botToken is missing: make a bot with @BotFather and give its token.";
    let token = input.given("botToken").ok_or_else(|| NetworkError::permanent(missing))?;
    let is_secret = |secret: &str| {
        !secret.is_empty()
            && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let is_token = token.split_once(':').is_some_and(|(id, secret)| {
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && is_secret(secret)
    });
    if is_token {
        Ok(SecretString::from(token))
    } else {
        Err(NetworkError::permanent(
            "botToken is not the token of a bot: @BotFather gives one like 123456:ABC-DEF.",
        ))
    }
}

fn named_chat(input: &ConnectInput) -> Result<Named, NetworkError> {
    if let Some(chat) = input.given("chatId") {
        let unreadable = "chatId is neither an @username nor the id of a chat.";
        return typed_chat(chat)
            .map(Named::Chat)
            .ok_or_else(|| NetworkError::permanent(unreadable));
    }
    let code = input.given("connectCode").ok_or_else(|| {
        NetworkError::permanent("chatId is missing: give the @username or the id of the chat. For a chat without a name, post /connect and a code of your own in it, and give that code as connectCode.")
    })?;
    Ok(Named::Code(code.to_owned()))
}

/// The chat that somebody has typed: `@acme`, `acme`, `-1001234567890`, `https://t.me/acme`,
/// `https://t.me/c/1234567890/5`.
fn typed_chat(text: &str) -> Option<Value> {
    let text = text.trim_start_matches("https://").trim_start_matches("http://");
    let text = text.strip_prefix("t.me/").unwrap_or(text);
    if let Some(path) = text.strip_prefix("c/") {
        let id: u64 = path.split('/').next()?.parse().ok()?;
        return format!("-100{id}").parse::<i64>().ok().map(Value::from);
    }
    if let Ok(id) = text.parse::<i64>() {
        return Some(id.into());
    }
    let name = text.strip_prefix('@').unwrap_or(text).split('/').next()?;
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| format!("@{name}").into())
}

/// The chat in which a code was posted last.
fn chat_of(code: &str, updates: Vec<Update>) -> Option<i64> {
    let mut messages =
        updates.into_iter().filter_map(|update| update.message.or(update.channel_post));
    let is_it = |text: &str| {
        let mut words = text.split_whitespace();
        // In a group, the command may name the bot that it is for.
        let command = words.next().and_then(|command| command.split('@').next());
        command == Some("/connect") && words.next() == Some(code)
    };
    let last = messages.rfind(|message| message.text.as_deref().is_some_and(is_it));
    last.map(|message| message.chat.id)
}

/// What the bot cannot send to the chat: a sentence for each.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] when it can send nothing.
fn lacks(chat: &Chat, member: &ChatMember) -> Result<Vec<String>, NetworkError> {
    let rights = match (chat.kind, member.status.as_str()) {
        (_, "creator") => return Ok(Vec::new()),
        (ChatKind::Channel, "administrator") if member.can_post_messages != Some(false) => {
            return Ok(Vec::new());
        }
        (ChatKind::Channel, _) => {
            return Err(NetworkError::permanent(
                "The bot may not post in the channel. Make it an administrator with the right to post messages, and try again.",
            ));
        }
        (_, "administrator") => return Ok(Vec::new()),
        (_, "restricted") => member.rights,
        // What every member may do, where the group says so.
        (_, "member") => chat.permissions,
        (_, _) => {
            return Err(NetworkError::permanent(
                "The bot is not in the chat. Add it, and try again.",
            ));
        }
    };
    let SendRights { can_send_messages, can_send_photos, can_send_videos, can_send_other_messages } =
        rights;
    if can_send_messages == Some(false) {
        return Err(NetworkError::permanent(
            "The bot may not send messages to the group. Make it an administrator, and try again.",
        ));
    }
    let told = [
        (can_send_photos, "The bot may not send photos to the group."),
        (can_send_videos, "The bot may not send videos to the group."),
        (can_send_other_messages, "The bot may not send animations to the group."),
    ];
    let lacking = told.into_iter().filter(|(right, _)| *right == Some(false));
    Ok(lacking.map(|(_, sentence)| sentence.to_owned()).collect())
}

/// The result of a call, or what to do about its failure.
fn read<T: DeserializeOwned>(answer: &Answer, remedy: &str) -> Result<T, NetworkError> {
    if let Some(result) = result(answer) {
        return Ok(result);
    }
    let error = failure(answer, false, None);
    // There is no account yet that could be connected again.
    if error.kind == NetworkErrorKind::Reconnect {
        let said = answer.words("description");
        return Err(NetworkError::permanent(format!("Telegram refuses: {said}. {remedy}")));
    }
    Err(error)
}

fn unseen(code: &str) -> NetworkError {
    NetworkError::permanent(format!(
        "The bot has not seen the code. Add it to the chat, post /connect {code} there, and try again."
    ))
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
