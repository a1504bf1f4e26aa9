-- The addresses at which calendars read the posts of workspaces; `hash` is that of the secret in it.
CREATE TABLE calendar_feeds (
  workspace_id BLOB PRIMARY KEY NOT NULL REFERENCES workspaces (id),
  hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
