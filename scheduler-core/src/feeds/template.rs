//! The text of a post as a feed's items fill it in.

use super::FeedItem;

/// The most characters of a template.
///
/// Source: our decision; the longest text that a network takes as a post of its own is shorter.
const TEMPLATE_MAX_CHARACTERS: usize = 10_000;

/// The most characters that a field brings where nothing is said of them.
///
/// Source: our decision; a feed may have whole articles as summaries.
const FIELD_MAX_CHARACTERS: usize = 5_000;

/// What an item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Title,
    Link,
    Summary,
    Author,
}

const FIELDS: [(&str, Field); 4] = [
    ("title", Field::Title),
    ("link", Field::Link),
    ("summary", Field::Summary),
    ("author", Field::Author),
];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Words(String),
    Field(Field, usize),
}

/// A text with places for what an item has: `{title}`, `{link}`, `{summary}`, `{author}`. A number
/// of characters cuts it after the last whole word within them: `{summary:200}`. Two braces in a row
/// stand for one.
///
/// ```
/// use scheduler_core::feeds::{FeedItem, Template};
///
/// let item = FeedItem { title: "Fresh bread every day".into(), ..FeedItem::default() };
/// let template = Template::parse("New: {title:12} {{really}}")?;
/// assert_eq!(template.of(&item), "New: Fresh bread… {really}");
/// assert!(Template::parse("{titel}").is_err());
/// # Ok::<(), scheduler_core::feeds::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Part>);

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// It is too long.
    #[error("A template has at most {TEMPLATE_MAX_CHARACTERS} characters")]
    TooLong,
    /// A brace has no other.
    #[error("A brace in the template has no other; write two in a row for one in the text")]
    OpenBrace,
    /// There is no such field.
    #[error("There is no field {{{0}}}; there are {{title}}, {{link}}, {{summary}} and {{author}}")]
    UnknownField(String),
    /// What says where a field is cut is no number.
    #[error(
        "{{{0}}} is cut nowhere: write a number from 1 to {FIELD_MAX_CHARACTERS} after the colon"
    )]
    WrongLength(String),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// [`TemplateError`]
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        if text.chars().count() > TEMPLATE_MAX_CHARACTERS {
            return Err(TemplateError::TooLong);
        }
        let (mut parts, mut words, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['{', '}']) {
            words.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                words.push_str(brace);
                rest = after;
                continue;
            }
            let (field, after) = rest.split_once('}').ok_or(TemplateError::OpenBrace)?;
            if brace == "}" {
                return Err(TemplateError::OpenBrace);
            }
            if !words.is_empty() {
                parts.push(Part::Words(std::mem::take(&mut words)));
            }
            parts.push(field_of(field)?);
            rest = after;
        }
        words.push_str(rest);
        if !words.is_empty() {
            parts.push(Part::Words(words));
        }
        Ok(Self(parts))
    }

    /// The text for an item, without white space around it.
    #[must_use]
    pub fn of(&self, item: &FeedItem) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Field(Field::Title, most) => text.push_str(&cut(&item.title, *most)),
                Part::Field(Field::Summary, most) => text.push_str(&cut(&item.summary, *most)),
                Part::Field(Field::Author, most) => text.push_str(&cut(&item.author, *most)),
                // An address that is cut leads nowhere.
                Part::Field(Field::Link, _) => {
                    text.push_str(item.link.as_deref().unwrap_or_default());
                }
            }
        }
        text.trim().to_owned()
    }
}

fn field_of(text: &str) -> Result<Part, TemplateError> {
    let (name, most) = match text.split_once(':') {
        Some((name, most)) => (name, Some(most)),
        None => (text, None),
    };
    let found = FIELDS.into_iter().find(|(known, _)| *known == name.trim());
    let (_, field) = found.ok_or_else(|| TemplateError::UnknownField(name.trim().to_owned()))?;
    let most = most.map_or(Ok(FIELD_MAX_CHARACTERS), |most| {
        let most =
            most.trim().parse().ok().filter(|most| (1..=FIELD_MAX_CHARACTERS).contains(most));
        most.ok_or_else(|| TemplateError::WrongLength(text.to_owned()))
    });
    Ok(Part::Field(field, most?))
}

/// The beginning of a text, of at most so many characters, with the ellipsis that stands for the
/// rest: cut after a word where one ends in the latter half.
fn cut(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let (kept, next) = text.split_at(end);
    let is_between = next.starts_with(char::is_whitespace);
    let word = if is_between { None } else { kept.rfind(char::is_whitespace) };
    let kept = word.filter(|word| *word >= end / 2).map_or(kept, |word| &kept[..word]);
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> FeedItem {
        FeedItem {
            id: "1".to_owned(),
            title: "Fresh bread every day".to_owned(),
            link: Some("https://bakery.example/1".to_owned()),
            summary: "Öl und Brot".to_owned(),
            author: "Ana".to_owned(),
            published_at: None,
        }
    }

    #[test]
    fn texts() {
        for (template, want) in [
            ("{title}", "Fresh bread every day"),
            ("{title}\n\n{link}", "Fresh bread every day\n\nhttps://bakery.example/1"),
            (" {author}: {summary} ", "Ana: Öl und Brot"),
            ("{ title }", "Fresh bread every day"),
            ("{title:21}", "Fresh bread every day"),
            ("{title:20}", "Fresh bread every…"),
            ("{title:12}", "Fresh bread…"),
            ("{title:11}", "Fresh…"),
            ("{title:4}", "Fre…"),
            ("{summary:1}", "…"),
            ("{link:5}", "https://bakery.example/1"),
            ("{{title}} {{{author}}}", "{title} {Ana}"),
            ("no field", "no field"),
            ("", ""),
        ] {
            assert_eq!(Template::parse(template).unwrap().of(&item()), want, "{template}");
        }
    }

    #[test]
    fn what_is_no_template() {
        let unknown = |name: &str| TemplateError::UnknownField(name.to_owned());
        let length = |field: &str| TemplateError::WrongLength(field.to_owned());
        for (template, want) in [
            ("{titel}", unknown("titel")),
            ("{}", unknown("")),
            ("{title", TemplateError::OpenBrace),
            ("title}", TemplateError::OpenBrace),
            ("a } b {title}", TemplateError::OpenBrace),
            ("{title:0}", length("title:0")),
            ("{title:long}", length("title:long")),
            ("{title:5001}", length("title:5001")),
            (&"a".repeat(TEMPLATE_MAX_CHARACTERS + 1), TemplateError::TooLong),
        ] {
            assert_eq!(Template::parse(template), Err(want), "{template:.20}");
        }
    }
}
