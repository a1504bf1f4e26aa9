//! Who sends a part: the newest.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::Path;

use super::super::layout::random_id;

/// The right to send a part, until somebody else begins to send it. The file of the slot names who
/// has it, and is locked while that changes and while something is done that only they may do.
#[derive(Debug)]
pub(super) struct Slot {
    file: File,
    id: String,
}

impl Slot {
    /// Takes the slot from whoever has it, and begins something before anybody else can.
    pub(super) fn take<T>(
        path: &Path,
        begin: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<(Self, T)> {
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let slot = Self { file, id: random_id()? };
        slot.locked(|| {
            let mut file = &slot.file;
            file.rewind()?;
            file.write_all(slot.id.as_bytes())
        })?;
        let begun = slot.hold(begin)?;
        Ok((slot, begun))
    }

    /// Does something, during which nobody can take the slot.
    ///
    /// # Errors
    /// `NotFound` when somebody has taken it.
    pub(super) fn hold<T>(&self, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.locked(|| {
            let mut named = String::new();
            let mut file = &self.file;
            file.rewind()?;
            file.read_to_string(&mut named)?;
            if named != self.id {
                return Err(ErrorKind::NotFound.into());
            }
            act()
        })
    }

    fn locked<T>(&self, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.file.lock()?;
        let done = act();
        self.file.unlock()?;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slot-1");
        let (first, begun) = Slot::take(&path, || Ok(1)).unwrap();
        assert_eq!((begun, first.hold(|| Ok(2)).unwrap()), (1, 2));
        let (second, ()) = Slot::take(&path, || Ok(())).unwrap();
        let lost = first.hold(|| -> io::Result<()> { panic!("it is not theirs any more") });
        assert_eq!(lost.unwrap_err().kind(), ErrorKind::NotFound);
        assert!(second.hold(|| Ok(())).is_ok());
    }
}
