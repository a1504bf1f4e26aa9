//! How far a publish to Bluesky has come.

use chrono::{SecondsFormat, TimeDelta};
use scheduler_core::media::MediaKind;
use scheduler_core::platform::{LinkCard, Platform};
use scheduler_core::ports::{Live, PublishJob, Step};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::captions::Caption;
use super::files::{File, FileState, embed};
use super::gates::{Gate, Rules};
use super::quote::Quote;
use super::record::remote;
use super::richtext::{self, Identities, Mention};
use super::tid::record_key;
use super::wire::{
    Embed, EmbeddedRecord, External, PostRecord, Reference, Reply, SelfLabel, SelfLabels,
};
use crate::conversation::{Part, StoredProgress};

/// How often files are uploaded again after the server has lost them.
const REPEATS_MAX: u32 = 2;

/// What is done and what is left, with every record as it will be sent. Nothing is made anew on a
/// repeat, so a repeat is the same record, whatever has changed in between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// Parts of the whole thread.
    of: usize,
    /// The first post, once it is live.
    pub(super) root: Option<Reference>,
    /// The latest post.
    parent: Option<Reference>,
    /// The posts that are still to be put, in order; at least one.
    pub(super) posts: Vec<Post>,
    /// The files of all posts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<File>,
    /// The captions of the first post's video.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) captions: Vec<Caption>,
    /// The post that the first one quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote: Option<Quote>,
    /// Images are made to fit older servers, one of which has refused larger ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_small: bool,
    /// How often handles were looked up again.
    #[serde(default)]
    pub(super) look_ups: u32,
    /// Who may do what with each post.
    #[serde(default, skip_serializing_if = "Rules::is_none")]
    rules: Rules,
    /// Records that are still to be put for posts that are live.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) gates: Vec<Gate>,
    /// The addresses of the posts that are live, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<String>,
}

/// A post that is still to be put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Post {
    /// The key of its record.
    pub(super) key: String,
    /// The record, without its place in the thread.
    record: PostRecord,
    /// Mentions whose handles are still to be resolved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<Mention>,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on Bluesky; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let composed =
            compose(&job.content, link, !job.files.is_empty(), Platform::Bluesky, &job.options);
        let card_image = job.thumbnail.as_ref().filter(|_| composed.link_card.is_some());
        let mut card = composed.link_card;
        let posts = composed.parts.into_iter().enumerate();
        let posts = posts.map(|(part, text)| post(job, part, text, card.take()));
        let posts: Vec<Post> = posts.collect();
        let files = job.files_by_part().map(File::new).chain(card_image.map(File::of_card));
        let files = files.collect();
        Self {
            of: posts.len(),
            root: None,
            parent: None,
            posts,
            files,
            captions: Caption::all(job),
            quote: Quote::of(job),
            is_small: false,
            look_ups: 0,
            rules: Rules::of(&job.options),
            gates: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn is_visible(&self) -> bool {
        self.is_ready()
    }

    fn is_consistent(&self) -> bool {
        (!self.posts.is_empty() || !self.gates.is_empty())
            && self.posts.len() <= self.of
            && self.root.is_some() == self.parent.is_some()
    }

    fn live_part(&self) -> Option<Remote> {
        self.root.as_ref().map(|root| remote(root, &self.parts))
    }

    /// A record that could not be put is left out.
    fn skip(mut self) -> Option<Self> {
        if !self.gates.is_empty() {
            self.gates.remove(0);
        }
        (!self.posts.is_empty() || !self.gates.is_empty()).then_some(self)
    }

    fn part(&self) -> Part {
        Part { number: (self.of - self.posts.len() + 1).min(self.of), of: self.of }
    }
}

impl Progress {
    /// True when the next step puts a post: what it needs is all there.
    pub(super) fn is_ready(&self) -> bool {
        self.gates.is_empty()
            && self.unresolved_handles().is_empty()
            && self.named_quote().is_none()
            && self.has_files()
            && self.captions.iter().all(|caption| caption.blob.is_some())
    }

    /// True when the server has every file.
    pub(super) fn has_files(&self) -> bool {
        self.files.iter().all(File::is_uploaded)
    }

    /// How many posts are live.
    const fn put_parts(&self) -> usize {
        self.of - self.posts.len()
    }

    /// The files of the next post.
    fn next_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.part == self.put_parts())
    }

    /// The progress once the server has lost a file that no record named; `None` when it was
    /// uploaded again before.
    pub(super) fn uploads_again(mut self) -> Option<Self> {
        let next = self.put_parts();
        let mut files = self.files.iter_mut().filter(|file| file.part == next).peekable();
        files.peek()?;
        for file in files {
            file.state = FileState::Waiting;
            file.repeats += 1;
        }
        for caption in &mut self.captions {
            caption.blob = None;
        }
        self.files.iter().all(|file| file.repeats <= REPEATS_MAX).then_some(self)
    }

    /// True when the next post has images that can be made smaller.
    pub(super) fn has_large_images(&self) -> bool {
        let is_large = |file: &File| file.kind == MediaKind::Image && !file.is_of_card;
        !self.is_small && self.next_files().any(is_large)
    }

    /// The progress once a server has refused the size of an image: all are uploaded again, as older
    /// servers take them.
    pub(super) fn made_smaller(mut self) -> Self {
        let next = self.put_parts();
        for file in self.files.iter_mut().filter(|file| file.part >= next) {
            file.state = FileState::Waiting;
        }
        Self { is_small: true, ..self }
    }

    /// The progress once handles could not be looked up.
    pub(super) fn looks_up_again(self) -> Self {
        Self { look_ups: self.look_ups + 1, ..self }
    }

    /// The handles that the next step resolves; none when all are.
    pub(super) fn unresolved_handles(&self) -> Vec<&str> {
        richtext::handles(self.posts.iter().flat_map(|post| &post.mentions))
    }

    /// The progress once it is known whose handles these are; those of nobody stay plain text.
    pub(super) fn resolved(mut self, identities: &Identities) -> Self {
        for post in &mut self.posts {
            richtext::settle(&mut post.record.facets, &mut post.mentions, identities);
        }
        self
    }

    /// Author and key of the quoted post, while its record is not known.
    pub(super) fn named_quote(&self) -> Option<(&str, &str)> {
        match &self.quote {
            Some(Quote::Named { author, key }) => Some((author, key)),
            Some(Quote::Found { .. }) | None => None,
        }
    }

    /// The progress once it is known which record is quoted.
    pub(super) fn quoting(self, quote: Quote) -> Self {
        Self { quote: Some(quote), ..self }
    }

    /// The key and the record of the next post.
    pub(super) fn next_post(&self) -> Option<(&str, PostRecord)> {
        let post = self.posts.first()?;
        let reply = self.root.clone().zip(self.parent.clone());
        let reply = reply.map(|(root, parent)| Reply { root, parent });
        let mut record = post.record.clone();
        if let Some(Embed::External { external }) = &mut record.embed {
            let of_card = self.next_files().find(|file| file.is_of_card);
            external.thumb = of_card.and_then(File::blob).cloned();
        }
        let files: Vec<&File> = self.next_files().filter(|file| !file.is_of_card).collect();
        let mut media = embed(&files).or(record.embed);
        if let Some(Embed::Video { captions, .. }) = &mut media
            && self.root.is_none()
        {
            *captions = self.captions.iter().filter_map(Caption::named).collect();
        }
        let quoted = self.quote.as_ref().filter(|_| self.root.is_none());
        let embed = match (quoted.and_then(Quote::reference), media) {
            (Some(record), Some(media)) => {
                let (record, media) = (EmbeddedRecord { record }, Box::new(media));
                Some(Embed::RecordWithMedia { record, media })
            }
            (Some(record), None) => Some(Embed::Record { record }),
            (None, media) => media,
        };
        Some((&post.key, PostRecord { reply, embed, ..record }))
    }

    /// The progress once the next post is live; what is live when that was the last.
    pub(super) fn put(mut self, reference: Reference) -> Result<Self, Box<Live<Self>>> {
        if let Some(Post { key, record, .. }) = self.posts.first() {
            let is_first = self.root.is_none();
            let at = &record.created_at;
            self.gates.extend(self.rules.gates(&reference.uri, key, at, is_first));
        }
        // A publish that an earlier release has begun may have left some out.
        if self.parts.len() == self.of - self.posts.len() {
            self.parts.push(reference.uri.clone());
        }
        let root = self.root.take().unwrap_or_else(|| reference.clone());
        let remote = remote(&root, &self.parts);
        self.posts.remove(0);
        let is_last = self.posts.is_empty();
        let progress = Self { root: Some(root), parent: Some(reference), ..self };
        if is_last {
            let then = (!progress.gates.is_empty()).then_some(progress);
            return Err(Box::new(Live { remote: Some(remote), then }));
        }
        Ok(progress)
    }

    /// The step after a record was put for a post that is live.
    pub(super) fn followed(self) -> Step<Self> {
        match self.posts.is_empty() && self.gates.is_empty() {
            true => Step::Live(Live { remote: None, then: None }),
            false => Step::Next(self),
        }
    }
}

fn post(job: &PublishJob, part: usize, text: String, card: Option<String>) -> Post {
    let (facets, mentions) = richtext::facets(&text);
    // A millisecond apart, so that clients that sort by it keep the order of the thread.
    let offset = TimeDelta::milliseconds(i64::try_from(part).unwrap_or_default());
    let created_at = (job.begun_at + offset).to_rfc3339_opts(SecondsFormat::Millis, true);
    let embed = card.map(|uri| Embed::External { external: external(uri, &job.options) });
    let later = part.checked_sub(1).and_then(|part| job.thread_files.get(part));
    let warns = part == 0 || later.is_some_and(|files| !files.is_empty());
    let labels = listed(job, "labels");
    let values: Vec<SelfLabel> = labels.into_iter().map(|val| SelfLabel { val }).collect();
    let record = PostRecord {
        text,
        created_at,
        facets,
        embed,
        reply: None,
        langs: listed(job, "languages"),
        // They warn of files.
        labels: (warns && !values.is_empty()).then_some(SelfLabels { values }),
        tags: listed(job, "tags"),
    };
    Post { key: record_key(job, part), record, mentions }
}

/// The words of an option that is an array of texts, or one text with commas.
fn listed(job: &PublishJob, key: &str) -> Vec<String> {
    let words: Vec<&str> = match job.options.get(key) {
        Some(Value::String(text)) => text.split(',').collect(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let words = words.into_iter().map(|word| word.trim().trim_start_matches('#').trim_start());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The card of a link, before its picture is uploaded: what is given of it, with its host as its
/// title otherwise.
fn external(uri: String, options: &Map<String, Value>) -> External {
    let card = LinkCard::of(options).unwrap_or_default();
    let title = card.title_of(&uri);
    External { title, description: card.description.unwrap_or_default(), uri, thumb: None }
}
