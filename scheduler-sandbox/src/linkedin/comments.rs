//! Comments on posts, and answers to them: `socialActions/{urn}/comments`.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Linkedin;
use super::accounts::{MEMBER_COMMENTING, PAGE_COMMENTING, person};
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::request::Request;

/// Longest text.
const TEXT: usize = 1250;
/// Default and greatest length of a list.
const DEFAULT_COUNT: usize = 10;
const MAX_COUNT: usize = 100;

/// A comment.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) id: u64,
    /// The post that it hangs below.
    pub(super) post: String,
    /// The number that names the post in the comment's own name.
    activity: u64,
    /// The comment that it answers.
    parent: Option<u64>,
    pub(super) actor: String,
    text: String,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    pub(super) is_deleted: bool,
    pub(super) liked_by: Vec<String>,
}

impl Comment {
    /// Returns its name.
    pub(super) fn urn(&self) -> String {
        format!("urn:li:comment:(urn:li:activity:{},{})", self.activity, self.id)
    }
}

impl Linkedin {
    /// Makes a comment on a post, or an answer to a comment.
    ///
    /// # Errors
    /// 400 for what is missing or too long, not found, those of tokens and actors.
    pub(super) fn create_comment(
        &mut self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let body = request.json().cloned().unwrap_or_default();
        let given = |field: &str| {
            body[field].as_str().map(str::to_owned).ok_or_else(|| ApiError::missing(field))
        };
        let actor = given("actor")?;
        let object = given("object")?;
        self.check_acts(
            &caller,
            &actor,
            MEMBER_COMMENTING,
            PAGE_COMMENTING,
            "socialActions.CREATE",
        )?;
        let text = checked(&body["message"]["text"])?;
        let parent = self.live_comment_named(urn).map(|comment| (comment.id, comment.post.clone()));
        let named = parent.as_ref().map_or(urn, |(_, post)| post);
        let post = self.live_post_named(named).ok_or_else(ApiError::not_found)?;
        if self.live_post_named(&object).map(|post| &post.urn) != Some(&post.urn) {
            return Err(ApiError::invalid("object", "The object is not the post of the path"));
        }
        if parent.is_some() && body["parentComment"].as_str() != Some(urn) {
            return Err(ApiError::missing("parentComment"));
        }
        let (post, activity) = (post.urn.clone(), post.activity);
        let comment = Comment {
            id: self.next_id(context.now),
            post,
            activity,
            parent: parent.map(|(id, _)| id),
            actor,
            text,
            created_at: context.now,
            edited_at: None,
            is_deleted: false,
            liked_by: Vec::new(),
        };
        let answer =
            Answer::json(StatusCode::CREATED, &self.comment_view(&comment, &comment.actor));
        let answer = answer.with_header("x-restli-id", &comment.id.to_string());
        self.comments.push(comment);
        Ok(answer)
    }

    /// Answers the comments on a post, or the answers to a comment, oldest first.
    ///
    /// # Errors
    /// 403 without the permission, not found, those of tokens.
    pub(super) fn list_comments(
        &self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let parent = self.live_comment_named(urn);
        let post = parent.map_or(urn, |comment| &comment.post);
        let post = self.live_post_named(post).ok_or_else(ApiError::not_found)?;
        self.check_reads_comments(&caller, &post.author, "socialActions.GET_ALL")?;
        let number =
            |name: &str| request.query(name).and_then(|number| number.parse::<usize>().ok());
        let start = number("start").unwrap_or(0);
        let count = number("count").unwrap_or(DEFAULT_COUNT).clamp(1, MAX_COUNT);
        let all: Vec<&Comment> = self
            .comments
            .iter()
            .filter(|comment| comment.post == post.urn && !comment.is_deleted)
            .filter(|comment| comment.parent == parent.map(|parent| parent.id))
            .collect();
        let viewer = person(&caller.member);
        let shown = all.iter().skip(start).take(count);
        let elements: Vec<Value> =
            shown.map(|comment| self.comment_view(comment, &viewer)).collect();
        Ok(Answer::ok(&json!({
            "elements": elements,
            "paging": { "start": start, "count": count, "total": all.len(), "links": [] },
        })))
    }

    /// Gives a comment another text; only its own author may.
    ///
    /// # Errors
    /// 400 for what is missing or too long, not found, those of tokens and actors.
    pub(super) fn edit_comment(
        &mut self,
        request: &Request,
        urn: &str,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        if request.header("x-restli-method") != Some("PARTIAL_UPDATE") {
            return Err(ApiError::invalid("X-RestLi-Method", "PARTIAL_UPDATE is expected"));
        }
        let (at, actor) = self.acted_on(request, urn, id, context)?;
        if self.comments[at].actor != actor {
            return Err(ApiError::access_denied("socialActions.PARTIAL_UPDATE"));
        }
        let body = request.json().cloned().unwrap_or_default();
        let text = checked(&body["patch"]["message"]["$set"]["text"])?;
        self.comments[at].text = text;
        self.comments[at].edited_at = Some(context.now);
        Ok(Answer::ok(&self.comment_view(&self.comments[at], &actor)))
    }

    /// Deletes a comment; its author may, and the author of the post.
    ///
    /// # Errors
    /// Not found, those of tokens and actors.
    pub(super) fn delete_comment(
        &mut self,
        request: &Request,
        urn: &str,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let (at, actor) = self.acted_on(request, urn, id, context)?;
        let is_host = self
            .live_post_named(&self.comments[at].post)
            .is_some_and(|post| post.author == actor && actor.starts_with("urn:li:organization:"));
        if self.comments[at].actor != actor && !is_host {
            return Err(ApiError::access_denied("socialActions.DELETE"));
        }
        let id = self.comments[at].id;
        for comment in &mut self.comments {
            comment.is_deleted |= comment.id == id || comment.parent == Some(id);
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Finds a comment by its name.
    pub(super) fn live_comment_named(&self, urn: &str) -> Option<&Comment> {
        self.comments.iter().find(|comment| !comment.is_deleted && comment.urn() == urn)
    }

    /// Counts the comments on a post, with the answers to them.
    pub(super) fn comment_count(&self, post: &str) -> usize {
        self.comments.iter().filter(|comment| comment.post == post && !comment.is_deleted).count()
    }

    /// Returns a comment as the control shows it.
    pub(super) fn live_comment(&self, comment: &Comment) -> LivePost {
        let parent = self.comments.iter().find(|known| Some(known.id) == comment.parent);
        LivePost {
            platform: super::NAME,
            account: comment.actor.clone(),
            author: self.name_of(&comment.actor),
            remote_id: comment.urn(),
            text: comment.text.clone(),
            media: Vec::new(),
            reply_to: Some(parent.map_or_else(|| comment.post.clone(), Comment::urn)),
            created_at: comment.created_at,
            is_deleted: comment.is_deleted,
        }
    }

    /// Returns where the comment of a path is, and who acts.
    fn acted_on(
        &self,
        request: &Request,
        urn: &str,
        id: &str,
        context: &Context<'_>,
    ) -> Result<(usize, String), ApiError> {
        let caller = self.caller(request, context)?;
        let actor = request.query("actor").ok_or_else(|| ApiError::missing("actor"))?.to_owned();
        self.check_acts(&caller, &actor, MEMBER_COMMENTING, PAGE_COMMENTING, "socialActions")?;
        let parent = self.live_comment_named(urn).map(|comment| comment.post.as_str());
        let post = self.live_post_named(parent.unwrap_or(urn)).ok_or_else(ApiError::not_found)?;
        let at = self.comments.iter().position(|comment| {
            !comment.is_deleted && comment.post == post.urn && comment.id.to_string() == id
        });
        Ok((at.ok_or_else(ApiError::not_found)?, actor))
    }

    fn comment_view(&self, comment: &Comment, viewer: &str) -> Value {
        let created = comment.created_at.timestamp_millis();
        let edited = comment.edited_at.unwrap_or(comment.created_at).timestamp_millis();
        let answers = self
            .comments
            .iter()
            .filter(|known| known.parent == Some(comment.id) && !known.is_deleted)
            .count();
        let mut view = json!({
            "id": comment.id.to_string(),
            "commentUrn": comment.urn(),
            "actor": comment.actor,
            "object": format!("urn:li:activity:{}", comment.activity),
            "message": { "attributes": [], "text": comment.text },
            "created": { "actor": comment.actor, "time": created },
            "lastModified": { "actor": comment.actor, "time": edited },
            "likesSummary": {
                "selectedLikes": [],
                "likedByCurrentUser": comment.liked_by.iter().any(|name| name == viewer),
                "totalLikes": comment.liked_by.len(),
                "aggregatedTotalLikes": comment.liked_by.len(),
            },
            "commentsSummary": {
                "selectedComments": [],
                "totalFirstLevelComments": answers,
                "aggregatedTotalComments": answers,
            },
        });
        if let Some(parent) = self.comments.iter().find(|known| Some(known.id) == comment.parent) {
            view["parentComment"] = Value::from(parent.urn());
        }
        view
    }
}

fn checked(text: &Value) -> Result<String, ApiError> {
    let text = text.as_str().filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| ApiError::missing("message/text"))?;
    if text.encode_utf16().count() > TEXT {
        let why = format!("Comment text exceeded the maximum allowed ({TEXT} characters)");
        let code = "FIELD_LENGTH_TOO_LONG";
        return Err(ApiError::input(StatusCode::BAD_REQUEST, code, &why, &why));
    }
    Ok(text.to_owned())
}
