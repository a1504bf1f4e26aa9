-- More kinds of events.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN ('post.published', 'post.failed',
  'post.approval_decided', 'account.needs_reconnect', 'media.ready', 'media.failed'));
