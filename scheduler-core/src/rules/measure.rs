//! How long the texts of a post are, as the rules count them: for an editor that counts while
//! somebody writes.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::draft::{Part, TargetView, widened};
use super::{Draft, Place, text_length, thread};
use crate::platform::{Platform, TextUnit};

/// The length of one text of one target, with the limit that holds for it.
///
/// There is one for each text and limit: a network that bounds characters and bytes has two.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// Index into the targets of the draft.
    pub target: usize,
    /// The network.
    pub platform: Platform,
    /// The rule that finds the text too long, such as `bluesky.text.too_long`.
    pub rule: Cow<'static, str>,
    /// Which text: [`Place::Text`], or an item of the option `thread`.
    pub place: Place,
    /// What is counted.
    pub unit: TextUnit,
    /// How much the text counts, with what the network counts beside it.
    pub used: usize,
    /// How much it may count.
    pub limit: usize,
    /// The text as the network gets it: with the link, where that goes into the text, and cleaned
    /// as the network cleans it.
    pub text: String,
    /// The bytes of [`text`](Self::text) that do not fit any more; `None` where all of it does.
    ///
    /// They begin at the border of a grapheme cluster; what stands before is within the limit,
    /// unless a content warning alone is beyond it.
    pub overflow: Option<Range<usize>>,
}

impl Measured {
    /// How much may be added; `None` when there is too much already.
    #[must_use]
    pub const fn left(&self) -> Option<usize> {
        self.limit.checked_sub(self.used)
    }
}

/// Counts every text of a draft as the rules do: by the same code, under the same limits, those of
/// the account and those beside files among them.
///
/// `used` is greater than `limit` where, and only where, [`check`](super::check) reports the issue
/// `rule` at `place`. What is not sent is not counted: the text of a story, or of a draft on TikTok.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{Draft, DraftTarget, measure};
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let draft = Draft {
///     content: &"é".repeat(302),
///     link_url: None,
///     media: &[],
///     alt_texts: &[],
///     targets: &[DraftTarget::new(Platform::Bluesky, &options, &limits)],
/// };
/// let [characters, bytes] = &measure(&draft)[..] else { panic!("Bluesky bounds both") };
/// assert_eq!((characters.used, characters.limit), (302, 300));
/// assert_eq!(characters.overflow.clone().map(|range| &characters.text[range]), Some("éé"));
/// assert_eq!((bytes.used, bytes.left()), (604, Some(2_396)));
/// ```
#[must_use]
pub fn measure(draft: &Draft<'_>) -> Vec<Measured> {
    let mut measured = Vec::new();
    for (index, target) in draft.targets.iter().enumerate() {
        let view = TargetView::new(draft, target, &super::Context::default());
        let first = text_length::part(&view).map(|part| ("text", Place::Text, part));
        let later = thread::parts(&view).enumerate();
        let later = later.map(|(at, part)| ("thread", Place::item("thread", at), part));
        for (subject, place, part) in first.into_iter().chain(later) {
            let of_part = Counter { view: &view, target: index, subject, place, part };
            measured.push(of_part.in_unit_of_sheet());
            measured.extend(of_part.in_bytes());
        }
    }
    measured
}

/// What counts one text.
struct Counter<'a> {
    view: &'a TargetView<'a>,
    target: usize,
    subject: &'static str,
    place: Place,
    part: Part<'a>,
}

impl Counter<'_> {
    fn in_unit_of_sheet(&self) -> Measured {
        let (view, Part { text, limit }) = (self.view, self.part);
        let used = view.length(text);
        let fits = |start: &str| view.length_over(start, limit).is_none();
        self.measured("too_long", view.sheet.text.unit, (used, limit), fits)
    }

    fn in_bytes(&self) -> Option<Measured> {
        let limit = widened(self.view.sheet.text.byte_limit?);
        let (used, fits) = (self.part.text.len(), |start: &str| start.len() <= limit);
        Some(self.measured("too_many_bytes", TextUnit::Bytes, (used, limit), fits))
    }

    fn measured(
        &self,
        wrong: &str,
        unit: TextUnit,
        (used, limit): (usize, usize),
        fits: impl Fn(&str) -> bool,
    ) -> Measured {
        let (platform, text) = (self.view.sheet.platform, self.part.text);
        Measured {
            target: self.target,
            platform,
            rule: format!("{platform}.{}.{wrong}", self.subject).into(),
            place: self.place.clone(),
            unit,
            used,
            limit,
            text: text.to_owned(),
            overflow: (used > limit).then(|| longest_start(text, fits)..text.len()),
        }
    }
}

/// The length in bytes of a start of the text that fits and with its next grapheme cluster does
/// not.
///
/// A longer start may count less, once it ends a link; the first end that is found is taken.
fn longest_start(text: &str, fits: impl Fn(&str) -> bool) -> usize {
    let ends: Vec<usize> =
        text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
    let fits = |end: &usize| fits(&text[..*end]);
    // A text is counted from its start up to what is looked at, so look at short starts first.
    let (mut low, mut high) = (0, 1);
    while ends.get(high).is_some_and(fits) {
        (low, high) = (high, high * 2);
    }
    let tail = &ends[low..ends.len().min(high + 1)];
    let fitting = low + tail.partition_point(fits);
    ends.get(fitting.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::tests::{Post, image, video};
    use super::*;
    use crate::rules::{Detail, ValidationIssue};

    fn only(post: &Post) -> Measured {
        let measured = post.measure();
        assert_eq!(measured.len(), 1, "{measured:?}");
        measured.into_iter().next().unwrap()
    }

    #[test]
    fn limits_are_those_of_files_and_of_the_account() {
        let mut post = Post::new("Hello").to(Platform::Telegram, json!({}));
        assert_eq!(only(&post).limit, 4096);
        post.media = vec![image()];
        assert_eq!(only(&post).limit, 1024);
        let mut post = Post::new("Hello").to(Platform::Mastodon, json!({}));
        post.limits.text_limit = Some(5_000);
        assert_eq!((only(&post).used, only(&post).left()), (5, Some(4_995)));
    }

    #[test]
    fn what_counts_beside_the_text_is_counted() {
        let mut post = Post::new("See https://example.com/")
            .to(Platform::Mastodon, json!({"spoilerText": "CW", "thread": ["b"]}));
        let used = |post: &Post| post.measure().into_iter().map(|it| it.used).collect::<Vec<_>>();
        assert_eq!(used(&post), [2 + 4 + 23, 2 + 1], "the warning goes with every part");
        post.limits.characters_reserved_per_url = Some(10);
        assert_eq!(used(&post), [2 + 4 + 10, 2 + 1]);
        assert_eq!(post.measure()[1].place, Place::item("thread", 0));
    }

    #[test]
    fn what_is_not_sent_is_not_counted() {
        let mut post = Post::new("Hello")
            .to(Platform::Tiktok, json!({"asDraft": true}))
            .to(Platform::Instagram, json!({"placement": "story"}));
        post.media = vec![video()];
        assert_eq!(post.measure(), []);
    }

    #[test]
    fn the_overflow_begins_where_the_limit_is_reached() {
        for (name, platform, text, limit, want) in [
            ("code points", Platform::Discord, "abcdef", 4, Some("ef")),
            ("within", Platform::Discord, "abcdef", 6, None),
            ("nothing fits", Platform::Discord, "abc", 0, Some("abc")),
            ("UTF-16", Platform::Tiktok, "ab👍👍", 5, Some("👍")),
            ("a family is one", Platform::Bluesky, "a👨‍👩‍👧👨‍👩‍👧b", 2, Some("👨‍👩‍👧b")),
            (
                "a link as it counts",
                Platform::Twitter,
                "https://example.com/long b c",
                25,
                Some(" c"),
            ),
            ("two each", Platform::Twitter, "のののの", 5, Some("のの")),
        ] {
            let mut post = Post::new(text).to(platform, json!({}));
            post.limits.text_limit = Some(limit);
            let measured = &post.measure()[0];
            let overflow = measured.overflow.clone().map(|range| &measured.text[range]);
            assert_eq!(overflow, want, "{name}: {measured:?}");
        }
    }

    /// Whether a rule reports what was measured as too long.
    fn reports(issues: &[ValidationIssue], measured: &Measured) -> bool {
        issues.iter().any(|issue| {
            let found = (measured.used, measured.limit);
            let is_of_place = matches!(
                &issue.detail,
                Some(Detail::TooLong { unit, found: used, most, place, .. })
                    if (*unit, (*used, *most), place) == (measured.unit, found, &measured.place)
            );
            issue.rule == measured.rule && issue.target == Some(measured.target) && is_of_place
        })
    }

    fn texts() -> impl Strategy<Value = String> {
        "(\\PC|\r\n|👨‍👩‍👧|@a@b\\.c |https://[a-z]{1,30}\\.com/[a-z]{0,9} |t\\.co | ){0,60}"
    }

    fn options() -> impl Strategy<Value = Value> {
        let thread = prop::collection::vec(texts(), 0..3);
        let placement = prop::option::of(prop::sample::select(vec!["feed", "story"]));
        (thread, prop::option::of(texts()), any::<bool>(), placement, prop::option::of(texts()))
            .prop_map(|(thread, spoiler, draft, placement, caption)| {
                json!({"thread": thread, "spoilerText": spoiler, "asDraft": draft,
                    "placement": placement, "caption": caption})
            })
    }

    proptest! {
        #[test]
        fn too_much_is_used_where_the_rules_say_so_and_nowhere_else(
            content in texts(),
            link_url in prop::option::of("https://[a-z]{1,9}\\.com"),
            options in options(),
            files in 0_u8..3,
            text_limit in prop::option::of(0_u32..80),
            reserved in prop::option::of(0_u32..40),
        ) {
            let mut post = Post::new(&content);
            for platform in Platform::ALL {
                post = post.to(platform, options.clone());
            }
            post.media = match files { 0 => vec![], 1 => vec![image()], _ => vec![video()] };
            post.link_url = link_url;
            post.limits.text_limit = text_limit;
            post.limits.characters_reserved_per_url = reserved;
            let (issues, measured) = (post.check(), post.measure());
            for one in &measured {
                prop_assert_eq!(one.used > one.limit, reports(&issues, one), "{:?}", one);
                prop_assert_eq!(one.used > one.limit, one.overflow.is_some());
                prop_assert_eq!(one.left().is_none(), one.overflow.is_some());
                let Some(overflow) = &one.overflow else { continue };
                prop_assert!(one.text.is_char_boundary(overflow.start), "{:?}", one);
                prop_assert_eq!(overflow.end, one.text.len());
            }
            for issue in &issues {
                let (_, check) = issue.rule.split_once('.').unwrap();
                let is_too_long = ["too_long", "too_many_bytes"].iter().any(|wrong| {
                    check == format!("text.{wrong}") || check == format!("thread.{wrong}")
                });
                let is_measured = measured.iter().any(|one| reports(std::slice::from_ref(issue), one));
                prop_assert_eq!(is_too_long, is_measured, "{:?}", issue);
            }
        }

        #[test]
        fn what_stands_before_the_overflow_is_within(content in texts(), limit in 0_u32..80) {
            let to_all = |content: &str| {
                let start = Post::new(content);
                let mut post =
                    Platform::ALL.into_iter().fold(start, |post, platform| post.to(platform, json!({})));
                post.limits.text_limit = Some(limit);
                post.measure()
            };
            for one in to_all(&content) {
                let Some(overflow) = one.overflow.filter(|overflow| overflow.start > 0) else { continue };
                let start = to_all(&one.text[..overflow.start]);
                let same = start.iter().find(|it| it.rule == one.rule).unwrap();
                prop_assert!(same.used <= same.limit, "{:?}", same);
            }
        }
    }
}
