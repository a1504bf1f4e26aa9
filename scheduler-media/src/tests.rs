//! Files that the tests make, byte by byte, and what is measured of them.

pub(crate) mod build;
mod edits;
mod examining;
mod films;
mod films_with_tools;
mod fits;
mod hostile;
mod pictures;
mod previews;
pub(crate) mod real;
mod types;

use std::io::Cursor;

use scheduler_core::media::VideoCodec;

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

/// Every kind of file that is looked into is a seed for fuzzing, and can be measured. With
/// `SCHEDULER_SEEDS`, as `scripts/fuzz-media.sh` sets it, they are also written into that folder.
#[test]
fn seeds_are_files_of_every_kind() {
    use build::{Film, gif, heif, webm};
    use real::{FORMATS, exif, half_transparent, halves, jpeg_with, png_with, written};

    let texts: [(&[u8; 4], &[u8]); 1] = [(b"tEXt", b"Author\0somebody")];
    let mut files = vec![
        ("mp4".to_owned(), Film::plain().file()),
        ("webm".to_owned(), webm(1)),
        ("heic".to_owned(), heif(b"heic", 640, 480, 1)),
        ("frames.gif".to_owned(), gif(64, 64, 3)),
        ("turned.jpg".to_owned(), jpeg_with(&halves(40, 20), &[(0xe1, &exif(6))])),
        ("text.png".to_owned(), png_with(&halves(40, 20), &texts)),
        ("alpha.png".to_owned(), written(&half_transparent(40, 20), image::ImageFormat::Png)),
        ("alpha.webp".to_owned(), written(&half_transparent(40, 20), image::ImageFormat::WebP)),
    ];
    for (format, media_type) in FORMATS {
        files.push((media_type.replace('/', "."), written(&halves(60, 40), format)));
    }
    let folder = std::env::var_os("SCHEDULER_SEEDS").map(std::path::PathBuf::from);
    for (name, bytes) in files {
        let length = u64::try_from(bytes.len()).unwrap();
        let measured = crate::measure(std::io::Cursor::new(&bytes), length);
        assert!(measured.is_ok(), "{name}: {measured:?}");
        if let Some(folder) = &folder {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
    }
}
