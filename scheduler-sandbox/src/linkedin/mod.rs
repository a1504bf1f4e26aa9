//! LinkedIn: members, and the pages that they administer.
//!
//! Base URL of an adapter: the sandbox's URL and `/linkedin`, in place of `api.linkedin.com` and
//! `www.linkedin.com` alike. Targeting and events are not imitated.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/>.

mod accounts;
mod authorize;
mod comments;
mod error;
mod figures;
mod files;
mod limits;
mod little_text;
mod oauth;
mod organizations;
mod posts;
mod reactions;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use http::{Method, StatusCode};
use serde_json::Value;

use self::accounts::{Member, Page};
use self::comments::Comment;
use self::error::ApiError;
use self::files::{File, Kind};
use self::oauth::{Code, RefreshToken, Token};
use self::posts::Post;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "linkedin";

/// The oldest version that is still spoken.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>: 202511 ended on
/// 2026-11-16.
const OLDEST_VERSION: &str = "202512";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Linkedin {
    members: BTreeMap<String, Member>,
    pages: BTreeMap<u64, Page>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    refresh_tokens: HashMap<String, RefreshToken>,
    files: HashMap<String, File>,
    /// Everything that was posted, oldest first.
    posts: Vec<Post>,
    /// Every comment, oldest first.
    comments: Vec<Comment>,
    last_id: u64,
    quotas: Quotas,
}

impl Linkedin {
    /// Returns a number that is greater than all before.
    fn next_id(&mut self, now: DateTime<Utc>) -> u64 {
        let at = u64::try_from(now.timestamp_millis()).unwrap_or(0) << 22;
        self.last_id = at.max(self.last_id + 1);
        self.last_id
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["oauth", "v2", "authorization"]) => return Ok(self.authorize_page(request)),
            ("POST", ["oauth", "v2", "authorization"]) => {
                return Ok(self.authorize(request, context));
            }
            ("POST", ["oauth", "v2", "accessToken"]) => return self.access_token(request, context),
            ("POST", ["oauth", "v2", "revoke"]) => return self.revoke(request),
            // A person who opens a post finds it on the sandbox's page.
            ("GET", ["feed", "update", urn]) => {
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, urn))));
            }
            ("PUT", ["dms-uploads", id]) => return self.take_whole(request, id, context),
            ("PUT", ["dms-uploads", id, "thumbnail"]) => {
                return self.take_cover(request, id, context);
            }
            ("PUT", ["dms-uploads", id, number]) => {
                return self.take_piece(request, id, number, context);
            }
            ("GET", ["v2", "userinfo"]) => return self.user_info(request, context),
            ("POST", ["v2", "socialActions", urn, "comments"]) => {
                return self.create_comment(request, urn, context);
            }
            _ => {}
        }
        let ["rest", rest @ ..] = segments else { return Err(ApiError::not_found()) };
        check_headers(request)?;
        self.take_point(request, context)?;
        match (request.method.as_str(), rest) {
            ("POST", ["images"]) => self.announce_whole(Kind::Image, request, context),
            ("POST", ["documents"]) => self.announce_whole(Kind::Document, request, context),
            ("POST", ["videos"]) => match request.query("action") {
                Some("initializeUpload") => self.announce_video(request, context),
                Some("finalizeUpload") => self.finalize_video(request, context),
                _ => Err(ApiError::invalid("action", "Unknown action")),
            },
            ("GET", ["images" | "videos" | "documents", urn]) => {
                self.show_file(request, urn, context)
            }
            ("POST", ["posts"]) => self.create_post(request, context),
            ("GET", ["posts"]) => self.find_posts(request, context),
            ("GET", ["posts", urn]) => self.show_post(request, urn, context),
            ("DELETE", ["posts", urn]) => self.delete_post(request, urn, context),
            ("POST", ["socialActions", urn, "comments"]) => {
                self.create_comment(request, urn, context)
            }
            ("GET", ["socialActions", urn, "comments"]) => {
                self.list_comments(request, urn, context)
            }
            ("POST", ["socialActions", urn, "comments", id]) => {
                self.edit_comment(request, urn, id, context)
            }
            ("DELETE", ["socialActions", urn, "comments", id]) => {
                self.delete_comment(request, urn, id, context)
            }
            ("POST", ["reactions"]) => self.react(request, context),
            ("DELETE", ["reactions", key]) => self.take_reaction_back(request, key, context),
            ("GET", ["socialMetadata", urn]) => self.social_metadata(request, urn, context),
            ("GET", ["organizationalEntityShareStatistics"]) => {
                self.share_statistics(request, context)
            }
            ("GET", ["memberCreatorPostAnalytics"]) => self.post_analytics(request, context),
            ("GET", ["networkSizes", urn]) => self.network_size(request, urn, context),
            ("GET", ["memberFollowersCount"]) => self.followers_count(request, context),
            ("GET", ["organizationAcls"]) => self.roles(request, context),
            ("GET", ["organizations"]) => self.find_organizations(request, context),
            ("GET", ["organizations", id]) => self.show_organization(request, id, context),
            _ => Err(ApiError::not_found()),
        }
    }
}

/// Refuses what lacks a header of the versioned interface, and names that are not encoded.
fn check_headers(request: &Request) -> Result<(), ApiError> {
    let version = request.header("linkedin-version").unwrap_or_default();
    if version.is_empty() {
        let message = "A version must be present. Please specify a version by adding the LinkedIn-Version header.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "VERSION_MISSING", message));
    }
    let is_version = version.len() == 6 && version.bytes().all(|byte| byte.is_ascii_digit());
    if !is_version || version < OLDEST_VERSION {
        let message = format!("Requested version {version} is not active");
        let status = StatusCode::UPGRADE_REQUIRED;
        return Err(ApiError::new(status, "NONEXISTENT_VERSION", &message));
    }
    if request.header("x-restli-protocol-version") != Some("2.0.0") {
        return Err(ApiError::invalid("X-RestLi-Protocol-Version", "Invalid protocol version"));
    }
    if request.path.contains("urn:") {
        let message = "Syntax exception in path variables";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "ILLEGAL_ARGUMENT", message));
    }
    Ok(())
}

impl Network for Linkedin {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", ["rest", "posts"]) => Operation::Publish,
            ("POST", ["rest", "images" | "videos" | "documents"])
            | ("PUT", ["dms-uploads", ..]) => Operation::Upload,
            ("GET", ["rest", "images" | "videos" | "documents", _]) => Operation::Poll,
            (_, ["rest" | "v2", "socialActions", ..] | ["rest", "reactions", ..]) => {
                Operation::Comment
            }
            (
                "GET",
                [
                    "rest",
                    "socialMetadata"
                    | "organizationalEntityShareStatistics"
                    | "memberCreatorPostAnalytics"
                    | "networkSizes"
                    | "memberFollowersCount",
                    ..,
                ],
            ) => Operation::Metrics,
            ("POST", ["oauth", "v2", "accessToken" | "revoke"]) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let answer = self.call(request, &segments, context);
        answer.unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "INTERNAL_SERVER_ERROR",
                "Internal Server Error",
            )
            .into_answer(),
            // No Retry-After: none is documented.
            Refusal::RateLimited(_) => ApiError::too_many().into_answer(),
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        if request.method == Method::POST && request.path.starts_with("/oauth/") {
            self.expire_refresh_token(request);
            return;
        }
        let member = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(member) = member.map(|token| token.member.clone()) else { return };
        for token in self.tokens.values_mut().filter(|token| token.member == member) {
            token.expires_at = context.now;
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let member = self.add_member(name, context.now)?;
        Ok(self.connect(&member, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        let mut posts: Vec<LivePost> = self.posts.iter().map(|post| self.live_post(post)).collect();
        posts.extend(self.comments.iter().map(|comment| self.live_comment(comment)));
        posts.sort_by_key(|post| post.created_at);
        posts
    }

    fn reset(&mut self, accounts: bool) {
        let last_id = self.last_id;
        let earlier = std::mem::take(self);
        // Numbers are never given out twice, also not across a reset.
        self.last_id = last_id;
        if !accounts {
            self.members = earlier.members;
            self.pages = earlier.pages;
            self.tokens = earlier.tokens;
            self.refresh_tokens = earlier.refresh_tokens;
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish | Operation::Comment => posts::too_long(8694),
        Operation::Upload => ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UNSUPPORTED_MEDIA_TYPE",
            "Unsupported file type",
        ),
        Operation::Poll => ApiError::new(
            StatusCode::BAD_REQUEST,
            "MEDIA_ASSET_PROCESSING_FAILED",
            "Media asset processing failed",
        ),
        Operation::Token => oauth::invalid_grant(),
        Operation::Metrics | Operation::Other => ApiError::access_denied("this resource"),
    }
}
