//! Words of the document: the paragraphs, lists and marks of CommonMark that it uses.

use std::borrow::Cow;

use askama::Template;
use serde_json::Value;

use super::text_of;

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(Cow<'a, str>),
    Code(Cow<'a, str>),
    Strong(&'a str),
    /// A schema, by its name.
    Schema(&'a str),
}

/// A line of pieces.
#[derive(Template, Clone, Debug, Default)]
#[template(path = "reference/line.html")]
pub(super) struct Line<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
}

impl<'a> Line<'a> {
    pub(super) fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        self.pieces.push(Piece::Text(text.into()));
    }

    pub(super) fn code(&mut self, text: impl Into<Cow<'a, str>>) {
        self.pieces.push(Piece::Code(text.into()));
    }

    /// A line in which `code` and **strong** words are marked.
    fn marked(line: &'a str) -> Self {
        let mut pieces = Vec::new();
        for (index, piece) in line.split('`').enumerate() {
            if index % 2 == 1 {
                pieces.push(Piece::Code(piece.into()));
                continue;
            }
            for (index, piece) in piece.split("**").enumerate() {
                let is_strong = index % 2 == 1;
                pieces.push(if is_strong {
                    Piece::Strong(piece)
                } else {
                    Piece::Text(piece.into())
                });
            }
        }
        Self { pieces }
    }
}

/// Paragraphs and lists.
#[derive(Template, Clone, Debug, Default)]
#[template(path = "reference/words.html")]
pub(super) struct Words<'a> {
    blocks: Vec<Block<'a>>,
}

#[derive(Clone, Debug)]
struct Block<'a> {
    /// The lines of a paragraph.
    lines: Vec<Line<'a>>,
    /// The items of the list after it.
    items: Vec<Line<'a>>,
}

impl<'a> Words<'a> {
    /// What an object says of itself.
    pub(super) fn of(object: &'a Value) -> Self {
        Self::read(text_of(object, "description"))
    }

    pub(super) fn read(words: &'a str) -> Self {
        let blocks = words.split("\n\n").filter(|block| !block.trim().is_empty());
        let blocks = blocks.map(|block| {
            let (items, lines): (Vec<&str>, Vec<&str>) =
                block.lines().partition(|line| line.starts_with("- "));
            let items = items.into_iter().map(|item| Line::marked(&item[2..]));
            let lines = lines.into_iter().map(Line::marked);
            Block { lines: lines.collect(), items: items.collect() }
        });
        Self { blocks: blocks.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_html() {
        for (words, want) in [
            ("One <b>.", "<p>One &#60;b&#62;.</p>"),
            (
                "**A**: `x` and\nmore.\n\nTwo.",
                "<p><strong>A</strong>: <code>x</code> and more.</p><p>Two.</p>",
            ),
            ("Either:\n- `a`\n- b", "<p>Either:</p><ul><li><code>a</code></li><li>b</li></ul>"),
            ("", ""),
        ] {
            assert_eq!(Words::read(words).render().unwrap(), want, "{words:?}");
        }
    }
}
