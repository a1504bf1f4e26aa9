//! Moving a post to another time.

use askama::Template;
use scheduler_core::error::Refusal;
use scheduler_core::post::{AskedTiming, Field, PostInput, PostView};
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use super::actions::{back, known};
use crate::card::first_words;
use crate::filters;
use crate::page::{self, Frame, Said};
use crate::visitor::Visitor;
use crate::when;

#[derive(Template)]
#[template(path = "post/move.html")]
struct Move {
    frame: Frame,
    href: String,
    words: String,
    day: String,
    time: String,
    zone: String,
    revision: i64,
    problem: Option<String>,
}

pub(super) async fn move_form(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    Ok(page::shown(&move_page(&visitor, &post, None).await?))
}

async fn move_page(
    visitor: &Visitor,
    post: &PostView,
    problem: Option<String>,
) -> Result<Move, Declined> {
    let zone = visitor.zone()?;
    let local = match (post.timing, post.scheduled_at) {
        (Some(AskedTiming::Local { local }), _) => local,
        (_, Some(at)) => zone.local(at),
        (_, None) => zone.local(visitor.now()),
    };
    let words = first_words(post);
    Ok(Move {
        frame: Frame::of(visitor, "calendar", format!("Move · {words}")).await?,
        href: visitor.at(&format!("posts/{}", post.id)),
        words,
        day: local.date().to_string(),
        time: when::clock(local),
        zone: match post.timing {
            Some(AskedTiming::Local { .. }) => "each account’s clock".to_owned(),
            _ => when::zone(zone, visitor.now()),
        },
        revision: post.revision,
        problem,
    })
}

/// Moves a post to another wall-clock time: what was asked for by each account's clock stays so,
/// everything else gets that instant.
pub(super) async fn moved(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let local = format!(
        "{}T{}",
        form.only("day").unwrap_or_default(),
        form.only("time").unwrap_or_default()
    );
    let change = match post.timing {
        Some(AskedTiming::Local { .. }) => {
            PostInput { scheduled_local: Field::Value(local), ..PostInput::default() }
        }
        _ => {
            let parsed = scheduler_core::timing::parse_local(&local);
            let message = "Give a day and a time.";
            let local = parsed.map_err(|_| Declined::from(Refusal::invalid("time", message)))?;
            let at = visitor.zone()?.instant(local).to_rfc3339();
            PostInput { scheduled_at: Field::Value(at), ..PostInput::default() }
        }
    };
    let revision = form.only("revision").and_then(|revision| revision.parse().ok());
    let expected = revision.map(|revision: i64| vec![revision]);
    let saved =
        visitor.scheduler().update_post(&visitor.caller, post.id, change, expected.as_deref());
    let saved = match saved.await {
        Ok(saved) => saved,
        Err(error) if visitor.fragment().is_none() => {
            let page = move_page(&visitor, &post, None).await?;
            return Ok(Declined::from(error).into_page(|status, message| {
                page::shown_as(status, &Move { problem: Some(message.to_owned()), ..page })
            }));
        }
        Err(error) => return Err(error.into()),
    };
    if visitor.fragment().is_some() {
        return Ok(changed(Response::new(known(saved.revision, saved.updated_at).into())));
    }
    Ok(back(&visitor, post.id, Said::Moved))
}
