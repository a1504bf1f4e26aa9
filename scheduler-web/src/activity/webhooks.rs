//! Webhooks, and what they were told.

use http::Method;
use scheduler_core::app::WebhookInput;
use scheduler_core::ids::{DeliveryId, WebhookId};
use scheduler_core::session::Role;
use scheduler_core::webhook::{DeliveryStatus, DeliveryView};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use super::{Button, New, Table, page_of};
use crate::page::{self, Said};
use crate::visitor::{Visitor, entered, query};
use crate::when;

/// Rows of the list of deliveries.
const ROWS: u32 = 100;

pub(crate) static CREATE: Endpoint =
    Endpoint::page("web_create_webhook", Method::POST, "/w/{workspaceId}/webhooks", |visit| {
        Box::pin(entered(visit, Role::Owner, create))
    });

pub(crate) static REMOVE: Endpoint = Endpoint::page(
    "web_remove_webhook",
    Method::POST,
    "/w/{workspaceId}/webhooks/{id}/remove",
    |visit| Box::pin(entered(visit, Role::Owner, remove)),
);

pub(crate) static TEST: Endpoint = Endpoint::page(
    "web_test_webhook",
    Method::POST,
    "/w/{workspaceId}/webhooks/{id}/test",
    |visit| Box::pin(entered(visit, Role::Owner, test)),
);

pub(crate) static REDELIVER: Endpoint = Endpoint::page(
    "web_redeliver",
    Method::POST,
    "/w/{workspaceId}/deliveries/{id}/send",
    |visit| Box::pin(entered(visit, Role::Owner, redeliver)),
);

pub(super) async fn list(visitor: &Visitor) -> Result<Table, Declined> {
    visitor.member.require(Role::Owner)?;
    let zone = visitor.zone()?;
    let webhooks = visitor.scheduler().webhooks(&visitor.caller).await?;
    let rows = webhooks.iter().map(|webhook| {
        let events: Vec<&str> = webhook.events.iter().map(|event| event.as_str()).collect();
        let state = webhook.disabled_at.map_or_else(
            || "active".to_owned(),
            |at| format!("off since {}: it answered 410", when::instant(at, zone)),
        );
        let button = |word, path, sure| Button {
            word,
            action: visitor.at(&format!("webhooks/{}/{path}", webhook.id)),
            sure,
        };
        vec![
            webhook.url.clone().into(),
            events.join(", ").into(),
            state.into(),
            when::instant(webhook.created_at, zone).into(),
            vec![
                button("Test", "test", None),
                button("Remove", "remove", Some("Deliveries that wait for it are dropped.")),
            ]
            .into(),
        ]
    });
    Ok(Table {
        sentence: "Addresses of your programs that are told what happens.".to_owned(),
        heads: vec!["Address", "Events", "State", "Created", ""],
        rows: rows.collect(),
        new: Some(New::Webhook { action: visitor.at("webhooks"), url: String::new() }),
        said: visitor.visit().query().only("answer").and_then(answer),
        ..Table::default()
    })
}

/// What a receiver has answered to a test, by its status.
fn answer(status: &str) -> Option<String> {
    let status: u16 = status.parse().ok()?;
    Some(match status {
        0 => "No answer came to the test.".to_owned(),
        200..300 => format!("The test was acknowledged: {status}."),
        _ => format!("The test was not acknowledged: {status}."),
    })
}

async fn create(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let url = form.only("url").unwrap_or_default().trim().to_owned();
    let input = WebhookInput { url: Some(url.clone()), events: None };
    match visitor.scheduler().create_webhook(&visitor.caller, input, None).await {
        Ok(made) => {
            let secret = made.value.secret.unwrap_or_default();
            let made = Some(("The secret that signs what it is told, shown once", secret));
            let table = Table { made, ..list(&visitor).await? };
            Ok(changed(page::shown(&page_of(&visitor, "webhooks", table).await?)))
        }
        Err(error) => {
            let declined = Declined::from(error);
            let new = Some(New::Webhook { action: visitor.at("webhooks"), url });
            let table = Table { new, ..list(&visitor).await?.refused(&declined) };
            let page = page_of(&visitor, "webhooks", table).await?;
            Ok(declined.into_page(|status, _| page::shown_as(status, &page)))
        }
    }
}

async fn remove(visitor: Visitor) -> Result<Response, Declined> {
    let id: WebhookId = visitor.id()?;
    visitor.scheduler().remove_webhook(&visitor.caller, id).await?;
    Ok(page::sent_to(&visitor.at(&format!("activity/webhooks?{}", Said::WebhookRemoved.query()))))
}

async fn test(visitor: Visitor) -> Result<Response, Declined> {
    let id: WebhookId = visitor.id()?;
    let caller = visitor.caller.clone();
    let tested = visitor
        .visit()
        .to_its_end(|scheduler| async move { scheduler.test_webhook(&caller, id).await })
        .await?;
    let answer = tested.status.unwrap_or_default().to_string();
    Ok(page::sent_to(&visitor.at(&format!("activity/webhooks?{}", query(&[("answer", &answer)])))))
}

pub(super) async fn deliveries(visitor: &Visitor) -> Result<Table, Declined> {
    visitor.member.require(Role::Editor)?;
    let zone = visitor.zone()?;
    let records = visitor.scheduler().deliveries(visitor.workspace().id, None, ROWS).await?;
    let rows = records.iter().map(|record| {
        let view = DeliveryView::from(record);
        let last = view.attempts.last();
        let told = last.map(|attempt| when::instant(attempt.at, zone));
        let answered = last.map(|attempt| match attempt.status {
            Some(status) => status.to_string(),
            None => "no answer".to_owned(),
        });
        let has_ended = view.status != DeliveryStatus::Pending;
        let again = (has_ended && visitor.may(Role::Owner)).then(|| Button {
            word: "Send again",
            action: visitor.at(&format!("deliveries/{}/send", view.id)),
            sure: None,
        });
        vec![
            told.unwrap_or_else(|| "not tried yet".to_owned()).into(),
            view.event.as_str().to_owned().into(),
            view.url.clone().into(),
            view.status.as_str().to_owned().into(),
            view.attempts.len().to_string().into(),
            answered.unwrap_or_default().into(),
            again.into_iter().collect::<Vec<_>>().into(),
        ]
    });
    Ok(Table {
        sentence: "What webhooks were told, the latest first.".to_owned(),
        heads: vec!["Last tried", "Event", "Webhook", "State", "Tries", "Answer", ""],
        rows: rows.collect(),
        ..Table::default()
    })
}

/// Sends a delivery again, with the id of the same event.
async fn redeliver(visitor: Visitor) -> Result<Response, Declined> {
    let id: DeliveryId = visitor.id()?;
    visitor.scheduler().redeliver(visitor.workspace().id, id).await?;
    Ok(page::sent_to(&visitor.at(&format!("activity/deliveries?{}", Said::SentAgain.query()))))
}
