//! What can be done with a post, each by a form.

use scheduler_core::app::EditInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{AccountId, PostId, TargetId};
use scheduler_core::post::Field;
use scheduler_core::target::FailureCode;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use super::moving::known;
use super::{Show, page_of};
use crate::page::{self, Said};
use crate::visitor::Visitor;

pub(super) async fn retry(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let only: Option<TargetId> = match form.only("target") {
        Some(_) => Some(target(&form)?),
        None => None,
    };
    let mut meant = post.targets.iter().filter(|target| only.is_none_or(|id| id == target.id));
    let is_doubtful = meant.any(|target| target.error_code == Some(FailureCode::InDoubt));
    if is_doubtful && form.only("looked").is_none() {
        let message = "Look at the account first, and tick that you have: what is live there would be posted twice.";
        return Err(Refusal::invalid("looked", message).into());
    }
    match only {
        Some(target) => {
            visitor.scheduler().retry_target(&visitor.caller, post.id, target).await?;
        }
        None => {
            visitor.scheduler().retry_post(&visitor.caller, post.id).await?;
        }
    }
    Ok(back(&visitor, post.id, Said::Retried))
}

pub(super) async fn cancel(visitor: Visitor) -> Result<Response, Declined> {
    let id: PostId = visitor.id()?;
    visitor.scheduler().delete_post(&visitor.caller, id, None).await?;
    Ok(back(&visitor, id, Said::Cancelled))
}

pub(super) async fn undo(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: PostId = visitor.id()?;
    // What somebody else has changed since is not taken back.
    let seen = form.only("revision").and_then(|revision| revision.parse().ok());
    let seen: Option<Vec<i64>> = seen.map(|revision| vec![revision]);
    let undone = visitor.scheduler().undo_post(&visitor.caller, id, seen.as_deref());
    let post = undone.await?;
    if visitor.fragment().is_some() {
        return Ok(known(&post, visitor.zone()?, "It is back where it was."));
    }
    Ok(back(&visitor, id, Said::Undone))
}

pub(super) async fn take_down(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: PostId = visitor.id()?;
    let target = target(&form)?;
    if form.only("sure").is_none() {
        let message = "Tick that likes and comments may be lost: a take-down cannot be undone.";
        return Err(Refusal::invalid("sure", message).into());
    }
    let caller = visitor.caller.clone();
    visitor
        .visit()
        .to_its_end(|scheduler| async move { scheduler.take_down(&caller, id, target).await })
        .await?;
    Ok(back(&visitor, id, Said::TakenDown))
}

/// Writes down that what was in doubt is live.
pub(super) async fn found(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let (id, target): (PostId, _) = (visitor.id()?, target(&form)?);
    let link = form.only("link").unwrap_or_default();
    visitor.scheduler().found_live(&visitor.caller, id, target, link).await?;
    Ok(back(&visitor, id, Said::Found))
}

pub(super) async fn duplicate(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let mut post = visitor.post().await?;
    if form.only("target").is_some() {
        let only = target(&form)?;
        post.targets.retain(|target| target.id == only);
    }
    let copy = crate::compose::copy_of(&visitor, &post).await?;
    Ok(page::sent_to(&visitor.at(&format!("compose/{copy}"))))
}

/// Back to the page of the post, with a message.
pub(super) fn back(visitor: &Visitor, id: PostId, said: Said) -> Response {
    page::sent_to(&visitor.at(&format!("posts/{id}?{}", said.query())))
}

/// Changes what is live on one network.
pub(super) async fn change_live(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let (id, target): (PostId, _) = (visitor.id()?, target(&form)?);
    let sent = |name| {
        let text = form.only(name).map(|text| text.replace("\r\n", "\n"));
        text.map_or(Field::Absent, Field::Value)
    };
    let input = EditInput { content: sent("content"), title: sent("title") };
    let caller = visitor.caller.clone();
    let changed = visitor.visit().to_its_end(|scheduler| async move {
        scheduler.edit_live_post(&caller, id, target, input).await
    });
    let Err(declined) = changed.await else {
        return Ok(back(&visitor, id, Said::ChangedLive));
    };
    let mut page = page_of(&visitor, &visitor.post().await?).await?;
    let target = target.to_string();
    let refused = page.targets.iter_mut().find(|shown| shown.id == target);
    if let Some(live) = refused.and_then(|target| target.live.as_mut()) {
        // What was written stays in the form.
        live.text = form.only("content").unwrap_or_default().to_owned();
        live.title = live.title.take().map(|_| form.only("title").unwrap_or_default().to_owned());
        live.is_refused = true;
    }
    Ok(declined.into_page(|status, message| {
        page::shown_as(status, &Show { problem: Some(message.to_owned()), ..page })
    }))
}

/// Points a target that is not live at another account of its network.
pub(super) async fn point(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let (id, target): (PostId, _) = (visitor.id()?, target(&form)?);
    let account: Option<AccountId> = form.only("account").and_then(|id| id.parse().ok());
    let Some(account) = account else {
        return Err(Refusal::invalid("account", "Choose an account.").into());
    };
    let pointed = visitor.scheduler().move_target(&visitor.caller, id, target, account).await;
    let Err(refused) = pointed else {
        return Ok(back(&visitor, id, Said::Pointed));
    };
    let mut page = page_of(&visitor, &visitor.post().await?).await?;
    let target = target.to_string();
    if let Some(shown) = page.targets.iter_mut().find(|shown| shown.id == target) {
        // What was chosen stays chosen.
        shown.pointed_at = Some(account.to_string());
    }
    Ok(Declined::from(refused).into_page(|status, message| {
        page::shown_as(status, &Show { problem: Some(message.to_owned()), ..page })
    }))
}

/// Reads the figures of a live target.
pub(super) async fn read(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let (id, target): (PostId, _) = (visitor.id()?, target(&form)?);
    let caller = visitor.caller.clone();
    visitor
        .visit()
        .to_its_end(|scheduler| async move { scheduler.read_metrics(&caller, id, target).await })
        .await?;
    Ok(back(&visitor, id, Said::Read))
}

/// The target that a form names.
fn target(form: &Form) -> Result<TargetId, Declined> {
    let target = form.only("target").and_then(|target| target.parse().ok());
    target.ok_or_else(|| Refusal::invalid("target", "Choose a network.").into())
}
