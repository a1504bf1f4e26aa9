//! Files that the tests make, byte by byte, and what is measured of them.

mod build;
mod films;
mod hostile;
mod pictures;
mod types;

use std::io::Cursor;

use scheduler_core::rules::VideoCodec;

use crate::{MeasureError, Measured, measure};

fn measured(file: &[u8]) -> Result<Measured, MeasureError> {
    measure(Cursor::new(file), file.len() as u64)
}

/// What was measured, in one line: type, size, seconds, rate, codec, pictures; or the error.
fn told(file: &[u8]) -> String {
    match measured(file) {
        Ok(found) => {
            let mut line = vec![found.mime_type.to_owned()];
            if let (Some(width), Some(height)) = (found.width, found.height) {
                line.push(format!("{width}x{height}"));
            }
            line.extend(found.duration_seconds.map(|seconds| format!("{seconds}s")));
            line.extend(found.fps.map(|fps| format!("{fps}fps")));
            line.extend(found.video_codec.map(VideoCodec::name).map(str::to_owned));
            line.extend(found.frame_count.map(|count| format!("#{count}")));
            line.join(" ")
        }
        Err(error) => error.to_string(),
    }
}
