//! Options of LinkedIn.

use serde_json::json;

use super::{Files, check, choice, flag};
use crate::platform::Platform;

#[test]
fn every_key_and_value() {
    let mut table = vec![
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
        ("thumbnailMediaId", json!(null), ""),
        ("thumbnailMediaId", json!(true), "!thumbnail_media_id.wrong_type"),
        ("thumbnailMediaId", json!(5), "!thumbnail_media_id.wrong_type"),
        ("thumbnailMediaId", json!("text"), "!thumbnail_media_id.malformed"),
        ("thumbnailMediaId", json!([]), "!thumbnail_media_id.wrong_type"),
        ("thumbnailMediaId", json!({}), "!thumbnail_media_id.wrong_type"),
        ("thumbnailMediaId", json!("0197a2c4-0000-7000-8000-000000000000"), ""),
        ("caption", json!(null), ""),
        ("caption", json!(true), "!caption.wrong_type"),
        ("caption", json!(5), "!caption.wrong_type"),
        ("caption", json!("text"), ""),
        ("caption", json!([]), "!caption.wrong_type"),
        ("caption", json!({}), "!caption.wrong_type"),
        ("caption", json!("a".repeat(3000)), ""),
        ("caption", json!("a".repeat(3001)), "!text.too_long"),
        ("caption", json!(""), ""),
    ];
    table.extend(choice("visibility", "!visibility.wrong_type", "!visibility.not_allowed"));
    table.extend([
        ("visibility", json!("public"), ""),
        ("visibility", json!("connections"), ""),
        ("visibility", json!("loggedIn"), ""),
        ("visibility", json!("CONTAINER"), "!visibility.not_allowed"),
    ]);
    table.extend(flag("allowReshare", "!allow_reshare.wrong_type"));
    let of = |name: &str, urn: &str| json!([{"name": name, "urn": urn}]);
    table.extend([
        ("mentions", json!(null), ""),
        ("mentions", json!(true), "!mentions.wrong_type"),
        ("mentions", json!(5), "!mentions.wrong_type"),
        ("mentions", json!("text"), "!mentions.wrong_type"),
        ("mentions", json!({}), "!mentions.wrong_type"),
        ("mentions", json!([]), ""),
        ("mentions", json!([{"name": "Acme"}]), "!mentions.malformed"),
        ("mentions", of("Acme", "urn:li:organization:1"), "mentions.not_in_text"),
        ("mentions", of("Acme", "urn:li:share:1"), "!mentions.malformed"),
        ("mentions", of("Acme", "urn:li:person:a)"), "!mentions.no_urn"),
        ("mentions", of(" ", "urn:li:person:a"), "!mentions.malformed"),
        (
            "mentions",
            json!([{"name": "Acme", "urn": "urn:li:person:a", "id": 1}]),
            "mentions.unknown_key mentions.not_in_text",
        ),
    ]);
    table.extend([
        ("quote", json!(null), ""),
        ("quote", json!(true), "!quote.wrong_type"),
        ("quote", json!(5), "!quote.wrong_type"),
        ("quote", json!("text"), "!quote.not_shareable !quote.with_files"),
        ("quote", json!([]), "!quote.wrong_type"),
        ("quote", json!({}), "!quote.wrong_type"),
        ("quote", json!("urn:li:share:1"), "!quote.with_files"),
        ("quote", json!(" "), "!quote.empty !quote.not_shareable !quote.with_files"),
    ]);
    table.extend([
        ("linkCard", json!(null), ""),
        ("linkCard", json!(true), "!link_card.wrong_type link_card.no_effect"),
        ("linkCard", json!(5), "!link_card.wrong_type link_card.no_effect"),
        ("linkCard", json!("text"), "!link_card.wrong_type link_card.no_effect"),
        ("linkCard", json!([]), "!link_card.wrong_type link_card.no_effect"),
        ("linkCard", json!({}), "link_card.no_effect"),
        ("linkCard", json!({"title": "é".repeat(400), "hide": false}), "link_card.no_effect"),
        ("linkCard", json!({"title": "é".repeat(401)}), "!link_card.malformed link_card.no_effect"),
        ("linkCard", json!({"description": "é".repeat(4086)}), "link_card.no_effect"),
        (
            "linkCard",
            json!({"description": "é".repeat(4087)}),
            "!link_card.malformed link_card.no_effect",
        ),
        ("linkCard", json!({"imageMediaId": "a.png"}), "!link_card.malformed link_card.no_effect"),
        (
            "linkCard",
            json!({"url": "https://a.example"}),
            "link_card.unknown_key link_card.no_effect",
        ),
    ]);
    table.extend([
        ("imagesAsDocument", json!(null), ""),
        ("imagesAsDocument", json!(true), "images_as_document.no_effect"),
        ("imagesAsDocument", json!(false), ""),
        (
            "imagesAsDocument",
            json!(5),
            "!images_as_document.wrong_type images_as_document.no_effect",
        ),
        (
            "imagesAsDocument",
            json!("text"),
            "!images_as_document.wrong_type images_as_document.no_effect",
        ),
        (
            "imagesAsDocument",
            json!([]),
            "!images_as_document.wrong_type images_as_document.no_effect",
        ),
        (
            "imagesAsDocument",
            json!({}),
            "!images_as_document.wrong_type images_as_document.no_effect",
        ),
        ("documentTitle", json!(null), ""),
        ("documentTitle", json!(true), "!document_title.wrong_type document_title.no_effect"),
        ("documentTitle", json!(5), "!document_title.wrong_type document_title.no_effect"),
        ("documentTitle", json!("text"), "document_title.no_effect"),
        ("documentTitle", json!([]), "!document_title.wrong_type document_title.no_effect"),
        ("documentTitle", json!({}), "!document_title.wrong_type document_title.no_effect"),
        ("documentTitle", json!(""), "!document_title.empty document_title.no_effect"),
    ]);
    let wrong = "!poll.with_files !poll.wrong_type";
    table.extend([
        ("poll", json!(null), ""),
        ("poll", json!(true), wrong),
        ("poll", json!(5), wrong),
        ("poll", json!("text"), wrong),
        ("poll", json!([]), wrong),
        ("poll", json!({}), wrong),
        ("poll", json!({"options": ["a", "b"]}), "!poll.with_files"),
        ("poll", json!({"options": ["a"]}), "!poll.with_files !poll.options"),
        (
            "poll",
            json!({"options": ["a", "b"], "question": "q".repeat(140), "durationMinutes": 20_160}),
            "!poll.with_files",
        ),
        (
            "poll",
            json!({"options": ["a", "b"], "question": "q".repeat(141), "durationMinutes": 1_441}),
            "!poll.with_files !poll.question_too_long !poll.duration",
        ),
    ]);
    check(Platform::Linkedin, Files::Video, &table);
}
