//! How videos are coded.

use std::fmt;

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule, phrase};
use crate::platform::{Codecs, Reaction};

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let Codecs { taken, others, warns_of_unknown } = on.sheet.media.codecs;
    if taken.is_empty() || !on.sheet.takes(MediaKind::Video) {
        return;
    }
    let unknown = warns_of_unknown
        .then(|| on.warning(("media", "codec_unknown"), "How a video is coded is not known."));
    let taken_names = fmt::from_fn(|f| f.write_str(&phrase::codecs(taken)));
    let (unlisted, outcome) = match others {
        Reaction::Refuses => {
            let when = format_args!("A video is coded otherwise than as {taken_names}.");
            (on.error(("media", "codec_not_supported"), when), "")
        }
        Reaction::Warns(outcome) => {
            let when = format_args!("A video is coded otherwise than as {taken_names}. {outcome}");
            (on.warning(("media", "unusual_codec"), when), outcome)
        }
    };
    let Some(target) = on.subject() else { return };
    for (file, media) in target.media.iter().enumerate() {
        let of_file = |found, outcome: &'static str| Detail::Codec {
            found,
            allowed: taken.to_vec(),
            file,
            outcome: outcome.into(),
        };
        let is_unknown = media.kind == MediaKind::Video && media.video_codec.is_none();
        if let Some(unknown) = unknown.filter(|_| is_unknown) {
            on.report(unknown, of_file(None, ""));
        }
        if let Some(codec) = media.video_codec.filter(|codec| !taken.contains(codec)) {
            on.report(unlisted, of_file(Some(codec), outcome));
        }
    }
}
