//! The post that a post quotes: its address, and then the version of its record.

use scheduler_core::ports::{NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use scheduler_core::text::bluesky::post_address;
use serde::{Deserialize, Serialize};

use super::caller::VIEW_SERVICE;
use super::errors::failure;
use super::progress::Progress;
use super::richtext;
use super::tokens::Tokens;
use super::views::Posts;
use super::wire::{POSTS, Reference};
use crate::conversation::{Answer, Job, Request, StoredProgress, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// A quoted post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum Quote {
    /// As it was named.
    Named {
        /// Its author's DID or handle.
        author: String,
        /// The key of its record.
        key: String,
    },
    /// As records name it.
    Found {
        /// Its at-uri.
        uri: String,
        /// The version of its record.
        cid: String,
    },
}

impl Quote {
    /// The quote among the options of a target, which the rules have let through.
    pub(super) fn of(job: &PublishJob) -> Option<Self> {
        let named = post_address(job.options.get("quote")?.as_str()?)?;
        Some(Self::Named { author: named.author.to_owned(), key: named.key.to_owned() })
    }

    /// Its record, once it is known.
    pub(super) fn reference(&self) -> Option<Reference> {
        match self {
            Self::Named { .. } => None,
            Self::Found { uri, cid } => Some(Reference { uri: uri.clone(), cid: cid.clone() }),
        }
    }
}

/// The next turn of a step that looks up the quoted post: whose the handle is, and then the post.
pub(super) fn advance(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let (author, key) = progress.named_quote().ok_or_else(Progress::unreadable)?;
    let mut answers = answers.iter();
    let did = if author.starts_with("did:") {
        author.to_owned()
    } else {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(richtext::resolve(server, author)));
        };
        let known = richtext::identities(&[author], std::slice::from_ref(answer), job.now)?;
        match known.get(author) {
            Some(Some(did)) => did.clone(),
            Some(None) => return Err(Unquotable::NoHandle(author.to_owned()).into()),
            None => return Err(fault(answer, job)),
        }
    };
    let uri = format!("at://{did}/{POSTS}/{key}");
    let Some(answer) = answers.next() else {
        let url = server.query(["xrpc", "app.bsky.feed.getPosts"], &[("uris", &uri)]);
        let request = job.credentials.authorized(Request::read(url));
        return Ok(Turn::Send(request.header("atproto-proxy", VIEW_SERVICE.to_owned())));
    };
    let found: Posts = answer.taken(|| fault(answer, job), unreadable)?;
    let Some(post) = found.posts.into_iter().next() else {
        return Err(Unquotable::Gone.into());
    };
    if post.viewer.and_then(|viewer| viewer.embedding_disabled) == Some(true) {
        return Err(Unquotable::Closed.into());
    }
    let Reference { uri, cid } = post.reference;
    Ok(Turn::Done(Step::Next(progress.quoting(Quote::Found { uri, cid }))))
}

fn fault(answer: &Answer, job: &Job<'_, Tokens>) -> NetworkError {
    failure(answer, false, Some(job.now))
}

/// Why a post cannot be quoted.
#[derive(Debug, thiserror::Error)]
enum Unquotable {
    #[error("Nobody on Bluesky has the handle {0}.")]
    NoHandle(String),
    #[error("The post that is quoted is not there any more.")]
    Gone,
    #[error("The author of the quoted post lets nobody quote it.")]
    Closed,
}

impl From<Unquotable> for NetworkError {
    fn from(why: Unquotable) -> Self {
        Self::permanent(why.to_string()).with_code(FailureCode::ValidationFailed)
    }
}

fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of Bluesky about the quoted post cannot be read.")
}

#[cfg(test)]
mod tests {
    use scheduler_core::ports::NetworkErrorKind;
    use serde_json::{Value, json};

    use super::super::Bluesky;
    use super::Unquotable;
    use crate::conversation::{Answer, Conversation};
    use crate::testing::files::with_images;
    use crate::testing::steps::{next, take_step};
    use crate::testing::{answered, bluesky_job, with_options};
    use scheduler_core::ports::PublishJob;

    const AT: &str = "at://did:plc:q/app.bsky.feed.post/3mq";

    fn quoting(job: PublishJob, quote: &str) -> PublishJob {
        with_options(job, json!({ "quote": quote, "thread": ["two"] }))
    }

    fn resolved() -> Answer {
        answered(200, &json!({ "did": "did:plc:q" }))
    }

    fn posts(posts: &Value) -> Answer {
        answered(200, &json!({ "posts": posts }))
    }

    fn found() -> Value {
        let author = json!({ "did": "did:plc:q", "handle": "q.test" });
        json!([{ "uri": AT, "cid": "cidq", "author": author, "record": {} }])
    }

    /// The record that the next step puts.
    fn record(job: &PublishJob, progress: &Value) -> Value {
        let (asked, _) =
            take_step(&Bluesky::default(), job, progress, &[answered(503, &json!({}))]);
        asked[0]["body"]["record"].clone()
    }

    #[test]
    fn a_quoted_post_is_looked_up_and_stands_in_the_first_record() {
        let page = "https://bsky.app/profile/q.test/post/3mq";
        for (name, quote, answers, requests) in [
            (
                "by its page",
                page,
                vec![resolved(), posts(&found())],
                vec!["resolveHandle?handle=q.test", "getPosts?uris=at%3A%2F%2Fdid%3Aplc%3Aq"],
            ),
            ("by its at-uri", AT, vec![posts(&found())], vec!["getPosts?uris=at%3A%2F%2F"]),
        ] {
            let job = quoting(bluesky_job(), quote);
            let begun = Bluesky::default().begin(&job);
            assert!(!Bluesky::default().is_visible(&begun), "{name}");
            let (asked, step) = take_step(&Bluesky::default(), &job, &begun, &answers);
            assert_eq!(asked.len(), requests.len(), "{name}: {asked:?}");
            for (asked, want) in asked.iter().zip(requests) {
                assert!(asked["request"].as_str().unwrap().contains(want), "{name}: {asked}");
            }
            let progress = next(step);
            let quoted = json!({ "uri": AT, "cid": "cidq" });
            let want = json!({ "$type": "app.bsky.embed.record", "record": quoted });
            assert_eq!(record(&job, &progress)["embed"], want, "{name}");
            let put = json!({ "uri": "at://did:plc:d/app.bsky.feed.post/1", "cid": "c" });
            let put = answered(200, &put);
            let progress = next(take_step(&Bluesky::default(), &job, &progress, &[put]).1);
            assert_eq!(record(&job, &progress)["embed"], Value::Null, "{name}, the second part");
        }
    }

    #[test]
    fn a_quote_stands_beside_files_and_links() {
        let link = PublishJob { link_url: Some("https://a.example/".to_owned()), ..bluesky_job() };
        for (name, job, want) in [
            ("a link", link, "app.bsky.embed.external"),
            ("pictures", with_images(bluesky_job(), 2), "app.bsky.embed.images"),
        ] {
            let files = job.files.len();
            let job = quoting(job, AT);
            let begun = Bluesky::default().begin(&job);
            let mut progress =
                next(take_step(&Bluesky::default(), &job, &begun, &[posts(&found())]).1);
            for _ in 0..files {
                let blob = answered(200, &json!({ "blob": { "$type": "blob" } }));
                progress = next(take_step(&Bluesky::default(), &job, &progress, &[blob]).1);
            }
            let embed = record(&job, &progress)["embed"].clone();
            assert_eq!(embed["$type"], "app.bsky.embed.recordWithMedia", "{name}");
            assert_eq!(embed["record"]["record"]["cid"], "cidq", "{name}");
            assert_eq!(embed["media"]["$type"], want, "{name}");
        }
    }

    #[test]
    fn a_post_that_cannot_be_quoted_is_told_before_anything_is_sent() {
        let mut closed = found();
        closed[0]["viewer"] = json!({ "embeddingDisabled": true });
        let no_handle = answered(400, &json!({ "error": "HandleNotFound", "message": "" }));
        let page = "https://bsky.app/profile/q.test/post/3mq";
        for (name, quote, answers, want) in [
            ("gone", AT, vec![posts(&json!([]))], Unquotable::Gone),
            ("closed", AT, vec![posts(&closed)], Unquotable::Closed),
            ("of nobody", page, vec![no_handle], Unquotable::NoHandle("q.test".to_owned())),
        ] {
            let job = quoting(bluesky_job(), quote);
            let begun = Bluesky::default().begin(&job);
            let error = take_step(&Bluesky::default(), &job, &begun, &answers).1.unwrap_err();
            assert_eq!(error, want.into(), "{name}");
        }
    }

    #[test]
    fn a_handle_that_cannot_be_looked_up_is_tried_again() {
        let job = quoting(bluesky_job(), "https://bsky.app/profile/q.test/post/3mq");
        let begun = Bluesky::default().begin(&job);
        let away = answered(503, &json!({}));
        let error = take_step(&Bluesky::default(), &job, &begun, &[away]).1.unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Temporary, "{error}");
    }
}
