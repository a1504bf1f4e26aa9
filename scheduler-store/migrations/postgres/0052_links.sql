-- What a workspace or a post wants of its links, and what is sent in place of those of a target, as
-- JSON; null for nothing.
ALTER TABLE workspaces ADD COLUMN links text;
ALTER TABLE posts ADD COLUMN links text;
ALTER TABLE targets ADD COLUMN links text;
-- Short links, which outlive their posts, and how often they were followed on days, counted from
-- 1970-01-01.
CREATE TABLE short_links (
  code text COLLATE "C" PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  destination text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX short_links_by_workspace ON short_links (workspace_id, created_at, code);
CREATE TABLE short_link_clicks (
  code text COLLATE "C" NOT NULL REFERENCES short_links (code),
  day bigint NOT NULL,
  clicks bigint NOT NULL,
  PRIMARY KEY (code, day)
);
