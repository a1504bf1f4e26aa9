//! How the statements on readings are run where there are many rows: by their indexes.

use super::super::dialect;
use super::many_rows::Plans;
use super::{account, budgets, context, history, record, refresh};

#[tokio::test]
async fn many_readings_are_not_passed_over() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    for (name, statement, wants) in [
        ("account", context::ACCOUNT, [Plans::WORK, Plans::ACCOUNT]),
        ("due", context::DUE, [Plans::READINGS_BY_DUE, Plans::TARGET]),
        ("taken", context::TAKEN, [Plans::READINGS_BY_DUE, Plans::READING]),
        ("first due", record::FIRST_DUE, [Plans::READINGS_BY_DUE; 2]),
        ("forget", record::FORGET, [Plans::READING_PLAN, Plans::TARGETS_OF_POST]),
        ("latest", history::LATEST, [Plans::READING; 2]),
        ("figures", dialect::FIGURES, [Plans::READINGS_OF_RANGE, Plans::READING]),
        ("followers", history::FOLLOWERS, [Plans::FOLLOWERS; 2]),
        ("spend", budgets::FORGET, [Plans::BUDGET; 2]),
        ("last refresh", refresh::LAST, [Plans::REFRESH; 2]),
        ("plan", refresh::PLAN, [Plans::READINGS_BY_PUBLICATION, Plans::TARGET]),
        ("bring_forward", refresh::HASTEN, [Plans::WORK_OF_SUBJECT, Plans::READINGS_BY_DUE]),
        ("delete work", account::DELETE_WORK, [Plans::WORK_OF_SUBJECT; 2]),
        ("restart work", account::RESTART, [Plans::WORK_OF_SUBJECT; 2]),
    ] {
        let plan = plans.of(name, statement).await;
        for want in wants {
            assert!(plan.contains(want), "{name} wants {want}:\n{plan}");
        }
    }
    for (name, statement) in [("due", context::DUE), ("latest", history::LATEST)] {
        let plan = plans.of(name, statement).await;
        for sorting in ["TEMP B-TREE", "Sort"] {
            assert!(!plan.contains(sorting), "{name}: the index gives the order:\n{plan}");
        }
    }
}

/// A target is read with its latest reading by one look more.
#[tokio::test]
async fn latest_readings_are_found_by_their_targets() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    let plan = plans.of("post", super::super::posts::read::BY_ID).await;
    assert!(plan.contains(Plans::READING_PLAN), "{plan}");
}
