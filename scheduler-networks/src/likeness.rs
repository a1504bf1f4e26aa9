//! Telling a post of ours among those that a network lists.
//!
//! What a network guarantees excludes a post: taken to be absent, it would be sent again. So does
//! a text that says something else, as in [`candidates`](crate::candidates), but not where the
//! network marks the post as edited. Whatever else speaks against one leaves a doubt, and chooses
//! among several.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::text::twitter::normalized;

use crate::candidates::{CLOCK_SLACK, Pick};

/// How far before a call something of the same text leaves a doubt: ours, by a clock that is wrong,
/// or an earlier one. Our decision: nothing that publishes by its clock is further from the time.
pub(crate) const CLOCK_DOUBT: TimeDelta = TimeDelta::minutes(15);

/// How much something that a network lists is like what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// All that is known of it is as it was sent.
    Same,
    /// It may be it.
    Alike,
    /// It cannot be it.
    Other,
}

impl Likeness {
    /// That of a text whose network may have changed what `exact` does not leave out.
    pub(crate) fn of_texts(sent: &str, shown: &str, exact: impl Fn(&str) -> String) -> Self {
        if exact(sent) == exact(shown) {
            Self::Same
        } else if letters(sent) == letters(shown) {
            Self::Alike
        } else {
            Self::Other
        }
    }

    /// The same with something that speaks against it and that the network does not guarantee.
    pub(crate) fn unless(self, is_different: bool) -> Self {
        if self == Self::Same && is_different { Self::Alike } else { self }
    }

    /// The same of something whose text a person may have changed since, or not: it may be it,
    /// whatever it says now.
    pub(crate) fn edited(self, is_edited: bool) -> Self {
        if self == Self::Other && is_edited { Self::Alike } else { self }
    }

    /// The same of something that was made at an instant, where the call was not begun before
    /// another. What is too early leaves a doubt, and what is far too early is not it.
    pub(crate) fn made_at(self, at: DateTime<Utc>, not_before: DateTime<Utc>) -> Self {
        match self {
            _ if at >= not_before - CLOCK_SLACK => self,
            Self::Same | Self::Alike if at >= not_before - CLOCK_DOUBT => Self::Alike,
            Self::Same | Self::Alike | Self::Other => Self::Other,
        }
    }
}

/// What a list has shown so far.
#[derive(Debug)]
pub(crate) struct Among<T> {
    same: Vec<T>,
    has_alike: bool,
}

impl<T: PartialEq> Among<T> {
    pub(crate) const fn new() -> Self {
        Self { same: Vec::new(), has_alike: false }
    }

    /// Adds something of the list; pages may overlap.
    pub(crate) fn add(&mut self, likeness: Likeness, found: T) {
        match likeness {
            Likeness::Same if !self.same.contains(&found) => self.same.push(found),
            Likeness::Alike => self.has_alike = true,
            Likeness::Same | Likeness::Other => {}
        }
    }

    /// What it has shown, when it was read as far as it can hold what was sent, or not.
    pub(crate) fn pick(mut self, is_complete: bool) -> Pick<T> {
        match (self.same.pop(), self.same.is_empty()) {
            (Some(one), true) => Pick::One(one),
            (None, _) if !self.has_alike => Pick::Nothing.of_list(is_complete),
            (Some(_) | None, _) => Pick::Unclear,
        }
    }
}

/// The letters and digits of a text in lower case, without its links and names, which networks
/// shorten, complete and rewrite.
pub(crate) fn letters(text: &str) -> String {
    let text = normalized(text);
    let is_link = |word: &str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '@');
        word.starts_with('@') || word.contains("://") || word.contains('.')
    };
    let words = text.split_whitespace().filter(|word| !is_link(word));
    let letters = words.flat_map(str::chars).filter(|sign| sign.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::begun_at;
    use Likeness::{Alike, Other, Same};

    #[test]
    fn texts_that_a_network_may_have_changed_leave_a_doubt() {
        for (name, sent, shown, want) in [
            ("the same", "Hello", "Hello", Same),
            ("space around", " Hello\n", "Hello", Same),
            ("other signs", "\"Hello\" -- you", "“Hello” — you", Alike),
            ("a shortened link", "See https://a.example/x now", "See https://t.co/a now", Alike),
            ("a bare domain", "See a.example, now", "See https://t.co/a, now", Alike),
            ("a name with its server", "Hi @bob!", "Hi @bob@b.example!", Alike),
            ("letter case", "Hello", "hello", Alike),
            ("another text", "Hello", "Hello you", Other),
            ("another number", "Day 1", "Day 2", Other),
        ] {
            let found = Likeness::of_texts(sent, shown, |text| text.trim().to_owned());
            assert_eq!(found, want, "{name}");
        }
    }

    #[test]
    fn what_is_a_little_too_early_leaves_a_doubt() {
        for (seconds, of_same, of_alike) in [
            (9_000, Same, Alike),
            (0, Same, Alike),
            (-60, Same, Alike),
            (-61, Alike, Alike),
            (-900, Alike, Alike),
            (-901, Other, Other),
        ] {
            let at = begun_at() + TimeDelta::seconds(seconds);
            assert_eq!(Same.made_at(at, begun_at()), of_same, "{seconds}");
            assert_eq!(Alike.made_at(at, begun_at()), of_alike, "{seconds}");
            assert_eq!(Other.made_at(at, begun_at()), Other, "{seconds}");
        }
    }

    #[test]
    fn what_was_edited_may_be_it_whatever_it_says() {
        for (likeness, unedited, edited) in
            [(Same, Same, Same), (Alike, Alike, Alike), (Other, Other, Alike)]
        {
            assert_eq!(likeness.edited(false), unedited, "{likeness:?}");
            assert_eq!(likeness.edited(true), edited, "{likeness:?}");
        }
    }

    #[test]
    fn only_one_can_be_it_and_nothing_only_on_a_whole_list() {
        for (name, listed, whole, in_part) in [
            ("nothing", vec![], Pick::Nothing, Pick::Unclear),
            ("others", vec![(Other, 1)], Pick::Nothing, Pick::Unclear),
            ("one", vec![(Other, 1), (Same, 2)], Pick::One(2), Pick::One(2)),
            ("one, and one alike", vec![(Alike, 1), (Same, 2)], Pick::One(2), Pick::One(2)),
            ("one, twice listed", vec![(Same, 2), (Same, 2)], Pick::One(2), Pick::One(2)),
            ("two", vec![(Same, 1), (Same, 2)], Pick::Unclear, Pick::Unclear),
            ("one alike", vec![(Alike, 1)], Pick::Unclear, Pick::Unclear),
        ] {
            let among = || {
                let mut among = Among::new();
                listed.iter().for_each(|(likeness, id)| among.add(*likeness, *id));
                among
            };
            assert_eq!(among().pick(true), whole, "{name}");
            assert_eq!(among().pick(false), in_part, "{name}, a part of the list");
        }
    }
}
