-- The addresses at which calendars read the posts of workspaces; `hash` is that of the secret in it.
CREATE TABLE calendar_feeds (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
  hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);
