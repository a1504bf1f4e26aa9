//! Whether the rules enforce every figure that a sheet states: a post at the figure is taken, and
//! one just beyond it gets the issue.
//!
//! The bounds that hold for some files only, `FileLimit`, have their cases in the corpus, which
//! `bounds` sees to.

mod options;

use scheduler_core::media::Decoding;
use scheduler_core::platform::{
    AccountLimits, CapabilitySheet, CommentLimit, DocumentFigures, LimitWithMedia, MediaFigures,
    PageFigures, Platform, TextBound, TextFigures, TextUnit, TextWarning, TotalBytes,
};
use scheduler_core::rules::{
    Context, MediaFacts, MediaKind, Severity, ValidationIssue, comment_over_limit,
};
use serde_json::json;

use crate::case::{Case, document, files, image, text, video};

/// Length of a video where a network sets no limit, so that a large file has no high bit rate.
const HOUR: f64 = 3600.0;

/// What one network says at its figures and beyond them.
struct Walk {
    platform: Platform,
    limits: AccountLimits,
    figures: usize,
    wrong: Vec<String>,
}

impl Walk {
    /// What the network says to an account that the sheet holds for.
    fn check(&self, case: &Case) -> Vec<ValidationIssue> {
        case.clone().limited(self.platform, self.limits.clone()).check(self.platform)
    }

    /// A post beyond the figure is refused, one at it is not.
    fn refuses(&mut self, figure: impl ToString, check: &str, at: &Case, beyond: &Case) {
        self.shows(&figure.to_string(), Severity::Error, check, at, beyond);
    }

    /// A post beyond the figure gets a warning, one at it does not.
    fn warns(&mut self, figure: impl ToString, check: &str, at: &Case, beyond: &Case) {
        self.shows(&figure.to_string(), Severity::Warning, check, at, beyond);
    }

    fn shows(&mut self, figure: &str, severity: Severity, check: &str, at: &Case, beyond: &Case) {
        self.figures += 1;
        let rule = format!("{}.{check}", self.platform);
        let is_it = |found: &str| found == rule;
        // The figures are those of files that go as they are, unless they become pages.
        let check = |case: &Case| {
            let decoding = match case.makes_pages(self.platform) {
                true => Decoding::EVERYTHING,
                false => Decoding::NOTHING,
            };
            let context = Context { decoding, ..case.context };
            self.check(&case.clone().context(context))
        };
        let (at, beyond) = (check(at), check(beyond));
        if let Some(issue) =
            at.iter().find(|issue| issue.severity == Severity::Error || is_it(&issue.rule))
        {
            self.wrong.push(format!("at {figure}: {} {}", issue.rule, issue.message));
        }
        let found = beyond.iter().find(|issue| issue.severity == severity && is_it(&issue.rule));
        match found {
            // None and one are told in words.
            Some(_) if matches!(figure, "0" | "1") => {}
            Some(issue) if issue.message.replace(',', "").contains(figure) => {}
            Some(issue) => self.wrong.push(format!("{rule} hides {figure}: {}", issue.message)),
            None => self.wrong.push(format!("beyond {figure} no {rule}: {beyond:?}")),
        }
    }
}

/// Walks every sheet and fails with all that differs.
fn walk(least_figures: usize, each: impl Fn(&mut Walk, &'static CapabilitySheet)) {
    let mut figures = 0;
    let mut wrong = Vec::new();
    let takes_files = |takes| AccountLimits { takes_files: takes, ..AccountLimits::default() };
    for platform in Platform::ALL {
        let with_files = platform.sheet().with_files.map(|sheet| (sheet, Some(true)));
        for (sheet, takes) in [(platform.sheet(), None)].into_iter().chain(with_files) {
            let limits = takes_files(takes);
            let mut walk = Walk { platform, limits, figures: 0, wrong: Vec::new() };
            each(&mut walk, sheet);
            figures += walk.figures;
            wrong.extend(walk.wrong.into_iter().map(|what| format!("{platform} {what}")));
        }
    }
    assert!(wrong.is_empty(), "sheet and rules differ:\n  {}", wrong.join("\n  "));
    assert!(figures >= least_figures, "only {figures} figures were walked");
}

#[test]
fn the_rules_enforce_every_figure_that_the_public_sheet_states() {
    walk(70, |walk, sheet| {
        let public = serde_json::to_value(sheet).unwrap();
        for (name, value) in public.as_object().unwrap() {
            if let Some(figure) = value.as_u64() {
                public_figure(walk, sheet, name, figure);
            } else {
                assert!(!value.is_number(), "{name} is no whole number");
            }
        }
    });
}

fn public_figure(walk: &mut Walk, sheet: &'static CapabilitySheet, name: &str, figure: u64) {
    let kind = if name.contains("Image") { MediaKind::Image } else { MediaKind::Video };
    let is_of_file = name.contains("Image") || name.contains("Video");
    #[expect(clippy::cast_precision_loss, reason = "seconds and frame rates are small")]
    let number = figure as f64;
    match name {
        "charLimit" => {
            let at = text("", filled(sheet.text.unit, figure));
            walk.refuses(figure, "text.too_long", &at, &one_more(&at));
        }
        "maxMediaPerPost" if figure == 0 => {
            walk.refuses(
                figure,
                "media.kind_not_supported",
                &text("", "Hello"),
                &files("", [image()]),
            );
        }
        "maxMediaPerPost" => {
            let file = if sheet.media.max_images > 0 { image() } else { video() };
            let of = |count: u64| files("", vec![file.clone(); usize::try_from(count).unwrap()]);
            walk.refuses(figure, "media.too_many", &of(figure), &of(figure + 1));
        }
        // Nothing is shorter or slower than nothing.
        "minVideoDurationSeconds" | "minVideoFps" if figure == 0 => {}
        // The only image is the thumbnail.
        "maxImageBytes" if sheet.supports_thumbnail && !sheet.supports_image => {
            let of = |bytes| text("", "Hello").thumbnail(sized(image(), bytes));
            walk.refuses(figure, "thumbnail_media_id.too_large", &of(figure), &of(figure + 1));
        }
        _ if is_of_file && !sheet.takes(kind) => {
            assert_eq!(figure, 0, "{name} of files that are not taken");
            let file = if kind.is_image() { image() } else { video() };
            let beyond = files("", [file]);
            walk.refuses(figure, "media.kind_not_supported", &text("", "Hello"), &beyond);
        }
        "maxImageBytes" => {
            let of = |bytes| files("", [sized(image(), bytes)]);
            walk.refuses(figure, "media.too_large", &of(figure), &of(figure + 1));
        }
        "maxVideoBytes" => {
            let seconds = sheet.max_video_duration_seconds.map_or(HOUR, f64::from);
            let of = |bytes| files("", [sized(lasting(seconds), bytes)]);
            walk.refuses(figure, "media.too_large", &of(figure), &of(figure + 1));
        }
        "minVideoDurationSeconds" => {
            let of = |seconds| files("", [lasting(seconds)]);
            walk.refuses(figure, "media.too_short", &of(number), &of(number - 1.0));
        }
        "maxVideoDurationSeconds" => {
            let of = |seconds| files("", [lasting(seconds)]);
            walk.refuses(figure, "media.too_long", &of(number), &of(number + 1.0));
        }
        "minVideoFps" => {
            let of = |fps| files("", [at_rate(fps)]);
            walk.refuses(figure, "media.fps_too_low", &of(number), &of(number - 1.0));
        }
        "maxVideoFps" => {
            let of = |fps| files("", [at_rate(fps)]);
            walk.refuses(figure, "media.fps_too_high", &of(number), &of(number + 1.0));
        }
        _ => walk.wrong.push(format!("{name}: no test says what the rules make of it")),
    }
}

#[test]
fn the_rules_set_no_bound_that_the_public_sheet_leaves_out() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        for (name, figure, file) in [
            ("the shortest", sheet.min_video_duration_seconds, lasting(1.0)),
            ("the longest", sheet.max_video_duration_seconds, lasting(1_000_000.0)),
            ("the slowest", sheet.min_video_fps, at_rate(1.0)),
            ("the fastest", sheet.max_video_fps, at_rate(1_000.0)),
        ] {
            if figure.is_none() && sheet.supports_video {
                let issues = files("", [file]).check(platform);
                let is_refused = issues.iter().any(|issue| issue.severity == Severity::Error);
                assert!(!is_refused, "{platform} {name}: {issues:?}");
            }
        }
    }
}

#[test]
fn the_rules_enforce_every_further_figure_of_texts() {
    walk(25, |walk, sheet| {
        // A new figure is to be walked as well.
        let TextFigures {
            own_text: _,
            entities: _,
            unit: _,
            byte_limit,
            limit_with_media,
            warning,
            forbidden: _,
            hashtags: _,
            mentions: _,
            links: _,
            cashtags: _,
            is_optional_beside_link: _,
            cleaning: _,
        } = sheet.text;
        if let Some(limit) = byte_limit {
            let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
            let (times, rest) = (widened(limit) / family.len(), widened(limit) % family.len());
            let at = text("", family.repeat(times) + &"a".repeat(rest));
            walk.refuses(limit, "text.too_many_bytes", &at, &one_more(&at));
        }
        match limit_with_media {
            LimitWithMedia::Same => {}
            LimitWithMedia::AnyFile(limit) | LimitWithMedia::OnlyImages(limit) => {
                let at = text("", filled(sheet.text.unit, limit.into())).media([image()]);
                walk.refuses(limit, "text.too_long", &at, &one_more(&at));
            }
        }
        if let Some(TextWarning { bound: TextBound { limit, unit }, .. }) = warning {
            let at = text("", filled(unit, limit.into()));
            walk.warns(limit, "text.long", &at, &one_more(&at));
        }
        for (noun, bounds) in sheet.text.counts() {
            let of = |count: u32| {
                let held: String = (0..count).map(|number| held(noun, number)).collect();
                text("", format!("Hello {held}"))
            };
            if let Some(limit) = bounds.refused_above {
                walk.refuses(limit, &format!("{noun}.too_many"), &of(limit), &of(limit + 1));
            }
            if let Some(limit) = bounds.warned_above {
                walk.warns(limit, &format!("{noun}.many"), &of(limit), &of(limit + 1));
            }
        }
        let bound = match sheet.comment_limit {
            CommentLimit::Unknown => return,
            CommentLimit::Bound(bound) => bound,
            CommentLimit::AsPost => TextBound { limit: sheet.char_limit, unit: sheet.text.unit },
        };
        let limits = AccountLimits::default();
        let at = filled(bound.unit, bound.limit.into());
        let found =
            [at.clone(), at + "a"].map(|it| comment_over_limit(walk.platform, &limits, &it));
        assert_eq!(found.map(|it| it.is_some()), [false, true], "comment of {}", walk.platform);
        walk.figures += 1;
    });
}

#[test]
fn the_rules_enforce_every_further_figure_of_files() {
    walk(21, |walk, sheet| {
        // A new figure is to be walked as well.
        let MediaFigures {
            placement: _,
            fetched_by_address: _,
            max_images,
            max_videos,
            documents:
                DocumentFigures { most: max_documents, max_bytes, types: _, go_beside_others: _, pages },
            mixes_kinds: _,
            image_types: _,
            video_types: _,
            picture_recipe: _,
            gif: _,
            carousel: _,
            codecs: _,
            frame_rate: _,
            limits: _,
            alt_text_limit,
            alt_text_of_videos: _,
            details: _,
            total_bytes: TotalBytes { refused_above, warned_above },
        } = sheet.media;
        for (most, too_many, file) in [
            (max_images, "media.too_many", image()),
            (max_videos, "media.too_many_videos", video()),
            (max_documents, "media.too_many_documents", document()),
        ] {
            if most > 0 {
                let is_general = most == sheet.max_media_per_post;
                let check = if is_general { "media.too_many" } else { too_many };
                let of = |count| files("", vec![file.clone(); widened(count)]);
                walk.refuses(most, check, &of(most), &of(most + 1));
            }
        }
        if max_documents > 0 {
            let of = |bytes| files("", [sized(document(), bytes)]);
            walk.refuses(max_bytes, "media.too_large", &of(max_bytes), &of(max_bytes + 1));
        }
        if let Some(PageFigures { option, most, recipe: _ }) = pages {
            let of = |count| {
                let images = files("", vec![image(); widened(count)]);
                images.with(walk.platform, json!({ option: true }))
            };
            walk.refuses(most, "media.too_many", &of(most), &of(most + 1));
        }
        if sheet.supports_alt_text && sheet.supports_image {
            let of = |length| {
                let alt = "é".repeat(widened(length));
                files("", [image()]).alt_texts(&[Some(&alt)])
            };
            let (at, beyond) = (of(alt_text_limit), of(alt_text_limit + 1));
            // The contract's own limit speaks of the post as a whole.
            if alt_text_limit == 1000 {
                let rules = |case: &Case| -> Vec<String> {
                    let issues = walk.check(case).into_iter();
                    issues.map(|issue| issue.rule.into_owned()).collect()
                };
                assert_eq!(rules(&at), Vec::<String>::new(), "{}", walk.platform);
                assert_eq!(rules(&beyond), ["post.alt_texts.too_long"], "{}", walk.platform);
                walk.figures += 1;
            } else {
                walk.refuses(alt_text_limit, "alt_text.too_long", &at, &beyond);
            }
        }
        let of = |bytes: u64| {
            let part = bytes / 4;
            files("", [part, part, part, bytes - 3 * part].map(|part| sized(image(), part)))
        };
        if let Some(limit) = refused_above {
            walk.refuses(limit, "media.too_large_together", &of(limit), &of(limit + 1));
        }
        if let Some((limit, _)) = warned_above {
            let of = |bytes| files("", [sized(lasting(30.0), bytes)]);
            walk.warns(limit, "media.large_together", &of(limit), &of(limit + 1));
        }
    });
}

/// A text of a length, of characters that tell the unit from others.
fn filled(unit: TextUnit, length: u64) -> String {
    let (piece, counts) = match unit {
        TextUnit::CodePoints => ("é", 1),
        TextUnit::Bytes => ("é", 2),
        TextUnit::EmojiInBytes => ("😀", 4),
        TextUnit::Utf16Units => ("😀", 2),
        TextUnit::Graphemes | TextUnit::MastodonCharacters => ("👍🏽", 1),
        TextUnit::TwitterCharacters => ("の", 2),
    };
    let length = usize::try_from(length).unwrap();
    piece.repeat(length / counts) + &"a".repeat(length % counts)
}

/// The same post with a text that is longer by one.
fn one_more(case: &Case) -> Case {
    let mut longer = case.clone();
    longer.content.push('a');
    longer
}

/// One of the things that are counted in a text, unlike the others.
fn held(noun: &str, number: u32) -> String {
    let letter = char::from(b'A' + u8::try_from(number % 26).unwrap());
    match noun {
        "hashtags" => format!("#tag{number} "),
        "mentions" => format!("@name{number} "),
        "links" => format!("https://example.com/{number} "),
        "cashtags" => format!("$AB{letter} "),
        other => panic!("{other}"),
    }
}

fn numbered(count: u32) -> Vec<String> {
    (0..count).map(|number| format!("item{number}")).collect()
}

fn widened(figure: u32) -> usize {
    usize::try_from(figure).unwrap()
}

fn sized(file: MediaFacts, bytes: u64) -> MediaFacts {
    MediaFacts { size_bytes: Some(bytes), ..file }
}

fn lasting(seconds: f64) -> MediaFacts {
    MediaFacts { duration_seconds: Some(seconds), ..video() }
}

fn at_rate(fps: f64) -> MediaFacts {
    MediaFacts { fps: Some(fps), ..video() }
}
