//! API keys of the workspace.

use http::Method;
use scheduler_core::app::NewKeyInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::KeyId;
use scheduler_core::key::{Confirmation, KeyView, Preset};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use super::{Button, Cell, New, Table, page_of};
use crate::page::{self, Said};
use crate::visitor::{Visitor, entered, query};
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
        let asked = match key.confirm {
            Confirmation::Always => "confirm each change",
            Confirmation::Live => "confirm what goes out",
            Confirmation::Never => "confirm nothing",
        };
        let calls = query(&[("by", &key.id.to_string())]);
        let agents = Cell {
            text: format!("{asked}; {} an hour", key.live_per_hour),
            href: Some(visitor.at(&format!("activity/calls?{calls}"))),
            ..Cell::default()
        };
        vec![
            key.name.into(),
            key.hint.into(),
            key.scopes.to_string().into(),
            agents,
            when::instant(key.created_at, zone).into(),
            when::instant(key.expires_at, zone).into(),
            vec![revoke].into(),
        ]
    });
    Ok(Table {
        sentence: "Programs call the API with keys.".to_owned(),
        heads: vec!["Name", "Starts with", "Scopes", "Agents", "Created", "Expires", ""],
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
    let usual = NewKeyInput::new(&name, preset);
    let confirm = form.only("confirm").filter(|confirm| !confirm.is_empty());
    let confirm = confirm.map(str::parse).transpose().map_err(|_| {
        Refusal::invalid("confirm", "Choose what is confirmed: always, live or never.")
    })?;
    let live_per_hour =
        match form.only("livePerHour").map(str::trim) {
            None | Some("") => None,
            Some(limit) => Some(limit.parse().map_err(|_| {
                Refusal::invalid("livePerHour", "Give a whole number from 0 to 1000.")
            })?),
        };
    let input = NewKeyInput { confirm, live_per_hour, ..usual };
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
