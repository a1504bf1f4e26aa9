-- Feeds whose items become posts, what is asked of them, and how far their polls have come. `known`
-- holds hashes of 16 bytes of the items that need nothing any more.
CREATE TABLE feeds (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  input text NOT NULL,
  written_by text,
  paused boolean NOT NULL,
  created_at timestamptz NOT NULL,
  next_at timestamptz NOT NULL,
  read_at timestamptz,
  posted_at timestamptz,
  failures bigint NOT NULL,
  error text,
  etag text,
  last_modified text,
  known bytea NOT NULL
);
CREATE INDEX feeds_by_workspace ON feeds (workspace_id, created_at, id);
CREATE INDEX feeds_by_next ON feeds (next_at, id);
