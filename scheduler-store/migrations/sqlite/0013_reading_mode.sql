-- Whether the posts of an account are read together or one by one. It was kept as a million
-- failures, which nothing else reaches.
ALTER TABLE reading_states ADD COLUMN mode TEXT NOT NULL DEFAULT 'batch'
  CHECK (mode IN ('batch', 'one_by_one'));
UPDATE reading_states SET mode = 'one_by_one', failures = failures - 1000000
  WHERE failures >= 1000000;
