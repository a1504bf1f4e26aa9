//! Discord: servers with channels, webhooks and bots.
//!
//! Base URL of an adapter: the sandbox's URL and `/discord`, then `/api/v10/…` as at the real
//! one; the version may be left out. Every account that is made has a server of its own with a
//! text channel, an announcement channel and a forum, a webhook in the first and the last, and a
//! bot. A page at `/discord/oauth2/authorize` makes one more webhook for the application
//! [`CLIENT_ID`] with the secret [`CLIENT_SECRET`]. Forums
//! have the tags 701, 702 and 703, the last for moderators. Voice, slash commands, roles and the
//! gateway are not imitated, nobody votes in polls, and threads are never put away.
//!
//! Source: <https://docs.discord.com/developers/>, API v10.

mod accounts;
mod error;
mod extras;
mod guilds;
mod input;
mod limits;
mod messages;
mod model;
mod oauth;
mod read;
mod send;
mod threads;
mod view;
mod webhooks;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::Value;

use self::error::ApiError;
use self::model::{Author, Bot, Channel, Guild, Message, Webhook};
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::{Quotas, Standing};
use crate::request::Request;

const NAME: &str = "discord";

/// The application that the page lets in.
pub(super) const CLIENT_ID: &str = "1000000000000000001";
/// The secret of that application.
pub(super) const CLIENT_SECRET: &str = "sandbox-client-secret";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Discord {
    guilds: BTreeMap<u64, Guild>,
    channels: BTreeMap<u64, Channel>,
    webhooks: BTreeMap<u64, Webhook>,
    /// By token.
    bots: BTreeMap<String, Bot>,
    messages: BTreeMap<u64, Message>,
    /// What a bot's nonce made, and when.
    nonces: HashMap<(u64, String), (u64, DateTime<Utc>)>,
    codes: HashMap<String, oauth::Code>,
    last_id: u64,
    quotas: Quotas,
    /// Where the caller of the request at hand stands within its limits.
    standing: Option<Standing>,
}

impl Discord {
    /// Returns an id that is greater than all before: milliseconds since 2015, then a counter.
    fn next_id(&mut self, now: DateTime<Utc>) -> u64 {
        let at = u64::try_from(now.timestamp_millis() - model::EPOCH_MS).unwrap_or(0) << 22;
        self.last_id = at.max(self.last_id + 1);
        self.last_id
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["oauth2", "authorize"]) => return Ok(Self::authorize_page(request)),
            ("POST", ["oauth2", "authorize"]) => return Ok(self.authorize(request, context)),
            // A person who opens a message finds it on the sandbox's page.
            ("GET", ["channels", _, _, id]) => {
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))));
            }
            _ => {}
        }
        error::check_user_agent(request)?;
        let Some(call) = api(segments) else { return Err(ApiError::no_call()) };
        self.take_points(call, context)?;
        match (request.method.as_str(), call) {
            ("POST", ["oauth2", "token"]) => Ok(self.token(request, context)),
            (_, ["webhooks", id, token, rest @ ..]) => {
                self.webhook_call(request, id, token, rest, context)
            }
            (method, call) => {
                let bot = self.bot(request)?;
                self.bot_call(request, bot, method, call, context)
            }
        }
    }

    fn webhook_call(
        &mut self,
        request: &Request,
        id: &str,
        token: &str,
        rest: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let webhook = self.webhook(id, token)?;
        match (request.method.as_str(), rest) {
            ("GET", []) => Ok(Answer::ok(&view::webhook(&webhook, context))),
            ("POST", []) => self.execute(request, &webhook, context),
            ("DELETE", []) => {
                self.webhooks.remove(&webhook.id);
                Ok(Answer::empty(StatusCode::NO_CONTENT))
            }
            (method, ["messages", message]) => {
                let message = self.webhook_message(request, &webhook, message)?;
                match method {
                    "GET" => Ok(Answer::ok(&self.message_view(message))),
                    "PATCH" => self.edit(request, message, Author::Webhook(webhook.id), context),
                    "DELETE" => self.delete(message, Author::Webhook(webhook.id)),
                    _ => Err(ApiError::method()),
                }
            }
            _ => Err(ApiError::no_call()),
        }
    }

    fn bot_call(
        &mut self,
        request: &Request,
        bot: u64,
        method: &str,
        call: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (method, call) {
            ("GET", ["users", "@me"]) => self.own_user(bot),
            ("GET", ["users", "@me", "guilds"]) => Ok(self.own_guilds(bot)),
            ("GET", ["guilds", id]) => self.show_guild(request, bot, id),
            ("GET", ["guilds", id, "channels"]) => self.guild_channels(bot, id),
            ("GET", ["guilds", id, "threads", "active"]) => self.active_threads(bot, id),
            ("GET", ["guilds", id, "members", "search"]) => self.members(request, bot, id),
            ("GET", ["channels", id]) => self.show_channel(bot, id),
            ("DELETE", ["channels", id]) => self.delete_channel(bot, id),
            ("GET", ["channels", id, "messages"]) => self.list_messages(request, bot, id),
            ("POST", ["channels", id, "messages"]) => self.create(request, bot, id, context),
            ("POST", ["channels", id, "threads"]) => self.start_post(request, bot, id, context),
            ("GET", ["channels", id, "threads", "archived", "public"]) => {
                self.archived_threads(bot, id)
            }
            ("POST", ["channels", id, "messages", message, "threads"]) => {
                self.start_thread(request, bot, id, message, context)
            }
            ("POST", ["channels", id, "messages", message, "crosspost"]) => {
                self.crosspost(bot, id, message)
            }
            (_, ["channels", id, "messages", message, "reactions", emoji, "@me"]) => {
                self.react(method, bot, id, message, emoji)
            }
            (_, ["channels", id, "messages", message]) => {
                let message = self.channel_message(bot, id, message)?;
                match method {
                    "GET" => Ok(Answer::ok(&self.message_view(message))),
                    "PATCH" => self.edit(request, message, Author::Bot(bot), context),
                    "DELETE" => self.delete(message, Author::Bot(bot)),
                    _ => Err(ApiError::method()),
                }
            }
            _ => Err(ApiError::no_call()),
        }
    }

    /// Says whether a message of a channel hangs below a post.
    fn is_comment(&self, channel: &str, message: Option<&str>) -> bool {
        let channel = channel.parse().ok().and_then(|id: u64| self.channels.get(&id));
        let is_first = message.is_some() && message == channel.map(|c| c.id.to_string()).as_deref();
        channel.is_some_and(|channel| channel.kind == model::THREAD) && !is_first
    }
}

impl Network for Discord {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let Some(call) = api(&segments) else { return Operation::Other };
        match (request.method.as_str(), call) {
            ("POST", ["webhooks", _, _])
            | ("POST", ["channels", _, "threads"])
            | ("POST", ["channels", _, "messages", _, "threads" | "crosspost"]) => {
                Operation::Publish
            }
            ("POST", ["channels", id, "messages"]) if !self.is_comment(id, None) => {
                Operation::Publish
            }
            (_, ["channels", id, "messages"]) if self.is_comment(id, None) => Operation::Comment,
            (_, ["channels", _, "messages", _, "reactions", ..]) => Operation::Comment,
            ("PATCH" | "DELETE", ["channels", id, "messages", message])
                if self.is_comment(id, Some(message)) =>
            {
                Operation::Comment
            }
            ("GET", ["channels", _, "messages", _] | ["webhooks", _, _, "messages", _])
            | ("GET", ["guilds", _] | ["channels", _]) => Operation::Metrics,
            ("POST", ["oauth2", "token"]) | ("GET", ["webhooks", _, _] | ["users", "@me"]) => {
                Operation::Token
            }
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let answer = self.call(request, &segments, context);
        self.with_standing(answer.unwrap_or_else(ApiError::into_answer), context).plain_json()
    }

    fn refuse(&self, refusal: Refusal, request: &Request, context: &Context<'_>) -> Answer {
        let answer = match refusal {
            Refusal::ServerError => {
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                ApiError::new(status, 0, "500: Internal Server Error").into_answer()
            }
            Refusal::RateLimited(wait) => limits::refusal(wait, context.now),
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        };
        answer.plain_json()
    }

    fn expire_tokens(&mut self, request: &Request, _context: &Context<'_>) {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        if let Some(["webhooks", id, ..]) = api(&segments) {
            let webhook = id.parse().ok().and_then(|id: u64| self.webhooks.get_mut(&id));
            if let Some(webhook) = webhook {
                webhook.is_revoked = true;
            }
        } else if let Some(token) = webhooks::bot_token(request) {
            self.bots.remove(token);
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        self.add_account(name, context)
    }

    fn posts(&self) -> Vec<LivePost> {
        self.messages.values().map(|message| self.live_post(message)).collect()
    }

    fn reset(&mut self, accounts: bool) {
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = earlier.last_id;
        if !accounts {
            self.guilds = earlier.guilds;
            self.channels = earlier.channels;
            self.channels.retain(|_, channel| channel.kind != model::THREAD);
            self.webhooks = earlier.webhooks;
            self.bots = earlier.bots;
        }
    }
}

/// Returns the call that a path names, without the version of the API.
fn api<'a>(segments: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let call = segments.strip_prefix(&["api"])?;
    match call {
        [version, rest @ ..] if version.starts_with('v') => match *version {
            "v9" | "v10" => Some(rest),
            _ => None,
        },
        call => Some(call),
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish | Operation::Upload => {
            ApiError::field("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.")
        }
        Operation::Comment => ApiError::new(StatusCode::BAD_REQUEST, 160_005, "Thread is locked"),
        Operation::Token => {
            ApiError::new(StatusCode::UNAUTHORIZED, 50_027, "Invalid Webhook Token")
        }
        Operation::Metrics | Operation::Poll | Operation::Other => ApiError::unknown_message(),
    }
}
