-- Since when nothing is sent to a webhook, because its receiver has answered 410.
ALTER TABLE webhooks ADD COLUMN disabled_at timestamptz;
