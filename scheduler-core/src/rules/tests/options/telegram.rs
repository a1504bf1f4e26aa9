//! Options of Telegram.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Telegram,
        Files::Video,
        &[
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(1024)), ""),
            ("caption", json!("a".repeat(1025)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
