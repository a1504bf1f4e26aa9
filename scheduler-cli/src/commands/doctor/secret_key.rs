//! Whether the secret key is there, kept from others, and the one that the database was sealed
//! with.

use std::path::Path;

use scheduler_store::Seals;

use super::finding::Finding;
use super::id::Id;
use super::subject::{DatabaseLook, KeyLook, Subject};
use crate::opening::KeyFault;

/// Looks at the key, at who may read its file, and opens secrets of the database with it.
pub(super) fn check(subject: &Subject) -> Finding {
    let inspection = match &subject.database {
        DatabaseLook::Found { inspection, .. } => Some(inspection),
        DatabaseLook::Unknown | DatabaseLook::Missing | DatabaseLook::Failed(_) => None,
    };
    let key = match &subject.key {
        KeyLook::Unknown => return Finding::skipped("its setting cannot be read"),
        KeyLook::Unusable(reason) => {
            let advice = "give back the key that the server was set up with: 32 bytes as 64 hex \
                          digits or as base64";
            return Finding::problem(Id::KeyUnusable, reason.clone(), advice);
        }
        KeyLook::Missing(path) if inspection.is_some_and(|found| found.has_secrets()) => {
            return problem(Id::KeyGone, &KeyFault::Gone(path.clone()));
        }
        KeyLook::Missing(path) => {
            let path = path.display();
            return Finding::ok(format!("{path} does not exist yet; the first start makes it"));
        }
        KeyLook::Loaded(key) => key,
    };
    let opened = match inspection.map(|found| found.seals(key)) {
        Some(Seals::Closed { closed, tried }) => {
            return problem(Id::KeyWrong, &KeyFault::Wrong { closed, tried });
        }
        Some(Seals::Open) => "it opens the secrets of the database",
        Some(Seals::None) => "it can be read; the database holds no secret yet",
        None => match &subject.database {
            DatabaseLook::Unknown | DatabaseLook::Failed(_) => {
                "it can be read; whether it is the right one only the database tells"
            }
            DatabaseLook::Missing | DatabaseLook::Found { .. } => "it can be read",
        },
    };
    let file = subject.settings.storage.as_ref().and_then(|storage| storage.key_file());
    match file.filter(|file| others_may_read(file)) {
        Some(file) => Finding::warning(
            Id::KeyExposed,
            format!("{opened}, but others may read {}", file.display()),
            format!("run `chmod 600 {}`", file.display()),
        ),
        None => Finding::ok(opened),
    }
}

fn problem(id: Id, fault: &KeyFault) -> Finding {
    Finding::problem(id, fault.found(), fault.advice())
}

#[cfg(unix)]
fn others_may_read(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn others_may_read(_: &Path) -> bool {
    false
}
