//! A copy of everything that is whole in a folder of files.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use scheduler_core::media::FileFolder;

use super::layout::KEPT;

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopiedFiles {
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Of the files, those that share their bytes with the original: a second name for the same
    /// place on the disk.
    pub linked: u64,
}

/// Copies every whole file of a folder into another that does not exist yet. What is on its way is
/// left out; a file that goes meanwhile is too.
///
/// With `links` a file of the same disk gets a second name instead of a second place. That is
/// safe, since a whole file never changes: it is renamed into its place and only ever removed.
///
/// # Errors
/// When something cannot be read or written.
pub fn copy_files(from: &Path, to: &Path, links: bool) -> io::Result<CopiedFiles> {
    let mut copied = CopiedFiles::default();
    make_folder(to)?;
    make_folder(&to.join(KEPT))?;
    copy_folder(&from.join(KEPT), &to.join(KEPT), links, &mut copied)?;
    Ok(copied)
}

/// Whether a copy has the bytes of a file.
#[must_use]
pub fn has_copied_file(copy: &Path, folder: &FileFolder) -> bool {
    let kept = copy.join(KEPT);
    [folder.original(), folder.sent()].iter().any(|key| kept.join(key.as_str()).is_file())
}

fn copy_folder(from: &Path, to: &Path, links: bool, copied: &mut CopiedFiles) -> io::Result<()> {
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            make_folder(&target)?;
            copy_folder(&entry.path(), &target, links, copied)?;
        } else {
            match copy_file(&entry.path(), &target, links, copied) {
                // Deleted since the folder was read.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                outcome => outcome?,
            }
        }
    }
    // So that the names in it outlive a power cut.
    File::open(to)?.sync_all()
}

fn copy_file(from: &Path, to: &Path, links: bool, copied: &mut CopiedFiles) -> io::Result<()> {
    let is_linked = links && fs::hard_link(from, to).is_ok();
    let bytes = if is_linked {
        fs::metadata(to)?.len()
    } else {
        let bytes = fs::copy(from, to)?;
        File::open(to)?.sync_all()?;
        bytes
    };
    copied.files += 1;
    copied.bytes += bytes;
    copied.linked += u64::from(is_linked);
    Ok(())
}

fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_files_are_copied_or_get_a_second_name() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("files");
        fs::create_dir_all(from.join("kept/w/m")).unwrap();
        fs::create_dir_all(from.join("partial")).unwrap();
        fs::write(from.join("kept/w/m/original"), "bytes").unwrap();
        fs::write(from.join("partial/half"), "half").unwrap();
        for (name, links) in [("copied", false), ("linked", true)] {
            let to = folder.path().join(name);
            let copied = copy_files(&from, &to, links).unwrap();
            assert_eq!(
                copied,
                CopiedFiles { files: 1, bytes: 5, linked: u64::from(links) },
                "{name}"
            );
            assert!(!to.join("partial/half").exists());
            fs::remove_file(from.join("kept/w/m/original")).unwrap();
            assert_eq!(
                fs::read_to_string(to.join("kept/w/m/original")).unwrap(),
                "bytes",
                "{name}"
            );
            fs::write(from.join("kept/w/m/original"), "bytes").unwrap();
        }
        assert!(copy_files(&from, &folder.path().join("copied"), false).is_err(), "it is there");
        let nothing = copy_files(&folder.path().join("none"), &folder.path().join("empty"), true);
        assert_eq!(nothing.unwrap(), CopiedFiles::default());
    }
}
