//! Printing what was found: a line each, or one document.

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::finding::{Finding, Verdict};
use crate::failure::Failure;
use crate::printer::{Printer, escape_control};

/// Prints what a check has found, for a person.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn lines(printer: Printer, check: &str, findings: &[Finding]) -> Result<(), Failure> {
    if printer.is_json() {
        return Ok(());
    }
    let printed = findings.iter().try_for_each(|finding| printer.styled(&line(check, finding)));
    Ok(printed.map_err(anyhow::Error::from)?)
}

/// Prints the one document of every finding, where documents are printed.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn document(printer: Printer, findings: &[(&str, Finding)]) -> Result<(), Failure> {
    let printed = printer.result(&whole(findings), |_| Ok(()));
    Ok(printed.map_err(anyhow::Error::from)?)
}

/// The document of every finding.
pub(super) fn whole(findings: &[(&str, Finding)]) -> Value {
    let checks: Vec<Value> = findings
        .iter()
        .map(|(check, Finding { verdict, id, found, advice })| {
            json!({
                "check": check,
                "verdict": verdict,
                "id": id,
                "found": found,
                "advice": advice,
            })
        })
        .collect();
    let is_well = findings.iter().all(|(_, finding)| finding.verdict != Verdict::Problem);
    json!({"ok": is_well, "checks": checks})
}

fn line(check: &str, finding: &Finding) -> String {
    let (word, style) = match finding.verdict {
        Verdict::Ok => ("ok", AnsiColor::Green.on_default()),
        Verdict::Warning => ("warning", AnsiColor::Yellow.on_default().bold()),
        Verdict::Problem => ("problem", AnsiColor::Red.on_default().bold()),
        Verdict::Skipped => ("skipped", Style::new().dimmed()),
    };
    let Finding { found, advice, id, .. } = finding;
    let advice = advice.as_ref().map_or_else(String::new, |advice| format!("; {advice}"));
    let said = format!("{found}{advice}");
    let dim = Style::new().dimmed();
    let id = id.map_or_else(String::new, |id| format!(" {dim}[{}]{dim:#}", id.name()));
    format!("{style}{word:<8}{style:#} {check:<14} {}{id}", escape_control(&said))
}

#[cfg(test)]
mod tests {
    use super::super::finding::Id;
    use super::*;

    #[test]
    fn a_line_and_a_document() {
        let findings = [
            ("database", Finding::ok("its schema is current")),
            ("secret key", Finding::problem(Id::KeyUnusable, "it cannot be read", "give it back")),
        ];
        let [first, second] = findings.each_ref().map(|(check, finding)| {
            anstream::adapter::strip_str(&line(check, finding)).to_string()
        });
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
        assert_eq!(whole(&findings), want);
    }
}
