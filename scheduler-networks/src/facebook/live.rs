//! What was noted of a live post when it was published.

use scheduler_core::target::Remote;
use serde_json::Value;

/// True when a live post is a story, as it was noted when it was published.
pub(super) fn is_story(remote: &Remote) -> bool {
    remote.record.get("isStory") == Some(&Value::Bool(true))
}

/// The video of a live post, as it was noted when it was published.
pub(super) fn video_of(remote: &Remote) -> Option<&str> {
    remote.record.get("video").and_then(Value::as_str)
}
