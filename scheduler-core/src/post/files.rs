//! The bounds of the files of a post, of those of its targets, and of what is said of them.

use super::bounds::{check_characters, check_link, check_text};
use super::input::TargetInput;
use super::{ALT_TEXT_MAX_CHARACTERS, MEDIA_MAX_COUNT};
use crate::error::{Invalid, Refusal};
use crate::ids::MediaId;
use crate::platform::{FileDetails, UserTag};
use crate::target::TargetFiles;

/// Characters that a text of a file of a target holds at most; the network's bound is lower.
///
/// Ours: the longest that a network takes is 10 000, an alternative text on some Mastodon
/// instances.
pub(super) const DETAIL_MAX_CHARACTERS: usize = 10_000;

/// People that are named in one file at most; the network's bound is lower.
///
/// Ours: Instagram takes 20.
const USER_TAGS_MAX: usize = 50;

/// Checks how many files a post has, and that each is there once.
///
/// # Errors
/// `invalid_request` naming the field.
pub(super) fn check_media_ids(media: &[MediaId]) -> Result<(), Refusal> {
    let count = media.len();
    if count == 0 || count > MEDIA_MAX_COUNT {
        return Err(Refusal::invalid(
            "mediaIds",
            format!(
                "mediaIds holds {count} files, the limits are 1 and {MEDIA_MAX_COUNT}; leave it out for a post without files."
            ),
        ));
    }
    refuse_repeated("mediaIds", media)
}

/// Checks the files of a target, and what it says of them.
///
/// # Errors
/// `invalid_request` naming the field.
pub(super) fn check(index: usize, target: &TargetInput) -> Result<(), Refusal> {
    if let Some(media) = target.media_ids.value() {
        let field = format!("targets[{index}].mediaIds");
        let count = media.len();
        if count > MEDIA_MAX_COUNT {
            let message =
                format!("The target has {count} files of its own, the limit is {MEDIA_MAX_COUNT}.");
            return Err(Refusal::invalid(field, message));
        }
        refuse_repeated(&field, media)?;
    }
    let Some(files) = target.files.value() else { return Ok(()) };
    let field = format!("targets[{index}].files");
    if files.len() > MEDIA_MAX_COUNT {
        let message =
            format!("{} files are described, the limit is {MEDIA_MAX_COUNT}.", files.len());
        return Err(Refusal::invalid(field, message));
    }
    files.iter().try_for_each(|(id, details)| check_details(&format!("{field}.{id}"), details))
}

/// Refuses words about a file that a target does not have; `of_post` are the files of its post.
///
/// # Errors
/// `invalid_request` naming the file.
pub(crate) fn check_described(
    index: usize,
    files: &TargetFiles,
    of_post: &[MediaId],
) -> Result<(), Refusal> {
    let ids = files.media_ids.as_deref().unwrap_or(of_post);
    match files.details.keys().find(|id| !ids.contains(id)) {
        Some(id) => Err(Refusal::invalid(
            format!("targets[{index}].files.{id}"),
            "The target does not have this file: name it in mediaIds of the target or of the post.",
        )),
        None => Ok(()),
    }
}

fn refuse_repeated(field: &str, media: &[MediaId]) -> Result<(), Refusal> {
    let repeated = media.iter().enumerate().find(|(index, id)| media[..*index].contains(id));
    if let Some((index, _)) = repeated {
        return Err(Refusal::invalid(
            format!("{field}[{index}]"),
            "The same file is listed twice.",
        ));
    }
    Ok(())
}

fn check_details(field: &str, details: &FileDetails) -> Result<(), Refusal> {
    let texts = [
        ("altText", &details.alt_text),
        ("title", &details.title),
        ("description", &details.description),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            check_text(&format!("{field}.{name}"), text, DETAIL_MAX_CHARACTERS)?;
        }
    }
    if let Some(link) = &details.link {
        check_link(&format!("{field}.link"), link)?;
    }
    if let Some(focus) = details.focus
        && !(is_within(focus.x, -1.0) && is_within(focus.y, -1.0))
    {
        let message = "x and y are each from -1 to 1, counted from the centre.";
        return Err(Refusal::invalid(format!("{field}.focus"), message));
    }
    check_user_tags(&format!("{field}.userTags"), &details.user_tags)
}

fn check_user_tags(field: &str, tags: &[UserTag]) -> Result<(), Refusal> {
    if tags.len() > USER_TAGS_MAX {
        let message = format!("{} people are named, the limit is {USER_TAGS_MAX}.", tags.len());
        return Err(Refusal::invalid(field, message));
    }
    for (index, tag) in tags.iter().enumerate() {
        check_text(&format!("{field}[{index}].username"), &tag.username, DETAIL_MAX_CHARACTERS)?;
        let is_placed = match (tag.x, tag.y) {
            (None, None) => true,
            (Some(x), Some(y)) => is_within(x, 0.0) && is_within(y, 0.0),
            _ => false,
        };
        if !is_placed {
            let message = "Send both x and y, each from 0 to 1, counted from the upper left corner, or neither.";
            return Err(Refusal::invalid(format!("{field}[{index}]"), message));
        }
    }
    Ok(())
}

/// Whether a part of a picture's side is from `least` to 1.
fn is_within(part: f64, least: f64) -> bool {
    (least..=1.0).contains(&part)
}

/// Checks the length of each alt text.
///
/// # Errors
/// `invalid_request` naming the entry.
pub(super) fn check_alt_texts(texts: &[Option<String>]) -> Result<(), Refusal> {
    for (index, text) in texts.iter().enumerate() {
        if let Some(text) = text {
            check_characters(&format!("altTexts[{index}]"), text)?;
        }
        let length = text.as_ref().map_or(0, |text| text.chars().count());
        if length > ALT_TEXT_MAX_CHARACTERS {
            let problem = Invalid::too_long("The alt text", length, ALT_TEXT_MAX_CHARACTERS);
            return Err(Refusal::invalid(format!("altTexts[{index}]"), problem));
        }
    }
    if texts.len() > MEDIA_MAX_COUNT {
        return Err(Refusal::invalid(
            "altTexts",
            format!("altTexts holds {} texts, the limit is {MEDIA_MAX_COUNT}.", texts.len()),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::PostInput;

    const ID: &str = "00000000-0000-0000-0000-000000000001";

    fn refused(target: Value) -> Option<String> {
        let mut fields = json!({"platform": "instagram"});
        fields.as_object_mut().unwrap().extend(target.as_object().unwrap().clone());
        let input: PostInput = serde_json::from_value(json!({"targets": [fields]})).unwrap();
        input.check_bounds().err().and_then(|refusal| refusal.field)
    }

    #[test]
    fn bounds_of_the_files_of_a_target() {
        let ids =
            |count: u8| (0..count).map(|n| format!("{}{n:02}", &ID[..34])).collect::<Vec<_>>();
        let many: serde_json::Map<String, Value> =
            ids(36).into_iter().map(|id| (id, json!({}))).collect();
        for (name, target, want) in [
            ("nothing", json!({}), None),
            ("those of the post", json!({"mediaIds": null, "files": null}), None),
            ("none", json!({"mediaIds": []}), None),
            ("35 files", json!({"mediaIds": ids(35)}), None),
            ("36 files", json!({"mediaIds": ids(36)}), Some("targets[0].mediaIds")),
            ("a file twice", json!({"mediaIds": [ID, ID]}), Some("targets[0].mediaIds[1]")),
            ("36 described", json!({"files": many}), Some("targets[0].files")),
        ] {
            assert_eq!(refused(target).as_deref(), want, "{name}");
        }
    }

    #[test]
    fn bounds_of_what_a_target_says_of_a_file() {
        let tag = |fields: Value| json!({"userTags": [fields]});
        let text = |count: usize| json!({"altText": "é".repeat(count)});
        for (name, details, want) in [
            ("nothing", json!({}), None),
            ("a long text", text(10_000), None),
            ("one character more", text(10_001), Some("altText")),
            ("a NUL in the title", json!({"title": "a\0b"}), Some("title")),
            ("a link", json!({"link": "https://example.com/a"}), None),
            ("no link", json!({"link": "example.com"}), Some("link")),
            ("the corner", json!({"focus": {"x": -1, "y": 1}}), None),
            ("beyond it", json!({"focus": {"x": -1.01, "y": 1}}), Some("focus")),
            ("a tag", tag(json!({"username": "a"})), None),
            ("a tag with a place", tag(json!({"username": "a", "x": 0, "y": 1})), None),
            ("half a place", tag(json!({"username": "a", "x": 0})), Some("userTags[0]")),
            (
                "off the picture",
                tag(json!({"username": "a", "x": 0, "y": 1.1})),
                Some("userTags[0]"),
            ),
            ("51 tags", json!({"userTags": vec![json!({"username": "a"}); 51]}), Some("userTags")),
        ] {
            let want = want.map(|field| format!("targets[0].files.{ID}.{field}"));
            assert_eq!(refused(json!({"files": {ID: details}})), want, "{name}");
        }
    }
}
