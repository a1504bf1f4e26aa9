-- The last change of each post while it can be taken back; what it was before, as JSON.
CREATE TABLE last_changes (
  post_id uuid PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  at timestamptz NOT NULL,
  revision bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('edited', 'canceled')),
  before text NOT NULL
);
CREATE INDEX last_changes_by_workspace ON last_changes (workspace_id, at, post_id);
