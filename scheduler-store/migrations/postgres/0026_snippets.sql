-- What workspaces keep to write with: texts, and templates as JSON.
CREATE TABLE snippets (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  text text,
  post text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, name)
);
-- Options that new targets of the account have where nothing else is said, as JSON.
ALTER TABLE accounts ADD COLUMN default_options text;
