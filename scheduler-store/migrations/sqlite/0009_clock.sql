-- The latest instant that this machine's clock was seen at; one row at most. A clock that is behind
-- it was set back.
CREATE TABLE clocks (
  id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
  seen_at INTEGER NOT NULL
) STRICT;
