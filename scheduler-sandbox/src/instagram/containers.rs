//! Containers: `/{user}/media`, and the bytes of videos.
//!
//! Source: `content-publishing`, `ig-user/media`. Lengths, frame rates and codecs of videos are
//! not looked at.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::error::ApiError;
use super::oauth::Way;
use super::{Instagram, chosen, fields};
use crate::answer::Answer;
use crate::fetch::{self, Fetch, Fetched};
use crate::network::{Context, LiveMedia};
use crate::params::{flag, params, text};
use crate::picture::{self, FileKind};
use crate::quota::Limit;
use crate::request::Request;

/// Life of a container.
const LIFE: TimeDelta = TimeDelta::hours(24);
/// Longest caption, in code points.
const CAPTION_LIMIT: usize = 2_200;
/// Most hashtags and mentions of a caption, and collaborators of a post.
const HASHTAGS_MAX: usize = 30;
const MENTIONS_MAX: usize = 20;
const COLLABORATORS_MAX: usize = 3;
/// Longest alternative text.
const ALT_TEXT_LIMIT: usize = 1_000;

/// People who are tagged in one file at most.
const USER_TAGS_MAX: usize = 20;
/// Largest files, in bytes.
const IMAGE_BYTES: u64 = 8_388_608;
const REEL_BYTES: u64 = 300_000_000;
const STORY_VIDEO_BYTES: u64 = 100_000_000;
/// Narrowest and widest picture of the feed. The documentation names 4:5, and 3:4 is taken. Source:
/// <https://github.com/mvdicarlo/postybirb/pull/762>.
const RATIOS: std::ops::RangeInclusive<f64> = 0.745..=1.915;
/// Containers that an account may make.
const CONTAINERS: Limit = Limit { name: "containers", points: 400, window_seconds: 86_400 };

const NEED: &[&str] = &["instagram_content_publish", "instagram_business_content_publish"];

/// What a container is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Picture,
    Reel,
    Story { is_video: bool },
    Child { is_video: bool },
    Carousel,
}

impl Kind {
    const fn is_video(self) -> bool {
        matches!(self, Self::Reel | Self::Story { is_video: true } | Self::Child { is_video: true })
    }

    /// Returns where it is shown.
    pub(super) const fn product(self) -> &'static str {
        match self {
            Self::Reel => "REELS",
            Self::Story { .. } => "STORY",
            Self::Picture | Self::Child { .. } | Self::Carousel => "FEED",
        }
    }
}

/// Something that is not published yet.
#[derive(Clone, Debug)]
pub(super) struct Container {
    pub(super) id: u64,
    pub(super) account: u64,
    pub(super) kind: Kind,
    pub(super) caption: String,
    pub(super) children: Vec<u64>,
    /// The file; `None` while its bytes are still to come, and for a carousel.
    file: Option<Fetch>,
    /// The cover of a reel.
    cover: Option<Fetch>,
    /// When the file was first seen to be there.
    arrived_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    pub(super) is_published: bool,
}

/// The state of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Status {
    InProgress,
    Finished,
    Expired,
    Published,
    Error(ApiError),
}

impl Container {
    /// Returns the file as it is shown.
    pub(super) fn live_media(&self) -> Option<LiveMedia> {
        let fetched = self.file.as_ref()?.ended()??;
        Some(fetched.file.clone())
    }

    /// Returns how far the network is with it.
    pub(super) fn status(&mut self, context: &Context<'_>) -> Status {
        if self.is_published {
            return Status::Published;
        }
        if context.now >= self.created_at + LIFE {
            return Status::Expired;
        }
        if self.kind == Kind::Carousel {
            return Status::Finished;
        }
        let Some(file) = &self.file else { return Status::InProgress };
        let fetched = match file.ended() {
            None => return Status::InProgress,
            Some(None) => {
                let message = "The media could not be fetched from this URI.";
                return Status::Error(ApiError::sub(9004, 2_207_052, message));
            }
            Some(Some(fetched)) => fetched,
        };
        if let Err(error) = check_file(self.kind, fetched) {
            return Status::Error(error);
        }
        match self.cover.as_ref().map(Fetch::ended) {
            None => {}
            Some(None) => return Status::InProgress,
            Some(Some(None)) => {
                let message = "The cover could not be fetched from this URI.";
                return Status::Error(ApiError::sub(9004, 2_207_052, message));
            }
            Some(Some(Some(cover))) => {
                if let Err(error) = check_picture(cover) {
                    return Status::Error(error);
                }
            }
        }
        let arrived_at = *self.arrived_at.get_or_insert(context.now);
        let processing =
            TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1));
        if self.kind.is_video() && context.now < arrived_at + processing {
            return Status::InProgress;
        }
        Status::Finished
    }
}

impl Instagram {
    /// Makes a container.
    ///
    /// # Errors
    /// What is wrong with its parameters; those of tokens.
    pub(super) fn create_container(
        &mut self,
        request: &Request,
        user: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.own_account(request, user, NEED, context)?;
        let way = self.token(request, context.now)?.way;
        if context.options.quotas {
            let standing = self.quotas.take(CONTAINERS, &account.to_string(), 1, context.now);
            if standing.is_exceeded {
                return Err(ApiError::new(4, "(#4) Too many containers were made today"));
            }
        }
        let params = params(request);
        let kind = kind(&params)?;
        let caption = text(&params, "caption").unwrap_or_default();
        check_caption(&caption)?;
        check_collaborators(&params, kind)?;
        check_options(&params, kind)?;
        if text(&params, "alt_text").is_some_and(|text| text.chars().count() > ALT_TEXT_LIMIT) {
            return Err(ApiError::parameter("Param alt_text is too long"));
        }
        let (mut children, mut file) = (Vec::new(), None);
        let is_resumable = text(&params, "upload_type").as_deref() == Some("resumable");
        if kind == Kind::Carousel {
            children = self.children(&params, account, context)?;
        } else if is_resumable {
            if way != Way::ViaPage || !kind.is_video() {
                return Err(ApiError::parameter("Param upload_type is not allowed"));
            }
        } else {
            let name = if kind.is_video() { "video_url" } else { "image_url" };
            let url = text(&params, name).filter(|url| !url.is_empty());
            let url = url
                .ok_or_else(|| ApiError::parameter(&format!("The parameter {name} is required")))?;
            file = Some(fetch::begin(&url));
        }
        let cover = text(&params, "cover_url").map(|url| fetch::begin(&url));
        let id = self.next_id();
        let container = Container {
            id,
            account,
            kind,
            caption,
            children,
            file,
            cover,
            arrived_at: None,
            created_at: context.now,
            is_published: false,
        };
        self.containers.insert(id, container);
        let mut answer = json!({ "id": id.to_string() });
        if is_resumable {
            answer["uri"] = json!(format!("{}/ig-api-upload/v26.0/{id}", context.base));
        }
        Ok(Answer::ok(&answer))
    }

    fn children(
        &mut self,
        params: &Map<String, Value>,
        account: u64,
        context: &Context<'_>,
    ) -> Result<Vec<u64>, ApiError> {
        let listed = text(params, "children").unwrap_or_default();
        let ids: Vec<&str> = listed.split(',').filter(|id| !id.is_empty()).collect();
        if !(2..=10).contains(&ids.len()) {
            let message = "A carousel needs two to ten files.";
            return Err(ApiError::sub(100, 2_207_028, message));
        }
        let mut children = Vec::new();
        for id in ids {
            let child = id.parse().ok().and_then(|id: u64| self.containers.get_mut(&id));
            let child = child.filter(|child| child.account == account);
            let child =
                child.ok_or_else(|| ApiError::sub(24, 2_207_006, "The media was not found."))?;
            if !matches!(child.kind, Kind::Child { .. }) {
                return Err(ApiError::parameter("A child must be made with is_carousel_item"));
            }
            match child.status(context) {
                Status::Finished => children.push(child.id),
                Status::InProgress => {
                    let message = "The media is not ready for publishing.";
                    return Err(ApiError::sub(9007, 2_207_027, message));
                }
                Status::Expired => {
                    return Err(ApiError::sub(-2, 2_207_020, "The media has expired."));
                }
                Status::Published => return Err(ApiError::parameter("A child was published")),
                Status::Error(error) => return Err(error),
            }
        }
        Ok(children)
    }

    /// Answers how far the network is with a container.
    ///
    /// # Errors
    /// Another's container, a field that does not exist, those of tokens.
    pub(super) fn show_container(
        &mut self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let container = self.containers.get_mut(&id).filter(|found| found.account == account);
        let container = container.ok_or_else(|| ApiError::missing(&id.to_string()))?;
        let (code, words) = match container.status(context) {
            Status::InProgress => {
                ("IN_PROGRESS", "In Progress: Media is still being processed.".to_owned())
            }
            Status::Finished => (
                "FINISHED",
                "Finished: Media has been uploaded and it is ready to be published.".to_owned(),
            ),
            Status::Expired => {
                ("EXPIRED", "Expired: Media was not published within 24 hours.".to_owned())
            }
            Status::Published => ("PUBLISHED", "Published: Media has been published.".to_owned()),
            Status::Error(error) => {
                let code = error.subcode.unwrap_or_default();
                ("ERROR", format!("Error: Media upload has failed with error code {code}"))
            }
        };
        let whole = json!({ "id": id.to_string(), "status_code": code, "status": words });
        Ok(Answer::ok(&chosen(&whole, &fields(request))?))
    }

    /// Takes the bytes of a video.
    ///
    /// # Errors
    /// Another's container, one that has its bytes, bytes that are not whole, those of tokens.
    pub(super) fn upload(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let failed = |message: &str| ApiError::sub(-1, 2_207_082, message);
        let number: u64 = id.parse().map_err(|_| ApiError::missing(id))?;
        let container = self.containers.get_mut(&number).filter(|found| found.account == account);
        let container = container.ok_or_else(|| ApiError::missing(id))?;
        let size = request.header("file_size").and_then(|size| size.parse::<u64>().ok());
        if container.file.is_some() || !container.kind.is_video() {
            return Err(failed("The media takes no bytes."));
        }
        if request.header("offset") != Some("0") || size != Some(request.body.length) {
            return Err(failed("The bytes are not those that were announced."));
        }
        container.arrived_at = Some(context.now);
        let file = LiveMedia {
            media_type: request.content_type(),
            bytes: request.body.length,
            sha256: request.body.sha256,
        };
        container.file = Some(Fetch::done(Fetched { file, head: request.body.head().to_vec() }));
        Ok(Answer::ok(&json!({ "success": true, "message": "Upload successful." })))
    }
}

fn kind(params: &Map<String, Value>) -> Result<Kind, ApiError> {
    let is_child = flag(params, "is_carousel_item").unwrap_or(false);
    let is_video = params.contains_key("video_url") || params.contains_key("upload_type");
    match (text(params, "media_type").as_deref(), is_child) {
        (None | Some("IMAGE"), false) => Ok(Kind::Picture),
        (None | Some("IMAGE"), true) => Ok(Kind::Child { is_video: false }),
        (Some("VIDEO"), true) => Ok(Kind::Child { is_video: true }),
        (Some("REELS"), false) => Ok(Kind::Reel),
        (Some("STORIES"), false) => Ok(Kind::Story { is_video }),
        (Some("CAROUSEL"), false) => Ok(Kind::Carousel),
        _ => Err(ApiError::sub(100, 2_207_023, "The media type is unknown.")),
    }
}

fn check_caption(caption: &str) -> Result<(), ApiError> {
    let starting = |sign: char| {
        let is_one = |word: &&str| word.len() > 1 && word.starts_with(sign);
        caption.split_whitespace().filter(is_one).count()
    };
    if caption.chars().count() > CAPTION_LIMIT {
        let message = "The caption is too long. It should be at most 2,200 characters.";
        Err(ApiError::sub(36004, 2_207_010, message))
    } else if starting('@') > MENTIONS_MAX {
        Err(ApiError::sub(100, 2_207_040, "The caption has more than 20 mentions."))
    } else if starting('#') > HASHTAGS_MAX {
        Err(ApiError::parameter("The caption has more than 30 hashtags"))
    } else {
        Ok(())
    }
}

fn check_collaborators(params: &Map<String, Value>, kind: Kind) -> Result<(), ApiError> {
    let Some(sent) = params.get("collaborators") else { return Ok(()) };
    if matches!(kind, Kind::Child { .. } | Kind::Story { .. }) {
        return Err(ApiError::parameter("The param collaborators is not allowed for this media"));
    }
    let names: Option<Vec<String>> = match sent {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => serde_json::from_value(other.clone()).ok(),
    };
    let names = names.ok_or_else(|| ApiError::parameter("Param collaborators must be an array"))?;
    if names.len() > COLLABORATORS_MAX {
        return Err(ApiError::parameter("Param collaborators must have at most 3 elements"));
    }
    if names.iter().any(|name| name.starts_with('@')) {
        return Err(ApiError::parameter("Param collaborators must hold user names"));
    }
    Ok(())
}

/// Refuses what goes with other forms of posts than this, or is not written as it has to be.
fn check_options(params: &Map<String, Value>, kind: Kind) -> Result<(), ApiError> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if let Some(place) = text(params, "location_id") {
        if matches!(kind, Kind::Child { .. } | Kind::Story { .. }) {
            return Err(ApiError::parameter("Param location_id is not allowed for this media"));
        }
        if !is_digits(&place) {
            return Err(ApiError::parameter("Param location_id must be a valid ID"));
        }
    }
    if let Some(trial) = text(params, "trial_params") {
        let trial: Option<Value> = serde_json::from_str(&trial).ok();
        let strategy = trial.as_ref().and_then(|trial| trial["graduation_strategy"].as_str());
        if kind != Kind::Reel || !matches!(strategy, Some("MANUAL" | "SS_PERFORMANCE")) {
            return Err(ApiError::parameter("Param trial_params is not allowed for this media"));
        }
    }
    if let Some(offset) = text(params, "thumb_offset")
        && !(kind.is_video() && is_digits(&offset))
    {
        return Err(ApiError::parameter(
            "Param thumb_offset must be a non-negative number of videos",
        ));
    }
    if params.contains_key("cover_url") && kind != Kind::Reel {
        return Err(ApiError::parameter("Param cover_url is only allowed for reels"));
    }
    let is_boolean = |text: &String| matches!(text.as_str(), "true" | "false" | "1" | "0");
    if text(params, "is_ai_generated").is_some_and(|text| !is_boolean(&text)) {
        return Err(ApiError::parameter("Param is_ai_generated must be a boolean"));
    }
    check_partnership(params, kind)?;
    match text(params, "user_tags") {
        Some(tags) => check_user_tags(&tags, kind),
        None => Ok(()),
    }
}

/// Checks labels of partnerships and music.
///
/// Source: <https://developers.facebook.com/docs/instagram-platform/content-publishing>,
/// `is_paid_partnership`, `branded_content_sponsor_ids` and `audio_configuration`.
fn check_partnership(params: &Map<String, Value>, kind: Kind) -> Result<(), ApiError> {
    let is_labelled = ["is_paid_partnership", "branded_content_sponsor_ids"]
        .iter()
        .any(|name| params.contains_key(*name));
    if is_labelled && matches!(kind, Kind::Child { .. } | Kind::Story { .. }) {
        let message = "Param is_paid_partnership is not allowed for this media";
        return Err(ApiError::parameter(message));
    }
    if let Some(sponsors) = text(params, "branded_content_sponsor_ids") {
        let sponsors: Option<Vec<String>> = serde_json::from_str(&sponsors).ok();
        if sponsors.is_none_or(|sponsors| sponsors.is_empty() || sponsors.len() > 2) {
            let message = "Param branded_content_sponsor_ids must have 1 to 2 elements";
            return Err(ApiError::parameter(message));
        }
    }
    if let Some(audio) = text(params, "audio_configuration") {
        let audio: Option<Value> = serde_json::from_str(&audio).ok();
        let is_right = audio.is_some_and(|audio| {
            let is_volume = |name: &str| {
                let volume = &audio[name];
                volume.is_null() || volume.as_u64().is_some_and(|volume| volume <= 100)
            };
            audio["audio_id"].is_string() && is_volume("audio_volume") && is_volume("video_volume")
        });
        if kind != Kind::Reel || !is_right {
            let message = "Param audio_configuration is not allowed for this media";
            return Err(ApiError::parameter(message));
        }
    }
    Ok(())
}

/// Checks who is said to be seen in a file: in a picture everybody has a place.
fn check_user_tags(tags: &str, kind: Kind) -> Result<(), ApiError> {
    let refuse = |why: &str| Err(ApiError::parameter(&format!("Param user_tags {why}")));
    let tags: Vec<Value> = match serde_json::from_str(tags) {
        Ok(Value::Array(tags)) => tags,
        _ => return refuse("must be an array"),
    };
    if kind == Kind::Carousel {
        return refuse("is only allowed for the children of a carousel");
    }
    if tags.len() > USER_TAGS_MAX {
        return refuse("has too many elements");
    }
    let is_story = matches!(kind, Kind::Story { .. });
    for tag in &tags {
        if tag["username"].as_str().is_none_or(str::is_empty) {
            return refuse("needs usernames");
        }
        let is_place = |name: &str| tag[name].as_f64().is_some_and(|it| (0.0..=1.0).contains(&it));
        let has_place = tag.get("x").is_some() || tag.get("y").is_some();
        let needs_place = !kind.is_video() && !is_story;
        if (needs_place || has_place) && !(is_place("x") && is_place("y")) {
            return refuse("needs x and y, each from 0 to 1");
        }
        if kind.is_video() && has_place && !is_story {
            return refuse("of videos takes no x and y");
        }
    }
    Ok(())
}

fn check_picture(fetched: &Fetched) -> Result<(), ApiError> {
    if !fetched.head.starts_with(&[0xff, 0xd8, 0xff]) {
        return Err(ApiError::sub(36001, 2_207_005, "The image format is not supported."));
    }
    if fetched.file.bytes > IMAGE_BYTES {
        return Err(ApiError::sub(36000, 2_207_004, "The image is too large to download."));
    }
    Ok(())
}

fn check_file(kind: Kind, fetched: &Fetched) -> Result<(), ApiError> {
    if kind.is_video() {
        let most = if matches!(kind, Kind::Story { .. }) { STORY_VIDEO_BYTES } else { REEL_BYTES };
        let is_video = picture::kind(&fetched.head) == Some(FileKind::Video);
        return if is_video && fetched.file.bytes <= most {
            Ok(())
        } else {
            Err(ApiError::sub(352, 2_207_026, "The video format is not supported."))
        };
    }
    check_picture(fetched)?;
    let is_story = matches!(kind, Kind::Story { .. });
    if let Some((width, height)) = picture::dimensions(&fetched.head).filter(|_| !is_story) {
        let ratio = f64::from(width) / f64::from(height.max(1));
        if !RATIOS.contains(&ratio) {
            let message = "The aspect ratio of the image is not supported.";
            return Err(ApiError::sub(36003, 2_207_009, message));
        }
    }
    Ok(())
}
