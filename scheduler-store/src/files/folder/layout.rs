//! Where everything lies in the folder, and how changes of folders reach the disk.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use scheduler_core::media::{FileFolder, FileKey};
use scheduler_core::ports::FilesError;

use super::fault::fault;

/// The folder of what is whole.
pub(super) const KEPT: &str = "kept";
/// The end of the name of an upload in parts.
pub(super) const PARTS: &str = ".parts";
/// The end of the name of what is being removed.
pub(super) const REMOVED: &str = ".removed";

/// Where everything lies in the folder.
///
/// Every path is made of a [`FileKey`] or a [`FileFolder`], whose segments hold neither a dot nor
/// a slash, and of names of our own.
#[derive(Debug)]
pub(super) struct Layout {
    kept: PathBuf,
    partial: PathBuf,
}

impl Layout {
    /// Makes the folders where they do not exist, and proves that they can be written to.
    pub(super) fn make(folder: PathBuf) -> Result<Self, FilesError> {
        let layout = Self { kept: folder.join(KEPT), partial: folder.join("partial") };
        let made = || -> io::Result<()> {
            for folder in [&layout.kept, &layout.partial] {
                make_private(folder)?;
                sync_folder(folder)?;
            }
            let probe = layout.partial.join(random_name("probe")?);
            File::create_new(&probe)?;
            fs::remove_file(&probe)?;
            sync_folder(&folder)
        };
        made().map_err(|error| match fault(&error) {
            FilesError::Missing => FilesError::Unavailable(error.to_string()),
            other => other,
        })?;
        Ok(layout)
    }

    /// Where the whole file of a key lies.
    pub(super) fn file(&self, key: &FileKey) -> PathBuf {
        self.kept.join(key.as_str())
    }

    /// Where everything that is whole lies of one file.
    pub(super) fn folder(&self, folder: &FileFolder) -> PathBuf {
        self.kept.join(folder.as_str())
    }

    /// The folder of what is on its way.
    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// The beginning of the names of what is on its way to a key.
    pub(super) fn stem(key: &FileKey) -> String {
        key.as_str().replace('/', ".")
    }

    /// Where an upload in parts lies; `None` for what is no name of ours.
    pub(super) fn upload(&self, key: &FileKey, upload: &str) -> Option<PathBuf> {
        is_random_id(upload)
            .then(|| self.partial.join(format!("{}.{upload}{PARTS}", Self::stem(key))))
    }

    /// Makes the folder that a file is about to be renamed into, durably.
    pub(super) fn make_room(&self, key: &FileKey) -> io::Result<()> {
        let file = self.file(key);
        let Some(media) = file.parent() else { return Ok(()) };
        fs::create_dir_all(media)?;
        if let Some(workspace) = media.parent() {
            sync_folder(workspace)?;
        }
        sync_folder(&self.kept)
    }

    /// Moves a file to another name in its folder, unless there is one of that name; then removes
    /// it. One that does not exist is no error.
    pub(super) fn settle(&self, from: &FileKey, to: &FileKey) -> io::Result<()> {
        let (from, to) = (self.file(from), self.file(to));
        // A link, since it never takes the place of what is there.
        let linked = match fs::hard_link(&from, &to) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            // A file system without links.
            Err(error) if error.kind() != ErrorKind::NotFound && !to.try_exists()? => {
                fs::rename(&from, &to)
            }
            other => other,
        };
        let removed = linked.and_then(|()| fs::remove_file(&from));
        match removed {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            other => other?,
        }
        match to.parent().map_or(Ok(()), sync_folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Removes a folder with all that is in it: out of sight at once, then for good.
    ///
    /// One that does not exist is no error.
    pub(super) fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let away = self.partial.join(format!("{}{REMOVED}", random_name(&name)?));
        match fs::rename(folder, &away) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            other => other?,
        }
        if let Some(parent) = folder.parent() {
            sync_folder(parent)?;
        }
        remove_all(&away)
    }
}

/// Removes a folder that nobody looks for by its name any more; one that is gone is no error.
pub(super) fn remove_all(folder: &Path) -> io::Result<()> {
    let mut removed = fs::remove_dir_all(folder);
    // A writer that had looked it up before may still have put a file into it.
    for _ in 0..REMOVE_ATTEMPTS {
        match &removed {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
            Ok(()) | Err(_) => break,
        }
        removed = fs::remove_dir_all(folder);
    }
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

const REMOVE_ATTEMPTS: u32 = 3;

const RANDOM_BYTES: usize = 16;

/// A name of an upload that nobody can guess.
pub(super) fn random_id() -> io::Result<String> {
    let mut random = [0; RANDOM_BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(hex::encode(random))
}

/// A name that no other has.
pub(super) fn random_name(stem: &str) -> io::Result<String> {
    Ok(format!("{stem}.{}", random_id()?))
}

/// Whether [`random_name`] has made a name of this stem.
pub(super) fn is_random_name(name: &str, stem: &str) -> bool {
    let random = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
    random.is_some_and(is_random_id)
}

/// Whether [`random_id`] has made a text.
pub(super) fn is_random_id(text: &str) -> bool {
    text.len() == 2 * RANDOM_BYTES
        && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Brings the names in a folder to the disk.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere a folder cannot be opened; its names reach the disk with the files.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
