-- People who log in. A login waits for its code to be confirmed; the session that it becomes has
-- its id. `secret`, `session` and `hash` are SHA-256.
CREATE TABLE logins (
  id uuid PRIMARY KEY,
  code text NOT NULL UNIQUE,
  secret bytea NOT NULL UNIQUE,
  session bytea NOT NULL,
  client text NOT NULL,
  api boolean NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX logins_by_expiry ON logins (expires_at);
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  hash bytea NOT NULL UNIQUE,
  role text NOT NULL,
  client text NOT NULL,
  api boolean NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_workspace ON sessions (workspace_id, created_at, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
