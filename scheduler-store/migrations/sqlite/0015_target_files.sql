-- The files of a target, and what it says of them, as JSON; NULL where they are as its post has them.
ALTER TABLE targets ADD COLUMN files TEXT;
