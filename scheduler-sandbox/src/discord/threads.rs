//! Threads: posts of a forum, and those that a message opens.
//!
//! Source: <https://docs.discord.com/developers/resources/channel#start-thread-from-message>.

use http::StatusCode;
use serde_json::{Value, json};

use super::Discord;
use super::accounts::TAGS;
use super::error::ApiError;
use super::input;
use super::model::{Author, Channel, FORUM, THREAD};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Most tags of a post of a forum.
const TAGS_MAX: usize = 5;

/// Minutes after which a thread may be put away.
const AUTO_ARCHIVE: [u64; 4] = [60, 1_440, 4_320, 10_080];

impl Discord {
    /// Opens a thread with its first message in a forum.
    ///
    /// # Errors
    /// Those of messages and names; 50024 outside a forum.
    pub(super) fn start_post(
        &mut self,
        request: &Request,
        bot: u64,
        channel: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let forum = self.channel(bot, channel)?.clone();
        let payload = input::payload(request)?;
        if forum.kind != FORUM {
            return Err(ApiError::bad(50_024, "Cannot execute action on this channel type"));
        }
        let name = name(&payload)?;
        check_auto_archive(&payload)?;
        let guild = self.guilds.get(&forum.guild).ok_or_else(ApiError::unknown_guild)?;
        let message = input::message(request, &payload["message"], "message.", guild)?;
        let tags = applied_tags(&payload)?;
        let author = Author::Bot(bot);
        let thread = self.open_post(forum.id, &name, tags, author, context)?;
        let author_name = self.bot_name(bot);
        self.keep(thread, thread, author, &author_name, message, None, context);
        let mut view = self.channel_view(thread);
        view["message"] = self.message_view(thread);
        Ok(Answer::json(StatusCode::CREATED, &view))
    }

    /// Opens the thread of a message, which then has the id of the message.
    ///
    /// # Errors
    /// Those of names; 160004 where it has one.
    pub(super) fn start_thread(
        &mut self,
        request: &Request,
        bot: u64,
        channel: &str,
        message: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let message = self.channel_message(bot, channel, message)?;
        let payload = input::payload(request)?;
        let name = name(&payload)?;
        check_auto_archive(&payload)?;
        if self.channels.contains_key(&message) {
            let message = "A thread has already been created for this message";
            return Err(ApiError::bad(160_004, message));
        }
        let parent = self.messages.get(&message).map(|message| message.channel);
        let parent = parent.and_then(|id| self.channels.get(&id)).cloned();
        let parent = parent.ok_or_else(ApiError::unknown_channel)?;
        self.add_thread(message, &parent, &name, Vec::new(), Author::Bot(bot), context);
        Ok(Answer::json(StatusCode::CREATED, &self.channel_view(message)))
    }

    /// Makes the thread of a post of a forum; its first message has the same id.
    ///
    /// # Errors
    /// There is no such channel.
    pub(super) fn open_post(
        &mut self,
        forum: u64,
        name: &str,
        tags: Vec<u64>,
        owner: Author,
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let id = self.next_id(context.now);
        let forum = self.channels.get(&forum).cloned().ok_or_else(ApiError::unknown_channel)?;
        self.add_thread(id, &forum, name, tags, owner, context);
        Ok(id)
    }

    fn add_thread(
        &mut self,
        id: u64,
        parent: &Channel,
        name: &str,
        tags: Vec<u64>,
        owner: Author,
        context: &Context<'_>,
    ) {
        let thread = Channel {
            id,
            guild: parent.guild,
            kind: THREAD,
            name: name.to_owned(),
            parent: Some(parent.id),
            tags,
            owner: Some(owner),
            created_at: context.now,
        };
        self.channels.insert(id, thread);
    }

    /// Answers the threads of a server that were not put away, newest first.
    ///
    /// # Errors
    /// There is no such server.
    pub(super) fn active_threads(&self, bot: u64, guild: &str) -> Result<Answer, ApiError> {
        let guild = self.guild(bot, guild)?.id;
        let threads = self.channels.values().rev();
        let threads = threads.filter(|channel| channel.kind == THREAD && channel.guild == guild);
        let threads: Vec<Value> = threads.map(|thread| self.channel_view(thread.id)).collect();
        Ok(Answer::ok(&json!({ "threads": threads, "members": [] })))
    }

    /// Answers the threads of a channel that were put away: none ever is.
    ///
    /// # Errors
    /// There is no such channel.
    pub(super) fn archived_threads(&self, bot: u64, channel: &str) -> Result<Answer, ApiError> {
        self.channel(bot, channel)?;
        Ok(Answer::ok(&json!({ "threads": [], "members": [], "has_more": false })))
    }
}

/// Reads the tags of a post of a forum.
///
/// # Errors
/// Too many, one that is not there, one that is for moderators.
pub(super) fn applied_tags(payload: &Value) -> Result<Vec<u64>, ApiError> {
    let given = payload["applied_tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    if given.len() > TAGS_MAX {
        let message = format!("Must be {TAGS_MAX} or fewer in length.");
        return Err(ApiError::field("applied_tags", "BASE_TYPE_MAX_LENGTH", &message));
    }
    let tag = |tag: &Value| {
        let id: Option<u64> = tag.as_str().and_then(|id| id.parse().ok());
        match TAGS.iter().find(|(known, _)| Some(*known) == id) {
            None => Err(ApiError::bad(10_087, "Unknown tag")),
            Some((_, true)) => Err(ApiError::bad(40_066, "Tag can only be used by moderators")),
            Some((id, false)) => Ok(*id),
        }
    };
    given.iter().map(tag).collect()
}

fn name(payload: &Value) -> Result<String, ApiError> {
    input::thread_name(payload, "name")?
        .ok_or_else(|| ApiError::field("name", "BASE_TYPE_REQUIRED", "This field is required"))
}

fn check_auto_archive(payload: &Value) -> Result<(), ApiError> {
    let minutes = &payload["auto_archive_duration"];
    if minutes.is_null() || minutes.as_u64().is_some_and(|given| AUTO_ARCHIVE.contains(&given)) {
        return Ok(());
    }
    let message = "Value must be one of {60, 1440, 4320, 10080}.";
    Err(ApiError::field("auto_archive_duration", "BASE_TYPE_CHOICES", message))
}
