//! Options of TikTok.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Tiktok,
        Files::Video,
        &[
            ("privacy", json!(null), "!privacy.missing"),
            ("privacy", json!(true), "!privacy.wrong_type"),
            ("privacy", json!(5), "!privacy.wrong_type"),
            ("privacy", json!("text"), "!privacy.not_allowed"),
            ("privacy", json!([]), "!privacy.wrong_type"),
            ("privacy", json!({}), "!privacy.wrong_type"),
            ("privacy", json!("PUBLIC_TO_EVERYONE"), ""),
            ("privacy", json!("MUTUAL_FOLLOW_FRIENDS"), ""),
            ("privacy", json!("FOLLOWER_OF_CREATOR"), ""),
            ("privacy", json!("SELF_ONLY"), ""),
            ("privacy", json!(""), "!privacy.not_allowed"),
            ("privacy", json!("public"), "!privacy.not_allowed"),
            ("privacy", json!("self_only"), "!privacy.not_allowed"),
            ("allowComments", json!(null), ""),
            ("allowComments", json!(true), ""),
            ("allowComments", json!(5), "!allow_comments.wrong_type"),
            ("allowComments", json!("text"), "!allow_comments.wrong_type"),
            ("allowComments", json!([]), "!allow_comments.wrong_type"),
            ("allowComments", json!({}), "!allow_comments.wrong_type"),
            ("allowComments", json!(false), ""),
            ("allowComments", json!("true"), "!allow_comments.wrong_type"),
            ("allowComments", json!(1), "!allow_comments.wrong_type"),
            ("asDraft", json!(null), ""),
            ("asDraft", json!(true), "privacy.draft as_draft.no_caption"),
            ("asDraft", json!(5), "!as_draft.wrong_type"),
            ("asDraft", json!("text"), "!as_draft.wrong_type"),
            ("asDraft", json!([]), "!as_draft.wrong_type"),
            ("asDraft", json!({}), "!as_draft.wrong_type"),
            ("asDraft", json!(false), ""),
            ("asDraft", json!("true"), "!as_draft.wrong_type"),
            ("asDraft", json!(1), "!as_draft.wrong_type"),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(2200)), ""),
            ("caption", json!("a".repeat(2201)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
