//! Taking metadata out of a picture without touching its pixels.

use image::ImageFormat;

use super::jpeg_scans;

/// The file without what it tells of place, time, camera and author; `None` where that cannot be
/// done without writing the picture again.
pub(crate) fn without_metadata(file: &[u8], format: ImageFormat) -> Option<Vec<u8>> {
    match format {
        ImageFormat::Jpeg => jpeg(file),
        ImageFormat::Png => png(file),
        // Its pictures have no place for metadata; comments say which program made it.
        ImageFormat::Gif => Some(file.to_vec()),
        _ => None,
    }
}

/// Keeps what decoding needs: JFIF, colour profile, Adobe's colours.
fn jpeg(file: &[u8]) -> Option<Vec<u8>> {
    let mut kept = file.get(..2)?.to_vec();
    let mut at = 2;
    loop {
        let (marker, start) = jpeg_scans::marker(file, at)?;
        let end = if matches!(marker, 0x01 | 0xd0..=0xd9) {
            start
        } else {
            start + usize::from(u16::from_be_bytes(*file.get(start..)?.first_chunk()?))
        };
        let is_kept = match marker {
            0xe2 => file.get(start + 2..end)?.starts_with(b"ICC_PROFILE\0"),
            0xe1 | 0xe3..=0xed | 0xef | 0xfe => false,
            _ => true,
        };
        // The pixels that stand between it and the last marker.
        kept.extend_from_slice(file.get(at..start - 2)?);
        if is_kept {
            kept.extend_from_slice(file.get(start - 2..end)?);
        }
        at = end;
        if marker == 0xd9 {
            return Some(kept);
        }
    }
}

/// Source: <https://www.w3.org/TR/png/#11Chunks>.
fn png(file: &[u8]) -> Option<Vec<u8>> {
    let mut kept = file.get(..8)?.to_vec();
    let mut at = 8;
    loop {
        let length = u32::from_be_bytes(*file.get(at..)?.first_chunk()?);
        let name = file.get(at + 4..at + 8)?;
        let end = at.checked_add(12)?.checked_add(usize::try_from(length).ok()?)?;
        let chunk = file.get(at..end)?;
        if !matches!(name, b"tEXt" | b"zTXt" | b"iTXt" | b"eXIf" | b"tIME") {
            kept.extend_from_slice(chunk);
        }
        if name == b"IEND" {
            return Some(kept);
        }
        at = end;
    }
}
