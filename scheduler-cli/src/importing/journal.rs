//! What earlier runs of an import have made: a file that only grows, and that a killed process
//! leaves readable.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use scheduler_core::ids::{MediaId, PostId};
use serde::{Deserialize, Serialize};

use super::entry::LineDigest;
use crate::config::make_private_folder;
use crate::failure::Failure;
use crate::uploading::{modified_nanoseconds, state_path};

/// What is known of a line of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Its number then.
    pub(super) line: u64,
    /// What it said.
    pub(super) digest: LineDigest,
    /// The post; `None` when it was sent and no answer has been written down.
    pub(super) post: Option<PostId>,
}

/// A file as of when it was uploaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileStamp {
    size_bytes: u64,
    modified_nanoseconds: u64,
}

impl FileStamp {
    /// Looks at a file; `None` when that is not possible.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok()?;
        let modified_nanoseconds = modified_nanoseconds(&about)?;
        Some(Self { size_bytes: about.len(), modified_nanoseconds })
    }
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub(super) enum Note {
    /// A post is about to be sent.
    Sent {
        line: u64,
        key: Box<str>,
        digest: LineDigest,
    },
    Created {
        line: u64,
        key: Box<str>,
        digest: LineDigest,
        post: PostId,
    },
    Refused {
        key: Box<str>,
    },
    Uploaded {
        name: String,
        stamp: FileStamp,
        media: MediaId,
    },
}

/// The journal of one file at one server.
#[derive(Debug, Default)]
pub(super) struct Journal {
    lines: HashMap<Box<str>, Known>,
    files: HashMap<String, (FileStamp, MediaId)>,
    file: Option<File>,
    /// Where it lies.
    path: Option<PathBuf>,
    /// Why it is not written any more.
    pub(super) trouble: Option<String>,
}

impl Journal {
    /// Where the journal of a file lies. Each server and each key has its own: another key may be
    /// that of another workspace.
    pub(super) fn place(
        folder: &Path,
        server: &str,
        key_hash: &str,
        file: Option<&Path>,
    ) -> PathBuf {
        let file = file.map_or(b"-".as_slice(), |file| file.as_os_str().as_encoded_bytes());
        let parts = [server.as_bytes(), key_hash.as_bytes(), file];
        state_path(folder, ("imports", "jsonl"), &parts)
    }

    /// Reads a journal, and keeps other processes from writing it; with `is_fresh` what it says
    /// is forgotten. One that cannot be used is told of by `trouble`.
    ///
    /// # Errors
    /// [`Failure::Other`] when another process imports the file.
    pub(super) fn open(path: &Path, is_fresh: bool) -> Result<Self, Failure> {
        let mut options = OpenOptions::new();
        options.create(true).append(true).read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let folder = make_private_folder(path.parent().unwrap_or(Path::new(".")));
        let file = match folder.and_then(|()| Ok(options.open(path)?)) {
            Ok(file) => file,
            Err(error) => {
                return Ok(Self { trouble: Some(format!("{error:#}")), ..Self::default() });
            }
        };
        // A file system may have no locks.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(anyhow::anyhow!("this file is being imported already").into());
        }
        let mut journal = Self { path: Some(path.to_owned()), ..Self::default() };
        if is_fresh {
            file.set_len(0)?;
        }
        let mut text = Vec::new();
        (&file).read_to_end(&mut text)?;
        journal.file = Some(file);
        for line in text.split(|byte| *byte == b'\n') {
            // The last line of a process that was killed may be half a one.
            if let Ok(note) = serde_json::from_slice::<Note>(line) {
                journal.take(note);
            }
        }
        if text.last().is_some_and(|byte| *byte != b'\n') {
            journal.write(b"\n");
        }
        Ok(journal)
    }

    fn take(&mut self, note: Note) {
        match note {
            Note::Sent { line, key, digest } => {
                self.lines.entry(key).or_insert(Known { line, digest, post: None });
            }
            Note::Created { line, key, digest, post } => {
                self.lines.insert(key, Known { line, digest, post: Some(post) });
            }
            Note::Refused { key } => {
                self.lines.remove(&key);
            }
            Note::Uploaded { name, stamp, media } => {
                self.files.insert(name, (stamp, media));
            }
        }
    }

    /// Where it lies, while it is written.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What is known of the post of a key.
    pub(super) fn line(&self, key: &str) -> Option<Known> {
        self.lines.get(key).copied()
    }

    /// Every post that earlier runs have made: its key and its line then.
    pub(super) fn created(&self) -> impl Iterator<Item = (&str, u64, PostId)> {
        self.lines.iter().filter_map(|(key, known)| Some((&**key, known.line, known.post?)))
    }

    /// The id of a file that was uploaded as it is now.
    pub(super) fn file(&self, name: &str, stamp: FileStamp) -> Option<MediaId> {
        let (then, media) = self.files.get(name)?;
        (*then == stamp).then_some(*media)
    }

    /// Writes down what has come to be. A file that was uploaded is brought to the disk at once.
    pub(super) fn note(&mut self, note: &Note) {
        if let Ok(mut line) = serde_json::to_vec(note) {
            line.push(b'\n');
            self.write(&line);
        }
        if let Note::Uploaded { .. } = note {
            self.sync();
        }
    }

    fn write(&mut self, line: &[u8]) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(line)
        {
            self.give_up(&error);
        }
    }

    /// Brings what was noted to the disk.
    pub(super) fn sync(&mut self) {
        if let Some(file) = &self.file
            && let Err(error) = file.sync_data()
        {
            self.give_up(&error);
        }
    }

    fn give_up(&mut self, error: &io::Error) {
        self.trouble = Some(error.to_string());
        self.file = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> LineDigest {
        LineDigest::of_cells([("content", text)])
    }

    fn post() -> PostId {
        "00000000-0000-0000-0000-000000000007".parse().unwrap()
    }

    fn created(line: u64, key: &str) -> Note {
        Note::Created { line, key: key.into(), digest: digest(key), post: post() }
    }

    #[test]
    fn what_was_noted_is_known_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("imports/a.jsonl");
        let media: MediaId = "00000000-0000-0000-0000-000000000008".parse().unwrap();
        let stamp = FileStamp { size_bytes: 1, modified_nanoseconds: 2 };
        let mut journal = Journal::open(&path, false).unwrap();
        for (key, is_answered) in [("created", true), ("in doubt", false), ("refused", false)] {
            journal.note(&Note::Sent { line: 2, key: key.into(), digest: digest(key) });
            if is_answered {
                journal.note(&created(2, key));
            }
        }
        journal.note(&Note::Refused { key: "refused".into() });
        journal.note(&Note::Uploaded { name: "/a.png".to_owned(), stamp, media });
        let other = Journal::open(&path, false).unwrap_err();
        assert!(other.to_string().contains("already"), "{other}");
        drop(journal);
        // Killed while it wrote.
        let mut text = fs::read(&path).unwrap();
        text.extend(b"{\"type\":\"created\",\"li");
        fs::write(&path, text).unwrap();
        let mut journal = Journal::open(&path, false).unwrap();
        let known = |post| {
            Some(Known {
                line: 2,
                digest: digest(if post { "created" } else { "in doubt" }),
                post: post.then(super::tests::post),
            })
        };
        assert_eq!(journal.line("created"), known(true));
        assert_eq!(journal.line("in doubt"), known(false));
        assert_eq!(journal.line("refused"), None);
        assert_eq!(journal.created().count(), 1);
        assert_eq!(journal.file("/a.png", stamp), Some(media));
        assert_eq!(journal.file("/a.png", FileStamp::default()), None, "another content");
        journal.note(&created(3, "later"));
        drop(journal);
        let journal = Journal::open(&path, false).unwrap();
        assert!(journal.line("later").is_some(), "half a line does not swallow the next");
        drop(journal);
        assert_eq!(Journal::open(&path, true).unwrap().line("later"), None);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("imports"), "").unwrap();
        let mut journal = Journal::open(&folder.path().join("imports/a.jsonl"), false).unwrap();
        assert!(journal.trouble.is_some());
        journal.note(&Note::Sent { line: 1, key: "key".into(), digest: digest("a") });
    }

    #[test]
    fn each_server_key_and_file_has_its_own() {
        let place = |server, key, file: Option<&str>| {
            Journal::place(Path::new("/s"), server, key, file.map(Path::new))
        };
        let one = place("http://a", "1", Some("/f.csv"));
        for other in [
            place("http://b", "1", Some("/f.csv")),
            place("http://a", "2", Some("/f.csv")),
            place("http://a", "1", Some("/g.csv")),
            place("http://a", "1", None),
        ] {
            assert_ne!(one, other);
        }
    }
}
