//! Whether every setting can be read.

use super::finding::Finding;
use super::subject::Subject;

/// Says which settings cannot be used, or what was read.
pub(super) fn check(subject: &Subject) -> Vec<Finding> {
    let settings = &subject.settings;
    if settings.faults.is_empty() {
        let from = match settings.file.as_deref() {
            Some(file) => format!("it can be read; the settings file is {}", file.display()),
            None => "it can be read; there is no settings file".to_owned(),
        };
        return vec![Finding::ok(from)];
    }
    let advice = "correct it in the options, the environment or the settings file";
    settings.faults.iter().map(|fault| Finding::problem(fault.clone(), advice)).collect()
}
