//! How videos are coded.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaKind, Rule, phrase};
use crate::platform::{CapabilitySheet, Codecs, Reaction};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let Codecs { taken, others, warns_of_unknown } = sheet.media.codecs;
    if taken.is_empty() || !sheet.takes(MediaKind::Video) {
        return;
    }
    for (file, media) in target.draft.media.iter().enumerate() {
        let of_file = |found, outcome: &'static str| Detail::Codec {
            found,
            allowed: taken.to_vec(),
            file,
            outcome: outcome.into(),
        };
        if warns_of_unknown && media.kind == MediaKind::Video && media.video_codec.is_none() {
            issues.warning("media.codec_unknown", of_file(None, ""));
        }
        let unlisted = media.video_codec.filter(|codec| !taken.contains(codec));
        match (unlisted, others) {
            (None, _) => {}
            (found, Reaction::Refuses) => {
                issues.error("media.codec_not_supported", of_file(found, ""));
            }
            (found, Reaction::Warns(sentence)) => {
                issues.warning("media.unusual_codec", of_file(found, sentence));
            }
        }
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let Codecs { taken, others, warns_of_unknown } = sheet.media.codecs;
    if taken.is_empty() || !sheet.takes(MediaKind::Video) {
        return;
    }
    let sentence = format!("A video is coded otherwise than as {}.", phrase::codecs(taken));
    if warns_of_unknown {
        list.warning("media.codec_unknown", "How a video is coded is not known.");
    }
    match others {
        Reaction::Refuses => list.error("media.codec_not_supported", sentence),
        Reaction::Warns(reason) => {
            list.warning("media.unusual_codec", format!("{sentence} {reason}"));
        }
    }
}
