-- What people have granted programs by OAuth. `challenge` and `hash` are SHA-256.
CREATE TABLE grants (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  session_id BLOB,
  person_id BLOB,
  person_name TEXT,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge BLOB NOT NULL,
  resource TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX grants_by_workspace ON grants (workspace_id, created_at, id);
CREATE INDEX grants_by_expiry ON grants (expires_at);
CREATE TABLE grant_tokens (
  hash BLOB PRIMARY KEY NOT NULL,
  grant_id BLOB NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX grant_tokens_by_grant ON grant_tokens (grant_id, expires_at);
-- Programs that people have connected change things too. SQLite changes a CHECK only with the whole
-- table.
ALTER TABLE audit RENAME TO kept_audit;
DROP INDEX audit_by_place;
CREATE TABLE audit (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'session', 'grant', 'server')),
  actor_id BLOB,
  actor_name TEXT,
  operation TEXT NOT NULL,
  path TEXT NOT NULL,
  actor_person_id BLOB,
  actor_person TEXT
) STRICT;
INSERT INTO audit (id, workspace_id, at, actor_kind, actor_id, actor_name, operation, path,
    actor_person_id, actor_person)
  SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, operation, path,
    actor_person_id, actor_person FROM kept_audit;
DROP TABLE kept_audit;
CREATE INDEX audit_by_place ON audit (workspace_id, at, id);
