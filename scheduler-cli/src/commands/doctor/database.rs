//! Whether the database can be used, and by which release it was last changed.

use scheduler_store::SchemaState;

use super::finding::Finding;
use super::subject::{DatabaseLook, Subject};

/// Says what was seen in the database.
pub(super) fn check(subject: &Subject) -> Finding {
    let inspection = match &subject.database {
        DatabaseLook::Unknown => return Finding::skipped("its setting cannot be read"),
        DatabaseLook::Missing => {
            return Finding::ok("there is none yet; the first start makes it");
        }
        DatabaseLook::Failed(reason) => {
            let advice = "see that it runs and that --database and its password are right";
            return Finding::problem(reason.clone(), advice);
        }
        DatabaseLook::Found { inspection, .. } => inspection,
    };
    match (inspection.schema, &subject.fault_of_store) {
        (SchemaState::Current, Some(fault)) => {
            let advice = "see that the server's user may write to it";
            Finding::problem(format!("it can be read, but not opened: {fault}"), advice)
        }
        (SchemaState::Current, None) => Finding::ok("it can be reached, and its schema is current"),
        (SchemaState::Empty, _) => {
            Finding::ok("it can be reached, and is empty; the first start makes its tables")
        }
        (SchemaState::Older { missing: 1 }, _) => Finding::warning(
            "it belongs to an earlier release: one migration is missing",
            "make a copy of it; `scheduler serve` and `scheduler migrate` bring it up to date",
        ),
        (SchemaState::Older { missing }, _) => Finding::warning(
            format!("it belongs to an earlier release: {missing} migrations are missing"),
            "make a copy of it; `scheduler serve` and `scheduler migrate` bring it up to date",
        ),
        (SchemaState::Newer, _) => Finding::problem(
            "a newer release has changed it",
            "run that release, or bring back a copy from before",
        ),
        (SchemaState::Damaged, _) => Finding::problem(
            "a migration was broken off, or was not one of this release",
            "bring back a copy from before, and run `scheduler migrate`",
        ),
    }
}
