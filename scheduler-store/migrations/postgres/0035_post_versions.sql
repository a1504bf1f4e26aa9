-- What posts said at earlier times: who has written it and what it was, as JSON.
CREATE TABLE post_versions (
  id uuid PRIMARY KEY,
  post_id uuid NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  began_at timestamptz NOT NULL,
  at timestamptz NOT NULL,
  actor text,
  kind text NOT NULL CHECK (kind IN ('open', 'closed', 'beside')),
  content text NOT NULL
);
CREATE INDEX post_versions_by_post ON post_versions (post_id, id);
