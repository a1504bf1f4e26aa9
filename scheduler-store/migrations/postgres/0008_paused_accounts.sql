-- A target fails with `channel_limit` when its account is beyond the plan at its time.
ALTER TABLE targets DROP CONSTRAINT targets_failure_code_check;
ALTER TABLE targets ADD CONSTRAINT targets_failure_code_check CHECK (failure_code IN (
  'account_not_connected', 'channel_limit', 'media_unusable', 'rate_limited', 'validation_failed',
  'unsupported', 'not_found', 'network_error', 'network_refused', 'in_doubt'));
