//! Posts that are sent to the server many at once.

use std::time::Duration;

use scheduler_core::app::{BATCH_MAX_COUNT, BatchReport, BatchResult};
use scheduler_core::error::ErrorDetail;
use serde_json::{Value, json};

use super::calls::Caller;
use super::fault::Fault;
use super::plan::of_line;
use super::source::Source;
use super::verify::issue_faults;
use crate::failure::{Failure, Needs, Refused};

/// Bytes of posts that are sent at once at most, unless a single post is larger: half of what a
/// server takes.
///
/// Source: our decision.
const BYTES: usize = 4 << 20;

/// How long an answer about many posts may take.
///
/// Source: our decision; a server takes some milliseconds for a post.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// A post that is sent with others, and what is known of it.
#[derive(Debug)]
pub(super) struct Item<T> {
    pub(super) of: T,
    pub(super) key: Box<str>,
    pub(super) body: Value,
}

/// Posts that are sent at once.
#[derive(Debug)]
pub(super) struct Batch<T> {
    items: Vec<Item<T>>,
    bytes: usize,
}

impl<T> Batch<T> {
    pub(super) const fn new() -> Self {
        Self { items: Vec::new(), bytes: 0 }
    }

    /// Adds a post; gives back the batch that it found no place in, which is to be sent first.
    pub(super) fn add(&mut self, item: Item<T>) -> Option<Self> {
        let bytes = item.body.to_string().len();
        let is_full = self.items.len() == BATCH_MAX_COUNT || self.bytes + bytes > BYTES;
        let full = (is_full && !self.items.is_empty())
            .then(|| std::mem::replace(self, const { Self::new() }));
        self.bytes += bytes;
        self.items.push(item);
        full
    }

    pub(super) fn items(&self) -> &[Item<T>] {
        &self.items
    }

    /// Sends the posts, to be looked at or to be created; each with what came of it, in order.
    ///
    /// # Errors
    /// Those that are not about a post.
    pub(super) async fn send(
        self,
        caller: &Caller<'_>,
        check_only: bool,
    ) -> Result<Vec<(Item<T>, BatchResult)>, Failure> {
        if self.items.is_empty() {
            return Ok(Vec::new());
        }
        let posts = self.items.iter().map(|item| json!({"key": item.key, "post": item.body}));
        let body = json!({"posts": posts.collect::<Vec<_>>(), "checkOnly": check_only});
        let answer = caller.send_within("/posts/batch", &body, None, Some(TIME_LIMIT)).await?;
        let BatchReport { results, .. } = answer.read()?;
        if results.len() != self.items.len() {
            let problem = "the server has answered for another number of posts than were sent";
            return Err(Failure::Other(anyhow::anyhow!(problem)));
        }
        Ok(self.items.into_iter().zip(results).collect())
    }
}

/// What the refusal of a post says of its line.
///
/// # Errors
/// One that is not about the line.
pub(super) fn refusal_faults(
    source: &Source,
    line: u64,
    error: ErrorDetail,
    targets: &Value,
) -> Result<Vec<Fault>, Failure> {
    if let Some(issues) = &error.issues {
        return Ok(issue_faults(source, line, issues, targets));
    }
    let failure = Failure::from(Refused::new(error, Needs::Scopes(Vec::new())));
    of_line(source, line, failure).map(|fault| vec![fault])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: usize, bytes: usize) -> Item<usize> {
        Item { of: number, key: format!("key {number}").into(), body: json!("x".repeat(bytes)) }
    }

    #[test]
    fn as_many_as_the_server_takes() {
        for (name, bytes, count, want) in [
            ("none", 1, 0, vec![]),
            ("few", 1, 3, vec![3]),
            ("exactly as many", 1, BATCH_MAX_COUNT, vec![BATCH_MAX_COUNT]),
            ("one more", 1, BATCH_MAX_COUNT + 1, vec![BATCH_MAX_COUNT, 1]),
            ("large ones", BYTES / 3, 7, vec![2, 2, 2, 1]),
            ("too large for any company", BYTES + 1, 2, vec![1, 1]),
        ] {
            let mut batch = Batch::new();
            let mut sent = Vec::new();
            for number in 0..count {
                sent.extend(batch.add(item(number, bytes)));
            }
            if !batch.items().is_empty() {
                sent.push(batch);
            }
            let lengths: Vec<usize> = sent.iter().map(|batch| batch.items().len()).collect();
            assert_eq!(lengths, want, "{name}");
            let order: Vec<usize> =
                sent.iter().flat_map(|batch| batch.items()).map(|item| item.of).collect();
            assert_eq!(order, (0..count).collect::<Vec<_>>(), "{name}");
        }
    }
}
