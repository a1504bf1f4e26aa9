-- Connections of accounts that people are making in a browser. `pass` is the SHA-256 of what the
-- browser has to show next; `stage` is sealed JSON.
CREATE TABLE pending_connections (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  platform TEXT NOT NULL,
  pass BLOB NOT NULL UNIQUE,
  stage BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX pending_connections_by_expiry ON pending_connections (expires_at);
