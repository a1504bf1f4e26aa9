-- Work on files is of three kinds, each with places of its own.
ALTER TABLE work DROP CONSTRAINT work_kind_check;
UPDATE work SET kind = CASE (SELECT status FROM media WHERE media.id = work.subject)
    WHEN 'ingesting' THEN 'fetch' WHEN 'processing' THEN 'examine' ELSE 'erase' END
  WHERE kind = 'media';
ALTER TABLE work ADD CONSTRAINT work_kind_check
  CHECK (kind IN ('publish', 'deliver', 'fetch', 'examine', 'erase', 'read'));
