-- What people and programs write down about a post; labels and metadata are JSON. NULL where there
-- is nothing.
ALTER TABLE posts ADD COLUMN labels TEXT;
ALTER TABLE posts ADD COLUMN note TEXT;
ALTER TABLE posts ADD COLUMN metadata TEXT;
-- How the time of a post was said, as JSON; NULL where an earlier version has stored it.
ALTER TABLE posts ADD COLUMN timing TEXT;
-- A draft that a network would refuse.
ALTER TABLE posts ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0 CHECK (unfinished IN (0, 1));
ALTER TABLE posts ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

-- When something of a post is due next, NULL when nothing is to come; read off the targets
-- whenever these change.
ALTER TABLE posts ADD COLUMN due_at INTEGER;
UPDATE posts SET due_at = CASE status WHEN 'scheduled' THEN scheduled_at
    ELSE coalesce((SELECT min(due_at) FROM targets WHERE post_id = posts.id
      AND status IN ('pending', 'publishing')), scheduled_at) END
  WHERE status IN ('scheduled', 'publishing');
CREATE INDEX posts_by_due ON posts (workspace_id, due_at, id) WHERE due_at IS NOT NULL;

-- What posts are found by beside their status; `moment` is that of the post.
CREATE TABLE post_facets (
  workspace_id BLOB NOT NULL,
  facet BLOB NOT NULL,
  moment INTEGER NOT NULL,
  post_id BLOB NOT NULL,
  PRIMARY KEY (workspace_id, facet, moment, post_id)
) STRICT, WITHOUT ROWID;
INSERT INTO post_facets
  SELECT p.workspace_id, unhex('61' || hex(t.account_id)), p.moment, p.id
    FROM posts p JOIN targets t ON t.post_id = p.id
  UNION SELECT p.workspace_id, iif(t.failure_code = 'in_doubt', x'64', x'66'), p.moment, p.id
    FROM posts p JOIN targets t ON t.post_id = p.id
    WHERE t.status = 'failed' AND p.status <> 'canceled'
  UNION SELECT workspace_id, iif(approval_state = 'pending', x'77', x'63'), moment, id FROM posts
    WHERE approval_state IN ('pending', 'changes')
      AND status IN ('draft', 'scheduled', 'publishing');

-- The words that posts are found by, each after eight digits of its workspace, with a space before
-- and after it.
CREATE TABLE post_words (
  id INTEGER PRIMARY KEY,
  post_id BLOB NOT NULL UNIQUE REFERENCES posts (id) ON DELETE CASCADE,
  words TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE post_words_index USING fts5 (words, content = 'post_words',
  content_rowid = 'id', tokenize = 'ascii', detail = 'none', columnsize = 0);
CREATE TRIGGER post_words_inserted AFTER INSERT ON post_words BEGIN
  INSERT INTO post_words_index (rowid, words) VALUES (new.id, new.words);
END;
CREATE TRIGGER post_words_deleted AFTER DELETE ON post_words BEGIN
  INSERT INTO post_words_index (post_words_index, rowid, words) VALUES ('delete', old.id, old.words);
END;
CREATE TRIGGER post_words_updated AFTER UPDATE ON post_words BEGIN
  INSERT INTO post_words_index (post_words_index, rowid, words) VALUES ('delete', old.id, old.words);
  INSERT INTO post_words_index (rowid, words) VALUES (new.id, new.words);
END;
-- False until the words of a post are stored, which a start does for those of earlier versions.
ALTER TABLE posts ADD COLUMN searchable INTEGER NOT NULL DEFAULT 0 CHECK (searchable IN (0, 1));
CREATE INDEX posts_not_searchable ON posts (id) WHERE NOT searchable;
