//! Options of Tumblr.

use serde_json::json;

use super::{Files, check, tags};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Tumblr,
        Files::Video,
        &[
            ("tags", json!(null), ""),
            ("tags", json!(true), "!tags.wrong_type"),
            ("tags", json!(5), "!tags.wrong_type"),
            ("tags", json!("text"), ""),
            ("tags", json!([]), ""),
            ("tags", json!({}), "!tags.wrong_type"),
            ("tags", json!(""), ""),
            ("tags", json!("a, #b ,c"), ""),
            ("tags", json!(["a", "#b"]), ""),
            ("tags", json!([1]), "!tags.wrong_type"),
            ("tags", json!([null]), "!tags.wrong_type"),
            ("tags", json!([""]), "!tags.empty"),
            ("tags", tags(20), ""),
            ("tags", tags(21), "tags.many"),
            ("tags", tags(30), "tags.many"),
            ("tags", tags(31), "!tags.too_many"),
            ("tags", json!(["t".repeat(140)]), ""),
            ("tags", json!(["t".repeat(141)]), "!tags.too_long"),
            ("tags", json!(["a,b"]), "!tags.forbidden_character"),
            ("tags", json!(["Same", "same", "#SAME"]), ""),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(64000)), ""),
            ("caption", json!("a".repeat(64001)), "!text.too_long"),
            ("caption", json!(""), ""),
        ],
    );
}
