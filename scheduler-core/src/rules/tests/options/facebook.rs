//! Options of Facebook.

use serde_json::json;

use super::{Files, check};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Facebook,
        Files::Video,
        &[
            ("asReel", json!(null), ""),
            ("asReel", json!(true), ""),
            ("asReel", json!(5), "!as_reel.wrong_type"),
            ("asReel", json!("text"), "!as_reel.wrong_type"),
            ("asReel", json!([]), "!as_reel.wrong_type"),
            ("asReel", json!({}), "!as_reel.wrong_type"),
            ("asReel", json!(false), ""),
            ("asReel", json!("true"), "!as_reel.wrong_type"),
            ("asReel", json!(1), "!as_reel.wrong_type"),
            ("firstComment", json!(null), ""),
            ("firstComment", json!(true), "!first_comment.wrong_type"),
            ("firstComment", json!(5), "!first_comment.wrong_type"),
            ("firstComment", json!("text"), ""),
            ("firstComment", json!([]), "!first_comment.wrong_type"),
            ("firstComment", json!({}), "!first_comment.wrong_type"),
            ("firstComment", json!("c".repeat(8000)), ""),
            ("firstComment", json!("c".repeat(8001)), "!first_comment.too_long"),
            ("firstComment", json!(""), "!first_comment.empty"),
            ("firstComment", json!(" "), "!first_comment.empty"),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(63206)), ""),
            ("caption", json!("a".repeat(63207)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
