//! What is checked: a post before it is one, and what is known from outside.

use std::borrow::Cow;
use std::cmp::Ordering;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::conversion::{Fit, fits, thumbnail_fit};
use super::placement::placement;
use super::{MediaFacts, MediaKind, tiktok_account};
use crate::account::Account;
use crate::ids::{AccountId, WorkspaceId};
use crate::media::Decoding;
use crate::platform::{
    AccountLimits, CapabilitySheet, Disclosure, FileDetails, OptionFact, OptionValue, PageFigures,
    Placement, Platform, TextCleaning, TextUnit,
};
use crate::text::{self, Composed, count};
use crate::timing::Zone;

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
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::DraftTarget;
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let target = DraftTarget::new(Platform::Mastodon, &options, &limits);
/// assert!(target.account.is_none(), "checked by the sheet alone");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DraftTarget<'a> {
    /// The network.
    pub platform: Platform,
    /// The target's own settings.
    pub options: &'a Map<String, Value>,
    /// What it gets in place of the text and the link of the post, where its links are changed.
    pub text: Option<DraftText<'a>>,
    /// What the post tells of how it came about, where the options say nothing of it.
    pub disclosure: Disclosure,
    /// What the network says for this account.
    pub limits: &'a AccountLimits,
    /// The file that the option `thumbnailMediaId` names, or the link's card; `None` where
    /// none is named, and while no files are known.
    pub thumbnail: Option<&'a MediaFacts>,
    /// Its files, where they, or what is said of them, are not as the post has them.
    pub files: Option<DraftFiles<'a>>,
    /// The files of each later part of its thread, in order; may be shorter than the thread.
    pub parts: &'a [DraftFiles<'a>],
    /// Who posts it; `None` in a check by sheets alone. For rules of one's own.
    pub account: Option<DraftAccount<'a>>,
    /// When it goes out, as far as that is known; for a queued post the slot that is free at the
    /// check. `None` for a draft and in a dry run. For rules of one's own.
    pub due_at: Option<DateTime<Utc>>,
}

/// The text and the link that one target gets, where they are not those of the post.
#[derive(Clone, Copy, Debug)]
pub struct DraftText<'a> {
    /// The text.
    pub content: &'a str,
    /// The link.
    pub link_url: Option<&'a str>,
}

/// The files of a target, in order, and what is said of each.
#[derive(Clone, Copy, Debug, Default)]
pub struct DraftFiles<'a> {
    /// The files, in place of those of the post; `None` for those.
    pub media: Option<&'a [MediaFacts]>,
    /// What each shows, in the same order.
    pub alt_texts: &'a [Option<String>],
    /// What the target says of each, in the same order; may be shorter.
    pub details: &'a [FileDetails],
}

/// The account of a target, as rules of one's own see it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DraftAccount<'a> {
    /// The workspace that connected it.
    pub workspace_id: WorkspaceId,
    /// Its id.
    pub id: AccountId,
    /// Its handle.
    pub username: Option<&'a str>,
    /// The zone in which its times are read.
    pub zone: Zone,
}

impl<'a> DraftTarget<'a> {
    /// A target without a thumbnail, of which neither the account nor the time is known.
    #[must_use]
    pub const fn new(
        platform: Platform,
        options: &'a Map<String, Value>,
        limits: &'a AccountLimits,
    ) -> Self {
        Self {
            platform,
            options,
            text: None,
            disclosure: Disclosure::NONE,
            limits,
            thumbnail: None,
            files: None,
            parts: &[],
            account: None,
            due_at: None,
        }
    }

    /// The same with a text and a link of its own.
    #[must_use]
    pub const fn with_text(self, text: DraftText<'a>) -> Self {
        Self { text: Some(text), ..self }
    }

    /// The same of a post that tells this of how it came about.
    #[must_use]
    pub const fn disclosing(self, disclosure: Disclosure) -> Self {
        Self { disclosure, ..self }
    }

    /// The same with the file that the option `thumbnailMediaId` names, or the link's card.
    #[must_use]
    pub const fn with_thumbnail(self, thumbnail: Option<&'a MediaFacts>) -> Self {
        Self { thumbnail, ..self }
    }

    /// The same with files, or words about them, of its own.
    #[must_use]
    pub const fn with_files(self, files: Option<DraftFiles<'a>>) -> Self {
        Self { files, ..self }
    }

    /// The same with files in the later parts of its thread.
    #[must_use]
    pub const fn with_parts(self, parts: &'a [DraftFiles<'a>]) -> Self {
        Self { parts, ..self }
    }

    /// The same as an account posts it, with the limits of the account; `workspace` is the zone of
    /// its workspace.
    #[must_use]
    pub fn of_account(self, account: &'a Account, workspace: Option<Zone>) -> Self {
        let of_account = DraftAccount {
            workspace_id: account.workspace_id,
            id: account.id,
            username: account.username.as_deref(),
            zone: account.zone(workspace),
        };
        Self { limits: &account.limits, account: Some(of_account), ..self }
    }

    /// The same with the instant at which it goes out.
    #[must_use]
    pub const fn due_at(self, due_at: Option<DateTime<Utc>>) -> Self {
        Self { due_at, ..self }
    }
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
    /// What the server can read of pictures, to convert those that a network would refuse.
    pub decoding: Decoding,
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
    /// The post, with the files that the target has.
    pub(super) draft: Draft<'a>,
    pub(super) target: &'a DraftTarget<'a>,
    pub(super) sheet: &'static CapabilitySheet,
    pub(super) options: Cow<'a, Map<String, Value>>,
    pub(super) limits: &'a AccountLimits,
    pub(super) thumbnail: Option<&'a MediaFacts>,
    /// What becomes of the thumbnail on its way.
    pub(super) thumbnail_fit: Option<Fit>,
    /// What becomes of each file on its way.
    pub(super) fits: Vec<Fit>,
    /// What the target says of each file; may be empty.
    pub(super) details: &'a [FileDetails],
    /// The files that it has in place of those of the post.
    pub(super) own_files: &'a [MediaFacts],
    /// The files as the network gets them.
    pub(super) media: Vec<MediaFacts>,
    pub(super) decoding: Decoding,
    pub(super) composed: Composed,
    pub(super) images: usize,
    pub(super) videos: usize,
    pub(super) documents: usize,
    pub(super) placement: Placement,
    /// How its images become a document, where it asks for that.
    pub(super) pages: Option<PageFigures>,
    /// Whether the whole post is empty, which is one issue of the post.
    pub(super) post_is_empty: bool,
}

impl<'a> TargetView<'a> {
    pub(super) fn new(
        draft: &'a Draft<'a>,
        target: &'a DraftTarget<'a>,
        &Context { decoding, .. }: &Context,
    ) -> Self {
        let as_post = DraftFiles { alt_texts: draft.alt_texts, ..DraftFiles::default() };
        let DraftFiles { media, alt_texts, details } = target.files.unwrap_or(as_post);
        let as_post = DraftText { content: draft.content, link_url: draft.link_url };
        let DraftText { content, link_url } = target.text.unwrap_or(as_post);
        let draft =
            Draft { content, link_url, media: media.unwrap_or(draft.media), alt_texts, ..*draft };
        let has_media = !draft.media.is_empty();
        let sheet = target.platform.sheet_for(target.limits);
        let options = target.disclosure.fill(sheet, target.options);
        let fits = fits(target, draft.media, decoding);
        let own_files = media.unwrap_or_default();
        let media = draft.media.iter().zip(&fits).map(|(file, fit)| match fit {
            Fit::Convert(made) => made.facts.clone(),
            Fit::AsIs | Fit::Impossible(_) => file.clone(),
        });
        let media = media.collect();
        let thumbnail_fit = target.thumbnail.map(|file| thumbnail_fit(target, file, decoding));
        let count = |kind| draft.media.iter().filter(|media| media.kind == kind).count();
        Self {
            draft,
            target,
            details,
            own_files,
            sheet,
            limits: target.limits,
            thumbnail: target.thumbnail,
            thumbnail_fit,
            fits,
            media,
            decoding,
            composed: text::compose(
                draft.content,
                draft.link_url,
                has_media,
                target.platform,
                &options,
            ),
            images: count(MediaKind::Image),
            videos: count(MediaKind::Video),
            documents: count(MediaKind::Document),
            placement: placement(&sheet.media, &options, draft.media),
            pages: sheet.media.documents.pages_for(target.options),
            options,
            post_is_empty: false,
        }
    }

    /// The value of an option that was sent; `null` counts as not sent.
    pub(super) fn option(&self, key: &str) -> Option<&Value> {
        self.options.get(key).filter(|value| text::is_given(value))
    }

    /// Whether the text goes to the network: a draft of a video on TikTok and a story on Instagram
    /// or Facebook go without, so that nothing in it can be refused.
    pub(super) fn carries_text(&self) -> bool {
        let has_stories = matches!(self.sheet.platform, Platform::Instagram | Platform::Facebook);
        let is_story = has_stories && self.placement == Placement::Story;
        !is_story && !tiktok_account::is_video_draft(self)
    }

    /// How a moment of the video, in milliseconds, compares with its end; `None` where there is no
    /// video, or its length is not known.
    pub(super) fn against_end(&self, moment: u64) -> Option<Ordering> {
        let video = self.draft.media.iter().find(|file| file.kind == MediaKind::Video)?;
        #[expect(clippy::cast_precision_loss, reason = "moments are far below 2^53")]
        (moment as f64).partial_cmp(&(video.duration_seconds? * 1_000.0))
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
        !is_blank || self.composed.spoiler.is_some() || self.shows_more_than_text()
    }

    /// Whether there is a card, a question of a poll, or a reblogged post, that stands by itself.
    fn shows_more_than_text(&self) -> bool {
        let is_known = |key| self.sheet.option(key).filter(|_| self.option(key).is_some());
        let cards = is_known("embeds").and_then(|fact| self.option(fact.key)?.as_array());
        let asks = |fact: &OptionFact| match fact.value {
            OptionValue::Poll(figures) => figures.max_question.is_some(),
            _ => false,
        };
        let question = is_known("poll")
            .filter(|fact| asks(fact) && self.draft.media.is_empty())
            .and_then(|fact| self.option(fact.key)?.get("question")?.as_str());
        cards.is_some_and(|cards| !cards.is_empty())
            || is_known("reblogOf").is_some()
            || question.is_some_and(|question| !question.trim().is_empty())
    }

    /// What Mastodon's count needs besides a text: the content warning, and what a link counts.
    fn beside_text(&self) -> Option<(&str, usize)> {
        match self.sheet.text.unit {
            TextUnit::MastodonCharacters => {
                let reserved = self.limits.characters_reserved_per_url;
                let usual = text::mastodon::CHARACTERS_RESERVED_PER_URL;
                let spoiler = self.composed.spoiler.as_deref().unwrap_or_default();
                Some((spoiler, reserved.map_or(usual, widened)))
            }
            TextUnit::CodePoints
            | TextUnit::Utf16Units
            | TextUnit::Bytes
            | TextUnit::EmojiInBytes
            | TextUnit::Graphemes
            | TextUnit::TwitterCharacters => None,
        }
    }

    /// Length of a text in the network's own count.
    pub(super) fn length(&self, text: &str) -> usize {
        match self.beside_text() {
            Some((spoiler, reserved)) => text::mastodon::length(text, spoiler, reserved),
            None => count::length(self.sheet.text.unit, text),
        }
    }

    /// Length of a text in the network's own count, if it is over `limit`; a text that is clearly
    /// within is not counted.
    pub(super) fn length_over(&self, text: &str, limit: usize) -> Option<usize> {
        match self.beside_text() {
            Some((spoiler, reserved)) => text::mastodon::over(text, spoiler, reserved, limit),
            None => count::over(self.sheet.text.unit, text, limit),
        }
    }
}

/// A text of a target whose length the network bounds, with the greatest length that is allowed.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// In the unit of the sheet.
    pub(super) limit: usize,
}

/// A figure of a sheet as a count.
pub(super) fn widened(figure: u32) -> usize {
    usize::try_from(figure).unwrap_or(usize::MAX)
}
