-- What posts said at earlier times: who has written it and what it was, as JSON.
CREATE TABLE post_versions (
  id BLOB PRIMARY KEY NOT NULL,
  post_id BLOB NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  workspace_id BLOB NOT NULL,
  began_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('open', 'closed', 'beside')),
  content TEXT NOT NULL
) STRICT;
CREATE INDEX post_versions_by_post ON post_versions (post_id, id);
