//! What is checked: a post before it is one, and what is known from outside.

use serde_json::{Map, Value};

use super::placement::placement;
use super::{MediaFacts, tiktok_account};
use crate::platform::{
    AccountLimits, CapabilitySheet, Placement, Platform, TextCleaning, TextUnit,
};
use crate::text::{self, Composed, count};

/// A post to be checked, borrowed from wherever it is.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The text that all targets share.
    pub content: &'a str,
    /// The link of the post.
    pub link_url: Option<&'a str>,
    /// The files, in order.
    pub media: &'a [MediaFacts],
    /// The alternative texts, in the order of the files.
    pub alt_texts: &'a [Option<String>],
    /// Where the post goes.
    pub targets: &'a [DraftTarget<'a>],
}

/// One network account that a post goes to.
#[derive(Clone, Copy, Debug)]
pub struct DraftTarget<'a> {
    /// The network.
    pub platform: Platform,
    /// The target's own settings.
    pub options: &'a Map<String, Value>,
    /// What the network says for this account.
    pub limits: &'a AccountLimits,
    /// The file that the option `thumbnailMediaId` names; `None` where it names none, and while
    /// no files are known.
    pub thumbnail: Option<&'a MediaFacts>,
}

/// What a check needs to know besides the post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Posts that the plan still allows this month; `None` when it is not to be checked.
    pub posts_left: Option<u64>,
    /// Posts that the plan allows in a month.
    pub posts_limit: Option<u64>,
    /// What the plan allows of uploads; `None` when it is not to be checked.
    pub uploads: Option<Uploads>,
}

/// What the plan allows of uploads, and how many of a post's files are yet to be uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uploads {
    /// How many of the files, counted from the last, are only described so far.
    pub to_come: usize,
    /// Bytes that the plan still allows this month.
    pub bytes_left: u64,
    /// Bytes that the plan allows in a month.
    pub bytes_a_month: u64,
    /// Bytes that the plan allows for one file.
    pub bytes_a_file: u64,
}

/// A target with what all its rules look at.
pub(super) struct TargetView<'a> {
    pub(super) draft: &'a Draft<'a>,
    pub(super) sheet: &'static CapabilitySheet,
    pub(super) options: &'a Map<String, Value>,
    pub(super) limits: &'a AccountLimits,
    pub(super) thumbnail: Option<&'a MediaFacts>,
    pub(super) composed: Composed,
    pub(super) images: usize,
    pub(super) videos: usize,
    pub(super) placement: Placement,
    /// Whether the whole post is empty, which is one issue of the post.
    pub(super) post_is_empty: bool,
}

impl<'a> TargetView<'a> {
    pub(super) fn new(draft: &'a Draft<'a>, target: &DraftTarget<'a>) -> Self {
        let has_media = !draft.media.is_empty();
        let images = draft.media.iter().filter(|media| media.kind.is_image()).count();
        Self {
            draft,
            sheet: target.platform.sheet(),
            options: target.options,
            limits: target.limits,
            thumbnail: target.thumbnail,
            composed: text::compose(
                draft.content,
                draft.link_url,
                has_media,
                target.platform,
                target.options,
            ),
            images,
            videos: draft.media.len() - images,
            placement: placement(&target.platform.sheet().media, target.options, draft.media),
            post_is_empty: false,
        }
    }

    /// The value of an option that was sent; `null` counts as not sent.
    pub(super) fn option(&self, key: &str) -> Option<&'a Value> {
        self.options.get(key).filter(|value| text::is_given(value))
    }

    /// Whether the text goes to the network: a draft of a video on TikTok and a story on Instagram
    /// go without, so that nothing in it can be refused.
    pub(super) fn carries_text(&self) -> bool {
        let is_story =
            self.sheet.platform == Platform::Instagram && self.placement == Placement::Story;
        !is_story && !tiktok_account::is_video_draft(self)
    }

    /// Whether a flag was sent as true.
    pub(super) fn is_on(&self, key: &str) -> bool {
        self.option(key).and_then(Value::as_bool) == Some(true)
    }

    /// Whether the network sees something to read, be it a content warning.
    pub(super) fn has_text(&self) -> bool {
        let text = self.composed.text();
        let is_blank = match self.sheet.text.cleaning {
            TextCleaning::Nothing | TextCleaning::Trim | TextCleaning::TrimAscii => {
                text.trim().is_empty()
            }
            TextCleaning::Telegram => text::telegram::is_empty(text),
        };
        !is_blank || self.composed.spoiler.is_some()
    }

    /// Length of one part in the network's own count, if it is over `limit`.
    pub(super) fn length_over(&self, part: &str, limit: u32) -> Option<usize> {
        let limit = widened(limit);
        match self.sheet.text.unit {
            TextUnit::MastodonCharacters => {
                let spoiler = self.composed.spoiler.as_deref().unwrap_or_default();
                let reserved = self
                    .limits
                    .characters_reserved_per_url
                    .map_or(text::mastodon::CHARACTERS_RESERVED_PER_URL, widened);
                text::mastodon::over(part, spoiler, reserved, limit)
            }
            unit @ (TextUnit::CodePoints
            | TextUnit::Utf16Units
            | TextUnit::Bytes
            | TextUnit::Graphemes
            | TextUnit::TwitterCharacters) => count::over(unit, part, limit),
        }
    }
}

/// A figure of a sheet as a count.
pub(super) fn widened(figure: u32) -> usize {
    usize::try_from(figure).unwrap_or(usize::MAX)
}
