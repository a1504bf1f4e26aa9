//! Which post of an account's own list a call whose answer was lost may have made.
//!
//! Networks clean texts, shorten links, count instants by clocks of their own, and show a post a
//! while after it was made. So little excludes a post here:
//!
//! | Criterion | Excludes | Chooses |
//! |---|---|---|
//! | time | what is older than the call by more than [`CLOCK_MAX`], or by more than [`CLOCK_SLACK`] where its text is only similar | what came after the call, before what came within [`CLOCK_SLACK`] of it |
//! | text | what says something else: another number, or less than four fifths of it the same | the same text, before one that the network has cleaned |
//! | everything else | nothing | the post that fits best |
//!
//! A text that says something else excludes although no network guarantees a text: an account that
//! publishes a series would otherwise have each post in doubt because of the one before. So a post
//! of ours that a person edits within the minutes of the doubt is not recognised where the network
//! shows no mark of the edit, and is sent again. Where it shows one, adapters use
//! [`edited`](crate::likeness::Likeness::edited), and the text excludes nothing.
//!
//! What an adapter knows for certain, such as an id of its own, it decides before it asks here. A
//! post that is left and cannot be told apart from ours is [`Pick::Unclear`], which never leads to
//! another call.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

/// How far behind ours a network's clock may be for a post to be taken for ours. Our decision:
/// what keeps the time by a server of it is within a second.
pub(crate) const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// How far behind ours a network's clock may be at all: a post that is older than the call by more
/// was there before it. Our decision; servers keep their clocks within seconds.
pub(crate) const CLOCK_MAX: TimeDelta = TimeDelta::minutes(10);

/// Shortest prefix that identifies a text: a list may cut the rest. Our decision.
const CUT_MIN: usize = 40;

/// Letters of a text that are compared for likeness. Our decision.
const COMPARED: usize = 2_000;

/// How much a text of a list is like the one that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// It says something else.
    Other,
    /// Nearly the same, or it is not told.
    Similar,
    /// The same letters: links, signs or the end differ.
    Cleaned,
    /// The same but for white space and the spelling of signs.
    Same,
}

/// A post of a list.
#[derive(Debug)]
pub(crate) struct Candidate<T> {
    /// The post.
    pub(crate) post: T,
    /// When it was made, by the network's clock; `None` where it is not told.
    pub(crate) at: Option<DateTime<Utc>>,
    /// How much its text is like ours.
    pub(crate) likeness: Likeness,
    /// How many other things are as they were sent; the most of several is ours.
    pub(crate) fits: u32,
}

/// What a list shows of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pick<T> {
    /// What the call made.
    One(T),
    /// Something that the call may have made, and nobody can tell.
    Unclear,
    /// Nothing that the call can have made.
    Nothing,
}

impl<T> Pick<T> {
    /// The same of a list of which `is_whole` says whether it was read back far enough: what is not
    /// on the rest of it nobody knows.
    pub(crate) fn of_list(self, is_whole: bool) -> Self {
        match self {
            Self::Nothing if !is_whole => Self::Unclear,
            other => other,
        }
    }

    /// The same with what is known of the post in another form.
    pub(crate) fn map<U>(self, form: impl FnOnce(T) -> U) -> Pick<U> {
        match self {
            Self::One(post) => Pick::One(form(post)),
            Self::Unclear => Pick::Unclear,
            Self::Nothing => Pick::Nothing,
        }
    }

    /// The post, where there is no doubt about it.
    pub(crate) fn one(self) -> Option<T> {
        match self {
            Self::One(post) => Some(post),
            Self::Unclear | Self::Nothing => None,
        }
    }
}

/// The post that a call since an instant of our clock has made.
pub(crate) fn pick<T>(
    candidates: impl IntoIterator<Item = Candidate<T>>,
    since: DateTime<Utc>,
) -> Pick<T> {
    let ranked = candidates.into_iter().filter_map(|one| Some((rank(&one, since)?, one)));
    let ranked: Vec<(Rank, Candidate<T>)> = ranked.collect();
    let Some(best) = ranked.iter().map(|(rank, _)| *rank).max() else { return Pick::Nothing };
    let is_alone = ranked.len() == 1;
    let best_of = ranked.into_iter().filter(|(rank, _)| *rank == best);
    let best_of: Vec<Candidate<T>> = best_of.map(|(_, one)| one).collect();
    let most = best_of.iter().map(|one| one.fits).max();
    let mut fitting = best_of.into_iter().filter(|one| Some(one.fits) == most);
    match (best, fitting.next(), fitting.next()) {
        (Rank::After | Rank::Before, Some(one), None) => Pick::One(one.post),
        // One that is not quite ours is taken only where nothing else can be.
        (Rank::Cleaned, Some(one), None) if is_alone => Pick::One(one.post),
        _ => Pick::Unclear,
    }
}

/// True when a list whose posts come newest first shows every post that a call since an instant can
/// have made, given the instant of the last post that was read.
pub(crate) fn reaches_back(last: Option<DateTime<Utc>>, since: DateTime<Utc>) -> bool {
    last.is_some_and(|last| last < since - CLOCK_MAX)
}

/// How likely a post is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It cannot be excluded.
    Possible,
    /// After the call, cleaned.
    Cleaned,
    /// The same text, within the slack before the call.
    Before,
    /// The same text, after the call.
    After,
}

/// How likely a post is ours; `None` for one that cannot be.
fn rank<T>(candidate: &Candidate<T>, since: DateTime<Utc>) -> Option<Rank> {
    // Instants come in whole seconds.
    let is_since = |instant: DateTime<Utc>| candidate.at.is_some_and(|at| at >= instant);
    let is_after = is_since(since - TimeDelta::seconds(1));
    let is_near = candidate.at.is_none() || is_since(since - CLOCK_SLACK);
    let is_possible = candidate.at.is_none() || is_since(since - CLOCK_MAX);
    match candidate.likeness {
        Likeness::Same if is_after => Some(Rank::After),
        Likeness::Same if is_since(since - CLOCK_SLACK) => Some(Rank::Before),
        Likeness::Cleaned if is_after => Some(Rank::Cleaned),
        Likeness::Same | Likeness::Cleaned if is_possible => Some(Rank::Possible),
        Likeness::Similar if is_near => Some(Rank::Possible),
        Likeness::Same | Likeness::Cleaned | Likeness::Similar | Likeness::Other => None,
    }
}

/// How much a text of a list is like ours. One that is empty where ours is not may not be told, or
/// not yet.
pub(crate) fn likeness(ours: &str, theirs: &str) -> Likeness {
    let (ours, theirs) = (plain(ours), plain(theirs));
    if ours == theirs {
        return Likeness::Same;
    }
    if theirs.is_empty() {
        return Likeness::Similar;
    }
    if ours.is_empty() {
        return Likeness::Other;
    }
    let (our_words, our_links) = parted(&ours);
    let (their_words, their_links) = parted(&theirs);
    let (our_letters, their_letters) = (letters(&our_words), letters(&their_words));
    if our_letters.is_empty() || their_letters.is_empty() {
        return match our_words == their_words {
            true if may_be_same(&our_links, &their_links) => Likeness::Cleaned,
            _ => Likeness::Similar,
        };
    }
    let is_cut = their_letters.len() >= CUT_MIN && our_letters.starts_with(&their_letters);
    if (is_cut || our_letters == their_letters) && may_be_same(&our_links, &their_links) {
        return Likeness::Cleaned;
    }
    match is_nearly_the_same(&our_letters, &their_letters) {
        true => Likeness::Similar,
        false => Likeness::Other,
    }
}

/// A text with one spelling of white space and of signs, and without those that nobody sees.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        if text.contains(entity) {
            text = text.replace(entity, sign);
        }
    }
    let is_seen = |sign: &char| {
        !matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
    };
    let seen: String = text.chars().filter(is_seen).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text and its links.
fn parted(text: &str) -> (String, Vec<&str>) {
    let is_link = |word: &&str| {
        word.contains("://")
            || word.split_once('/').is_some_and(|(host, _)| {
                host.contains('.')
                    && host.chars().all(|sign| sign.is_alphanumeric() || sign == '.' || sign == '-')
            })
    };
    let (links, words): (Vec<&str>, Vec<&str>) = text.split(' ').partition(is_link);
    (words.join(" "), links)
}

/// False where a link of theirs leads elsewhere at a host of ours; one at another host may be ours,
/// shortened.
fn may_be_same(ours: &[&str], theirs: &[&str]) -> bool {
    let host = |link: &str| {
        let behind = link.split_once("://").map_or(link, |(_, behind)| behind);
        let host = behind.split(['/', '?', '#']).next().unwrap_or_default();
        host.trim_start_matches("www.").to_lowercase()
    };
    theirs.iter().all(|link| {
        ours.contains(link) || !ours.iter().any(|our_link| host(our_link) == host(link))
    })
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> Vec<char> {
    let small = text.chars().flat_map(char::to_lowercase);
    small.filter(|sign| sign.is_alphanumeric()).collect()
}

/// True when one may be what a network has made of the other: half of it or more as it is, or the
/// same numbers and at least four fifths of the pairs of letters that follow each other. Posts of a
/// series, which differ by a number or a word, are not.
fn is_nearly_the_same(ours: &[char], theirs: &[char]) -> bool {
    let [ours, theirs] = [ours, theirs].map(|letters| &letters[..letters.len().min(COMPARED)]);
    let (short, long) = if ours.len() < theirs.len() { (ours, theirs) } else { (theirs, ours) };
    let is_digit = |sign: Option<&char>| sign.is_some_and(|sign| sign.is_numeric());
    let is_part = |(at, part): (usize, &[char])| {
        let before = at.checked_sub(1).and_then(|at| long.get(at));
        let cuts_a_number = (is_digit(before) && is_digit(part.first()))
            || (is_digit(part.last()) && is_digit(long.get(at + part.len())));
        part == short && !cuts_a_number
    };
    if 2 * short.len() >= long.len() && long.windows(short.len()).enumerate().any(is_part) {
        return true;
    }
    let digits =
        |letters: &[char]| -> String { letters.iter().filter(|sign| sign.is_numeric()).collect() };
    if digits(ours) != digits(theirs) {
        return false;
    }
    let mut left: HashMap<(char, char), usize> = HashMap::new();
    for pair in ours.windows(2) {
        *left.entry((pair[0], pair[1])).or_default() += 1;
    }
    let pairs = ours.len().saturating_sub(1) + theirs.len().saturating_sub(1);
    let mut shared = 0;
    for pair in theirs.windows(2) {
        if let Some(count) = left.get_mut(&(pair[0], pair[1])).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    10 * shared >= 4 * pairs && pairs > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::begun_at;

    #[test]
    fn texts_as_networks_give_them_back() {
        use Likeness::{Cleaned, Other, Same, Similar};
        let long = "A text that is far too long for the list in which it stands, and so is cut";
        let with_link = "Read this now: https://blog.example.com/posts/42";
        for (name, ours, theirs, want) in [
            ("the same", "Hello #rust", "Hello #rust", Same),
            ("line ends and space around", "a\nb", " a\r\nb\n", Same),
            ("entities", "Fish & chips <3 \"now\"", "Fish &amp; chips &lt;3 &quot;now&quot;", Same),
            ("a space that does not break", "a b", "a\u{a0}b", Same),
            ("signs that nobody sees", "so ❤️ nice", "so ❤ nice\u{200b}", Same),
            ("both empty", "", " ", Same),
            ("a shortened link", with_link, "Read this now: https://sho.rt/x1", Cleaned),
            ("without its link", with_link, "Read this now:", Cleaned),
            (
                "another page of the host",
                with_link,
                "Read this now: https://blog.example.com/posts/43",
                Similar,
            ),
            ("a mention without its sign", "Thanks to @ana!", "Thanks to Ana!", Cleaned),
            ("signs of markup", "*Bold* move", "Bold move", Cleaned),
            ("cut", long, "A text that is far too long for the list in which it…", Cleaned),
            ("cut very short", long, "A text that…", Other),
            (
                "a mention as a name",
                "Thanks to @ana_m for the fish",
                "Thanks to Ana Müller for the fish",
                Similar,
            ),
            ("a hashtag left out", "Hello #rust", "Hello", Similar),
            (
                "composed letters",
                "Ça va être la grande fête du village",
                "Ça va e\u{302}tre la grande fe\u{302}te du village",
                Similar,
            ),
            ("not told", "Hello", "", Similar),
            ("a link alone", "https://a.example/1", "https://sho.rt/1", Cleaned),
            ("signs alone", "🎉", "🔥", Similar),
            ("text where ours has none", "", "Hello", Other),
            ("another", "Hello #rust", "Something else", Other),
            ("the next of a series", "Tip of the day 1: drink", "Tip of the day 2: drink", Other),
            ("the twelfth of a series", "Tip of the day 1", "Tip of the day 12", Other),
            ("another, in another script", "今日は良い天気です", "新しい記事を書きました", Other),
            (
                "nearly the same, in another script",
                "今日は良い天気です",
                "今日は良い天気ですね",
                Similar,
            ),
        ] {
            assert_eq!(likeness(ours, theirs), want, "{name}");
        }
    }

    #[test]
    fn one_post_is_picked_only_where_no_other_can_be_it() {
        use Likeness::{Cleaned, Other, Same, Similar};
        let since = begun_at();
        let one = |id: u32, second: i64, likeness: Likeness, fits: u32| Candidate {
            post: id,
            at: Some(since + TimeDelta::seconds(second)),
            likeness,
            fits,
        };
        let timeless = |likeness| Candidate { at: None, ..one(1, 0, likeness, 0) };
        for (name, candidates, want) in [
            ("nothing", vec![], Pick::Nothing),
            ("ours", vec![one(1, 5, Same, 0)], Pick::One(1)),
            ("a clock behind ours", vec![one(1, -60, Same, 0)], Pick::One(1)),
            ("a clock far behind ours", vec![one(1, -61, Same, 0)], Pick::Unclear),
            ("there before the call", vec![one(1, -601, Same, 0)], Pick::Nothing),
            ("without an instant", vec![timeless(Same)], Pick::Unclear),
            (
                "rather after than before",
                vec![one(1, 5, Same, 0), one(2, -20, Same, 1)],
                Pick::One(1),
            ),
            ("two that are the same", vec![one(1, 5, Same, 0), one(2, 9, Same, 0)], Pick::Unclear),
            ("one of two fits", vec![one(1, 5, Same, 0), one(2, 9, Same, 1)], Pick::One(2)),
            ("cleaned", vec![one(1, 5, Cleaned, 0), one(2, 9, Other, 1)], Pick::One(1)),
            (
                "cleaned, beside a similar one",
                vec![one(1, 5, Cleaned, 0), one(2, 9, Similar, 0)],
                Pick::Unclear,
            ),
            (
                "rather the same than cleaned",
                vec![one(1, 5, Cleaned, 0), one(2, 9, Same, 0)],
                Pick::One(2),
            ),
            ("cleaned, before", vec![one(1, -9, Cleaned, 0)], Pick::Unclear),
            ("similar", vec![one(1, 5, Similar, 3)], Pick::Unclear),
            ("similar, a while before", vec![one(1, -61, Similar, 3)], Pick::Nothing),
            ("something else", vec![one(1, 5, Other, 3), timeless(Other)], Pick::Nothing),
        ] {
            assert_eq!(pick(candidates, since), want, "{name}");
        }
    }

    #[test]
    fn a_list_that_was_not_read_to_its_end_settles_nothing() {
        assert_eq!(Pick::<u32>::Nothing.of_list(false), Pick::Unclear);
        assert_eq!(Pick::<u32>::Nothing.of_list(true), Pick::Nothing);
        assert_eq!(Pick::One(1).of_list(false), Pick::One(1));
        let since = begun_at();
        assert!(reaches_back(Some(since - CLOCK_MAX - TimeDelta::seconds(1)), since));
        assert!(!reaches_back(Some(since - CLOCK_MAX), since));
        assert!(!reaches_back(None, since), "no instants");
    }
}
