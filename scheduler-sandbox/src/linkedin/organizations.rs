//! Pages and who administers them: `organizationAcls`, `organizations`.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>.

use serde_json::{Map, Value, json};

use super::Linkedin;
use super::accounts::{Page, organization, person};
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Linkedin {
    /// Answers the pages that the caller administers.
    ///
    /// # Errors
    /// 403 without the permission, those of tokens.
    pub(super) fn roles(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if !caller.has(&["rw_organization_admin"]) {
            return Err(ApiError::access_denied("organizationAcls.FINDER-roleAssignee"));
        }
        if request.query("q") != Some("roleAssignee") {
            return Err(ApiError::invalid("q", "Unknown finder"));
        }
        let wanted = |name, known| request.query(name).is_none_or(|value| value == known);
        let is_wanted = wanted("role", "ADMINISTRATOR") && wanted("state", "APPROVED");
        let member = self.members.get(&caller.member).filter(|_| is_wanted);
        let elements: Vec<Value> = member
            .into_iter()
            .flat_map(|member| &member.pages)
            .map(|page| {
                json!({
                    "role": "ADMINISTRATOR",
                    "roleAssignee": person(&caller.member),
                    "state": "APPROVED",
                    "organization": organization(*page),
                })
            })
            .collect();
        Ok(Answer::ok(&json!({
            "elements": elements,
            "paging": { "start": 0, "count": 10, "links": [] },
        })))
    }

    /// Answers pages by their numbers, or the page of a vanity name.
    ///
    /// # Errors
    /// 403 without the permission, those of tokens.
    pub(super) fn find_organizations(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if !caller.has(&["rw_organization_admin", "r_organization_social"]) {
            return Err(ApiError::access_denied("organizations.GET"));
        }
        if let Some(ids) = request.query("ids") {
            let ids = ids.strip_prefix("List(").and_then(|ids| ids.strip_suffix(')'));
            let ids = ids.ok_or_else(|| ApiError::invalid("ids", "Not a list"))?;
            let (mut results, mut statuses) = (Map::new(), Map::new());
            for id in ids.split(',') {
                let page = id.parse().ok().and_then(|id: u64| self.pages.get(&id));
                statuses.insert(id.to_owned(), json!(if page.is_some() { 200 } else { 404 }));
                results.extend(page.map(|page| (id.to_owned(), view(page))));
            }
            let errors = json!({});
            return Ok(Answer::ok(
                &json!({ "results": results, "statuses": statuses, "errors": errors }),
            ));
        }
        if request.query("q") != Some("vanityName") {
            return Err(ApiError::invalid("q", "Unknown finder"));
        }
        let name = request.query("vanityName").unwrap_or_default();
        let found = self.pages.values().filter(|page| page.vanity_name == name).map(view);
        let found: Vec<Value> = found.collect();
        Ok(Answer::ok(&json!({ "elements": found, "paging": { "start": 0, "count": 10 } })))
    }

    /// Answers a page.
    ///
    /// # Errors
    /// Not found, 403 for pages of others, those of tokens.
    pub(super) fn show_organization(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let page = id.parse().ok().and_then(|id: u64| self.pages.get(&id));
        let page = page.ok_or_else(ApiError::not_found)?;
        if !self.administers(&caller.member, page.id) {
            return Err(ApiError::access_denied("organizations.GET"));
        }
        Ok(Answer::ok(&view(page)))
    }
}

fn view(page: &Page) -> Value {
    json!({
        "id": page.id,
        "localizedName": page.name,
        "vanityName": page.vanity_name,
        "primaryOrganizationType": "NONE",
    })
}
