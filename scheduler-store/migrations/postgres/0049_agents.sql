-- What a key asks of programs that act for a person, and which tools they have called.
ALTER TABLE keys ADD COLUMN confirmation TEXT NOT NULL DEFAULT 'live'
  CHECK (confirmation IN ('always', 'live', 'never'));
ALTER TABLE keys ADD COLUMN live_per_hour BIGINT NOT NULL DEFAULT 20;
ALTER TABLE audit ADD COLUMN client TEXT;
ALTER TABLE audit ADD COLUMN outcome TEXT;
CREATE INDEX audit_calls_by_place ON audit (workspace_id, at, id) WHERE client IS NOT NULL;
CREATE INDEX audit_changes_by_place ON audit (workspace_id, at, id) WHERE client IS NULL;
