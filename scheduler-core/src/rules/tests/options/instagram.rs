//! Options of Instagram.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Instagram,
        Files::Video,
        &[
            ("placement", json!(null), ""),
            ("placement", json!(true), "!placement.wrong_type"),
            ("placement", json!(5), "!placement.wrong_type"),
            ("placement", json!("text"), "!placement.not_allowed"),
            ("placement", json!([]), "!placement.wrong_type"),
            ("placement", json!({}), "!placement.wrong_type"),
            ("placement", json!("feed"), "placement.single_video"),
            ("placement", json!("reel"), ""),
            ("placement", json!("story"), "placement.no_caption"),
            ("placement", json!(""), "!placement.not_allowed"),
            ("placement", json!("Reel"), "!placement.not_allowed"),
            ("placement", json!("wall"), "!placement.not_allowed"),
            ("shareToFeed", json!(null), ""),
            ("shareToFeed", json!(true), ""),
            ("shareToFeed", json!(5), "!share_to_feed.wrong_type"),
            ("shareToFeed", json!("text"), "!share_to_feed.wrong_type"),
            ("shareToFeed", json!([]), "!share_to_feed.wrong_type"),
            ("shareToFeed", json!({}), "!share_to_feed.wrong_type"),
            ("shareToFeed", json!(false), ""),
            ("shareToFeed", json!("true"), "!share_to_feed.wrong_type"),
            ("shareToFeed", json!(1), "!share_to_feed.wrong_type"),
            ("collaborators", json!(null), ""),
            ("collaborators", json!(true), "!collaborators.wrong_type"),
            ("collaborators", json!(5), "!collaborators.wrong_type"),
            ("collaborators", json!("text"), "!collaborators.wrong_type"),
            ("collaborators", json!([]), ""),
            ("collaborators", json!({}), "!collaborators.wrong_type"),
            ("collaborators", json!(["a", "@b", "c.d_9"]), ""),
            ("collaborators", json!(["a", "b", "c", "d"]), "!collaborators.too_many"),
            ("collaborators", json!(["a".repeat(30)]), ""),
            ("collaborators", json!(["@".to_owned() + &"a".repeat(30)]), ""),
            ("collaborators", json!(["a".repeat(31)]), "!collaborators.malformed"),
            ("collaborators", json!([""]), "!collaborators.malformed"),
            ("collaborators", json!(["@"]), "!collaborators.malformed"),
            ("collaborators", json!(["a b"]), "!collaborators.malformed"),
            ("collaborators", json!(["é"]), "!collaborators.malformed"),
            ("collaborators", json!([1]), "!collaborators.wrong_type"),
            ("collaborators", json!([null]), "!collaborators.wrong_type"),
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
