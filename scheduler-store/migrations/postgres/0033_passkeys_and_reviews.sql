-- Passkeys of people. `public` and `state` are what the verifier has written.
CREATE TABLE passkeys (
  id UUID PRIMARY KEY NOT NULL,
  workspace_id UUID NOT NULL REFERENCES workspaces (id),
  person_id UUID NOT NULL,
  person_name TEXT NOT NULL,
  role TEXT NOT NULL,
  made_in TEXT NOT NULL,
  credential BYTEA NOT NULL UNIQUE,
  public BYTEA NOT NULL,
  state BYTEA NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  used_at TIMESTAMPTZ
);
CREATE INDEX passkeys_by_workspace ON passkeys (workspace_id, created_at, id);
-- What passkeys are asked, until they answer. `pass` is a SHA-256.
CREATE TABLE challenges (
  pass BYTEA PRIMARY KEY NOT NULL,
  session UUID,
  state BYTEA NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX challenges_by_expiry ON challenges (expires_at);
-- The second pair of eyes: whether a workspace asks for it, who has written a post, and who of the
-- team has approved it.
ALTER TABLE workspaces ADD COLUMN second_pair BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE posts ADD COLUMN author TEXT;
ALTER TABLE posts ADD COLUMN review TEXT;
