-- Work on files is of three kinds, each with places of its own. SQLite changes a CHECK only with
-- the whole table.
CREATE TABLE new_work (
  id BLOB PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('publish', 'deliver', 'fetch', 'examine', 'erase', 'read')),
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
  SELECT id,
    CASE WHEN kind <> 'media' THEN kind
      ELSE CASE (SELECT status FROM media WHERE media.id = work.subject)
        WHEN 'ingesting' THEN 'fetch' WHEN 'processing' THEN 'examine' ELSE 'erase' END END,
    subject, workspace_id, platform, lane, due_at, claimable_at, leased, claimed
  FROM work;
DROP TABLE work;
ALTER TABLE new_work RENAME TO work;
-- Holds everything that choosing lanes needs, so that a claim touches few pages.
CREATE INDEX work_by_claimable ON work
  (claimable_at, id, leased, kind, workspace_id, platform, lane, due_at);
CREATE INDEX work_by_workspace ON work (workspace_id, claimable_at, id);
CREATE INDEX work_by_lane ON work (lane, due_at, id);
CREATE INDEX work_leased ON work (lane, claimable_at) WHERE leased;
