//! What a target says of its files, as far as the network shows it.

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::FileDetail;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.max_media_per_post == 0 {
        return;
    }
    let no_effect = on.warning(
        ("files", "no_effect"),
        "A target says something of a file that the network does not show.",
    );
    let shown = on.sheet.media.details;
    let Some(target) = on.subject() else { return };
    for detail in FileDetail::ALL.into_iter().filter(|detail| !shown.contains(detail)) {
        if target.details.iter().any(|file| detail.is_given(file)) {
            let name = detail.as_str();
            let sentence = format!("{{name}} shows no {name} of a file; it is left out.");
            on.report(no_effect, Detail::note_of_file(sentence));
        }
    }
}
