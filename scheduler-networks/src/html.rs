//! The text of HTML, as a reader sees it.

use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, Token};

/// Who has written HTML, which says what its blocks and its links mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// A server that shows posts: an empty line stands between paragraphs, and what a link shows is
    /// its address.
    ///
    /// Source: <https://docs.joinmastodon.org/spec/activitypub/#sanitization>.
    Server,
    /// An editor of posts: each block is a line, an empty one too, and words may link somewhere,
    /// whose address then stands behind them. A text without an element is no HTML.
    Editor,
}

/// The plain text of HTML, without what surrounds it.
#[must_use]
pub fn plain(html: &str, author: Author) -> String {
    let mut reader = Reader::new(author);
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
    if author == Author::Editor && !has_tags {
        return html.to_owned();
    }
    reader.text.trim().to_owned()
}

/// Elements that stand on lines of their own.
const BLOCKS: [&[u8]; 13] = [
    b"p",
    b"div",
    b"li",
    b"ul",
    b"ol",
    b"pre",
    b"blockquote",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
];

struct Reader {
    author: Author,
    text: String,
    /// Line ends that come before what is read next.
    breaks: usize,
    /// Whether what is read next begins an item of a list.
    is_item: bool,
    /// Whether the block that was begun last has something in it.
    is_filled: bool,
    /// Where a link begins, and where it goes.
    link: Option<(usize, String)>,
}

impl Reader {
    const fn new(author: Author) -> Self {
        let text = String::new();
        Self { author, text, breaks: 0, is_item: false, is_filled: true, link: None }
    }

    fn begin(&mut self, name: &[u8], address: Option<String>) {
        match name {
            b"br" => {
                self.breaks += 1;
                self.is_filled = true;
            }
            b"a" => self.link = address.map(|address| (self.text.len(), address)),
            _ if BLOCKS.contains(&name) => {
                self.break_before(name);
                self.is_item |= name == b"li" && self.author == Author::Editor;
                self.is_filled = false;
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        if name == b"a" {
            if let Some((start, address)) = self.link.take()
                && self.author == Author::Editor
                && !address.contains(self.text[start..].trim())
            {
                self.text.push(' ');
                self.text.push_str(&address);
            }
        } else if BLOCKS.contains(&name) {
            self.break_before(name);
            let is_line = self.author == Author::Editor && !self.is_filled;
            self.breaks += usize::from(is_line);
            // What holds blocks is filled by them.
            self.is_filled = true;
        }
    }

    /// Ends the line where a block of this name begins or ends.
    fn break_before(&mut self, name: &[u8]) {
        let is_apart = self.author == Author::Server && name != b"li";
        self.breaks = self.breaks.max(if is_apart { 2 } else { 1 });
    }

    fn read(&mut self, piece: &str) {
        // Space between blocks is the layout of the source.
        if piece.trim().is_empty() && self.breaks > 0 {
            return;
        }
        if !self.text.is_empty() {
            self.text.extend(std::iter::repeat_n('\n', self.breaks));
        }
        if self.is_item {
            self.text.push_str("• ");
        }
        // Editors write the spaces that would be lost so.
        self.text.push_str(&match self.author {
            Author::Server => piece.to_owned(),
            Author::Editor => piece.replace('\u{a0}', " "),
        });
        (self.breaks, self.is_item, self.is_filled) = (0, false, true);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_statuses_look_like() {
        for (name, html, want) in [
            ("a paragraph", "<p>Hello</p>", "Hello"),
            ("two paragraphs", "<p>one</p><p>two</p>", "one\n\ntwo"),
            ("line breaks", "<p>one<br>two<br />three<BR/>four</p>", "one\ntwo\nthree\nfour"),
            (
                "a mention",
                r#"<p><span class="h-card"><a href="https://m.example/@ana" class="u-url mention">@<span>ana</span></a></span> thanks</p>"#,
                "@ana thanks",
            ),
            (
                "a shortened link",
                r#"<p><a href="https://a.example/x"><span class="invisible">https://</span><span class="ellipsis">a.example/</span><span class="invisible">x</span></a></p>"#,
                "https://a.example/x",
            ),
            (
                "entities",
                "<p>a &lt; b &amp;&amp; c &gt; d &quot;e&quot; &#39;f&#x27;</p>",
                "a < b && c > d \"e\" 'f'",
            ),
            ("entities of entities", "<p>&amp;lt;</p>", "&lt;"),
            ("no entity", "<p>R&D &c; AT&T</p>", "R&D &c; AT&T"),
            // Source: https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state.
            ("a number that is no character", "<p>&#xfffffff;</p>", "\u{fffd}"),
            ("a list", "<p>of</p><ul><li>one</li><li>two</li></ul>", "of\n\none\ntwo"),
            ("a quote", "one<blockquote>two</blockquote><p>three</p>", "one\n\ntwo\n\nthree"),
            ("without tags", "plain", "plain"),
            ("no tag", "a < b", "a < b"),
            ("nothing", "", ""),
        ] {
            assert_eq!(plain(html, Author::Server), want, "{name}");
        }
    }

    #[test]
    fn what_editors_write() {
        for (html, want) in [
            ("plain, a < b & c", "plain, a < b & c"),
            ("two\nlines", "two\nlines"),
            ("<p>one</p><p>two</p>", "one\ntwo"),
            ("<p>one</p>\n<p></p>\n<p>three</p>\n", "one\n\nthree"),
            ("<div>a &amp; b&nbsp;c</div><div><br></div><div>d</div>", "a & b c\n\nd"),
            ("<p>one<br></p><p>two</p>", "one\ntwo"),
            ("one<br>two", "one\ntwo"),
            ("<div>one</div>two", "one\ntwo"),
            ("<p><b>one</b> <i>two</i></p>", "one two"),
            ("<p><strong>bold</strong> and <u>more</u></p>", "bold and more"),
            ("<p>of</p><ul><li><p>a</p></li><li>b</li></ul><p>c</p>", "of\n• a\n• b\nc"),
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
            assert_eq!(plain(html, Author::Editor), want, "{html}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_back(lines in proptest::collection::vec("[^\r\n\\s][^\r\n]{0,20}[^\r\n\\s]", 1..4)) {
            let escaped = |line: &String| {
                line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
            };
            let html: Vec<String> = lines.iter().map(escaped).collect();
            prop_assert_eq!(plain(&format!("<p>{}</p>", html.join("<br>")), Author::Server), lines.join("\n"));
        }

        #[test]
        fn anything_is_read(html in ".{0,200}") {
            for author in [Author::Server, Author::Editor] {
                let _ = plain(&html, author);
            }
        }
    }
}
