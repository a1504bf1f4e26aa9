//! Likes: `reactions`.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/reactions-api>.

use http::StatusCode;
use serde_json::json;

use super::Linkedin;
use super::accounts::{MEMBER_COMMENTING, PAGE_COMMENTING};
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Linkedin {
    /// Likes a post or a comment; a repeat is refused (409).
    ///
    /// # Errors
    /// 400 for what is missing, not found, those of tokens and actors.
    pub(super) fn react(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let actor = request.query("actor").ok_or_else(|| ApiError::missing("actor"))?.to_owned();
        self.check_acts(&caller, &actor, MEMBER_COMMENTING, PAGE_COMMENTING, "reactions.CREATE")?;
        let body = request.json().cloned().unwrap_or_default();
        let root = body["root"].as_str().ok_or_else(|| ApiError::missing("root"))?;
        if body["reactionType"].as_str() != Some("LIKE") {
            return Err(ApiError::invalid("reactionType", "Unknown reaction"));
        }
        let liked_by = self.liked_by(root)?;
        if liked_by.contains(&actor) {
            let message = "The reaction exists already";
            return Err(ApiError::new(StatusCode::CONFLICT, "CONFLICT", message));
        }
        liked_by.push(actor.clone());
        let id = format!("urn:li:reaction:({actor},{root})");
        let body = json!({ "id": id, "root": root, "reactionType": "LIKE" });
        Ok(Answer::json(StatusCode::CREATED, &body).with_header("x-restli-id", &id))
    }

    /// Takes a like back; `key` is `(actor:…,entity:…)`.
    ///
    /// # Errors
    /// Not found, those of tokens and actors.
    pub(super) fn take_reaction_back(
        &mut self,
        request: &Request,
        key: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let inside = key.strip_prefix("(actor:").and_then(|key| key.strip_suffix(')'));
        let (actor, entity) = inside
            .and_then(|inside| inside.split_once(",entity:"))
            .ok_or_else(|| ApiError::invalid("key", "Unknown key"))?;
        self.check_acts(&caller, actor, MEMBER_COMMENTING, PAGE_COMMENTING, "reactions.DELETE")?;
        let liked_by = self.liked_by(entity)?;
        let at = liked_by.iter().position(|known| known == actor);
        liked_by.remove(at.ok_or_else(ApiError::not_found)?);
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    fn liked_by(&mut self, entity: &str) -> Result<&mut Vec<String>, ApiError> {
        if let Some(at) = self.comments.iter().position(|it| !it.is_deleted && it.urn() == entity) {
            return Ok(&mut self.comments[at].liked_by);
        }
        let urn = self.live_post_named(entity).map(|post| post.urn.clone());
        let post = self.posts.iter_mut().find(|post| Some(&post.urn) == urn.as_ref());
        post.map(|post| &mut post.liked_by).ok_or_else(ApiError::not_found)
    }
}
