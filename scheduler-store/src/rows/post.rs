//! Rows of `posts`.

use std::collections::BTreeMap;

use scheduler_core::ids::{PostId, TargetId, WorkspaceId};
use scheduler_core::platform::Disclosure;
use scheduler_core::ports::StoreError;
use scheduler_core::post::{Annotations, ApprovalState, AskedTiming, Month, Post, PostStatus};
use scheduler_core::target::Target;
use uuid::Uuid;

use super::key_use::{body_of, stored_key};
use super::target::TargetRow;
use super::{find, from_json, narrow, row, to_json, values};
use crate::instant::Instant;

row! {
    /// A row of `posts`.
    pub(crate) struct PostRow by post_columns {
        p {
            pub(crate) post_id = id: Uuid,
            workspace_id: Uuid,
            post_status = status: String,
            content: String,
            link_url: Option<String>,
            media_ids: String,
            alt_texts: String,
            disclosure: Option<String>,
            scheduled_at: Option<Instant>,
            approval_state: Option<String>,
            occurrence: Option<String>,
            author: Option<String>,
            review: Option<String>,
            created_at: Instant,
            updated_at: Instant,
            idempotency_key: Option<String>,
            idempotency_body: Option<Vec<u8>>,
            version: i64,
            labels: Option<String>,
            note: Option<String>,
            metadata: Option<String>,
            timing: Option<String>,
            post_links = links: Option<String>,
            unfinished: bool,
            post_revision = revision: i64,
        }
    }
}

impl PostRow {
    pub(crate) fn read(self, targets: Vec<Target>) -> Result<Post, StoreError> {
        let timing = match &self.timing {
            Some(json) => from_json("posts.timing", json)?,
            None => timing_of(self.scheduled_at.is_some(), &targets),
        };
        Ok(Post {
            id: PostId(self.post_id),
            workspace_id: WorkspaceId(self.workspace_id),
            status: find(
                "posts.status",
                PostStatus::ALL,
                |status| status.as_str(),
                &self.post_status,
            )?,
            content: self.content,
            link_url: self.link_url,
            media_ids: from_json("posts.media_ids", &self.media_ids)?,
            alt_texts: from_json("posts.alt_texts", &self.alt_texts)?,
            disclosure: self
                .disclosure
                .map_or(Ok(Disclosure::NONE), |json| from_json("posts.disclosure", &json))?,
            annotations: Annotations {
                labels: self
                    .labels
                    .map_or(Ok(Vec::new()), |json| from_json("posts.labels", &json))?,
                note: self.note,
                metadata: self
                    .metadata
                    .map_or(Ok(BTreeMap::new()), |json| from_json("posts.metadata", &json))?,
            },
            timing,
            unfinished: self.unfinished,
            scheduled_at: self.scheduled_at.map(|at| at.0),
            approval_state: self
                .approval_state
                .map(|name| {
                    find("posts.approval_state", ApprovalState::ALL, |state| state.as_str(), &name)
                })
                .transpose()?,
            links: self.post_links.map(|json| from_json("posts.links", &json)).transpose()?,
            occurrence: self
                .occurrence
                .map(|json| from_json("posts.occurrence", &json))
                .transpose()?,
            author: self.author.map(|json| from_json("posts.author", &json)).transpose()?,
            review: self.review.map(|json| from_json("posts.review", &json)).transpose()?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            idempotency_key: self
                .idempotency_key
                .map(|key| stored_key("posts.idempotency_body", key, self.idempotency_body))
                .transpose()?,
            revision: self.post_revision,
            version: self.version,
            targets,
        })
    }
}

/// How the time of a post was said that an earlier version has stored, as far as it can be seen.
fn timing_of(is_timed: bool, targets: &[Target]) -> AskedTiming {
    if !is_timed {
        AskedTiming::Draft
    } else if targets.iter().any(|target| target.slot_at().is_some()) {
        AskedTiming::Queue
    } else {
        AskedTiming::Instant
    }
}

row! {
    /// A row of `targets` with that of its post.
    pub(crate) struct PostAndTargetRow {
        ..post: PostRow,
        ..target: TargetRow,
    }
}

impl PostAndTargetRow {
    /// The post with this one target, and the target's id.
    pub(crate) fn read(self) -> Result<(TargetId, Post), StoreError> {
        let target = self.target.read()?;
        Ok((target.id, self.post.read(vec![target])?))
    }
}

row! {
    /// The same, with how many comments the network had counted when they were read last.
    pub(crate) struct DuePostRow {
        ..pub(crate) post: PostAndTargetRow,
        comments_seen: Option<i64>,
    }
}

impl DuePostRow {
    pub(crate) fn read(self) -> Result<(TargetId, Post, Option<u64>), StoreError> {
        let seen = self.comments_seen.map(|seen| narrow("reading_plans.comments_seen", seen));
        let (target, post) = self.post.read()?;
        Ok((target, post, seen.transpose()?))
    }
}

/// A post from its rows, one for each target, in their order; `None` when there are none.
pub(crate) fn read_post(rows: Vec<PostAndTargetRow>) -> Result<Option<Post>, StoreError> {
    let mut post = None;
    let mut targets = Vec::with_capacity(rows.len());
    for row in rows {
        targets.push(row.target.read()?);
        post = Some(row.post);
    }
    post.map(|post| post.read(targets)).transpose()
}

values! {
    /// A post in the form of its row, without its id.
    pub(crate) struct PostValues by post_values {
        workspace_id: Uuid,
        status: &'static str,
        content: String,
        link_url: Option<String>,
        media_ids: String,
        alt_texts: String,
        disclosure: Option<String>,
        scheduled_at: Option<Instant>,
        approval_state: Option<&'static str>,
        occurrence: Option<String>,
        author: Option<String>,
        review: Option<String>,
        created_at: Instant,
        updated_at: Instant,
        idempotency_key: Option<String>,
        idempotency_body: Option<Vec<u8>>,
        pub(crate) version: i64,
        labels: Option<String>,
        note: Option<String>,
        metadata: Option<String>,
        timing: String,
        links: Option<String>,
        unfinished: bool,
        revision: i64,
        pub(crate) due_at: Option<Instant>,
        searchable: bool,
        pub(crate) moment: Instant,
        pub(crate) went_out: bool,
        pub(crate) allowance_month: Option<i64>,
    }
}

impl PostValues {
    pub(crate) fn of(post: &Post) -> Result<Self, StoreError> {
        let key = post.idempotency_key.as_ref();
        let annotations = &post.annotations;
        Ok(Self {
            workspace_id: post.workspace_id.0,
            status: post.status.as_str(),
            content: post.content.clone(),
            link_url: post.link_url.clone(),
            media_ids: to_json("posts.media_ids", &post.media_ids)?,
            alt_texts: to_json("posts.alt_texts", &post.alt_texts)?,
            disclosure: (!post.disclosure.is_none())
                .then(|| to_json("posts.disclosure", &post.disclosure))
                .transpose()?,
            scheduled_at: post.scheduled_at.map(Instant),
            approval_state: post.approval_state.map(|state| state.as_str()),
            occurrence: post
                .occurrence
                .as_ref()
                .map(|one| to_json("posts.occurrence", one))
                .transpose()?,
            author: post.author.as_ref().map(|one| to_json("posts.author", one)).transpose()?,
            review: post.review.as_ref().map(|one| to_json("posts.review", one)).transpose()?,
            created_at: Instant(post.created_at),
            updated_at: Instant(post.updated_at),
            idempotency_key: key.map(|key| key.as_str().to_owned()),
            idempotency_body: key.and_then(body_of),
            version: post.version,
            labels: (!annotations.labels.is_empty())
                .then(|| to_json("posts.labels", &annotations.labels))
                .transpose()?,
            note: annotations.note.clone(),
            metadata: (!annotations.metadata.is_empty())
                .then(|| to_json("posts.metadata", &annotations.metadata))
                .transpose()?,
            timing: to_json("posts.timing", &post.timing)?,
            links: post.links.as_ref().map(|links| to_json("posts.links", links)).transpose()?,
            unfinished: post.unfinished,
            revision: post.revision,
            due_at: post.next_due().map(Instant),
            searchable: true,
            moment: Instant(post.sort_at()),
            went_out: post.targets.iter().any(|target| target.published_at().is_some()),
            allowance_month: post.allowance_month().map(|Month(month)| i64::from(month)),
        })
    }
}

row! {
    /// What a change of a post is decided on, read under a lock.
    pub(crate) struct LockedPostRow {
        pub(crate) version: i64,
        pub(crate) allowance_month: Option<i64>,
    }
}
