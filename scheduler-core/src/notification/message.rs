//! The message that events make together.

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::Channel;
use crate::ports::Request;
use crate::post::ApprovalState;
use crate::webhook::{
    AccountData, ApprovalData, CommentData, Envelope, Event, EventKind, FailedData, FeedData,
    MediaData, PublishedData, ScheduledData,
};

/// The most events that a message tells of in a line each.
///
/// Source: our decision.
const LINES_MAX: usize = 20;

/// The longest line, in characters.
///
/// Source: our decision.
const LINE_MAX_CHARACTERS: usize = 300;

/// The longest message, in characters: Discord takes 2 000.
///
/// Source: <https://docs.discord.com/developers/resources/webhook#execute-webhook>
const TEXT_MAX_CHARACTERS: usize = 1_900;

/// What people are told at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is about, in a line.
    pub title: String,
    /// What has happened, a line each.
    pub lines: Vec<String>,
}

impl Message {
    /// The message of a workspace that these events make, oldest first. `pages` is where its pages
    /// are, for links to what an event tells of. With `has_more` there are more of them, which are
    /// told later.
    #[must_use]
    pub fn of(workspace: &str, pages: Option<&str>, events: &[Event], has_more: bool) -> Self {
        let title = match events {
            [event] => format!("{workspace}: {}", one(event.kind)),
            events => {
                let mut counts: Vec<String> = Vec::new();
                for kind in EventKind::ALL {
                    match events.iter().filter(|event| event.kind == kind).count() {
                        0 => {}
                        1 => counts.push(one(kind).to_owned()),
                        count => counts.push(many(kind, count)),
                    }
                }
                format!("{workspace}: {}", counts.join(", "))
            }
        };
        let mut lines: Vec<String> =
            events.iter().take(LINES_MAX).map(|event| line(event, pages)).collect();
        let left = events.len().saturating_sub(LINES_MAX);
        if left > 0 || has_more {
            let more = if has_more { " or more" } else { "" };
            lines.push(format!("… and {left}{more} besides"));
        }
        Self { title, lines }
    }

    /// The message by which somebody sees that they are reached.
    #[must_use]
    pub fn test(workspace: &str) -> Self {
        let line = "This is a test: you will be told here what happens.".to_owned();
        Self { title: format!("{workspace}: a test"), lines: vec![line] }
    }

    /// The whole text, bounded.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.title.clone();
        for line in &self.lines {
            text.push('\n');
            text.push_str(line);
        }
        cut(&text, TEXT_MAX_CHARACTERS)
    }

    /// The request that sends it to an address of a channel; `None` for e-mail, and for an address
    /// of ntfy that names no topic.
    ///
    /// Source: <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>,
    /// <https://docs.discord.com/developers/resources/webhook#execute-webhook>,
    /// <https://docs.ntfy.sh/publish/#publish-as-json>
    #[must_use]
    pub fn request(&self, channel: Channel, address: &str) -> Option<Request> {
        let (url, body) = match channel {
            Channel::Email => return None,
            Channel::Slack => (address.to_owned(), json!({ "text": for_slack(&self.text()) })),
            Channel::Discord => {
                let nobody: [&str; 0] = [];
                let body = json!({"content": self.text(), "allowed_mentions": {"parse": nobody}});
                (address.to_owned(), body)
            }
            Channel::Ntfy => {
                let (server, topic) = address.trim_end_matches('/').rsplit_once('/')?;
                let is_topic = !topic.is_empty() && !server.ends_with('/');
                let message = cut(&self.lines.join("\n"), TEXT_MAX_CHARACTERS);
                let body = json!({"topic": topic, "title": self.title, "message": message});
                is_topic.then(|| (format!("{server}/"), body))?
            }
        };
        Some(Request { url, headers: Vec::new(), body: body.to_string() })
    }
}

/// Slack reads these three signs.
///
/// Source: <https://docs.slack.dev/messaging/formatting-message-text#escaping>
fn for_slack(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const fn one(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Published => "a post is live",
        EventKind::Failed => "a post has failed",
        EventKind::Scheduled => "a post was given a time",
        EventKind::ApprovalDecided => "a client has decided",
        EventKind::NeedsReconnect => "an account has to be connected again",
        EventKind::TokenExpiring => "an account's access ends soon",
        EventKind::MediaReady => "a file is ready",
        EventKind::MediaFailed => "a file cannot be used",
        EventKind::CommentReceived => "a new comment",
        EventKind::FeedFailing => "a feed keeps failing",
    }
}

fn many(kind: EventKind, count: usize) -> String {
    let what = match kind {
        EventKind::Published => "posts are live",
        EventKind::Failed => "posts have failed",
        EventKind::Scheduled => "posts were given a time",
        EventKind::ApprovalDecided => "decisions of clients",
        EventKind::NeedsReconnect => "accounts have to be connected again",
        EventKind::TokenExpiring => "accounts whose access ends soon",
        EventKind::MediaReady => "files are ready",
        EventKind::MediaFailed => "files cannot be used",
        EventKind::CommentReceived => "new comments",
        EventKind::FeedFailing => "feeds keep failing",
    };
    format!("{count} {what}")
}

/// The page of what an event tells of, behind the address of the pages: that of the target where
/// it is of one. `None` where nothing is to be done there.
fn page(event: &Event) -> Option<String> {
    match event.kind {
        EventKind::Failed => data(event)
            .map(|data: FailedData| format!("posts/{}#t-{}", data.post_id, data.target_id)),
        EventKind::ApprovalDecided => {
            data(event).map(|data: ApprovalData| format!("posts/{}", data.post_id))
        }
        EventKind::CommentReceived => data(event)
            .map(|data: CommentData| format!("inbox/{}/{}", data.post_id, data.target_id)),
        EventKind::NeedsReconnect | EventKind::TokenExpiring => Some("accounts".to_owned()),
        EventKind::Published
        | EventKind::Scheduled
        | EventKind::MediaReady
        | EventKind::MediaFailed
        | EventKind::FeedFailing => None,
    }
}

/// What an event tells, in a line, with a link to where something can be done.
fn line(event: &Event, pages: Option<&str>) -> String {
    let told = match event.kind {
        EventKind::Published => data(event).map(|data: PublishedData| {
            let place = data.remote_url.unwrap_or_else(|| data.post_id.to_string());
            format!("{}: live, {place}", data.platform)
        }),
        EventKind::Failed => data(event).map(|data: FailedData| {
            format!("{}: {} (post {})", data.platform, data.error, data.post_id)
        }),
        EventKind::Scheduled => data(event).map(|data: ScheduledData| {
            format!("post {}: {}", data.post_id, day(data.scheduled_at))
        }),
        EventKind::ApprovalDecided => data(event).map(|data: ApprovalData| {
            let decision = match data.decision {
                ApprovalState::Approved => "approved",
                ApprovalState::Changes => "changes asked for",
                ApprovalState::Pending => "not decided",
            };
            let note = data.note.map_or_else(String::new, |note| format!(": {note}"));
            format!("post {}: {decision}{note}", data.post_id)
        }),
        EventKind::NeedsReconnect | EventKind::TokenExpiring => {
            data(event).map(|data: AccountData| {
                let handle = data.handle.map_or_else(String::new, |handle| format!(" @{handle}"));
                let ends = data.expires_at.map(|at| format!("connect it again before {}", day(at)));
                let why = data.reason.or(ends).unwrap_or_default();
                format!("{}{handle}: {why}", data.platform)
            })
        }
        EventKind::MediaReady | EventKind::MediaFailed => data(event).map(|data: MediaData| {
            let why = data.error.map_or_else(String::new, |error| format!(": {error}"));
            format!("file {}{why}", data.media_id)
        }),
        EventKind::CommentReceived => data(event).map(|data: CommentData| {
            let author = data.author.map_or_else(String::new, |author| format!(" {author}"));
            format!("{}{author}: {} (post {})", data.platform, data.text, data.post_id)
        }),
        EventKind::FeedFailing => data(event).map(|data: FeedData| {
            format!("feed {:?}: {} Polled again at {}.", data.name, data.error, day(data.next_at))
        }),
    };
    let told = told.unwrap_or_else(|| event.kind.as_str().to_owned());
    let told = cut(&told.split_whitespace().collect::<Vec<_>>().join(" "), LINE_MAX_CHARACTERS);
    match pages.zip(page(event)) {
        Some((pages, page)) => format!("{told} {pages}/{page}"),
        None => told,
    }
}

fn data<T: DeserializeOwned>(event: &Event) -> Option<T> {
    let envelope: Envelope = serde_json::from_str(&event.body).ok()?;
    serde_json::from_value(envelope.data).ok()
}

fn day(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
