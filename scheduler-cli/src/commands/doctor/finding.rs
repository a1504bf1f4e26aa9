//! What a check has found.

use serde::Serialize;

use super::id::Id;

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
    /// What is wrong, by name; `None` when nothing is.
    pub(super) id: Option<Id>,
    /// What was found, as a fragment.
    pub(super) found: String,
    /// What to do about it.
    pub(super) advice: Option<String>,
}

impl Finding {
    /// It is as it should be.
    pub(super) fn ok(found: impl Into<String>) -> Self {
        Self { verdict: Verdict::Ok, id: None, found: found.into(), advice: None }
    }

    /// It could not be looked at, for this reason.
    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skipped, id: None, found: why.into(), advice: None }
    }

    /// Something does not work, or soon will not.
    pub(super) fn warning(id: Id, found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { verdict: Verdict::Warning, id: Some(id), found: found.into(), advice }
    }

    /// The server, or a part of it that is in use, does not work.
    pub(super) fn problem(id: Id, found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { verdict: Verdict::Problem, id: Some(id), found: found.into(), advice }
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

/// Some of several names, and how many more there are.
pub(super) fn listed<N: AsRef<str>>(names: &[N]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => shown.join(", "),
        Some(more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_names() {
        for (count, want) in
            [(0, ""), (2, "0, 1"), (5, "0, 1, 2, 3, 4"), (7, "0, 1, 2, 3, 4 and 2 more")]
        {
            let names: Vec<String> = (0..count).map(|number: u32| number.to_string()).collect();
            assert_eq!(listed(&names), want);
        }
    }
}
