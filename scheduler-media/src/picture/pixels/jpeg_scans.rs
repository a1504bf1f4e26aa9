//! What a decoder of JPEGs forgives, and is not forgiven here: a picture that is cut off, and so
//! many scans that decoding takes minutes.

use crate::picture::PictureError;

/// Scans of one picture at most. Ours: encoders write about ten.
const SCANS_MAX: usize = 100;

/// Pixels that are decoded at most, each counted once a scan. Ours: some seconds.
const SCANNED_PIXELS_MAX: u64 = 2_000_000_000;

/// Checks that a JPEG ends behind its last scan, and that its scans can be decoded in time.
///
/// Source: ITU-T T.81, annex B: behind a scan's first bytes, 0xFF begins a marker unless 0 follows.
///
/// # Errors
/// [`PictureError::CutOff`] and [`PictureError::Damaged`].
pub(crate) fn check(file: &[u8]) -> Result<(), PictureError> {
    let too_many = || PictureError::Damaged("its pixels are written too many times".to_owned());
    let mut at = 2;
    let mut pixels = 0_u64;
    let mut scans = 0;
    loop {
        let (marker, next) = marker(file, at).ok_or(PictureError::CutOff)?;
        at = next;
        match marker {
            0xd9 if scans > 0 => return Ok(()),
            0xd9 => return Err(PictureError::CutOff),
            // Markers without a segment.
            0x01 | 0xd0..=0xd8 => continue,
            _ => {}
        }
        let length = file.get(at..at + 2).ok_or(PictureError::CutOff)?;
        let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
        if let 0xc0..=0xcf = marker
            && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
            && let Some(&[h1, h0, w1, w0]) = file.get(at + 3..at + 7)
        {
            let said =
                u64::from(u16::from_be_bytes([h1, h0])) * u64::from(u16::from_be_bytes([w1, w0]));
            // A second header, which decoders may pass over, must not make the first one small.
            pixels = said.max(pixels);
        }
        if marker == 0xda {
            scans += 1;
            let work = pixels.saturating_mul(u64::try_from(scans).unwrap_or(u64::MAX));
            if scans > SCANS_MAX || (scans > 1 && work > SCANNED_PIXELS_MAX) {
                return Err(too_many());
            }
        }
        at += length;
    }
}

/// The next marker, and where what follows it begins.
pub(crate) fn marker(file: &[u8], from: usize) -> Option<(u8, usize)> {
    let mut at = from;
    loop {
        at += file.get(at..)?.iter().position(|byte| *byte == 0xff)?;
        // Fill bytes are 0xFF as well; 0 means that it was none.
        match *file.get(at + 1)? {
            0 => at += 2,
            0xff => at += 1,
            marker => return Some((marker, at + 2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(side: u16) -> Vec<u8> {
        let [high, low] = side.to_be_bytes();
        vec![0xff, 0xc2, 0, 11, 8, high, low, high, low, 1, 1, 0x11, 0]
    }

    #[test]
    fn work_is_counted_by_the_largest_size_that_is_said() {
        let scans = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12].repeat(2);
        for (name, frames, is_refused) in [
            ("small", frame(100), false),
            ("large", frame(60_000), true),
            ("large, then small", [frame(60_000), frame(1)].concat(), true),
            ("small, then large", [frame(1), frame(60_000)].concat(), true),
        ] {
            let file = [&b"\xff\xd8"[..], &frames, &scans, b"\xff\xd9"].concat();
            let want = "its pixels are written too many times".to_owned();
            let want = if is_refused { Err(PictureError::Damaged(want)) } else { Ok(()) };
            assert_eq!(check(&file), want, "{name}");
        }
    }
}
