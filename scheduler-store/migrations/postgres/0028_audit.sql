-- Who changed what.
CREATE TABLE audit (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'session', 'server')),
  actor_id uuid,
  actor_name text,
  operation text NOT NULL,
  path text NOT NULL
);
CREATE INDEX audit_by_place ON audit (workspace_id, at, id);
CREATE INDEX audit_by_age ON audit (at);
