//! How large the files of a post may be together.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::phrase::bytes;
use super::{Detail, Place, Rule};
use crate::platform::{CapabilitySheet, TotalBytes};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let TotalBytes { refused_above, warned_above } = target.sheet.media.total_bytes;
    let sizes = target.draft.media.iter().filter_map(|media| media.size_bytes);
    let total = sizes.fold(0_u64, u64::saturating_add);
    let detail = |most, outcome: &'static str| Detail::TooLarge {
        found: total,
        most,
        place: Place::Post,
        outcome: outcome.into(),
    };
    if let Some(limit) = refused_above.filter(|limit| total > *limit) {
        issues.error("media.too_large_together", detail(limit, ""));
    } else if let Some((limit, sentence)) = warned_above.filter(|(limit, _)| total > *limit) {
        issues.warning("media.large_together", detail(limit, sentence));
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let TotalBytes { refused_above, warned_above } = sheet.media.total_bytes;
    if let Some(limit) = refused_above {
        list.error(
            "media.too_large_together",
            format!("The files are more than {} together.", bytes(limit)),
        );
    }
    if let Some((limit, sentence)) = warned_above {
        list.warning(
            "media.large_together",
            format!("The files are more than {} together. {sentence}", bytes(limit)),
        );
    }
}
