-- Accounts that workspaces pick together, as a JSON list of their ids.
CREATE TABLE account_sets (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  account_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (workspace_id, name)
) STRICT;
