//! Telegram: the Bot API, with a bot and a chat for each account.
//!
//! Base URL of an adapter: the sandbox's URL and `/telegram`; a call is `/bot{token}/{method}`.
//! The first word of an account's name says what its chat is:
//!
//! | first word | chat |
//! |---|---|
//! | `private` | a channel without a username |
//! | `group` | a basic group |
//! | `forum` | a public supergroup with the topics 2, 3 and 4 |
//! | `supergroup` | a supergroup without a username |
//! | `upgraded` | a basic group that has become a supergroup, known to the account by its old id |
//! | `big` | a channel of so many that videos are put off: their `message_id` is answered as 0 |
//! | `local` | a public channel, on a server that runs with `--local` and takes 2000 MB |
//! | `silent` | a channel in which the bot is an administrator who may not post |
//! | any other | a public channel |
//!
//! In each chat somebody has posted `/connect CODE`, which the bot finds by `getUpdates`. Markup,
//! files by URL, downloads and all that people do are not imitated; a call that asks
//! for one of the first two is refused.
//!
//! Source: <https://core.telegram.org/bots/api>, 10.3, and the server's own program,
//! <https://github.com/tdlib/telegram-bot-api>.

mod accounts;
mod album;
mod chats;
mod delete;
mod edit;
mod error;
mod extras;
mod files;
mod limits;
mod messages;
mod send;
mod text;
#[cfg(test)]
mod time_tests;
mod updates;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use self::accounts::Bot;
use self::chats::Chat;
use self::error::ApiError;
use self::files::Stored;
use self::messages::Message;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::params::{params, text};
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "telegram";

/// Room for the other parts of a form and their heads.
const FORM_BYTES: u64 = 1024 * 1024;

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Telegram {
    /// By token.
    bots: BTreeMap<String, Bot>,
    chats: BTreeMap<i64, Chat>,
    /// Chats by username in lower case.
    usernames: HashMap<String, i64>,
    messages: BTreeMap<i64, Message>,
    /// By `file_id`.
    files: HashMap<String, Stored>,
    last_id: i64,
    quotas: Quotas,
}

/// A call of a bot, as far as every method reads it.
struct Call<'a> {
    bot: i64,
    request: &'a Request,
    params: Map<String, Value>,
    context: &'a Context<'a>,
    /// Only the first half of several messages is sent.
    is_in_part: bool,
}

impl Call<'_> {
    /// Returns a parameter as text.
    fn text(&self, name: &str) -> Option<String> {
        text(&self.params, name)
    }

    /// Returns a parameter as a number.
    fn number(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }

    /// Returns a list or an object, which forms carry as JSON in a field.
    fn structured(&self, name: &str) -> Option<Value> {
        match self.params.get(name)? {
            Value::String(text) => serde_json::from_str(text).ok(),
            other => Some(other.clone()),
        }
    }
}

impl Telegram {
    /// Returns a number that is greater than all before.
    fn next_id(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }

    fn answer(
        &mut self,
        request: &Request,
        context: &Context<'_>,
        is_in_part: bool,
    ) -> Result<Value, ApiError> {
        let (token, method) = address(request).ok_or_else(ApiError::not_found)?;
        let bot = self.bot(&token)?;
        if request.body.length > self.upload_bytes(bot) + FORM_BYTES {
            return Err(ApiError::too_large());
        }
        let call = Call { bot, request, params: params(request), context, is_in_part };
        match method.as_str() {
            "getme" => self.show_bot(&token),
            "logout" => self.log_out(&token),
            "getchat" => self.show_chat(&call),
            "getchatmember" => self.show_member(&call),
            "getchatmembercount" => self.count_members(&call),
            "getupdates" => self.updates(&call, &token),
            "setwebhook" => self.set_webhook(&call, &token),
            "deletewebhook" => self.delete_webhook(&token),
            "sendmessage" => self.send_message(&call),
            "sendphoto" | "sendanimation" | "sendvideo" | "senddocument" => {
                self.send_file(&call, &method)
            }
            "sendmediagroup" => self.send_album(&call),
            "sendpoll" => self.send_poll(&call),
            "editmessagetext" => self.edit_text(&call),
            "editmessagecaption" => self.edit_caption(&call),
            "editmessagereplymarkup" => self.edit_markup(&call),
            "pinchatmessage" => self.pin_message(&call),
            "deletemessage" => self.delete_message(&call),
            "deletemessages" => self.delete_messages(&call),
            _ => Err(ApiError::new(404, "Not Found: method not found")),
        }
    }
}

fn answered(result: Result<Value, ApiError>) -> Answer {
    match result {
        Ok(result) => Answer::ok(&json!({"ok": true, "result": result})),
        Err(error) => error.into_answer(),
    }
}

/// Splits a path into the token and the method, in lower case as methods have no case.
fn address(request: &Request) -> Option<(String, String)> {
    let segments = request.segments();
    let [bot, method] = segments.as_slice() else { return None };
    Some((bot.strip_prefix("bot")?.to_owned(), method.to_lowercase()))
}

impl Network for Telegram {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let method = address(request).map(|(_, method)| method).unwrap_or_default();
        match method.as_str() {
            "sendmessage" | "sendphoto" | "sendanimation" | "sendvideo" | "senddocument"
            | "sendmediagroup" | "sendpoll" => Operation::Publish,
            "getchatmembercount" => Operation::Metrics,
            "getme" | "logout" => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        answered(self.answer(request, context, false))
    }

    fn handle_in_part(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        answered(self.answer(request, context, true))
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        let error = match refusal {
            Refusal::ServerError => ApiError::new(500, "Internal Server Error: restart"),
            Refusal::RateLimited(wait) => ApiError::flood(wait.as_secs()),
            Refusal::Permanent => permanent(request, self.operation(request)),
        };
        error.into_answer()
    }

    fn expire_tokens(&mut self, request: &Request, _context: &Context<'_>) {
        let bot = address(request).and_then(|(token, _)| self.bots.get_mut(&token));
        if let Some(bot) = bot {
            bot.is_revoked = true;
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        self.add_account(name, context.now)
    }

    fn posts(&self) -> Vec<LivePost> {
        self.live_posts()
    }

    fn reset(&mut self, accounts: bool) {
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = earlier.last_id;
        if !accounts {
            self.bots = earlier.bots;
            self.chats = earlier.chats;
            self.usernames = earlier.usernames;
        }
    }
}

/// Returns the refusal that a call typically meets.
fn permanent(request: &Request, operation: Operation) -> ApiError {
    let method = address(request).map(|(_, method)| method).unwrap_or_default();
    match operation {
        Operation::Publish => ApiError::bad("message is too long"),
        Operation::Token => ApiError::unauthorized(),
        Operation::Upload
        | Operation::Poll
        | Operation::Comment
        | Operation::Metrics
        | Operation::Other => match method.as_str() {
            "editmessagetext" | "editmessagecaption" | "editmessagereplymarkup" => {
                ApiError::bad("message can't be edited")
            }
            "deletemessage" | "deletemessages" => ApiError::bad("message can't be deleted"),
            _ => ApiError::bad("chat not found"),
        },
    }
}
