//! How files are fetched and examined, and how large they may be.

use std::path::PathBuf;

use scheduler_media::{Launcher, Tools};
use url::Url;

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;
use super::value::PublicUrl;

/// The first word of a command line by which this program confines itself and becomes a video tool.
pub(crate) const CONFINED_TOOL: &str = "--confined-tool";

/// How files are fetched and examined, and what links to them begin with.
#[derive(Clone, Debug, Default)]
pub(crate) struct MediaSettings {
    /// What links to files begin with; `None` for the address that the server listens on.
    pub(crate) public_url: Option<Url>,
    /// Whether files may be fetched from private addresses and without https.
    pub(crate) allow_private: bool,
    /// Whether pages that posts link to are read, where that is said.
    pub(crate) read_link_pages: Option<bool>,
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
        Ok(Self {
            public_url: sources.set(&KEYS.public_url)?.map(|PublicUrl(url)| url),
            allow_private: sources.get(&KEYS.media_allow_private)?,
            read_link_pages: sources.set(&KEYS.read_link_pages)?,
            free_bytes_min: sources.set(&KEYS.files_free_bytes_min)?,
            ffprobe: sources.set(&KEYS.ffprobe)?,
            ffmpeg: sources.set(&KEYS.ffmpeg)?,
        })
    }

    /// The video tools, where they are installed, confined by this program.
    pub(crate) fn tools(&self) -> Tools {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Tools::find(self.ffprobe.as_deref(), self.ffmpeg.as_deref(), &path)
            .confined(Launcher::of_this_program(CONFINED_TOOL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

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
