-- Passkeys of people. `public` and `state` are what the verifier has written.
CREATE TABLE passkeys (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  person_id BLOB NOT NULL,
  person_name TEXT NOT NULL,
  role TEXT NOT NULL,
  made_in TEXT NOT NULL,
  credential BLOB NOT NULL UNIQUE,
  public BLOB NOT NULL,
  state BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_workspace ON passkeys (workspace_id, created_at, id);
-- What passkeys are asked, until they answer. `pass` is a SHA-256.
CREATE TABLE challenges (
  pass BLOB PRIMARY KEY NOT NULL,
  session BLOB,
  state BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX challenges_by_expiry ON challenges (expires_at);
-- The second pair of eyes: whether a workspace asks for it, who has written a post, and who of the
-- team has approved it.
ALTER TABLE workspaces ADD COLUMN second_pair INTEGER NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN author TEXT;
ALTER TABLE posts ADD COLUMN review TEXT;
