-- Events of posts that are given a time, and of credentials that end soon.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN ('post.published', 'post.failed',
  'post.scheduled', 'post.approval_decided', 'account.needs_reconnect', 'account.token_expiring',
  'media.ready', 'media.failed'));
