-- Several posts under one link, everything that client and team write about a post, and the
-- picture of a workspace. SQLite lets go of UNIQUE only with the whole table.
ALTER TABLE approvals RENAME TO earlier_approvals;
CREATE TABLE approvals (
  post_id BLOB PRIMARY KEY NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  workspace_id BLOB NOT NULL,
  pass BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  client TEXT,
  message TEXT,
  timezone TEXT,
  remarks TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;
INSERT INTO approvals (post_id, workspace_id, pass, created_at, expires_at, decided_at, remarks)
  SELECT post_id, workspace_id, pass, created_at, expires_at, decided_at,
    iif(note IS NULL OR decided_at IS NULL, '[]', json_array(json_object(
      'at', strftime('%Y-%m-%dT%H:%M:%S', decided_at / 1000000, 'unixepoch')
        || printf('.%06dZ', decided_at % 1000000),
      'by', 'client', 'text', note)))
  FROM earlier_approvals;
DROP TABLE earlier_approvals;
CREATE INDEX approvals_by_workspace ON approvals (workspace_id, created_at, post_id);
CREATE INDEX approvals_by_pass ON approvals (pass);

ALTER TABLE workspaces ADD COLUMN picture_id BLOB;
