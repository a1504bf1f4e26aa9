//! Words of the document: the paragraphs, lists and marks of CommonMark that it uses.

use serde_json::Value;

use crate::pages::html::Html;

/// A text field; empty when there is none.
pub(super) fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Adds words as paragraphs and lists.
pub(super) fn render(html: &mut Html, words: &str) {
    for block in words.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let (items, lines): (Vec<&str>, Vec<&str>) =
            block.lines().partition(|line| line.starts_with("- "));
        if !lines.is_empty() {
            html.raw("<p>");
            marked(html, &lines.join(" "));
            html.raw("</p>");
        }
        if !items.is_empty() {
            html.raw("<ul>");
            for item in items {
                html.raw("<li>");
                marked(html, &item[2..]);
                html.raw("</li>");
            }
            html.raw("</ul>");
        }
    }
}

/// Adds a line in which `code` and **strong** words are marked.
fn marked(html: &mut Html, line: &str) {
    for (index, piece) in line.split('`').enumerate() {
        if index % 2 == 1 {
            html.raw("<code>").text(piece).raw("</code>");
            continue;
        }
        for (index, piece) in piece.split("**").enumerate() {
            if index % 2 == 1 {
                html.raw("<strong>").text(piece).raw("</strong>");
            } else {
                html.text(piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_html() {
        for (words, want) in [
            ("One <b>.", "<p>One &lt;b&gt;.</p>"),
            (
                "**A**: `x` and\nmore.\n\nTwo.",
                "<p><strong>A</strong>: <code>x</code> and more.</p><p>Two.</p>",
            ),
            ("Either:\n- `a`\n- b", "<p>Either:</p><ul><li><code>a</code></li><li>b</li></ul>"),
            ("", ""),
        ] {
            let mut html = Html::new();
            render(&mut html, words);
            assert_eq!(html.into_string(), want, "{words:?}");
        }
    }
}
