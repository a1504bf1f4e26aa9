-- What has changed since an instant, for pages that are open.
CREATE INDEX posts_by_change ON posts (workspace_id, updated_at);
