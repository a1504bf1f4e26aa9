//! Texts and files on one line.

use std::fmt::Write as _;

use scheduler_core::rules::MediaFacts;

/// Most characters of a line that a text may take.
const WIDTH: usize = 160;

/// Longest piece whose repeats are told as a number, in characters.
const PIECE: usize = 40;

/// A text in quotes, with repeats as `"a"×300`, and cut where it is long.
pub(crate) fn of_text(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut pieces: Vec<(String, usize)> = Vec::new();
    let mut literal = String::new();
    let mut at = 0;
    while at < characters.len() {
        let (length, times) = longest_repeat(&characters[at..]);
        if times > 1 {
            if !literal.is_empty() {
                pieces.push((std::mem::take(&mut literal), 1));
            }
            pieces.push((characters[at..at + length].iter().collect(), times));
            at += length * times;
        } else {
            literal.push(characters[at]);
            at += 1;
        }
    }
    if !literal.is_empty() || pieces.is_empty() {
        pieces.push((literal, 1));
    }
    let shown: Vec<String> = pieces
        .into_iter()
        .map(|(piece, times)| {
            let quoted = cut(&format!("{piece:?}"));
            if times > 1 { format!("{quoted}×{times}") } else { quoted }
        })
        .collect();
    cut(&shown.join(" + "))
}

/// The repeat at the start that covers most, if it is worth telling as one.
fn longest_repeat(characters: &[char]) -> (usize, usize) {
    let mut best = (1, 1);
    for length in 1..=PIECE.min(characters.len() / 2) {
        let piece = &characters[..length];
        let times = characters.chunks_exact(length).take_while(|chunk| *chunk == piece).count();
        if times >= 4 && length * times >= 12 && length * times > best.0 * best.1 {
            best = (length, times);
        }
    }
    best
}

fn cut(line: &str) -> String {
    let characters = line.chars().count();
    if characters <= WIDTH {
        return line.to_owned();
    }
    let start: String = line.chars().take(WIDTH).collect();
    format!("{start}… ({} more)", characters - WIDTH)
}

/// Files on one line, equal ones told as a number.
pub(crate) fn of_files(media: &[MediaFacts]) -> String {
    let mut groups: Vec<(&MediaFacts, usize)> = Vec::new();
    for file in media {
        match groups.last_mut() {
            Some((last, times)) if *last == file => *times += 1,
            _ => groups.push((file, 1)),
        }
    }
    let shown: Vec<String> = groups
        .into_iter()
        .map(
            |(file, times)| {
                if times > 1 { format!("{times} × {}", of_file(file)) } else { of_file(file) }
            },
        )
        .collect();
    shown.join(" + ")
}

fn of_file(file: &MediaFacts) -> String {
    let MediaFacts {
        kind,
        ready,
        failure: _,
        mime_type,
        size_bytes,
        duration_seconds,
        fps,
        width,
        height,
        video_codec,
        frame_count,
    } = file;
    let mut line = mime_type.clone().unwrap_or_else(|| format!("{kind:?}").to_lowercase());
    if let (Some(width), Some(height)) = (width, height) {
        let _ = write!(line, " {width}x{height}");
    }
    if let Some(seconds) = duration_seconds {
        let _ = write!(line, " {seconds} s");
    }
    if let Some(fps) = fps {
        let _ = write!(line, " {fps} fps");
    }
    if let Some(bytes) = size_bytes {
        let _ = write!(line, " {bytes} bytes");
    }
    if let Some(codec) = video_codec {
        let _ = write!(line, " {}", codec.name());
    }
    if let Some(frames) = frame_count {
        let _ = write!(line, " {frames} frames");
    }
    if !ready {
        line.push_str(" not ready");
    }
    format!("({line})")
}

#[test]
fn texts_on_one_line() {
    for (name, text, want) in [
        ("empty", String::new(), "\"\""),
        ("short", "Hello".to_owned(), "\"Hello\""),
        ("a repeat", "a".repeat(300), "\"a\"×300"),
        ("a repeat and more", format!("{}👍", "a".repeat(300)), "\"a\"×300 + \"👍\""),
        ("a longer piece", "ab ".repeat(20), "\"ab \"×20"),
        ("what is not seen", "a\u{200b}\r\n".to_owned(), "\"a\\u{200b}\\r\\n\""),
    ] {
        assert_eq!(of_text(&text), want, "{name}");
    }
    let long: String = (0..300).map(|number| format!("{number} ")).collect();
    assert!(of_text(&long).chars().count() < 190);
}
