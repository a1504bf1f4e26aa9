//! Options of Threads, without files.

use serde_json::json;

use super::{Files, check, parts};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Threads,
        Files::None,
        &[
            ("poll", json!(null), ""),
            ("poll", json!(true), "!poll.wrong_type"),
            ("poll", json!(5), "!poll.wrong_type"),
            ("poll", json!("text"), "!poll.wrong_type"),
            ("poll", json!([]), "!poll.wrong_type"),
            ("poll", json!({}), "!poll.wrong_type"),
            ("poll", json!({"options": ["a", "b"]}), ""),
            ("poll", json!({"options": ["a", "b", "c", "d"]}), ""),
            ("poll", json!({"options": ["a"]}), "!poll.options"),
            ("poll", json!({"options": []}), "!poll.options"),
            ("poll", json!({"options": ["a", "b", "c", "d", "e"]}), "!poll.options"),
            ("poll", json!({"options": ["a", "b".repeat(25)]}), ""),
            ("poll", json!({"options": ["a", "b".repeat(26)]}), "!poll.option_too_long"),
            ("poll", json!({"options": ["a", "é".repeat(12)]}), ""),
            ("poll", json!({"options": ["a", "é".repeat(13)]}), "poll.option_long"),
            ("poll", json!({"options": ["a", ""]}), "!poll.option_empty"),
            ("poll", json!({"options": ["a", " "]}), "!poll.option_empty"),
            ("poll", json!({"options": ["a", "a"]}), "!poll.repeated"),
            ("poll", json!({"options": ["a", 2]}), "!poll.wrong_type"),
            ("poll", json!({"options": "a"}), "!poll.wrong_type"),
            ("poll", json!({"options": null}), "!poll.wrong_type"),
            ("poll", json!(["a", "b"]), "!poll.wrong_type"),
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
            ("thread", json!(["b".repeat(500)]), ""),
            ("thread", json!(["b".repeat(501)]), "!thread.too_long"),
            ("caption", json!(null), ""),
            ("caption", json!(true), "!caption.wrong_type"),
            ("caption", json!(5), "!caption.wrong_type"),
            ("caption", json!("text"), ""),
            ("caption", json!([]), "!caption.wrong_type"),
            ("caption", json!({}), "!caption.wrong_type"),
            ("caption", json!("a".repeat(500)), ""),
            ("caption", json!("a".repeat(501)), "!text.too_long"),
            ("caption", json!(""), "!text.missing"),
        ],
    );
}
