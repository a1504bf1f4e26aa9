//! What type a file is, by its first bytes.

use scheduler_core::media::MediaKind;

use crate::MeasureError;

/// First bytes that are looked at.
pub(crate) const HEAD_BYTES: u64 = 4_096;

/// The beginning of older office documents.
const OFFICE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// A container, and the media type where a container has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Jpeg,
    Png,
    Gif,
    Webp,
    Bmp,
    Tiff,
    /// HEIC, HEIF and AVIF.
    Heif(&'static str),
    /// MP4, QuickTime and their kin.
    Mp4(&'static str),
    /// Matroska and WebM.
    Matroska(&'static str),
    /// Files in one, and the media type that its first bytes speak for.
    Zip(&'static str),
    /// A picture, film or document of which only the type is told.
    TypeOnly(MediaKind, &'static str),
}

/// Types that have a signature here, by the library's names.
const MEASURED: [&str; 13] = [
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/tiff",
    "image/heif",
    "image/avif",
    "video/mp4",
    "video/x-m4v",
    "video/quicktime",
    "video/x-matroska",
    "video/webm",
];

/// Tells the format by the first bytes of a file.
///
/// # Errors
/// [`MeasureError::NotMedia`].
pub(crate) fn detect(head: &[u8]) -> Result<Format, MeasureError> {
    if let Some(format) = by_signature(head) {
        return Ok(format);
    }
    if head.starts_with(OFFICE) {
        // The library would read the tables of such a file, without a bound of ours.
        return Err(MeasureError::NotMedia(Some("application/x-ole-storage")));
    }
    let Some(found) = infer::get(head) else {
        return Err(MeasureError::NotMedia(None));
    };
    let mime_type = found.mime_type();
    if MEASURED.contains(&mime_type) {
        // The library is content with fewer bytes than make such a file.
        return Err(MeasureError::NotMedia(None));
    }
    if head.starts_with(b"PK\x03\x04") {
        return Ok(Format::Zip(mime_type));
    }
    match found.matcher_type() {
        infer::MatcherType::Image => Ok(Format::TypeOnly(MediaKind::Image, mime_type)),
        infer::MatcherType::Video => Ok(Format::TypeOnly(MediaKind::Video, mime_type)),
        infer::MatcherType::App
        | infer::MatcherType::Archive
        | infer::MatcherType::Audio
        | infer::MatcherType::Book
        | infer::MatcherType::Doc
        | infer::MatcherType::Font
        | infer::MatcherType::Text
        | infer::MatcherType::Custom => Err(MeasureError::NotMedia(Some(mime_type))),
    }
}

/// The formats that are measured here, and those that the library does not know.
fn by_signature(head: &[u8]) -> Option<Format> {
    let starts = |signature: &[u8]| head.starts_with(signature);
    if starts(b"\xff\xd8\xff") {
        Some(Format::Jpeg)
    } else if starts(b"\x89PNG\r\n\x1a\n") {
        Some(Format::Png)
    } else if starts(b"GIF87a") || starts(b"GIF89a") {
        Some(Format::Gif)
    } else if starts(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        Some(Format::Webp)
    } else if is_bitmap(head) {
        Some(Format::Bmp)
    } else if (starts(b"II*\0") || starts(b"MM\0*")) && !infer::is_mime(head, "image/x-canon-cr2") {
        Some(Format::Tiff)
    } else if starts(b"\x1a\x45\xdf\xa3") {
        Some(matroska(head))
    } else if starts(b"OggS") && (holds(head, b"\x80theora") || holds(head, b"\x01video\0")) {
        Some(Format::TypeOnly(MediaKind::Video, "video/ogg"))
    } else if [0, 188, 376].into_iter().all(|at| head.get(at) == Some(&b'G')) {
        // Packets of 188 bytes, each with its sign. Source: ISO/IEC 13818-1, 2.4.3.2.
        Some(Format::TypeOnly(MediaKind::Video, "video/mp2t"))
    } else if starts(b"%PDF-") {
        Some(Format::TypeOnly(MediaKind::Document, "application/pdf"))
    } else if is_svg(head) {
        Some(Format::TypeOnly(MediaKind::Image, "image/svg+xml"))
    } else {
        iso_media(head)
    }
}

/// A file header of the bitmap format, with a length of the second header that exists.
fn is_bitmap(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<18>() else { return false };
    header.starts_with(b"BM")
        && matches!(header[14..18], [12 | 16 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])
}

fn is_svg(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    text.starts_with(b"<svg") || text.starts_with(b"<?xml") && holds(text, b"<svg")
}

fn matroska(head: &[u8]) -> Format {
    Format::Matroska(if holds(head, b"webm") { "video/webm" } else { "video/x-matroska" })
}

/// The ISO base media files and their ancestor, QuickTime.
///
/// Source: ISO/IEC 14496-12, 4.3 (file type box); the brands at <https://mp4ra.org>.
fn iso_media(head: &[u8]) -> Option<Format> {
    let (_, rest) = head.split_first_chunk::<4>()?;
    let (first, rest) = rest.split_first_chunk::<4>()?;
    if first != b"ftyp" {
        // QuickTime before it had a file type.
        let is_old = matches!(first, b"moov" | b"mdat" | b"wide" | b"free" | b"skip" | b"pnot");
        return is_old.then_some(Format::Mp4("video/quicktime"));
    }
    let length = u32::from_be_bytes(*head.first_chunk()?);
    let (major, rest) = rest.split_first_chunk::<4>()?;
    let count = usize::try_from(length / 4).ok()?.saturating_sub(4);
    let has = |brand: &[u8; 4]| {
        rest.get(4..).is_some_and(|brands| brands.chunks_exact(4).take(count).any(|it| it == brand))
    };
    Some(match major {
        b"avif" | b"avis" => Format::Heif("image/avif"),
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
            Format::Heif("image/heic")
        }
        b"mif1" | b"mif2" | b"msf1" | b"miaf" => Format::Heif(if has(b"avif") || has(b"avis") {
            "image/avif"
        } else if has(b"heic") || has(b"heix") || has(b"hevc") {
            "image/heic"
        } else {
            "image/heif"
        }),
        b"crx " => Format::TypeOnly(MediaKind::Image, "image/x-canon-cr3"),
        b"qt  " => Format::Mp4("video/quicktime"),
        b"M4V " | b"M4VH" | b"M4VP" => Format::Mp4("video/x-m4v"),
        [b'3', b'g', b'2', _] => Format::Mp4("video/3gpp2"),
        [b'3', b'g', _, _] => Format::Mp4("video/3gpp"),
        _ => Format::Mp4("video/mp4"),
    })
}

pub(crate) fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}
