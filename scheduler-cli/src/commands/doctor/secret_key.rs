//! Whether the secret key is there, kept from others, and the one that the database was sealed
//! with.

use std::path::Path;

use scheduler_store::{Inspection, SealingKey, Seals};

use super::finding::{Finding, Id};
use super::subject::Subject;
use crate::config::StorageSettings;
use crate::opening::KeyFault;

/// Reads the key, or says why there is none; `inspection` is what was seen in the database.
pub(super) fn read(
    storage: &StorageSettings,
    inspection: Option<&Inspection>,
) -> Result<SealingKey, Finding> {
    if let Some(path) = storage.made_key_file()
        && !path.exists()
    {
        return Err(match inspection.is_some_and(Inspection::has_secrets) {
            true => problem(Id::KeyGone, &KeyFault::Gone(path.to_owned())),
            false => Finding::ok(format!(
                "{} does not exist yet; the first start makes it",
                path.display()
            )),
        });
    }
    storage.sealing_key().map_err(|error| {
        Finding::problem(
            Id::KeyUnusable,
            format!("{error:#}"),
            "give back the key that the server was set up with: 32 bytes as 64 hex digits or as \
             base64",
        )
    })
}

/// Looks at the key, at who may read its file, and opens secrets of the database with it.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let key = subject.key.as_ref().map_err(Finding::clone)?;
    let opened = match &subject.database {
        Err(_) => "it can be read; whether it is the right one only the database tells",
        Ok(None) => "it can be read",
        Ok(Some((inspection, _))) => match inspection.seals(key) {
            Seals::Closed { closed, tried } => {
                return Err(problem(Id::KeyWrong, &KeyFault::Wrong { closed, tried }));
            }
            Seals::Open => "it opens the secrets of the database",
            Seals::None => "it can be read; the database holds no secret yet",
        },
    };
    let file = subject.settings.storage.as_ref().and_then(|storage| storage.key_file());
    Ok(match file.filter(|file| others_may_read(file)) {
        Some(file) => Finding::warning(
            Id::KeyExposed,
            format!("{opened}, but others may read {}", file.display()),
            format!("run `chmod 600 {}`", file.display()),
        ),
        None => Finding::ok(opened),
    })
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
