-- Who changed what. Ids are UUIDs v7 of `at`, so that the oldest are found by them.
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
