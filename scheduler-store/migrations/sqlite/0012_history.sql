-- When a delivery ended, null while it is tried: what has ended for long enough is removed.
ALTER TABLE deliveries ADD COLUMN ended_at INTEGER;
UPDATE deliveries SET ended_at = coalesce(
    (SELECT max(at) FROM delivery_attempts WHERE delivery_id = deliveries.id), created_at)
  WHERE status <> 'pending';
CREATE INDEX deliveries_by_end ON deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- An event is removed once no delivery names it.
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX events_by_age ON events (created_at, id);
