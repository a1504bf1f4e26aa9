//! Posts that everybody can see: `/v2/video/list/`, `/v2/video/query/`.
//!
//! Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-list>,
//! <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-query>.

use serde_json::{Map, Value, json};

use super::Tiktok;
use super::accounts::fields;
use super::error::{ApiError, ok};
use super::publish::{Publish, body};
use super::status::State;
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::request::Request;

/// Most posts of one call, and how many there are unless the call says so.
const PAGE: usize = 20;
const USUAL_PAGE: usize = 10;
/// Figures of every post; invented.
const VIEWS: u64 = 240;
const LIKES: u64 = 31;
const COMMENTS: u64 = 4;
const SHARES: u64 = 3;

impl Tiktok {
    /// Returns an account's posts that everybody can see, newest first.
    pub(super) fn public_posts<'a>(
        &'a self,
        open_id: &'a str,
        context: &'a Context<'_>,
    ) -> impl Iterator<Item = &'a Publish> {
        self.publishes.iter().rev().filter(move |publish| {
            publish.open_id == open_id && publish.state(context) == State::Posted { is_open: true }
        })
    }

    /// Answers an account's posts, page by page.
    ///
    /// # Errors
    /// Those of tokens and scopes; limits; fields that there are not.
    pub(super) fn list_videos(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, "video.list", context)?;
        self.take_display_call(&caller.open_id, context)?;
        let fields = fields(request)?;
        let body = body(request)?;
        let count = body["max_count"].as_u64().map_or(Some(USUAL_PAGE), |count| {
            usize::try_from(count).ok().filter(|count| (1..=PAGE).contains(count))
        });
        let count = count.ok_or_else(|| ApiError::invalid("The max_count is invalid"))?;
        let cursor = body["cursor"].as_i64().filter(|cursor| *cursor > 0);
        let made_at = |publish: &Publish| publish.posted_at().timestamp_millis();
        let older: Vec<&Publish> = self
            .public_posts(&caller.open_id, context)
            .filter(|publish| cursor.is_none_or(|cursor| made_at(publish) < cursor))
            .collect();
        let page = older.get(..count.min(older.len())).unwrap_or_default();
        let videos: Vec<Value> = page
            .iter()
            .map(|publish| self.video(publish, &fields, context))
            .collect::<Result<_, _>>()?;
        Ok(ok(&json!({
            "videos": videos,
            "cursor": page.last().map_or(0, |publish| made_at(publish)),
            "has_more": older.len() > page.len(),
        })))
    }

    /// Answers posts by their ids; what is not there is left out.
    ///
    /// # Errors
    /// Those of tokens and scopes; limits; fields that there are not; too many ids.
    pub(super) fn query_videos(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, "video.list", context)?;
        self.take_display_call(&caller.open_id, context)?;
        let fields = fields(request)?;
        let body = body(request)?;
        let ids = body["filters"]["video_ids"].as_array().map(Vec::as_slice).unwrap_or_default();
        if ids.is_empty() || ids.len() > PAGE || !ids.iter().all(Value::is_string) {
            return Err(ApiError::invalid("The video_ids are invalid"));
        }
        let asked = |publish: &&Publish| {
            let id = publish.post_id.to_string();
            ids.iter().any(|known| known.as_str() == Some(&id))
        };
        let videos: Vec<Value> = self
            .public_posts(&caller.open_id, context)
            .filter(asked)
            .map(|publish| self.video(publish, &fields, context))
            .collect::<Result<_, _>>()?;
        Ok(ok(&json!({ "videos": videos })))
    }

    fn video(
        &self,
        publish: &Publish,
        fields: &[&str],
        context: &Context<'_>,
    ) -> Result<Value, ApiError> {
        let id = publish.post_id.to_string();
        let known = json!({
            "id": id,
            "create_time": publish.posted_at().timestamp(),
            "share_url": self.page(publish, context.base),
            "duration": 10,
            "title": publish.text.chars().take(150).collect::<String>(),
            "video_description": publish.text,
            "cover_image_url": format!("{}/{id}.jpg", context.base),
            "like_count": LIKES,
            "comment_count": COMMENTS,
            "share_count": SHARES,
            "view_count": VIEWS,
        });
        let mut shown = Map::new();
        for field in fields {
            let value = known.get(*field).ok_or_else(|| ApiError::invalid("Invalid fields"))?;
            shown.insert((*field).to_owned(), value.clone());
        }
        Ok(Value::Object(shown))
    }

    fn page(&self, publish: &Publish, base: &str) -> String {
        let account = self.accounts.get(&publish.open_id);
        let username = account.map_or("", |account| account.username.as_str());
        let kind = if publish.is_video { "video" } else { "photo" };
        format!("{base}/@{username}/{kind}/{}", publish.post_id)
    }

    /// Returns a post as the control shows it: by its id, or by the name of its publish where it
    /// gets none.
    pub(super) fn live_post(&self, publish: &Publish) -> LivePost {
        let account = self.accounts.get(&publish.open_id);
        let uploaded = publish.upload.as_ref().map(super::upload::Upload::live);
        let fetched = publish.fetches.iter().filter_map(|fetch| fetch.ended().flatten());
        let id = publish.post_id.to_string();
        LivePost {
            platform: super::NAME,
            account: publish.open_id.clone(),
            author: account.map_or_else(String::new, |account| account.name.clone()),
            remote_id: if publish.is_public() { id } else { publish.id.clone() },
            text: publish.text.clone(),
            media: uploaded
                .into_iter()
                .chain(fetched.map(|fetched| fetched.file.clone()))
                .collect(),
            reply_to: None,
            created_at: publish.posted_at(),
            is_deleted: false,
        }
    }
}
