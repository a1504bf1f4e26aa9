-- Until when nobody may ask for a poll: the end of the lease while a feed is polled, and a minute after.
ALTER TABLE feeds ADD COLUMN rests_until timestamptz;
-- Events of feeds that keep failing.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN ('post.published', 'post.failed', 'post.scheduled',
    'post.approval_decided', 'account.needs_reconnect', 'account.token_expiring', 'media.ready',
    'media.failed', 'comment.received', 'feed.failing'));
-- People are told of the third failure in a row, also of feeds that have failed more often before
-- anybody was told.
UPDATE feeds SET failures = 2 WHERE failures > 2;
