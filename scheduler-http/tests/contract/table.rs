//! The endpoints as the interface description writes them, typed from it and not from the code.

/// One row of the interface description.
pub(crate) struct Row {
    pub(crate) method: &'static str,
    /// Below `/v1`.
    pub(crate) path: &'static str,
    /// The scope: as written, else our decision; `-` without a key, `any` for any key, `a+b` for
    /// both, `a|b` for one of them.
    pub(crate) scope: &'static str,
    /// The statuses that the row lists.
    pub(crate) listed: &'static [u16],
    /// Statuses that the row does not list and that our decisions add, besides those of
    /// [`Row::general`].
    pub(crate) added: &'static [u16],
    /// It reads a JSON body.
    pub(crate) reads_body: bool,
}

const fn row(
    method: &'static str,
    path: &'static str,
    scope: &'static str,
    listed: &'static [u16],
    added: &'static [u16],
    reads_body: bool,
) -> Row {
    Row { method, path, scope, listed, added, reads_body }
}

const READ: &str = "posts:read";
const WRITE: &str = "posts:write";
const EITHER: &str = "posts:write|posts:publish";
const BOTH: &str = "posts:write+posts:publish";
const PUBLISH: &str = "posts:publish";
const FILES: &str = "media:read";
const UPLOAD: &str = "media:write";

/// Every endpoint, in the order of the interface description.
pub(crate) static TABLE: [Row; 38] = [
    // Validation
    row("GET", "/platforms", "-", &[200], &[], false),
    row("POST", "/platforms/validate", "any", &[200, 400, 401], &[], true),
    // Posts
    row("GET", "/posts", READ, &[200, 401, 403], &[], false),
    row("POST", "/posts", EITHER, &[200, 201, 400, 401, 402, 403, 404, 409, 422], &[], true),
    row("POST", "/posts/metrics/refresh", READ, &[200, 401, 429], &[], false),
    row("GET", "/posts/{id}", READ, &[200, 401, 404], &[], false),
    row("PATCH", "/posts/{id}", EITHER, &[200, 400, 401, 402, 403, 404, 409, 422], &[], true),
    row("DELETE", "/posts/{id}", WRITE, &[204, 401, 404, 409], &[], false),
    row("POST", "/posts/{id}/retry", BOTH, &[200, 401, 403, 404, 409], &[], false),
    // Targets
    row("POST", "/posts/{id}/targets/{targetId}/metrics", READ, &[200, 401, 404, 409], &[], false),
    row(
        "GET",
        "/posts/{id}/targets/{targetId}/metrics/history",
        READ,
        &[200, 401, 404],
        &[],
        false,
    ),
    row("GET", "/posts/{id}/targets/{targetId}/insights", READ, &[200, 401, 404], &[409], false),
    row("GET", "/posts/{id}/targets/{targetId}/comments", READ, &[200, 401, 404], &[409], false),
    row(
        "POST",
        "/posts/{id}/targets/{targetId}/comments/{commentId}",
        PUBLISH,
        &[200, 400, 401, 403, 404, 409],
        &[],
        true,
    ),
    row(
        "PATCH",
        "/posts/{id}/targets/{targetId}/remote",
        BOTH,
        &[200, 401, 403, 404, 409],
        &[422],
        true,
    ),
    row(
        "DELETE",
        "/posts/{id}/targets/{targetId}/remote",
        BOTH,
        &[200, 401, 403, 404, 409],
        &[],
        false,
    ),
    row(
        "PATCH",
        "/posts/{id}/targets/{targetId}/account",
        WRITE,
        &[200, 400, 401, 404, 409],
        &[402],
        true,
    ),
    // Media
    row("GET", "/media", FILES, &[200, 401], &[], false),
    row("POST", "/media", UPLOAD, &[201, 400, 401, 402, 413, 429], &[200], true),
    row("GET", "/media/{id}", FILES, &[200, 401, 404], &[], false),
    row("DELETE", "/media/{id}", UPLOAD, &[200, 401, 404, 409], &[], false),
    row("POST", "/media/{id}/uploaded", UPLOAD, &[200, 401, 404], &[409], false),
    row("POST", "/media/{id}/complete", UPLOAD, &[200, 400, 401, 404], &[409], true),
    row("GET", "/media/{id}/thumb", FILES, &[200, 401, 404], &[], false),
    row("GET", "/media/{id}/posts", FILES, &[200, 401, 404], &[], false),
    // Accounts
    row("GET", "/oauth/accounts", READ, &[200, 401], &[], false),
    row("GET", "/oauth/audience", READ, &[200, 401], &[], false),
    row("GET", "/oauth/accounts/{id}/boards", READ, &[200, 401, 404, 409], &[], false),
    row("GET", "/oauth/accounts/{id}/youtube/playlists", READ, &[200, 401, 404, 409], &[], false),
    row(
        "POST",
        "/oauth/accounts/{id}/youtube/playlists",
        PUBLISH,
        &[201, 400, 401, 403, 404],
        &[200, 409],
        true,
    ),
    row("GET", "/oauth/accounts/{id}/tiktok/creator", READ, &[200, 401, 404, 409], &[], false),
    row("GET", "/oauth/accounts/{id}/mentions", READ, &[200, 401, 404], &[409], false),
    // AI
    row("POST", "/ai/captions", WRITE, &[200, 400, 401, 402, 422, 429, 503], &[], true),
    row("POST", "/ai/review", WRITE, &[200, 400, 401, 402, 404, 429, 503], &[409], true),
    row("GET", "/ai/review/{targetId}", READ, &[200, 401, 404], &[], false),
    // Webhooks
    row("GET", "/workspace/webhooks", "webhooks:read", &[200, 401, 403], &[], false),
    row("POST", "/workspace/webhooks", "webhooks:write", &[201, 400, 401, 402, 403], &[200], true),
    row("DELETE", "/workspace/webhooks/{id}", "webhooks:write", &[204, 401, 403, 404], &[], false),
];

impl Row {
    /// Statuses that every endpoint of its kind can answer. Source: interface description, Errors;
    /// our decisions on unknown parameters and on bodies.
    pub(crate) fn general(&self) -> Vec<u16> {
        let mut statuses = Vec::new();
        if self.scope != "-" {
            statuses.extend([401, 429]);
        }
        if !matches!(self.scope, "-" | "any") {
            statuses.push(403);
        }
        statuses.push(400);
        if self.reads_body {
            statuses.extend([413, 415]);
        }
        statuses
    }

    /// Every status that it can answer.
    pub(crate) fn statuses(&self) -> Vec<u16> {
        let mut statuses = [self.listed, self.added, &self.general()].concat();
        statuses.sort_unstable();
        statuses.dedup();
        statuses
    }

    /// True when a path below `/v1`, without its query, has the form of the row's.
    pub(crate) fn fits(&self, method: &str, path: &str) -> bool {
        let mut segments = path.split('/');
        let fits = self
            .path
            .split('/')
            .all(|want| segments.next().is_some_and(|is| want.starts_with('{') || want == is));
        self.method == method && fits && segments.next().is_none()
    }

    /// Method and path.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The path with these in place of its parameters, in their order.
    pub(crate) fn filled(&self, ids: &[&str]) -> String {
        let mut ids = ids.iter();
        let segments = self.path.split('/').map(|segment| match segment.starts_with('{') {
            true => *ids.next().unwrap(),
            false => segment,
        });
        segments.collect::<Vec<_>>().join("/")
    }
}

/// Every error code of the interface description.
pub(crate) const CODES: [&str; 26] = [
    "invalid_request",
    "unauthorized",
    "forbidden",
    "not_found",
    "post_limit",
    "upload_limit",
    "file_too_large",
    "channel_limit",
    "api_not_on_plan",
    "ai_limit",
    "ai_not_in_plan",
    "account_not_connected",
    "media_unusable",
    "already_started",
    "targets_locked",
    "in_flight",
    "nothing_to_retry",
    "unsupported",
    "not_published",
    "in_use",
    "video_on_youtube",
    "payload_too_large",
    "validation_failed",
    "ai_declined",
    "rate_limited",
    "ai_unavailable",
];
