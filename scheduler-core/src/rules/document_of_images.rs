//! Images that become the pages of one document.

use super::inspection::OfTarget;
use super::{Detail, Fit, Place, Rule};

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let Some(pages) = on.sheet.media.documents.pages else { return };
    let Some(option) = on.sheet.option(pages.option) else { return };
    let (key, subject) = (option.key, option.subject);
    let not_made = on.error(
        (subject, "not_made"),
        format_args!("{key} is set, and an image cannot be made into a page."),
    );
    let alt_text = on.warning(
        (subject, "alt_text"),
        format_args!("{key} is set, and an image has an alternative text, which is left out."),
    );
    let Some(target) = on.subject().filter(|target| target.pages.is_some()) else { return };
    for (index, (file, fit)) in target.draft.media.iter().zip(&target.fits).enumerate() {
        if let Fit::Impossible(reason) = fit
            && file.kind.is_image()
        {
            let place = Place::File(index);
            on.report(not_made, Detail::NotConverted { place, reason: *reason });
        }
    }
    let mut texts = target.draft.alt_texts.iter();
    if target.images > 0 && texts.any(|text| text.as_deref().is_some_and(|text| !text.is_empty())) {
        let sentence =
            "{name} keeps no alternative texts of the pages of a document; they are left out.";
        on.report(alt_text, Detail::note_of(key, sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use super::super::{MediaFacts, MediaKind};
    use crate::platform::Platform;

    #[test]
    fn what_becomes_a_document_of_images() {
        let gif = || MediaFacts {
            mime_type: Some("image/gif".to_owned()),
            frame_count: Some(9),
            ..image()
        };
        let broad = || MediaFacts { width: Some(4_000), height: Some(1_000), ..image() };
        let huge = || MediaFacts { width: Some(10_000), height: Some(10_000), ..image() };
        let svg = || MediaFacts { mime_type: Some("image/svg+xml".to_owned()), ..image() };
        for (name, files, alt_text, want) in [
            ("one image", vec![image()], "", ""),
            ("as many as a post has", vec![image(); 35], "", ""),
            ("an image of another shape", vec![broad()], "", ""),
            ("an animation", vec![gif()], "", "media.converted"),
            ("an alternative text", vec![image()], "A house", "images_as_document.alt_text"),
            (
                "too many pixels",
                vec![huge()],
                "",
                "media.not_converted media.too_many_pixels images_as_document.not_made",
            ),
            (
                "a type that is not read",
                vec![svg()],
                "",
                "media.type_not_supported images_as_document.not_made",
            ),
            ("a video", vec![image(), video()], "", "media.mixed"),
            (
                "a document",
                vec![MediaFacts::of_kind(MediaKind::Document)],
                "",
                "images_as_document.no_effect",
            ),
        ] {
            let options = json!({ "imagesAsDocument": true, "documentTitle": "Sketches" });
            let mut post = Post::new("Look").to(Platform::Linkedin, options);
            post.media = files;
            if !alt_text.is_empty() {
                post.alt_texts = vec![Some(alt_text.to_owned())];
            }
            let found = post.issues("");
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("linkedin.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }

    #[test]
    fn without_the_option_images_stay_images() {
        let mut post = Post::new("Look").to(Platform::Linkedin, json!({"imagesAsDocument": false}));
        post.media = vec![image(); 21];
        let found = post.issues("");
        assert_eq!(
            found.iter().map(|issue| &*issue.rule).collect::<Vec<_>>(),
            ["linkedin.media.too_many"]
        );
    }
}
