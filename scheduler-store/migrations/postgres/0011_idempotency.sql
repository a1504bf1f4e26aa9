-- The SHA-256 of what the first request of a key said; NULL where an earlier version has stored it.
ALTER TABLE posts ADD COLUMN idempotency_body bytea;

-- The uses of keys, other than for posts: `id` is that of a file or a webhook that was made, and
-- tells one use from another of the same key; the key is kept as long as what it belongs to. While
-- a network is asked, `until_at` says until when at most; `answer` is what it has answered.
CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL,
  scope text NOT NULL,
  key text NOT NULL,
  body bytea,
  id uuid NOT NULL,
  belongs_to uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('kept', 'answered', 'under_way', 'unknown')),
  until_at timestamptz,
  answer text,
  PRIMARY KEY (workspace_id, scope, key)
);
CREATE INDEX idempotency_keys_by_thing ON idempotency_keys (belongs_to);
