//! Making a video of another: MP4 with H.264 and AAC.
//!
//! Source: <https://ffmpeg.org/ffmpeg.html> and <https://trac.ffmpeg.org/wiki/Encode/H.264>.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::run::watch;
use super::{PIXELS_MAX, RunError, Tools, demuxer, input, words};

/// How long making one video may take. Our decision.
const TIMEOUT: Duration = Duration::from_secs(2 * 3_600);

/// Bits a second of the sound, and of everything that is neither picture nor sound.
const SOUND_BITS: f64 = 128_000.0;
const OTHER_BITS: f64 = 16_000.0;

/// Bits a second of the pictures at most, whatever would fit: what is advised for 1080p.
///
/// Source: <https://support.google.com/youtube/answer/1722171>.
const PICTURE_BITS_MAX: f64 = 12_000_000.0;

/// How much of the bytes that are allowed is planned with: the encoder keeps to rates, not to sizes.
const PLANNED_SHARE: f64 = 0.9;

/// What a video becomes.
#[derive(Clone, Debug)]
pub(crate) struct Making {
    /// The type of the file that it is made of.
    pub(crate) media_type: &'static str,
    /// How long that is; `None` where it is not known.
    pub(crate) duration_seconds: Option<f64>,
    /// Its width and height.
    pub(crate) from: (u32, u32),
    /// Those of the new one, even numbers.
    pub(crate) to: (u32, u32),
    /// Frames a second at most.
    pub(crate) fps_max: Option<u32>,
    /// Frames a second of the one that it is made of.
    pub(crate) fps: Option<f64>,
    /// Bytes at most.
    pub(crate) bytes_max: u64,
    /// Threads of the encoder.
    pub(crate) threads: usize,
}

impl Making {
    /// Bits a second of the pictures.
    fn picture_bits(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^53")]
        let bits = self.bytes_max as f64 * 8.0 * PLANNED_SHARE;
        let by_size = self.duration_seconds.map(|seconds| bits / seconds.max(1.0));
        let by_size = by_size.map(|bits| bits - SOUND_BITS - OTHER_BITS);
        by_size.unwrap_or(PICTURE_BITS_MAX).clamp(64_000.0, PICTURE_BITS_MAX)
    }

    fn arguments(&self, file: &Path, demuxer: &str, made: &Path) -> Vec<OsString> {
        let threads = self.threads.max(1).to_string();
        let mut arguments = words(&["-v", "quiet", "-nostdin", "-y", "-max_pixels", PIXELS_MAX]);
        arguments.extend(words(&["-threads", &threads]));
        arguments.extend(input(file, demuxer));
        let (width, height) = self.to;
        // A video that is turned when it is shown is turned here, and its sides with it.
        let (long, short) = (width.max(height), width.min(height));
        let scale = match self.from == self.to {
            true => "scale=trunc(iw/2)*2:trunc(ih/2)*2".to_owned(),
            false => {
                format!("scale=w='if(gte(iw,ih),{long},{short})':h='if(gte(iw,ih),{short},{long})'")
            }
        };
        let slower = self.fps_max.filter(|most| self.fps.is_none_or(|fps| fps > f64::from(*most)));
        let filters = match slower {
            Some(most) => format!("{scale},fps={most},setsar=1"),
            None => format!("{scale},setsar=1"),
        };
        let bits = format!("{:.0}", self.picture_bits());
        let buffer = format!("{:.0}", self.picture_bits() * 2.0);
        arguments.extend(words(&["-map", "0:V:0", "-map", "0:a:0?", "-vf", &filters]));
        arguments.extend(words(&["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high"]));
        arguments.extend(words(&["-pix_fmt", "yuv420p", "-crf", "21", "-threads", &threads]));
        arguments.extend(words(&["-maxrate", &bits, "-bufsize", &buffer]));
        arguments.extend(words(&["-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000"]));
        arguments.extend(words(&["-map_metadata", "-1", "-movflags", "+faststart"]));
        arguments.extend(words(&["-progress", "pipe:1", "-stats_period", "1", "-f", "mp4"]));
        let mut url = OsString::from("file:");
        url.push(made);
        arguments.push(url);
        arguments
    }
}

impl Tools {
    /// Makes a video of another, in a file that is there and empty, and tells how many seconds of
    /// it are made; false when `ffmpeg` is not installed or does not know the type.
    ///
    /// # Errors
    /// [`RunError`]
    pub(crate) async fn make(
        &self,
        making: &Making,
        file: &Path,
        made: &Path,
        mut told: impl FnMut(f64),
    ) -> Result<bool, RunError> {
        let (Some(ffmpeg), Some(demuxer)) = (&self.ffmpeg, demuxer(making.media_type)) else {
            return Ok(false);
        };
        let arguments = making.arguments(file, demuxer, made);
        let line = |line: &str| {
            if let Some(done) = seconds_done(line) {
                told(done);
            }
        };
        match &self.launcher {
            None => watch(ffmpeg, &arguments, TIMEOUT, line).await?,
            Some(launcher) => {
                let mut words = launcher.words_to_make(ffmpeg, file, made);
                words.extend(arguments);
                watch(&launcher.program, &words, TIMEOUT, line).await?;
            }
        }
        Ok(true)
    }
}

/// How many seconds are made, as a line of `ffmpeg` says.
fn seconds_done(line: &str) -> Option<f64> {
    let microseconds: f64 = line.strip_prefix("out_time_us=")?.trim().parse().ok()?;
    Some(microseconds / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn making() -> Making {
        Making {
            media_type: "video/quicktime",
            duration_seconds: Some(100.0),
            from: (3_840, 2_160),
            to: (1_920, 1_080),
            fps_max: None,
            fps: Some(60.0),
            bytes_max: 50_000_000,
            threads: 2,
        }
    }

    #[test]
    fn the_rate_of_pictures_follows_from_bytes_and_length() {
        for (name, making, want) in [
            ("by the bytes", making(), 3_456_000.0),
            ("as much as is of use", Making { bytes_max: u64::MAX, ..making() }, 12_000_000.0),
            (
                "a length that is not known",
                Making { duration_seconds: None, ..making() },
                12_000_000.0,
            ),
            ("hardly anything", Making { bytes_max: 1_000, ..making() }, 64_000.0),
        ] {
            assert!(
                (making.picture_bits() - want).abs() < 1.0,
                "{name}: {}",
                making.picture_bits()
            );
        }
    }

    #[test]
    fn frames_are_dropped_only_where_there_are_too_many() {
        let filters = |making: Making| {
            let arguments = making.arguments(Path::new("/in"), "mov", Path::new("/out"));
            let at = arguments.iter().position(|word| word == "-vf").unwrap();
            arguments[at + 1].to_str().unwrap().to_owned()
        };
        assert!(!filters(making()).contains("fps="));
        assert!(filters(Making { fps_max: Some(30), ..making() }).contains(",fps=30,"));
        assert!(!filters(Making { fps_max: Some(60), ..making() }).contains("fps="));
        let unknown = Making { fps_max: Some(60), fps: None, ..making() };
        assert!(filters(unknown).contains(",fps=60,"));
    }

    #[test]
    fn lines_that_tell_how_far_it_is() {
        assert_eq!(seconds_done("out_time_us=1500000"), Some(1.5));
        for line in ["out_time_us=N/A", "out_time=00:00:01", "frame=3", ""] {
            assert_eq!(seconds_done(line), None, "{line}");
        }
    }
}
