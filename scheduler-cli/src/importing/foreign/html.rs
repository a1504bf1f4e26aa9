//! Texts that editors of other systems keep as HTML.

use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, Token};

/// Elements that stand on lines of their own.
const BLOCKS: [&[u8]; 12] =
    [b"p", b"div", b"li", b"ul", b"ol", b"blockquote", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"];

/// The text that a reader sees: a line for each block, an address behind a word that links to it. A
/// text without an element is taken as it is.
pub(super) fn text(html: &str) -> String {
    let mut reader = Reader::default();
    let mut has_tags = false;
    for Ok(token) in Tokenizer::new_with_emitter(html, DefaultEmitter::<()>::default()) {
        match token {
            Token::StartTag(tag) => {
                has_tags = true;
                let address = tag.attributes.get(&b"href"[..]);
                let address = address.map(|it| String::from_utf8_lossy(it).into_owned());
                reader.begin(&tag.name, address);
            }
            Token::EndTag(tag) => reader.end(&tag.name),
            Token::String(piece) => reader.read(&String::from_utf8_lossy(&piece)),
            _ => {}
        }
    }
    if has_tags { reader.text.trim_end().to_owned() } else { html.to_owned() }
}

#[derive(Default)]
struct Reader {
    text: String,
    /// The blocks that are open: whether each holds another.
    open: Vec<bool>,
    /// Where a link begins, and where it goes.
    link: Option<(usize, String)>,
    /// A line break at the end of a block is none.
    is_after_break: bool,
}

impl Reader {
    fn begin(&mut self, name: &[u8], address: Option<String>) {
        self.is_after_break = name == b"br";
        match name {
            b"br" => self.text.push('\n'),
            b"a" => self.link = address.map(|address| (self.text.len(), address)),
            _ if BLOCKS.contains(&name) => {
                if let Some(outer) = self.open.last_mut() {
                    *outer = true;
                }
                self.open.push(false);
                if !self.text.is_empty() && !self.text.ends_with(['\n', BULLET]) {
                    self.text.push('\n');
                }
                if name == b"li" {
                    self.text.push(BULLET);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        if name == b"a" {
            if let Some((start, address)) = self.link.take()
                && !address.contains(self.text[start..].trim())
            {
                self.text.push(' ');
                self.text.push_str(&address);
            }
        } else if BLOCKS.contains(&name) {
            let holds_another = self.open.pop().unwrap_or(true);
            if !holds_another && !self.is_after_break {
                self.text.push('\n');
            }
        }
        self.is_after_break = false;
    }

    fn read(&mut self, piece: &str) {
        // A line end between elements is the layout of the source.
        if piece.trim().is_empty() && piece.contains('\n') {
            return;
        }
        if self.text.ends_with(BULLET) {
            self.text.push(' ');
        }
        self.text.push_str(&piece.replace('\u{a0}', " "));
        self.is_after_break = false;
    }
}

/// What begins an item of a list.
const BULLET: char = '•';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_sees() {
        for (html, want) in [
            ("plain, a < b & c", "plain, a < b & c"),
            ("two\nlines", "two\nlines"),
            ("<p>one</p><p>two</p>", "one\ntwo"),
            ("<p>one</p>\n<p></p>\n<p>three</p>\n", "one\n\nthree"),
            ("<div>a &amp; b&nbsp;c</div><div><br></div><div>d</div>", "a & b c\n\nd"),
            ("one<br>two", "one\ntwo"),
            ("<p><strong>bold</strong> and <u>more</u></p>", "bold and more"),
            ("<ul><li><p>a</p></li><li>b</li></ul>", "• a\n• b"),
            (
                r#"<p><a href="https://a.example/x">https://a.example/x</a></p>"#,
                "https://a.example/x",
            ),
            (r#"<p><a href="https://a.example/x">a.example</a> it</p>"#, "a.example it"),
            (
                r#"<p>see <a href="https://a.example/x">this page</a>.</p>"#,
                "see this page https://a.example/x.",
            ),
            (r#"<p>hi <span class="mention" data-id="1">@ann</span></p>"#, "hi @ann"),
        ] {
            assert_eq!(text(html), want, "{html}");
        }
    }
}
