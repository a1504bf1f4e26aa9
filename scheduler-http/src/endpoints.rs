//! Every endpoint as data: what the routes are built from, and what tests and documentation
//! walk.

mod outside;

use http::Method;
use scheduler_core::key::Scope;

pub use outside::*;

/// One operation of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The operation's name: verb and resource.
    pub name: &'static str,
    /// The method; where it is GET, HEAD is taken as well.
    pub method: Method,
    /// The path, with `{…}` in place of a uuid, and `{name}` or `{commentId}` in place of any
    /// segment.
    pub pattern: &'static str,
    /// Who may call it.
    pub access: Access,
    /// The query parameters that it reads.
    pub parameters: &'static [&'static str],
}

/// Who may call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone, without a key.
    Keyless,
    /// Any valid key.
    AnyKey,
    /// A key with this scope.
    Scope(Scope),
    /// A key with each of these scopes.
    All(&'static [Scope]),
    /// A key with one of these scopes; what is asked for decides which.
    AnyOf(&'static [Scope]),
}

const WRITING: Access = Access::AnyOf(&[Scope::PostsWrite, Scope::PostsPublish]);

/// `GET /platforms`
pub static LIST_PLATFORMS: Endpoint = Endpoint {
    name: "list_platforms",
    method: Method::GET,
    pattern: "/v1/platforms",
    access: Access::Keyless,
    parameters: &[],
};
/// `POST /platforms/validate`
pub static CHECK_POST: Endpoint = Endpoint {
    name: "check_post",
    method: Method::POST,
    pattern: "/v1/platforms/validate",
    access: Access::AnyKey,
    parameters: &[],
};
/// `GET /posts`
pub static LIST_POSTS: Endpoint = Endpoint {
    name: "list_posts",
    method: Method::GET,
    pattern: "/v1/posts",
    access: Access::Scope(Scope::PostsRead),
    parameters: &["status", "from", "to", "days", "limit", "before"],
};
/// `POST /posts`
pub static CREATE_POST: Endpoint = Endpoint {
    name: "create_post",
    method: Method::POST,
    pattern: "/v1/posts",
    access: WRITING,
    parameters: &[],
};
/// `POST /posts/metrics/refresh`
pub static REFRESH_METRICS: Endpoint = Endpoint {
    name: "refresh_metrics",
    method: Method::POST,
    pattern: "/v1/posts/metrics/refresh",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /posts/{id}`
pub static SHOW_POST: Endpoint = Endpoint {
    name: "show_post",
    method: Method::GET,
    pattern: "/v1/posts/{id}",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `PATCH /posts/{id}`
pub static UPDATE_POST: Endpoint = Endpoint {
    name: "update_post",
    method: Method::PATCH,
    pattern: "/v1/posts/{id}",
    access: WRITING,
    parameters: &[],
};
/// `DELETE /posts/{id}`
pub static DELETE_POST: Endpoint = Endpoint {
    name: "delete_post",
    method: Method::DELETE,
    pattern: "/v1/posts/{id}",
    access: Access::Scope(Scope::PostsWrite),
    parameters: &[],
};
/// `POST /posts/{id}/retry`
pub static RETRY_POST: Endpoint = Endpoint {
    name: "retry_post",
    method: Method::POST,
    pattern: "/v1/posts/{id}/retry",
    access: Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
    parameters: &[],
};
/// `POST /posts/{id}/targets/{targetId}/metrics`
pub static READ_METRICS: Endpoint = Endpoint {
    name: "read_metrics",
    method: Method::POST,
    pattern: "/v1/posts/{id}/targets/{targetId}/metrics",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /posts/{id}/targets/{targetId}/metrics/history`
pub static LIST_READINGS: Endpoint = Endpoint {
    name: "list_readings",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/metrics/history",
    access: Access::Scope(Scope::PostsRead),
    parameters: &["since"],
};
/// `GET /posts/{id}/targets/{targetId}/insights`
pub static SHOW_INSIGHTS: Endpoint = Endpoint {
    name: "show_insights",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/insights",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /posts/{id}/targets/{targetId}/comments`
pub static LIST_COMMENTS: Endpoint = Endpoint {
    name: "list_comments",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/comments",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `POST /posts/{id}/targets/{targetId}/comments/{commentId}`
pub static ACT_ON_COMMENT: Endpoint = Endpoint {
    name: "act_on_comment",
    method: Method::POST,
    pattern: "/v1/posts/{id}/targets/{targetId}/comments/{commentId}",
    access: Access::Scope(Scope::PostsPublish),
    parameters: &[],
};
/// `PATCH /posts/{id}/targets/{targetId}/remote`
pub static EDIT_LIVE_POST: Endpoint = Endpoint {
    name: "edit_live_post",
    method: Method::PATCH,
    pattern: "/v1/posts/{id}/targets/{targetId}/remote",
    access: Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
    parameters: &[],
};
/// `DELETE /posts/{id}/targets/{targetId}/remote`
pub static TAKE_DOWN: Endpoint = Endpoint {
    name: "take_down",
    method: Method::DELETE,
    pattern: "/v1/posts/{id}/targets/{targetId}/remote",
    access: Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
    parameters: &[],
};
/// `PATCH /posts/{id}/targets/{targetId}/account`
pub static MOVE_TARGET: Endpoint = Endpoint {
    name: "move_target",
    method: Method::PATCH,
    pattern: "/v1/posts/{id}/targets/{targetId}/account",
    access: Access::Scope(Scope::PostsWrite),
    parameters: &[],
};
/// `GET /media`
pub static LIST_MEDIA: Endpoint = Endpoint {
    name: "list_media",
    method: Method::GET,
    pattern: "/v1/media",
    access: Access::Scope(Scope::MediaRead),
    parameters: &["limit"],
};
/// `POST /media`
pub static DECLARE_MEDIA: Endpoint = Endpoint {
    name: "declare_media",
    method: Method::POST,
    pattern: "/v1/media",
    access: Access::Scope(Scope::MediaWrite),
    parameters: &[],
};
/// `GET /media/{id}`
pub static SHOW_MEDIA: Endpoint = Endpoint {
    name: "show_media",
    method: Method::GET,
    pattern: "/v1/media/{id}",
    access: Access::Scope(Scope::MediaRead),
    parameters: &[],
};
/// `DELETE /media/{id}`
pub static DELETE_MEDIA: Endpoint = Endpoint {
    name: "delete_media",
    method: Method::DELETE,
    pattern: "/v1/media/{id}",
    access: Access::Scope(Scope::MediaWrite),
    parameters: &[],
};
/// `POST /media/{id}/uploaded`
pub static CONFIRM_UPLOAD: Endpoint = Endpoint {
    name: "confirm_upload",
    method: Method::POST,
    pattern: "/v1/media/{id}/uploaded",
    access: Access::Scope(Scope::MediaWrite),
    parameters: &[],
};
/// `POST /media/{id}/complete`
pub static COMPLETE_UPLOAD: Endpoint = Endpoint {
    name: "complete_upload",
    method: Method::POST,
    pattern: "/v1/media/{id}/complete",
    access: Access::Scope(Scope::MediaWrite),
    parameters: &[],
};
/// `GET /media/{id}/thumb`
pub static SHOW_THUMB: Endpoint = Endpoint {
    name: "show_thumb",
    method: Method::GET,
    pattern: "/v1/media/{id}/thumb",
    access: Access::Scope(Scope::MediaRead),
    parameters: &[],
};
/// `GET /media/{id}/posts`
pub static LIST_MEDIA_POSTS: Endpoint = Endpoint {
    name: "list_media_posts",
    method: Method::GET,
    pattern: "/v1/media/{id}/posts",
    access: Access::Scope(Scope::MediaRead),
    parameters: &["limit", "before"],
};
/// `GET /oauth/accounts`
pub static LIST_ACCOUNTS: Endpoint = Endpoint {
    name: "list_accounts",
    method: Method::GET,
    pattern: "/v1/oauth/accounts",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /oauth/audience`
pub static SHOW_AUDIENCE: Endpoint = Endpoint {
    name: "show_audience",
    method: Method::GET,
    pattern: "/v1/oauth/audience",
    access: Access::Scope(Scope::PostsRead),
    parameters: &["days"],
};
/// `GET /oauth/accounts/{id}/boards`
pub static LIST_BOARDS: Endpoint = Endpoint {
    name: "list_boards",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/boards",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /oauth/accounts/{id}/youtube/playlists`
pub static LIST_PLAYLISTS: Endpoint = Endpoint {
    name: "list_playlists",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/youtube/playlists",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `POST /oauth/accounts/{id}/youtube/playlists`
pub static CREATE_PLAYLIST: Endpoint = Endpoint {
    name: "create_playlist",
    method: Method::POST,
    pattern: "/v1/oauth/accounts/{id}/youtube/playlists",
    access: Access::Scope(Scope::PostsPublish),
    parameters: &[],
};
/// `GET /oauth/accounts/{id}/tiktok/creator`
pub static SHOW_CREATOR: Endpoint = Endpoint {
    name: "show_creator",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/tiktok/creator",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /oauth/accounts/{id}/mentions`
pub static LIST_MENTIONS: Endpoint = Endpoint {
    name: "list_mentions",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/mentions",
    access: Access::Scope(Scope::PostsRead),
    parameters: &["q"],
};
/// `POST /ai/captions`
pub static WRITE_CAPTIONS: Endpoint = Endpoint {
    name: "write_captions",
    method: Method::POST,
    pattern: "/v1/ai/captions",
    access: Access::Scope(Scope::PostsWrite),
    parameters: &[],
};
/// `POST /ai/review`
pub static REVIEW_TARGET: Endpoint = Endpoint {
    name: "review_target",
    method: Method::POST,
    pattern: "/v1/ai/review",
    access: Access::Scope(Scope::PostsWrite),
    parameters: &[],
};
/// `GET /ai/review/{targetId}`
pub static SHOW_REVIEW: Endpoint = Endpoint {
    name: "show_review",
    method: Method::GET,
    pattern: "/v1/ai/review/{targetId}",
    access: Access::Scope(Scope::PostsRead),
    parameters: &[],
};
/// `GET /workspace/webhooks`
pub static LIST_WEBHOOKS: Endpoint = Endpoint {
    name: "list_webhooks",
    method: Method::GET,
    pattern: "/v1/workspace/webhooks",
    access: Access::Scope(Scope::WebhooksRead),
    parameters: &[],
};
/// `POST /workspace/webhooks`
pub static CREATE_WEBHOOK: Endpoint = Endpoint {
    name: "create_webhook",
    method: Method::POST,
    pattern: "/v1/workspace/webhooks",
    access: Access::Scope(Scope::WebhooksWrite),
    parameters: &[],
};
/// `DELETE /workspace/webhooks/{id}`
pub static DELETE_WEBHOOK: Endpoint = Endpoint {
    name: "delete_webhook",
    method: Method::DELETE,
    pattern: "/v1/workspace/webhooks/{id}",
    access: Access::Scope(Scope::WebhooksWrite),
    parameters: &[],
};
/// `GET /healthz`, outside the API: whether the process answers.
pub static HEALTH: Endpoint = Endpoint {
    name: "health",
    method: Method::GET,
    pattern: "/healthz",
    access: Access::Keyless,
    parameters: &[],
};
/// `GET /readyz`, outside the API: whether the process can do its work.
pub static READINESS: Endpoint = Endpoint {
    name: "readiness",
    method: Method::GET,
    pattern: "/readyz",
    access: Access::Keyless,
    parameters: &[],
};
/// `GET /metrics`, outside the API: what Prometheus reads. A token of the operator's may be needed.
pub static SHOW_METRICS: Endpoint = Endpoint {
    name: "show_metrics",
    method: Method::GET,
    pattern: "/metrics",
    access: Access::Keyless,
    parameters: &[],
};

/// Every endpoint, in the order of the interface description; those outside the API last.
pub static ENDPOINTS: [&Endpoint; 41] = [
    &LIST_PLATFORMS,
    &CHECK_POST,
    &LIST_POSTS,
    &CREATE_POST,
    &REFRESH_METRICS,
    &SHOW_POST,
    &UPDATE_POST,
    &DELETE_POST,
    &RETRY_POST,
    &READ_METRICS,
    &LIST_READINGS,
    &SHOW_INSIGHTS,
    &LIST_COMMENTS,
    &ACT_ON_COMMENT,
    &EDIT_LIVE_POST,
    &TAKE_DOWN,
    &MOVE_TARGET,
    &LIST_MEDIA,
    &DECLARE_MEDIA,
    &SHOW_MEDIA,
    &DELETE_MEDIA,
    &CONFIRM_UPLOAD,
    &COMPLETE_UPLOAD,
    &SHOW_THUMB,
    &LIST_MEDIA_POSTS,
    &LIST_ACCOUNTS,
    &SHOW_AUDIENCE,
    &LIST_BOARDS,
    &LIST_PLAYLISTS,
    &CREATE_PLAYLIST,
    &SHOW_CREATOR,
    &LIST_MENTIONS,
    &WRITE_CAPTIONS,
    &REVIEW_TARGET,
    &SHOW_REVIEW,
    &LIST_WEBHOOKS,
    &CREATE_WEBHOOK,
    &DELETE_WEBHOOK,
    &HEALTH,
    &READINESS,
    &SHOW_METRICS,
];

/// Those that make something, once for each Idempotency-Key.
pub static REPEATABLE_ENDPOINTS: [&Endpoint; 5] =
    [&CREATE_POST, &ACT_ON_COMMENT, &DECLARE_MEDIA, &CREATE_PLAYLIST, &CREATE_WEBHOOK];

/// What a server answers that is there to be monitored alone.
pub static MONITORING_ENDPOINTS: [&Endpoint; 3] = [&HEALTH, &READINESS, &SHOW_METRICS];

impl Endpoint {
    /// True when it makes something, once for each Idempotency-Key.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        REPEATABLE_ENDPOINTS.iter().any(|endpoint| endpoint.name == self.name)
    }

    /// True when a path has the form of the pattern.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let mut segments = path.split('/');
        let mut wanted = self.pattern.split('/');
        loop {
            match (wanted.next(), segments.next()) {
                (None, None) => return true,
                (Some(want), Some(segment)) => {
                    let fits = if matches!(want, "{name}" | "{commentId}") {
                        !segment.is_empty()
                    } else if want.starts_with('{') {
                        uuid::Uuid::parse_str(segment).is_ok()
                    } else {
                        want == segment
                    };
                    if !fits {
                        return false;
                    }
                }
                (None, Some(_)) | (Some(_), None) => return false,
            }
        }
    }
}

/// The methods that a path takes, as the header `Allow` lists them; `None` for a path that does
/// not exist.
#[must_use]
pub fn allowed_methods(path: &str) -> Option<String> {
    let pages = CONNECT_ENDPOINTS.iter().chain(&APPROVAL_ENDPOINTS);
    methods_among(
        ENDPOINTS.iter().chain(&FILE_ENDPOINTS).chain(&REFERENCE_ENDPOINTS).chain(pages),
        path,
    )
}

/// The same among these endpoints.
pub(crate) fn methods_among<'a>(
    endpoints: impl Iterator<Item = &'a &'static Endpoint>,
    path: &str,
) -> Option<String> {
    let mut methods = Vec::new();
    for endpoint in endpoints.filter(|endpoint| endpoint.matches(path)) {
        methods.push(endpoint.method.as_str());
        if endpoint.method == Method::GET {
            methods.push("HEAD");
        }
    }
    (!methods.is_empty()).then(|| methods.join(", "))
}

#[cfg(test)]
#[path = "endpoints_tests.rs"]
mod tests;
