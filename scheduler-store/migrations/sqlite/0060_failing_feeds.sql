-- Until when nobody may ask for a poll: the end of the lease while a feed is polled, and a minute after.
ALTER TABLE feeds ADD COLUMN rests_until INTEGER;
-- Events of feeds that keep failing.
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
    'media.failed', 'comment.received', 'feed.failing')),
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
INSERT INTO events (id, workspace_id, kind, created_at, body)
  SELECT id, workspace_id, kind, created_at, body FROM kept_events;
DROP TABLE kept_events;
CREATE INDEX events_by_age ON events (created_at, id);
CREATE INDEX events_by_workspace ON events (workspace_id, created_at, id);
-- People are told of the third failure in a row, also of feeds that have failed more often before
-- anybody was told.
UPDATE feeds SET failures = 2 WHERE failures > 2;
