//! The begin of a publish: a video that is announced, photos that are named.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>,
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-photo-post>,
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-upload-video>.

use std::cell::Cell;

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Tiktok;
use super::error::{ApiError, ok};
use super::upload::Upload;
use crate::answer::Answer;
use crate::fetch::{self, Fetch};
use crate::network::Context;
use crate::outside::random_secret;
use crate::request::Request;

/// Longest captions of videos, descriptions and titles of photos, in UTF-16 units.
const CAPTION: usize = 2200;
const DESCRIPTION: usize = 4000;
const TITLE: usize = 90;
/// Most photos of a post.
const PHOTOS: usize = 35;
/// Life of the address that the bytes of a video are sent to.
pub(super) const UPLOAD_LIFE: TimeDelta = TimeDelta::hours(1);

/// A publish.
#[derive(Clone, Debug)]
pub(super) struct Publish {
    pub(super) id: String,
    pub(super) open_id: String,
    pub(super) text: String,
    /// Who may see it; drafts have none.
    pub(super) privacy: Option<String>,
    pub(super) is_video: bool,
    pub(super) is_draft: bool,
    /// How a video arrives.
    pub(super) upload: Option<Upload>,
    /// Files that are fetched.
    pub(super) fetches: Vec<Fetch>,
    /// When the network began to work on it.
    pub(super) begun_at: Option<DateTime<Utc>>,
    /// What its post is called.
    pub(super) post_id: u64,
    pub(super) is_cancelled: bool,
    /// It was refused by a fault, and stays so.
    pub(super) is_refused: Cell<bool>,
}

impl Tiktok {
    /// Announces a video; `is_draft` for one that goes to the inbox of the app.
    ///
    /// # Errors
    /// Those of tokens and scopes; fields that cannot be accepted; limits.
    pub(super) fn init_video(
        &mut self,
        request: &Request,
        is_draft: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let scope = if is_draft { "video.upload" } else { "video.publish" };
        let open_id = self.caller(request, scope, context)?.open_id;
        let body = body(request)?;
        let (text, privacy) = match is_draft {
            true => (String::new(), None),
            false => {
                let info = &body["post_info"];
                let toggles = ["disable_duet", "disable_comment", "disable_stitch", "is_aigc"];
                check_toggles(info, &toggles)?;
                let cover = &info["video_cover_timestamp_ms"];
                if !cover.is_null() && cover.as_u64().is_none() {
                    return Err(ApiError::invalid("The video_cover_timestamp_ms is invalid"));
                }
                (text_of(info, "title", CAPTION)?, Some(self.privacy(info, &open_id)?))
            }
        };
        let source = &body["source_info"];
        let mut upload = None;
        let mut fetches = Vec::new();
        let kind = match source["source"].as_str() {
            Some("FILE_UPLOAD") => {
                let expires_at = context.now + UPLOAD_LIFE;
                upload = Some(Upload::begin(source, random_secret(), expires_at)?);
                "file"
            }
            Some("PULL_FROM_URL") => {
                fetches = vec![fetched(source["video_url"].as_str())?];
                "url"
            }
            _ => return Err(ApiError::invalid("The source is invalid")),
        };
        self.take_publish(&open_id, is_draft, context)?;
        let prefix = if is_draft { "v_inbox" } else { "v_pub" };
        let id = format!("{prefix}_{kind}~v2-1.{}", self.next_id());
        let url = upload.as_ref().map(|upload| upload.url(context.base, &id));
        let begun_at = upload.is_none().then_some(context.now);
        let publish = Publish {
            id: id.clone(),
            open_id,
            text,
            privacy,
            is_video: true,
            is_draft,
            upload,
            fetches,
            begun_at,
            post_id: self.next_id(),
            is_cancelled: false,
            is_refused: Cell::new(false),
        };
        self.publishes.push(publish);
        Ok(ok(&match url {
            Some(url) => json!({ "publish_id": id, "upload_url": url }),
            None => json!({ "publish_id": id }),
        }))
    }

    /// Takes the names of photos, and begins to fetch them.
    ///
    /// # Errors
    /// Those of tokens and scopes; fields that cannot be accepted; limits.
    pub(super) fn init_content(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let body = body(request)?;
        let is_draft = match body["post_mode"].as_str() {
            Some("DIRECT_POST") => false,
            Some("MEDIA_UPLOAD") => true,
            _ => return Err(ApiError::invalid("The post_mode is invalid")),
        };
        let scope = if is_draft { "video.upload" } else { "video.publish" };
        let open_id = self.caller(request, scope, context)?.open_id;
        if body["media_type"].as_str() != Some("PHOTO") {
            return Err(ApiError::invalid("The media_type is invalid"));
        }
        let info = &body["post_info"];
        text_of(info, "title", TITLE)?;
        let text = text_of(info, "description", DESCRIPTION)?;
        let privacy = match is_draft {
            true => None,
            false => {
                check_toggles(info, &["disable_comment", "auto_add_music"])?;
                Some(self.privacy(info, &open_id)?)
            }
        };
        let source = &body["source_info"];
        if source["source"].as_str() != Some("PULL_FROM_URL") {
            return Err(ApiError::invalid("The source is invalid"));
        }
        let links = source["photo_images"].as_array().map(Vec::as_slice).unwrap_or_default();
        if links.is_empty() || links.len() > PHOTOS {
            return Err(ApiError::invalid("photo_images must have 1 to 35 items"));
        }
        let cover = source["photo_cover_index"].as_u64().and_then(|at| usize::try_from(at).ok());
        if cover.is_none_or(|cover| cover >= links.len()) {
            return Err(ApiError::invalid("The photo_cover_index is invalid"));
        }
        // Whether all may be fetched is looked at before any is.
        for link in links {
            check_link(link.as_str())?;
        }
        self.take_publish(&open_id, is_draft, context)?;
        let fetches: Vec<Fetch> =
            links.iter().map(|link| fetched(link.as_str())).collect::<Result<_, _>>()?;
        let prefix = if is_draft { "p_inbox_url" } else { "p_pub_url" };
        let id = format!("{prefix}~v2.{}", self.next_id());
        let publish = Publish {
            id: id.clone(),
            open_id,
            text,
            privacy,
            is_video: false,
            is_draft,
            upload: None,
            fetches,
            begun_at: Some(context.now),
            post_id: self.next_id(),
            is_cancelled: false,
            is_refused: Cell::new(false),
        };
        self.publishes.push(publish);
        Ok(ok(&json!({ "publish_id": id })))
    }

    /// Returns who may see a post, if the account may choose that.
    fn privacy(&self, info: &Value, open_id: &str) -> Result<String, ApiError> {
        let chosen = info["privacy_level"].as_str();
        let chosen = chosen.ok_or_else(|| ApiError::invalid("The privacy_level is required"))?;
        let account = self.accounts.get(open_id).ok_or_else(ApiError::token)?;
        if !account.privacy_levels().contains(&chosen) {
            let code = "privacy_level_option_mismatch";
            let message = "Privacy level is not among the options of /creator_info/query/";
            return Err(ApiError::new(StatusCode::FORBIDDEN, code, message));
        }
        Ok(chosen.to_owned())
    }
}

/// Returns the body of a call, which must be JSON and say so.
pub(super) fn body(request: &Request) -> Result<Value, ApiError> {
    let is_json = request.content_type() == "application/json";
    let body = request.json().filter(|body| is_json && body.is_object());
    body.cloned().ok_or_else(|| ApiError::invalid("The request body is invalid"))
}

fn text_of(info: &Value, name: &str, limit: usize) -> Result<String, ApiError> {
    let text = match &info[name] {
        Value::Null => "",
        Value::String(text) => text,
        _ => return Err(ApiError::invalid(&format!("The {name} is invalid"))),
    };
    if text.encode_utf16().count() > limit {
        return Err(ApiError::invalid(&format!("The {name} is longer than {limit} UTF-16 runes")));
    }
    Ok(text.to_owned())
}

fn check_toggles(info: &Value, names: &[&str]) -> Result<(), ApiError> {
    let own = ["brand_content_toggle", "brand_organic_toggle"];
    let mut values = names.iter().chain(&own).map(|name| &info[*name]);
    match values.all(|value| value.is_null() || value.is_boolean()) {
        true => Ok(()),
        false => Err(ApiError::invalid("A toggle is invalid")),
    }
}

/// Checks a link: only this machine is verified.
fn check_link(link: Option<&str>) -> Result<&str, ApiError> {
    let link = link.ok_or_else(|| ApiError::invalid("A URL is invalid"))?;
    if fetch::address(link).is_none() {
        let code = "url_ownership_unverified";
        let message = "Please review our URL ownership verification rules";
        return Err(ApiError::new(StatusCode::FORBIDDEN, code, message));
    }
    Ok(link)
}

fn fetched(link: Option<&str>) -> Result<Fetch, ApiError> {
    check_link(link).map(fetch::begin)
}
