-- Feeds whose items become posts, what is asked of them, and how far their polls have come. `known`
-- holds hashes of 16 bytes of the items that need nothing any more.
CREATE TABLE feeds (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  input TEXT NOT NULL,
  written_by TEXT,
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  created_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  read_at INTEGER,
  posted_at INTEGER,
  failures INTEGER NOT NULL,
  error TEXT,
  etag TEXT,
  last_modified TEXT,
  known BLOB NOT NULL
) STRICT;
CREATE INDEX feeds_by_workspace ON feeds (workspace_id, created_at, id);
CREATE INDEX feeds_by_next ON feeds (next_at, id);
