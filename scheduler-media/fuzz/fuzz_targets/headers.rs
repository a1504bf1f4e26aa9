//! Any bytes: measured or refused, however long the file says it is.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use scheduler_media::measure;

fuzz_target!(|file: &[u8]| {
    let length = file.len() as u64;
    if let Ok(measured) = measure(Cursor::new(file), length) {
        assert_eq!(measured.size_bytes, length);
        assert!(measured.width != Some(0) && measured.height != Some(0), "{measured:?}");
        for number in [measured.duration_seconds, measured.fps].into_iter().flatten() {
            assert!(number.is_finite() && number >= 0.0, "{measured:?}");
        }
    }
    // A store may say more than it holds.
    let _ = measure(Cursor::new(file), length + 4_096);
});
