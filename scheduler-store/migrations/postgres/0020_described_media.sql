-- What people say of a file, as JSON: its name, labels and alternative text.
ALTER TABLE media ADD COLUMN description text NOT NULL DEFAULT '{}';
