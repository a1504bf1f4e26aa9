//! `ffprobe` and `ffmpeg`, where they are installed.
//!
//! Both are run on one file of which the container is known, without a shell, an environment or a
//! protocol but that of files; with a bound on time, memory and output, and less of the processors
//! than the server. Whatever they have started ends with them. With a [`Launcher`] they have
//! neither the network nor any file but this one, whatever they are brought to do.

mod launcher;
mod making;
mod probe;
mod run;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use launcher::Launcher;
pub(crate) use making::Making;
pub(crate) use probe::Probed;
pub(crate) use run::RunError;
use run::run;

use crate::confine::{Confinement, MAKE, RUN, TELL};
use crate::picture::PREVIEW_SIDE;

/// How long one run may take, be it to tell a version: a machine that is busy runs slowly.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Bytes that a program may ask for at once.
const ALLOCATION_MAX: &str = "268435456";

/// Pixels that one picture of a video has at most: more than 8K has.
const PIXELS_MAX: &str = "40000000";

/// Bytes of `ffprobe`'s answer that are read; a real one has some hundred.
const ANSWER_MAX: usize = 64 * 1024;

/// Bytes of a preview that are read: more than its pixels have.
const FRAME_MAX: usize = 2 * 1024 * 1024;

/// Where the programs are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// Where `ffprobe` is.
    pub ffprobe: Option<PathBuf>,
    /// Where `ffmpeg` is.
    pub ffmpeg: Option<PathBuf>,
    /// What confines them; without one they may reach what this program may reach.
    pub launcher: Option<Launcher>,
}

impl Tools {
    /// Finds the programs: where they are said to be, else in the folders of `path`, which has
    /// the form of the variable `PATH`.
    ///
    /// What is said to be somewhere and is not there is not searched for elsewhere.
    #[must_use]
    pub fn find(ffprobe: Option<&Path>, ffmpeg: Option<&Path>, path: &std::ffi::OsStr) -> Self {
        let find = |said: Option<&Path>, name: &str| match said {
            Some(said) => is_file(said).then(|| said.to_owned()),
            None => std::env::split_paths(path)
                .filter(|folder| folder.is_absolute())
                .map(|folder| folder.join(name))
                .find(|program| is_file(program)),
        };
        let (ffprobe, ffmpeg) = (find(ffprobe, "ffprobe"), find(ffmpeg, "ffmpeg"));
        Self { ffprobe, ffmpeg, launcher: None }
    }

    /// The same programs, confined by a launcher.
    #[must_use]
    pub fn confined(self, launcher: Option<Launcher>) -> Self {
        Self { launcher, ..self }
    }

    /// What the system lets the launcher confine them by; `None` without a launcher that runs.
    pub async fn confinement(&self) -> Option<Confinement> {
        let launcher = self.launcher.as_ref()?;
        let told = run(&launcher.program, &launcher.words_to_tell(), ANSWER_MAX, TIMEOUT).await;
        Confinement::read(std::str::from_utf8(&told.ok()?).ok()?)
    }

    /// The name and version that one of them tells, such as `ffprobe 6.1`, run as it is run on
    /// files; `None` when it does not run.
    pub async fn version(&self, program: &Path) -> Option<String> {
        let said = self.run(program, None, words(&["-version"]), ANSWER_MAX, TIMEOUT).await;
        let said = String::from_utf8_lossy(&said.ok()?).into_owned();
        let mut words = said.lines().next()?.split_whitespace();
        let (name, _, version) = (words.next()?, words.next()?, words.next()?);
        Some(format!("{name} {version}"))
    }

    /// Runs one of them, confined to a file where there is a launcher.
    async fn run(
        &self,
        program: &Path,
        file: Option<&Path>,
        arguments: Vec<OsString>,
        output_max: usize,
        time_limit: Duration,
    ) -> Result<Vec<u8>, RunError> {
        let Some(launcher) = &self.launcher else {
            return run(program, &arguments, output_max, time_limit).await;
        };
        let mut words = launcher.words_for(program, file);
        words.extend(arguments);
        run(&launcher.program, &words, output_max, time_limit).await
    }

    /// Asks `ffprobe` about a video; `None` when it is not installed or does not know the type.
    ///
    /// # Errors
    /// [`RunError`]
    pub(crate) async fn probe(
        &self,
        file: &Path,
        media_type: &str,
    ) -> Result<Option<Probed>, RunError> {
        let (Some(ffprobe), Some(demuxer)) = (&self.ffprobe, demuxer(media_type)) else {
            return Ok(None);
        };
        let mut arguments = words(&["-v", "quiet"]);
        arguments.extend(input(file, demuxer));
        arguments.extend(words(&["-select_streams", "V", "-of", "json", "-show_entries"]));
        arguments.extend(words(&[probe::ENTRIES]));
        let answer = self.run(ffprobe, Some(file), arguments, ANSWER_MAX, TIMEOUT).await?;
        probe::read(&answer).map(Some)
    }

    /// Decodes a HEIC, HEIF or AVIF whole, as a PNG without transparency; `None` when `ffmpeg` is
    /// not installed or the type is another.
    ///
    /// What comes of it can be smaller than the picture: an `ffmpeg` before 8.0 reads one tile of
    /// those that a picture is made of.
    ///
    /// # Errors
    /// [`RunError`]
    pub(crate) async fn still(
        &self,
        file: &Path,
        media_type: &str,
        output_max: usize,
    ) -> Result<Option<Vec<u8>>, RunError> {
        let Some(ffmpeg) = self.ffmpeg.as_ref().filter(|_| is_heif(media_type)) else {
            return Ok(None);
        };
        let mut arguments = words(&["-v", "quiet", "-nostdin", "-max_pixels", PIXELS_MAX]);
        arguments.extend(words(&["-threads", "1"]));
        arguments.extend(input(file, "mov"));
        arguments.extend(words(&["-frames:v", "1", "-pix_fmt", "rgb24", "-threads", "1"]));
        arguments.extend(words(&["-c:v", "png", "-f", "image2pipe", "pipe:1"]));
        let still = self.run(ffmpeg, Some(file), arguments, output_max, TIMEOUT).await?;
        if still.is_empty() { Err(RunError::Failed) } else { Ok(Some(still)) }
    }

    /// Takes a picture out of a video, as PNG no larger than a preview; `None` when `ffmpeg` is
    /// not installed or does not know the type.
    ///
    /// # Errors
    /// [`RunError`]
    pub(crate) async fn frame(
        &self,
        file: &Path,
        media_type: &str,
        duration_seconds: Option<f64>,
    ) -> Result<Option<Vec<u8>>, RunError> {
        let (Some(ffmpeg), Some(demuxer)) = (&self.ffmpeg, demuxer(media_type)) else {
            return Ok(None);
        };
        // The very first picture is often black.
        let at = duration_seconds.map_or(0.0, |duration| (duration / 2.0).clamp(0.0, 1.0));
        let mut arguments = words(&["-v", "quiet", "-nostdin", "-max_pixels", PIXELS_MAX]);
        arguments.extend(words(&["-threads", "1", "-ss", &format!("{at:.3}")]));
        arguments.extend(input(file, demuxer));
        let side = PREVIEW_SIDE;
        let scale = format!(
            "scale=w='min({side},iw)':h='min({side},ih)':force_original_aspect_ratio=decrease"
        );
        arguments.extend(words(&["-map", "0:V:0", "-frames:v", "1", "-vf", &scale]));
        arguments.extend(words(&["-threads", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1"]));
        let frame = self.run(ffmpeg, Some(file), arguments, FRAME_MAX, TIMEOUT).await?;
        if frame.is_empty() { Err(RunError::Failed) } else { Ok(Some(frame)) }
    }
}

/// Whether a type is read by `ffmpeg` alone.
pub(crate) fn is_heif(media_type: &str) -> bool {
    matches!(media_type, "image/heic" | "image/heif" | "image/avif")
}

/// The file as the only thing that may be read. The container is stated, since some kinds, such
/// as playlists, name other files.
fn input(file: &Path, demuxer: &str) -> Vec<OsString> {
    let mut words =
        words(&["-max_alloc", ALLOCATION_MAX, "-protocol_whitelist", "file", "-f", demuxer, "-i"]);
    let mut url = OsString::from("file:");
    url.push(file);
    words.push(url);
    words
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// The name of a container in FFmpeg; `None` for those that are not looked at.
fn demuxer(media_type: &str) -> Option<&'static str> {
    match media_type {
        "video/mp4" | "video/quicktime" | "video/x-m4v" | "video/3gpp" | "video/3gpp2" => {
            Some("mov")
        }
        "video/webm" | "video/x-matroska" => Some("matroska"),
        "video/mp2t" => Some("mpegts"),
        "video/mpeg" => Some("mpeg"),
        "video/ogg" => Some("ogg"),
        "video/x-flv" => Some("flv"),
        "video/x-ms-wmv" => Some("asf"),
        "video/x-msvideo" => Some("avi"),
        _ => None,
    }
}

fn is_file(path: &Path) -> bool {
    path.is_file()
}
