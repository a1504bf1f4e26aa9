//! Figures of posts and accounts; those that nobody here causes are invented.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/share-statistics>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/post-statistics>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/social-metadata-api>.

use http::StatusCode;
use serde_json::{Value, json};

use super::Linkedin;
use super::accounts::{organization, person};
use super::error::ApiError;
use super::posts::Post;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// How often each post was shown, to how many, and what they did.
const IMPRESSIONS: u64 = 240;
const REACH: u64 = 180;
const CLICKS: u64 = 12;
const SHARES: u64 = 3;
const SAVES: u64 = 2;
/// Followers of every page and every member.
const PAGE_FOLLOWERS: u64 = 512;
const MEMBER_FOLLOWERS: u64 = 96;

impl Linkedin {
    /// Answers the figures of a page's posts; posts of which nothing is known are left out.
    ///
    /// # Errors
    /// 403 without the permission, those of tokens.
    pub(super) fn share_statistics(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if request.query("q") != Some("organizationalEntity") {
            return Err(ApiError::invalid("q", "Unknown finder"));
        }
        let page = request.query("organizationalEntity");
        let page = page.ok_or_else(|| ApiError::missing("organizationalEntity"))?;
        let what = "organizationalEntityShareStatistics.FINDER";
        self.check_acts(&caller, page, &[], &["rw_organization_admin"], what)?;
        let mut elements = Vec::new();
        for (parameter, member) in [("shares", "share"), ("ugcPosts", "ugcPost")] {
            let Some(wanted) = request.query(parameter) else { continue };
            let names = wanted.strip_prefix("List(").and_then(|names| names.strip_suffix(')'));
            let names = names.ok_or_else(|| ApiError::invalid(parameter, "Not a list"))?;
            for urn in names.split(',') {
                if !urn.starts_with(&format!("urn:li:{member}:")) {
                    return Err(ApiError::invalid(parameter, "Not a name of this kind"));
                }
                let Some(post) = self.live_post_named(urn).filter(|post| post.author == page)
                else {
                    continue;
                };
                elements.push(json!({
                    "organizationalEntity": page,
                    member: urn,
                    "totalShareStatistics": {
                        "impressionCount": IMPRESSIONS,
                        "uniqueImpressionsCount": REACH,
                        "likeCount": post.liked_by.len(),
                        "commentCount": self.comment_count(&post.urn),
                        "shareCount": SHARES,
                        "clickCount": CLICKS,
                        "engagement": 0.05,
                    },
                }));
            }
        }
        Ok(Answer::ok(&json!({ "elements": elements, "paging": { "start": 0, "count": 10 } })))
    }

    /// Answers one figure of a member's post.
    ///
    /// # Errors
    /// 400 for a figure that is not known, 403 without the permission, not found, those of tokens.
    pub(super) fn post_analytics(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if !caller.has(&["r_member_postAnalytics"]) {
            return Err(ApiError::access_denied("memberCreatorPostAnalytics.FINDER-entity"));
        }
        if request.query("q") != Some("entity") || request.query("aggregation") != Some("TOTAL") {
            return Err(ApiError::invalid("q", "Unknown finder"));
        }
        let entity = request.query("entity").unwrap_or_default();
        let inside = entity.strip_prefix('(').and_then(|entity| entity.strip_suffix(')'));
        let urn = inside.and_then(|inside| {
            let (kind, urn) = inside.split_once(':')?;
            let fits = match kind {
                "share" => urn.starts_with("urn:li:share:"),
                "ugc" => urn.starts_with("urn:li:ugcPost:"),
                _ => false,
            };
            fits.then_some(urn)
        });
        let urn = urn.ok_or_else(|| ApiError::invalid("entity", "Not a post"))?;
        let post = self.live_post_named(urn).filter(|post| post.author == person(&caller.member));
        let post = post.ok_or_else(ApiError::not_found)?;
        let comments = u64::try_from(self.comment_count(&post.urn)).unwrap_or(0);
        let count = match request.query("queryType").unwrap_or_default() {
            "IMPRESSION" => IMPRESSIONS,
            "MEMBERS_REACHED" => REACH,
            "REACTION" => likes(post),
            "COMMENT" => comments,
            "RESHARE" => SHARES,
            "LINK_CLICKS" => CLICKS,
            "POST_SAVE" => SAVES,
            _ => return Err(ApiError::invalid("queryType", "Unknown figure")),
        };
        let elements = json!([{ "count": count, "metricType": request.query("queryType") }]);
        Ok(Answer::ok(&json!({ "elements": elements, "paging": { "start": 0, "count": 10 } })))
    }

    /// Answers likes and comments of a post.
    ///
    /// # Errors
    /// 403 without the permission, not found, those of tokens.
    pub(super) fn social_metadata(
        &self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let post = self.live_post_named(urn).ok_or_else(ApiError::not_found)?;
        self.check_reads(&caller, &post.author, "socialMetadata.GET")?;
        let count = self.comment_count(&post.urn);
        let mut reactions = json!({});
        if !post.liked_by.is_empty() {
            reactions["LIKE"] = json!({ "reactionType": "LIKE", "count": post.liked_by.len() });
        }
        Ok(Answer::ok(&json!({
            "entity": urn,
            "commentsState": "OPEN",
            "commentSummary": { "count": count, "topLevelCount": count },
            "reactionSummaries": reactions,
        })))
    }

    /// Answers how many follow a page.
    ///
    /// # Errors
    /// 400 for another kind of network, 403 without the permission, those of tokens.
    pub(super) fn network_size(
        &self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let scopes = &["rw_organization_admin"];
        self.check_acts(&caller, urn, &[], scopes, "networkSizes.GET")?;
        if request.query("edgeType") != Some("COMPANY_FOLLOWED_BY_MEMBER") {
            return Err(ApiError::invalid("edgeType", "Unknown edge type"));
        }
        Ok(Answer::ok(&json!({ "firstDegreeSize": PAGE_FOLLOWERS })))
    }

    /// Answers how many follow a member.
    ///
    /// # Errors
    /// 403 without the permission, those of tokens.
    pub(super) fn followers_count(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if !caller.has(&["r_member_profileAnalytics"]) {
            return Err(ApiError::access_denied("memberFollowersCount.FINDER-me"));
        }
        if request.query("q") != Some("me") {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "ILLEGAL_ARGUMENT", "q"));
        }
        let elements: [Value; 1] = [json!({ "memberFollowersCount": MEMBER_FOLLOWERS })];
        Ok(Answer::ok(&json!({ "elements": elements })))
    }

    /// Says whether a page is one of a caller's.
    pub(super) fn administers(&self, member: &str, page: u64) -> bool {
        self.members.get(member).is_some_and(|member| {
            member.pages.iter().any(|known| organization(*known) == organization(page))
        })
    }
}

fn likes(post: &Post) -> u64 {
    u64::try_from(post.liked_by.len()).unwrap_or(0)
}
