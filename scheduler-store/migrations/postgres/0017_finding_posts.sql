-- What people and programs write down about a post; labels and metadata are JSON. NULL where there
-- is nothing.
ALTER TABLE posts ADD COLUMN labels text;
ALTER TABLE posts ADD COLUMN note text;
ALTER TABLE posts ADD COLUMN metadata text;
-- How the time of a post was said, as JSON; NULL where an earlier version has stored it.
ALTER TABLE posts ADD COLUMN timing text;
-- A draft that a network would refuse.
ALTER TABLE posts ADD COLUMN unfinished boolean NOT NULL DEFAULT false;
ALTER TABLE posts ADD COLUMN revision bigint NOT NULL DEFAULT 1;

-- When something of a post is due next, NULL when nothing is to come; read off the targets
-- whenever these change.
ALTER TABLE posts ADD COLUMN due_at timestamptz;
UPDATE posts SET due_at = CASE status WHEN 'scheduled' THEN scheduled_at
    ELSE coalesce((SELECT min(due_at) FROM targets WHERE post_id = posts.id
      AND status IN ('pending', 'publishing')), scheduled_at) END
  WHERE status IN ('scheduled', 'publishing');
CREATE INDEX posts_by_due ON posts (workspace_id, due_at, id) WHERE due_at IS NOT NULL;

-- What posts are found by beside their status; `moment` is that of the post.
CREATE TABLE post_facets (
  workspace_id uuid NOT NULL,
  facet bytea NOT NULL,
  moment timestamptz NOT NULL,
  post_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, facet, moment, post_id)
);
INSERT INTO post_facets
  SELECT p.workspace_id, '\x61'::bytea || uuid_send(t.account_id), p.moment, p.id
    FROM posts p JOIN targets t ON t.post_id = p.id
  UNION SELECT p.workspace_id,
    CASE t.failure_code WHEN 'in_doubt' THEN '\x64'::bytea ELSE '\x66'::bytea END, p.moment, p.id
    FROM posts p JOIN targets t ON t.post_id = p.id
    WHERE t.status = 'failed' AND p.status <> 'canceled'
  UNION SELECT workspace_id,
    CASE approval_state WHEN 'pending' THEN '\x77'::bytea ELSE '\x63'::bytea END, moment, id
    FROM posts WHERE approval_state IN ('pending', 'changes')
      AND status IN ('draft', 'scheduled', 'publishing');

-- The words that posts are found by, each after eight digits of its workspace.
CREATE TABLE post_words (
  post_id uuid PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  words tsvector NOT NULL
);
CREATE INDEX post_words_by_word ON post_words USING gin (words);
-- False until the words of a post are stored, which a start does for those of earlier versions.
ALTER TABLE posts ADD COLUMN searchable boolean NOT NULL DEFAULT false;
CREATE INDEX posts_not_searchable ON posts (id) WHERE NOT searchable;
