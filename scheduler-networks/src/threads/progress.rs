//! How far a publish to Threads has come.

use chrono::{DateTime, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, Live, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use scheduler_core::text::count::code_points;
use scheduler_core::text::threads::blurred;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::wire::Record;
use crate::conversation::{Part, StoredProgress, is_first_part};

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// Parts of the whole thread.
    pub(super) of: usize,
    /// The texts that are still to be published, in order.
    texts: Vec<String>,
    /// The link of the first part, where it has a preview.
    link: Option<String>,
    /// The choices of the first part's poll.
    poll: Option<Vec<String>>,
    /// What else is asked of the network.
    #[serde(default, skip_serializing_if = "Extras::is_none")]
    extras: Extras,
    /// Whether the last text is a comment on the first part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_comment: bool,
    /// The files of all parts.
    files: Vec<File>,
    /// The first part, once it is live.
    pub(super) first: Option<Remote>,
    /// The ids of the parts that are live.
    pub(super) parts: Vec<String>,
    /// Where the next part stands.
    pub(super) stage: Stage,
    /// How many containers of the next part have failed.
    pub(super) failures: u32,
    /// How often the network did not know yet what the next call names.
    pub(super) refusals: u32,
}

/// What is asked of the network besides texts, files, link and poll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Extras {
    topic: Option<String>,
    /// Who may reply, in the network's word.
    reply_control: Option<String>,
    approves_replies: bool,
    /// The post that is quoted.
    quote: Option<String>,
    blurs_files: bool,
    is_ghost: bool,
    /// The stretches of the first text that are blurred, and the text behind it, as they are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_entities: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_attachment: Option<String>,
}

impl Extras {
    fn of(job: &PublishJob, first_text: &str) -> Self {
        let text = |key| job.options.get(key).and_then(Value::as_str).map(str::to_owned);
        let is_on = |key| job.options.get(key).and_then(Value::as_bool) == Some(true);
        let topic = text("topicTag");
        let topic = topic.map(|topic| topic.trim().trim_start_matches('#').trim().to_owned());
        Self {
            topic: topic.filter(|topic| !topic.is_empty()),
            reply_control: text("replyControl").and_then(|who| reply_control(&who)),
            approves_replies: is_on("replyApprovals"),
            quote: text("quote").filter(|id| !id.is_empty()),
            blurs_files: is_on("spoilerMedia") && job.files_by_part().next().is_some(),
            is_ghost: is_on("ghost"),
            text_entities: text_entities(job, first_text),
            text_attachment: text_attachment(job),
        }
    }

    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The stretches of a text that are blurred, as they are sent. Their unit is not documented; code
/// points are our decision.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/spoilers>,
/// `text_entities`.
fn text_entities(job: &PublishJob, text: &str) -> Option<String> {
    let passages = job.options.get("spoilers")?.as_array()?;
    let passages: Vec<&str> = passages.iter().filter_map(Value::as_str).collect();
    let entities: Vec<Value> = blurred(text, &passages)
        .into_iter()
        .map(|range| {
            let (offset, length) = (code_points(&text[..range.start]), code_points(&text[range]));
            json!({ "entity_type": "SPOILER", "offset": offset, "length": length })
        })
        .collect();
    (!entities.is_empty()).then(|| Value::from(entities).to_string())
}

/// The text behind a post, as it is sent. It goes with neither files nor a poll.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/text-attachments>,
/// `text_attachment`.
fn text_attachment(job: &PublishJob) -> Option<String> {
    let attached = job.options.get("textAttachment").filter(|_| job.files.is_empty())?;
    let mut sent = json!({ "plaintext": attached.get("text")?.as_str()?.replace("\r\n", "\n") });
    if let Some(link) = attached.get("link") {
        sent["link_attachment_url"] = link.clone();
    }
    let styles: Vec<Value> = attached
        .get("styles")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|range| {
            let [offset, length, style] = ["offset", "length", "style"].map(|name| &range[name]);
            json!({ "offset": offset, "length": length, "styling_info": style })
        })
        .collect();
    if !styles.is_empty() {
        sent["text_with_styling_info"] = styles.into();
    }
    Some(sent.to_string())
}

/// Who may reply, in the network's word.
///
/// Source: <https://developers.facebook.com/documentation/threads/reference/publishing>,
/// `reply_control`.
fn reply_control(who: &str) -> Option<String> {
    let name = match who {
        "everyone" => "everyone",
        "following" => "accounts_you_follow",
        "followers" => "followers_only",
        "mentioned" => "mentioned_only",
        _ => return None,
    };
    Some(name.to_owned())
}

/// A file of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct File {
    /// The part that shows it, counted from 0.
    #[serde(default, skip_serializing_if = "is_first_part")]
    pub(super) part: usize,
    pub(super) file: MediaId,
    pub(super) is_video: bool,
    pub(super) alt_text: Option<String>,
    /// Its container within a carousel, once it is made.
    pub(super) container: Option<String>,
    /// True when that container is finished.
    pub(super) is_finished: bool,
}

/// Where a part stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum Stage {
    /// The account's quotas are looked at.
    Quota,
    /// A container is made: of the next file of a carousel, else of the part.
    Container,
    /// The network works on the files of a carousel.
    Children {
        /// Since when.
        since: DateTime<Utc>,
    },
    /// The network works on the part's container.
    Processing {
        /// The container.
        id: String,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// The part's container can be published, which others can see.
    Ready {
        /// The container.
        id: String,
        /// It was not published before this instant.
        since: DateTime<Utc>,
        /// How often the post was looked for in vain, though it is published.
        looks: u32,
    },
    /// The page of the first part is asked for.
    Link {
        /// How often it was asked for in vain.
        tries: u32,
    },
}

/// What is published with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// Text alone.
    Text,
    /// One picture.
    Image,
    /// One video.
    Video,
    /// Several files.
    Carousel,
}

/// What comes after a part is published.
#[derive(Debug)]
pub(super) enum Next {
    /// More steps before the post is live as a whole.
    Step(Progress),
    /// The post is live.
    Live(Live<Progress>),
}

impl File {
    fn new((part, file): (usize, &JobFile)) -> Self {
        Self {
            part,
            file: file.id,
            is_video: file.facts.kind == MediaKind::Video,
            alt_text: file.alt_text.clone().filter(|text| !text.is_empty()),
            container: None,
            is_finished: false,
        }
    }
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on Threads; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let has_files = !job.files.is_empty();
        let link = job.link_url.as_deref();
        let composed = compose(&job.content, link, has_files, Platform::Threads, &job.options);
        let poll = job.options.get("poll").and_then(|poll| poll.get("options"));
        let poll = poll.and_then(Value::as_array).map(|options| {
            let texts = options.iter().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        });
        let comment = job.options.get("firstComment").and_then(Value::as_str);
        let comment = comment.map(|text| text.replace("\r\n", "\n").trim().to_owned());
        let comment = comment.filter(|text| !text.is_empty());
        let has_comment = comment.is_some();
        let texts: Vec<String> = composed.parts.into_iter().chain(comment).collect();
        Self {
            of: texts.len(),
            link: composed.link_card,
            poll,
            extras: Extras::of(job, texts.first().map_or("", String::as_str)),
            has_comment,
            texts,
            files: job.files_by_part().map(File::new).collect(),
            first: None,
            parts: Vec::new(),
            stage: Stage::Quota,
            failures: 0,
            refusals: 0,
        }
    }

    /// True when the next step publishes a part.
    fn is_visible(&self) -> bool {
        matches!(self.stage, Stage::Ready { .. })
    }

    fn is_consistent(&self) -> bool {
        let asks_for_link = matches!(self.stage, Stage::Link { .. });
        self.texts.len() + self.parts.len() == self.of
            && self.first.is_some() != self.parts.is_empty()
            && if asks_for_link { self.first.is_some() } else { !self.texts.is_empty() }
    }

    fn live_part(&self) -> Option<Remote> {
        self.first.clone()
    }

    fn part(&self) -> Part {
        Part { number: (self.parts.len() + 1).min(self.of), of: self.of }
    }
}

impl Progress {
    /// The files of the next part.
    pub(super) fn next_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.part == self.parts.len())
    }

    /// The same, to be changed.
    pub(super) fn next_files_mut(&mut self) -> impl Iterator<Item = &mut File> {
        let next = self.parts.len();
        self.files.iter_mut().filter(move |file| file.part == next)
    }

    /// The text of the next part.
    pub(super) fn text(&self) -> Option<&str> {
        self.texts.first().map(String::as_str)
    }

    /// The part that the next one answers.
    pub(super) fn parent(&self) -> Option<&str> {
        let is_comment = self.has_comment && self.texts.len() == 1;
        let parent = if is_comment { self.parts.first() } else { self.parts.last() };
        parent.map(String::as_str)
    }

    /// Further fields of the next part, in the network's words.
    pub(super) fn extras(&self) -> Vec<(&'static str, String)> {
        let Extras {
            topic,
            reply_control,
            approves_replies,
            quote,
            blurs_files,
            is_ghost,
            text_entities,
            text_attachment,
        } = &self.extras;
        let is_first = self.parts.is_empty();
        let text = |name, text: &Option<String>| text.clone().map(|text| (name, text));
        let flag = |name, is_on: &bool| is_on.then(|| (name, "true".to_owned()));
        let of_first = [
            text("topic_tag", topic),
            flag("enable_reply_approvals", approves_replies),
            text("quote_post_id", quote),
            flag("is_ghost_post", is_ghost),
            text("text_entities", text_entities),
            text("text_attachment", text_attachment),
        ];
        let of_first = of_first.into_iter().flatten().filter(|_| is_first);
        let blurred = flag("is_spoiler_media", blurs_files);
        let blurred = blurred.filter(|_| self.next_files().next().is_some());
        text("reply_control", reply_control).into_iter().chain(of_first).chain(blurred).collect()
    }

    /// The link of the next part, where it has a preview.
    pub(super) fn link(&self) -> Option<&str> {
        self.link.as_deref().filter(|_| self.parts.is_empty())
    }

    /// The choices of the next part's poll.
    pub(super) fn poll(&self) -> Option<&[String]> {
        self.poll.as_deref().filter(|_| self.parts.is_empty())
    }

    /// What is published with the next part.
    pub(super) fn kind(&self) -> PartKind {
        let mut files = self.next_files();
        match (files.next(), files.next()) {
            (None, _) => PartKind::Text,
            (Some(file), None) if file.is_video => PartKind::Video,
            (Some(_), None) => PartKind::Image,
            (Some(_), Some(_)) => PartKind::Carousel,
        }
    }

    /// True when the next part has a video.
    pub(super) fn has_video(&self) -> bool {
        self.next_files().any(|file| file.is_video)
    }

    /// The progress at another stage.
    pub(super) fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// The progress with new containers in place of ones that failed.
    pub(super) fn with_new_containers(self) -> Self {
        Self { failures: self.failures + 1, ..self.renewed() }
    }

    /// The progress with new containers in place of ones that were not published in time.
    pub(super) fn renewed(mut self) -> Self {
        for file in self.next_files_mut() {
            (file.container, file.is_finished) = (None, false);
        }
        Self { refusals: 0, ..self.at(Stage::Container) }
    }

    /// The end of an attempt at a part whose containers fail; the next one makes others.
    pub(super) fn failed(self, error: NetworkError) -> Step<Self> {
        Step::Failed { progress: Self { failures: 0, ..self.renewed() }, error }
    }

    /// What comes after the next part is live under `id`, with its page where that is known.
    pub(super) fn published(mut self, id: String, url: Option<String>) -> Next {
        if !self.texts.is_empty() {
            self.texts.remove(0);
        }
        self.parts.push(id.clone());
        let mut first = self.first.take().unwrap_or_else(|| Remote::new(id, url));
        if self.of > 1 {
            let record = Record { parts: self.parts.clone() };
            first.record = serde_json::to_value(&record).unwrap_or_default();
        }
        let needs_link = first.url.is_none() && self.parts.len() == 1;
        self.first = Some(first);
        (self.failures, self.refusals) = (0, 0);
        let stage = if needs_link { Stage::Link { tries: 0 } } else { Stage::Container };
        self.at(stage).next()
    }

    /// What comes after the page of the first part was asked for.
    pub(super) fn linked(mut self, url: Option<String>) -> Next {
        if let Some(first) = &mut self.first {
            first.url = url;
        }
        self.at(Stage::Container).next()
    }

    fn next(self) -> Next {
        if !self.texts.is_empty() {
            return Next::Step(self);
        }
        let then = matches!(self.stage, Stage::Link { .. }).then(|| self.clone());
        Next::Live(Live { remote: self.first, then })
    }
}
