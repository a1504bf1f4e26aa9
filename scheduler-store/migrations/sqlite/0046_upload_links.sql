-- Links under which people give files that a program cannot read. `pass` is a SHA-256.
CREATE TABLE upload_links (
  pass BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  note TEXT,
  files INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX upload_links_by_workspace ON upload_links (workspace_id);
CREATE INDEX upload_links_by_expiry ON upload_links (expires_at);
