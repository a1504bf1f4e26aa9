//! Options of Bluesky.

use serde_json::json;

use super::{Files, check, parts};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Bluesky,
        Files::Video,
        &[
            ("thread", json!(null), ""),
            ("thread", json!(true), "!thread.wrong_type"),
            ("thread", json!(5), "!thread.wrong_type"),
            ("thread", json!("text"), "!thread.wrong_type"),
            ("thread", json!([]), "!thread.empty"),
            ("thread", json!({}), "!thread.wrong_type"),
            ("thread", json!(["b"]), ""),
            ("thread", parts(24), ""),
            ("thread", parts(25), "!thread.too_many"),
            ("thread", json!(["b", ""]), "!thread.empty"),
            ("thread", json!([" "]), "!thread.empty"),
            ("thread", json!(["b", 3]), "!thread.wrong_type"),
            ("thread", json!([null]), "!thread.wrong_type"),
            ("thread", json!(["b".repeat(300)]), ""),
            ("thread", json!(["b".repeat(301)]), "!thread.too_long"),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(300)), ""),
            ("caption", json!("a".repeat(301)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
