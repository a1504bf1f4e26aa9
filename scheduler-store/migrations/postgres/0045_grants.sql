-- What people have granted programs by OAuth. `challenge` and `hash` are SHA-256.
CREATE TABLE grants (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  session_id uuid,
  person_id uuid,
  person_name text,
  client_id text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  challenge bytea NOT NULL,
  resource text NOT NULL,
  scopes text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX grants_by_workspace ON grants (workspace_id, created_at, id);
CREATE INDEX grants_by_expiry ON grants (expires_at);
CREATE TABLE grant_tokens (
  hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX grant_tokens_by_grant ON grant_tokens (grant_id, expires_at);
-- Programs that people have connected change things too.
ALTER TABLE audit DROP CONSTRAINT audit_actor_kind_check;
ALTER TABLE audit ADD CONSTRAINT audit_actor_kind_check
  CHECK (actor_kind IN ('key', 'session', 'grant', 'server'));
