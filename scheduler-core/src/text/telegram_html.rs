//! Text with the tags that Telegram knows: the text without them, and what they say of it.
//!
//! The server is sent both, and never the tags: so no text is refused for its tags when it is due.
//!
//! Source: <https://core.telegram.org/bots/api#html-style> and `MessageEntity`.

use serde::{Deserialize, Serialize};

/// A part of a text that is shown in another form, in Telegram's own names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// The form, such as `bold`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it begins, in UTF-16 code units.
    pub offset: usize,
    /// How long it is, in UTF-16 code units.
    pub length: usize,
    /// What a link opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The language of a block of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// Tags that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlError {
    /// The code point at which they begin, from 1.
    pub at: usize,
    /// What is wrong, such as `<x> is no tag of Telegram`.
    pub what: String,
}

/// Longest part of a tag that is shown, in characters.
const SHOWN: usize = 20;

/// An open tag.
struct Open {
    /// The tag's name as it was written.
    name: String,
    /// Where it stands in what was written, in code points.
    at: usize,
    entity: Entity,
}

/// The text without its tags, and what they say of it, in the order in which they begin.
///
/// # Errors
/// [`HtmlError`] for a tag that Telegram does not know, one that is closed by another, or one that
/// is never closed.
///
/// ```
/// use scheduler_core::text::telegram_html::read;
/// let (text, entities) = read("A <b>bold</b> &lt;word&gt;").unwrap();
/// assert_eq!(text, "A bold <word>");
/// assert_eq!((entities[0].kind.as_str(), entities[0].offset, entities[0].length), ("bold", 2, 4));
/// ```
pub fn read(source: &str) -> Result<(String, Vec<Entity>), HtmlError> {
    let mut text = String::with_capacity(source.len());
    let mut units = 0;
    let mut open: Vec<Open> = Vec::new();
    let mut entities: Vec<Entity> = Vec::new();
    let mut rest = source;
    while let Some(character) = rest.chars().next() {
        let at = || source[..source.len() - rest.len()].chars().count() + 1;
        match character {
            '<' => {
                let wrong = |what| HtmlError { at: at(), what };
                let (tag, after) = rest[1..].split_once('>').ok_or_else(|| {
                    wrong("a < is the beginning of no tag; write it as &lt;".to_owned())
                })?;
                match tag.strip_prefix('/') {
                    Some(name) => {
                        let name = name.trim();
                        let closed = open.pop().filter(|open| open.name == name);
                        let Some(Open { mut entity, .. }) = closed else {
                            return Err(wrong(format!("</{}> closes no open tag", shown(name))));
                        };
                        entity.length = units - entity.offset;
                        if entity.length > 0 {
                            entities.push(entity);
                        }
                    }
                    None => {
                        let is_in_pre = open.last().is_some_and(|open| open.entity.kind == "pre");
                        let entity = opened(tag, units, is_in_pre).map_err(wrong)?;
                        let name = tag.split_whitespace().next().unwrap_or_default().to_owned();
                        open.push(Open { name, at: at(), entity });
                    }
                }
                rest = after;
            }
            '&' => {
                let (character, after) = named(rest).unwrap_or(('&', &rest[1..]));
                units += character.len_utf16();
                text.push(character);
                rest = after;
            }
            other => {
                units += other.len_utf16();
                text.push(other);
                rest = &rest[other.len_utf8()..];
            }
        }
    }
    if let Some(Open { name, at, .. }) = open.pop() {
        return Err(HtmlError { at, what: format!("<{}> is never closed", shown(&name)) });
    }
    // Outer tags are closed last, and come first where both cover the same.
    entities.reverse();
    entities.sort_by_key(|entity| (entity.offset, std::cmp::Reverse(entity.length)));
    // A block of code with a language is two tags and one entity.
    Ok((text, languages(entities)))
}

/// The entity that a tag opens.
fn opened(tag: &str, offset: usize, is_in_pre: bool) -> Result<Entity, String> {
    let name = tag.split_whitespace().next().unwrap_or_default();
    let rest = tag[name.len()..].trim();
    let entity =
        |kind: &str| Entity { kind: kind.to_owned(), offset, length: 0, url: None, language: None };
    let unknown = || format!("<{}> is no tag of Telegram", shown(tag));
    let kind = match (name, rest) {
        ("b" | "strong", "") => "bold",
        ("i" | "em", "") => "italic",
        ("u" | "ins", "") => "underline",
        ("s" | "strike" | "del", "") => "strikethrough",
        ("tg-spoiler", "") => "spoiler",
        ("span", rest) if attribute(rest, "class").as_deref() == Some("tg-spoiler") => "spoiler",
        ("pre", "") => "pre",
        ("blockquote", "") => "blockquote",
        ("blockquote", "expandable") => "expandable_blockquote",
        ("code", "") => "code",
        ("code", rest) if is_in_pre => {
            let class = attribute(rest, "class").ok_or_else(unknown)?;
            let language = class.strip_prefix("language-").ok_or_else(unknown)?;
            return Ok(Entity { language: Some(language.to_owned()), ..entity(LANGUAGE) });
        }
        ("a", rest) => {
            let url = attribute(rest, "href").filter(|url| !url.is_empty()).ok_or_else(unknown)?;
            return Ok(Entity { url: Some(url), ..entity("text_link") });
        }
        _ => return Err(unknown()),
    };
    Ok(entity(kind))
}

/// The kind of what says the language of the block around it.
const LANGUAGE: &str = "language";

/// Gives the language of code to the block around it.
fn languages(entities: Vec<Entity>) -> Vec<Entity> {
    let mut read: Vec<Entity> = Vec::with_capacity(entities.len());
    for entity in entities {
        if entity.kind != LANGUAGE {
            read.push(entity);
        } else if let Some(block) = read.iter_mut().rev().find(|block| block.kind == "pre") {
            block.language = entity.language;
        }
    }
    read
}

/// The value of the only attribute of a tag, where it has this name.
fn attribute(text: &str, name: &str) -> Option<String> {
    let value = text.strip_prefix(name)?.trim_start().strip_prefix('=')?.trim_start();
    let quoted = |sign: char| value.strip_prefix(sign)?.strip_suffix(sign);
    let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
    if value.contains(['"', '\'']) {
        return None;
    }
    let mut rest = value;
    let mut read = String::new();
    while let Some(character) = rest.chars().next() {
        let (character, after) = named(rest).unwrap_or((character, &rest[character.len_utf8()..]));
        read.push(character);
        rest = after;
    }
    Some(read)
}

/// The character that stands at the start of a text by its name or number, and what follows.
fn named(text: &str) -> Option<(char, &str)> {
    let (name, after) = text.strip_prefix('&')?.split_once(';')?;
    let character = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|character| *character != '\0')?
        }
    };
    Some((character, after))
}

fn shown(tag: &str) -> String {
    tag.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entities of a text in short: kind, what it covers, and what belongs to it.
    fn told(source: &str) -> Result<(String, Vec<String>), String> {
        let (text, entities) =
            read(source).map_err(|error| format!("{}: {}", error.at, error.what))?;
        let units: Vec<u16> = text.encode_utf16().collect();
        let entities = entities.iter().map(|entity| {
            let covered = &units[entity.offset..entity.offset + entity.length];
            let covered = String::from_utf16(covered).unwrap();
            let more = entity.url.iter().chain(&entity.language).map(|more| format!(" {more}"));
            format!("{} {covered}{}", entity.kind, more.collect::<String>())
        });
        let entities = entities.collect();
        Ok((text, entities))
    }

    #[test]
    fn tags_become_entities() {
        for (source, text, entities) in [
            ("plain", "plain", vec![]),
            ("<b>a</b><strong>b</strong>", "ab", vec!["bold a", "bold b"]),
            ("👍 <i>é</i> <em>x</em>", "👍 é x", vec!["italic é", "italic x"]),
            ("<u>a</u> <ins>b</ins>", "a b", vec!["underline a", "underline b"]),
            (
                "<s>a</s><strike>b</strike><del>c</del>",
                "abc",
                vec!["strikethrough a", "strikethrough b", "strikethrough c"],
            ),
            (
                "<tg-spoiler>a</tg-spoiler><span class=\"tg-spoiler\">b</span>",
                "ab",
                vec!["spoiler a", "spoiler b"],
            ),
            ("<b>a <i>b</i></b>", "a b", vec!["bold a b", "italic b"]),
            (
                "<a href=\"https://a.example/?x=1&amp;y=2\">here</a>",
                "here",
                vec!["text_link here https://a.example/?x=1&y=2"],
            ),
            ("<code>x &lt; y</code>", "x < y", vec!["code x < y"]),
            ("<pre>x</pre>", "x", vec!["pre x"]),
            ("<pre><code class=\"language-rust\">fn</code></pre>", "fn", vec!["pre fn rust"]),
            (
                "<blockquote>a</blockquote><blockquote expandable>b</blockquote>",
                "ab",
                vec!["blockquote a", "expandable_blockquote b"],
            ),
            ("<b></b>x", "x", vec![]),
            ("Tea &amp; milk &#38; &#x26; & more &copy;", "Tea & milk & & & more &copy;", vec![]),
        ] {
            let want = (text.to_owned(), entities.into_iter().map(str::to_owned).collect());
            assert_eq!(told(source), Ok(want), "{source}");
        }
    }

    #[test]
    fn tags_that_cannot_be_read() {
        for (source, want) in [
            ("a <x>b</x>", "3: <x> is no tag of Telegram"),
            ("<b class=\"x\">b</b>", "1: <b class=\"x\"> is no tag of Telegram"),
            ("<a>b</a>", "1: <a> is no tag of Telegram"),
            ("é<b>b", "2: <b> is never closed"),
            ("<b>b</i>", "5: </i> closes no open tag"),
            ("b</b>", "2: </b> closes no open tag"),
            ("1 < 2", "3: a < is the beginning of no tag; write it as &lt;"),
        ] {
            assert_eq!(told(source), Err(want.to_owned()), "{source}");
        }
    }
}
