//! The cover of a Pin: of a video, and of several images.

use std::cmp::Ordering;

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule::Target(rule);

const MOMENT: &str = "coverTimestampMs";

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Pinterest {
        return;
    }
    let both = on.error(
        ("cover_timestamp_ms", "with_thumbnail"),
        "The cover is an image and a moment of the video at once.",
    );
    let rounded = on.warning(
        ("cover_timestamp_ms", "rounded"),
        "The moment of the cover is no whole second; what is beyond it is left out.",
    );
    let beyond = on.warning(
        ("cover_timestamp_ms", "beyond"),
        "The moment of the cover is past the end of the video, whose last picture is shown.",
    );
    let no_image =
        on.error(("cover_index", "no_image"), "coverIndex is none of the images of the Pin.");
    let Some(target) = on.subject() else { return };
    let number = |key| target.option(key).and_then(Value::as_u64);
    if let Some(moment) = number(MOMENT).filter(|_| target.videos > 0) {
        if target.option("thumbnailMediaId").is_some() {
            let sentence =
                "The cover is thumbnailMediaId or coverTimestampMs: leave one of them out.";
            on.report(both, Detail::note_of(MOMENT, sentence));
        }
        if !moment.is_multiple_of(1_000) {
            let sentence = "{name} counts whole seconds; the rest of coverTimestampMs is left out.";
            on.report(rounded, Detail::note_of(MOMENT, sentence));
        }
        if target.against_end(moment).is_some_and(Ordering::is_gt) {
            let sentence =
                "coverTimestampMs is past the end of the video; {name} shows its last picture.";
            on.report(beyond, Detail::note_of(MOMENT, sentence));
        }
    }
    let is_there = |index: u64| usize::try_from(index).is_ok_and(|index| index < target.images);
    if target.images > 0 && number("coverIndex").is_some_and(|index| !is_there(index)) {
        let sentence = "coverIndex names none of the images; 0 is the first.";
        on.report(no_image, Detail::note_of("coverIndex", sentence));
    }
}
