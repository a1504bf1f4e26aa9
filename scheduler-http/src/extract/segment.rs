//! A segment of a path that may hold any text.

use std::convert::Infallible;
use std::str::FromStr;

use percent_encoding::percent_decode_str;

/// One segment of a path, percent-decoded: what a slash was written as `%2F` for is a slash again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment(Option<String>);

impl Segment {
    /// What it says; `None` where that is no UTF-8.
    pub(crate) fn into_text(self) -> Option<String> {
        self.0
    }
}

impl FromStr for Segment {
    type Err = Infallible;

    fn from_str(segment: &str) -> Result<Self, Self::Err> {
        let text = percent_decode_str(segment).decode_utf8().ok();
        Ok(Self(text.map(|text| text.into_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments() {
        for (segment, want) in [
            ("17_4", Some("17_4")),
            ("did:plc:a~b", Some("did:plc:a~b")),
            ("a%2Fb", Some("a/b")),
            ("100%25", Some("100%")),
            ("%252F", Some("%2F")),
            ("a%20b+c", Some("a b+c")),
            ("%F0%9F%A6%80", Some("🦀")),
            ("a%3Fb%23c", Some("a?b#c")),
            ("50%", Some("50%")),
            ("%FF", None),
        ] {
            let text = segment.parse::<Segment>().unwrap().into_text();
            assert_eq!(text.as_deref(), want, "{segment}");
        }
    }
}
