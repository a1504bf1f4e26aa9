-- Connections of accounts that people are making in a browser. `pass` is the SHA-256 of what the
-- browser has to show next; `stage` is sealed JSON.
CREATE TABLE pending_connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  platform text NOT NULL,
  pass bytea NOT NULL UNIQUE,
  stage bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX pending_connections_by_expiry ON pending_connections (expires_at);
