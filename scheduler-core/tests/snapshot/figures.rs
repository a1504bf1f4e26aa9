//! Whether the rules enforce every figure that a sheet states: a post at the figure is taken, and
//! one just beyond it gets the issue.
//!
//! The bounds that hold for some files only, `FileLimit`, have their cases in the corpus, which
//! `bounds` sees to.

use scheduler_core::media::Decoding;
use scheduler_core::platform::{
    AccountLimits, CapabilitySheet, CommentLimit, DocumentFigures, Effect, LimitWithMedia,
    MediaFigures, OptionFact, OptionValue, PageFigures, Platform, PollDuration, PollFigures,
    TagBounds, TextBound, TextFigures, TextUnit, TextWarning, TotalBytes,
};
use scheduler_core::rules::{
    Context, MediaFacts, MediaKind, Severity, ValidationIssue, comment_over_limit,
};
use serde_json::{Value, json};

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

#[test]
fn the_rules_enforce_every_figure_of_options() {
    walk(20, |walk, sheet| {
        for option in sheet.options {
            option_figures(walk, option);
        }
    });
}

fn option_figures(walk: &mut Walk, option: &OptionFact) {
    let (platform, key) = (walk.platform, option.key);
    let with = |value: Value| text("", "Hello").with(platform, json!({ key: value }));
    let check = |what: &str| format!("{}.{what}", option.subject);
    match option.value {
        OptionValue::Caption
        | OptionValue::OneOf(_)
        | OptionValue::SomeOf(_)
        | OptionValue::Flag
        | OptionValue::Uuid
        | OptionValue::Shaped(_)
        | OptionValue::Language
        | OptionValue::Address { max_length: None }
        | OptionValue::Text { bound: None, .. } => {}
        OptionValue::Integer { least, most } => {
            // A place in a video is one in this video, unless its length is not known.
            let endless = MediaFacts { duration_seconds: None, ..video() };
            let is_of_images = option.effect == Effect::WithImages;
            let is_in_video = platform.sheet().takes(MediaKind::Video) && !is_of_images;
            // Something has to stand below it.
            let paragraphs = vec!["a"; 1_000].join("\n\n");
            let with = |value: Value| match key {
                "readMoreAfter" => {
                    text("", paragraphs.as_str()).with(platform, json!({ key: value }))
                }
                _ => with(value),
            };
            let of = |number: i64| match is_in_video && key != "readMoreAfter" {
                true => with(json!(number)).media([endless.clone()]),
                false => with(json!(number)),
            };
            let digits = |number: i64| u64::try_from(number.abs()).unwrap();
            walk.refuses(digits(least), &check("out_of_bounds"), &of(least), &of(least - 1));
            walk.refuses(digits(most), &check("out_of_bounds"), &of(most), &of(most + 1));
        }
        OptionValue::Languages { max_items } => {
            let of = |count| with(json!(vec!["en"; widened(count)]));
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
        }
        OptionValue::Address { max_length: Some(limit) } => {
            // Some name a post.
            let start = match key {
                "reblogOf" => "https://www.tumblr.com/staff/1/",
                _ => "https://example.com/",
            };
            let of = |length: u32| with(json!(format!("{start:a<0$}", widened(length))));
            walk.refuses(limit, &check("malformed"), &of(limit), &of(limit + 1));
        }
        OptionValue::Texts { min_items, max_items, bound: TextBound { limit, unit } } => {
            // Passages have to stand in the text.
            let with = |texts: Value| {
                let passages = texts.as_array().filter(|_| key == "spoilers");
                let passages = passages.into_iter().flatten().filter_map(Value::as_str);
                let content = ["Hello"].into_iter().chain(passages).collect::<Vec<_>>();
                let content = if key == "spoilers" { &content[1..] } else { &content[..1] };
                text("", content.join("\n")).with(platform, json!({ key: texts }))
            };
            let of = |count| with(json!(numbered(count)));
            let long = |more| {
                let mut texts = vec!["a".to_owned(); widened(min_items.max(1)) - 1];
                texts.push(filled(unit, limit.into()) + more);
                with(json!(texts))
            };
            if min_items > 0 {
                walk.refuses(min_items, &check("too_few"), &of(min_items), &of(min_items - 1));
            }
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
            walk.refuses(limit, &check("too_long"), &long(""), &long("a"));
        }
        OptionValue::Text { bound: Some(TextBound { limit, unit }), .. } => {
            let of = |more| match key {
                // It is part of an address, which has no other letters.
                "slug" => with(json!("a".repeat(widened(limit)) + more)),
                _ => with(json!(filled(unit, limit.into()) + more)),
            };
            walk.refuses(limit, &check("too_long"), &of(""), &of("a"));
        }
        OptionValue::Digits { max_length } => {
            let of = |length| with(json!("1".repeat(widened(length))));
            walk.refuses(max_length, &check("malformed"), &of(max_length), &of(max_length + 1));
        }
        OptionValue::Tags(TagBounds {
            max_items,
            warned_above,
            max_length,
            max_total,
            forbidden: _,
            words: _,
        }) => {
            let of = |count| with(json!(numbered(count)));
            let long = |length| with(json!(["é".repeat(widened(length))]));
            if let Some(limit) = max_items {
                walk.refuses(limit, &check("too_many"), &of(limit), &of(limit + 1));
            }
            if let Some(limit) = warned_above {
                walk.warns(limit, &check("many"), &of(limit), &of(limit + 1));
            }
            if let Some(limit) = max_length {
                walk.refuses(limit, &check("too_long"), &long(limit), &long(limit + 1));
            }
            if let Some(limit) = max_total {
                walk.refuses(limit, &check("too_long"), &long(limit), &long(limit + 1));
            }
        }
        OptionValue::UserNames { max_items, max_length } => {
            let of = |count| with(json!(numbered(count)));
            let long = |length| with(json!(["a".repeat(widened(length))]));
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
            walk.refuses(max_length, &check("malformed"), &long(max_length), &long(max_length + 1));
        }
        OptionValue::Poll(PollFigures {
            min_items,
            max_items,
            max_length,
            max_question,
            duration,
            ..
        }) => {
            let of = |count| with(json!({ "options": numbered(count) }));
            let long = |length| with(json!({ "options": ["é".repeat(widened(length)), "b"] }));
            let poll = |key: &str, value: Value| with(json!({ "options": ["a", "b"], key: value }));
            if let Some(limit) = max_question {
                let of = |length| poll("question", json!("é".repeat(widened(length))));
                walk.refuses(limit, &check("question_too_long"), &of(limit), &of(limit + 1));
            }
            let lasting = |minutes: u32| poll("durationMinutes", json!(minutes));
            match duration {
                PollDuration::Fixed(minutes) => {
                    let (at, beyond) = (lasting(minutes), lasting(minutes + 1));
                    walk.warns(minutes, &check("duration_unused"), &at, &beyond);
                }
                PollDuration::OneOf(allowed) => {
                    for minutes in allowed.iter().copied() {
                        let (at, beyond) = (lasting(minutes), lasting(minutes + 1));
                        walk.refuses(minutes, &check("duration"), &at, &beyond);
                    }
                }
                PollDuration::Between(least, most) => {
                    walk.refuses(least, &check("duration"), &lasting(least), &lasting(least - 1));
                    walk.refuses(most, &check("duration"), &lasting(most), &lasting(most + 1));
                }
                PollDuration::WholeHours(least, most) => {
                    walk.refuses(least, &check("duration"), &lasting(least), &lasting(least - 60));
                    walk.refuses(most, &check("duration"), &lasting(most), &lasting(most + 60));
                }
            }
            walk.refuses(min_items, &check("options"), &of(min_items), &of(min_items - 1));
            walk.refuses(max_items, &check("options"), &of(max_items), &of(max_items + 1));
            let (at, beyond) = (long(max_length), long(max_length + 1));
            walk.refuses(max_length, &check("option_too_long"), &at, &beyond);
        }
        OptionValue::Thread { max_items } => {
            let of = |count| with(json!(numbered(count)));
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
        }
        OptionValue::Subtitles { max_name_length, max_content_bytes } => {
            let of = |name: u32, bytes: u32| {
                let (name, content) = ("é".repeat(widened(name)), "a".repeat(widened(bytes)));
                let item =
                    json!({"language": "en-US", "format": "srt", "name": name, "content": content});
                with(json!([item]))
            };
            let (name, bytes) = (max_name_length, max_content_bytes);
            walk.refuses(name, &check("malformed"), &of(name, 1), &of(name + 1, 1));
            walk.refuses(bytes, &check("malformed"), &of(1, bytes), &of(1, bytes + 1));
        }
    }
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
