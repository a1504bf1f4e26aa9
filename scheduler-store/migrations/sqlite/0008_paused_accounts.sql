-- A target fails with `channel_limit` when its account is beyond the plan at its time. SQLite
-- changes a CHECK only with its column.
ALTER TABLE targets ADD COLUMN failure TEXT CHECK (failure IN ('account_not_connected',
  'channel_limit', 'media_unusable', 'rate_limited', 'validation_failed', 'unsupported', 'not_found',
  'network_error', 'network_refused', 'in_doubt'));
UPDATE targets SET failure = failure_code WHERE failure_code IS NOT NULL;
ALTER TABLE targets DROP COLUMN failure_code;
ALTER TABLE targets RENAME COLUMN failure TO failure_code;
