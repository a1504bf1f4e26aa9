//! Reading JSON that holds files as base64, piece by piece: the files are hashed, not kept.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::written::{as_base64, as_hex};

/// Longest string that is not treated as a file.
const LONG: usize = 64 * 1024;

/// Bytes of the JSON around the files that are kept; longer JSON is not read.
const TEXT_BYTES: usize = 2 * 1024 * 1024;

/// Bytes of a file that are kept, by which it is told.
const HEAD_BYTES: usize = 64 * 1024;

/// What stands in the text in place of a file, with its number behind it.
const MARK: &str = "sandbox-file:";

/// A file that stood in JSON.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct JsonFile {
    pub(crate) length: u64,
    #[serde(with = "as_hex")]
    pub(crate) sha256: [u8; 32],
    /// The first bytes.
    #[serde(with = "as_base64")]
    pub(crate) head: Bytes,
    /// False when the string was no base64; the rest says nothing then.
    pub(crate) is_base64: bool,
}

impl JsonFile {
    /// Reads a short string.
    pub(crate) fn of(text: &str) -> Self {
        let mut open = OpenFile::default();
        open.take(text.as_bytes());
        open.close()
    }
}

/// JSON with marks in place of its long strings.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct JsonText {
    #[serde(with = "as_base64")]
    pub(crate) text: Bytes,
    files: Vec<JsonFile>,
}

impl JsonText {
    /// Returns the file that a string of the text stands for.
    pub(crate) fn file(&self, string: &str) -> Option<&JsonFile> {
        self.files.get(string.strip_prefix(MARK)?.parse::<usize>().ok()?)
    }
}

/// Reads JSON as its bytes arrive.
#[derive(Default)]
pub(crate) struct JsonReader {
    text: Vec<u8>,
    /// Where the string begins that is being read.
    string_at: Option<usize>,
    is_escaped: bool,
    open: Option<OpenFile>,
    files: Vec<JsonFile>,
    is_too_long: bool,
}

#[derive(Default)]
struct OpenFile {
    length: u64,
    hash: Sha256,
    head: Vec<u8>,
    /// Signs that are still no group of four.
    waiting: Vec<u8>,
    is_ended: bool,
    is_broken: bool,
}

impl JsonReader {
    /// Starts a reader when the content type is JSON.
    pub(crate) fn for_content_type(content_type: &str) -> Option<Self> {
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json").then(Self::default)
    }

    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((byte, after)) = rest.split_first() {
            if self.is_too_long {
                return;
            }
            if let Some(mut open) = self.open.take() {
                let end = rest.iter().position(|byte| *byte == b'"');
                let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
                open.take(piece);
                match end {
                    Some(_) => self.files.push(open.close()),
                    None => self.open = Some(open),
                }
                rest = after;
                // The quote that ends the string is read below.
                if end.is_some() {
                    self.string_at = None;
                    self.text.push(b'"');
                    rest = rest.get(1..).unwrap_or_default();
                }
                continue;
            }
            rest = after;
            self.take(*byte);
        }
    }

    fn take(&mut self, byte: u8) {
        self.text.push(byte);
        self.is_too_long = self.text.len() > TEXT_BYTES;
        match self.string_at {
            None if byte == b'"' => self.string_at = Some(self.text.len()),
            None => {}
            Some(_) if self.is_escaped => self.is_escaped = false,
            Some(_) if byte == b'\\' => self.is_escaped = true,
            Some(_) if byte == b'"' => self.string_at = None,
            Some(at) if self.text.len() - at > LONG => {
                let mut open = OpenFile::default();
                open.take(&self.text.split_off(at));
                self.open = Some(open);
                let mark = format!("{MARK}{}", self.files.len());
                self.text.extend_from_slice(mark.as_bytes());
            }
            Some(_) => {}
        }
    }

    /// Returns what was read; `None` when it was too long.
    pub(crate) fn finish(self) -> Option<JsonText> {
        (!self.is_too_long).then(|| JsonText { text: self.text.into(), files: self.files })
    }
}

impl OpenFile {
    fn take(&mut self, text: &[u8]) {
        if self.is_broken || text.is_empty() {
            return;
        }
        self.waiting.extend_from_slice(text);
        let rest = self.waiting.split_off(self.waiting.len() - self.waiting.len() % 4);
        let groups = std::mem::replace(&mut self.waiting, rest);
        // Nothing comes after padding.
        let decoded = STANDARD.decode(&groups).ok().filter(|_| !self.is_ended);
        let Some(bytes) = decoded else {
            self.is_broken = true;
            return;
        };
        self.is_ended = groups.ends_with(b"=");
        self.length += bytes.len() as u64;
        self.hash.update(&bytes);
        let room = HEAD_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
    }

    fn close(self) -> JsonFile {
        JsonFile {
            length: self.length,
            is_base64: !self.is_broken && self.waiting.is_empty(),
            sha256: self.hash.finalize().into(),
            head: self.head.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn read(body: &[u8], step: usize) -> JsonText {
        let mut reader = JsonReader::for_content_type("application/json; charset=utf-8").unwrap();
        for chunk in body.chunks(step) {
            reader.feed(chunk);
        }
        reader.finish().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn files_are_the_same_however_the_bytes_arrive(
            lengths in proptest::collection::vec(0_usize..150_000, 1..3),
            step in 1_usize..70_000,
        ) {
            let files: Vec<Vec<u8>> = lengths.iter().map(|length| vec![7; *length]).collect();
            let items: Vec<Value> =
                files.iter().map(|file| json!({ "data": STANDARD.encode(file) })).collect();
            let body = json!({ "items": items, "a": "\"quoted\" \\", "z": "é" });
            let found = read(body.to_string().as_bytes(), step);
            let text: Value = serde_json::from_slice(&found.text).unwrap();
            prop_assert_eq!(&text["a"], &body["a"]);
            prop_assert_eq!(&text["z"], &body["z"]);
            for (item, bytes) in text["items"].as_array().unwrap().iter().zip(&files) {
                let string = item["data"].as_str().unwrap();
                let file = found.file(string).cloned().unwrap_or_else(|| JsonFile::of(string));
                prop_assert!(file.is_base64);
                prop_assert_eq!(file.length, bytes.len() as u64);
                let hash: [u8; 32] = Sha256::digest(bytes).into();
                prop_assert_eq!(file.sha256, hash);
                prop_assert_eq!(&file.head[..], &bytes[..bytes.len().min(HEAD_BYTES)]);
            }
        }
    }

    #[test]
    fn what_is_no_base64_is_told() {
        for (text, want) in
            [("YWJj", true), ("YQ==", true), ("YQ", false), ("YQ==YQ==", false), ("Y Jj", false)]
        {
            assert_eq!(JsonFile::of(text).is_base64, want, "{text}");
        }
        let long = "YQ==".repeat(LONG);
        let found = read(format!("{{\"a\":\"{long}\"}}").as_bytes(), 1000);
        assert!(!found.file("sandbox-file:0").unwrap().is_base64);
    }

    #[test]
    fn text_that_is_too_long_is_not_read() {
        let mut reader = JsonReader::for_content_type("application/json").unwrap();
        reader.feed(&vec![b' '; TEXT_BYTES + 1]);
        assert!(reader.finish().is_none());
        assert!(JsonReader::for_content_type("text/plain").is_none());
    }
}
