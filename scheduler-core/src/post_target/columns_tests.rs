//! Every combination of columns.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::*;
use crate::target::FailureCode;

/// What can be there or not, in the order of the names below.
const OPTIONAL: [&str; 7] =
    ["due", "slot", "remote", "published", "failure", "awaiting", "progress"];

#[test]
fn a_row_is_a_stage_or_an_error_and_comes_back_as_it_was() {
    let at: DateTime<Utc> = DateTime::UNIX_EPOCH;
    let remote = Remote::new("1", None);
    let failure =
        Failure { message: "no".into(), code: FailureCode::NetworkError, permanent: false };
    let awaiting = AwaitingApproval { reason: "ask".into() };
    let progress = Progress::new(json!(1), at);
    let mut fits: Vec<(TargetStatus, String)> = Vec::new();
    for status in TargetStatus::ALL {
        for mask in 0..1_u32 << OPTIONAL.len() {
            let has = |bit: u32| mask & (1 << bit) != 0;
            let columns = StageColumns {
                status,
                due_at: has(0).then_some(at),
                slot_at: has(1).then_some(at),
                remote: has(2).then_some(&remote),
                published_at: has(3).then_some(at),
                failure: has(4).then_some(&failure),
                awaiting_approval: has(5).then_some(&awaiting),
                progress: has(6).then_some(&progress),
            };
            if let Ok(stage) = Stage::try_from(columns) {
                assert_eq!(stage.columns(), columns);
                // What every stage may have or not.
                let has_rest = has(2) || has(6);
                let names = (0..).zip(OPTIONAL).filter(|(bit, _)| has(*bit));
                let names: Vec<&str> = names.map(|(_, name)| name).collect();
                if !has_rest || matches!(status, TargetStatus::Published) || has(3) {
                    fits.push((status, names.join(" ")));
                }
            }
        }
    }
    let fits_of = |status| -> Vec<&str> {
        fits.iter().filter(|row| row.0 == status).map(|row| row.1.as_str()).collect()
    };
    assert_eq!(
        fits_of(TargetStatus::Pending),
        [
            "",
            "due",
            "due slot",
            "failure",
            "due failure",
            "due slot failure",
            "due awaiting",
            "due slot awaiting"
        ]
    );
    assert_eq!(fits_of(TargetStatus::Publishing), ["due", "due failure"]);
    assert_eq!(
        fits_of(TargetStatus::Published),
        [
            "published",
            "remote published",
            "published failure",
            "remote published failure",
            "published progress",
            "remote published progress",
            "published failure progress",
            "remote published failure progress",
        ]
    );
    assert_eq!(fits_of(TargetStatus::Failed), ["failure"]);
    assert_eq!(
        fits_of(TargetStatus::Skipped),
        ["", "remote published", "failure", "remote published failure"]
    );
}
