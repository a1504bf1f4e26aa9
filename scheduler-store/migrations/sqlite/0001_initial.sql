-- Ids are 16 bytes, instants are microseconds since 1970 in UTC, JSON is text.

CREATE TABLE workspaces (
  id BLOB PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'pro', 'studio')),
  timezone TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_workspace ON keys (workspace_id, created_at, id);

-- `platform` has no CHECK anywhere, so that a new network needs no migration.
-- `credentials` are sealed; they are there exactly while the account is connected.
CREATE TABLE accounts (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  platform TEXT NOT NULL,
  network_id TEXT NOT NULL,
  server_url TEXT,
  username TEXT,
  display_name TEXT,
  avatar_url TEXT,
  connection TEXT CHECK (connection IN ('direct', 'via_page')),
  needs_reconnect INTEGER NOT NULL CHECK (needs_reconnect IN (0, 1)),
  timezone TEXT,
  schedule TEXT NOT NULL,
  limits TEXT NOT NULL,
  connected_at INTEGER NOT NULL,
  disconnected_at INTEGER,
  credentials BLOB,
  credentials_expire_at INTEGER,
  credentials_version INTEGER NOT NULL,
  refresh_leased_until INTEGER,
  CHECK ((credentials IS NULL) = (disconnected_at IS NOT NULL)),
  UNIQUE (workspace_id, platform, network_id)
) STRICT;
CREATE INDEX accounts_by_connection ON accounts (workspace_id, connected_at, id);

-- Workspaces and accounts are never deleted, so posts and targets need no foreign key to them.
-- `moment`, `went_out` and `allowance_month` are read off the targets whenever these change.
CREATE TABLE posts (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('draft', 'scheduled', 'publishing', 'done', 'canceled')),
  content TEXT NOT NULL,
  link_url TEXT,
  media_ids TEXT NOT NULL,
  alt_texts TEXT NOT NULL,
  scheduled_at INTEGER,
  approval_state TEXT CHECK (approval_state IN ('pending', 'approved', 'changes')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  idempotency_key TEXT,
  version INTEGER NOT NULL,
  moment INTEGER NOT NULL,
  went_out INTEGER NOT NULL CHECK (went_out IN (0, 1)),
  allowance_month INTEGER
) STRICT;
CREATE UNIQUE INDEX posts_by_key ON posts (workspace_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX posts_by_moment ON posts (workspace_id, moment, id);
CREATE INDEX posts_by_status ON posts (workspace_id, status, moment, id);

CREATE TABLE targets (
  id BLOB PRIMARY KEY NOT NULL,
  post_id BLOB NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  platform TEXT NOT NULL,
  account_id BLOB NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('pending', 'publishing', 'published', 'failed', 'skipped')),
  options TEXT NOT NULL,
  due_at INTEGER,
  slot_at INTEGER,
  remote_id TEXT,
  remote_url TEXT,
  published_at INTEGER,
  failure_message TEXT,
  failure_code TEXT CHECK (failure_code IN ('account_not_connected', 'media_unusable',
    'rate_limited', 'validation_failed', 'unsupported', 'network_error', 'network_refused',
    'in_doubt')),
  failure_permanent INTEGER CHECK (failure_permanent IN (0, 1)),
  attempts INTEGER NOT NULL,
  spent_tries INTEGER NOT NULL,
  spent_rate_limits INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  progress TEXT
) STRICT;
CREATE INDEX targets_by_post ON targets (post_id, position);
-- Two unfinished targets of one account never hold the same slot, whatever writes them.
CREATE UNIQUE INDEX targets_by_slot ON targets (account_id, slot_at)
  WHERE slot_at IS NOT NULL AND status IN ('pending', 'publishing');
CREATE INDEX targets_by_due ON targets (account_id, due_at)
  WHERE due_at IS NOT NULL AND status IN ('pending', 'publishing');

CREATE TABLE post_counts (
  workspace_id BLOB NOT NULL,
  month INTEGER NOT NULL,
  posts INTEGER NOT NULL CHECK (posts >= 0),
  PRIMARY KEY (workspace_id, month)
) STRICT, WITHOUT ROWID;

-- `secret` is sealed.
CREATE TABLE webhooks (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, created_at, id);

CREATE TABLE events (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('post.published', 'post.failed')),
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE deliveries (
  id BLOB PRIMARY KEY NOT NULL,
  event_id BLOB NOT NULL REFERENCES events (id),
  webhook_id BLOB NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  workspace_id BLOB NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (webhook_id, event_id)
) STRICT;
CREATE INDEX deliveries_by_workspace ON deliveries (workspace_id, created_at, id);

CREATE TABLE delivery_attempts (
  delivery_id BLOB NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  answer TEXT NOT NULL,
  PRIMARY KEY (delivery_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE media (
  id BLOB PRIMARY KEY NOT NULL,
  workspace_id BLOB NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('image', 'video')),
  status TEXT NOT NULL CHECK (status IN ('awaiting_upload', 'ingesting', 'processing', 'ready',
    'failed', 'deleted')),
  mime_type TEXT,
  size_bytes INTEGER,
  duration_seconds REAL,
  width INTEGER,
  height INTEGER,
  fps REAL,
  file_name TEXT,
  error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX media_by_workspace ON media (workspace_id, created_at, id);

-- The queue of everything that is due.
-- `due_at` is when the work is due and gives its place in its lane.
-- `claimable_at` is the same, but the end of the lease while somebody holds the work.
-- `claimed` counts the claims: the fence.
CREATE TABLE work (
  id BLOB PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('publish', 'deliver')),
  subject BLOB NOT NULL,
  workspace_id BLOB NOT NULL,
  platform TEXT,
  lane TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  claimable_at INTEGER NOT NULL,
  leased INTEGER NOT NULL CHECK (leased IN (0, 1)),
  claimed INTEGER NOT NULL,
  UNIQUE (kind, subject)
) STRICT, WITHOUT ROWID;
-- Holds everything that choosing lanes needs, so that a claim touches few pages.
CREATE INDEX work_by_claimable ON work
  (claimable_at, id, leased, workspace_id, platform, lane, due_at);
CREATE INDEX work_by_workspace ON work (workspace_id, claimable_at, id);
CREATE INDEX work_by_lane ON work (lane, due_at, id);
CREATE INDEX work_leased ON work (lane, claimable_at) WHERE leased;
