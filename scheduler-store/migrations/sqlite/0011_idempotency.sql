-- The SHA-256 of what the first request of a key said; NULL where an earlier version has stored it.
ALTER TABLE posts ADD COLUMN idempotency_body BLOB;

-- The uses of keys, other than for posts: `id` is that of a file or a webhook that was made, and
-- tells one use from another of the same key; the key is kept as long as what it belongs to. While
-- a network is asked, `until_at` says until when at most; `answer` is what it has answered.
CREATE TABLE idempotency_keys (
  workspace_id BLOB NOT NULL,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body BLOB,
  id BLOB NOT NULL,
  belongs_to BLOB NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('kept', 'answered', 'under_way', 'unknown')),
  until_at INTEGER,
  answer TEXT,
  PRIMARY KEY (workspace_id, scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_thing ON idempotency_keys (belongs_to);
