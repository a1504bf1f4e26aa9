-- JSON is kept as text, which keeps the order of its keys.

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  plan text NOT NULL CHECK (plan IN ('free', 'pro', 'studio')),
  timezone text,
  created_at timestamptz NOT NULL
);

CREATE TABLE keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  scopes text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX keys_by_workspace ON keys (workspace_id, created_at, id);

-- `platform` has no CHECK anywhere, so that a new network needs no migration.
-- `credentials` are sealed; they are there exactly while the account is connected.
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  platform text NOT NULL,
  network_id text NOT NULL,
  server_url text,
  username text,
  display_name text,
  avatar_url text,
  connection text CHECK (connection IN ('direct', 'via_page')),
  needs_reconnect boolean NOT NULL,
  timezone text,
  schedule text NOT NULL,
  limits text NOT NULL,
  connected_at timestamptz NOT NULL,
  disconnected_at timestamptz,
  credentials bytea,
  credentials_expire_at timestamptz,
  credentials_version bigint NOT NULL,
  refresh_leased_until timestamptz,
  CHECK ((credentials IS NULL) = (disconnected_at IS NOT NULL)),
  UNIQUE (workspace_id, platform, network_id)
);
CREATE INDEX accounts_by_connection ON accounts (workspace_id, connected_at, id);

-- Workspaces and accounts are never deleted, so posts and targets need no foreign key to them.
-- `moment`, `went_out` and `allowance_month` are read off the targets whenever these change.
CREATE TABLE posts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  status text NOT NULL
    CHECK (status IN ('draft', 'scheduled', 'publishing', 'done', 'canceled')),
  content text NOT NULL,
  link_url text,
  media_ids text NOT NULL,
  alt_texts text NOT NULL,
  scheduled_at timestamptz,
  approval_state text CHECK (approval_state IN ('pending', 'approved', 'changes')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  idempotency_key text,
  version bigint NOT NULL,
  moment timestamptz NOT NULL,
  went_out boolean NOT NULL,
  allowance_month bigint
);
CREATE UNIQUE INDEX posts_by_key ON posts (workspace_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX posts_by_moment ON posts (workspace_id, moment, id);
CREATE INDEX posts_by_status ON posts (workspace_id, status, moment, id);

CREATE TABLE targets (
  id uuid PRIMARY KEY,
  post_id uuid NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  platform text NOT NULL,
  account_id uuid NOT NULL,
  status text NOT NULL
    CHECK (status IN ('pending', 'publishing', 'published', 'failed', 'skipped')),
  options text NOT NULL,
  due_at timestamptz,
  slot_at timestamptz,
  remote_id text,
  remote_url text,
  published_at timestamptz,
  failure_message text,
  failure_code text CHECK (failure_code IN ('account_not_connected', 'media_unusable',
    'rate_limited', 'validation_failed', 'unsupported', 'network_error', 'network_refused',
    'in_doubt')),
  failure_permanent boolean,
  attempts bigint NOT NULL,
  spent_tries bigint NOT NULL,
  spent_rate_limits bigint NOT NULL,
  revision bigint NOT NULL,
  progress text
);
CREATE INDEX targets_by_post ON targets (post_id, position);
-- Two unfinished targets of one account never hold the same slot, whatever writes them.
CREATE UNIQUE INDEX targets_by_slot ON targets (account_id, slot_at)
  WHERE slot_at IS NOT NULL AND status IN ('pending', 'publishing');
CREATE INDEX targets_by_due ON targets (account_id, due_at)
  WHERE due_at IS NOT NULL AND status IN ('pending', 'publishing');

CREATE TABLE post_counts (
  workspace_id uuid NOT NULL,
  month bigint NOT NULL,
  posts bigint NOT NULL CHECK (posts >= 0),
  PRIMARY KEY (workspace_id, month)
);

-- `secret` is sealed.
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  url text NOT NULL,
  events text NOT NULL,
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, created_at, id);

CREATE TABLE events (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('post.published', 'post.failed')),
  created_at timestamptz NOT NULL,
  body text NOT NULL
);

CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events (id),
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts bigint NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (webhook_id, event_id)
);
CREATE INDEX deliveries_by_workspace ON deliveries (workspace_id, created_at, id);

CREATE TABLE delivery_attempts (
  delivery_id uuid NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  status bigint,
  answer text NOT NULL,
  PRIMARY KEY (delivery_id, position)
);

CREATE TABLE media (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  kind text NOT NULL CHECK (kind IN ('image', 'video')),
  status text NOT NULL CHECK (status IN ('awaiting_upload', 'ingesting', 'processing', 'ready',
    'failed', 'deleted')),
  mime_type text,
  size_bytes bigint,
  duration_seconds double precision,
  width bigint,
  height bigint,
  fps double precision,
  file_name text,
  error text,
  created_at timestamptz NOT NULL
);
CREATE INDEX media_by_workspace ON media (workspace_id, created_at, id);

-- The queue of everything that is due.
-- `due_at` is when the work is due and gives its place in its lane.
-- `claimable_at` is the same, but the end of the lease while somebody holds the work.
-- `claimed` counts the claims: the fence.
CREATE TABLE work (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('publish', 'deliver')),
  subject uuid NOT NULL,
  workspace_id uuid NOT NULL,
  platform text,
  lane text NOT NULL,
  due_at timestamptz NOT NULL,
  claimable_at timestamptz NOT NULL,
  leased boolean NOT NULL,
  claimed bigint NOT NULL,
  UNIQUE (kind, subject)
);
-- Holds everything that choosing lanes needs, so that a claim touches few pages.
CREATE INDEX work_by_claimable ON work (claimable_at, id)
  INCLUDE (leased, workspace_id, platform, lane, due_at);
CREATE INDEX work_by_workspace ON work (workspace_id, claimable_at, id);
CREATE INDEX work_by_lane ON work (lane, due_at, id);
CREATE INDEX work_leased ON work (lane, claimable_at) WHERE leased;
-- The queue turns over all the time beside many rows that wait, so it is swept by the number of
-- dead rows and not by their share.
ALTER TABLE work SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- Ends a statement, and undoes it, from inside: an act that is one statement needs no second trip
-- to the server to be given up.
CREATE FUNCTION scheduler_refuse(code text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = 'refused';
END
$$;
