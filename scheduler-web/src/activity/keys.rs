//! API keys of the workspace.

use http::Method;
use scheduler_core::app::NewKeyInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::KeyId;
use scheduler_core::key::{Expiry, KeyView, Preset};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use super::{Button, New, Table, page_of};
use crate::page::{self, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

pub(crate) static CREATE: Endpoint =
    Endpoint::page("web_create_key", Method::POST, "/w/{workspaceId}/keys", |visit| {
        Box::pin(entered(visit, Role::Owner, create))
    });

pub(crate) static REVOKE: Endpoint =
    Endpoint::page("web_revoke_key", Method::POST, "/w/{workspaceId}/keys/{id}/revoke", |visit| {
        Box::pin(entered(visit, Role::Owner, revoke))
    });

pub(super) async fn list(visitor: &Visitor) -> Result<Table, Declined> {
    visitor.member.require(Role::Owner)?;
    let zone = visitor.zone()?;
    let keys = visitor.scheduler().keys(visitor.workspace().id).await?;
    let rows = keys.iter().map(KeyView::from).map(|key| {
        let revoke = Button {
            word: "Revoke",
            action: visitor.at(&format!("keys/{}/revoke", key.id)),
            sure: Some("Programs that use it are refused at once."),
        };
        vec![
            key.name.into(),
            key.hint.into(),
            key.scopes.to_string().into(),
            when::instant(key.created_at, zone).into(),
            when::instant(key.expires_at, zone).into(),
            vec![revoke].into(),
        ]
    });
    Ok(Table {
        sentence: "Programs call the API with keys.".to_owned(),
        heads: vec!["Name", "Starts with", "Scopes", "Created", "Expires", ""],
        rows: rows.collect(),
        new: Some(New::Key { action: visitor.at("keys"), name: String::new() }),
        ..Table::default()
    })
}

async fn create(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let name = form.only("name").unwrap_or_default().to_owned();
    let preset: Option<Preset> = form.only("preset").and_then(|preset| preset.parse().ok());
    let preset = preset.ok_or_else(|| Refusal::invalid("preset", "Choose what it may do."))?;
    let input = NewKeyInput { name: name.clone(), preset, expiry: Expiry::default() };
    match visitor.scheduler().create_key(visitor.workspace(), &input).await {
        Ok(made) => {
            let made = Some(("The key, shown once", made.value.expose().to_owned()));
            let table = Table { made, ..list(&visitor).await? };
            Ok(changed(page::shown(&page_of(&visitor, "keys", table).await?)))
        }
        Err(error) => {
            let declined = Declined::from(error);
            let new = Some(New::Key { action: visitor.at("keys"), name });
            let table = Table { new, ..list(&visitor).await?.refused(&declined) };
            let page = page_of(&visitor, "keys", table).await?;
            Ok(declined.into_page(|status, _| page::shown_as(status, &page)))
        }
    }
}

async fn revoke(visitor: Visitor) -> Result<Response, Declined> {
    let id: KeyId = visitor.id()?;
    visitor.scheduler().revoke_key_of(visitor.workspace().id, id).await?;
    Ok(page::sent_to(&visitor.at(&format!("activity/keys?{}", Said::KeyRevoked.query()))))
}
