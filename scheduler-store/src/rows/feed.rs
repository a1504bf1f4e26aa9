//! Rows of `feeds`.

use scheduler_core::feeds::{Feed, FeedState, KnownItems};
use scheduler_core::ids::{FeedId, WorkspaceId};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{from_json, narrow, row};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `feeds`.
    pub(crate) struct FeedRow by feed_columns {
        f {
            id: Uuid,
            workspace_id: Uuid,
            input: String,
            written_by: Option<String>,
            created_at: Instant,
            next_at: Instant,
            rests_until: Option<Instant>,
            read_at: Option<Instant>,
            posted_at: Option<Instant>,
            failures: i64,
            error: Option<String>,
            etag: Option<String>,
            last_modified: Option<String>,
            known: Vec<u8>,
        }
    }
}

impl FeedRow {
    pub(crate) fn read(self) -> Result<(Feed, FeedState), StoreError> {
        let feed = Feed {
            id: FeedId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            input: from_json("feeds.input", &self.input)?,
            written_by: self
                .written_by
                .map(|json| from_json("feeds.written_by", &json))
                .transpose()?,
            created_at: self.created_at.0,
        };
        let known = KnownItems::from_bytes(&self.known);
        let known = known.ok_or_else(|| corrupt("feeds.known", "a hash is not 16 bytes"))?;
        let state = FeedState {
            next_at: self.next_at.0,
            rests_until: self.rests_until.map(|at| at.0),
            read_at: self.read_at.map(|at| at.0),
            posted_at: self.posted_at.map(|at| at.0),
            failures: narrow("feeds.failures", self.failures)?,
            error: self.error,
            etag: self.etag,
            last_modified: self.last_modified,
            known,
        };
        Ok((feed, state))
    }
}
