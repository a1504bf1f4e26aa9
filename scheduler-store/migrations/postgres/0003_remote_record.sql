-- What an adapter needs to reach a live post later, as JSON; null where its id is enough.
ALTER TABLE targets ADD COLUMN remote_record text;
