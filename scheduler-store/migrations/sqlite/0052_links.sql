-- What a workspace or a post wants of its links, and what is sent in place of those of a target, as
-- JSON; null for nothing.
ALTER TABLE workspaces ADD COLUMN links TEXT;
ALTER TABLE posts ADD COLUMN links TEXT;
ALTER TABLE targets ADD COLUMN links TEXT;
-- Short links, which outlive their posts, and how often they were followed on days, counted from
-- 1970-01-01.
CREATE TABLE short_links (
  code TEXT PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  destination TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX short_links_by_workspace ON short_links (workspace_id, created_at, code);
CREATE TABLE short_link_clicks (
  code TEXT NOT NULL REFERENCES short_links (code),
  day INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (code, day)
) STRICT;
