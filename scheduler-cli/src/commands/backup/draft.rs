//! The place of a copy while it is made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::config::make_private_folder;
use crate::failure::Failure;

/// What the place of the copy has to be before one is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// A new folder, or an empty one.
    Folder,
    /// A new file.
    File,
}

/// A folder beside the destination that is removed unless the copy is finished.
#[derive(Debug)]
pub(crate) struct Draft {
    folder: PathBuf,
    destination: PathBuf,
    is_finished: bool,
}

impl Wanted {
    /// Looks whether the place is what is wanted.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it is not.
    pub(crate) fn check(self, destination: &Path) -> Result<(), Failure> {
        match self {
            Self::Folder => refuse_filled(destination),
            Self::File if destination.exists() => {
                let shown = destination.display();
                Err(Failure::Usage(format!("{shown} is there; name a new file")))
            }
            Self::File => Ok(()),
        }
    }
}

impl Draft {
    /// Makes the folder. What is in it is of this run alone: of two that begin at the same time one
    /// is refused, and does not clear away what the other makes.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the destination is not what is wanted, or another run holds it.
    pub(crate) fn begin(destination: &Path, wanted: Wanted) -> Result<Self, Failure> {
        wanted.check(destination)?;
        let name = destination.file_name().ok_or_else(|| {
            Failure::Usage(format!("{} names no place of its own", destination.display()))
        })?;
        let mut name = name.to_owned();
        name.push(".partial");
        let folder = destination.with_file_name(name);
        if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            make_private_folder(parent)?;
        }
        make_private(&folder)?;
        Ok(Self { folder, destination: destination.to_owned(), is_finished: false })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the folder in the place of the destination.
    ///
    /// # Errors
    /// [`Failure::Other`] by what the file system says.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let place = || format!("cannot finish {}", self.destination.display());
        sync_folder(&self.folder).with_context(place)?;
        if self.destination.is_dir() {
            // It was empty a moment ago; one that is not any more stays as it is.
            fs::remove_dir(&self.destination).with_context(place)?;
        }
        fs::rename(&self.folder, &self.destination).with_context(place)?;
        self.is_finished = true;
        Ok(sync_folder(folder_of(&self.destination)).with_context(place)?)
    }

    /// Puts one file of the folder in the place of the destination, and removes the folder.
    ///
    /// # Errors
    /// [`Failure::Other`] by what the file system says.
    pub(crate) fn finish_as(self, file: &Path) -> Result<(), Failure> {
        let place = || format!("cannot finish {}", self.destination.display());
        // Unlike a rename alone, neither replaces anything.
        match fs::hard_link(file, &self.destination) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                // Not every file system gives a file a second name.
                File::create_new(&self.destination).with_context(place)?;
                fs::rename(file, &self.destination).with_context(place)?;
            }
            linked => linked.with_context(place)?,
        }
        Ok(sync_folder(folder_of(&self.destination)).with_context(place)?)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_finished {
            // It is of this run, and nobody can use it.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Refuses a folder with something in it.
fn refuse_filled(path: &Path) -> Result<(), Failure> {
    match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(false) => Err(Failure::Usage(format!(
            "{} is not empty; a copy goes into a folder of its own",
            path.display()
        ))),
        Err(error) => Err(Failure::Usage(format!("{} cannot be used: {error}", path.display()))),
    }
}

fn make_private(folder: &Path) -> Result<(), Failure> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Failure::Usage(format!(
            "{} is there: another run is making it, or one was broken off; remove it, or name another place",
            folder.display()
        ))),
        made => Ok(made.with_context(|| format!("cannot make the folder {}", folder.display()))?),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Brings the names in a folder to the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(path).and_then(|folder| folder.sync_all()) {
        // Folders cannot be opened everywhere.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        outcome => outcome,
    }
}

/// Lets only the user read a copy, and brings it to the disk.
pub(super) fn close_to_others(path: &Path) -> Result<(), Failure> {
    let place = || format!("cannot finish {}", path.display());
    let file = File::open(path).with_context(place)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(0o600)).with_context(place)?;
    }
    Ok(file.sync_all().with_context(place)?)
}
