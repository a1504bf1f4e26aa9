//! What the interfaces of other systems answer, read as posts: of Buffer, Mixpost and Postiz.
//!
//! A file is one answer, or several behind one another. Each system has a file of its own that says
//! where its answers have what; `post` makes a line of an import of it, `html` the texts.

mod buffer;
mod html;
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

impl Foreign {
    /// Reads a file; what is wrong with it as a whole, and its posts, counted from 1.
    pub(super) fn read(
        bytes: &[u8],
        folder: &Path,
        all_as_drafts: bool,
    ) -> (Self, Vec<Fault>, Vec<Record>) {
        let (mut found, mut head, mut records) = (Self::default(), Vec::new(), Vec::new());
        let mut line = 0;
        for answer in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
            let posts = match answer.map(posts_of) {
                Ok(Some(posts)) => posts,
                Ok(None) => {
                    head.push(unknown(1, "this is no list of posts"));
                    break;
                }
                Err(error) => {
                    head.push(unknown(1, &format!("this is not JSON: {error}")));
                    break;
                }
            };
            for post in posts {
                line += 1;
                for entry in found.converted(line, post, folder, all_as_drafts) {
                    let start = found.entries.len();
                    records.push(Record { line, start, end: start + 1 });
                    found.entries.push(entry);
                }
            }
        }
        if head.is_empty() && line == 0 {
            head.push(unknown(1, "the file has no posts"));
        }
        (found, head, records)
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
        let posts = match read(answer) {
            Ok(posts) => posts,
            Err(problem) => return vec![Err(vec![unknown(line, &problem)])],
        };
        let posts = posts.into_iter();
        posts
            .filter_map(|post| post.entry(line, folder, all_as_drafts, &mut self.left_out))
            .collect()
    }
}

/// The posts of an answer: a list, or one somewhere within, one page of several or not.
fn posts_of(answer: Value) -> Option<Vec<Value>> {
    match answer {
        Value::Array(posts) => Some(posts),
        Value::Object(mut fields) => {
            let within = ["props", "data", "posts", "edges"];
            let inner = within.into_iter().find_map(|name| fields.remove(name))?;
            posts_of(inner)
        }
        _ => None,
    }
}

/// A post of any of the systems; several where its networks get other files.
fn read(mut post: Value) -> Result<Vec<Post>, String> {
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
        Err("this is no post of Buffer, Mixpost or Postiz".to_owned())
    }
}

fn of<T: DeserializeOwned>(post: Value) -> Result<T, String> {
    serde_json::from_value(post).map_err(|error| format!("the post has another form: {error}"))
}

fn unknown(line: u64, problem: &str) -> Fault {
    Fault::error(line, "line", problem).advised(
        "save what the system's own interface answers when it lists posts; docs/importing.md tells how",
    )
}

#[cfg(test)]
mod tests;
