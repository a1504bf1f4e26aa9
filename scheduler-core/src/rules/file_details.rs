//! What a target says of its files, as far as the network shows it.

use super::inspection::OfTarget;
use super::option_items::is_user_name;
use super::option_shape::shortened;
use super::{Detail, MediaKind, Rule};
use crate::platform::{FileDetail, Placement, Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Most characters of the title and of the description of a card of a carousel on Pinterest, and
/// of its link.
///
/// Source: developers.pinterest.com, API v5, `PinMediaSourceImagesBase64.items`, which names no
/// bounds: those of a Pin.
const CARD: [(FileDetail, usize); 3] =
    [(FileDetail::Title, 100), (FileDetail::Description, 800), (FileDetail::Link, 2048)];

/// Most people who are named in one file on Instagram.
///
/// Source: developers.facebook.com, Instagram Platform, "Publish content": 20 tags a post.
const USER_TAGS_MAX: usize = 20;

/// Most characters of the name of an account of Instagram.
///
/// Source: help.instagram.com, "Your username".
const NAME_MAX: u32 = 30;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.max_media_per_post == 0 {
        return;
    }
    let shown = on.sheet.media.details;
    let no_effect = on.warning(
        ("files", "no_effect"),
        "A target says something of a file that the network does not show.",
    );
    if let Some(target) = on.subject() {
        for detail in FileDetail::ALL.into_iter().filter(|detail| !shown.contains(detail)) {
            if target.details.iter().any(|file| detail.is_given(file)) {
                on.report(
                    no_effect,
                    note(format!(
                        "{{name}} shows no {} of a file; it is left out.",
                        detail.as_str()
                    )),
                );
            }
        }
    }
    match on.sheet.platform {
        Platform::Pinterest => look_at_cards(on),
        Platform::Instagram => look_at_user_tags(on),
        _ => {}
    }
}

fn look_at_cards(on: &mut OfTarget<'_, '_>) {
    let alone = on.warning(
        ("files", "not_a_carousel"),
        "A single file has a title, a description or a link of its own.",
    );
    let too_long = on.error(
        ("files", "too_long"),
        "A title, a description or a link of a card of a carousel is too long.",
    );
    let Some(target) = on.subject() else { return };
    for (index, file) in target.details.iter().enumerate() {
        let texts = [&file.title, &file.description, &file.link];
        for ((detail, most), text) in CARD.into_iter().zip(texts) {
            let Some(text) = text else { continue };
            let (number, name) = (index + 1, detail.as_str());
            if target.media.len() < 2 {
                on.report(alone, note(format!("{name} counts on the cards of a carousel only.")));
            } else if let Some(found) = count::over(TextUnit::CodePoints, text, most) {
                on.report(too_long, note(format!(
                    "{name} of file {number} is {found} characters for {{name}}, the limit is {most}."
                )));
            }
        }
    }
}

fn look_at_user_tags(on: &mut OfTarget<'_, '_>) {
    let too_many = on.error(
        ("files", "too_many_tags"),
        format_args!("More than {USER_TAGS_MAX} people are tagged in a file."),
    );
    let unplaced =
        on.error(("files", "tag_without_place"), "Somebody is tagged in an image without x and y.");
    let placed = on.warning(
        ("files", "tag_with_place"),
        "Somebody is tagged in a video with x and y, which are left out.",
    );
    let malformed = on.error(("files", "malformed_name"), "A tag names no account.");
    let Some(target) = on.subject() else { return };
    let is_story = target.placement == Placement::Story;
    for (index, (file, details)) in target.media.iter().zip(target.details).enumerate() {
        let (tags, number) = (&details.user_tags, index + 1);
        if tags.len() > USER_TAGS_MAX {
            let found = tags.len();
            on.report(
                too_many,
                note(format!(
                    "{found} people are tagged in file {number}, the limit is {USER_TAGS_MAX}."
                )),
            );
        }
        for tag in tags.iter().filter(|tag| !is_user_name(&tag.username, NAME_MAX)) {
            let name = shortened(&tag.username);
            on.report(malformed, note(format!(
                "userTags of file {number}: \"{name}\" is not a user name of at most {NAME_MAX} characters."
            )));
        }
        if file.kind == MediaKind::Image && !is_story && tags.iter().any(|tag| tag.x.is_none()) {
            on.report(
                unplaced,
                note(format!(
                    "userTags of file {number}, an image, need x and y, each from 0 to 1."
                )),
            );
        } else if file.kind == MediaKind::Video && tags.iter().any(|tag| tag.x.is_some()) {
            on.report(
                placed,
                note(format!("userTags of file {number}, a video, go without x and y.")),
            );
        }
    }
}

fn note(sentence: String) -> Detail {
    Detail::Note { option: None, sentence: sentence.into() }
}
