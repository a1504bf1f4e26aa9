-- Who changed what. Ids are UUIDs v7 of `at`, so that the oldest are found by them.
CREATE TABLE audit (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'session', 'server')),
  actor_id BLOB,
  actor_name TEXT,
  operation TEXT NOT NULL,
  path TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_place ON audit (workspace_id, at, id);
