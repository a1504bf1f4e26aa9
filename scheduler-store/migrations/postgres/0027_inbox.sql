-- What others have written under live targets.
CREATE TABLE comments (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  post_id uuid NOT NULL,
  target_id uuid NOT NULL REFERENCES reading_plans (target_id) ON DELETE CASCADE,
  account_id uuid NOT NULL,
  platform text NOT NULL,
  remote_id text NOT NULL,
  author text,
  text text NOT NULL,
  at timestamptz NOT NULL,
  hidden boolean NOT NULL,
  like_count bigint,
  read_at timestamptz
);
CREATE INDEX comments_by_place ON comments (workspace_id, at, id);
CREATE INDEX comments_unread ON comments (workspace_id, at, id) WHERE read_at IS NULL;
CREATE INDEX comments_by_account ON comments (account_id, at, id);
CREATE INDEX comments_by_target ON comments (target_id);
-- How many comments the network had counted when they were read last.
ALTER TABLE reading_plans ADD COLUMN comments_seen bigint;
-- Events of new ones.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN ('post.published', 'post.failed', 'post.scheduled',
    'post.approval_decided', 'account.needs_reconnect', 'account.token_expiring', 'media.ready',
    'media.failed', 'comment.received'));
