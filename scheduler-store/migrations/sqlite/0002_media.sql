-- What is known of a file beyond its measures, and which post uses which file.

ALTER TABLE media ADD COLUMN video_codec TEXT CHECK (video_codec IN ('h264', 'hevc', 'vp8', 'vp9',
  'av1', 'prores', 'mpeg4', 'other'));
ALTER TABLE media ADD COLUMN frame_count INTEGER;
-- JSON. `source_url` belongs to it; it is sealed, since it may hold a signature.
ALTER TABLE media ADD COLUMN transfer TEXT NOT NULL DEFAULT '{"mode":"single"}';
ALTER TABLE media ADD COLUMN source_url BLOB;
ALTER TABLE media ADD COLUMN has_preview INTEGER NOT NULL DEFAULT 0 CHECK (has_preview IN (0, 1));
ALTER TABLE media ADD COLUMN due_at INTEGER;
ALTER TABLE media ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE media ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- What the file counts for in `media_counts`, in the month of `created_at`.
ALTER TABLE media ADD COLUMN allowance_bytes INTEGER NOT NULL DEFAULT 0
  CHECK (allowance_bytes >= 0);

-- The bytes of a month are a row that every change of a file moves along, so that asking for them
-- passes over no files and adding to them is one guarded statement.
CREATE TABLE media_counts (
  workspace_id BLOB NOT NULL,
  month INTEGER NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (workspace_id, month)
) STRICT, WITHOUT ROWID;

-- A failure alone leaves an error behind; a file that failed counts for nothing.
UPDATE media SET allowance_bytes = coalesce(size_bytes, 0)
  WHERE status <> 'failed' AND (status <> 'deleted' OR error IS NULL);
INSERT INTO media_counts (workspace_id, month, bytes)
  SELECT workspace_id, month, sum(allowance_bytes) FROM (
    SELECT workspace_id, allowance_bytes,
      CAST(strftime('%Y', created_at / 1000000, 'unixepoch') AS INTEGER) * 12
      + CAST(strftime('%m', created_at / 1000000, 'unixepoch') AS INTEGER) - 1 AS month
    FROM media WHERE allowance_bytes > 0)
  GROUP BY workspace_id, month;

-- Every file that a post needs: its own, and those that options of its targets name.
CREATE TABLE post_files (
  workspace_id BLOB NOT NULL,
  media_id BLOB NOT NULL,
  post_id BLOB NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  PRIMARY KEY (workspace_id, media_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX post_files_by_post ON post_files (post_id);

INSERT OR IGNORE INTO post_files (workspace_id, media_id, post_id)
  SELECT p.workspace_id, unhex(replace(file.value, '-', '')), p.id
  FROM posts p, json_each(p.media_ids) file;
-- An id may be written in any of the forms that are read: with or without hyphens, in braces, as
-- a URN.
INSERT OR IGNORE INTO post_files (workspace_id, media_id, post_id)
  SELECT workspace_id, unhex(digits), post_id FROM (
    SELECT p.workspace_id, p.id AS post_id, replace(replace(replace(replace(
      json_extract(t.options, '$.thumbnailMediaId'), 'urn:uuid:', ''), '{', ''), '}', ''), '-', '')
      AS digits
    FROM targets t JOIN posts p ON p.id = t.post_id
    WHERE json_type(t.options, '$.thumbnailMediaId') = 'text')
  WHERE length(unhex(digits)) = 16;

-- A new kind of work. SQLite changes a CHECK only with the whole table.
CREATE TABLE new_work (
  id BLOB PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('publish', 'deliver', 'media')),
  subject BLOB NOT NULL,
  workspace_id BLOB NOT NULL,
  platform TEXT,
  lane TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  claimable_at INTEGER NOT NULL,
  leased INTEGER NOT NULL CHECK (leased IN (0, 1)),
  claimed INTEGER NOT NULL,
  UNIQUE (kind, subject)
) STRICT, WITHOUT ROWID;
INSERT INTO new_work (id, kind, subject, workspace_id, platform, lane, due_at, claimable_at,
    leased, claimed)
  SELECT id, kind, subject, workspace_id, platform, lane, due_at, claimable_at, leased, claimed
  FROM work;
DROP TABLE work;
ALTER TABLE new_work RENAME TO work;
-- Holds everything that choosing lanes needs, so that a claim touches few pages.
CREATE INDEX work_by_claimable ON work
  (claimable_at, id, leased, kind, workspace_id, platform, lane, due_at);
CREATE INDEX work_by_workspace ON work (workspace_id, claimable_at, id);
CREATE INDEX work_by_lane ON work (lane, due_at, id);
CREATE INDEX work_leased ON work (lane, claimable_at) WHERE leased;

-- What an earlier release left unfinished is given up like anything else: an upload a day after
-- it was declared.
UPDATE media SET due_at = created_at + CASE status WHEN 'awaiting_upload' THEN 86400000000 ELSE 0 END
  WHERE status IN ('awaiting_upload', 'ingesting', 'processing');
INSERT INTO work (id, kind, subject, workspace_id, platform, lane, due_at, claimable_at, leased,
    claimed)
  SELECT id, 'media', id, workspace_id, NULL,
    lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
      || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)),
    due_at, due_at, 0, 0
  FROM media WHERE due_at IS NOT NULL;
