-- Links under which clients see posts, at most one for each post. `pass` is the SHA-256 of the
-- link's secret; what the client decided is `posts.approval_state`.
CREATE TABLE approvals (
  post_id BLOB PRIMARY KEY NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  workspace_id BLOB NOT NULL,
  pass BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  note TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX approvals_by_workspace ON approvals (workspace_id, created_at, post_id);

-- What an operator looks for among many deliveries.
CREATE INDEX deliveries_failed ON deliveries (workspace_id, created_at, id)
  WHERE status = 'failed';
