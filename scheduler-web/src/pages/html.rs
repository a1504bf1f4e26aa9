//! Writing HTML.

/// HTML in which every text is escaped: what is taken as it is can only be a literal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    pub(crate) const fn new() -> Self {
        Self(String::new())
    }

    /// Adds markup of ours.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a text, inside an element or a quoted attribute.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        for sign in text.chars() {
            match sign {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // Overrides of the direction, and signs that HTML does not allow.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push('\u{fffd}'),
                sign if sign.is_control() && !matches!(sign, '\n' | '\t') => {
                    self.0.push('\u{fffd}');
                }
                sign => self.0.push(sign),
            }
        }
        self
    }

    /// Adds other HTML.
    pub(crate) fn add(&mut self, other: Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    /// Adds a paragraph with a text.
    pub(crate) fn paragraph(&mut self, text: &str) -> &mut Self {
        self.raw("<p>").text(text).raw("</p>")
    }

    /// Adds a paragraph that says what went wrong.
    pub(crate) fn problem(&mut self, text: &str) -> &mut Self {
        self.raw("<p class=\"problem\" role=\"alert\">").text(text).raw("</p>")
    }

    /// Adds a value that goes with a form unseen.
    pub(crate) fn hidden(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw("<input type=\"hidden\" name=\"").raw(name).raw("\" value=\"");
        self.text(value).raw("\">")
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_texts() {
        for (text, want) in [
            ("plain é", "plain é"),
            ("<script>", "&lt;script&gt;"),
            ("\" onclick='x' &amp;", "&quot; onclick=&#39;x&#39; &amp;amp;"),
            ("\u{202e}gpj.exe\u{0}\u{1b}", "\u{fffd}gpj.exe\u{fffd}\u{fffd}"),
        ] {
            let mut html = Html::new();
            html.text(text);
            assert_eq!(html.into_string(), want, "{text:?}");
        }
    }
}
