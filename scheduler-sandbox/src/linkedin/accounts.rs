//! Members, pages, and who may act as whom.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Linkedin;
use super::error::ApiError;
use super::oauth::SCOPES;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_bytes;
use crate::request::Request;

/// Longest name.
const MAX_NAME: usize = 100;

/// Permissions with which members and pages comment and like: not those with which they publish.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.
pub(super) const MEMBER_COMMENTING: &[&str] = &["w_member_social_feed"];
pub(super) const PAGE_COMMENTING: &[&str] = &["w_organization_social_feed"];

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) id: String,
    pub(super) name: String,
    /// Pages that the member administers.
    pub(super) pages: Vec<u64>,
}

/// A page of an organisation.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) vanity_name: String,
}

/// Whom a token speaks for, and what it may do.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) member: String,
    pub(super) scopes: Vec<String>,
}

impl Caller {
    /// Says whether one of the permissions was given.
    pub(super) fn has(&self, scopes: &[&str]) -> bool {
        self.scopes.iter().any(|given| scopes.contains(&given.as_str()))
    }
}

/// Returns the name of a member as the API has it.
pub(super) fn person(id: &str) -> String {
    format!("urn:li:person:{id}")
}

/// Returns the name of a page as the API has it.
pub(super) fn organization(id: u64) -> String {
    format!("urn:li:organization:{id}")
}

impl Linkedin {
    /// Makes a member and a page that the member administers.
    ///
    /// # Errors
    /// The name is empty, too long or taken.
    pub(super) fn add_member(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<String, String> {
        let name = match name {
            Some(name) => name.trim().to_owned(),
            None => format!("Sandbox Member {}", self.members.len() + 1),
        };
        if name.is_empty() || name.chars().count() > MAX_NAME {
            return Err(format!("name must be 1 to {MAX_NAME} characters."));
        }
        if self.members.values().any(|member| member.name == name) {
            return Err(format!("There is a member {name} already."));
        }
        let id = hex::encode(&random_bytes()[..5]);
        let page = self.next_id(now) >> 22;
        let page = (page..).find(|id| !self.pages.contains_key(id)).unwrap_or(page);
        let vanity_name = name.to_lowercase().replace(' ', "-");
        self.pages.insert(page, Page { id: page, name: format!("{name} Ltd"), vanity_name });
        self.members.insert(id.clone(), Member { id: id.clone(), name, pages: vec![page] });
        Ok(id)
    }

    /// Returns what connects an account: tokens with every permission.
    pub(super) fn connect(&mut self, member: &str, context: &Context<'_>) -> Value {
        let scopes: Vec<String> = SCOPES.iter().map(|scope| (*scope).to_owned()).collect();
        let given = self.give_tokens(member, &scopes, context.now);
        let page = self.members.get(member).and_then(|member| member.pages.first().copied());
        json!({
            "platform": super::NAME,
            "account": person(member),
            "page": page.map(organization),
            "accessToken": given["access_token"],
            "refreshToken": given["refresh_token"],
            "scope": given["scope"],
        })
    }

    /// Answers who let the application in.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn user_info(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if !caller.has(&["openid"]) {
            return Err(ApiError::access_denied("userinfo.GET.NO_VERSION"));
        }
        let member = self.members.get(&caller.member).ok_or_else(ApiError::not_found)?;
        let (first, last) = member.name.split_once(' ').unwrap_or((&member.name, ""));
        Ok(Answer::ok(&json!({
            "sub": member.id,
            "name": member.name,
            "given_name": first,
            "family_name": last,
            "picture": format!("{}/picture/{}", context.base, member.id),
            "locale": { "country": "US", "language": "en" },
        })))
    }

    /// Returns the name of whoever wrote something.
    pub(super) fn name_of(&self, author: &str) -> String {
        let member = author.strip_prefix("urn:li:person:").and_then(|id| self.members.get(id));
        let page = || {
            let id: u64 = author.strip_prefix("urn:li:organization:")?.parse().ok()?;
            self.pages.get(&id).map(|page| page.name.clone())
        };
        member.map(|member| member.name.clone()).or_else(page).unwrap_or_default()
    }

    /// Says whether a caller may do something as an author, given the permissions for either kind.
    ///
    /// # Errors
    /// 403.
    pub(super) fn check_acts(
        &self,
        caller: &Caller,
        author: &str,
        as_member: &[&str],
        as_page: &[&str],
        what: &str,
    ) -> Result<(), ApiError> {
        let is_self = author == person(&caller.member) && caller.has(as_member);
        let own = self.members.get(&caller.member);
        let is_page =
            own.is_some_and(|member| member.pages.iter().any(|page| organization(*page) == author));
        if is_self || (is_page && caller.has(as_page)) {
            Ok(())
        } else {
            Err(ApiError::access_denied(what))
        }
    }
}
