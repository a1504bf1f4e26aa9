-- What workspaces keep to write with: texts, and templates as JSON.
CREATE TABLE snippets (
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  text TEXT,
  post TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, name)
) STRICT;
-- Options that new targets of the account have where nothing else is said, as JSON.
ALTER TABLE accounts ADD COLUMN default_options TEXT;
