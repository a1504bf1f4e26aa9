//! The words of single cards of a carousel on Pinterest.

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::{FileDetail, Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Most characters of the title, the description and the link of a card.
///
/// Source: developers.pinterest.com, API v5, `PinMediaSourceImagesBase64.items`, which names no
/// bounds: those of a Pin.
const CARD: [(FileDetail, usize); 3] =
    [(FileDetail::Title, 100), (FileDetail::Description, 800), (FileDetail::Link, 2048)];

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Pinterest {
        return;
    }
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
                on.report(
                    alone,
                    Detail::note_of_file(format!("{name} counts on the cards of a carousel only.")),
                );
            } else if let Some(found) = count::over(TextUnit::CodePoints, text, most) {
                on.report(too_long, Detail::note_of_file(format!(
                    "{name} of file {number} is {found} characters for {{name}}, the limit is {most}."
                )));
            }
        }
    }
}
