//! Alternative texts: their number and length.

use scheduler_core::platform::Platform;
use serde_json::json;

use crate::case::{Case, files, image, text, video};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for length in [500, 501, 1000, 1001] {
        let alt_text = "é".repeat(length);
        let case = files(format!("an alternative text of {length} letters"), [image()]);
        cases.push(case.alt_texts(&[Some(&alt_text)]));
    }
    let emoji = "👨‍👩‍👧‍👦".repeat(72);
    cases.extend([
        files("an alternative text of 72 families", [image()]).alt_texts(&[Some(&emoji)]),
        files("an alternative text of a video", [video()]).alt_texts(&[Some("A cat")]),
        files("an empty alternative text", [image()]).alt_texts(&[Some("")]),
        files("no alternative text for the one file", [image()]).alt_texts(&[None]),
        files("one alternative text for two files", [image(), image()]).alt_texts(&[Some("A cat")]),
        files("an alternative text for the second file only", [image(), image()])
            .alt_texts(&[None, Some("A cat")]),
        files("two alternative texts for two files", [image(), image()])
            .alt_texts(&[Some("A cat"), Some("A dog")]),
        files("two alternative texts for one file", [image()])
            .alt_texts(&[Some("A cat"), Some("A dog")]),
        text("an alternative text without a file", "Hello").alt_texts(&[Some("A cat")]).bare(),
        files("an alternative text of a story", [image()])
            .alt_texts(&[Some("A cat")])
            .with(Platform::Instagram, json!({"placement": "story"})),
        files("an alternative text of a video in a carousel", [image(), video()])
            .alt_texts(&[Some("A cat"), Some("A dog")]),
    ]);
    cases
}
