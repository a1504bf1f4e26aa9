//! What becomes of the links of posts, and how often short ones were followed.

use http::{Method, StatusCode};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::links::{LinkRules, ShortLinkView, Utm};
use scheduler_core::post::PageInput;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use super::settings;
use crate::page::{self, Said};
use crate::visitor::{Visitor, entered};

pub(crate) static SET: Endpoint = Endpoint::page(
    "web_set_link_rules",
    Method::POST,
    "/w/{workspaceId}/settings/links",
    |visit| Box::pin(entered(visit, Role::Owner, set)),
);

/// How many short links the page shows.
const SHOWN: &str = "10";

/// The links as the page shows them.
pub(super) struct Links {
    pub(super) action: String,
    pub(super) tag: bool,
    pub(super) shorten: bool,
    /// False where the server has no address for short links.
    pub(super) can_shorten: bool,
    /// The name of each field, the parameter and its template.
    pub(super) fields: Vec<(&'static str, &'static str, String)>,
    pub(super) except: String,
    /// How many networks and labels have parameters of their own.
    pub(super) others: usize,
    pub(super) latest: Vec<ShortLinkView>,
}

/// What the workspace wants of its links, and the short links that were made last.
pub(super) async fn links(visitor: &Visitor) -> Result<Links, Declined> {
    let rules = &visitor.workspace().links;
    let page = PageInput { limit: Some(SHOWN.to_owned()), before: None };
    let latest = match visitor.scheduler().list_short_links(&visitor.caller, &page, None).await {
        Ok(page) => page.data,
        // A store that keeps none.
        Err(AppError::Refused(refusal)) if refusal.code == ErrorCode::Unsupported => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    Ok(Links {
        action: visitor.at("settings/links"),
        tag: rules.tag,
        shorten: rules.shorten,
        can_shorten: visitor.scheduler().short_links().is_some(),
        fields: rules
            .utm
            .templates()
            .map(|(name, field, value)| (field, name, value.unwrap_or_default().to_owned()))
            .into(),
        except: rules.except.join(" "),
        others: rules.networks.len() + rules.labels.len(),
        latest,
    })
}

/// Stores what the form says; what networks and labels have of their own stays.
async fn set(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let text = |name: &str| {
        let text = form.only(name).map(str::trim).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    let mut utm = Utm::default();
    for (field, template) in utm.templates_mut() {
        *template = text(field);
    }
    let except = form.only("except").unwrap_or_default();
    let rules = LinkRules {
        tag: form.only("tag").is_some(),
        shorten: form.only("shorten").is_some(),
        utm,
        except: except
            .split([' ', ','])
            .filter(|host| !host.is_empty())
            .map(str::to_owned)
            .collect(),
        ..visitor.workspace().links.clone()
    };
    match visitor.scheduler().set_link_rules(visitor.workspace(), rules).await {
        Ok(_) => {
            let said = Said::Stored.query();
            Ok(page::sent_to(&visitor.at(&format!("settings?{said}"))))
        }
        Err(AppError::Refused(refusal)) if refusal.code == ErrorCode::InvalidRequest => {
            let page = settings(&visitor, Some(refusal.message())).await?;
            Ok(page::shown_as(StatusCode::BAD_REQUEST, &page))
        }
        Err(error) => Err(error.into()),
    }
}
