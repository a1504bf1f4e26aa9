-- Moves of a whole installation out of this database and into it: one of each at most.
CREATE TABLE moves (
  role text PRIMARY KEY NOT NULL CHECK (role IN ('source', 'target')),
  begun_at timestamptz NOT NULL,
  ended_at timestamptz
);
