-- Which person a session names, and who has changed something.
ALTER TABLE sessions ADD COLUMN person_id BLOB;
ALTER TABLE sessions ADD COLUMN person_name TEXT;
ALTER TABLE audit ADD COLUMN actor_person_id BLOB;
ALTER TABLE audit ADD COLUMN actor_person TEXT;
