//! The routes and headers that help a caller on, which the core knows nothing of.

use scheduler_core::app::CheckReport;
use scheduler_core::error::{NextStep, Refusal};
use scheduler_core::rules::{Detail, Place, ValidationIssue};

/// Says in a report which requests help with what was found.
pub fn add_to_report(report: &mut CheckReport) {
    for issue in &mut report.issues {
        add_to_issue(issue);
    }
}

/// Says in a refusal which requests or headers help.
pub(crate) fn add_to_refusal(refusal: &mut Refusal) {
    if let Some(step) = refusal.next_step.take() {
        lengthen(&mut refusal.message, of_step(step));
    }
    let mut is_changed = false;
    for issue in &mut refusal.issues {
        is_changed |= add_to_issue(issue);
    }
    if is_changed {
        // The refusal quotes the first of them.
        let issues = std::mem::take(&mut refusal.issues);
        *refusal = Refusal { field: refusal.field.take(), ..Refusal::validation(issues) };
    }
}

/// How to take a step, as the end of a sentence.
fn of_step(step: NextStep) -> &'static str {
    match step {
        NextStep::SendKey => ": Authorization: Bearer sk_…",
        NextStep::ReportParts => "; report them to POST /media/{id}/complete.",
        NextStep::ReportUploaded => "; call POST /media/{id}/uploaded.",
        NextStep::ListPostsOfFile => "; GET /media/{id}/posts names it.",
        _ => ".",
    }
}

/// Adds what helps with an issue; whether there is anything.
fn add_to_issue(issue: &mut ValidationIssue) -> bool {
    let option = match &issue.detail {
        Some(
            Detail::MissingOption { option, .. }
            | Detail::Malformed { place: Place::Option(option), .. },
        ) => &**option,
        _ => return false,
    };
    match option {
        "boardId" => {
            lengthen(&mut issue.message, " (GET /oauth/accounts/{id}/boards lists them).");
            true
        }
        _ => false,
    }
}

/// Puts another end in the place of the full stop.
fn lengthen(message: &mut String, end: &str) {
    if message.ends_with('.') {
        message.pop();
    }
    message.push_str(end);
}

#[cfg(test)]
mod tests {
    use scheduler_core::app::CheckInput;
    use scheduler_core::error::ErrorCode;

    use super::*;

    #[test]
    fn a_board_that_is_missing() {
        let input: CheckInput =
            serde_json::from_str(r#"{"content": "Hi", "targets": [{"platform": "pinterest"}]}"#)
                .unwrap();
        let mut report = input.check_by_sheets().unwrap();
        let issues = report.issues.clone();
        add_to_report(&mut report);
        let board = report.issues.iter().find(|issue| issue.rule == "pinterest.board_id.missing");
        let want = "Pinterest needs a board: set pinterest.boardId (GET /oauth/accounts/{id}/boards lists them).";
        assert_eq!(board.unwrap().message, want);

        let mut refusal = Refusal::validation(issues);
        add_to_refusal(&mut refusal);
        assert_eq!(refusal.issues, report.issues);
        assert_eq!(refusal, Refusal::validation(report.issues));
    }

    #[test]
    fn a_step_follows_the_sentence() {
        let refusal = Refusal::new(ErrorCode::InUse, "A post needs this file.");
        let mut plain = refusal.clone();
        add_to_refusal(&mut plain);
        assert_eq!(plain, refusal);
        let mut refusal = refusal.with_next_step(NextStep::ListPostsOfFile);
        add_to_refusal(&mut refusal);
        assert_eq!(refusal.message, "A post needs this file; GET /media/{id}/posts names it.");
    }
}
