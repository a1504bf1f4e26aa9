//! What posts disclose, and targets set themselves.

use scheduler_core::platform::{Disclosed, Platform};
use serde_json::json;

use crate::case::{Case, image, text, video};

pub(super) fn cases() -> Vec<Case> {
    let ai = [Disclosed::AiGenerated];
    let set = json!({"aiGenerated": true});
    let not_set = json!({"aiGenerated": false});
    vec![
        text("everything is disclosed", "Hello").disclosing(&Disclosed::ALL),
        text("made by AI", "Hello").disclosing(&ai),
        text("a paid partnership", "Hello").disclosing(&[Disclosed::PaidPartnership]),
        text("an own brand", "Hello").disclosing(&[Disclosed::OwnBrand]),
        text("made by AI, with a picture", "Hello").media([image()]).disclosing(&ai),
        text("made by AI, with a video", "Hello").media([video()]).disclosing(&ai),
        text("made by AI, as the target says", "Hello").disclosing(&ai).with_wherever_known(&set),
        text("made by AI, as the target denies", "Hello")
            .disclosing(&ai)
            .with_wherever_known(&not_set),
        text("brands that the target names", "Hello")
            .disclosing(&[Disclosed::PaidPartnership, Disclosed::OwnBrand])
            .with(Platform::Tiktok, json!({"commercialContent": ["ownBrand", "brandedContent"]})),
    ]
}
