//! The files that a person names with `--media`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use scheduler_core::app::MediaItem;
use scheduler_core::media::{FILE_NAME_MAX, MediaInput, MediaKind, VideoCodec};
use scheduler_media::{Measured, measure};
use url::Url;

use crate::failure::Failure;

/// A file of this machine, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocalFile {
    /// Where it lies, as it was named.
    pub(crate) path: PathBuf,
    /// What its bytes say.
    pub(crate) measured: Measured,
}

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
    pub(crate) fn item(&self) -> MediaItem {
        let found = &self.measured;
        MediaItem {
            kind: found.kind,
            mime_type: Some(found.mime_type.to_owned()),
            size_bytes: Some(found.size_bytes),
            width: found.width,
            height: found.height,
            duration_seconds: found.duration_seconds,
            fps: found.fps,
            video_codec: found.video_codec,
            frame_count: found.frame_count,
        }
    }

    /// Its name, without the folder.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The body that declares it.
    pub(crate) fn declaration(&self) -> MediaInput {
        let found = &self.measured;
        MediaInput {
            kind: Some(found.kind),
            mime_type: Some(found.mime_type.to_owned()),
            size_bytes: Some(found.size_bytes),
            file_name: Some(self.name().chars().take(FILE_NAME_MAX).collect()),
            width: found.width,
            height: found.height,
            duration_seconds: found.duration_seconds,
            fps: found.fps,
            source_url: None,
        }
    }

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

/// What the end of a path speaks of. The server finds out for itself what it is.
pub(crate) fn kind_of(url: &Url) -> Result<MediaKind, Failure> {
    let ending = url.path().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some(
            "jpg" | "jpeg" | "png" | "gif" | "webp" | "bmp" | "tif" | "tiff" | "heic" | "avif",
        ) => Ok(MediaKind::Image),
        Some("mp4" | "m4v" | "mov" | "webm" | "mkv" | "avi" | "mpg" | "mpeg" | "3gp") => {
            Ok(MediaKind::Video)
        }
        Some("pdf" | "pptx" | "docx") => Ok(MediaKind::Document),
        Some(_) | None => Err(Failure::Usage(
            "say what is at the address: --kind image, --kind video or --kind document".into(),
        )),
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
            assert_eq!(file.item().facts(), file.measured.facts());
        }
        let item = serde_json::to_value(picture(1).item()).unwrap();
        assert!(item.get("fps").is_none(), "what is not known is not sent");
    }

    #[test]
    fn what_is_declared_is_what_the_server_reads() {
        for file in [film(), picture(3)] {
            let input = file.declaration();
            assert_eq!(input.check().unwrap(), file.measured.kind);
            assert_eq!(input.size_bytes, Some(file.measured.size_bytes));
            assert_eq!(input.file_name, Some(file.name()));
        }
        let long = LocalFile { path: format!("/a/{}", "n".repeat(300)).into(), ..picture(1) };
        assert_eq!(long.declaration().file_name.map(|name| name.len()), Some(255));
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

    #[test]
    fn kinds_of_addresses() {
        for (text, want) in [
            ("https://a.example/a/clip.mp4", Some(MediaKind::Video)),
            ("https://a.example/PHOTO.JPG?size=large", Some(MediaKind::Image)),
            ("https://a.example/Slides.PDF", Some(MediaKind::Document)),
            ("https://a.example/photo", None),
            ("https://a.example/?name=a.png", None),
        ] {
            assert_eq!(kind_of(&Url::parse(text).unwrap()).ok(), want, "{text}");
        }
    }
}
