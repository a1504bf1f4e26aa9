//! Options that a network cannot do without.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Rule, Word, option_values, youtube_title};
use crate::platform::{CapabilitySheet, Required};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    for option in target.sheet.options {
        if target.option(option.key).is_some() {
            continue;
        }
        let check = || format!("{}.missing", option.subject);
        match option.required {
            Required::No => {}
            Required::Always(how) => issues.error(&check(), missing(option.key, Vec::new(), how)),
            Required::Unless { flag, sentence } => {
                if !target.is_on(flag) {
                    let allowed = option_values::allowed(target, option);
                    issues.error(&check(), missing(option.key, allowed, sentence));
                }
            }
        }
    }
    youtube_title::check(target, issues);
}

/// An option that is not given, with the values that it may have and how to give it.
pub(super) fn missing(key: &'static str, allowed: Vec<Word>, how: &'static str) -> Detail {
    Detail::MissingOption { option: key.into(), allowed, how: how.into() }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    for option in sheet.options {
        let check = format!("{}.missing", option.subject);
        match option.required {
            Required::No => {}
            Required::Always(_) => list.error(&check, format!("{} is not given.", option.key)),
            Required::Unless { flag, .. } => {
                list.error(&check, format!("Neither {} nor {flag} is given.", option.key));
            }
        }
    }
    youtube_title::describe(sheet, list);
}
