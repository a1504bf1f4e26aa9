-- Readings of live posts and of accounts.

-- When the figures of a live target are read next, null for never; and its latest reading, so
-- that a target is read with it by one look. A target that a save replaces keeps its row.
CREATE TABLE reading_plans (
  target_id BLOB PRIMARY KEY NOT NULL,
  account_id BLOB NOT NULL,
  published_at INTEGER NOT NULL,
  due_at INTEGER,
  taken_at INTEGER,
  figures TEXT,
  CHECK ((taken_at IS NULL) = (figures IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_plans_by_due ON reading_plans (account_id, due_at, target_id)
  WHERE due_at IS NOT NULL;
CREATE INDEX reading_plans_by_publication ON reading_plans (account_id, published_at);

CREATE TABLE readings (
  target_id BLOB NOT NULL REFERENCES reading_plans (target_id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  figures TEXT NOT NULL,
  PRIMARY KEY (target_id, at)
) STRICT, WITHOUT ROWID;

-- A row for every account that was ever connected.
CREATE TABLE reading_states (
  account_id BLOB PRIMARY KEY NOT NULL,
  look_due_at INTEGER NOT NULL,
  blocked_until INTEGER,
  failures INTEGER NOT NULL CHECK (failures >= 0)
) STRICT, WITHOUT ROWID;

-- When a workspace last asked for fresh readings.
CREATE TABLE reading_refreshes (
  workspace_id BLOB PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `day` counts from 1970-01-01 in UTC.
CREATE TABLE followers (
  account_id BLOB NOT NULL,
  day INTEGER NOT NULL,
  followers INTEGER NOT NULL CHECK (followers >= 0),
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_budgets (
  subject TEXT NOT NULL,
  begins_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (subject, begins_at)
) STRICT, WITHOUT ROWID;

-- A new kind of work. SQLite changes a CHECK only with the whole table.
CREATE TABLE new_work (
  id BLOB PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('publish', 'deliver', 'media', 'read')),
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

-- What is live already is read from now on, if it went live in the last 14 days; every connected
-- account is looked at.
INSERT INTO reading_plans (target_id, account_id, published_at, due_at)
  SELECT id, account_id, published_at,
    CASE WHEN published_at > (unixepoch() - 14 * 86400) * 1000000 THEN unixepoch() * 1000000 END
  FROM targets WHERE status = 'published' AND published_at IS NOT NULL;
INSERT INTO reading_states (account_id, look_due_at, blocked_until, failures)
  SELECT id, unixepoch() * 1000000, NULL, 0 FROM accounts;
-- The id of such work sorts after that of any other.
INSERT INTO work (id, kind, subject, workspace_id, platform, lane, due_at, claimable_at, leased,
    claimed)
  SELECT unhex('ffffffffffff' || substr(hex(id), 13)), 'read', id, workspace_id, platform,
    'read/' || lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-'
      || substr(hex(id), 13, 4) || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)),
    unixepoch() * 1000000, unixepoch() * 1000000, 0, 0
  FROM accounts WHERE disconnected_at IS NULL;
