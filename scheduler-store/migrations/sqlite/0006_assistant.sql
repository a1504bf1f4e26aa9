-- Calls to the assistant that count against a month's allowance.
CREATE TABLE assistant_counts (
  workspace_id BLOB NOT NULL,
  month INTEGER NOT NULL,
  call TEXT NOT NULL CHECK (call IN ('captions', 'review')),
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (workspace_id, month, call)
) STRICT, WITHOUT ROWID;

-- The last review of each target. Saving a post writes its targets anew, so a review hangs on the
-- post. `review` is JSON.
CREATE TABLE reviews (
  target_id BLOB PRIMARY KEY NOT NULL,
  post_id BLOB NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  review TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_by_post ON reviews (post_id);
