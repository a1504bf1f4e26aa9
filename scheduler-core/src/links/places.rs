//! Where the links of a post stand, and the one function that changes them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{CHANGED_MAX, LinkChange, Tagging, finding};
use crate::platform::Platform;
use crate::rules::DraftText;
use crate::text::{self, Composed};

/// The options that hold texts or addresses for readers, as paths of keys; lists on the way are
/// passed through. What a network fetches, such as a picture, and the posts that are answered or
/// quoted are not among them.
const PLACES: [&[&str]; 14] = [
    &["caption"],
    &["description"],
    &["signature"],
    &["thread"],
    &["thread", "text"],
    &["firstComment"],
    &["link"],
    &["buttons", "url"],
    &["linkPreview", "url"],
    &["embeds", "url"],
    &["embeds", "description"],
    &["embeds", "fields", "value"],
    &["textAttachment", "link"],
    &["localizations", "description"],
];

/// Those whose texts have tags where that of the post has them.
const TAGGED: [&[&str]; 2] = [&["caption"], &["signature"]];

/// The text, the link and the options of a post as one network gets them: with its links changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent<'a> {
    /// The text.
    pub content: Cow<'a, str>,
    /// The link that goes with it.
    pub link_url: Option<Cow<'a, str>>,
    /// The settings for the network.
    pub options: Cow<'a, Map<String, Value>>,
}

impl<'a> Sent<'a> {
    /// A post with these changes of its links.
    ///
    /// ```
    /// use scheduler_core::links::{LinkChange, Sent};
    ///
    /// let change = LinkChange {
    ///     written: "https://example.com/".to_owned(),
    ///     sent: "https://example.com/?utm_source=x".to_owned(),
    ///     leads_to: None,
    /// };
    /// let options = Default::default();
    /// let sent = Sent::of("See https://example.com/.", None, &options, &[change]);
    /// assert_eq!(sent.content, "See https://example.com/?utm_source=x.");
    /// ```
    #[must_use]
    pub fn of(
        content: &'a str,
        link_url: Option<&'a str>,
        options: &'a Map<String, Value>,
        changes: &[LinkChange],
    ) -> Self {
        let content = Cow::Borrowed(content);
        let sent = Self {
            content,
            link_url: link_url.map(Cow::Borrowed),
            options: Cow::Borrowed(options),
        };
        if changes.is_empty() {
            return sent;
        }
        sent.changed(&mut |link| {
            let change = changes.iter().find(|change| change.written == link)?;
            Some(change.sent.clone())
        })
    }

    /// The text and the link as the rules read them.
    #[must_use]
    pub fn text(&self) -> DraftText<'_> {
        DraftText { content: &self.content, link_url: self.link_url.as_deref() }
    }

    /// The text that the network gets.
    #[must_use]
    pub fn compose(&self, has_media: bool, platform: Platform) -> Composed {
        let link = self.link_url.as_deref();
        text::compose(&self.content, link, has_media, platform, &self.options)
    }

    fn changed(mut self, change: &mut dyn FnMut(&str) -> Option<String>) -> Self {
        let has_tags = self.options.get("formatting").and_then(Value::as_str) == Some("html");
        if let Some(text) = changed(&self.content, has_tags, change) {
            self.content = text.into();
        }
        // What a text would leave alone stays here as well: the text may have it too.
        let link = self.link_url.as_deref().filter(|link| finding::is_link(link, has_tags));
        if let Some(link) = link.and_then(|link| changed(link, has_tags, change)) {
            self.link_url = Some(link.into());
        }
        for place in PLACES {
            if self.options.contains_key(place[0]) {
                // Only what changes is copied.
                let mut options = self.options.as_ref().clone();
                let has_tags = has_tags && TAGGED.contains(&place);
                if options
                    .get_mut(place[0])
                    .is_some_and(|value| walk(value, &place[1..], has_tags, change))
                {
                    self.options = Cow::Owned(options);
                }
            }
        }
        self
    }
}

/// What is sent in place of the links of a target, each once, in their order.
pub(crate) fn changes(
    content: &str,
    link_url: Option<&str>,
    options: &Map<String, Value>,
    by: &Tagging<'_>,
) -> Vec<LinkChange> {
    let mut changes: Vec<LinkChange> = Vec::new();
    if !by.rules.is_on() {
        return changes;
    }
    // A text of the target's own takes the place of the shared one.
    let is_own = |key: &&str| options.get(*key).is_some_and(Value::is_string);
    let content = if by.platform.sheet().text.own_text.iter().any(is_own) { "" } else { content };
    let _ = Sent::of(content, link_url, options, &[]).changed(&mut |link| {
        let is_known = changes.iter().any(|change| change.written == link);
        if !is_known && changes.len() < CHANGED_MAX {
            changes.extend(by.change(link));
        }
        None
    });
    changes
}

/// A text with its links changed; `None` where none is. In a text with tags `&` is written by its
/// name.
fn changed(
    text: &str,
    has_tags: bool,
    change: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let (mut made, mut from) = (String::new(), 0);
    for range in finding::links(text, has_tags) {
        let link = &text[range.clone()];
        let sent = if has_tags {
            change(&link.replace("&amp;", "&")).map(|sent| sent.replace('&', "&amp;"))
        } else {
            change(link)
        };
        if let Some(sent) = sent {
            made.push_str(&text[from..range.start]);
            made.push_str(&sent);
            from = range.end;
        }
    }
    if from == 0 {
        return None;
    }
    made.push_str(&text[from..]);
    Some(made)
}

/// Changes the texts at a path, and says whether any is another then.
fn walk(
    value: &mut Value,
    path: &[&str],
    has_tags: bool,
    change: &mut dyn FnMut(&str) -> Option<String>,
) -> bool {
    match (value, path) {
        (Value::Array(items), path) => {
            let mut is_changed = false;
            for item in items {
                is_changed |= walk(item, path, has_tags, change);
            }
            is_changed
        }
        (Value::Object(members), [key, path @ ..]) => {
            members.get_mut(*key).is_some_and(|member| walk(member, path, has_tags, change))
        }
        (Value::String(text), []) => match changed(text, has_tags, change) {
            Some(sent) => {
                *text = sent;
                true
            }
            None => false,
        },
        _ => false,
    }
}
