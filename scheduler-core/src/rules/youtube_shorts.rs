//! Videos that say that they are Shorts and do not become any.

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::text::entities;

/// Longest Short, in seconds.
///
/// Source: <https://support.google.com/youtube/answer/15424877>.
const SECONDS_MAX: f64 = 180.0;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Youtube {
        return;
    }
    let no_short = on.warning(
        ("media", "no_short"),
        format_args!(
            "Title or text say #Shorts, and the video is wider than high or longer than {SECONDS_MAX} seconds."
        ),
    );
    let Some(target) = on.subject() else { return };
    let title = target.option("title").and_then(|title| title.as_str()).unwrap_or_default();
    let finders = entities::Finders::of(on.sheet.platform);
    let said = [title, target.composed.text()];
    let says_so = said.iter().any(|text| {
        let mut tags = (finders.hashtags)(text).into_iter();
        tags.any(|tag| text[tag].eq_ignore_ascii_case("#shorts"))
    });
    let Some(video) = target.media.first().filter(|_| says_so) else { return };
    let is_wide = video.width.zip(video.height).is_some_and(|(width, height)| width > height);
    let is_long = video.duration_seconds.is_some_and(|seconds| seconds > SECONDS_MAX);
    let sentence = match (is_wide, is_long) {
        (true, _) => "The video does not become a Short: it is wider than high.",
        (false, true) => "The video does not become a Short: it is longer than three minutes.",
        (false, false) => return,
    };
    on.report(no_short, Detail::Note { option: None, sentence: sentence.into() });
}
