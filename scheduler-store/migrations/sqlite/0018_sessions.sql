-- People who log in. A login waits for its code to be confirmed; the session that it becomes has
-- its id. `secret`, `session` and `hash` are SHA-256.
CREATE TABLE logins (
  id BLOB PRIMARY KEY NOT NULL,
  code TEXT NOT NULL UNIQUE,
  secret BLOB NOT NULL UNIQUE,
  session BLOB NOT NULL,
  client TEXT NOT NULL,
  api INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX logins_by_expiry ON logins (expires_at);
CREATE TABLE sessions (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  hash BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL,
  client TEXT NOT NULL,
  api INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_workspace ON sessions (workspace_id, created_at, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
