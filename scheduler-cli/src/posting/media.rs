//! The files that a person names with `--media`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use scheduler_core::media::{MediaKind, VideoCodec};
use scheduler_media::{Measured, measure};
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// A file of this machine, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocalFile {
    /// Where it lies, as it was named.
    pub(crate) path: PathBuf,
    /// What its bytes say.
    pub(crate) measured: Measured,
}

/// The longest name that is sent, in characters.
///
/// Source: the server keeps no longer ones.
const NAME_MAX: usize = 255;

impl LocalFile {
    /// Measures a file; `option` and a space are put before its name when it is refused.
    ///
    /// # Errors
    /// [`Failure::Usage`] naming it when it cannot be read or is no picture or film.
    pub(crate) fn measure(path: &Path, option: &str) -> Result<Self, Failure> {
        let wrong = |reason: String| {
            let named = format!("{option} {}", path.display());
            Failure::Usage(format!("{} {reason}", named.trim_start()))
        };
        let cannot = |error: std::io::Error| wrong(format!("cannot be read: {error}"));
        // Looked at before it is opened: a pipe would wait for its other end.
        let about = fs::metadata(path).map_err(cannot)?;
        if !about.is_file() {
            return Err(wrong("is not a file".into()));
        }
        let file = File::open(path).map_err(cannot)?;
        let measured = measure(file, about.len()).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { path: path.to_owned(), measured })
    }

    /// The file as a dry run describes it.
    ///
    /// Source: interface description, POST /platforms/validate.
    pub(crate) fn item(&self) -> Value {
        let Measured {
            kind,
            mime_type,
            size_bytes,
            width,
            height,
            duration_seconds,
            fps,
            video_codec,
            frame_count,
        } = &self.measured;
        let fields = [
            ("kind", json!(kind)),
            ("mimeType", json!(mime_type)),
            ("sizeBytes", json!(size_bytes)),
            ("width", json!(width)),
            ("height", json!(height)),
            ("durationSeconds", json!(duration_seconds)),
            ("fps", json!(fps)),
            ("videoCodec", json!(video_codec)),
            ("frameCount", json!(frame_count)),
        ];
        let known = fields.into_iter().filter(|(_, value)| !value.is_null());
        Value::Object(known.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
    }

    /// Its name, without the folder.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The body that declares it.
    ///
    /// Source: interface description, MediaInput.
    pub(crate) fn declaration(&self) -> Value {
        let mut fields = self.item();
        if let Some(fields) = fields.as_object_mut() {
            // What a dry run knows of it and a declaration does not.
            fields.retain(|name, _| !["videoCodec", "frameCount"].contains(&name.as_str()));
            let name: String = self.name().chars().take(NAME_MAX).collect();
            fields.insert("fileName".into(), json!(name));
        }
        fields
    }

    /// What it is, for a person.
    pub(crate) fn line(&self) -> String {
        let found = &self.measured;
        let mut parts = vec![found.mime_type.to_owned()];
        if let (Some(width), Some(height)) = (found.width, found.height) {
            parts.push(format!("{width}×{height}"));
        }
        parts.extend(found.duration_seconds.map(|seconds| format!("{seconds:.1} s")));
        parts.extend(found.fps.map(|fps| format!("{fps} fps")));
        parts.extend(found.video_codec.map(VideoCodec::name).map(str::to_owned));
        if found.kind == MediaKind::Image {
            let count = found.frame_count.filter(|count| *count > 1);
            parts.extend(count.map(|count| format!("{count} pictures")));
        }
        parts.push(size(found.size_bytes));
        format!("{}: {}", self.path.display(), parts.join(", "))
    }
}

/// A size in the unit that fits it, in powers of ten.
pub(crate) fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film() -> LocalFile {
        let measured = Measured {
            kind: MediaKind::Video,
            mime_type: "video/mp4",
            size_bytes: 3_449_000,
            width: Some(1080),
            height: Some(1920),
            duration_seconds: Some(12.34),
            fps: Some(29.97),
            video_codec: Some(VideoCodec::H264),
            frame_count: Some(370),
        };
        LocalFile { path: "clip.mp4".into(), measured }
    }

    fn picture(frame_count: u32) -> LocalFile {
        let measured = Measured {
            kind: MediaKind::Image,
            mime_type: "image/gif",
            size_bytes: 999,
            duration_seconds: None,
            fps: None,
            video_codec: None,
            frame_count: Some(frame_count),
            ..film().measured
        };
        LocalFile { path: "a.gif".into(), measured }
    }

    #[test]
    fn what_is_sent_is_what_a_dry_run_reads() {
        for file in [film(), picture(3)] {
            let item: scheduler_core::app::MediaItem = serde_json::from_value(file.item()).unwrap();
            assert_eq!(item.facts(), file.measured.facts());
        }
        assert!(picture(1).item().get("fps").is_none(), "what is not known is not sent");
    }

    #[test]
    fn what_is_declared_is_what_the_server_reads() {
        for file in [film(), picture(3)] {
            let input: scheduler_core::media::MediaInput =
                serde_json::from_value(file.declaration()).unwrap();
            assert_eq!(input.check().unwrap(), file.measured.kind);
            assert_eq!(input.size_bytes, Some(file.measured.size_bytes));
            assert_eq!(input.file_name, Some(file.name()));
        }
        let long = LocalFile { path: format!("/a/{}", "n".repeat(300)).into(), ..picture(1) };
        assert_eq!(long.declaration()["fileName"].as_str().map(str::len), Some(255));
    }

    #[test]
    fn what_a_person_reads() {
        let shown = "clip.mp4: video/mp4, 1080×1920, 12.3 s, 29.97 fps, H.264, 3.4 MB";
        assert_eq!(film().line(), shown);
        assert_eq!(picture(1).line(), "a.gif: image/gif, 1080×1920, 999 bytes");
        assert_eq!(picture(3).line(), "a.gif: image/gif, 1080×1920, 3 pictures, 999 bytes");
    }

    #[test]
    fn sizes() {
        for (bytes, want) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (2_500_000, "2.5 MB"),
            (10_737_418_240, "10.7 GB"),
        ] {
            assert_eq!(size(bytes), want);
        }
    }
}
