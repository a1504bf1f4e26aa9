//! Options that a network cannot do without.

use super::inspection::OfTarget;
use super::{Detail, Rule, Word, option_values, youtube_title};
use crate::platform::Required;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    for option in on.sheet.options {
        let (key, id) = (option.key, (option.subject, "missing"));
        let (finding, unless, how) = match option.required {
            Required::No => continue,
            Required::Always(how) => (on.error(id, format_args!("{key} is not given.")), None, how),
            Required::Unless { flag, sentence } => {
                let when = format_args!("Neither {key} nor {flag} is given.");
                (on.error(id, when), Some(flag), sentence)
            }
        };
        let Some(target) = on.subject() else { continue };
        let is_missing =
            target.option(key).is_none() && unless.is_none_or(|flag| !target.is_on(flag));
        if is_missing {
            // The values are listed where the sheet leads up to them.
            let allowed = match unless {
                Some(_) => option_values::allowed(target, option),
                None => Vec::new(),
            };
            on.report(finding, missing(key, allowed, how));
        }
    }
    youtube_title::rule(on);
}

/// An option that is not given, with the values that it may have and how to give it.
pub(super) fn missing(key: &'static str, allowed: Vec<Word>, how: &'static str) -> Detail {
    Detail::MissingOption { option: key.into(), allowed, how: how.into() }
}
