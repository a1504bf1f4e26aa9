//! How far a publish to Tumblr has come.
//!
//! The text and the files are the job's own, which does not change once its publish has begun.

use chrono::{DateTime, Utc};
use scheduler_core::media::MediaKind;
use scheduler_core::ports::PublishJob;
use scheduler_core::target::Remote;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{content, reblog};
use crate::conversation::StoredProgress;

/// What is done and what is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// The blogs that the text names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) mentioned: Vec<Mentioned>,
    /// The post that is reblogged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<Parent>,
    /// Where the publish stands.
    pub(super) stage: Stage,
}

/// A blog that the text names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Mentioned {
    /// As the text has it, in lower case.
    pub(super) written: String,
    pub(super) name: String,
    pub(super) uuid: String,
    pub(super) url: String,
}

/// A post that is reblogged.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Create/Reblog a Post (Neue Post Format)".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parent {
    pub(super) id: String,
    /// Its blog.
    pub(super) blog: String,
    /// What proves that it was looked up.
    pub(super) key: String,
}

/// Where a publish stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum Stage {
    /// The blogs that the text names are looked up.
    Mentions,
    /// The post that is reblogged is looked up.
    Parent,
    /// What the user may still post is looked at.
    Limits,
    /// The draft is made.
    Draft {
        /// It was not made before this instant.
        since: DateTime<Utc>,
    },
    /// The draft is published, which others can see.
    Publish {
        /// The draft.
        draft: String,
        /// It was not published before this instant.
        since: DateTime<Utc>,
        /// How often the post was looked for in vain, though the draft is gone.
        looks: u32,
    },
    /// A post with a video is sent, which others can see.
    Send {
        /// It was not sent before this instant.
        since: DateTime<Utc>,
        /// Since when it is not known what became of a call that sent it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unknown_since: Option<DateTime<Utc>>,
        /// It was sent before, and what became of that was not found.
        is_repeat: bool,
    },
    /// The post is live, and its last id and its page are asked for.
    Link {
        /// The id of the draft.
        draft: String,
        /// The post, as far as it is known.
        remote: Remote,
        /// It was not published before this instant.
        since: DateTime<Utc>,
        /// How often it was asked for in vain.
        tries: u32,
    },
    /// The network works on the video, after which the post has another id.
    Transcoding {
        /// The id until then.
        id: String,
        /// It was not sent before this instant.
        since: DateTime<Utc>,
        /// When it was taken.
        taken_at: DateTime<Utc>,
    },
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on Tumblr; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let progress = Self { mentioned: Vec::new(), parent: None, stage: Stage::Mentions };
        match content::mentioned_names(job).is_empty() {
            true => progress.prepared(job, job.begun_at),
            false => progress,
        }
    }

    fn is_visible(&self) -> bool {
        matches!(self.stage, Stage::Publish { .. } | Stage::Send { .. })
    }

    fn live_part(&self) -> Option<Remote> {
        match &self.stage {
            Stage::Link { remote, .. } => Some(remote.clone()),
            Stage::Transcoding { id, .. } => Some(provisional(id)),
            Stage::Mentions
            | Stage::Parent
            | Stage::Limits
            | Stage::Draft { .. }
            | Stage::Publish { .. }
            | Stage::Send { .. } => None,
        }
    }
}

impl Progress {
    /// The progress once nothing but the post itself is left to be made.
    pub(super) fn prepared(self, job: &PublishJob, since: DateTime<Utc>) -> Self {
        if self.parent.is_none() && reblog::address(job).is_some() {
            return self.at(Stage::Parent);
        }
        let has_video = job.files.iter().any(|file| file.facts.kind == MediaKind::Video);
        self.at(if has_video { Stage::Limits } else { Stage::Draft { since } })
    }

    /// The progress at another stage.
    pub(super) fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }
}

/// A post whose video the network still works on: its id will change, and it has no page yet.
pub(super) fn provisional(id: &str) -> Remote {
    Remote { record: json!({ "provisional": true }), ..Remote::new(id, None) }
}

/// True for a post of which nothing but its first id is known.
pub(super) fn is_provisional(remote: &Remote) -> bool {
    remote.record.get("provisional").and_then(Value::as_bool).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{Conversation, StoredProgress};
    use crate::testing::files::{with_file, with_images};
    use crate::tumblr::testing::{tumblr, tumblr_job};

    #[test]
    fn a_publish_begins_with_what_it_needs() {
        let named = PublishJob { content: "Hello @staff".to_owned(), ..tumblr_job() };
        for (name, job, want) in [
            ("text", tumblr_job(), "draft"),
            ("pictures", with_images(tumblr_job(), 2), "draft"),
            ("a video", with_file(tumblr_job(), "video/mp4", ""), "limits"),
            ("a name", named, "mentions"),
        ] {
            let progress = tumblr().begin(&job);
            assert_eq!(progress["stage"]["is"], want, "{name}");
            assert_eq!(Progress::read(&progress).unwrap().to_value(), progress, "{name}");
            assert!(!tumblr().is_visible(&progress), "{name}");
            assert_eq!(tumblr().live_part(&progress), None, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_visible_and_in_doubt() {
        let mut later = tumblr().begin(&tumblr_job());
        later["tags"] = json!([]);
        for progress in [Value::Null, json!({}), json!({ "stage": { "is": "other" } }), later] {
            assert!(tumblr().is_visible(&progress), "{progress}");
            let error = tumblr().advance(&tumblr_job(), &progress, &[]).unwrap_err();
            assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{progress}");
            let located = tumblr().locate(&tumblr_job(), &progress, &[]);
            use crate::conversation::Turn;
            use scheduler_core::ports::{Located, NetworkErrorKind};
            assert!(matches!(located, Ok(Turn::Done(Located::Unknown))), "{progress}");
        }
    }
}
