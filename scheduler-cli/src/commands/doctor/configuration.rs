//! Whether every setting can be read, and whether every variable is one.

use super::finding::{Finding, Id};
use super::subject::Subject;

/// Says which settings cannot be used, or what was read; and which variables nobody reads.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let settings = &subject.settings;
    let advice = "correct it in the options, the environment or the settings file";
    let mut findings: Vec<Finding> = settings
        .faults
        .iter()
        .map(|fault| Finding::problem(Id::SettingUnusable, fault.clone(), advice))
        .collect();
    if findings.is_empty() {
        let from = match settings.file.as_deref() {
            Some(file) => format!("it can be read; the settings file is {}", file.display()),
            None => "it can be read; there is no settings file".to_owned(),
        };
        findings.push(Finding::ok(from));
    }
    findings.extend(settings.unknown_variables.iter().map(|variable| {
        let found = format!("the variable {} is set, and nobody reads it", variable.name);
        let advice = "correct its name, or unset it";
        let advice = match &variable.near {
            Some(near) => format!("did you mean {near}? {advice}"),
            None => advice.to_owned(),
        };
        Finding::warning(Id::VariableUnknown, found, advice)
    }));
    Ok(findings)
}
