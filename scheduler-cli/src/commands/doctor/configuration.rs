//! Whether every setting can be read.

use super::finding::Finding;
use super::subject::Subject;

/// Says which settings cannot be used, or what was read.
pub(super) fn check(subject: &Subject) -> Vec<Finding> {
    let settings = &subject.settings;
    let unknown = settings.unknown_variables.iter().map(|variable| {
        let advice = "correct its name, or leave it to whoever reads it; `scheduler config keys` \
                      lists the settings";
        Finding::warning(variable.to_string(), advice)
    });
    if settings.faults.is_empty() {
        let from = match settings.file.as_deref() {
            Some(file) => format!("it can be read; the settings file is {}", file.display()),
            None => "it can be read; there is no settings file".to_owned(),
        };
        return std::iter::once(Finding::ok(from)).chain(unknown).collect();
    }
    let advice = "correct it in the options, the environment or the settings file";
    let faults = settings.faults.iter().map(|fault| Finding::problem(fault.clone(), advice));
    faults.chain(unknown).collect()
}
