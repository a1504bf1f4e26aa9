//! What is remembered of an upload, so that the same command goes on after it was interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use scheduler_core::ids::MediaId;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::attempt::{Progress, Watcher};

/// Which file it is, and as of when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    /// Where it lies, from the root of the file system.
    pub(super) path: PathBuf,
    pub(super) size_bytes: u64,
    /// When its content last changed, in nanoseconds since 1970; 0 where that is not known.
    modified_nanoseconds: u64,
    /// When anything about it last changed, likewise. No program can set this time.
    changed_nanoseconds: i64,
}

/// An upload that has begun. Links and keys are no part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Remembered {
    /// The server, for a person who looks into the file.
    server: String,
    /// The file, likewise.
    path: String,
    size_bytes: u64,
    modified_nanoseconds: u64,
    changed_nanoseconds: i64,
    pub(super) media_id: MediaId,
    /// The ETag of each part that has arrived.
    pub(super) parts: BTreeMap<u32, String>,
}

/// Where one upload is remembered, if anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct StateFile {
    path: Option<PathBuf>,
}

/// An upload while it goes on. A place that cannot be written is told of once.
pub(super) struct Memory {
    pub(super) remembered: Remembered,
    pub(super) state: StateFile,
    pub(super) watcher: Watcher,
}

impl Fingerprint {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        let about = fs::metadata(&path)?;
        let modified_nanoseconds = modified_nanoseconds(&about).unwrap_or_default();
        let changed_nanoseconds = changed_nanoseconds(&about);
        Ok(Self { path, size_bytes: about.len(), modified_nanoseconds, changed_nanoseconds })
    }

    /// True when the file has the content that it had then. Its name, its rights and its links may
    /// have changed, as while a backup is made.
    pub(super) fn has_content_of(&self, then: &Self) -> bool {
        self.path == then.path
            && self.size_bytes == then.size_bytes
            && self.modified_nanoseconds == then.modified_nanoseconds
    }
}

impl Remembered {
    /// An upload of which nothing has arrived.
    pub(super) fn new(server: &str, file: &Fingerprint, media_id: MediaId) -> Self {
        Self {
            server: server.to_owned(),
            path: file.path.to_string_lossy().into_owned(),
            size_bytes: file.size_bytes,
            modified_nanoseconds: file.modified_nanoseconds,
            changed_nanoseconds: file.changed_nanoseconds,
            media_id,
            parts: BTreeMap::new(),
        }
    }

    /// True when the file is as it was when its upload began.
    fn is_of(&self, file: &Fingerprint) -> bool {
        self.size_bytes == file.size_bytes
            && self.modified_nanoseconds == file.modified_nanoseconds
            // Copies and renders may keep size and time of what they replace.
            && self.changed_nanoseconds == file.changed_nanoseconds
    }
}

impl StateFile {
    /// Where the upload of a file to a server is remembered.
    pub(super) fn within(folder: &Path, server: &str, file: &Fingerprint) -> Self {
        let path = file.path.as_os_str().as_encoded_bytes();
        let path = state_path(folder, ("uploads", "json"), &[server.as_bytes(), path]);
        Self { path: Some(path) }
    }

    /// What is remembered, if it is of the file as it is now.
    pub(super) fn load(&self, file: &Fingerprint) -> Option<Remembered> {
        let text = fs::read(self.path.as_ref()?).ok()?;
        let remembered: Remembered = serde_json::from_slice(&text).ok()?;
        remembered.is_of(file).then_some(remembered)
    }

    /// Replaces what is remembered, whole or not at all. Only the user can read it.
    pub(super) fn save(&self, remembered: &Remembered) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let folder = path.parent().unwrap_or(Path::new("."));
        make_private_folder(folder)?;
        let mut draft = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut draft, remembered)?;
        draft.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    pub(super) fn remove(&self) {
        // One that was not saved is not there; one that stays is known to be over when it is read.
        let _ = self.path.as_ref().map(fs::remove_file);
    }

    /// True when an upload that was interrupted can go on.
    pub(super) const fn is_kept(&self) -> bool {
        self.path.is_some()
    }
}

impl Memory {
    pub(super) fn arrived(&mut self, number: u32, etag: String) {
        self.remembered.parts.insert(number, etag);
        self.save();
    }

    /// No part has arrived.
    pub(super) fn forget_parts(&mut self) {
        self.remembered.parts.clear();
        self.save();
    }

    pub(super) fn save(&mut self) {
        if let Err(error) = self.state.save(&self.remembered) {
            self.watcher.tell(Progress::NotRemembered(&error));
            self.state = StateFile::default();
        }
    }
}

/// Where something is remembered that these parts tell from others: a folder of its kind, and the
/// ending of the file.
///
/// ```
/// let path = scheduler_client::upload::state_path("/state".as_ref(), ("uploads", "json"), &[b"a"]);
/// assert!(path.starts_with("/state/uploads"));
/// ```
#[must_use]
pub fn state_path(folder: &Path, (kind, ending): (&str, &str), parts: &[&[u8]]) -> PathBuf {
    let name = hex::encode(Sha256::digest(parts.join(&0)));
    folder.join(kind).join(format!("{name}.{ending}"))
}

/// When the content of a file last changed, in nanoseconds since 1970; `None` where the system does
/// not say.
#[must_use]
pub fn modified_nanoseconds(about: &fs::Metadata) -> Option<u64> {
    let since = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

/// Makes a folder that only its owner can look into; one that exists is left as it is.
///
/// # Errors
/// When it cannot be made.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(unix)]
fn changed_nanoseconds(about: &fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt as _;
    about.ctime().saturating_mul(1_000_000_000).saturating_add(about.ctime_nsec())
}

#[cfg(not(unix))]
fn changed_nanoseconds(_: &fs::Metadata) -> i64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: &str = "http://127.0.0.1:8080";

    fn id() -> MediaId {
        "00000000-0000-0000-0000-000000000007".parse().unwrap()
    }

    #[test]
    fn an_upload_is_remembered_as_long_as_its_file_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clip.mp4");
        fs::write(&path, "first").unwrap();
        let file = Fingerprint::of(&path).unwrap();
        let state = StateFile::within(&folder.path().join("state"), SERVER, &file);
        assert_eq!(state.load(&file), None, "nothing is known");
        let mut remembered = Remembered::new(SERVER, &file, id());
        remembered.parts.insert(2, "\"etag\"".into());
        state.save(&remembered).unwrap();
        state.save(&remembered).unwrap();
        assert_eq!(state.load(&Fingerprint::of(&path).unwrap()), Some(remembered));
        let longer = Fingerprint { size_bytes: 6, ..file.clone() };
        let touched = Fingerprint { modified_nanoseconds: 1, ..file.clone() };
        assert_eq!((state.load(&longer), state.load(&touched)), (None, None));
        fs::write(state.path.as_ref().unwrap(), "{\"half\":").unwrap();
        assert_eq!(state.load(&file), None, "half a file is none");
        state.remove();
        state.remove();
        assert!(!state.path.unwrap().exists());
    }

    #[cfg(unix)]
    #[test]
    fn another_file_of_the_same_size_and_time_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clip.mp4");
        fs::write(&path, "first").unwrap();
        let file = Fingerprint::of(&path).unwrap();
        let state = StateFile::within(&folder.path().join("state"), SERVER, &file);
        state.save(&Remembered::new(SERVER, &file, id())).unwrap();
        let at = fs::metadata(&path).unwrap().modified().unwrap();
        let mut replaced = file.clone();
        // The system's clock of files advances in steps.
        while replaced.changed_nanoseconds == file.changed_nanoseconds {
            fs::write(&path, "other").unwrap();
            fs::File::open(&path).unwrap().set_modified(at).unwrap();
            replaced = Fingerprint::of(&path).unwrap();
        }
        assert_eq!(replaced.modified_nanoseconds, file.modified_nanoseconds);
        assert_eq!(state.load(&replaced), None);
    }

    #[test]
    fn a_change_of_rights_does_not_end_an_upload() {
        let then = Fingerprint {
            path: "/a/clip.mp4".into(),
            size_bytes: 1,
            modified_nanoseconds: 1,
            changed_nanoseconds: 1,
        };
        for (name, now, want) in [
            ("as it was", then.clone(), true),
            ("rights", Fingerprint { changed_nanoseconds: 2, ..then.clone() }, true),
            ("written", Fingerprint { modified_nanoseconds: 2, ..then.clone() }, false),
            ("longer", Fingerprint { size_bytes: 2, ..then.clone() }, false),
            ("elsewhere", Fingerprint { path: "/b".into(), ..then.clone() }, false),
        ] {
            assert_eq!(now.has_content_of(&then), want, "{name}");
        }
    }

    #[test]
    fn each_server_and_each_file_is_remembered_apart() {
        let file = Fingerprint {
            path: "/a/clip.mp4".into(),
            size_bytes: 1,
            modified_nanoseconds: 1,
            changed_nanoseconds: 1,
        };
        let other = Fingerprint { path: "/b/clip.mp4".into(), ..file.clone() };
        let place = |server, file| StateFile::within(Path::new("/s"), server, file).path;
        assert_ne!(place(SERVER, &file), place(SERVER, &other));
        assert_ne!(place(SERVER, &file), place("https://e.com", &file));
        let later = Fingerprint { size_bytes: 2, ..file.clone() };
        assert_eq!(place(SERVER, &file), place(SERVER, &later), "a changed file leaves nothing");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = Fingerprint::of(folder.path()).unwrap();
        let state = StateFile::within(&folder.path().join("state"), SERVER, &file);
        state.save(&Remembered::new(SERVER, &file, id())).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let path = state.path.unwrap();
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
    }
}
