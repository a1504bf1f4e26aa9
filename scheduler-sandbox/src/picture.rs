//! Telling what a file is by its first bytes, as networks do.

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// JPEG, PNG, WebP, HEIC, AVIF.
    Image,
    /// GIF, still or moving.
    Gif,
    /// MP4, QuickTime, WebM, Ogg.
    Video,
    /// WAV, MP3, FLAC.
    Audio,
}

/// Says what a file is; `None` when its beginning is that of no known kind.
pub(crate) fn kind(head: &[u8]) -> Option<FileKind> {
    if head.starts_with(&[0xff, 0xd8, 0xff]) || head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(FileKind::Image);
    }
    if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") {
        return Some(FileKind::Gif);
    }
    if head.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]) || head.starts_with(b"OggS") {
        return Some(FileKind::Video);
    }
    if head.starts_with(b"ID3") || head.starts_with(b"fLaC") || head.starts_with(&[0xff, 0xfb]) {
        return Some(FileKind::Audio);
    }
    match (head.get(..4), head.get(4..8), head.get(8..12)) {
        (Some(b"RIFF"), _, Some(b"WEBP")) => Some(FileKind::Image),
        (Some(b"RIFF"), _, Some(b"WAVE")) => Some(FileKind::Audio),
        (_, Some(b"ftyp"), Some(b"heic" | b"heix" | b"mif1" | b"msf1" | b"avif" | b"avis")) => {
            Some(FileKind::Image)
        }
        (_, Some(b"ftyp"), Some(_)) => Some(FileKind::Video),
        _ => None,
    }
}

/// Reads width and height of a JPEG, PNG, GIF or WebP picture; `None` when they are not among the
/// bytes given.
pub(crate) fn dimensions(head: &[u8]) -> Option<(u32, u32)> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some((big(head, 16, 4)?, big(head, 20, 4)?));
    }
    if head.starts_with(b"GIF8") {
        return Some((little(head, 6, 2)?, little(head, 8, 2)?));
    }
    if head.starts_with(&[0xff, 0xd8]) {
        return jpeg(head);
    }
    match head.get(12..16)? {
        b"VP8X" => Some((little(head, 24, 3)? + 1, little(head, 27, 3)? + 1)),
        b"VP8 " => Some((little(head, 26, 2)? & 0x3fff, little(head, 28, 2)? & 0x3fff)),
        b"VP8L" => {
            let bits = little(head, 21, 4)?;
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        _ => None,
    }
}

/// Walks the segments of a JPEG to its frame header.
fn jpeg(head: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        if *head.get(at)? != 0xff {
            return None;
        }
        let marker = *head.get(at + 1)?;
        let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            return Some((big(head, at + 7, 2)?, big(head, at + 5, 2)?));
        }
        at += if marker == 0xff { 1 } else { 2 + usize::try_from(big(head, at + 2, 2)?).ok()? };
    }
}

fn big(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_sizes_by_the_first_bytes() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0".as_slice();
        let gif = b"GIF89a\x40\x01\xf0\x00".as_slice();
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x04\x38\x07\x80".as_slice();
        let webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x7f\x07\0\x37\x04\0".as_slice();
        for (name, head, want_kind, want_size) in [
            ("png", png, Some(FileKind::Image), Some((640, 480))),
            ("gif", gif, Some(FileKind::Gif), Some((320, 240))),
            ("jpeg", jpeg, Some(FileKind::Image), Some((1920, 1080))),
            ("webp", webp, Some(FileKind::Image), Some((1920, 1080))),
            ("cut jpeg", &jpeg[..6], Some(FileKind::Image), None),
            ("mp4", b"\0\0\0\x20ftypisom".as_slice(), Some(FileKind::Video), None),
            ("heic", b"\0\0\0\x20ftypheic".as_slice(), Some(FileKind::Image), None),
            ("webm", b"\x1a\x45\xdf\xa3".as_slice(), Some(FileKind::Video), None),
            ("text", b"hello".as_slice(), None, None),
            ("nothing", b"".as_slice(), None, None),
        ] {
            assert_eq!(kind(head), want_kind, "{name}");
            assert_eq!(dimensions(head), want_size, "{name}");
        }
    }
}
