//! Printing what was found: a line each, or one document.

use anstyle::{AnsiColor, Style};
use serde::{Deserialize, Serialize};

use super::finding::{Finding, Id, Verdict};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Printer, escape_control};

/// A finding as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Told {
    check: String,
    pub(super) verdict: Verdict,
    id: Option<String>,
    found: String,
    advice: Option<String>,
}

impl Told {
    /// What a check has found.
    pub(super) fn of(check: &str, finding: Finding) -> Self {
        let Finding { verdict, id, found, advice } = finding;
        Self { check: check.to_owned(), verdict, id: id.map(Id::name), found, advice }
    }

    fn line(&self) -> String {
        let (word, style) = match self.verdict {
            Verdict::Ok => ("ok", AnsiColor::Green.on_default()),
            Verdict::Warning => ("warning", AnsiColor::Yellow.on_default().bold()),
            Verdict::Problem => ("problem", AnsiColor::Red.on_default().bold()),
            Verdict::Skipped => ("skipped", Style::new().dimmed()),
        };
        let Self { check, found, advice, id, .. } = self;
        let advice = advice.as_ref().map_or_else(String::new, |advice| format!("; {advice}"));
        let said = format!("{found}{advice}");
        let dim = Style::new().dimmed();
        let id = id
            .as_ref()
            .map_or_else(String::new, |id| format!(" {dim}[{}]{dim:#}", escape_control(id)));
        let check = escape_control(check);
        format!("{style}{word:<8}{style:#} {check:<14} {}{id}", escape_control(&said))
    }
}

/// Everything that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Report {
    /// False when there is a problem.
    pub(super) ok: bool,
    /// In the order of the checks.
    pub(super) checks: Vec<Told>,
}

impl From<Vec<Told>> for Report {
    fn from(checks: Vec<Told>) -> Self {
        Self { ok: checks.iter().all(|told| told.verdict != Verdict::Problem), checks }
    }
}

/// Prints findings, for a person.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn lines(printer: Printer, found: &[Told]) -> Result<(), Failure> {
    if printer.is_json() {
        return Ok(());
    }
    let printed = found.iter().try_for_each(|told| printer.styled(&told.line()));
    Ok(printed.map_err(anyhow::Error::from)?)
}

/// Prints the one document of every finding, where documents are printed, and says how the command
/// ends.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn document(printer: Printer, report: &Report) -> Result<Exit, Failure> {
    printer.result(report, |_| Ok(())).map_err(anyhow::Error::from)?;
    Ok(if report.ok { Exit::Done } else { Exit::Failed })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_and_a_document() {
        let findings = [
            ("database", Finding::ok("its schema is current")),
            ("secret key", Finding::problem(Id::KeyUnusable, "it cannot be read", "give it back")),
        ];
        let told = findings.map(|(check, finding)| Told::of(check, finding));
        let [first, second] =
            told.each_ref().map(|told| anstream::adapter::strip_str(&told.line()).to_string());
        assert_eq!(first, "ok       database       its schema is current");
        assert_eq!(
            second,
            "problem  secret key     it cannot be read; give it back [key-unusable]"
        );
        let want = json!({"ok": false, "checks": [
            {
                "check": "database",
                "verdict": "ok",
                "id": null,
                "found": "its schema is current",
                "advice": null,
            },
            {
                "check": "secret key",
                "verdict": "problem",
                "id": "key-unusable",
                "found": "it cannot be read",
                "advice": "give it back",
            },
        ]});
        let report = Report::from(told.to_vec());
        assert_eq!(json!(report), want);
        assert_eq!(serde_json::from_value::<Report>(want).unwrap(), report);
    }
}
