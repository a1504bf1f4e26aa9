-- Readings of live posts and of accounts.

-- When the figures of a live target are read next, null for never; and its latest reading, so
-- that a target is read with it by one look. A target that a save replaces keeps its row.
CREATE TABLE reading_plans (
  target_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  published_at timestamptz NOT NULL,
  due_at timestamptz,
  taken_at timestamptz,
  figures text,
  CHECK ((taken_at IS NULL) = (figures IS NULL))
);
CREATE INDEX reading_plans_by_due ON reading_plans (account_id, due_at, target_id)
  WHERE due_at IS NOT NULL;
CREATE INDEX reading_plans_by_publication ON reading_plans (account_id, published_at);

CREATE TABLE readings (
  target_id uuid NOT NULL REFERENCES reading_plans (target_id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  figures text NOT NULL,
  PRIMARY KEY (target_id, at)
);

-- A row for every account that was ever connected.
CREATE TABLE reading_states (
  account_id uuid PRIMARY KEY,
  look_due_at timestamptz NOT NULL,
  blocked_until timestamptz,
  failures bigint NOT NULL CHECK (failures >= 0)
);

-- When a workspace last asked for fresh readings.
CREATE TABLE reading_refreshes (
  workspace_id uuid PRIMARY KEY,
  at timestamptz NOT NULL
);

-- `day` counts from 1970-01-01 in UTC.
CREATE TABLE followers (
  account_id uuid NOT NULL,
  day bigint NOT NULL,
  followers bigint NOT NULL CHECK (followers >= 0),
  PRIMARY KEY (account_id, day)
);

CREATE TABLE call_budgets (
  subject text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  calls bigint NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (subject, begins_at)
);

-- A new kind of work.
ALTER TABLE work DROP CONSTRAINT work_kind_check;
ALTER TABLE work ADD CONSTRAINT work_kind_check
  CHECK (kind IN ('publish', 'deliver', 'media', 'read'));

-- What is live already is read from now on, if it went live in the last 14 days; every connected
-- account is looked at.
INSERT INTO reading_plans (target_id, account_id, published_at, due_at)
  SELECT id, account_id, published_at,
    CASE WHEN published_at > now() - interval '336 hours' THEN now() END
  FROM targets WHERE status = 'published' AND published_at IS NOT NULL;
INSERT INTO reading_states (account_id, look_due_at, blocked_until, failures)
  SELECT id, now(), NULL, 0 FROM accounts;
-- The id of such work sorts after that of any other.
INSERT INTO work (id, kind, subject, workspace_id, platform, lane, due_at, claimable_at, leased,
    claimed)
  SELECT ('ffffffff-ffff' || substr(id::text, 14))::uuid, 'read', id, workspace_id, platform,
    'read/' || id::text, now(), now(), false, 0
  FROM accounts WHERE disconnected_at IS NULL;
