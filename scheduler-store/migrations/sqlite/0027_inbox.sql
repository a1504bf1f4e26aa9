-- What others have written under live targets.
CREATE TABLE comments (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL,
  post_id BLOB NOT NULL,
  target_id BLOB NOT NULL REFERENCES reading_plans (target_id) ON DELETE CASCADE,
  account_id BLOB NOT NULL,
  platform TEXT NOT NULL,
  remote_id TEXT NOT NULL,
  author TEXT,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  like_count INTEGER,
  read_at INTEGER
) STRICT;
CREATE INDEX comments_by_place ON comments (workspace_id, at, id);
CREATE INDEX comments_unread ON comments (workspace_id, at, id) WHERE read_at IS NULL;
CREATE INDEX comments_by_account ON comments (account_id, at, id);
CREATE INDEX comments_by_target ON comments (target_id);
-- How many comments the network had counted when they were read last.
ALTER TABLE reading_plans ADD COLUMN comments_seen INTEGER;
-- Events of new ones.
-- SQLite changes a CHECK only with the whole table; deliveries refer to it, and find it again before
-- the end of the transaction.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE kept_events AS SELECT id, workspace_id, kind, created_at, body FROM events;
DROP TABLE events;
CREATE TABLE events (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('post.published', 'post.failed', 'post.scheduled',
    'post.approval_decided', 'account.needs_reconnect', 'account.token_expiring', 'media.ready',
    'media.failed', 'comment.received')),
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
INSERT INTO events (id, workspace_id, kind, created_at, body)
  SELECT id, workspace_id, kind, created_at, body FROM kept_events;
DROP TABLE kept_events;
CREATE INDEX events_by_age ON events (created_at, id);
CREATE INDEX events_by_workspace ON events (workspace_id, created_at, id);
