//! Options of Pinterest.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Pinterest,
        Files::Video,
        &[
            ("boardId", json!(null), "!board_id.missing"),
            ("boardId", json!(true), "!board_id.wrong_type"),
            ("boardId", json!(5), "!board_id.wrong_type"),
            ("boardId", json!("text"), "!board_id.malformed"),
            ("boardId", json!([]), "!board_id.wrong_type"),
            ("boardId", json!({}), "!board_id.wrong_type"),
            ("boardId", json!("1"), ""),
            ("boardId", json!("1".repeat(32)), ""),
            ("boardId", json!("1".repeat(33)), "!board_id.malformed"),
            ("boardId", json!(""), "!board_id.malformed"),
            ("boardId", json!("a/b"), "!board_id.malformed"),
            ("boardId", json!(" 1"), "!board_id.malformed"),
            ("title", json!(null), ""),
            ("title", json!(true), "!title.wrong_type"),
            ("title", json!(5), "!title.wrong_type"),
            ("title", json!("text"), ""),
            ("title", json!([]), "!title.wrong_type"),
            ("title", json!({}), "!title.wrong_type"),
            ("title", json!(""), ""),
            ("title", json!("t".repeat(100)), ""),
            ("title", json!(format!(" {} ", "t".repeat(100))), ""),
            ("title", json!("t".repeat(101)), "!title.too_long"),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(500)), ""),
            ("caption", json!("a".repeat(501)), "text.long"),
            ("caption", json!("a".repeat(800)), "text.long"),
            ("caption", json!("a".repeat(801)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
