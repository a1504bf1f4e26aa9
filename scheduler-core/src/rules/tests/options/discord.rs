//! Options of Discord.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Discord,
        Files::Video,
        &[
            ("threadName", json!(null), ""),
            ("threadName", json!(true), "!thread_name.wrong_type"),
            ("threadName", json!(5), "!thread_name.wrong_type"),
            ("threadName", json!("text"), ""),
            ("threadName", json!([]), "!thread_name.wrong_type"),
            ("threadName", json!({}), "!thread_name.wrong_type"),
            ("threadName", json!("x".repeat(100)), ""),
            ("threadName", json!(format!(" {} ", "x".repeat(100))), ""),
            ("threadName", json!("x".repeat(101)), "!thread_name.too_long"),
            ("threadName", json!(""), "!thread_name.empty"),
            ("threadName", json!(" "), "!thread_name.empty"),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(2000)), ""),
            ("caption", json!("a".repeat(2001)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
