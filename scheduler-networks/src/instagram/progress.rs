//! How far a publish to Instagram has come.

use super::extras::Extras;
use crate::conversation::StoredProgress;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How often a container is made anew after the network has spoiled it, before the post fails.
/// Our decision.
pub(super) const REPEATS_MAX: u32 = 3;

/// How often a file is offered for fetching before it fails for good.
///
/// Source: error 9004 of
/// <https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes>,
/// and our decision on the count.
pub(super) const FETCHES_MAX: u32 = 3;

/// How long a container can be used; the network ends it after 24 hours.
///
/// Source: `content-publishing`. The rest is for the calls themselves.
const CONTAINER_LIFE: TimeDelta = TimeDelta::minutes(24 * 60 - 30);

/// What the post is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Form {
    /// One picture in the feed.
    Picture,
    /// One video.
    Reel,
    /// A picture or a video that is shown for a day.
    Story,
    /// Several pictures and videos in the feed.
    Carousel,
}

impl Form {
    /// What the network calls the place where it is shown.
    pub(super) const fn product(self) -> &'static str {
        match self {
            Self::Picture | Self::Carousel => "FEED",
            Self::Reel => "REELS",
            Self::Story => "STORY",
        }
    }
}

/// Something that the network has been given and has not published: it is invisible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Container {
    pub(super) state: State,
    /// How often it was made anew.
    #[serde(default)]
    pub(super) repeats: u32,
    /// How often the network could not fetch its file.
    #[serde(default)]
    pub(super) unfetched: u32,
}

/// How far a container has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum State {
    /// It is still to be made.
    Missing,
    /// It waits for the bytes of its file.
    Empty {
        /// What the network calls it.
        id: String,
        /// Since when.
        #[serde(rename = "madeAt")]
        made_at: DateTime<Utc>,
    },
    /// The network works on it.
    Processing {
        /// What the network calls it.
        id: String,
        /// When it was made.
        #[serde(rename = "madeAt")]
        made_at: DateTime<Utc>,
        /// Since when it is worked on.
        since: DateTime<Utc>,
    },
    /// It can be published, or be part of a carousel.
    Finished {
        /// What the network calls it.
        id: String,
        /// When it was made.
        #[serde(rename = "madeAt")]
        made_at: DateTime<Utc>,
    },
}

impl Container {
    const MISSING: Self = Self { state: State::Missing, repeats: 0, unfetched: 0 };

    /// What the network calls it, once it can be used.
    pub(super) fn finished(&self) -> Option<&str> {
        match &self.state {
            State::Finished { id, .. } => Some(id),
            State::Missing | State::Empty { .. } | State::Processing { .. } => None,
        }
    }

    /// True when the network has ended it, or is about to.
    fn is_old(&self, now: DateTime<Utc>) -> bool {
        match &self.state {
            State::Missing => false,
            State::Empty { made_at, .. }
            | State::Processing { made_at, .. }
            | State::Finished { made_at, .. } => now - *made_at > CONTAINER_LIFE,
        }
    }

    /// Makes it anew.
    pub(super) fn again(&mut self) {
        self.state = State::Missing;
        self.repeats += 1;
    }

    /// It turned out that the network still works on it.
    fn unfinished(&mut self, now: DateTime<Utc>) {
        if let State::Finished { id, made_at } = &self.state {
            let (id, made_at) = (id.clone(), *made_at);
            self.state = State::Processing { id, made_at, since: now };
        }
    }
}

/// A file of the post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct File {
    pub(super) file: MediaId,
    pub(super) is_video: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) alt_text: Option<String>,
    pub(super) container: Container,
}

/// The container that a call makes or asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// That of a file.
    File(usize),
    /// The one that holds those of all files.
    Parent,
}

/// Where a publish stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum Stage {
    /// The network is asked whether the account may publish today.
    Limit,
    /// Containers are made.
    Containers,
    /// The next step publishes.
    Publish {
        /// It was not sent before this instant.
        #[serde(rename = "notSentBefore")]
        not_sent_before: DateTime<Utc>,
        /// How often the network did not know the container yet.
        #[serde(default)]
        misses: u32,
    },
    /// It is live, and what the network calls it is looked for.
    Search {
        /// It was not sent before this instant.
        #[serde(rename = "notSentBefore")]
        not_sent_before: DateTime<Utc>,
        /// Looks that have shown nothing.
        #[serde(default)]
        tries: u32,
    },
    /// It is live, and its link is asked for.
    Link {
        /// What the network calls it.
        id: String,
        /// Answers without a link.
        #[serde(default)]
        tries: u32,
    },
    /// It is live, and the comment that follows is made.
    Comment {
        /// The post.
        remote: Remote,
        /// What is remembered of its call.
        #[serde(default)]
        mark: Mark,
    },
    /// It is live, and others are kept from commenting.
    Close {
        /// The post.
        remote: Remote,
    },
}

/// What is remembered of the call that makes a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Mark {
    /// Before this instant it was not sent; `None` while it is not about to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_sent_before: Option<DateTime<Utc>>,
    /// Before this instant the first call was not sent that was lost and whose effect was not
    /// found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lost_since: Option<DateTime<Utc>>,
    /// Set after a look that found nothing: when the next look is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) look_again_at: Option<DateTime<Utc>>,
    /// How often the post was not known yet.
    pub(super) refusals: u32,
}

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    pub(super) form: Form,
    pub(super) caption: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) collaborators: Vec<String>,
    /// Whether a reel is shown among the posts too.
    pub(super) share_to_feed: bool,
    /// What else is asked of the network.
    #[serde(default, skip_serializing_if = "Extras::is_none")]
    pub(super) extras: Extras,
    /// A comment below it, made once it is live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_comment: Option<String>,
    /// Whether others may not comment, which is said once it is live.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) closes_comments: bool,
    pub(super) files: Vec<File>,
    pub(super) parent: Container,
    pub(super) stage: Stage,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on Instagram; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let is_video = |file: &JobFile| file.facts.kind == MediaKind::Video;
        let placement = job.options.get("placement").and_then(Value::as_str);
        let form = match (placement, job.files.as_slice()) {
            (Some("story"), _) => Form::Story,
            // Also one that was asked for the feed: single videos are reels.
            (_, [file]) if is_video(file) => Form::Reel,
            (_, [] | [_]) => Form::Picture,
            (_, [_, _, ..]) => Form::Carousel,
        };
        let link = job.link_url.as_deref();
        let composed = compose(&job.content, link, true, Platform::Instagram, &job.options);
        let is_story = form == Form::Story;
        let shows_alt_texts = matches!(form, Form::Picture | Form::Carousel);
        let collaborators = job.options.get("collaborators").and_then(Value::as_array);
        let names = collaborators.into_iter().flatten().filter_map(Value::as_str);
        let names = names.map(|name| name.trim().trim_start_matches('@').to_owned());
        let comment = job.options.get("firstComment").and_then(Value::as_str);
        let files = job.files.iter().map(|file| File {
            file: file.id,
            is_video: is_video(file),
            alt_text: file
                .alt_text
                .clone()
                .filter(|text| shows_alt_texts && !is_video(file) && !text.is_empty()),
            container: Container::MISSING,
        });
        Self {
            form,
            // A story has none.
            caption: if is_story { String::new() } else { composed.text().to_owned() },
            collaborators: if is_story { Vec::new() } else { names.collect() },
            share_to_feed: job.options.get("shareToFeed").and_then(Value::as_bool).unwrap_or(true),
            extras: Extras::of(job, form),
            first_comment: comment
                .filter(|text| !is_story && !text.trim().is_empty())
                .map(|text| text.replace("\r\n", "\n")),
            closes_comments: !is_story
                && job.options.get("allowComments").and_then(Value::as_bool) == Some(false),
            files: files.collect(),
            parent: Container::MISSING,
            stage: Stage::Limit,
        }
    }

    /// True when the next step publishes or comments.
    fn is_visible(&self) -> bool {
        match &self.stage {
            Stage::Publish { .. } => true,
            Stage::Comment { mark, .. } => mark.not_sent_before.is_some(),
            Stage::Limit
            | Stage::Containers
            | Stage::Search { .. }
            | Stage::Link { .. }
            | Stage::Close { .. } => false,
        }
    }

    fn is_consistent(&self) -> bool {
        match self.stage {
            Stage::Publish { .. } | Stage::Search { .. } => self.finished().is_some(),
            Stage::Comment { .. } => self.first_comment.is_some(),
            Stage::Limit | Stage::Containers | Stage::Link { .. } | Stage::Close { .. } => true,
        }
    }

    fn live_part(&self) -> Option<Remote> {
        match &self.stage {
            Stage::Link { id, .. } => Some(self.remote(id, None)),
            Stage::Comment { remote, .. } | Stage::Close { remote } => Some(remote.clone()),
            Stage::Limit | Stage::Containers | Stage::Publish { .. } | Stage::Search { .. } => None,
        }
    }

    fn skip(self) -> Option<Self> {
        match self.stage.clone() {
            Stage::Link { id, .. } => {
                let remote = self.remote(&id, None);
                self.follows(&remote)
            }
            Stage::Comment { remote, .. } => self.closes(&remote),
            Stage::Limit
            | Stage::Containers
            | Stage::Publish { .. }
            | Stage::Search { .. }
            | Stage::Close { .. } => None,
        }
    }
}

impl Progress {
    /// The container that is published.
    fn last(&self) -> &Container {
        match (self.form, self.files.first()) {
            (Form::Picture | Form::Reel | Form::Story, Some(file)) => &file.container,
            (Form::Picture | Form::Reel | Form::Story, None) | (Form::Carousel, _) => &self.parent,
        }
    }

    /// What the network calls the container that can be published.
    pub(super) fn finished(&self) -> Option<&str> {
        self.last().finished()
    }

    /// A container.
    pub(super) fn container(&mut self, place: Place) -> Option<&mut Container> {
        match place {
            Place::File(at) => self.files.get_mut(at).map(|file| &mut file.container),
            Place::Parent => Some(&mut self.parent),
        }
    }

    /// The container that is brought further next: each file's is made, and then asked for, and
    /// then the one that holds them. `None` when there is nothing left to do.
    pub(super) fn next(&self) -> Option<Place> {
        let is_open =
            |file: &File| matches!(file.container.state, State::Missing | State::Empty { .. });
        let is_unfinished = |file: &File| file.container.finished().is_none();
        let file = self.files.iter().position(is_open);
        let file = file.or_else(|| self.files.iter().position(is_unfinished));
        let parent = || {
            let is_left = self.form == Form::Carousel && self.parent.finished().is_none();
            is_left.then_some(Place::Parent)
        };
        file.map(Place::File).or_else(parent)
    }

    /// The progress before publishing.
    pub(super) fn publishes(self, now: DateTime<Utc>) -> Self {
        Self { stage: Stage::Publish { not_sent_before: now, misses: 0 }, ..self }
    }

    /// The progress once the last container has to be made anew, with those in it that are old.
    pub(super) fn builds_again(mut self, now: DateTime<Utc>) -> Self {
        for file in self.files.iter_mut().filter(|file| file.container.is_old(now)) {
            file.container.again();
        }
        match self.form {
            Form::Carousel => self.parent.again(),
            Form::Picture | Form::Reel | Form::Story => {
                let containers = self.files.iter_mut().map(|file| &mut file.container);
                let left = containers.filter(|container| container.state != State::Missing);
                left.for_each(Container::again);
            }
        }
        Self { stage: Stage::Containers, ..self }
    }

    /// The progress once the containers of all files have to be made anew.
    pub(super) fn files_again(mut self) -> Self {
        self.files.iter_mut().for_each(|file| file.container.again());
        self.parent.state = State::Missing;
        Self { stage: Stage::Containers, ..self }
    }

    /// The progress once the network has said that it still works on the last container.
    pub(super) fn unfinished(mut self, now: DateTime<Utc>) -> Self {
        match (self.form, self.files.first_mut()) {
            (Form::Picture | Form::Reel | Form::Story, Some(file)) => {
                file.container.unfinished(now);
            }
            (Form::Picture | Form::Reel | Form::Story, None) | (Form::Carousel, _) => {
                self.parent.unfinished(now);
            }
        }
        Self { stage: Stage::Containers, ..self }
    }

    /// The progress at another stage.
    pub(super) fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// What follows once all is known of a live post; `None` when there is nothing.
    pub(super) fn follows(self, remote: &Remote) -> Option<Self> {
        if self.first_comment.is_none() {
            return self.closes(remote);
        }
        Some(self.at(Stage::Comment { remote: remote.clone(), mark: Mark::default() }))
    }

    /// What follows once its own comment is there: others may make none, where that is wanted.
    pub(super) fn closes(self, remote: &Remote) -> Option<Self> {
        self.closes_comments.then(|| self.at(Stage::Close { remote: remote.clone() }))
    }

    /// What we call the post.
    pub(super) fn remote(&self, id: &str, url: Option<String>) -> Remote {
        Remote { record: json!({ "product": self.form.product() }), ..Remote::new(id, url) }
    }
}

/// Where a live post is shown, as it was noted when it was published.
pub(super) fn product(remote: &Remote) -> &str {
    remote.record.get("product").and_then(Value::as_str).unwrap_or("FEED")
}
