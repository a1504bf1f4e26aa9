//! What a client had before them when they last decided on a post, and what is new in it since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, DiffableStr as _, TextDiff};

use super::Verdict;
use crate::ids::{AccountId, MediaId};
use crate::platform::Platform;

/// The most that is kept of what a client has seen of a post, in bytes of JSON. Of a post that is
/// longer they are told that it has changed, and not in what.
///
/// Source: our decision; thirteen networks of 5 000 characters each.
pub const SEEN_MAX_BYTES: usize = 1 << 16;

/// The most words and spaces of two texts together that are compared; longer ones are told as one
/// change.
///
/// Source: our decision; comparing takes at most the square of it in steps.
const WORDS_MAX: usize = 2_000;

/// What a client had before them when they decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// What they decided.
    pub verdict: Verdict,
    /// What each account was to get.
    pub targets: Vec<SeenTarget>,
    /// The files of the post and of its targets, with their descriptions.
    pub files: BTreeMap<MediaId, Option<String>>,
}

/// What one account was to get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenTarget {
    /// The account.
    pub account_id: AccountId,
    /// Its network.
    pub platform: Platform,
    /// Everything that was written, each by where it stands.
    pub texts: BTreeMap<Place, String>,
}

/// Where a text of a post stands, as a client is shown it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The title.
    Title,
    /// The content warning.
    Spoiler,
    /// The text of the post, or of a later post of its thread.
    Part(usize),
    /// The link, where the network has a field of its own for it.
    Link,
    /// Another setting, by its name for people.
    Setting(String),
}

/// A piece of a text, as it stands beside what the client has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// It was there, and is.
    Same(String),
    /// It is new.
    New(String),
    /// It is there no more.
    Gone(String),
}

impl Seen {
    /// The same, unless it is longer than what is kept.
    #[must_use]
    pub fn kept(self) -> Option<Self> {
        let length = serde_json::to_string(&self).ok()?.len();
        (length <= SEEN_MAX_BYTES).then_some(self)
    }

    /// What an account was to get; `None` for one that was not among those.
    #[must_use]
    pub fn target(&self, account: AccountId) -> Option<&SeenTarget> {
        self.targets.iter().find(|target| target.account_id == account)
    }
}

impl SeenTarget {
    /// A text as it is now, with what is new in it.
    #[must_use]
    pub fn compared(&self, place: &Place, now: &str) -> Vec<Piece> {
        compared(self.texts.get(place).map_or("", String::as_str), now)
    }
}

/// What became of a text. The pieces that are new and those that stayed are the text now; those that
/// are gone and those that stayed are the text before.
#[must_use]
pub fn compared(before: &str, now: &str) -> Vec<Piece> {
    let mut pieces = Pieces::default();
    if before == now {
        pieces.same(now);
        return pieces.all;
    }
    let (old, new) = (before.tokenize_unicode_words(), now.tokenize_unicode_words());
    if old.len() + new.len() > WORDS_MAX {
        pieces.gone.push_str(before);
        pieces.new.push_str(now);
        return pieces.ended();
    }
    let diff = TextDiff::configure().diff_slices(&old, &new);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => pieces.same(change.value()),
            ChangeTag::Delete => pieces.change().gone.push_str(change.value()),
            ChangeTag::Insert => pieces.change().new.push_str(change.value()),
        }
    }
    pieces.ended()
}

/// Pieces as they are found: words that follow each other are one piece, and so are changed words
/// with nothing but a space between them.
#[derive(Debug, Default)]
struct Pieces {
    all: Vec<Piece>,
    gone: String,
    new: String,
    /// White space after a change, which belongs to it where another change follows.
    space: String,
}

impl Pieces {
    fn same(&mut self, text: &str) {
        let is_between = !self.gone.is_empty() && !self.new.is_empty();
        if is_between && text.trim().is_empty() {
            self.space.push_str(text);
            return;
        }
        self.flush();
        match self.all.last_mut() {
            Some(Piece::Same(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => self.all.push(Piece::Same(text.to_owned())),
        }
    }

    fn change(&mut self) -> &mut Self {
        let space = std::mem::take(&mut self.space);
        self.gone.push_str(&space);
        self.new.push_str(&space);
        self
    }

    fn flush(&mut self) {
        let take = std::mem::take;
        let found = [
            Piece::Gone(take(&mut self.gone)),
            Piece::New(take(&mut self.new)),
            Piece::Same(take(&mut self.space)),
        ];
        self.all.extend(found.into_iter().filter(|piece| !piece.text().is_empty()));
    }

    fn ended(mut self) -> Vec<Piece> {
        self.flush();
        self.all
    }
}

impl Piece {
    /// What it says.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Same(text) | Self::New(text) | Self::Gone(text) => text,
        }
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Title => serializer.serialize_str("title"),
            Self::Spoiler => serializer.serialize_str("spoiler"),
            Self::Link => serializer.serialize_str("link"),
            Self::Part(index) => serializer.collect_str(&format_args!("part.{index}")),
            Self::Setting(name) => serializer.collect_str(&format_args!("setting.{name}")),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let place = match (name.as_str(), name.split_once('.')) {
            ("title", _) => Some(Self::Title),
            ("spoiler", _) => Some(Self::Spoiler),
            ("link", _) => Some(Self::Link),
            (_, Some(("part", index))) => index.parse().ok().map(Self::Part),
            (_, Some(("setting", name))) => Some(Self::Setting(name.to_owned())),
            _ => None,
        };
        place.ok_or_else(|| serde::de::Error::custom(format!("{name} is no place of a text")))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pieces as a person would mark them: `[-gone-]` and `{+new+}`.
    fn marked(before: &str, now: &str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Same(text) => text.clone(),
            Piece::New(text) => format!("{{+{text}+}}"),
            Piece::Gone(text) => format!("[-{text}-]"),
        };
        compared(before, now).iter().map(piece).collect()
    }

    #[test]
    fn words_are_marked() {
        for (name, before, now, want) in [
            ("nothing new", "To the fair", "To the fair", "To the fair"),
            ("another word", "To the fair", "To the market", "To the [-fair-]{+market+}"),
            ("words in a row", "Old red barn", "New blue barn", "[-Old red-]{+New blue+} barn"),
            ("added", "Bread", "Bread and salt", "Bread{+ and salt+}"),
            ("left out", "Bread and salt", "Bread", "Bread[- and salt-]"),
            ("a sign", "Bread.", "Bread!", "Bread[-.-]{+!+}"),
            ("a text of its own", "", "Bread", "{+Bread+}"),
            ("no text any more", "Bread", "", "[-Bread-]"),
            ("none at all", "", "", ""),
            ("signs without spaces", "花火", "花束", "花[-火-]{+束+}"),
        ] {
            assert_eq!(marked(before, now), want, "{name}");
        }
    }

    #[test]
    fn long_texts_are_one_change() {
        let (before, now) = ("a ".repeat(WORDS_MAX), format!("{}b", "a ".repeat(WORDS_MAX)));
        let pieces = compared(&before, &now);
        assert_eq!(pieces, [Piece::Gone(before), Piece::New(now)]);
    }

    #[test]
    fn what_is_longer_than_is_kept_is_not_kept() {
        let seen = |length: usize| Seen {
            verdict: Verdict::Approve,
            targets: vec![SeenTarget {
                account_id: AccountId(uuid::Uuid::nil()),
                platform: Platform::Mastodon,
                texts: BTreeMap::from([(Place::Part(0), "a".repeat(length))]),
            }],
            files: BTreeMap::new(),
        };
        assert!(seen(SEEN_MAX_BYTES / 2).kept().is_some());
        assert!(seen(SEEN_MAX_BYTES).kept().is_none());
    }

    #[test]
    fn places_are_read_as_they_are_written() {
        for place in [
            Place::Title,
            Place::Spoiler,
            Place::Link,
            Place::Part(3),
            Place::Setting("First. comment".to_owned()),
        ] {
            let text = serde_json::to_string(&BTreeMap::from([(&place, 1)])).unwrap();
            let read: BTreeMap<Place, u8> = serde_json::from_str(&text).unwrap();
            assert_eq!(read, BTreeMap::from([(place, 1)]), "{text}");
        }
        assert!(serde_json::from_str::<Place>("\"elsewhere\"").is_err());
    }

    proptest! {
        #[test]
        fn pieces_make_up_both_texts(before in "[ab .\n花]{0,40}", now in "[ab .\n花]{0,40}") {
            let pieces = compared(&before, &now);
            let text = |is_left_out: fn(&Piece) -> bool| -> String {
                pieces.iter().filter(|piece| !is_left_out(piece)).map(Piece::text).collect()
            };
            prop_assert_eq!(text(|piece| matches!(piece, Piece::Gone(_))), now);
            prop_assert_eq!(text(|piece| matches!(piece, Piece::New(_))), before);
            prop_assert!(pieces.iter().all(|piece| !piece.text().is_empty()));
        }
    }
}
