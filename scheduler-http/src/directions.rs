//! The routes and headers that help a caller on, which the core knows nothing of.

use std::borrow::Cow;

use scheduler_core::app::CheckReport;
use scheduler_core::error::{ErrorBody, NextStep, Refusal, RefusalKind};
use scheduler_core::rules::ValidationIssue;

/// Says in a report which requests help with what was found.
pub fn add_to_report(report: &mut CheckReport) {
    for issue in &mut report.issues {
        add_to_issue(issue);
    }
}

/// The body of a refusal, which says which requests or headers help.
pub(crate) fn body_of(mut refusal: Refusal) -> ErrorBody {
    if let RefusalKind::Validation(issues) = &mut refusal.kind {
        for issue in issues {
            add_to_issue(issue);
        }
    }
    let step = refusal.next_step();
    let mut body = ErrorBody::from(refusal);
    if let Some(step) = step {
        lengthen(&mut body.error.message, of_step(step));
    }
    body
}

/// How to take a step, as the end of a sentence.
fn of_step(step: NextStep) -> &'static str {
    match step {
        NextStep::SendKey => ": Authorization: Bearer sk_…",
        NextStep::LogIn => ": log in with `scheduler login`, or with POST /app/v1/login.",
        NextStep::LogInForApi => {
            ". `scheduler login` opens one, as does POST /app/v1/login with \"api\": true."
        }
        NextStep::ReportParts => "; report them to POST /media/{id}/complete.",
        NextStep::ReportUploaded => "; call POST /media/{id}/uploaded.",
        NextStep::ChooseForDue => {
            ", by ?due=keep, ?due=cancel, or ?due=move&to= and the id of that account."
        }
        NextStep::ListPostsOfFile => "; GET /media/{id}/posts names it.",
        NextStep::ListBoards => " (GET /oauth/accounts/{id}/boards lists them).",
        _ => ".",
    }
}

/// Adds what helps with an issue, if there is anything.
fn add_to_issue(issue: &mut ValidationIssue) {
    if let Some(step) = issue.next_step() {
        lengthen(&mut issue.message, of_step(step));
    }
}

/// The message of an issue for those who take the step that helps in another way, which `end` says
/// as the end of a sentence; that of the API where it says nothing.
pub fn message_with(
    issue: &ValidationIssue,
    end: impl FnOnce(NextStep) -> Option<String>,
) -> Cow<'_, str> {
    let replaced = issue.next_step().and_then(|step| {
        let mut message = issue.message.strip_suffix(of_step(step))?.to_owned();
        lengthen(&mut message, &end(step)?);
        Some(message)
    });
    replaced.map_or(Cow::Borrowed(&*issue.message), Cow::Owned)
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
    use scheduler_core::error::{AccessRefusal, AccountRefusal, MediaRefusal};

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
        let want = "Pinterest needs a board: set pinterest.boardId (see the list).";
        let end = |step| (step == NextStep::ListBoards).then(|| " (see the list).".to_owned());
        assert_eq!(message_with(board.unwrap(), end), want);
        assert_eq!(message_with(board.unwrap(), |_| None), board.unwrap().message);

        let body = body_of(Refusal::validation(issues));
        assert_eq!(body.error.issues.as_ref(), Some(&report.issues));
        assert_eq!(body, ErrorBody::from(Refusal::validation(report.issues)));
    }

    #[test]
    fn a_step_follows_the_sentence() {
        let refusal = Refusal::from(MediaRefusal::Deleted);
        assert_eq!(body_of(refusal.clone()), ErrorBody::from(refusal));
        let in_use = body_of(MediaRefusal::InUse.into()).error;
        let want = "A post that has not finished going out needs this file; GET /media/{id}/posts names it.";
        assert_eq!(in_use.message, want);
        let still_due = AccountRefusal::StillDue { account: "@ann".to_owned(), due: 2 };
        let want = "2 posts are to come through @ann; say whether what is due is kept, cancelled, or moved to another account, by ?due=keep, ?due=cancel, or ?due=move&to= and the id of that account.";
        assert_eq!(body_of(still_due.into()).error.message, want);
        for (refusal, want) in [
            (
                AccessRefusal::KeyForSession,
                "This is an API key; here a person's session is needed: log in with `scheduler login`, or with POST /app/v1/login.",
            ),
            (
                AccessRefusal::SessionForKey,
                "This is a person's session; here an API key is needed, or a session that was opened for the API and still lasts. `scheduler login` opens one, as does POST /app/v1/login with \"api\": true.",
            ),
        ] {
            assert_eq!(body_of(refusal.into()).error.message, want);
        }
    }
}
