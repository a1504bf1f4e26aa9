-- What a post tells of how it came about, as JSON; NULL where it tells nothing.
ALTER TABLE posts ADD COLUMN disclosure text;
