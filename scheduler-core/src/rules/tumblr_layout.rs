//! How a Tumblr post is laid out: which images stand in a row, and where "Read more" stands.

use serde_json::Value;

use super::draft::TargetView;
use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::text::tumblr;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tumblr {
        return;
    }
    check_rows(on);
    check_read_more(on);
}

fn check_rows(on: &mut OfTarget<'_, '_>) {
    let video = on.error(("image_rows", "video"), "imageRows names a file that is no image.");
    let incomplete = on.error(
        ("image_rows", "incomplete"),
        "imageRows leaves an image out, or names one twice or one that is not there.",
    );
    let Some(target) = on.subject() else { return };
    let Some(rows) = rows(target).filter(|_| target.images > 0) else { return };
    let is_image =
        |place: &usize| target.media.get(*place).is_some_and(|file| file.kind.is_image());
    let mut named: Vec<usize> = rows.into_iter().flatten().collect();
    if named.iter().any(|place| *place < target.media.len() && !is_image(place)) {
        let sentence = "imageRows holds images only; leave out the place of the video.";
        on.report(video, Detail::note_of("imageRows", sentence));
        return;
    }
    named.sort_unstable();
    if !named.into_iter().eq((0..target.media.len()).filter(is_image)) {
        let sentence = "imageRows names each image once, by its place among the files from 0.";
        on.report(incomplete, Detail::note_of("imageRows", sentence));
    }
}

fn check_read_more(on: &mut OfTarget<'_, '_>) {
    let nothing = on.error(
        ("read_more_after", "nothing_below"),
        "readMoreAfter is no less than the paragraphs of the text, so that nothing would stand below \"Read more\".",
    );
    let Some(target) = on.subject() else { return };
    let after = target.option("readMoreAfter").and_then(Value::as_u64);
    let Some(after) = after.and_then(|after| usize::try_from(after).ok()) else { return };
    let paragraphs = tumblr::blocks_of_paragraphs(target.composed.text()).len();
    if after >= paragraphs {
        let sentence =
            format!("The text has {paragraphs} paragraphs, so readMoreAfter is less than that.");
        on.report(
            nothing,
            Detail::Note { option: Some("readMoreAfter".into()), sentence: sentence.into() },
        );
    }
}

/// The rows of images; `None` where they are not of their type, which is another rule's matter.
fn rows(target: &TargetView<'_>) -> Option<Vec<Vec<usize>>> {
    target.option("imageRows").and_then(|rows| serde_json::from_value(rows.clone()).ok())
}
