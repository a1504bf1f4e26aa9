-- Who is told what happens, and how far each was told: everything up to (until_at, until_event_id).
CREATE TABLE notifiers (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  channel TEXT NOT NULL CHECK (channel IN ('email', 'slack', 'discord', 'ntfy')),
  address BLOB NOT NULL,
  events TEXT NOT NULL,
  quiet TEXT,
  created_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  until_event_id BLOB NOT NULL,
  next_at INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  told_at INTEGER,
  error TEXT
) STRICT;
CREATE INDEX notifiers_by_workspace ON notifiers (workspace_id, created_at, id);
CREATE INDEX notifiers_by_next ON notifiers (next_at, id);
CREATE INDEX events_by_workspace ON events (workspace_id, created_at, id);
