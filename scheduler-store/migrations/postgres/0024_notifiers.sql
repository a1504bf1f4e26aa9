-- Who is told what happens, and how far each was told: everything up to (until_at, until_event_id).
CREATE TABLE notifiers (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  channel text NOT NULL CHECK (channel IN ('email', 'slack', 'discord', 'ntfy')),
  address bytea NOT NULL,
  events text NOT NULL,
  quiet text,
  created_at timestamptz NOT NULL,
  until_at timestamptz NOT NULL,
  until_event_id uuid NOT NULL,
  next_at timestamptz NOT NULL,
  failures bigint NOT NULL,
  told_at timestamptz,
  error text
);
CREATE INDEX notifiers_by_workspace ON notifiers (workspace_id, created_at, id);
CREATE INDEX notifiers_by_next ON notifiers (next_at, id);
CREATE INDEX events_by_workspace ON events (workspace_id, created_at, id);
