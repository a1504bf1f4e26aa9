-- Moves of a whole installation out of this database and into it: one of each at most.
CREATE TABLE moves (
  role TEXT PRIMARY KEY NOT NULL CHECK (role IN ('source', 'target')),
  begun_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
