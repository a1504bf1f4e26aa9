//! What posts say of their link, where the network has the card from us.

use scheduler_core::media::Decoding;
use scheduler_core::rules::{Context, MediaFacts};
use serde_json::{Value, json};

use crate::case::{Case, image, text, video};

const LINK: &str = "https://example.com/a";

fn card(name: &str, card: Value) -> Case {
    text(name, "Hello").link(LINK).with_wherever_known(&json!({ "linkCard": card }))
}

pub(super) fn cases() -> Vec<Case> {
    let title = |length: usize| json!({"title": "é".repeat(length)});
    let description = |length: usize| json!({"description": "é".repeat(length)});
    let named = json!({"title": "Bread", "imageMediaId": "0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f"});
    let picture = |name: &str, file: MediaFacts| card(name, named.clone()).naming(file);
    let typed = |media_type: &str, bytes: u64| MediaFacts {
        mime_type: Some(media_type.to_owned()),
        size_bytes: Some(bytes),
        ..image()
    };
    vec![
        card("an empty card", json!({})),
        card("a title of 300 letters", title(300)),
        card("a title of 301 letters", title(301)),
        card("a title of 400 letters", title(400)),
        card("a title of 401 letters", title(401)),
        card("a blank title", json!({"title": " "})),
        card("a description of 1000 letters", description(1000)),
        card("a description of 1001 letters", description(1001)),
        card("a description of 4087 letters", description(4087)),
        card("a card that is a text", json!("Bread")),
        card("a card with an address", json!({"url": "https://example.com"})),
        card("an image that is no id", json!({"imageMediaId": "bread.png"})),
        card("an image that is a number", json!({"imageMediaId": 5})),
        picture("an image of 1 MB", typed("image/jpeg", 1_000_000)),
        picture("an image of 60 MB", typed("image/jpeg", 60_000_000)),
        picture("an image of 60 MB on a server without pictures", typed("image/jpeg", 60_000_000))
            .context(Context { decoding: Decoding::NOTHING, ..Context::default() }),
        picture("a WebP of 3 MB", typed("image/webp", 3_000_000)),
        picture("an image of another type", typed("image/x-icon", 1_000)),
        picture("a video as the image", video()),
        picture("an image that is not ready", MediaFacts { ready: false, ..image() }),
        card("a card that is hidden", json!({"hide": true})),
        card("a card that is hidden by a number", json!({"hide": 1})),
        card("a card beside an image", json!({"title": "Bread"})).media([image()]),
        card("a card without a link", json!({"title": "Bread"})).link(""),
    ]
}
