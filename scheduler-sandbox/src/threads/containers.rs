//! Containers: what a post will be, before it is published.
//!
//! A file is fetched from its link once its container is made. A container is gone after a day, and
//! can be published once.
//!
//! Source: <https://developers.facebook.com/documentation/threads/posts>,
//! <https://developers.facebook.com/documentation/threads/create-posts/polls>,
//! <https://developers.facebook.com/documentation/threads/reference/publishing>. Ratio, duration,
//! frame rate, bit rate and sound of files are not looked at, and who may reply is only shown.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::Threads;
use super::error::ApiError;
use super::text::{check, check_attachment, check_entities};
use crate::answer::Answer;
use crate::fetch::{self, Fetch};
use crate::network::{Context, LiveMedia};
use crate::params::{flag, params, text};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Life of a container.
const LIFE: TimeDelta = TimeDelta::hours(24);
/// Largest files, in bytes.
const IMAGE_BYTES: u64 = 8_000_000;
const VIDEO_BYTES: u64 = 1_000_000_000;
/// Fewest and most files of a carousel.
const CHILDREN: std::ops::RangeInclusive<usize> = 2..=20;
/// Longest alternative text and longest choice of a poll, in characters.
const ALT_TEXT_LIMIT: usize = 1_000;
const CHOICE_LIMIT: usize = 25;
/// Longest topic, in characters.
const TOPIC_LIMIT: usize = 50;
/// Who may reply.
const REPLY_CONTROLS: [&str; 5] = [
    "everyone",
    "accounts_you_follow",
    "mentioned_only",
    "parent_post_author_only",
    "followers_only",
];

/// What a container or a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Image,
    Video,
    Carousel,
}

impl Kind {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "TEXT" => Some(Self::Text),
            "IMAGE" => Some(Self::Image),
            "VIDEO" => Some(Self::Video),
            "CAROUSEL" => Some(Self::Carousel),
            _ => None,
        }
    }

    /// Returns the name that a post shows.
    pub(super) const fn shown(self) -> &'static str {
        match self {
            Self::Text => "TEXT_POST",
            Self::Image => "IMAGE",
            Self::Video => "VIDEO",
            Self::Carousel => "CAROUSEL_ALBUM",
        }
    }
}

/// A container.
#[derive(Clone, Debug)]
pub(super) struct Container {
    pub(super) account: u64,
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) link: Option<String>,
    pub(super) reply_to: Option<u64>,
    pub(super) extras: Extras,
    is_child: bool,
    children: Vec<u64>,
    fetch: Option<Fetch>,
    made_at: DateTime<Utc>,
    pub(super) is_published: bool,
}

/// What a post is besides its text and its files.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    pub(super) topic: Option<String>,
    pub(super) reply_control: Option<String>,
    pub(super) quote: Option<u64>,
    pub(super) blurs_files: bool,
    pub(super) is_ghost: bool,
}

/// How far a container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    InProgress,
    Finished,
    Error(&'static str),
    Expired,
    Published,
}

impl Threads {
    /// Makes a container.
    ///
    /// # Errors
    /// Those of tokens; a parameter that cannot be accepted.
    pub(super) fn create_container(
        &mut self,
        request: &Request,
        user: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user_at(request, user, "threads_content_publish", context)?;
        let params = params(request);
        let kind = text(&params, "media_type").as_deref().and_then(Kind::parse);
        let kind = kind.ok_or_else(|| ApiError::parameter("Param media_type is invalid"))?;
        let said = text(&params, "text").unwrap_or_default().trim().to_owned();
        let link = text(&params, "link_attachment").filter(|link| !link.is_empty());
        let is_child = flag(&params, "is_carousel_item").unwrap_or(false);
        if kind == Kind::Text && said.is_empty() {
            return Err(ApiError::parameter("Param text is required for media_type TEXT"));
        }
        check(&said, link.as_deref())?;
        check_poll(&params, kind, link.is_some())?;
        check_entities(&params, &said)?;
        check_attachment(&params, &said, kind == Kind::Text, link.is_some())?;
        if link.is_some() && kind != Kind::Text {
            let message = "Param link_attachment is only allowed for media_type TEXT";
            return Err(ApiError::parameter(message));
        }
        if text(&params, "alt_text").is_some_and(|alt| alt.chars().count() > ALT_TEXT_LIMIT) {
            let message = "Param alt_text must be at most 1000 characters long";
            return Err(ApiError::parameter(message));
        }
        let children = match kind {
            Kind::Carousel => self.children(account, &params)?,
            Kind::Text | Kind::Image | Kind::Video => Vec::new(),
        };
        let reply_to = match text(&params, "reply_to_id") {
            Some(id) => Some(self.parent(account, &id, context)?),
            None => None,
        };
        let extras = self.extras(&params, kind, reply_to.is_some())?;
        let fetch = match kind {
            Kind::Image => Some(fetched(&params, "image_url")?),
            Kind::Video => Some(fetched(&params, "video_url")?),
            Kind::Text | Kind::Carousel => None,
        };
        let id = self.next_id();
        let container = Container {
            account,
            kind,
            text: said,
            link,
            reply_to,
            extras,
            is_child,
            children,
            fetch,
            made_at: context.now,
            is_published: false,
        };
        self.containers.insert(id, container);
        Ok(Answer::ok(&json!({ "id": id.to_string() })))
    }

    fn children(&self, account: u64, params: &Map<String, Value>) -> Result<Vec<u64>, ApiError> {
        let given = text(params, "children").unwrap_or_default();
        let ids: Vec<u64> = given.split(',').filter_map(|id| id.trim().parse().ok()).collect();
        if !CHILDREN.contains(&ids.len()) {
            return Err(ApiError::parameter("Param children must have 2 to 20 items"));
        }
        let is_child = |id: &u64| {
            let child = self.containers.get(id);
            child.is_some_and(|child| child.is_child && child.account == account)
        };
        match ids.iter().all(is_child) {
            true => Ok(ids),
            false => Err(ApiError::parameter("Param children must be carousel items")),
        }
    }

    /// Reads what a post is besides its text and its files.
    fn extras(
        &self,
        params: &Map<String, Value>,
        kind: Kind,
        is_reply: bool,
    ) -> Result<Extras, ApiError> {
        let is_on = |name: &str| flag(params, name).unwrap_or(false);
        let topic = text(params, "topic_tag");
        let is_topic = |topic: &String| {
            (1..=TOPIC_LIMIT).contains(&topic.chars().count()) && !topic.contains(['.', '&'])
        };
        if !topic.as_ref().is_none_or(is_topic) {
            let message =
                "Param topic_tag must have 1 to 50 characters without periods and ampersands";
            return Err(ApiError::parameter(message));
        }
        let reply_control = text(params, "reply_control");
        if !reply_control.as_ref().is_none_or(|who| REPLY_CONTROLS.contains(&who.as_str())) {
            let allowed = REPLY_CONTROLS.join(", ");
            let message = format!("Param reply_control must be one of {allowed}");
            return Err(ApiError::parameter(message));
        }
        let quote = match text(params, "quote_post_id") {
            Some(id) => Some(self.post(&id)?.id),
            None => None,
        };
        let (approves_replies, blurs_files, is_ghost) =
            (is_on("enable_reply_approvals"), is_on("is_spoiler_media"), is_on("is_ghost_post"));
        let refused = if approves_replies && is_reply {
            Some("Param enable_reply_approvals is only allowed for root posts")
        } else if blurs_files && kind == Kind::Text {
            Some("Param is_spoiler_media is only allowed for media_type IMAGE, VIDEO and CAROUSEL")
        } else if is_ghost && !is_ghostly(params, kind) {
            Some("Param is_ghost_post is only allowed for text posts without anything else")
        } else {
            None
        };
        match refused {
            Some(message) => Err(ApiError::parameter(message)),
            None => Ok(Extras { topic, reply_control, quote, blurs_files, is_ghost }),
        }
    }

    /// Finds the post that a container will answer. One of the account's own that was published
    /// a moment ago is not known at the first time of asking.
    fn parent(&mut self, account: u64, id: &str, context: &Context<'_>) -> Result<u64, ApiError> {
        let processing = context.options.media_processing;
        let post = id.parse().ok().and_then(|id: u64| self.posts.get_mut(&id));
        let post = post.filter(|post| !post.is_deleted);
        let post = post.ok_or_else(|| ApiError::not_there(2_207_006))?;
        let age = (context.now - post.at).to_std().unwrap_or_default();
        if post.account == account && !post.is_known && age < processing {
            post.is_known = true;
            return Err(ApiError::not_there(2_207_006));
        }
        Ok(post.id)
    }

    /// Returns how far a container is.
    pub(super) fn status(&self, container: &Container, context: &Context<'_>) -> Status {
        if container.is_published {
            return Status::Published;
        }
        if container.made_at + LIFE <= context.now {
            return Status::Expired;
        }
        let of_children = container.children.iter().filter_map(|id| self.containers.get(id));
        let of_children = of_children.map(|child| self.status(child, context));
        for status in of_children.chain(own_status(container, context)) {
            match status {
                Status::Finished | Status::Published => {}
                Status::InProgress | Status::Error(_) | Status::Expired => return status,
            }
        }
        Status::Finished
    }

    /// Answers how far a container is.
    pub(super) fn show_container(
        &self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "threads_basic", context)?;
        let container = self.containers.get(&id).filter(|container| container.account == user);
        let container = container.ok_or_else(|| ApiError::unknown(&id.to_string()))?;
        let status = self.status(container, context);
        let name = match status {
            Status::InProgress => "IN_PROGRESS",
            Status::Finished => "FINISHED",
            Status::Error(_) => "ERROR",
            Status::Expired => "EXPIRED",
            Status::Published => "PUBLISHED",
        };
        let mut view = json!({ "id": id.to_string(), "status": name });
        if let Status::Error(message) = status {
            view["error_message"] = message.into();
        }
        Ok(Answer::ok(&super::posts::chosen(request, view)))
    }

    /// Returns the files of a container, of its children first.
    pub(super) fn files(&self, container: &Container) -> Vec<LiveMedia> {
        let children = container.children.iter().filter_map(|id| self.containers.get(id));
        let fetches = children.chain([container]).filter_map(|container| container.fetch.as_ref());
        let files = fetches.filter_map(|fetch| fetch.ended().flatten());
        files.map(|fetched| fetched.file.clone()).collect()
    }
}

/// Says whether a post may be gone after a day: a text, and at most parts of it that are blurred.
fn is_ghostly(params: &Map<String, Value>, kind: Kind) -> bool {
    let others = [
        "reply_to_id",
        "link_attachment",
        "poll_attachment",
        "topic_tag",
        "quote_post_id",
        "text_attachment",
    ];
    kind == Kind::Text && !others.iter().any(|name| params.contains_key(*name))
}

/// Returns how far the container's own file is.
fn own_status(container: &Container, context: &Context<'_>) -> Option<Status> {
    let fetch = container.fetch.as_ref()?;
    let is_video = container.kind == Kind::Video;
    let Some(ended) = fetch.ended() else { return Some(Status::InProgress) };
    let Some(fetched) = ended else {
        return Some(Status::Error(if is_video { "FAILED_DOWNLOADING_VIDEO" } else { "UNKNOWN" }));
    };
    let kind = picture::kind(&fetched.head);
    let is_right = match is_video {
        true => kind == Some(FileKind::Video) && fetched.file.bytes <= VIDEO_BYTES,
        false => {
            let is_taken = fetched.head.starts_with(&[0xff, 0xd8])
                || fetched.head.starts_with(b"\x89PNG\r\n\x1a\n");
            is_taken && fetched.file.bytes <= IMAGE_BYTES
        }
    };
    if !is_right {
        return Some(Status::Error(if is_video { "FAILED_PROCESSING_VIDEO" } else { "UNKNOWN" }));
    }
    let age = (context.now - container.made_at).to_std().unwrap_or_default();
    if is_video && age < context.options.media_processing {
        return Some(Status::InProgress);
    }
    Some(Status::Finished)
}

fn fetched(params: &Map<String, Value>, name: &str) -> Result<Fetch, ApiError> {
    let link = text(params, name).unwrap_or_default();
    if link.is_empty() {
        return Err(ApiError::parameter(format!("Param {name} is required")));
    }
    if fetch::address(&link).is_none() {
        let message = format!("The media could not be fetched from this URI: {link}");
        return Err(ApiError::new(9004, 2_207_052, message));
    }
    Ok(fetch::begin(&link))
}

fn check_poll(params: &Map<String, Value>, kind: Kind, has_link: bool) -> Result<(), ApiError> {
    let Some(given) = text(params, "poll_attachment") else { return Ok(()) };
    let poll: Map<String, Value> = serde_json::from_str(&given)
        .map_err(|_| ApiError::parameter("Param poll_attachment must be an object"))?;
    if kind != Kind::Text || has_link {
        let message = "Param poll_attachment is only allowed for text without link_attachment";
        return Err(ApiError::parameter(message));
    }
    let names = ["option_a", "option_b", "option_c", "option_d"];
    let is_named =
        poll.len() >= 2 && names.iter().take(poll.len()).all(|name| poll.contains_key(*name));
    let is_choice = |choice: &Value| {
        let length = choice.as_str().map_or(0, |choice| choice.chars().count());
        (1..=CHOICE_LIMIT).contains(&length)
    };
    match is_named && poll.len() <= names.len() && poll.values().all(is_choice) {
        true => Ok(()),
        false => {
            let message = "Param poll_attachment must have 2 to 4 options of at most 25 characters";
            Err(ApiError::parameter(message))
        }
    }
}
