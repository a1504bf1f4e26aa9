//! Whether the data folder can be written to.

use super::finding::{Finding, Id, needed};
use super::probe::{nearest_folder, try_folder};
use super::subject::Subject;

/// Writes a file in the folder, which vanishes again. A folder that does not exist yet is looked
/// at where it would be made.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let data = &needed(&subject.settings.storage, "its setting cannot be read")?.data;
    let shown = data.display();
    let no_folder = |found| Finding::problem(Id::DataNotFolder, found, "name another by --data");
    if data.exists() && !data.is_dir() {
        return Err(no_folder(format!("{shown} is not a folder")));
    }
    let folder = nearest_folder(data);
    let folder = folder.ok_or_else(|| no_folder(format!("{shown} lies in no folder")))?;
    Ok(match try_folder(&folder) {
        Err(error) => Finding::problem(
            Id::DataNotWritable,
            format!("{} cannot be written to: {error}", folder.display()),
            "make room and make it writable for the user that the server runs as, or name another \
             by --data",
        ),
        Ok(()) if folder == *data => Finding::ok(format!("{shown} can be written to")),
        Ok(()) => Finding::ok(format!("{shown} does not exist yet; the first start makes it")),
    })
}
