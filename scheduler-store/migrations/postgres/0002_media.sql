-- What is known of a file beyond its measures, and which post uses which file.

-- `transfer` is JSON. `source_url` belongs to it; it is sealed, since it may hold a signature.
-- `allowance_bytes` is what the file counts for in `media_counts`, in the month of `created_at`.
ALTER TABLE media
  ADD COLUMN video_codec text CHECK (video_codec IN ('h264', 'hevc', 'vp8', 'vp9', 'av1',
    'prores', 'mpeg4', 'other')),
  ADD COLUMN frame_count bigint,
  ADD COLUMN transfer text NOT NULL DEFAULT '{"mode":"single"}',
  ADD COLUMN source_url bytea,
  ADD COLUMN has_preview boolean NOT NULL DEFAULT false,
  ADD COLUMN due_at timestamptz,
  ADD COLUMN tries bigint NOT NULL DEFAULT 0,
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  ADD COLUMN allowance_bytes bigint NOT NULL DEFAULT 0 CHECK (allowance_bytes >= 0);

-- The bytes of a month are a row that every change of a file moves along, so that asking for them
-- passes over no files and adding to them is one guarded statement.
CREATE TABLE media_counts (
  workspace_id uuid NOT NULL,
  month bigint NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (workspace_id, month)
);

-- A failure alone leaves an error behind; a file that failed counts for nothing.
UPDATE media SET allowance_bytes = coalesce(size_bytes, 0)
  WHERE status <> 'failed' AND (status <> 'deleted' OR error IS NULL);
INSERT INTO media_counts (workspace_id, month, bytes)
  SELECT workspace_id, (extract(year FROM created_at AT TIME ZONE 'UTC') * 12
      + extract(month FROM created_at AT TIME ZONE 'UTC') - 1)::bigint AS month,
    sum(allowance_bytes)::bigint
  FROM media WHERE allowance_bytes > 0 GROUP BY workspace_id, 2;

-- Every file that a post needs: its own, and those that options of its targets name.
CREATE TABLE post_files (
  workspace_id uuid NOT NULL,
  media_id uuid NOT NULL,
  post_id uuid NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  PRIMARY KEY (workspace_id, media_id, post_id)
);
CREATE INDEX post_files_by_post ON post_files (post_id);

INSERT INTO post_files (workspace_id, media_id, post_id)
  SELECT p.workspace_id, file::uuid, p.id
  FROM posts p CROSS JOIN json_array_elements_text(p.media_ids::json) file
  WHERE p.media_ids <> '[]'
  ON CONFLICT DO NOTHING;
-- Found by its text, since JSON may hold characters that PostgreSQL does not read. An id may be
-- written in any of the forms that are read: with or without hyphens, in braces, as a URN.
INSERT INTO post_files (workspace_id, media_id, post_id)
  SELECT workspace_id, digits::uuid, post_id FROM (
    SELECT p.workspace_id, p.id AS post_id, translate(replace(
      substring(t.options FROM '"thumbnailMediaId":"([^"\\]*)"'), 'urn:uuid:', ''), '{}-', '')
      AS digits
    FROM targets t JOIN posts p ON p.id = t.post_id
    WHERE t.options LIKE '%"thumbnailMediaId":"%') thumbnails
  WHERE digits ~ '^[0-9a-fA-F]{32}$'
  ON CONFLICT DO NOTHING;

-- A new kind of work.
ALTER TABLE work DROP CONSTRAINT work_kind_check;
ALTER TABLE work ADD CONSTRAINT work_kind_check CHECK (kind IN ('publish', 'deliver', 'media'));
-- Holds everything that choosing lanes needs, so that a claim touches few pages.
DROP INDEX work_by_claimable;
CREATE INDEX work_by_claimable ON work (claimable_at, id)
  INCLUDE (leased, kind, workspace_id, platform, lane, due_at);

-- What an earlier release left unfinished is given up like anything else: an upload a day after
-- it was declared.
UPDATE media SET due_at = created_at
    + CASE status WHEN 'awaiting_upload' THEN interval '24 hours' ELSE interval '0' END
  WHERE status IN ('awaiting_upload', 'ingesting', 'processing');
INSERT INTO work (id, kind, subject, workspace_id, platform, lane, due_at, claimable_at, leased,
    claimed)
  SELECT id, 'media', id, workspace_id, NULL, id::text, due_at, due_at, false, 0
  FROM media WHERE due_at IS NOT NULL;
