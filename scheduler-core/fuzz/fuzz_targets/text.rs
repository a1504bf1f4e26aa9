//! Any text: counted, searched and composed for every network.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scheduler_core::platform::{Platform, TextUnit};
use scheduler_core::text::{
    compose, count, entities, facets, linkedin, mastodon, telegram, tumblr, twitter,
};
use scheduler_core_fuzz::{text_of, work};
use serde_json::Map;
use unicode_segmentation::UnicodeSegmentation as _;

const LINK: &str = "https://example.com/a";

fuzz_target!(|input: &[u8]| {
    let text = text_of(input);
    work::bounded(text.len(), || {
        counts(&text);
        finds(&text);
        formats(&text);
        composes(&text);
    });
});

/// Counts agree with their definitions, and `over` with `length`.
fn counts(text: &str) {
    assert_eq!(count::code_points(text), text.chars().count());
    assert_eq!(count::utf8_bytes(text), text.len());
    assert_eq!(count::utf16_units(text), text.encode_utf16().count());
    assert_eq!(count::graphemes(text), text.graphemes(true).count());
    let units: Vec<TextUnit> =
        Platform::ALL.into_iter().map(|platform| platform.sheet().text.unit).collect();
    for unit in units {
        let length = count::length(unit, text);
        for limit in [0, length.saturating_sub(1), length, length + 1, text.len()] {
            let expected = (length > limit).then_some(length);
            assert_eq!(count::over(unit, text, limit), expected, "{unit:?} over {limit}");
        }
    }
    let reserved = mastodon::CHARACTERS_RESERVED_PER_URL;
    let length = mastodon::length(text, "CW", reserved);
    assert_eq!(mastodon::over(text, "CW", reserved, length), None);
}

/// What is found lies on character boundaries, in order and without overlap.
fn finds(text: &str) {
    for ranges in [
        entities::links(text),
        entities::hashtags(text),
        entities::mentions(text),
        entities::cashtags(text),
        entities::hashtags_outside_links(text),
        twitter::links(text),
        twitter::hashtags(text),
        twitter::mentions(text),
        twitter::cashtags(text),
        facets::detect(text).into_iter().map(|candidate| candidate.bytes).collect(),
    ] {
        let mut end = 0;
        for range in ranges {
            assert!(range.start >= end && range.start < range.end, "{range:?} after {end}");
            assert!(text.get(range.clone()).is_some(), "{range:?} cuts a character");
            end = range.end;
        }
    }
    assert!(entities::different_links(text, None) <= entities::links(text).len());
}

/// Blocks are as many as were counted, and escapes hide nothing of a text.
fn formats(text: &str) {
    assert_eq!(tumblr::blocks(text).len(), tumblr::block_count(text));
    assert!(linkedin::little_text(text, &[]).len() >= text.len());
}

/// Composing is stable: what a network gets would be composed to itself.
fn composes(text: &str) {
    let cleaned = telegram::clean(text);
    assert_eq!(telegram::clean(&cleaned), cleaned, "cleaning twice");
    let options = Map::new();
    for platform in Platform::ALL {
        let composed = compose(text, None, false, platform, &options);
        assert_eq!(composed.parts.len(), 1);
        let again = compose(composed.text(), None, false, platform, &options);
        assert_eq!(again.parts, composed.parts, "{platform}");
        let with_link = compose(text, Some(LINK), false, platform, &options);
        let is_there = with_link.link_card.is_some() || with_link.text().contains(LINK);
        assert!(is_there, "{platform} lost the link");
    }
}
