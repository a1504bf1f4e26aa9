//! How large the files of a post may be together.

use std::fmt;

use super::inspection::OfTarget;
use super::phrase::bytes;
use super::{Detail, Place, Rule};
use crate::platform::TotalBytes;

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let TotalBytes { refused_above, warned_above } = on.sheet.media.total_bytes;
    let when = |limit| {
        fmt::from_fn(move |f| write!(f, "The files are more than {} together.", bytes(limit)))
    };
    let too_large = refused_above
        .map(|limit| (on.error(("media", "too_large_together"), when(limit)), limit, ""));
    let large = warned_above.map(|(limit, outcome)| {
        let when = format_args!("{} {outcome}", when(limit));
        (on.warning(("media", "large_together"), when), limit, outcome)
    });
    let Some(target) = on.subject() else { return };
    let sizes = target.media.iter().filter_map(|media| media.size_bytes);
    let found = sizes.fold(0_u64, u64::saturating_add);
    let first = [too_large, large].into_iter().flatten().find(|(_, most, _)| found > *most);
    if let Some((finding, most, outcome)) = first {
        let (place, outcome) = (Place::Post, outcome.into());
        on.report(finding, Detail::TooLarge { found, most, place, outcome });
    }
}
