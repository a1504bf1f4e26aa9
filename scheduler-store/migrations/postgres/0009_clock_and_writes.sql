-- The latest instant that the database's clock was seen at; one row at most. A clock that is behind
-- it was set back.
CREATE TABLE clocks (
  id bigint PRIMARY KEY CHECK (id = 1),
  seen_at timestamptz NOT NULL
);

-- The number of the last transaction that wrote in each slot of each node: whether one was committed
-- whose answer was lost can be read here. Small and always being written, so pages have room for new
-- versions of their rows.
CREATE TABLE last_writes (
  node text NOT NULL,
  slot bigint NOT NULL,
  number bigint NOT NULL,
  written_at timestamptz NOT NULL,
  PRIMARY KEY (node, slot)
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0);
