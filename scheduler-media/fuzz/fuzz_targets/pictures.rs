//! Any picture: previewed and made to fit, or refused, within the memory that is given.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use scheduler_media::fuzzing::fit_for_bluesky;
use scheduler_media::{PREVIEW_SIDE, measure, preview};

/// Little, so that a run tries many.
const MEMORY: u64 = 4 * 1024 * 1024;

fuzz_target!(|file: &[u8]| {
    let Ok(measured) = measure(Cursor::new(file), file.len() as u64) else { return };
    if let Ok(webp) = preview(file, measured.mime_type, MEMORY) {
        let small = measure(Cursor::new(&webp), webp.len() as u64).expect("a preview is a picture");
        assert_eq!(small.mime_type, "image/webp");
        assert!(small.width.max(small.height) <= Some(PREVIEW_SIDE), "{small:?}");
    }
    if let Some((bytes, media_type)) = fit_for_bluesky(file, measured.mime_type, MEMORY) {
        assert!(bytes.len() <= 2_000_000);
        let fitted = measure(Cursor::new(&bytes), bytes.len() as u64).expect("it is a picture");
        assert_eq!(fitted.mime_type, media_type);
    }
});
