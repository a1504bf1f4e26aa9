//! Links that the post has beside its text.

use scheduler_core::platform::Platform;
use serde_json::json;

use crate::case::{Case, image, text, video};

const LINK: &str = "https://example.com/a";

pub(super) fn cases() -> Vec<Case> {
    let long = |length: usize| format!("https://{}.com/{}", "a".repeat(8), "p".repeat(length - 21));
    let five: String = (0..5).map(|number| format!("https://example.com/{number} ")).collect();
    vec![
        text("a link beside a text", "Hello").link(LINK),
        text("a link beside a text that holds it", format!("See {LINK}.")).link(LINK),
        text("a link beside a text that holds a longer one", format!("See {LINK}/b")).link(LINK),
        text("a link beside an image", "Hello").link(LINK).media([image()]),
        text("a link beside a video", "Hello").link(LINK).media([video()]),
        text("a link and nothing else", "").link(LINK).bare(),
        text("a link and the file that a network needs", "").link(LINK),
        text("an empty link", "Hello").link(""),
        text("a link that makes 280 letters too long", "a".repeat(280)).link(LINK),
        text("a link that fits beside 256 letters", "a".repeat(256)).link(LINK),
        text("a link beside 257 letters", "a".repeat(257)).link(LINK),
        text("a link beside 300 letters", "a".repeat(300)).link(LINK),
        text("a link beside 476 letters", "a".repeat(476)).link(LINK),
        text("a link beside 477 letters", "a".repeat(477)).link(LINK),
        text("a sixth link beside five", five.clone()).link(LINK),
        text("one of five links again", five).link("https://example.com/4"),
        text("a link to Facebook", "Hello").link("https://www.facebook.com/page"),
        text("a link to Facebook beside an image", "Hello")
            .link("https://www.facebook.com/page")
            .media([image()]),
        text("a link to Facebook with a full stop", "Hello").link("https://www.Facebook.com./page"),
        text("a link to a host like Facebook", "Hello").link("https://notfacebook.com/page"),
        text("a link of another scheme", "Hello").link("ftp://example.com/a"),
        text("a link that is none", "Hello").link("not a link"),
        text("a link of 2048 characters", "Hello").link(&long(2048)),
        text("a link of 2049 characters", "Hello").link(&long(2049)),
        text("a link beside a poll", "Which?")
            .link(LINK)
            .with(Platform::Threads, json!({"poll": {"options": ["a", "b"]}})),
        text("a link beside a thread", "One")
            .link(LINK)
            .with_wherever_known(&json!({"thread": ["Two"]})),
        text("a link with a name outside ASCII", "Hello").link("https://münchen.de/ä"),
    ]
}
