//! Files: sent whole or in segments, looked at, described.
//!
//! Source: <https://docs.x.com/x-api/media/introduction>,
//! <https://docs.x.com/x-api/media/quickstart/best-practices> and
//! <https://api.x.com/2/openapi.json>, 2.167, `/2/media/…`. The length and the codec of a video,
//! the pictures of a GIF and subtitles are not looked at.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Twitter;
use super::error::ApiError;
use super::limits::COST_OF_METADATA;
use crate::answer::Answer;
use crate::multipart::Part;
use crate::network::{Context, LiveMedia};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Largest files of each category, in bytes, with the start of their keys.
const CATEGORIES: [Category; 3] = [
    Category { name: "tweet_image", bytes: 5_000_000, key: 3, is_slow: false },
    Category { name: "tweet_gif", bytes: 15_000_000, key: 16, is_slow: true },
    Category { name: "tweet_video", bytes: 512_000_000, key: 7, is_slow: true },
];
/// Largest body with bytes of a file: 5 MB are documented, and less is let through.
///
/// Source: <https://github.com/abraham/twitteroauth/issues/1257>.
const SEGMENT_BYTES: u64 = 2 * 1024 * 1024;
/// Segments of a file at most.
const SEGMENTS: usize = 1_000;
/// Life of a file that is not complete, and of one that no post shows.
const OPEN_LIFE: TimeDelta = TimeDelta::seconds(1_295_999);
const LIFE: TimeDelta = TimeDelta::hours(24);
/// When a client is told to ask again.
const CHECK_AFTER_SECONDS: i64 = 1;
/// Longest alternative text, in characters.
const ALT_TEXT: usize = 1_000;
/// What a warning may say.
const WARNINGS: [&str; 3] = ["adult_content", "graphic_violence", "other"];
/// Most files of a post.
const FILES: usize = 4;

/// A kind of files.
#[derive(Debug, PartialEq, Eq)]
struct Category {
    name: &'static str,
    bytes: u64,
    key: u32,
    /// X works on it after it is complete.
    is_slow: bool,
}

/// A file that was announced or sent.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) id: u64,
    owner: u64,
    category: &'static Category,
    announced_bytes: u64,
    segments: Vec<Option<(u64, [u8; 32])>>,
    expires_at: DateTime<Utc>,
    /// When a post can show it; `None` until it is complete.
    ready_at: Option<DateTime<Utc>>,
    has_failed: bool,
    file: LiveMedia,
    alt_text: Option<String>,
    warnings: Vec<String>,
}

impl File {
    /// Returns the key by which it is known in a post.
    pub(super) fn key(&self) -> String {
        format!("{}_{}", self.category.key, self.id)
    }

    /// Returns the file as the control shows it.
    pub(super) fn live(&self) -> LiveMedia {
        self.file.clone()
    }

    /// Returns the file as the API shows it.
    fn view(&self, now: DateTime<Utc>) -> Value {
        let mut view = json!({
            "id": self.id.to_string(),
            "media_key": self.key(),
            "expires_after_secs": (self.expires_at - now).num_seconds(),
        });
        if self.ready_at.is_some() {
            view["size"] = json!(self.file.bytes);
        }
        if let Some(ready_at) = self.ready_at.filter(|_| self.category.is_slow) {
            view["processing_info"] = match self.has_failed {
                _ if now < ready_at => {
                    json!({ "state": "in_progress", "check_after_secs": CHECK_AFTER_SECONDS })
                }
                true => json!({
                    "state": "failed",
                    "error": { "code": 1, "name": "InvalidMedia", "message": "InvalidContent" },
                }),
                false => json!({ "state": "succeeded", "progress_percent": 100 }),
            };
        }
        view
    }

    /// Takes over a whole file.
    fn complete(&mut self, file: LiveMedia, context: &Context<'_>) {
        let processing = match self.category.is_slow {
            true => {
                TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1))
            }
            false => TimeDelta::zero(),
        };
        self.file = file;
        self.ready_at = Some(context.now + processing);
        self.expires_at = context.now + LIFE;
    }
}

fn wrong(name: &str, value: &Value, problem: &str) -> ApiError {
    ApiError::invalid(name, value, &format!("$.{name}: {problem}"))
}

/// Returns the error of a file that is not taken.
pub(super) fn unusable() -> ApiError {
    wrong("media", &Value::Null, "is too large or of another type")
}

/// Returns the error of a body that is not let through.
fn too_large() -> ApiError {
    let title = "Payload Too Large";
    ApiError::problem(StatusCode::PAYLOAD_TOO_LARGE, "", title, title)
}

/// Returns the error of files that a post cannot show.
fn invalid_ids(ids: &Value) -> ApiError {
    ApiError::invalid("media.media_ids", ids, "Your media IDs are invalid.")
}

fn category(name: &Value) -> Result<&'static Category, ApiError> {
    CATEGORIES
        .iter()
        .find(|category| name == category.name)
        .ok_or_else(|| wrong("media_category", name, "does not have a value in the enumeration"))
}

fn fits(category: &Category, head: &[u8]) -> bool {
    match picture::kind(head) {
        Some(FileKind::Image) => category.name == "tweet_image",
        Some(FileKind::Gif) => category.name != "tweet_video",
        Some(FileKind::Video) => category.name == "tweet_video",
        Some(FileKind::Audio) | None => false,
    }
}

impl Twitter {
    /// Takes an image whole.
    ///
    /// # Errors
    /// 400 for what is missing, too large or of another kind; those of tokens.
    pub(super) fn upload_whole(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let owner = self.caller(request, &["media.write"], context)?;
        let media = part(request, "media")?;
        let category = category(&text_of(request, "media_category"))?;
        if category.is_slow {
            let name = json!(category.name);
            return Err(wrong("media_category", &name, "has to be uploaded in segments"));
        }
        if media.length > SEGMENT_BYTES {
            return Err(too_large());
        }
        if !fits(category, &media.head) {
            return Err(unusable());
        }
        let mut file = self.new_file(owner, category, media.length, context);
        file.complete(live(media), context);
        let view = file.view(context.now);
        self.files.insert(file.id, file);
        Ok(Answer::ok(&json!({ "data": view })))
    }

    /// Announces a file that comes in segments.
    ///
    /// # Errors
    /// 400 for what is missing or wrong; those of tokens.
    pub(super) fn announce(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        const KNOWN: [&str; 5] =
            ["additional_owners", "media_category", "media_type", "shared", "total_bytes"];
        let owner = self.caller(request, &["media.write"], context)?;
        let body = request.json().cloned().unwrap_or_default();
        let unknown = body.as_object().into_iter().flatten();
        if let Some((name, value)) =
            unknown.clone().find(|(name, _)| !KNOWN.contains(&name.as_str()))
        {
            return Err(wrong(name, value, "is not defined in the schema"));
        }
        let category = category(&body["media_category"])?;
        let media_type = body["media_type"].as_str().unwrap_or_default();
        let bytes =
            body["total_bytes"].as_u64().filter(|bytes| (1..=category.bytes).contains(bytes));
        let bytes = bytes.ok_or_else(|| {
            wrong("total_bytes", &body["total_bytes"], "is missing or out of range")
        })?;
        if !media_type.starts_with("image/") && !media_type.starts_with("video/") {
            return Err(wrong("media_type", &body["media_type"], "is not in the enumeration"));
        }
        let mut file = self.new_file(owner, category, bytes, context);
        media_type.clone_into(&mut file.file.media_type);
        let view = file.view(context.now);
        self.files.insert(file.id, file);
        Ok(Answer::ok(&json!({ "data": view })))
    }

    /// Takes a segment; a repeat takes the place of the first.
    ///
    /// # Errors
    /// 400 for one that is too large or out of range, 404 for a file that is not there or complete;
    /// those of tokens.
    pub(super) fn append(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let index = text_of(request, "segment_index");
        let number = index.as_str().and_then(|text| text.parse::<usize>().ok());
        let number = number
            .filter(|number| *number < SEGMENTS)
            .ok_or_else(|| wrong("segment_index", &index, "is missing or out of range"))?;
        let media = part(request, "media")?;
        if media.length > SEGMENT_BYTES {
            return Err(too_large());
        }
        if media.length == 0 {
            return Err(wrong("media", &Value::Null, "is empty"));
        }
        let file = self.own_file(request, id, context)?;
        if file.ready_at.is_some() {
            return Err(ApiError::not_found(id));
        }
        if file.segments.len() <= number {
            file.segments.resize(number + 1, None);
        }
        if number == 0 {
            file.has_failed = !fits(file.category, &media.head);
        }
        file.segments[number] = Some((media.length, media.sha256));
        let expires_at = file.expires_at.timestamp();
        Ok(Answer::ok(&json!({ "data": { "expires_at": expires_at } })))
    }

    /// Puts the segments of a file together.
    ///
    /// # Errors
    /// 400 for segments that are missing; 404 for a file that is not there; those of tokens.
    pub(super) fn finalize(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let file = self.own_file(request, id, context)?;
        if file.ready_at.is_none() {
            let segments: Option<Vec<(u64, [u8; 32])>> = file.segments.iter().copied().collect();
            let segments = segments.unwrap_or_default();
            if segments.iter().map(|(bytes, _)| bytes).sum::<u64>() != file.announced_bytes {
                let message = "Segments do not add up to provided total file size.";
                return Err(ApiError::invalid("id", &json!(id), message));
            }
            // The hash of a file of several segments is that of their hashes.
            let sha256 = match segments.as_slice() {
                [(_, sha256)] => *sha256,
                segments => {
                    let mut hash = Sha256::new();
                    segments.iter().for_each(|(_, sha256)| hash.update(sha256));
                    hash.finalize().into()
                }
            };
            let media_type = file.file.media_type.clone();
            file.complete(LiveMedia { media_type, bytes: file.announced_bytes, sha256 }, context);
        }
        Ok(Answer::ok(&json!({ "data": file.view(context.now) })))
    }

    /// Answers how far a file is.
    ///
    /// # Errors
    /// 400 for another command, 404 for a file that is not there; those of tokens.
    pub(super) fn show_file(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        if request.query("command").is_some_and(|command| command != "STATUS") {
            return Err(wrong("command", &json!(request.query("command")), "is not STATUS"));
        }
        let id = request.query("media_id").unwrap_or_default().to_owned();
        let file = self.own_file(request, &id, context)?;
        Ok(Answer::ok(&json!({ "data": file.view(context.now) })))
    }

    /// Takes what is said of a file.
    ///
    /// # Errors
    /// 400 for what is wrong, 404 for a file that is not there; those of tokens and credits.
    pub(super) fn describe(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let body = request.json().cloned().unwrap_or_default();
        let id = body["id"].as_str().unwrap_or_default().to_owned();
        self.own_file(request, &id, context)?;
        self.spend(COST_OF_METADATA, context)?;
        let file = self.own_file(request, &id, context)?;
        for (name, value) in body["metadata"].as_object().into_iter().flatten() {
            match name.as_str() {
                "alt_text" => {
                    let text = value["text"].as_str();
                    let text = text.filter(|text| (1..=ALT_TEXT).contains(&text.chars().count()));
                    let text = text.ok_or_else(|| {
                        wrong("metadata.alt_text", value, "has to hold 1 to 1000 characters")
                    })?;
                    file.alt_text = Some(text.to_owned());
                }
                "sensitive_media_warning" => {
                    let words = value.as_object().into_iter().flatten();
                    let is_wrong = |(word, is_on): &(&String, &Value)| {
                        !WARNINGS.contains(&word.as_str()) || !is_on.is_boolean()
                    };
                    if words.clone().any(|word| is_wrong(&word)) {
                        return Err(wrong("metadata.sensitive_media_warning", value, "is unknown"));
                    }
                    let on = words.filter(|(_, is_on)| **is_on == true);
                    file.warnings = on.map(|(word, _)| word.clone()).collect();
                }
                unknown => return Err(wrong(unknown, value, "is not imitated by this sandbox")),
            }
        }
        let view = json!({ "id": id, "associated_metadata": body["metadata"] });
        Ok(Answer::ok(&json!({ "data": view })))
    }

    /// Returns the files that a post is to show.
    ///
    /// # Errors
    /// 400 for files that are not there, not ready, another's, or do not go together.
    pub(super) fn shown_files(
        &self,
        media: Option<&Value>,
        author: u64,
        now: DateTime<Utc>,
    ) -> Result<Vec<u64>, ApiError> {
        let Some(media) = media else { return Ok(Vec::new()) };
        let ids = &media["media_ids"];
        let given = ids.as_array().filter(|ids| (1..=FILES).contains(&ids.len()));
        let given = given.ok_or_else(|| wrong("media.media_ids", ids, "has to hold 1 to 4 ids"))?;
        let mut files = Vec::new();
        for id in given {
            let id = id.as_str().and_then(|id| id.parse::<u64>().ok());
            let file = id.and_then(|id| self.files.get(&id));
            let file = file
                .filter(|file| file.owner == author && file.expires_at > now && !file.has_failed)
                .filter(|file| file.ready_at.is_some_and(|at| at <= now))
                .ok_or_else(|| invalid_ids(ids))?;
            files.push(file);
        }
        if files.len() > 1 && files.iter().any(|file| file.category.is_slow) {
            return Err(invalid_ids(ids));
        }
        Ok(files.into_iter().map(|file| file.id).collect())
    }

    fn new_file(
        &mut self,
        owner: u64,
        category: &'static Category,
        announced_bytes: u64,
        context: &Context<'_>,
    ) -> File {
        let file = LiveMedia { media_type: String::new(), bytes: 0, sha256: [0; 32] };
        File {
            id: self.next_id(context.now),
            owner,
            category,
            announced_bytes,
            segments: Vec::new(),
            expires_at: context.now + OPEN_LIFE,
            ready_at: None,
            has_failed: false,
            file,
            alt_text: None,
            warnings: Vec::new(),
        }
    }

    fn own_file(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<&mut File, ApiError> {
        let caller = self.caller(request, &["media.write"], context)?;
        let known = id.parse().ok().and_then(|id: u64| self.files.get_mut(&id));
        known
            .filter(|file| file.owner == caller && file.expires_at > context.now)
            .ok_or_else(|| ApiError::not_found(id))
    }
}

fn part<'a>(request: &'a Request, name: &str) -> Result<&'a Part, ApiError> {
    let part = request.body.parts.iter().find(|part| part.name == name);
    part.ok_or_else(|| wrong(name, &Value::Null, "is missing but it is required"))
}

fn text_of(request: &Request, name: &str) -> Value {
    let part = request.body.parts.iter().find(|part| part.name == name);
    part.map_or(Value::Null, |part| json!(String::from_utf8_lossy(&part.head)))
}

fn live(part: &Part) -> LiveMedia {
    let media_type = part.content_type.clone().unwrap_or_default();
    LiveMedia { media_type, bytes: part.length, sha256: part.sha256 }
}
