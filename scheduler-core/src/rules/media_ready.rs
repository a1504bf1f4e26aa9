//! Files that cannot be sent yet.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Draft, Rule};

pub(super) const RULE: Rule = Rule::Post { describe, run };

fn run(draft: &Draft<'_>, _: &Context, _: &[TargetView<'_>], issues: &mut Issues) {
    for (index, _) in draft.media.iter().enumerate().filter(|(_, media)| !media.ready) {
        issues.error("media.not_ready", format!("File {} is not ready yet.", index + 1));
    }
}

fn describe(list: &mut Catalogue) {
    list.error("media.not_ready", "A file is not ready to be sent.");
}
