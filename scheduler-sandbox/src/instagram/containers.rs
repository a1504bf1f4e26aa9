//! Containers: `/{user}/media`, and the bytes of videos.
//!
//! Source: `content-publishing`, `ig-user/media`. Lengths, frame rates and codecs of videos are
//! not looked at.

mod checks;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use self::checks::{
    check_caption, check_collaborators, check_file, check_options, check_picture, kind,
};
use super::error::ApiError;
use super::oauth::Way;
use super::{Instagram, chosen, fields};
use crate::answer::Answer;
use crate::fetch::{self, Fetch, Fetched};
use crate::network::{Context, LiveMedia};
use crate::params::{params, text};
use crate::quota::Limit;
use crate::request::Request;

/// Life of a container.
const LIFE: TimeDelta = TimeDelta::hours(24);
/// Longest alternative text.
const ALT_TEXT_LIMIT: usize = 1_000;

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
