//! A PDF that is made of JPEGs, a page of each, without holding them: what stands between the images
//! is computed from their heads, and the images pass as they are.
//!
//! Source: ISO 32000-1:2008, 7.5 "File Structure", 7.7.3 "Page Tree" and 8.9 "Images"; of JPEG,
//! ITU-T T.81, annex B.

use std::fmt::Write as _;

use crate::conversation::{Body, FileBody, Piece};

/// What the head of a JPEG says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jpeg {
    /// Its bytes.
    pub(crate) length: u64,
    width: u16,
    height: u16,
    colours: Colours,
}

/// How the colours of a JPEG are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colours {
    Grey,
    Rgb,
    Cmyk {
        /// Adobe's programs write them the other way round, and say that they did.
        is_inverted: bool,
    },
}

/// A page of a document.
pub(crate) struct Page {
    pub(crate) image: FileBody,
    pub(crate) jpeg: Jpeg,
}

impl Jpeg {
    /// Reads the head of a JPEG of `length` bytes; `None` where `head` is none, or ends before it is
    /// said.
    pub(crate) fn read(head: &[u8], length: u64) -> Option<Self> {
        let mut is_inverted = false;
        let mut at = head.starts_with(&[0xff, 0xd8]).then_some(2)?;
        loop {
            let marker = *head.get(at + 1).filter(|_| head.get(at) == Some(&0xff))?;
            // Any number of fill bytes may stand before a marker.
            if marker == 0xff {
                at += 1;
                continue;
            }
            let segment = head.get(at + 2..)?;
            let size = usize::from(u16::from_be_bytes(*segment.first_chunk()?));
            let says = segment.get(2..size)?;
            match marker {
                0xee => is_inverted |= says.starts_with(b"Adobe"),
                0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                    let &[8, h1, h2, w1, w2, components, ..] = says else { return None };
                    let colours = match components {
                        1 => Colours::Grey,
                        3 => Colours::Rgb,
                        4 => Colours::Cmyk { is_inverted },
                        _ => return None,
                    };
                    let (width, height) =
                        (u16::from_be_bytes([w1, w2]), u16::from_be_bytes([h1, h2]));
                    let is_seen = width > 0 && height > 0;
                    return is_seen.then_some(Self { length, width, height, colours });
                }
                // The image begins, and its head has said nothing.
                0xda => return None,
                _ => {}
            }
            at += 2 + size;
        }
    }

    fn colours(&self) -> &'static str {
        match self.colours {
            Colours::Grey => "/ColorSpace /DeviceGray",
            Colours::Rgb => "/ColorSpace /DeviceRGB",
            Colours::Cmyk { is_inverted: false } => "/ColorSpace /DeviceCMYK",
            Colours::Cmyk { is_inverted: true } => {
                "/ColorSpace /DeviceCMYK /Decode [1 0 1 0 1 0 1 0]"
            }
        }
    }
}

/// The document that has these pages, in their order.
pub(crate) fn of(pages: Vec<Page>) -> Body {
    let mut writer = Writer::default();
    // The second line says that there are bytes beyond those of text.
    writer.text.extend_from_slice(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n");
    writer.object("<< /Type /Catalog /Pages 2 0 R >>");
    let kids = (0..pages.len()).fold(String::new(), |mut kids, page| {
        let _ = write!(kids, " {} 0 R", 3 + 3 * page);
        kids
    });
    writer.object(&format!("<< /Type /Pages /Count {} /Kids [{kids} ] >>", pages.len()));
    for Page { image, jpeg } in pages {
        let Jpeg { length, width, height, .. } = jpeg;
        let (contents, pixels) = (writer.offsets.len() + 2, writer.offsets.len() + 3);
        // A pixel is a point: readers scale pages to the width that they have.
        writer.object(&format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {contents} 0 R /Resources << /XObject << /Image {pixels} 0 R >> >> >>"
        ));
        let drawn = format!("q {width} 0 0 {height} 0 0 cm /Image Do Q");
        writer.object(&format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len()));
        let colours = jpeg.colours();
        writer.begin(&format!(
            "<< /Type /XObject /Subtype /Image /Width {width} /Height {height} {colours} /BitsPerComponent 8 /Filter /DCTDecode /Length {length} >>\nstream\n"
        ));
        writer.file(image, length);
        writer.text.extend_from_slice(b"\nendstream\nendobj\n");
    }
    Body::Joined { content_type: "application/pdf", pieces: writer.end() }
}

/// What is written of a document.
#[derive(Default)]
struct Writer {
    pieces: Vec<Piece>,
    /// What stands behind the last piece.
    text: Vec<u8>,
    /// Bytes of the pieces.
    written: u64,
    /// Where each object begins.
    offsets: Vec<u64>,
}

impl Writer {
    fn position(&self) -> u64 {
        self.written + u64::try_from(self.text.len()).unwrap_or(u64::MAX)
    }

    fn begin(&mut self, object: &str) {
        self.offsets.push(self.position());
        let number = self.offsets.len();
        self.text.extend_from_slice(format!("{number} 0 obj\n{object}").as_bytes());
    }

    fn object(&mut self, object: &str) {
        self.begin(object);
        self.text.extend_from_slice(b"\nendobj\n");
    }

    fn file(&mut self, file: FileBody, length: u64) {
        self.written = self.position() + length;
        self.pieces.push(Piece::Bytes(std::mem::take(&mut self.text)));
        self.pieces.push(Piece::File(file));
    }

    /// Writes where every object is, and ends the document.
    fn end(mut self) -> Vec<Piece> {
        let table = self.position();
        let size = self.offsets.len() + 1;
        let mut end = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for offset in &self.offsets {
            let _ = writeln!(end, "{offset:010} 00000 n ");
        }
        let _ = write!(end, "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n");
        self.text.extend_from_slice(end.as_bytes());
        self.pieces.push(Piece::Bytes(self.text));
        self.pieces
    }
}

#[cfg(test)]
#[path = "image_document_tests.rs"]
mod tests;
