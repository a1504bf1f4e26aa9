//! Whether the data folder can be written to.

use super::finding::Finding;
use super::id::Id;
use super::probe::{nearest_folder, try_folder};
use super::subject::Subject;

/// Writes a file in the folder, which vanishes again. A folder that does not exist yet is looked
/// at where it would be made.
pub(super) fn check(subject: &Subject) -> Finding {
    let Some(storage) = &subject.settings.storage else {
        return Finding::skipped("its setting cannot be read");
    };
    let data = &storage.data;
    let shown = data.display();
    if data.exists() && !data.is_dir() {
        let found = format!("{shown} is not a folder");
        return Finding::problem(Id::DataNotFolder, found, "name another by --data");
    }
    let Some(folder) = nearest_folder(data) else {
        let found = format!("{shown} lies in no folder");
        return Finding::problem(Id::DataNotFolder, found, "name another by --data");
    };
    match try_folder(&folder) {
        Err(error) => Finding::problem(
            Id::DataNotWritable,
            format!("{} cannot be written to: {error}", folder.display()),
            "make room and make it writable for the user that the server runs as, or name another \
             by --data",
        ),
        Ok(()) if folder == *data => Finding::ok(format!("{shown} can be written to")),
        Ok(()) => Finding::ok(format!("{shown} does not exist yet; the first start makes it")),
    }
}
