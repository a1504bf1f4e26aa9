//! Media types that a network takes, and what becomes of moving pictures.

use std::fmt;

use super::draft::TargetView;
use super::inspection::{Finding, Id, OfTarget};
use super::{Detail, MediaFacts, MediaKind, Place, Rule, Word};
use crate::platform::{
    AccountLimits, CapabilitySheet, FileTypes, GifPlay, Reaction, canonical_media_type,
    media_type_names,
};

pub(super) const RULE: Rule = Rule::Files(rule);

/// The media type of an animation in pictures.
const GIF: &str = "image/gif";

const UNUSUAL: Id = ("media", "unusual_type");

fn rule(on: &mut OfTarget<'_, '_>) {
    let mut of_kind = |kind| on.sheet.takes(kind).then(|| types_of(on, kind));
    let findings = MediaKind::ALL.map(|kind| (kind, of_kind(kind)));
    let gif = match on.sheet.media.gif {
        GifPlay::Plays => None,
        GifPlay::StandsStill => Some(
            on.warning(("media", "gif_stands_still"), "An animated GIF becomes a still picture."),
        ),
        GifPlay::RatherAlone => {
            Some(on.warning(
                ("media", "gif_beside_others"),
                "An animated GIF has other files beside it.",
            ))
        }
        GifPlay::Alone => Some(
            on.error(("media", "gif_beside_others"), "An animated GIF has other files beside it."),
        ),
        GifPlay::StandsStillInCarousel => Some(on.warning(
            ("media", "gif_stands_still"),
            "An animated GIF beside other files becomes a still picture.",
        )),
    };
    let Some(target) = on.subject() else { return };
    for (file, media) in target.media.iter().enumerate() {
        let found = findings.iter().find(|(kind, _)| *kind == media.kind);
        let findings = found.and_then(|(_, findings)| *findings);
        // An empty type is as little known as none.
        let media_type = media.mime_type.as_deref().map(canonical_media_type);
        let media_type = media_type.filter(|media_type| !media_type.is_empty());
        let (Some(findings), Some(media_type)) = (findings, media_type) else { continue };
        let is_taken = check_file(on, target, file, &media_type, findings);
        if is_taken && media_type == GIF && media.frame_count != Some(1) {
            check_gif(on, target, file, gif);
        }
    }
}

/// What can be found of the types of one kind of files: one that is not taken, one that is changed.
type Findings = (Finding, Option<Finding>);

fn types_of(on: &mut OfTarget<'_, '_>, kind: MediaKind) -> Findings {
    let noun = kind.one_at_start();
    let types = on.sheet.types_of(kind);
    let taken = fmt::from_fn(|f| f.write_str(&media_type_names(taken_of(types))));
    let other = match types.others {
        Reaction::Refuses => {
            on.error(("media", "type_not_supported"), format_args!("{noun} is not {taken}."))
        }
        Reaction::Warns(outcome) => {
            on.warning(UNUSUAL, format_args!("{noun} is not {taken}. {outcome}"))
        }
    };
    let mut changed = None;
    for of_outcome in types.changed.chunk_by(|one, next| one.1 == next.1) {
        let outcome = of_outcome[0].1;
        let names = fmt::from_fn(|f| {
            f.write_str(&media_type_names(of_outcome.iter().map(|(changed, _)| *changed)))
        });
        changed = Some(on.warning(UNUSUAL, format_args!("{noun} is {names}. {outcome}")));
    }
    (other, changed)
}

/// Reports a type that is not taken or changed; whether it is taken.
fn check_file(
    on: &mut OfTarget<'_, '_>,
    target: &TargetView<'_>,
    file: usize,
    media_type: &str,
    (other, changed): Findings,
) -> bool {
    let MediaFacts { kind, .. } = target.media[file];
    let of_sheet = target.sheet.types_of(kind);
    let of_account = types_of_account(target.limits, kind);
    let change = of_sheet.change_of(media_type);
    let is_taken = is_taken(target.sheet, target.limits, kind, media_type);
    let (finding, outcome) = match (is_taken, of_sheet.others, change) {
        (false, Reaction::Refuses, _) => (Some(other), ""),
        (false, Reaction::Warns(outcome), _) => (Some(other), outcome),
        (true, _, Some(outcome)) => (changed, outcome),
        (true, _, None) => (None, ""),
    };
    if let Some(finding) = finding {
        let detail = Detail::FileType {
            found: Some(media_type.to_owned().into()),
            allowed: if of_account.is_empty() {
                taken_of(of_sheet).map(Word::Borrowed).collect()
            } else {
                of_account.into_iter().map(Word::Owned).collect()
            },
            place: Place::File(file),
            kind: kind.one().into(),
            outcome: outcome.into(),
        };
        on.report(finding, detail);
    }
    is_taken
}

/// Whether a canonical type is taken, be it to be changed: by the account where it says so, and by
/// the sheet otherwise.
pub(super) fn is_taken(
    sheet: &CapabilitySheet,
    limits: &AccountLimits,
    kind: MediaKind,
    media_type: &str,
) -> bool {
    let of_account = types_of_account(limits, kind);
    if of_account.is_empty() {
        let of_sheet = sheet.types_of(kind);
        return of_sheet.has(media_type) || of_sheet.change_of(media_type).is_some();
    }
    of_account.iter().any(|taken| taken == media_type)
}

/// The types of a kind that the account says it takes; empty where it says nothing of them.
fn types_of_account(limits: &AccountLimits, kind: MediaKind) -> Vec<String> {
    let start = match kind {
        MediaKind::Image => "image/",
        MediaKind::Video => "video/",
        // No network says of an account which documents it takes.
        MediaKind::Document => return Vec::new(),
    };
    let types = limits.media_types.iter().flatten();
    let types = types.map(|taken| canonical_media_type(taken));
    types.filter(|taken| taken.starts_with(start)).collect()
}

fn check_gif(
    on: &mut OfTarget<'_, '_>,
    target: &TargetView<'_>,
    file: usize,
    finding: Option<Finding>,
) {
    let Some(finding) = finding else { return };
    let is_alone = target.draft.media.len() == 1;
    match target.sheet.media.gif {
        GifPlay::StandsStill => on.report(finding, Detail::StillPicture { file }),
        GifPlay::StandsStillInCarousel if !is_alone => {
            on.report(finding, Detail::StillPicture { file });
        }
        GifPlay::RatherAlone | GifPlay::Alone if !is_alone => {
            on.report(finding, Detail::AnimationBesideOthers { file });
        }
        GifPlay::Plays | GifPlay::RatherAlone | GifPlay::Alone | GifPlay::StandsStillInCarousel => {
        }
    }
}

/// The types that a sheet takes, those that are changed last.
fn taken_of(types: &FileTypes) -> impl Iterator<Item = &'static str> + use<> {
    let changed = types.changed.iter().map(|(changed, _)| *changed);
    types.taken.iter().copied().chain(changed)
}
