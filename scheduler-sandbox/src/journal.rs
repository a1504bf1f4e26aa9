//! Everything that a sandbox was asked, in a file, so that it can be asked again.
//!
//! The imitations do the same when they are asked the same at the same times with the same random
//! bytes. So the file holds no state but every request, one a line, written before it is handled;
//! a sandbox that starts on it handles them all again. A line costs what its request costs,
//! however much is kept already, and a process that is killed loses nothing that it has answered:
//! the system has the line then. Only a system that goes down may lose the last ones.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::arrived::Written;
use crate::fetch::Fetched;
use crate::options::Options;
use crate::step::Seed;
use crate::written::as_hex;

/// Name of the file in its folder.
const NAME: &str = "requests.jsonl";
/// What it is called when another version has written it, or other imitations.
pub(crate) const OLD_NAME: &str = "requests.old.jsonl";
/// The version of the imitations: another one may do something else when it is asked the same.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a sandbox does in one step.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// A sandbox starts with these options.
    Start(Chosen),
    /// A request has arrived.
    Request(Box<Written>),
    /// The request of that number, held until now, is handled.
    Held(u64),
    /// The fetch of that number has ended.
    Fetched(u64, Option<Fetched>),
}

/// The options that decide what networks answer.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Chosen {
    quotas: bool,
    access_token_milliseconds: u64,
    processing_milliseconds: u64,
}

impl Chosen {
    /// Takes them out of all options.
    pub(crate) fn of(options: &Options) -> Self {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            quotas: options.quotas,
            access_token_milliseconds: milliseconds(options.access_token_lifetime),
            processing_milliseconds: milliseconds(options.media_processing),
        }
    }

    /// Puts them into the options.
    pub(crate) fn put_into(&self, options: &mut Options) {
        options.quotas = self.quotas;
        options.access_token_lifetime = Duration::from_millis(self.access_token_milliseconds);
        options.media_processing = Duration::from_millis(self.processing_milliseconds);
    }
}

/// When something is done, and the random bytes of it.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Moment {
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub(crate) at: DateTime<Utc>,
    #[serde(with = "as_hex")]
    pub(crate) seed: Seed,
}

#[derive(Serialize)]
struct LineOut<'a> {
    moment: Moment,
    event: &'a Event,
}

#[derive(Deserialize)]
struct LineIn {
    moment: Moment,
    event: Event,
}

/// The first line.
#[derive(Deserialize, Serialize)]
struct Head {
    version: String,
    /// Where the sandbox listens, again after a restart: accounts keep its address.
    address: SocketAddr,
}

/// What a folder holds of an earlier sandbox.
pub(crate) struct Earlier {
    pub(crate) address: SocketAddr,
    lines: Lines,
}

/// Why what was asked cannot be asked again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotReplayed {
    /// The file cannot be read or written.
    #[error(transparent)]
    Unread(#[from] io::Error),
    /// A line says what no sandbox of today does, or what it does not come to any more.
    #[error("line {line}: {error}")]
    Changed { line: u64, error: String },
}

struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    /// Bytes of the lines that have been read.
    length: u64,
}

impl Lines {
    /// Reads the next line; `None` at the end, and for a line that was cut off.
    fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let bytes = self.reader.read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Ok(None);
        }
        self.length += bytes as u64;
        Ok(Some(line))
    }
}

impl Earlier {
    /// Reads the first line of a folder; `None` when nothing of this version is there.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn find(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(NAME);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut lines = Lines { path, reader: BufReader::new(file), length: 0 };
        // Killed before the first line was whole: nothing has been asked yet.
        let Some(line) = lines.next()? else { return Ok(None) };
        let head: Head = serde_json::from_str(&line).map_err(io::Error::other)?;
        if head.version != VERSION {
            put_aside(folder)?;
            tracing::warn!(
                version = head.version,
                "the sandbox in {} was of another version and begins anew",
                folder.display()
            );
            return Ok(None);
        }
        Ok(Some(Self { address: head.address, lines }))
    }

    /// Hands over everything that was asked, in order, and goes on with the file behind it.
    ///
    /// # Errors
    /// [`NotReplayed`]; what came before the line that it names was done.
    pub(crate) fn replay(
        mut self,
        mut act: impl FnMut(Moment, Event) -> Result<(), String>,
    ) -> Result<Journal, NotReplayed> {
        let mut line_number = 1;
        while let Some(line) = self.lines.next()? {
            line_number += 1;
            let wrong = |error: String| NotReplayed::Changed { line: line_number, error };
            let LineIn { moment, event } =
                serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
            act(moment, event).map_err(wrong)?;
        }
        let mut file = OpenOptions::new().write(true).open(&self.lines.path)?;
        // A line that was cut off was never answered.
        file.set_len(self.lines.length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Journal { file, length: self.lines.length, is_torn: false })
    }
}

/// The file, open at its end.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    /// Bytes of whole lines.
    length: u64,
    /// Whether a piece of a line may stand behind them.
    is_torn: bool,
}

impl Journal {
    /// Begins a file for a sandbox at an address. It and its folder are for its owner alone: it
    /// holds tokens.
    ///
    /// # Errors
    /// The folder or the file cannot be made.
    pub(crate) fn begin(folder: &Path, address: SocketAddr) -> io::Result<Self> {
        make_private(folder)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(folder.join(NAME))?;
        let mut journal = Self { file, length: 0, is_torn: false };
        journal.write(&Head { version: VERSION.to_owned(), address })?;
        Ok(journal)
    }

    /// Adds what is done next.
    ///
    /// # Errors
    /// It cannot be written; nothing of it is in the file then.
    pub(crate) fn add(&mut self, moment: Moment, event: &Event) -> io::Result<()> {
        self.write(&LineOut { moment, event })
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
        text.push(b'\n');
        if self.is_torn {
            // A piece of a line must not come before the next one.
            self.file.set_len(self.length)?;
            self.file.seek(SeekFrom::Start(self.length))?;
            self.is_torn = false;
        }
        self.file.write_all(&text).inspect_err(|_| self.is_torn = true)?;
        self.length += text.len() as u64;
        Ok(())
    }
}

/// Keeps the file of a folder under another name, so that a sandbox can begin anew there.
///
/// # Errors
/// It cannot be renamed.
pub(crate) fn put_aside(folder: &Path) -> io::Result<()> {
    std::fs::rename(folder.join(NAME), folder.join(OLD_NAME))
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
