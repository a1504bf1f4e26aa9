//! The endpoints as the interface description writes them; each stands beside its scenarios.

use std::sync::LazyLock;

use crate::{accounts, ai, media, platforms, posts, snippets, targets, webhooks};

/// One row of the interface description.
#[derive(Clone, Copy)]
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

pub(crate) const fn row(
    method: &'static str,
    path: &'static str,
    scope: &'static str,
    listed: &'static [u16],
    added: &'static [u16],
    reads_body: bool,
) -> Row {
    Row { method, path, scope, listed, added, reads_body }
}

pub(crate) const READ: &str = "posts:read";
pub(crate) const WRITE: &str = "posts:write";
pub(crate) const EITHER: &str = "posts:write|posts:publish";
pub(crate) const BOTH: &str = "posts:write+posts:publish";
pub(crate) const PUBLISH: &str = "posts:publish";
pub(crate) const FILES: &str = "media:read";
pub(crate) const UPLOAD: &str = "media:write";

/// Every endpoint, in the order of the interface description.
pub(crate) static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    [
        platforms::ROWS,
        posts::ROWS,
        targets::ROWS,
        media::ROWS,
        snippets::ROWS,
        accounts::ROWS,
        ai::ROWS,
        webhooks::ROWS,
    ]
    .concat()
});

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
