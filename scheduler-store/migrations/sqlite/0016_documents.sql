-- A new kind of file. SQLite changes a CHECK only with the whole table.
CREATE TABLE new_media (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'document')),
  status TEXT NOT NULL CHECK (status IN ('awaiting_upload', 'ingesting', 'processing', 'ready',
    'failed', 'deleted')),
  mime_type TEXT,
  size_bytes INTEGER,
  duration_seconds REAL,
  width INTEGER,
  height INTEGER,
  fps REAL,
  file_name TEXT,
  error TEXT,
  created_at INTEGER NOT NULL,
  video_codec TEXT CHECK (video_codec IN ('h264', 'hevc', 'vp8', 'vp9', 'av1', 'prores', 'mpeg4',
    'other')),
  frame_count INTEGER,
  -- JSON. `source_url` belongs to it; it is sealed, since it may hold a signature.
  transfer TEXT NOT NULL DEFAULT '{"mode":"single"}',
  source_url BLOB,
  has_preview INTEGER NOT NULL DEFAULT 0 CHECK (has_preview IN (0, 1)),
  due_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  -- What the file counts for in `media_counts`, in the month of `created_at`.
  allowance_bytes INTEGER NOT NULL DEFAULT 0 CHECK (allowance_bytes >= 0)
) STRICT;
INSERT INTO new_media (id, workspace_id, kind, status, mime_type, size_bytes, duration_seconds,
    width, height, fps, file_name, error, created_at, video_codec, frame_count, transfer,
    source_url, has_preview, due_at, tries, version, allowance_bytes)
  SELECT id, workspace_id, kind, status, mime_type, size_bytes, duration_seconds,
    width, height, fps, file_name, error, created_at, video_codec, frame_count, transfer,
    source_url, has_preview, due_at, tries, version, allowance_bytes
  FROM media;
DROP TABLE media;
ALTER TABLE new_media RENAME TO media;
CREATE INDEX media_by_workspace ON media (workspace_id, created_at, id);
