//! How files are fetched and examined, and how large they may be.

use std::num::NonZeroU64;
use std::path::PathBuf;

use scheduler_core::app::FILE_BYTES_MAX;
use scheduler_media::{Launcher, Tools};
use url::Url;

use super::{ConfigError, Sources};

/// The first word of a command line by which this program confines itself and becomes a video tool.
pub(crate) const CONFINED_TOOL: &str = "--confined-tool";

/// How files are fetched and examined, and what links to them begin with.
#[derive(Clone, Debug, Default)]
pub(crate) struct MediaSettings {
    /// What links to files begin with; `None` for the address that the server listens on.
    pub(crate) public_url: Option<Url>,
    /// Whether files may be fetched from private addresses and without https.
    pub(crate) allow_private: bool,
    /// Bytes that files leave free on the disk of their folder, when it is not the default.
    pub(crate) free_bytes_min: Option<u64>,
    /// Where `ffprobe` is, when it is not searched for.
    pub(crate) ffprobe: Option<PathBuf>,
    /// Where `ffmpeg` is, when it is not searched for.
    pub(crate) ffmpeg: Option<PathBuf>,
}

impl MediaSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the setting.
    pub(crate) fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let program = |key| sources.value::<PathBuf>(None, key, "must be a file");
        let url = "must be an address such as https://scheduler.example.com";
        Ok(Self {
            public_url: sources.value(None, "public_url", url)?,
            allow_private: sources.flag("media_allow_private")?,
            free_bytes_min: sources.value(
                None,
                "files_free_bytes_min",
                "must be a whole number of bytes from 0 on",
            )?,
            ffprobe: program("ffprobe")?,
            ffmpeg: program("ffmpeg")?,
        })
    }

    /// The video tools, where they are installed, confined by this program.
    pub(crate) fn tools(&self) -> Tools {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Tools::find(self.ffprobe.as_deref(), self.ffmpeg.as_deref(), &path)
            .confined(Launcher::of_this_program(CONFINED_TOOL))
    }
}

/// Bytes of the largest file that the server takes.
///
/// # Errors
/// [`ConfigError::Value`], naming the setting.
pub(crate) fn file_bytes_max(sources: &Sources) -> Result<u64, ConfigError> {
    let expected = "must be a whole number of bytes from 1 on";
    let found = sources.value::<NonZeroU64>(None, "file_bytes_max", expected)?;
    Ok(found.map_or(FILE_BYTES_MAX, NonZeroU64::get))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn the_largest_file() {
        for (text, want) in [
            ("", Ok(FILE_BYTES_MAX)),
            ("5", Ok(5)),
            ("0", Err("SCHEDULER_FILE_BYTES_MAX must be a whole number of bytes from 1 on")),
            ("1 GB", Err("SCHEDULER_FILE_BYTES_MAX must be a whole number of bytes from 1 on")),
        ] {
            let found = file_bytes_max(&sources(&[("SCHEDULER_FILE_BYTES_MAX", text)], &[]));
            assert_eq!(found.map_err(|error| error.to_string()), want.map_err(str::to_owned));
        }
    }

    #[test]
    fn what_is_left_free() {
        let wrong = "SCHEDULER_FILES_FREE_BYTES_MIN must be a whole number of bytes from 0 on";
        for (text, want) in [("", Ok(None)), ("0", Ok(Some(0))), ("5 %", Err(wrong.to_owned()))] {
            let sources = sources(&[("SCHEDULER_FILES_FREE_BYTES_MIN", text)], &[]);
            let found = MediaSettings::load(&sources).map(|media| media.free_bytes_min);
            assert_eq!(found.map_err(|error| error.to_string()), want, "{text}");
        }
    }

    #[test]
    fn nothing_private_is_fetched_unless_said() {
        assert!(!MediaSettings::load(&sources(&[], &[])).unwrap().allow_private);
        let webhooks = sources(&[("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "true")], &[]);
        assert!(!MediaSettings::load(&webhooks).unwrap().allow_private);
        let said = sources(&[], &[("media_allow_private", "true")]);
        assert!(MediaSettings::load(&said).unwrap().allow_private);
    }
}
