//! How much room is left where data and files are kept.

use std::path::Path;

use scheduler_store::FilesUrl;

use super::finding::{Finding, Id, needed};
use super::probe::nearest_folder;
use super::subject::Subject;

const MIB: u64 = 1 << 20;
/// Below this much the database itself is in danger. Source: our decision.
const PROBLEM_BYTES: u64 = 256 * MIB;
/// Below this much a few videos fill the disk. Source: our decision.
const WARNING_BYTES: u64 = 4096 * MIB;

/// Looks at the disk of the data folder, and at that of the files where it is another folder.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let why_not = "the settings of the folders cannot be read";
    let storage = needed(&subject.settings.storage, why_not)?;
    let mut findings = vec![of_folder(&storage.data)];
    if let FilesUrl::Folder(files) = &storage.files
        && !files.starts_with(&storage.data)
    {
        findings.push(of_folder(files));
    }
    Ok(findings)
}

fn of_folder(folder: &Path) -> Finding {
    let shown = folder.display();
    match nearest_folder(folder).and_then(|folder| free_bytes(&folder)) {
        Some(free) => judge(&shown.to_string(), free),
        None => Finding::skipped(format!("the system does not tell how much is free at {shown}")),
    }
}

fn judge(folder: &str, free: u64) -> Finding {
    let found = format!("{} MiB are free at {folder}", free / MIB);
    let advice = "make room, or keep files elsewhere by --files";
    match free {
        ..PROBLEM_BYTES => Finding::problem(Id::DiskFull, found, advice),
        PROBLEM_BYTES..WARNING_BYTES => Finding::warning(Id::DiskLow, found, advice),
        _ => Finding::ok(found),
    }
}

/// What the server's user may still write.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    #[test]
    fn little_room() {
        for (free, want) in [
            (0, Verdict::Problem),
            (256 * MIB - 1, Verdict::Problem),
            (256 * MIB, Verdict::Warning),
            (4096 * MIB - 1, Verdict::Warning),
            (4096 * MIB, Verdict::Ok),
        ] {
            assert_eq!(judge("/d", free).verdict, want, "{free}");
        }
    }
}
