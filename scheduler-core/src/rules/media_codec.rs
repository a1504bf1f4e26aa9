//! How videos are coded.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule};
use crate::media::VideoCodec;
use crate::platform::{CapabilitySheet, Codecs, Reaction};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let Codecs { taken, others, warns_of_unknown } = sheet.media.codecs;
    if taken.is_empty() || !sheet.takes(MediaKind::Video) {
        return;
    }
    for (index, media) in target.draft.media.iter().enumerate() {
        if warns_of_unknown && media.kind == MediaKind::Video && media.video_codec.is_none() {
            issues.warning(
                "media.codec_unknown",
                format!(
                    "How file {} is coded is not known; {} takes {}.",
                    index + 1,
                    sheet.short_name,
                    names(taken)
                ),
            );
        }
        let unlisted = media.video_codec.filter(|codec| !taken.contains(codec));
        let Some(codec) = unlisted.map(VideoCodec::name) else { continue };
        let (number, taken) = (index + 1, names(taken));
        match others {
            Reaction::Refuses => issues.error(
                "media.codec_not_supported",
                format!("File {number} is coded as {codec}; {} takes {taken}.", sheet.short_name),
            ),
            Reaction::Warns(sentence) => issues.warning(
                "media.unusual_codec",
                format!("File {number} is coded as {codec}. {sentence}"),
            ),
        }
    }
}

fn names(codecs: &[VideoCodec]) -> String {
    let names: Vec<&str> = codecs.iter().map(|codec| codec.name()).collect();
    match names.as_slice() {
        [first @ .., before, last] => {
            let listed: Vec<&str> = first.iter().copied().chain([*before]).collect();
            format!("{} or {last}", listed.join(", "))
        }
        few => few.join(", "),
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let Codecs { taken, others, warns_of_unknown } = sheet.media.codecs;
    if taken.is_empty() || !sheet.takes(MediaKind::Video) {
        return;
    }
    let sentence = format!("A video is coded otherwise than as {}.", names(taken));
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
