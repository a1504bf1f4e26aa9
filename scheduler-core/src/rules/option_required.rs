//! Options that a network cannot do without.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity, option_values, youtube_title};
use crate::platform::Required;

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "<network>.<option>.missing",
        severity: Severity::Error,
        sentence: "A required option is missing.",
    }],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    for option in target.sheet.options {
        if target.option(option.key).is_some() {
            continue;
        }
        let check = || format!("{}.missing", option.subject);
        match option.required {
            Required::No => {}
            Required::Always(sentence) => issues.error(&check(), sentence),
            Required::Unless { flag, sentence } => {
                if !target.is_on(flag) {
                    let levels = option_values::allowed(target, option).join(", ");
                    issues.error(&check(), format!("{sentence} {levels}."));
                }
            }
        }
    }
    youtube_title::check(target, issues);
}
