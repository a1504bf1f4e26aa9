-- Posts that come again: what is repeated and when, as JSON, and how far each has come. Of one that
-- has changed since its posts were made, planned_revision is behind revision.
CREATE TABLE recurrences (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
  terms TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  planned TEXT NOT NULL,
  problem TEXT,
  planned_revision INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  lease_until INTEGER
) STRICT;
CREATE INDEX recurrences_by_workspace ON recurrences (workspace_id, created_at, id);
CREATE INDEX recurrences_by_next ON recurrences (next_at, id);
CREATE INDEX recurrences_by_change ON recurrences (id) WHERE planned_revision < revision;
-- The last use of each entry on each account, which outlives the post that it was.
CREATE TABLE entry_uses (
  entry_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  recurrence_id BLOB NOT NULL,
  target_id BLOB NOT NULL,
  used_at INTEGER NOT NULL,
  texts TEXT NOT NULL,
  PRIMARY KEY (entry_id, account_id)
) STRICT;
CREATE INDEX entry_uses_by_recurrence ON entry_uses (recurrence_id);
-- Of which recurrence a post is an occurrence, as JSON.
ALTER TABLE posts ADD COLUMN occurrence TEXT;
