-- Calls to the assistant that count against a month's allowance.
CREATE TABLE assistant_counts (
  workspace_id uuid NOT NULL,
  month bigint NOT NULL,
  call text NOT NULL CHECK (call IN ('captions', 'review')),
  calls bigint NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (workspace_id, month, call)
);

-- The last review of each target. Saving a post writes its targets anew, so a review hangs on the
-- post. `review` is JSON.
CREATE TABLE reviews (
  target_id uuid PRIMARY KEY,
  post_id uuid NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  review text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX reviews_by_post ON reviews (post_id);
