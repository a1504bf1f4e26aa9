-- Posts that come again: what is repeated and when, as JSON, and how far each has come. Of one that
-- has changed since its posts were made, planned_revision is behind revision.
CREATE TABLE recurrences (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
  terms text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  revision bigint NOT NULL,
  planned text NOT NULL,
  problem text,
  planned_revision bigint NOT NULL,
  next_at timestamptz NOT NULL,
  lease_until timestamptz
);
CREATE INDEX recurrences_by_workspace ON recurrences (workspace_id, created_at, id);
CREATE INDEX recurrences_by_next ON recurrences (next_at, id);
CREATE INDEX recurrences_by_change ON recurrences (id) WHERE planned_revision < revision;
-- The last use of each entry on each account, which outlives the post that it was.
CREATE TABLE entry_uses (
  entry_id uuid NOT NULL,
  account_id uuid NOT NULL,
  recurrence_id uuid NOT NULL,
  target_id uuid NOT NULL,
  used_at timestamptz NOT NULL,
  texts text NOT NULL,
  PRIMARY KEY (entry_id, account_id)
);
CREATE INDEX entry_uses_by_recurrence ON entry_uses (recurrence_id);
-- Of which recurrence a post is an occurrence, as JSON.
ALTER TABLE posts ADD COLUMN occurrence text;
