//! What goes over the wire, in TikTok's own names.

use crate::redacted::Redacted;
use scheduler_core::platform::AccountLimits;
use serde::Deserialize;
use serde_json::Value;

/// Every answer but those about tokens.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope {
    #[serde(default)]
    pub(super) data: Value,
    pub(super) error: ApiError,
}

/// What every answer says of errors; `ok` when there is none.
#[derive(Debug, Deserialize)]
pub(super) struct ApiError {
    pub(super) code: String,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) log_id: String,
}

/// What the network allows a creator at present.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-query-creator-info>.
#[derive(Debug, Deserialize)]
pub(super) struct CreatorInfo {
    #[serde(default)]
    pub(super) creator_username: String,
    #[serde(default)]
    pub(super) creator_nickname: String,
    #[serde(default)]
    pub(super) creator_avatar_url: String,
    pub(super) privacy_level_options: Vec<String>,
    #[serde(default)]
    pub(super) comment_disabled: bool,
    #[serde(default)]
    pub(super) duet_disabled: bool,
    #[serde(default)]
    pub(super) stitch_disabled: bool,
    pub(super) max_video_post_duration_sec: u64,
}

impl CreatorInfo {
    /// What the rules go by.
    pub(super) fn limits(self) -> AccountLimits {
        // Whole seconds, far below where they would be rounded.
        let seconds = u32::try_from(self.max_video_post_duration_sec).ok().map(f64::from);
        AccountLimits {
            privacy_levels: Some(self.privacy_level_options),
            comments_disabled: Some(self.comment_disabled),
            duets_disabled: Some(self.duet_disabled),
            stitches_disabled: Some(self.stitch_disabled),
            max_video_duration_seconds: seconds,
            ..AccountLimits::default()
        }
    }
}

/// What a publish is called, and where the bytes of a video go.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>.
#[derive(Debug, Deserialize)]
pub(super) struct Init {
    pub(super) publish_id: String,
    pub(super) upload_url: Option<Redacted<String>>,
}

/// How far a publish is.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status>.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub(super) status: String,
    pub(super) fail_reason: Option<String>,
    /// Spelled as the network does.
    publicaly_available_post_id: Option<Vec<Value>>,
    /// Spelled as it should be.
    publicly_available_post_id: Option<Vec<Value>>,
    pub(super) uploaded_bytes: Option<u64>,
}

impl Status {
    /// The id of the post, once everybody can see it. It is a number of 64 bits.
    pub(super) fn post_id(&self) -> Option<String> {
        let lists = [&self.publicaly_available_post_id, &self.publicly_available_post_id];
        let ids = lists.into_iter().flatten().flatten().map(|id| match id {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        ids.into_iter().find(|id| is_post_id(id))
    }
}

/// True for the id of a post, which the name of a publish never is.
pub(super) fn is_post_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// Posts of an account.
#[derive(Debug, Deserialize)]
pub(super) struct Videos {
    #[serde(default)]
    pub(super) videos: Vec<Video>,
}

/// A post, as far as it is read.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-object>.
#[derive(Debug, Deserialize)]
pub(super) struct Video {
    pub(super) id: String,
    pub(super) create_time: Option<i64>,
    #[serde(default)]
    pub(super) video_description: String,
    pub(super) view_count: Option<u64>,
    pub(super) like_count: Option<u64>,
    pub(super) comment_count: Option<u64>,
    pub(super) share_count: Option<u64>,
}

/// Whose token it is.
#[derive(Debug, Deserialize)]
pub(super) struct UserInfo {
    pub(super) user: User,
}

/// An account, as far as it is read.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-get-user-info>.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) open_id: Option<String>,
    pub(super) username: Option<String>,
    pub(super) display_name: Option<String>,
    pub(super) avatar_url: Option<String>,
    pub(super) follower_count: Option<u64>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_of_posts_keep_every_digit() {
        for (name, body, want) in [
            ("misspelled", r#"{"publicaly_available_post_id":[7512345678901234567]}"#, true),
            ("spelled", r#"{"publicly_available_post_id":[7512345678901234567]}"#, true),
            ("text", r#"{"publicaly_available_post_id":["7512345678901234567"]}"#, true),
            ("none yet", r#"{"publicaly_available_post_id":[]}"#, false),
            ("null", r#"{"publicaly_available_post_id":null}"#, false),
            ("nonsense", r#"{"publicaly_available_post_id":[-1, "x", {}]}"#, false),
            ("left out", "{}", false),
        ] {
            let mut body: Value = serde_json::from_str(body).unwrap();
            body["status"] = json!("PUBLISH_COMPLETE");
            let status: Status = serde_json::from_value(body).unwrap();
            let want = want.then_some("7512345678901234567");
            assert_eq!(status.post_id().as_deref(), want, "{name}");
        }
    }
}
