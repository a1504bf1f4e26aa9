-- Accounts that workspaces pick together, as a JSON list of their ids.
CREATE TABLE account_sets (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  account_ids text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (workspace_id, name)
);
