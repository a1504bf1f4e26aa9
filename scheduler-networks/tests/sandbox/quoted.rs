//! Answers that the networks' own pages quote: the imitations give theirs in the same form, field
//! for field.
//!
//! Every answer of every test that has a [`World`](crate::support::World) is held against them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use scheduler_sandbox::{Answered, Watcher};
use serde_json::Value;

/// An answer that a page quotes.
struct Quoted {
    platform: &'static str,
    method: &'static str,
    /// The path of the request; `*` stands for any one segment.
    path: &'static str,
    /// What its query holds: what is answered depends on the fields that are asked for.
    query: &'static str,
    answer: &'static str,
}

macro_rules! quoted {
    ($($platform:literal $method:literal $path:literal $query:literal $file:literal;)+) => {
        &[$(Quoted {
            platform: $platform,
            method: $method,
            path: $path,
            query: $query,
            answer: include_str!(concat!("../../src/", $platform, "/fixtures/", $file, ".json")),
        }),+]
    };
}

const QUOTED: &[Quoted] = quoted! {
    "bluesky" "POST" "/xrpc/com.atproto.server.createSession" "" "create_session";
    "bluesky" "GET" "/xrpc/com.atproto.repo.getRecord" "" "get_record";
    "bluesky" "POST" "/xrpc/com.atproto.repo.putRecord" "" "put_record";
    "bluesky" "GET" "/xrpc/app.bsky.feed.getPostThread" "" "post_thread";
    "bluesky" "GET" "/xrpc/app.bsky.feed.getPosts" "" "posts";
    "bluesky" "POST" "/oauth/par" "" "oauth_pushed";
    "bluesky" "POST" "/oauth/token" "" "oauth_tokens";
    "bluesky" "GET" "/xrpc/com.atproto.server.getSession" "" "oauth_session";
    "discord" "POST" "/api/v10/webhooks/*/*" "" "message";
    "discord" "POST" "/api/v10/channels/*/messages" "" "message";
    "discord" "POST" "/api/v10/channels/*/threads" "" "forum_thread";
    "discord" "GET" "/api/v10/webhooks/*/*" "" "webhook";
    "facebook" "GET" "/v26.0/me/accounts" "picture" "accounts";
    "facebook" "GET" "/v26.0/*/comments" "from" "comments";
    "facebook" "GET" "/v26.0/*" "reactions" "counts";
    "facebook" "GET" "/v26.0/*/insights" "" "insights";
    "facebook" "GET" "/v26.0/*" "status" "video";
    "instagram" "GET" "/v26.0/me" "account_type" "me";
    "instagram" "GET" "/v26.0/*" "shortcode" "media";
    "instagram" "GET" "/v26.0/*/comments" "" "comments";
    "instagram" "GET" "/v26.0/*/insights" "" "insights";
    "linkedin" "POST" "/rest/images" "" "initialize_image";
    "linkedin" "POST" "/rest/documents" "" "initialize_document";
    "linkedin" "POST" "/rest/videos" "initializeUpload" "initialize_video";
    "linkedin" "GET" "/rest/socialActions/*/comments" "" "comments";
    "mastodon" "GET" "/api/v1/accounts/verify_credentials" "" "account";
    "mastodon" "GET" "/api/v1/statuses/*/context" "" "context";
    "mastodon" "GET" "/api/v2/instance" "" "instance_v2";
    "mastodon" "POST" "/api/v1/statuses" "" "status";
    "pinterest" "GET" "/v5/boards" "" "boards";
    "pinterest" "POST" "/v5/media" "" "media";
    "pinterest" "POST" "/v5/pins" "" "pin";
    "pinterest" "GET" "/v5/pins" "" "pins";
    "pinterest" "GET" "/v5/pins/*" "pin_metrics" "pin_metrics";
    "pinterest" "GET" "/v5/pins/*/analytics" "" "analytics";
    "pinterest" "POST" "/v5/oauth/token" "" "token";
    "pinterest" "GET" "/v5/user_account" "" "user_account";
    "telegram" "POST" "/*/getMe" "" "get_me";
    "telegram" "POST" "/*/sendMessage" "" "message";
    "telegram" "POST" "/*/sendMediaGroup" "" "album";
    "telegram" "POST" "/*/getChatMember" "" "administrator";
    "telegram" "POST" "/*/getChat" "" "channel";
    "telegram" "POST" "/*/getUpdates" "" "updates";
    "telegram" "POST" "/*/getChat" "" "group";
    "threads" "GET" "/v1.0/*/conversation" "" "conversation";
    "threads" "GET" "/v1.0/*/insights" "" "insights";
    "threads" "GET" "/v1.0/me" "" "me";
    "threads" "GET" "/v1.0/*" "permalink" "permalink";
    "threads" "GET" "/v1.0/*/threads_publishing_limit" "" "publishing_limit";
    "tiktok" "POST" "/v2/post/publish/content/init/" "" "content_init";
    "tiktok" "POST" "/v2/post/publish/creator_info/query/" "" "creator_info";
    "tiktok" "POST" "/v2/oauth/token/" "" "token";
    "tiktok" "POST" "/v2/post/publish/video/init/" "" "video_init";
    "tiktok" "POST" "/v2/post/publish/status/fetch/" "" "publish_complete";
    "tiktok" "POST" "/v2/video/query/" "" "video_query";
    "tumblr" "GET" "/v2/blog/*/info" "" "blog_info";
    "tumblr" "POST" "/v2/blog/*/posts" "" "created";
    "tumblr" "GET" "/v2/blog/*/posts/*" "post_format" "draft";
    "tumblr" "GET" "/v2/user/limits" "" "limits";
    "tumblr" "GET" "/v2/blog/*/notes" "conversation" "notes";
    "tumblr" "GET" "/v2/blog/*/posts" "npf=true&limit" "posts";
    "tumblr" "POST" "/v2/oauth2/token" "" "token";
    "tumblr" "GET" "/v2/user/info" "" "user_info";
    "twitter" "POST" "/2/tweets" "" "created";
    "twitter" "GET" "/2/users/me" "profile_image_url" "me";
    "twitter" "GET" "/2/tweets" "" "posts";
    "twitter" "GET" "/2/users/*/tweets" "" "timeline";
    "twitter" "POST" "/2/oauth2/token" "" "token";
    "youtube" "GET" "/youtube/v3/commentThreads" "" "comment_threads";
    "youtube" "PUT" "/upload/youtube/v3/videos" "" "video";
    "youtube" "GET" "/v2/reports" "audienceWatchRatio" "retention";
    "youtube" "GET" "/v2/reports" "insightTrafficSourceType" "traffic";
};

/// Refusals that a page quotes, by network and status. Those with another code are others.
const REFUSALS: &[(&str, u16, &str)] = &[
    ("facebook", 400, include_str!("../../src/facebook/fixtures/error.json")),
    ("instagram", 400, include_str!("../../src/instagram/fixtures/error.json")),
    ("linkedin", 401, include_str!("../../src/linkedin/fixtures/error_token.json")),
    ("linkedin", 422, include_str!("../../src/linkedin/fixtures/error_duplicate.json")),
    ("youtube", 403, include_str!("../../src/youtube/fixtures/error_quota.json")),
    ("youtube", 403, include_str!("../../src/youtube/fixtures/error_scope.json")),
];

/// Fields that answers have only now and then, and when they do.
const OPTIONAL: &[(&str, &str)] = &[
    (
        "bluesky GET /xrpc/app.bsky.feed.getPostThread thread replies 0 replies 0 post record langs",
        "the author has set them",
    ),
    (
        "bluesky GET /xrpc/app.bsky.feed.getPostThread thread replies 0 replies 0 post viewer like",
        "the viewer has liked it",
    ),
    ("bluesky GET /xrpc/app.bsky.feed.getPostThread threadgate", "somebody has set it"),
    ("bluesky GET /xrpc/com.atproto.repo.getRecord value facets", "the text has some"),
    ("bluesky GET /xrpc/com.atproto.repo.getRecord value text", "it is a record of a post"),
    ("bluesky POST /xrpc/com.atproto.repo.putRecord commit", "it has changed something"),
    ("discord POST /api/v10/channels/*/messages webhook_id", "a webhook has sent it"),
    ("facebook 400 error", "the host of uploads is not the one that refuses"),
    ("facebook 400 error error_subcode", "the code has several"),
    ("facebook 400 error error_user_msg", "a person can do something about it"),
    ("facebook 400 error error_user_title", "a person can do something about it"),
    ("facebook GET /v26.0/* shares", "somebody has shared it"),
    ("facebook GET /v26.0/* status publishing_phase publish_status", "it is to be published"),
    ("facebook GET /v26.0/* status uploading_phase bytes_transfered", "the upload is under way"),
    ("facebook GET /v26.0/*/comments data 0 parent", "it answers a comment"),
    ("instagram 400 error", "the host of uploads is not the one that refuses"),
    ("instagram 400 error error_subcode", "the code has several"),
    ("instagram 400 error error_user_msg", "a person can do something about it"),
    ("instagram 400 error error_user_title", "a person can do something about it"),
    ("instagram GET /v26.0/*/comments data 0 replies", "somebody has answered it"),
    ("instagram GET /v26.0/*/comments paging", "there is something to list"),
    ("linkedin GET /rest/socialActions/*/comments elements 0 agent", "it was written for a page"),
    ("pinterest GET /v5/pins/*/analytics all summary_metrics VIDEO_MRC_VIEW", "it is a video"),
    ("telegram POST /*/getChat result active_usernames", "the chat is public"),
    ("telegram POST /*/getChat result linked_chat_id", "the channel has a group"),
    ("telegram POST /*/getChat result photo", "the chat has a picture"),
    ("telegram POST /*/getChat result username", "the chat is public"),
    ("telegram POST /*/getUpdates result 0 my_chat_member", "it is an update of that kind"),
    ("telegram POST /*/sendMediaGroup result 0 photo", "the first file is one"),
    ("telegram POST /*/sendMessage result chat username", "the channel is public"),
    ("telegram POST /*/sendMessage result entities", "the text has some"),
    ("telegram POST /*/sendMessage result sender_chat", "it is in a channel"),
    ("telegram POST /*/sendMessage result sender_chat username", "the channel is public"),
    ("tumblr GET /v2/blog/*/notes response _links", "there is more to list"),
    ("twitter GET /2/users/*/tweets data", "there is something to list"),
    ("twitter GET /2/users/*/tweets meta newest_id", "there is something to list"),
    ("twitter GET /2/users/*/tweets meta oldest_id", "there is something to list"),
    ("twitter GET /2/users/me data public_metrics", "asked for by another call"),
    ("youtube 403 error details", "a permission is missing"),
    ("youtube GET /youtube/v3/commentThreads items 0 replies", "somebody has answered it"),
];

/// Where imitated answers differ from those that are quoted.
#[derive(Debug, Default)]
pub(crate) struct Differences(Arc<Mutex<BTreeSet<String>>>);

impl Differences {
    /// Finds them in every answer of a sandbox.
    pub(crate) fn watcher(&self) -> Watcher {
        let found = Arc::clone(&self.0);
        Watcher::new(move |answered| found.lock().unwrap().extend(differences(answered)))
    }
}

impl Drop for Differences {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let found = self.0.lock().unwrap();
            assert!(found.is_empty(), "the imitation differs: {found:#?}");
        }
    }
}

fn differences(answered: &Answered<'_>) -> Vec<String> {
    let mut found = Vec::new();
    if !(200..300).contains(&answered.status) {
        for (platform, status, quoted) in REFUSALS {
            if (*platform, *status) == (answered.platform, answered.status) {
                let want: Value = serde_json::from_str(quoted).unwrap();
                let got: Value = serde_json::from_slice(answered.body).unwrap_or_default();
                compare(&want, &got, &format!("{platform} {status}"), &mut found);
            }
        }
        return found;
    }
    for quoted in QUOTED.iter().filter(|quoted| quoted.is_of(answered)) {
        let want: Value = serde_json::from_str(quoted.answer).unwrap();
        let got: Value = serde_json::from_slice(answered.body).unwrap_or_default();
        let place = format!("{} {} {}", quoted.platform, quoted.method, quoted.path);
        // Some refuse with status 200.
        let is_refusal = got.get("error").is_some() && want.get("error").is_none();
        if !is_refusal {
            compare(&want, &got, &place, &mut found);
        }
    }
    found
}

impl Quoted {
    fn is_of(&self, answered: &Answered<'_>) -> bool {
        let (mut ours, mut theirs) = (self.path.split('/'), answered.path.split('/'));
        let is_path = loop {
            match (ours.next(), theirs.next()) {
                (None, None) => break true,
                (Some(ours), Some(theirs)) if ours == "*" || ours == theirs => {}
                _ => break false,
            }
        };
        is_path
            && self.platform == answered.platform
            && self.method == answered.method
            && answered.query.contains(self.query)
    }
}

/// Says which fields of a quoted answer are missing, or are of another type. Lists are compared by
/// their first items, and what is `null` in either is optional.
fn compare(want: &Value, got: &Value, place: &str, found: &mut Vec<String>) {
    match (want, got) {
        // Things of several kinds have fields of their own.
        (Value::Object(want), Value::Object(got))
            if ["type", "status", "media_type", "code", "reason"].iter().any(|kind| {
                let kinds = want.get(*kind).zip(got.get(*kind));
                kinds.is_some_and(|(want, got)| want.is_string() && want != got)
            }) => {}
        (Value::Object(want), Value::Object(got)) => {
            for (name, want) in want.iter().filter(|(_, want)| !want.is_null()) {
                let place = format!("{place} {name}");
                match got.get(name) {
                    Some(got) => compare(want, got, &place, found),
                    None if OPTIONAL.iter().any(|(optional, _)| *optional == place) => {}
                    None => found.push(format!("{place} is missing")),
                }
            }
        }
        (Value::Array(want), Value::Array(got)) => {
            if let (Some(want), Some(got)) = (want.first(), got.first()) {
                compare(want, got, &format!("{place} 0"), found);
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        (want, got) if std::mem::discriminant(want) != std::mem::discriminant(got) => {
            found.push(format!("{place} is {got} and not such as {want}"));
        }
        _ => {}
    }
}
