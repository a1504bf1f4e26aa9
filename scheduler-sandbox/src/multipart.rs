//! Reading `multipart/form-data` piece by piece: files are hashed, not kept.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::written::{as_base64, as_hex};

/// Bytes of a part that are kept; enough for every text field and every picture header.
const KEPT_BYTES: usize = 256 * 1024;

/// Longest head of a part; a longer one ends the reading.
const HEAD_BYTES: usize = 16 * 1024;

/// One part of a form.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) file_name: Option<String>,
    pub(crate) content_type: Option<String>,
    /// Length of the whole content in bytes.
    pub(crate) length: u64,
    #[serde(with = "as_hex")]
    pub(crate) sha256: [u8; 32],
    /// The first bytes of the content.
    #[serde(with = "as_base64")]
    pub(crate) head: Bytes,
}

struct OpenPart {
    name: String,
    file_name: Option<String>,
    content_type: Option<String>,
    length: u64,
    hash: Sha256,
    head: Vec<u8>,
}

enum Place {
    Preamble,
    AfterDelimiter,
    Head,
    Content(Box<OpenPart>),
    End,
}

/// Reads a form as its bytes arrive.
pub(crate) struct MultipartReader {
    delimiter: Vec<u8>,
    buffer: Vec<u8>,
    place: Place,
    parts: Vec<Part>,
}

impl MultipartReader {
    /// Starts a reader when the content type is a form with a boundary.
    pub(crate) fn for_content_type(content_type: &str) -> Option<Self> {
        let (kind, parameters) = content_type.split_once(';')?;
        if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
            return None;
        }
        let boundary = parameters.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"'))
        })?;
        // The first boundary stands at the very start, without a line break of its own.
        let buffer = b"\r\n".to_vec();
        let delimiter = format!("\r\n--{boundary}").into_bytes();
        Some(Self { delimiter, buffer, place: Place::Preamble, parts: Vec::new() })
    }

    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        while self.step() {}
    }

    /// Returns the complete parts; one that never ended is not among them.
    pub(crate) fn finish(self) -> Vec<Part> {
        self.parts
    }

    /// Moves one place on; false when more bytes are needed.
    fn step(&mut self) -> bool {
        match std::mem::replace(&mut self.place, Place::End) {
            Place::Preamble => {
                let found = find(&self.buffer, &self.delimiter);
                self.skip_to_delimiter(found);
                self.place = if found.is_some() { Place::AfterDelimiter } else { Place::Preamble };
                found.is_some()
            }
            Place::AfterDelimiter => {
                if self.buffer.len() < 2 {
                    self.place = Place::AfterDelimiter;
                    return false;
                }
                let is_last = self.buffer.starts_with(b"--");
                self.buffer.drain(..2);
                if !is_last {
                    self.place = Place::Head;
                }
                !is_last
            }
            Place::Head => match find(&self.buffer, b"\r\n\r\n") {
                Some(end) => {
                    let part = open_part(&String::from_utf8_lossy(&self.buffer[..end]));
                    self.buffer.drain(..end + 4);
                    self.place = Place::Content(Box::new(part));
                    true
                }
                None => {
                    if self.buffer.len() <= HEAD_BYTES {
                        self.place = Place::Head;
                    }
                    false
                }
            },
            Place::Content(mut part) => {
                let found = find(&self.buffer, &self.delimiter);
                let held_back = self.delimiter.len() - 1;
                let end = found.unwrap_or(self.buffer.len().saturating_sub(held_back));
                part.take(&self.buffer[..end]);
                self.skip_to_delimiter(found);
                if found.is_some() {
                    self.parts.push(part.close());
                    self.place = Place::AfterDelimiter;
                } else {
                    self.place = Place::Content(part);
                }
                found.is_some()
            }
            Place::End => {
                self.buffer.clear();
                false
            }
        }
    }

    /// Drops what stands before the delimiter and the delimiter itself; without one, all but a
    /// possible beginning of one.
    fn skip_to_delimiter(&mut self, found: Option<usize>) {
        let end = match found {
            Some(at) => at + self.delimiter.len(),
            None => self.buffer.len().saturating_sub(self.delimiter.len() - 1),
        };
        self.buffer.drain(..end);
    }
}

impl OpenPart {
    fn take(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.hash.update(bytes);
        let room = KEPT_BYTES.saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn close(self) -> Part {
        Part {
            name: self.name,
            file_name: self.file_name,
            content_type: self.content_type,
            length: self.length,
            sha256: self.hash.finalize().into(),
            head: Bytes::from(self.head),
        }
    }
}

fn open_part(head: &str) -> OpenPart {
    let mut part = OpenPart {
        name: String::new(),
        file_name: None,
        content_type: None,
        length: 0,
        hash: Sha256::new(),
        head: Vec::new(),
    };
    for line in head.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.trim().eq_ignore_ascii_case("content-disposition") {
            part.name = disposition(value, "name").unwrap_or_default();
            part.file_name = disposition(value, "filename");
        } else if name.trim().eq_ignore_ascii_case("content-type") {
            part.content_type = Some(value.trim().to_owned());
        }
    }
    part
}

/// Reads a quoted parameter of a content disposition.
fn disposition(value: &str, wanted: &str) -> Option<String> {
    let mut rest = value;
    while let Some((_, after)) = rest.split_once(';') {
        let (name, after_name) = after.split_once('=')?;
        let after_name = after_name.trim_start();
        let (text, next) = match after_name.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after_name.split_at(after_name.find(';').unwrap_or(after_name.len())),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(text.to_owned());
        }
        rest = next;
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let last_start = haystack.len().checked_sub(needle.len())?;
    let mut from = 0;
    while from <= last_start {
        let at = from + haystack[from..=last_start].iter().position(|byte| *byte == first)?;
        if haystack[at..].starts_with(needle) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn form(files: &[Vec<u8>]) -> Vec<u8> {
        let mut form = Vec::new();
        for (index, file) in files.iter().enumerate() {
            form.extend_from_slice(
                format!(
                    "--XX\r\nContent-Disposition: form-data; name=\"f{index}\"; \
                     filename=\"a;b.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
                )
                .as_bytes(),
            );
            form.extend_from_slice(file);
            form.extend_from_slice(b"\r\n");
        }
        form.extend_from_slice(b"--XX--\r\n");
        form
    }

    proptest! {
        #[test]
        fn parts_are_the_same_however_the_bytes_arrive(
            files in proptest::collection::vec(
                proptest::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'-'), Just(b'X'), any::<u8>()], 0..60)
                    .prop_filter("holds no boundary", |file| find(file, b"\r\n--XX").is_none() && find(file, b"--XX").is_none()),
                0..4,
            ),
            step in 1_usize..40,
        ) {
            let Some(mut reader) = MultipartReader::for_content_type("multipart/form-data; boundary=XX") else {
                return Err(TestCaseError::fail("not a form"));
            };
            for chunk in form(&files).chunks(step) {
                reader.feed(chunk);
            }
            let parts = reader.finish();
            prop_assert_eq!(parts.len(), files.len());
            for (index, (part, file)) in parts.iter().zip(&files).enumerate() {
                prop_assert_eq!(&part.name, &format!("f{index}"));
                prop_assert_eq!(part.file_name.as_deref(), Some("a;b.jpg"));
                prop_assert_eq!(part.content_type.as_deref(), Some("image/jpeg"));
                prop_assert_eq!(part.length, file.len() as u64);
                prop_assert_eq!(&part.head[..], &file[..]);
                let hash: [u8; 32] = Sha256::digest(file).into();
                prop_assert_eq!(part.sha256, hash);
            }
        }
    }
}
