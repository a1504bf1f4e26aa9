-- The latest attempts at a target that failed, as a JSON array; null where none did.
ALTER TABLE targets ADD COLUMN failed_attempts TEXT;
