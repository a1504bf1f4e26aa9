//! What can be done with a live post and its account, besides comments and figures.

use scheduler_core::ports::{Access, LivePost, Mention, NetworkError};
use serde_json::Value;

use super::api::{Api, encoded};
use super::errors::{failure, of_act, unreadable};
use super::wire::{Elements, Kept, Organization, author, is_page};
use crate::conversation::{Answer, Turn};

/// The permission with which a page's followers and figures are read.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>.
pub(super) const PAGE_ADMIN: &[&str] = &["rw_organization_admin"];

/// The next turn of taking a post down. One that is gone is no error.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Delete Posts".
pub(super) fn take_down(
    api: &Api,
    kept: &Kept,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> Result<Turn<()>, NetworkError> {
    let Some(answer) = answers.first() else {
        let path = format!("posts/{}", encoded(&post.remote.id));
        return Ok(Turn::Send(api.remove(&kept.access_token, &path, "")));
    };
    if answer.is_success() || (answer.status == 404 && answer.json::<Value>().is_some()) {
        return Ok(Turn::Done(()));
    }
    Err(of_act(failure(answer, false, Some(access.now))))
}

/// The next turn of counting followers; `None` without the permission for it.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>
/// and <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/follower-statistics>.
pub(super) fn followers(
    api: &Api,
    kept: &Kept,
    access: &Access,
    answers: &[Answer],
) -> Result<Turn<Option<u64>>, NetworkError> {
    let author = author(&access.account);
    let scopes = if is_page(author) { PAGE_ADMIN } else { &["r_member_profileAnalytics"][..] };
    if !kept.may(scopes) {
        return Ok(Turn::Done(None));
    }
    let Some(answer) = answers.first() else {
        let token = &kept.access_token;
        return Ok(Turn::Send(if is_page(author) {
            let path = format!("networkSizes/{}", encoded(author));
            api.read(token, &path, "edgeType=COMPANY_FOLLOWED_BY_MEMBER")
        } else {
            api.read(token, "memberFollowersCount", "q=me")
        }));
    };
    if answer.status == 403 {
        return Ok(Turn::Done(None));
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(access.now)));
    }
    let body: Value = answer.json().ok_or_else(unreadable)?;
    let place =
        if is_page(author) { "/firstDegreeSize" } else { "/elements/0/memberFollowersCount" };
    Ok(Turn::Done(body.pointer(place).and_then(Value::as_u64)))
}

/// The next turn of looking for the page of a name: LinkedIn knows only whole names, and tells
/// them only to whom pages are open.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>.
pub(super) fn mentions(
    api: &Api,
    kept: &Kept,
    access: &Access,
    query: &str,
    answers: &[Answer],
) -> Result<Turn<Vec<Mention>>, NetworkError> {
    let name = query.trim().trim_start_matches('@');
    if name.is_empty() || !kept.may(PAGE_ADMIN) {
        return Ok(Turn::Done(Vec::new()));
    }
    let Some(answer) = answers.first() else {
        let query = format!("q=vanityName&vanityName={}", encoded(name));
        return Ok(Turn::Send(api.read(&kept.access_token, "organizations", &query)));
    };
    if matches!(answer.status, 403 | 404) {
        return Ok(Turn::Done(Vec::new()));
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(access.now)));
    }
    let found: Elements<Organization> = answer.json().ok_or_else(unreadable)?;
    let mentions = found.elements.into_iter().filter_map(|page| {
        let handle = page.vanity_name?;
        Some(Mention { name: page.localized_name.unwrap_or_else(|| handle.clone()), handle })
    });
    Ok(Turn::Done(mentions.collect()))
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
