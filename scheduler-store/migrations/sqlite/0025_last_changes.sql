-- The last change of each post while it can be taken back; what it was before, as JSON.
CREATE TABLE last_changes (
  post_id BLOB PRIMARY KEY NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  workspace_id BLOB NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('edited', 'canceled')),
  before TEXT NOT NULL
) STRICT;
CREATE INDEX last_changes_by_workspace ON last_changes (workspace_id, at, post_id);
