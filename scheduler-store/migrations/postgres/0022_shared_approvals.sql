-- Several posts under one link, everything that client and team write about a post, and the
-- picture of a workspace.
ALTER TABLE approvals DROP CONSTRAINT approvals_pass_key;
ALTER TABLE approvals ADD COLUMN client text, ADD COLUMN message text, ADD COLUMN timezone text,
  ADD COLUMN remarks text NOT NULL DEFAULT '[]';
UPDATE approvals SET remarks = json_build_array(json_build_object(
    'at', to_char(decided_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'by', 'client', 'text', note))::text
  WHERE note IS NOT NULL AND decided_at IS NOT NULL;
ALTER TABLE approvals DROP COLUMN note;
CREATE INDEX approvals_by_pass ON approvals (pass);

ALTER TABLE workspaces ADD COLUMN picture_id uuid;
