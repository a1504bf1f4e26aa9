//! Which files a caller wants to see.

use std::collections::BTreeSet;

use super::{Media, MediaKind};
use crate::cursor::TimeCursor;
use crate::error::Refusal;
use crate::ids::MediaId;
use crate::post::{
    begin_words, folded_label, parse_labels, parse_number, parse_search, unreadable_cursor,
};

/// Files in one answer at most.
///
/// Source: interface description, GET /media.
pub const MEDIA_LIMIT_MAX: i64 = 200;

/// Files in one answer when the caller names no number.
///
/// Source: interface description, GET /media.
pub const MEDIA_LIMIT_DEFAULT: i64 = 50;

/// The parameters of a list of files as a caller sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaListInput {
    /// `image`, `video` or `document`.
    pub kind: Option<String>,
    /// `true` for files that a post uses, `false` for those that none does.
    pub used: Option<String>,
    /// Only files with one of these labels, at most 20, whatever their case.
    pub label: Vec<String>,
    /// Only files with words in their names that begin like each of these, 1 to 200 characters.
    pub q: Option<String>,
    /// How many files, 1 to 200.
    pub limit: Option<String>,
    /// The cursor of the page before.
    pub before: Option<String>,
}

/// The place of a file in a list, by when it was declared.
pub type MediaCursor = TimeCursor<MediaId>;

impl MediaCursor {
    /// The place of a file.
    #[must_use]
    pub const fn of(media: &Media) -> Self {
        Self { at: media.created_at, id: media.id }
    }
}

/// What the files of a list have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaFilter {
    /// Only files of this kind.
    pub kind: Option<MediaKind>,
    /// Only files that a post uses, or none does.
    pub used: Option<bool>,
    /// Any of these labels, without case; none for whichever.
    pub labels: BTreeSet<String>,
    /// The beginnings of words of their names, all of them.
    pub words: Vec<String>,
}

impl MediaFilter {
    /// True when it leaves out nothing.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// True for a file that has what is asked for, and that so many posts use.
    #[must_use]
    pub fn takes(&self, media: &Media, posts: u64) -> bool {
        let has_label =
            |label: &String| media.description.labels.iter().any(|own| folded_label(own) == *label);
        self.kind.is_none_or(|kind| kind == media.kind)
            && self.used.is_none_or(|used| used == (posts > 0))
            && (self.labels.is_empty() || self.labels.iter().any(has_label))
            && (self.words.is_empty() || begin_words(&media.search_words(), &self.words))
    }
}

/// A page of a list of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaQuery {
    /// What they have.
    pub filter: MediaFilter,
    /// At most so many.
    pub limit: usize,
    /// Only files after this place.
    pub before: Option<MediaCursor>,
}

impl MediaQuery {
    /// Reads the parameters of a list.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter that is out of bounds or unreadable.
    pub fn parse(input: &MediaListInput) -> Result<Self, Refusal> {
        let limit = input.limit.as_deref();
        let limit = parse_number("limit", limit, MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX)?;
        let filter = MediaFilter {
            kind: input.kind.as_deref().map(parse_kind).transpose()?,
            used: input.used.as_deref().map(parse_used).transpose()?,
            labels: parse_labels(&input.label)?,
            words: input.q.as_deref().map_or(Ok(Vec::new()), parse_search)?,
        };
        let before = input.before.as_deref().map(MediaCursor::decode).transpose();
        let before = before.map_err(|_| unreadable_cursor())?;
        Ok(Self { filter, limit: usize::try_from(limit).unwrap_or_default(), before })
    }
}

fn parse_kind(text: &str) -> Result<MediaKind, Refusal> {
    MediaKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
        let known = MediaKind::ALL.map(MediaKind::name).join(", ");
        Refusal::invalid("kind", format!("{text:?} is not a kind of file; send one of {known}."))
    })
}

fn parse_used(text: &str) -> Result<bool, Refusal> {
    text.parse().map_err(|_| {
        let message = format!(
            "{text:?} says neither; send true for files that a post uses, or false for those that none does."
        );
        Refusal::invalid("used", message)
    })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::cursor::CursorError;
    use crate::ids::WorkspaceId;
    use crate::media::{MediaDescription, Transfer};
    use crate::post::ANY_OF_MAX;

    fn media() -> Media {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        Media {
            file_name: Some("IMG_0042-Crème.JPG".into()),
            description: MediaDescription {
                name: Some("Our first cake".into()),
                labels: vec!["Bakery".into()],
                alt_text: None,
            },
            ..Media::declared(
                MediaId(uuid::Uuid::nil()),
                WorkspaceId(uuid::Uuid::nil()),
                MediaKind::Image,
                Transfer::Single,
                now,
            )
        }
    }

    #[test]
    fn what_finds_a_file() {
        let text = |text: &str| Some(text.to_owned());
        let labels = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let some = MediaListInput::default;
        for (name, input, posts, want) in [
            ("nothing is asked for", some(), 0, true),
            ("its kind", MediaListInput { kind: text("image"), ..some() }, 0, true),
            ("another kind", MediaListInput { kind: text("video"), ..some() }, 0, false),
            ("used, by none", MediaListInput { used: text("true"), ..some() }, 0, false),
            ("used, by one", MediaListInput { used: text("true"), ..some() }, 1, true),
            ("unused, by none", MediaListInput { used: text("false"), ..some() }, 0, true),
            ("unused, by one", MediaListInput { used: text("false"), ..some() }, 1, false),
            (
                "one of two labels, in another case",
                MediaListInput { label: labels(&["x", "bakERY"]), ..some() },
                0,
                true,
            ),
            ("another label", MediaListInput { label: labels(&["bake"]), ..some() }, 0, false),
            ("a word of its name", MediaListInput { q: text("CAKE"), ..some() }, 0, true),
            ("a number within", MediaListInput { q: text("0042"), ..some() }, 0, true),
            ("without accents", MediaListInput { q: text("creme jpg"), ..some() }, 0, true),
            ("words of both names", MediaListInput { q: text("img firs"), ..some() }, 0, true),
            ("the end of a word", MediaListInput { q: text("ake"), ..some() }, 0, false),
            ("one word of two", MediaListInput { q: text("cake tart"), ..some() }, 0, false),
        ] {
            let query = MediaQuery::parse(&input).unwrap();
            assert_eq!(query.filter.takes(&media(), posts), want, "{name}");
            assert_eq!(query.filter.is_none(), input == some(), "{name}");
        }
    }

    #[test]
    fn what_is_refused() {
        let text = |text: &str| Some(text.to_owned());
        let some = MediaListInput::default;
        for (field, input) in [
            ("kind", MediaListInput { kind: text("picture"), ..some() }),
            ("used", MediaListInput { used: text("yes"), ..some() }),
            ("label", MediaListInput { label: vec![String::new()], ..some() }),
            ("label", MediaListInput { label: vec!["x".to_owned(); ANY_OF_MAX + 1], ..some() }),
            ("q", MediaListInput { q: text("…"), ..some() }),
            ("limit", MediaListInput { limit: text("201"), ..some() }),
            ("before", MediaListInput { before: text("x"), ..some() }),
        ] {
            let refusal = MediaQuery::parse(&input).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field), "{refusal:?}");
        }
    }

    #[test]
    fn a_cursor_comes_back_and_is_none_of_posts() {
        let place = MediaCursor::of(&media());
        assert_eq!(MediaCursor::decode(&place.encode()), Ok(place));
        assert_eq!(crate::cursor::Cursor::decode(&place.encode()), Err(CursorError));
    }
}
