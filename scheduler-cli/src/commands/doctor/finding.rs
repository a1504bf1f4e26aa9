//! What a check has found.

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// It is as it should be.
    Ok,
    /// Something does not work, or soon will not; the rest does.
    Warning,
    /// The server, or a part of it that is in use, does not work.
    Problem,
    /// It could not be looked at.
    Skipped,
}

/// What a check has found. Holds no secret, no signed link and no password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// How bad it is.
    pub(super) verdict: Verdict,
    /// What was found, as a fragment.
    pub(super) found: String,
    /// What to do about it.
    pub(super) advice: Option<String>,
}

impl Finding {
    /// It is as it should be.
    pub(super) fn ok(found: impl Into<String>) -> Self {
        Self { verdict: Verdict::Ok, found: found.into(), advice: None }
    }

    /// It could not be looked at, for this reason.
    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skipped, found: why.into(), advice: None }
    }

    /// Something does not work, or soon will not.
    pub(super) fn warning(found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { verdict: Verdict::Warning, found: found.into(), advice }
    }

    /// The server, or a part of it that is in use, does not work.
    pub(super) fn problem(found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { verdict: Verdict::Problem, found: found.into(), advice }
    }
}

/// An error with its causes, on one line.
pub(super) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes: Vec<String> = std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect();
    let mut told: Vec<&str> = Vec::new();
    for cause in &causes {
        // Some errors repeat their cause.
        if !told.iter().any(|before| before.contains(cause.as_str())) {
            told.push(cause);
        }
    }
    told.join(": ").replace('\n', " ")
}
