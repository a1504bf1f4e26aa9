//! What the interfaces of other systems answer, read as posts: of Buffer, Mixpost and Postiz.
//!
//! A file is one answer, or several behind one another. Each system has a file of its own that says
//! where its answers have what; `post` makes a line of an import of it, `html` the texts.

mod buffer;
mod mixpost;
mod post;
mod postiz;
mod settings;

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use self::post::Post;
use super::entry::Entry;
use super::fault::Fault;
use super::records::Record;

/// The posts of a file, converted.
#[derive(Debug, Default)]
pub(super) struct Foreign {
    entries: Vec<Result<Entry, Vec<Fault>>>,
    /// How much of each kind is no post to be made.
    pub(super) left_out: BTreeMap<String, usize>,
}

/// Why a file, or a post of it, cannot be read.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("this is not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("this is no list of posts")]
    NoList,
    #[error("the file has no posts")]
    Empty,
    #[error("this is no post of Buffer, Mixpost or Postiz")]
    OtherSystem,
    #[error("the post has another form: {0}")]
    OtherForm(serde_json::Error),
}

impl Unreadable {
    fn fault(&self, line: u64) -> Fault {
        Fault::error(line, "line", self.to_string()).advised(
            "save what the system's own interface answers when it lists posts; docs/importing.md tells how",
        )
    }
}

impl Foreign {
    /// Reads a file; what is wrong with it as a whole, and its posts, counted from 1.
    pub(super) fn read(
        bytes: &[u8],
        folder: &Path,
        all_as_drafts: bool,
    ) -> (Self, Vec<Fault>, Vec<Record>) {
        let (mut found, mut records) = (Self::default(), Vec::new());
        let answers = match answers(bytes) {
            Ok(answers) => answers,
            Err(unreadable) => return (found, vec![unreadable.fault(1)], records),
        };
        for (line, answer) in (1..).zip(answers) {
            for entry in found.converted(line, answer, folder, all_as_drafts) {
                let start = found.entries.len();
                records.push(Record { line, start, end: start + 1 });
                found.entries.push(entry);
            }
        }
        (found, Vec::new(), records)
    }

    /// A post of the file.
    pub(super) fn entry(&self, record: &Record) -> Result<Entry, Vec<Fault>> {
        self.entries[record.range().start].clone()
    }

    fn converted(
        &mut self,
        line: u64,
        answer: Value,
        folder: &Path,
        all_as_drafts: bool,
    ) -> Vec<Result<Entry, Vec<Fault>>> {
        let posts = match posts(answer) {
            Ok(posts) => posts.into_iter(),
            Err(unreadable) => return vec![Err(vec![unreadable.fault(line)])],
        };
        posts
            .filter_map(|post| post.entry(line, folder, all_as_drafts, &mut self.left_out))
            .collect()
    }
}

/// The posts of a file, as the system answers them.
fn answers(bytes: &[u8]) -> Result<Vec<Value>, Unreadable> {
    let mut found = Vec::new();
    for answer in serde_json::Deserializer::from_slice(bytes).into_iter() {
        let answer = answer.map_err(Unreadable::NotJson)?;
        found.extend(listed(answer).ok_or(Unreadable::NoList)?);
    }
    if found.is_empty() { Err(Unreadable::Empty) } else { Ok(found) }
}

/// The posts of an answer: a list, or one somewhere within, one page of several or not.
fn listed(answer: Value) -> Option<Vec<Value>> {
    match answer {
        Value::Array(posts) => Some(posts),
        Value::Object(mut fields) => {
            let within = ["props", "data", "posts", "edges"];
            let inner = within.into_iter().find_map(|name| fields.remove(name))?;
            listed(inner)
        }
        _ => None,
    }
}

/// A post of any of the systems; several where its networks get other files.
fn posts(mut post: Value) -> Result<Vec<Post>, Unreadable> {
    if let Some(node) = post.get_mut("node") {
        post = node.take();
    }
    if post.get("versions").is_some() {
        of::<mixpost::Answer>(post).map(mixpost::Answer::posts)
    } else if post.get("integration").is_some() {
        of::<postiz::Answer>(post).map(|post| vec![post.post()])
    } else if post.get("channelService").is_some() {
        of::<buffer::Answer>(post).map(|post| vec![post.post()])
    } else {
        Err(Unreadable::OtherSystem)
    }
}

fn of<T: DeserializeOwned>(post: Value) -> Result<T, Unreadable> {
    serde_json::from_value(post).map_err(Unreadable::OtherForm)
}

#[cfg(test)]
mod tests;
