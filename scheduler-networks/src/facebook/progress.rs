//! How far a publish to Facebook has come.

use super::extras::{Extras, Place};
use crate::conversation::StoredProgress;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, Live, NetworkError, PublishJob, Step};
use scheduler_core::target::{FailureCode, Remote};
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How often an upload begins anew before the post fails. Our decision.
pub(super) const REPEATS_MAX: u32 = 3;

/// How long photos that are part of no post can be used; the network ends them after about a day.
///
/// Source: <https://developers.facebook.com/docs/graph-api/reference/page/photos/>. The rest is for
/// the calls themselves.
const PHOTO_LIFE: TimeDelta = TimeDelta::hours(23);

/// A picture of the post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Photo {
    pub(super) file: MediaId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) alt_text: Option<String>,
    /// What the network calls it, once it has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) staged: Option<Staged>,
}

/// A picture that the network has and nobody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Staged {
    pub(super) id: String,
    at: DateTime<Utc>,
}

/// The video of the post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Film {
    pub(super) file: MediaId,
    pub(super) is_reel: bool,
    /// The upload that is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) upload: Option<Upload>,
    /// How often its upload began anew.
    #[serde(default)]
    pub(super) repeats: u32,
}

/// The upload of a video.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Upload {
    /// What the network calls the video.
    pub(super) video: String,
    pub(super) state: Sending,
}

/// How far an upload has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Sending {
    /// Piece after piece, by the session of a video of the feed.
    Pieces {
        /// What the network calls the session.
        session: String,
        /// The first byte that it wants next.
        start: u64,
        /// The byte behind the last; the same as the first when it has all.
        end: u64,
    },
    /// All at once, as reels are; what is missing is asked for first.
    AtOnce {
        /// When the network had taken the last byte.
        #[serde(default)]
        sent_at: Option<DateTime<Utc>>,
    },
}

/// What is remembered of a call that others can see and that the network knows no repeat of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Mark {
    /// Before this instant it was not sent; `None` while it is not about to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_sent_before: Option<DateTime<Utc>>,
    /// Set after a look that found nothing: when the next look is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) look_again_at: Option<DateTime<Utc>>,
    /// It may have been sent before, so that a refusal as a repeat is proof.
    #[serde(default)]
    pub(super) is_repeat: bool,
    /// How often it was refused for something that may pass.
    #[serde(default)]
    pub(super) refusals: u32,
    /// Before this instant the first call was not sent that was lost and whose effect was not
    /// found; it may show late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost_since: Option<DateTime<Utc>>,
    /// When a repeat was refused as one although nothing was found: it is there, and cannot be
    /// told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) proved_at: Option<DateTime<Utc>>,
}

impl Mark {
    /// The mark after looks that found nothing: the call may be made again.
    pub(super) fn not_found(self) -> Self {
        let lost_since = self.lost_since.or(self.not_sent_before);
        Self { lost_since, look_again_at: None, not_sent_before: None, is_repeat: true, ..self }
    }
}

/// Where a publish stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Stage {
    /// Pictures are given to the network.
    Photos,
    /// The post is made.
    Feed(Mark),
    /// The video is given to the network.
    Film,
    /// The next step publishes the video.
    Finish {
        /// It may have been done before.
        #[serde(default)]
        is_repeat: bool,
    },
    /// The network works on the video, and then shows it.
    Processing {
        /// Since when.
        since: DateTime<Utc>,
        /// What the network calls the post, where it has said so already.
        #[serde(default)]
        post: Option<String>,
    },
    /// It is live, and its id or its link is asked for.
    Link {
        /// What is known of it.
        remote: Remote,
        /// Answers without it.
        #[serde(default)]
        tries: u32,
    },
    /// It is live without its background, which is told.
    Plain {
        /// The post.
        remote: Remote,
    },
    /// It is live, and the picture that its video is shown by is set, which can be done twice.
    Cover {
        /// The post.
        remote: Remote,
    },
    /// It is live, and the captions of its video are added, which can be done twice.
    Captions {
        /// The post.
        remote: Remote,
        /// Which of those of the settings are next.
        at: usize,
    },
    /// It is live, and the comment that follows is made.
    Comment {
        /// The post.
        remote: Remote,
        /// What is remembered of its call.
        mark: Mark,
    },
}

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    pub(super) page: String,
    pub(super) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_comment: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) photos: Vec<Photo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) film: Option<Film>,
    /// What else is asked of the network.
    #[serde(default, skip_serializing_if = "Extras::is_none")]
    pub(super) extras: Extras,
    /// Whether it is shown for a day, without a text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_story: bool,
    pub(super) stage: Stage,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on Facebook; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let has_files = !job.files.is_empty();
        let link = job.link_url.as_deref();
        let composed = compose(&job.content, link, has_files, Platform::Facebook, &job.options);
        let first_comment = job.options.get("firstComment").and_then(Value::as_str);
        let first_comment = first_comment.filter(|text| !text.trim().is_empty());
        let place = Place::of(job);
        let is_story = place == Place::Story;
        let film = job.files.iter().find(|file| is_video(file)).map(|file| Film {
            file: file.id,
            is_reel: place == Place::Reel,
            upload: None,
            repeats: 0,
        });
        let photos = job.files.iter().filter(|file| !is_video(file)).map(|file| Photo {
            file: file.id,
            alt_text: file.alt_text.clone().filter(|text| !text.is_empty()),
            staged: None,
        });
        let photos: Vec<Photo> = photos.collect();
        let stage = match (&film, photos.is_empty()) {
            (Some(_), _) => Stage::Film,
            (None, false) => Stage::Photos,
            (None, true) => Stage::Feed(Mark::default()),
        };
        Self {
            page: job.account.network_id.clone(),
            // A story has neither.
            message: if is_story { String::new() } else { composed.text().to_owned() },
            link: composed.link_card.filter(|_| !is_story),
            first_comment: first_comment
                .filter(|_| !is_story)
                .map(|text| text.replace("\r\n", "\n")),
            photos,
            film,
            extras: Extras::of(job, place),
            is_story,
            stage,
        }
    }

    fn is_visible(&self) -> bool {
        match &self.stage {
            Stage::Feed(mark) | Stage::Comment { mark, .. } => mark.not_sent_before.is_some(),
            Stage::Finish { .. } => true,
            Stage::Photos
            | Stage::Film
            | Stage::Processing { .. }
            | Stage::Link { .. }
            | Stage::Plain { .. }
            | Stage::Cover { .. }
            | Stage::Captions { .. } => false,
        }
    }

    fn is_consistent(&self) -> bool {
        match self.stage {
            Stage::Finish { .. }
            | Stage::Processing { .. }
            | Stage::Cover { .. }
            | Stage::Captions { .. } => self.video().is_some(),
            Stage::Comment { .. } => self.first_comment.is_some(),
            Stage::Photos
            | Stage::Feed(_)
            | Stage::Film
            | Stage::Link { .. }
            | Stage::Plain { .. } => true,
        }
    }

    fn live_part(&self) -> Option<Remote> {
        match &self.stage {
            Stage::Link { remote, .. }
            | Stage::Plain { remote }
            | Stage::Cover { remote }
            | Stage::Captions { remote, .. }
            | Stage::Comment { remote, .. } => Some(remote.clone()),
            Stage::Photos
            | Stage::Feed(_)
            | Stage::Film
            | Stage::Finish { .. }
            | Stage::Processing { .. } => None,
        }
    }

    fn skip(self) -> Option<Self> {
        match self.stage.clone() {
            Stage::Link { remote, .. } => self.covers(remote),
            Stage::Plain { remote } => self.comments(remote),
            Stage::Cover { remote } => self.captions(remote, 0),
            Stage::Captions { remote, at } => self.captions(remote, at + 1),
            Stage::Photos
            | Stage::Feed(_)
            | Stage::Film
            | Stage::Finish { .. }
            | Stage::Processing { .. }
            | Stage::Comment { .. } => None,
        }
    }
}

impl Progress {
    /// Refuses what Facebook has no post for.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Permanent`]
    pub(super) fn check(&self, job: &PublishJob) -> Result<(), NetworkError> {
        let videos = job.files.iter().filter(|file| is_video(file)).count();
        let pictures = job.files.len() - videos;
        let place = Place::of(job);
        let message = if place == Place::Reel && (videos, pictures) != (1, 0) {
            "A reel takes exactly one video."
        } else if place == Place::Story && videos + pictures != 1 {
            "A story takes exactly one file; make one post for each."
        } else if videos > 1 || (videos == 1 && pictures > 0) || pictures > 10 {
            "Facebook takes up to 10 pictures or one video, not both."
        } else if job.files.is_empty() && self.message.trim().is_empty() && self.link.is_none() {
            "A post needs a text, a link or a file."
        } else {
            return Ok(());
        };
        Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed))
    }

    /// The progress at another stage.
    pub(super) fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// The upload of the video.
    pub(super) fn upload(&self) -> Option<&Upload> {
        self.film.as_ref()?.upload.as_ref()
    }

    /// What the network calls the video.
    pub(super) fn video(&self) -> Option<&str> {
        self.upload().map(|upload| upload.video.as_str())
    }

    /// The progress with the video's upload as it has become.
    pub(super) fn uploads(mut self, upload: Upload) -> Self {
        if let Some(film) = &mut self.film {
            film.upload = Some(upload);
        }
        self
    }

    /// The progress once the video has to be uploaded anew; `None` when that was often enough.
    pub(super) fn uploads_again(self) -> Option<Self> {
        let mut progress = self.repeats()?;
        progress.film.as_mut()?.upload = None;
        Some(progress.at(Stage::Film))
    }

    /// The progress with one more repeat of the upload, or of a part of it; `None` when there were
    /// enough.
    pub(super) fn repeats(mut self) -> Option<Self> {
        let film = self.film.as_mut().filter(|film| film.repeats < REPEATS_MAX)?;
        film.repeats += 1;
        Some(self)
    }

    /// The end of an attempt whose video is of no use; the next one uploads it anew.
    pub(super) fn failed(mut self, error: NetworkError) -> Step<Self> {
        if let Some(film) = &mut self.film {
            film.upload = None;
            film.repeats = 0;
        }
        Step::Failed { progress: self.at(Stage::Film), error }
    }

    /// The progress with a picture that the network has.
    pub(super) fn stages(mut self, at: usize, id: String, now: DateTime<Utc>) -> Self {
        if let Some(photo) = self.photos.get_mut(at) {
            photo.staged = Some(Staged { id, at: now });
        }
        self
    }

    /// What the network calls the pictures that it has.
    pub(super) fn photo_ids(&self) -> impl Iterator<Item = &str> {
        self.photos.iter().filter_map(|photo| Some(photo.staged.as_ref()?.id.as_str()))
    }

    /// The progress without pictures that the network has ended, or is about to; `None` when
    /// there are none.
    pub(super) fn without_old_photos(&self, now: DateTime<Utc>) -> Option<Self> {
        let is_old = |photo: &Photo| {
            photo.staged.as_ref().is_some_and(|staged| now - staged.at > PHOTO_LIFE)
        };
        if !self.photos.iter().any(is_old) {
            return None;
        }
        let mut progress = self.clone();
        for photo in progress.photos.iter_mut().filter(|photo| is_old(photo)) {
            photo.staged = None;
        }
        Some(progress.at(Stage::Photos))
    }

    /// The post once it is live, and what follows: its link, and the first comment.
    pub(super) fn live(self, id: &str, permalink: Option<&str>) -> Live<Progress> {
        let id = full_id(&self.page, id);
        let url =
            permalink.map(absolute).unwrap_or_else(|| format!("https://www.facebook.com/{id}"));
        let remote = Remote { record: self.record(), ..Remote::new(id, Some(url)) };
        self.follows(remote, permalink.is_none())
    }

    /// The video once it is live. Its id stands for that of the post where the network has not
    /// told that one.
    pub(super) fn live_film(self, post: Option<&str>, permalink: Option<&str>) -> Live<Progress> {
        let Some(video) = self.video().map(str::to_owned) else {
            return Live { remote: None, then: None };
        };
        let id = post.map_or_else(|| video.clone(), |post| full_id(&self.page, post));
        let is_reel = self.film.as_ref().is_some_and(|film| film.is_reel);
        let url = permalink.map(absolute).unwrap_or_else(|| match is_reel {
            true => format!("https://www.facebook.com/reel/{video}"),
            false => format!("https://www.facebook.com/{id}"),
        });
        let remote = Remote { record: self.record(), ..Remote::new(id, Some(url)) };
        self.follows(remote, post.is_none() || permalink.is_none())
    }

    fn record(&self) -> Value {
        match (self.video(), &self.film) {
            (Some(video), Some(_)) if self.is_story => json!({ "video": video, "isStory": true }),
            (Some(video), Some(film)) => json!({ "video": video, "isReel": film.is_reel }),
            _ if self.is_story => json!({ "photo": self.photo_ids().next(), "isStory": true }),
            _ => Value::Null,
        }
    }

    fn follows(self, remote: Remote, asks_for_link: bool) -> Live<Progress> {
        let then = if asks_for_link {
            Some(self.at(Stage::Link { remote: remote.clone(), tries: 0 }))
        } else {
            self.covers(remote.clone())
        };
        Live { remote: Some(remote), then }
    }

    /// The progress of a text whose background the network does not know.
    pub(super) fn without_background(mut self) -> Self {
        self.extras.background = None;
        self.extras.lost_background = true;
        self
    }

    /// The progress before the picture of the video is set, else before the first comment; `None`
    /// when there is neither.
    pub(super) fn covers(self, remote: Remote) -> Option<Self> {
        if self.extras.lost_background {
            return Some(self.at(Stage::Plain { remote }));
        }
        match self.extras.cover {
            Some(_) if self.video().is_some() => Some(self.at(Stage::Cover { remote })),
            Some(_) | None => self.captions(remote, 0),
        }
    }

    /// The progress before captions are added, else before the first comment; `None` when there is
    /// neither.
    pub(super) fn captions(self, remote: Remote, at: usize) -> Option<Self> {
        match at < self.extras.captions && self.video().is_some() {
            true => Some(self.at(Stage::Captions { remote, at })),
            false => self.comments(remote),
        }
    }

    /// The progress before the first comment; `None` when there is none to make.
    pub(super) fn comments(self, remote: Remote) -> Option<Self> {
        self.first_comment.as_ref()?;
        Some(self.at(Stage::Comment { remote, mark: Mark::default() }))
    }
}

/// What the network calls a post, with its Page in front.
fn full_id(page: &str, id: &str) -> String {
    if id.contains('_') { id.to_owned() } else { format!("{page}_{id}") }
}

/// A link as people use it; the network gives those of videos without its own name.
fn absolute(link: &str) -> String {
    if link.starts_with('/') { format!("https://www.facebook.com{link}") } else { link.to_owned() }
}

pub(super) fn is_video(file: &JobFile) -> bool {
    file.facts.kind == MediaKind::Video
}
