//! Whether the data folder can be written to.

use super::finding::Finding;
use super::probe::nearest_folder;
use super::subject::Subject;

/// Makes a file in the folder, which vanishes again. A folder that does not exist yet is looked
/// at where it would be made.
pub(super) fn check(subject: &Subject) -> Finding {
    let Some(storage) = &subject.settings.storage else {
        return Finding::skipped("its setting cannot be read");
    };
    let data = &storage.data;
    let shown = data.display();
    let advice = "make it writable for the user that the server runs as, or name another by --data";
    if data.exists() && !data.is_dir() {
        return Finding::problem(format!("{shown} is not a folder"), "name another by --data");
    }
    let Some(folder) = nearest_folder(data) else {
        return Finding::problem(format!("{shown} lies in no folder"), "name another by --data");
    };
    match tempfile::tempfile_in(&folder) {
        Err(error) => {
            Finding::problem(format!("{} cannot be written to: {error}", folder.display()), advice)
        }
        Ok(_) if folder == *data => Finding::ok(format!("{shown} can be written to")),
        Ok(_) => Finding::ok(format!("{shown} does not exist yet; the first start makes it")),
    }
}
