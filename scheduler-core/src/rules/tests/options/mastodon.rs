//! Options of Mastodon.

use serde_json::json;

use super::{Files, check, parts};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    check(
        Platform::Mastodon,
        Files::Video,
        &[
            ("visibility", json!(null), ""),
            ("visibility", json!(true), "!visibility.wrong_type"),
            ("visibility", json!(5), "!visibility.wrong_type"),
            ("visibility", json!("text"), "!visibility.not_allowed"),
            ("visibility", json!([]), "!visibility.wrong_type"),
            ("visibility", json!({}), "!visibility.wrong_type"),
            ("visibility", json!("public"), ""),
            ("visibility", json!("unlisted"), ""),
            ("visibility", json!("private"), ""),
            ("visibility", json!("direct"), "visibility.nobody"),
            ("visibility", json!(""), "!visibility.not_allowed"),
            ("visibility", json!("Public"), "!visibility.not_allowed"),
            ("visibility", json!("secret"), "!visibility.not_allowed"),
            ("spoilerText", json!(null), ""),
            ("spoilerText", json!(true), "!spoiler_text.wrong_type"),
            ("spoilerText", json!(5), "!spoiler_text.wrong_type"),
            ("spoilerText", json!("text"), ""),
            ("spoilerText", json!([]), "!spoiler_text.wrong_type"),
            ("spoilerText", json!({}), "!spoiler_text.wrong_type"),
            ("spoilerText", json!(""), ""),
            ("spoilerText", json!("s".repeat(498)), ""),
            ("spoilerText", json!("s".repeat(499)), "!text.too_long"),
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
            ("caption", json!(""), ""),
        ],
    );
}
