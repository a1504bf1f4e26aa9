//! The HTML in which the API shows a status.

use super::text::{Entity, entities};
use crate::page::escape;

/// Turns plain text into paragraphs with links.
pub(super) fn content(text: &str, base: &str, is_known: impl Fn(&str) -> bool) -> String {
    let text = text.replace("\r\n", "\n");
    let paragraphs: Vec<String> = text
        .trim()
        .split("\n\n")
        .filter(|paragraph| !paragraph.trim().is_empty())
        .map(|paragraph| {
            let linked = linked(paragraph.trim_matches('\n'), base, &is_known);
            format!("<p>{}</p>", linked.replace('\n', "<br>"))
        })
        .collect();
    paragraphs.concat()
}

fn linked(text: &str, base: &str, is_known: &impl Fn(&str) -> bool) -> String {
    let mut html = String::new();
    let mut at = 0;
    for (range, entity) in entities(text) {
        html += &escape(&text[at..range.start]);
        let shown = escape(&text[range.clone()]);
        at = range.end;
        html += &match entity {
            Entity::Url => {
                format!(
                    "<a href=\"{shown}\" target=\"_blank\" rel=\"nofollow noopener\">{shown}</a>"
                )
            }
            Entity::Mention { username, .. } if is_known(&username) => format!(
                "<span class=\"h-card\"><a href=\"{base}/@{0}\" class=\"u-url mention\">\
                 @<span>{0}</span></a></span>",
                escape(&username)
            ),
            Entity::Mention { .. } => shown,
            Entity::Tag(name) => format!(
                "<a href=\"{base}/tags/{0}\" class=\"mention hashtag\" rel=\"tag\">#<span>{0}\
                 </span></a>",
                escape(&name)
            ),
        };
    }
    html + &escape(&text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_safe_paragraphs() {
        for (text, want) in [
            ("a < b", "<p>a &lt; b</p>"),
            ("one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"),
            ("hi @nobody", "<p>hi @nobody</p>"),
            ("", ""),
        ] {
            assert_eq!(content(text, "http://x", |name| name == "ana"), want);
        }
        assert!(
            content("@ana", "http://x", |name| name == "ana").contains("href=\"http://x/@ana\"")
        );
        assert!(
            content("https://a.co/?a=1&b=2", "", |_| false)
                .contains("href=\"https://a.co/?a=1&amp;b=2\"")
        );
    }
}
