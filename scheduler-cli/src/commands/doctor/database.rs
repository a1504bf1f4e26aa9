//! Whether the database can be used, and by which release it was last changed.

use std::fs::OpenOptions;
use std::path::Path;

use scheduler_store::{Obstacle, OpenError, SchemaState, sqlite_files_open_to_others};

use super::finding::{Finding, Id, chain};
use super::probe::{nearest_folder, try_folder};
use super::settings::Settings;
use super::subject::Subject;
use crate::opening::advice;

/// Says what was seen in the database, and of a file whether it can be written to.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let file = subject.settings.database_file();
    if let Some(finding) = file.as_deref().and_then(of_file) {
        return Err(finding);
    }
    let Some((inspection, _)) = subject.database.as_ref().map_err(Finding::clone)? else {
        return Ok(Finding::ok("there is none yet; the first start makes it"));
    };
    if inspection.is_damaged {
        let (obstacle, found) = (Obstacle::Damaged, "its file contradicts itself");
        return Err(Finding::problem(Id::DatabaseDamaged, found, advice(obstacle)));
    }
    let copy = "make a copy of it; `scheduler serve` and `scheduler migrate` bring it up to date";
    Ok(match inspection.schema {
        SchemaState::Empty | SchemaState::Older { .. }
            if inspection.takes_tables == Some(false) =>
        {
            Finding::problem(
                Id::DatabaseRights,
                "its user may make no tables, which it needs",
                "let the user make tables: GRANT CREATE ON SCHEMA public TO the user, or make the \
                 user the owner of the database",
            )
        }
        SchemaState::Current => match &subject.fault_of_store {
            None => of_modes(file.as_deref()),
            Some(fault) => fault.clone(),
        },
        SchemaState::Empty => {
            Finding::ok("it can be reached, and is empty; the first start makes its tables")
        }
        SchemaState::Older { missing: 1 } => Finding::warning(
            Id::DatabaseOlder,
            "it belongs to an earlier release: one migration is missing",
            copy,
        ),
        SchemaState::Older { missing } => Finding::warning(
            Id::DatabaseOlder,
            format!("it belongs to an earlier release: {missing} migrations are missing"),
            copy,
        ),
        SchemaState::Newer => Finding::problem(
            Id::DatabaseNewer,
            "a newer release has changed it",
            "run that release, or bring back a copy from before",
        ),
        SchemaState::Damaged => Finding::problem(
            Id::DatabaseHalfway,
            "a migration was broken off, or was not one of this release",
            "bring back a copy from before, and run `scheduler migrate`",
        ),
    })
}

/// What keeps a file from being written to, or from being made.
fn of_file(file: &Path) -> Option<Finding> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = nearest_folder(folder.unwrap_or(Path::new(".")))?;
    let not_writable = |what: String| {
        Some(Finding::problem(
            Id::DatabaseNotWritable,
            what,
            "give the file and its folder to the user that the server runs as (`chown`, `chmod \
             u+w`), or name another by --database or --data",
        ))
    };
    if file.exists() {
        // Opening it changes nothing.
        if let Err(error) = OpenOptions::new().read(true).write(true).open(file) {
            return not_writable(format!("{} cannot be written to: {error}", file.display()));
        }
    }
    let error = try_folder(&folder).err()?;
    let shown = folder.display();
    if error.kind() == std::io::ErrorKind::StorageFull {
        let found = format!("{shown}, where it lies, has no room left");
        return Some(Finding::problem(Id::DatabaseFull, found, advice(Obstacle::Full)));
    }
    not_writable(format!("{shown}, where it lies, cannot be written to: {error}"))
}

/// Whether others may read what is in a database that is well.
fn of_modes(file: Option<&Path>) -> Finding {
    let well = "it can be reached, and its schema is current";
    let open = file.map(sqlite_files_open_to_others).unwrap_or_default();
    if open.is_empty() {
        return Finding::ok(well);
    }
    let open: Vec<String> = open.iter().map(|file| file.display().to_string()).collect();
    Finding::warning(
        Id::DatabaseExposed,
        format!("{well}, but others may read {}", open.join(", ")),
        format!("run `chmod 600 {}`, or start the server, which does", open.join(" ")),
    )
}

/// What keeps a database from being used; without an error, it does not answer in time.
pub(super) fn of_fault(error: Option<&OpenError>, settings: &Settings) -> Finding {
    let (obstacle, reason) = match error {
        Some(error) => (error.obstacle(), chain(error)),
        None if settings.database_file().is_some() => {
            (Obstacle::Locked, "it cannot be written to within seconds".to_owned())
        }
        None => {
            return Finding::problem(
                Id::DatabaseSilent,
                "its server does not answer in time",
                "see that the host and the port of --database are right, that a firewall lets this \
                 machine in, and that the server is not overloaded",
            );
        }
    };
    let id = match obstacle {
        Obstacle::Unreachable => Id::DatabaseUnreachable,
        Obstacle::Login => Id::DatabaseLogin,
        Obstacle::NoDatabase => Id::DatabaseAbsent,
        Obstacle::Rights => Id::DatabaseRights,
        Obstacle::NotWritable => Id::DatabaseNotWritable,
        Obstacle::Full => Id::DatabaseFull,
        Obstacle::Locked => Id::DatabaseLocked,
        Obstacle::Damaged => Id::DatabaseDamaged,
        Obstacle::Other => Id::DatabaseUnusable,
    };
    Finding::problem(id, reason, advice(obstacle))
}
