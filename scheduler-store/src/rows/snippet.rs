//! Rows of `snippets`.

use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::StoreError;
use scheduler_core::snippet::{Kept, Snippet};
use uuid::Uuid;

use super::{from_json, parse, row};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `snippets`.
    pub(crate) struct SnippetRow by snippet_columns {
        s {
            workspace_id: Uuid,
            name: String,
            text: Option<String>,
            post: Option<String>,
            updated_at: Instant,
        }
    }
}

impl SnippetRow {
    pub(crate) fn read(self) -> Result<Snippet, StoreError> {
        let kept = match (self.text, self.post) {
            (Some(text), None) => Kept::Text(text),
            (None, Some(post)) => Kept::Post(from_json("snippets.post", &post)?),
            (Some(_), Some(_)) | (None, None) => {
                return Err(corrupt("snippets.text", "it is neither a text nor a post"));
            }
        };
        Ok(Snippet {
            workspace_id: WorkspaceId(self.workspace_id),
            name: parse("snippets.name", &self.name)?,
            kept,
            updated_at: self.updated_at.0,
        })
    }
}
