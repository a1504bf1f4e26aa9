//! Which posts are sent to which network.

use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;

use crate::world::Wiring;

/// A kind of post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A text alone.
    Text,
    /// A text with one file.
    File,
    /// A text with two pictures.
    Files,
    /// A text with a document.
    Document,
    /// A text that two others follow.
    Thread,
    /// A post that a first comment of its author follows.
    Comment,
}

/// The kinds of post that a network takes.
pub(crate) fn shapes(platform: Platform, wiring: Wiring) -> &'static [Shape] {
    use Shape::{Comment, Document, File, Files, Text, Thread};
    let all: &[Shape] = match platform {
        Platform::Bluesky | Platform::Mastodon | Platform::Threads | Platform::Twitter => {
            &[Text, File, Files, Thread]
        }
        Platform::Discord | Platform::Telegram => &[Text, File, Files, Document],
        Platform::Tumblr => &[Text, File, Files],
        Platform::Facebook => &[Text, File, Files, Comment],
        Platform::Linkedin => &[Text, File, Files, Document, Comment],
        Platform::Instagram | Platform::Pinterest | Platform::Tiktok => &[File, Files],
        Platform::Youtube => &[File, Comment],
        own => panic!("{own} has no shapes"),
    };
    match wiring {
        Wiring::Served => all,
        // What differs is who publishes, not what.
        Wiring::Connected => all.get(..1).unwrap_or_default(),
    }
}

/// Whether a network neither shows an application its own posts nor says of a repeat what it has
/// made, so that after a lost answer a person has to look. Bots of Telegram and webhooks of Discord
/// cannot read; TikTok tells of a publish only under the id that the lost answer held; a member of
/// LinkedIn allows applications no reading, and the post that a refused repeat names may be one
/// that was deleted.
pub(crate) fn cannot_be_asked(platform: Platform, wiring: Wiring) -> bool {
    match platform {
        Platform::Telegram | Platform::Discord | Platform::Tiktok => true,
        Platform::Linkedin => wiring == Wiring::Connected,
        _ => false,
    }
}

/// Whether the network makes several things at one request, and may refuse a later one when the
/// first is live: Telegram sends the files of an album one by one.
pub(crate) fn is_done_in_parts(platform: Platform, shape: Shape) -> bool {
    platform == Platform::Telegram && shape == Shape::Files
}

impl Shape {
    /// The files of a post to a network: one of a kind, or two pictures.
    pub(crate) fn files(self, platform: Platform) -> Option<(MediaKind, usize)> {
        let sheet = platform.sheet();
        let takes = |kind| sheet.with_files.unwrap_or(sheet).takes(kind);
        let first = if takes(MediaKind::Image) { MediaKind::Image } else { MediaKind::Video };
        match self {
            Self::File => Some((first, 1)),
            Self::Files => Some((MediaKind::Image, 2)),
            Self::Document => Some((MediaKind::Document, 1)),
            Self::Comment if platform == Platform::Youtube => Some((first, 1)),
            Self::Text | Self::Thread | Self::Comment => None,
        }
    }
}
