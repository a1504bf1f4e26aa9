//! What a post holds: blocks of the Neue Post Format, their layout, tags and files.
//!
//! Source: <https://github.com/tumblr/docs>, `npf-spec.md`.

use std::collections::BTreeSet;

use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, PublishJob};
use scheduler_core::text::tumblr::{TextBlock, blocks, blocks_of_paragraphs};
use scheduler_core::text::{Composed, compose};
use serde_json::{Map, Value, json};

use super::progress::{Mentioned, Parent, Progress};
use crate::conversation::{Body, FileBody, FormPart};

/// Most mentions of a post.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".
const MENTIONS_MAX: usize = 50;

/// Longest name of a blog, in characters.
///
/// Source: <https://help.tumblr.com/>, "Blog name": 32 letters, digits and hyphens.
const NAME_MAX: usize = 32;

/// The body of the call that makes a post of a job.
pub(super) fn new_post(job: &PublishJob, progress: &Progress, state: &str) -> Body {
    let content = content(job, &progress.mentioned);
    let json = post(content, layout(job), job, progress.parent.as_ref(), state);
    if job.files.is_empty() {
        return Body::Json(json);
    }
    let mut parts = vec![FormPart::json("json", json)];
    for (number, file) in job.files.iter().enumerate() {
        let identifier = identifier(number);
        parts.push(FormPart::file(identifier.clone(), identifier, FileBody::of(file)));
    }
    Body::Multipart(parts)
}

/// The members of a post; those of a draft come back from the network. A reblog names its parent
/// when it is made and when it is edited.
pub(super) fn post(
    content: Vec<Value>,
    layout: Vec<Value>,
    job: &PublishJob,
    parent: Option<&Parent>,
    state: &str,
) -> Value {
    let mut post = Map::new();
    post.insert("state".to_owned(), state.into());
    post.insert("content".to_owned(), content.into());
    if !layout.is_empty() {
        post.insert("layout".to_owned(), layout.into());
    }
    let tags = tags(job);
    if !tags.is_empty() {
        post.insert("tags".to_owned(), tags.join(",").into());
    }
    if let Some(Parent { id, blog, key }) = parent {
        post.insert("parent_tumblelog_uuid".to_owned(), blog.as_str().into());
        // A number of 64 bits, as the page has it.
        let id = id.parse::<u64>().map_or_else(|_| id.as_str().into(), Value::from);
        post.insert("parent_post_id".to_owned(), id);
        post.insert("reblog_key".to_owned(), key.as_str().into());
    }
    // Without a word of it everybody may reblog.
    for (option, member) in
        [("sourceUrl", "source_url"), ("slug", "slug"), ("reblog", "interactability_reblog")]
    {
        if let Some(text) = job.options.get(option).and_then(Value::as_str) {
            post.insert(member.to_owned(), text.into());
        }
    }
    Value::Object(post)
}

/// The tags of a job: without `#` and outer spaces, and without repeats that differ only in case.
pub(super) fn tags(job: &PublishJob) -> Vec<String> {
    let given: Vec<&str> = match job.options.get("tags") {
        Some(Value::String(text)) => text.split(',').collect(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut seen = BTreeSet::new();
    given
        .into_iter()
        .map(|tag| tag.trim().trim_start_matches('#').trim_start())
        .filter(|tag| !tag.is_empty() && seen.insert(tag.to_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// The blocks of a job: title, files, text, link.
pub(super) fn content(job: &PublishJob, mentioned: &[Mentioned]) -> Vec<Value> {
    let composed = composed(job);
    let mut content: Vec<Value> = title_block(job).into_iter().collect();
    content.extend(job.files.iter().enumerate().map(file_block));
    let mut mentions_left = MENTIONS_MAX;
    for block in blocks(composed.text()) {
        content.push(text_block(block, mentioned, &mut mentions_left));
    }
    if let Some(url) = composed.link_card {
        content.push(json!({ "type": "link", "url": url }));
    }
    content
}

/// The state that a job's post is to have in the end.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Create/Reblog a Post (Neue Post Format)".
pub(super) fn last_state(job: &PublishJob) -> &'static str {
    if is_private(job) { "private" } else { "published" }
}

/// True for a post that is not shown to everybody.
pub(super) fn is_private(job: &PublishJob) -> bool {
    job.options.get("visibility").and_then(Value::as_str) == Some("private")
}

/// How the blocks of a job are laid out; nothing where each stands below the other.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Layout Block Type: Rows".
fn layout(job: &PublishJob) -> Vec<Value> {
    let option = |key: &str| job.options.get(key).cloned();
    let rows = option("imageRows").and_then(|rows| serde_json::from_value(rows).ok());
    let rows: Vec<Vec<usize>> = rows.unwrap_or_default();
    let read_more = option("readMoreAfter").and_then(|after| after.as_u64());
    let read_more = read_more.and_then(|after| usize::try_from(after).ok());
    let is_image =
        |place: &usize| job.files.get(*place).is_some_and(|file| file.facts.kind.is_image());
    let has_rows = rows.iter().flatten().any(is_image);
    if !has_rows && read_more.is_none() {
        return Vec::new();
    }
    let first_file = usize::from(title_block(job).is_some());
    let first_text = first_file + job.files.len();
    let composed = composed(job);
    let paragraphs = blocks_of_paragraphs(composed.text());
    let blocks =
        first_text + paragraphs.iter().sum::<usize>() + usize::from(composed.link_card.is_some());
    let alone = |block: usize| vec![block];
    let mut display: Vec<Vec<usize>> = (0..first_file).map(alone).collect();
    if has_rows {
        let rows = rows.iter().map(|row| row.iter().map(|place| first_file + place).collect());
        display.extend(rows.filter(|row: &Vec<usize>| !row.is_empty()));
        let others = (0..job.files.len()).filter(|place| !is_image(place));
        display.extend(others.map(|place| alone(first_file + place)));
    } else {
        display.extend((first_file..first_text).map(alone));
    }
    display.extend((first_text..blocks).map(alone));
    let display: Vec<Value> =
        display.into_iter().map(|blocks| json!({ "blocks": blocks })).collect();
    let mut layout = json!({ "type": "rows", "display": display });
    if let Some(after) = read_more {
        let shown = first_text + paragraphs.iter().take(after).sum::<usize>();
        // It names the last block that is shown, and -1 for none.
        layout["truncate_after"] = match shown.checked_sub(1) {
            Some(last) => last.into(),
            None => (-1).into(),
        };
    }
    vec![layout]
}

/// The heading of a job.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Text Block Subtypes".
fn title_block(job: &PublishJob) -> Option<Value> {
    let title = job.options.get("title").and_then(Value::as_str)?.trim();
    let block = json!({ "type": "text", "subtype": "heading1", "text": title });
    (!title.is_empty()).then_some(block)
}

/// The names of blogs in the text of a job, in lower case, each once.
pub(super) fn mentioned_names(job: &PublishJob) -> Vec<String> {
    let mut names = Vec::new();
    for block in blocks(composed(job).text()) {
        for (_, name) in named(&block).take(MENTIONS_MAX) {
            let name = name.to_lowercase();
            if names.len() < MENTIONS_MAX && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn composed(job: &PublishJob) -> Composed {
    let (link, has_files) = (job.link_url.as_deref(), !job.files.is_empty());
    compose(&job.content, link, has_files, Platform::Tumblr, &job.options)
}

fn identifier(number: usize) -> String {
    format!("m{number}")
}

fn file_block((number, file): (usize, &JobFile)) -> Value {
    let mut media = json!({
        "type": FileBody::of(file).media_type,
        "identifier": identifier(number),
    });
    // Without them pictures would be laid out at 540 by 405.
    if let (Some(width), Some(height)) = (file.facts.width, file.facts.height) {
        media["width"] = width.into();
        media["height"] = height.into();
    }
    match file.facts.kind {
        // The rules let no document through.
        MediaKind::Video | MediaKind::Document => json!({ "type": "video", "media": media }),
        MediaKind::Image => {
            let mut block = json!({ "type": "image", "media": [media] });
            if let Some(text) = file.alt_text.as_deref().filter(|text| !text.is_empty()) {
                block["alt_text"] = text.into();
            }
            block
        }
    }
}

fn text_block(block: TextBlock, mentioned: &[Mentioned], mentions_left: &mut usize) -> Value {
    let mut formatting: Vec<(usize, Value)> = Vec::new();
    for (range, name) in named(&block) {
        let blog = mentioned.iter().find(|blog| blog.written == name.to_lowercase());
        let Some(blog) = blog.filter(|_| *mentions_left > 0) else { continue };
        *mentions_left -= 1;
        let Mentioned { name, uuid, url, .. } = blog;
        let blog = json!({ "uuid": uuid, "name": name, "url": url });
        let (start, end) = range;
        let range = json!({ "start": start, "end": end, "type": "mention", "blog": blog });
        formatting.push((start, range));
    }
    for link in &block.links {
        let (start, end) = (link.code_points.start, link.code_points.end);
        let range = json!({ "start": start, "end": end, "type": "link", "url": link.url });
        formatting.push((start, range));
    }
    formatting.sort_by_key(|(start, _)| *start);
    let mut json = json!({ "type": "text", "text": block.text });
    if !formatting.is_empty() {
        json["formatting"] = formatting.into_iter().map(|(_, range)| range).collect();
    }
    json
}

/// The names of blogs in a block, each with its code points, the `@` included: `@`, not after a
/// word, and up to 32 letters, digits and hyphens that nothing else continues. Those in links are
/// part of an address, and those before a full stop or another `@` names elsewhere.
fn named(block: &TextBlock) -> impl Iterator<Item = ((usize, usize), &str)> {
    let text = block.text.as_str();
    text.match_indices('@').filter_map(move |(at, sign)| {
        let before = text[..at].chars().next_back();
        let is_inside = before.is_some_and(|sign| sign.is_alphanumeric() || "_@./".contains(sign));
        let rest = &text[at + sign.len()..];
        let length = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-');
        let (run, after) = rest.split_at(length.unwrap_or(rest.len()));
        let name = run.trim_end_matches('-');
        let mut after = after.chars();
        let is_elsewhere = match after.next() {
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            Some(next) => next.is_alphanumeric() || "_@".contains(next),
            None => false,
        };
        let is_name = (1..=NAME_MAX).contains(&name.len()) && !name.starts_with('-');
        if is_inside || is_elsewhere || !is_name {
            return None;
        }
        let start = text[..at].chars().count();
        let end = start + 1 + name.len();
        let is_in_link = |link: &scheduler_core::text::tumblr::LinkRange| {
            link.code_points.start < end && start < link.code_points.end
        };
        (!block.links.iter().any(is_in_link)).then_some(((start, end), name))
    })
}

/// What tells one post from another: what its texts say, and how many pictures and videos it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) text: String,
    pub(super) images: usize,
    pub(super) videos: usize,
}

impl Summary {
    /// Of these blocks.
    pub(super) fn of(content: &[Value]) -> Self {
        let is =
            |block: &&Value, kind: &str| block.get("type").and_then(Value::as_str) == Some(kind);
        let texts = content.iter().filter(|block| is(block, "text"));
        let texts = texts.filter_map(|block| block.get("text").and_then(Value::as_str));
        Self {
            text: texts.collect::<Vec<_>>().join("\n"),
            images: content.iter().filter(|block| is(block, "image")).count(),
            videos: content.iter().filter(|block| is(block, "video")).count(),
        }
    }
}

/// Tags as a set, whatever their case.
pub(super) fn tag_set(tags: &[String]) -> BTreeSet<String> {
    tags.iter().map(|tag| tag.trim().to_lowercase()).collect()
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
