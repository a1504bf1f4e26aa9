//! What goes with what in a message of Telegram.

use super::inspection::OfTarget;
use super::{Detail, Place, Rule};
use crate::platform::{Platform, Poll, TextUnit};
use crate::text::count;
use crate::text::telegram_html::HtmlError;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Code points of the text that explains a poll.
///
/// Source: <https://core.telegram.org/bots/api#sendpoll>, `description`.
const DESCRIPTION_LIMIT: usize = 1_024;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Telegram {
        return;
    }
    let wrong_tags = on.error(
        ("formatting", "malformed"),
        "The text is read with tags, and holds one that Telegram does not know or that is not closed.",
    );
    let no_forum = on.error(
        ("topic_id", "no_forum"),
        "The post has a topicId, and its chat is known to have no topics.",
    );
    let of_album =
        on.error(("buttons", "with_album"), "The post has buttons and more than one file.");
    let too_long = on.error(
        ("poll", "text_too_long"),
        format_args!(
            "The text beside a poll with a question of its own has more than {DESCRIPTION_LIMIT} characters."
        ),
    );
    let Some(target) = on.subject() else { return };
    if let Some(HtmlError { at, what }) = &target.composed.wrong_tags {
        let sentence = format!("The tags of the text cannot be read: {what} (at character {at}).");
        let option = Some("formatting".into());
        on.report(wrong_tags, Detail::Note { option, sentence: sentence.into() });
    }
    if target.limits.has_topics == Some(false) && target.option("topicId").is_some() {
        let sentence = "This chat has no topics: leave topicId out.";
        on.report(no_forum, Detail::note_of("topicId", sentence));
    }
    if target.draft.media.len() > 1 && target.option("buttons").is_some() {
        let sentence = "{name} shows buttons below a text or one file, not below several.";
        on.report(of_album, Detail::note_of("buttons", sentence));
    }
    let asks = Poll::of(&target.options).and_then(|poll| poll.question);
    if asks.is_some_and(|question| !question.trim().is_empty())
        && target.draft.media.is_empty()
        && let unit = TextUnit::CodePoints
        && let Some(length) = count::over(unit, target.composed.text(), DESCRIPTION_LIMIT)
    {
        on.report(too_long, Detail::too_long(unit, length, DESCRIPTION_LIMIT, Place::Text));
    }
}
