//! Options of LinkedIn.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Linkedin,
        Files::Video,
        &[
            ("firstComment", json!(null), ""),
            ("firstComment", json!(true), "!first_comment.wrong_type"),
            ("firstComment", json!(5), "!first_comment.wrong_type"),
            ("firstComment", json!("text"), ""),
            ("firstComment", json!([]), "!first_comment.wrong_type"),
            ("firstComment", json!({}), "!first_comment.wrong_type"),
            ("firstComment", json!("c".repeat(1250)), ""),
            ("firstComment", json!("c".repeat(1251)), "!first_comment.too_long"),
            ("firstComment", json!(""), ""),
            ("firstComment", json!(" "), ""),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(3000)), ""),
            ("caption", json!("a".repeat(3001)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
