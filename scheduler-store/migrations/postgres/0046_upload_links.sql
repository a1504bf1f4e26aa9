-- Links under which people give files that a program cannot read. `pass` is a SHA-256.
CREATE TABLE upload_links (
  pass bytea PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  note text,
  files bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX upload_links_by_workspace ON upload_links (workspace_id);
CREATE INDEX upload_links_by_expiry ON upload_links (expires_at);
