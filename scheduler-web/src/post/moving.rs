//! Moving a post to another time: by a form, by a drag, by keys, or by days.

use askama::Template;
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use scheduler_core::audit::AuditFilter;
use scheduler_core::error::{AppError, ErrorCode, Refusal, RefusalKind};
use scheduler_core::post::{
    ApprovalState, AskedTiming, Field, PageInput, Post, PostInput, PostView,
};
use scheduler_core::timing::{Zone, format_local, parse_local};
use scheduler_http::visit::{Declined, Form, changed};
use serde_json::json;
use warp::reply::Response;

use super::actions::back;
use crate::card::{first_words, stuck};
use crate::filters;
use crate::page::{self, Frame, Said};
use crate::visitor::Visitor;
use crate::when;

/// What a script asks for to show it in a dialog.
const FORM: &str = "form";

/// Free slots that are offered.
const SLOTS: usize = 3;

/// Days among whose free slots these are looked for.
const SLOT_DAYS: i64 = 14;

/// Entries of the log in which it is looked up who has changed a post.
const LOOKED_AT: &str = "50";

#[derive(Template)]
#[template(path = "post/move.html")]
struct Move {
    frame: Frame,
    form: MoveForm,
}

/// The form alone.
#[derive(Template)]
#[template(path = "post/move_form.html")]
struct MoveForm {
    href: String,
    action: String,
    words: String,
    day: String,
    time: String,
    zone: String,
    revision: i64,
    /// What will happen.
    told: Vec<String>,
    slots: Vec<Slot>,
    problem: Option<String>,
    /// Why it cannot be moved at all.
    stuck: Option<String>,
}

/// A free slot of all the accounts of a post.
struct Slot {
    at: String,
    name: String,
}

pub(super) async fn move_form(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    let form = form_of(&visitor, &post).await?;
    if visitor.fragment() == Some(FORM) {
        return Ok(page::shown(&form));
    }
    Ok(page::shown(&move_page(&visitor, form).await?))
}

async fn move_page(visitor: &Visitor, form: MoveForm) -> Result<Move, Declined> {
    let frame = Frame::of(visitor, "calendar", format!("Move · {}", form.words)).await?;
    Ok(Move { frame, form })
}

async fn form_of(visitor: &Visitor, post: &PostView) -> Result<MoveForm, Declined> {
    let zone = visitor.zone()?;
    let local = match (post.timing, post.scheduled_at) {
        (Some(AskedTiming::Local { local }), _) => local,
        (_, Some(at)) => zone.local(at),
        (_, None) => zone.local(visitor.now()),
    };
    let is_queued = post.timing == Some(AskedTiming::Queue);
    let mut told = Vec::new();
    if post.scheduled_at.is_some() {
        told.push(format!("It goes out on {} now.", when::moment(local)));
    }
    if is_queued {
        told.push(
            "With a day and a time of its own it leaves the queue; a free slot keeps it there."
                .to_owned(),
        );
    }
    if post.approval_state == Some(ApprovalState::Approved) {
        told.push("It stays approved: nothing but its time changes.".to_owned());
    }
    let href = visitor.at(&format!("posts/{}", post.id));
    Ok(MoveForm {
        action: format!("{href}/move{}", zone_query(visitor)),
        href,
        words: first_words(post),
        day: local.date().to_string(),
        time: when::clock(local),
        zone: match post.timing {
            Some(AskedTiming::Local { .. }) => "each account’s clock".to_owned(),
            _ => when::zone(zone, post.scheduled_at.unwrap_or_else(|| visitor.now())),
        },
        revision: post.revision,
        told,
        slots: slots_of(visitor, post, zone).await?,
        problem: None,
        stuck: stuck(post, zone),
    })
}

/// The zone that the address asks for, as another address takes it along.
fn zone_query(visitor: &Visitor) -> String {
    let asked = visitor.visit().query();
    let zone = asked.only("zone").map(|zone| crate::visitor::query(&[("zone", zone)]));
    zone.map_or_else(String::new, |zone| format!("?{zone}"))
}

/// The next slots that are free for every account of a post.
async fn slots_of(visitor: &Visitor, post: &PostView, zone: Zone) -> Result<Vec<Slot>, Declined> {
    let accounts = post.targets.iter().map(|target| target.account_id).collect();
    let now = visitor.now();
    let until = now + TimeDelta::days(SLOT_DAYS);
    let scheduler = visitor.scheduler();
    let free = scheduler.free_slots(visitor.workspace(), &accounts, now, until).await?;
    let of_all = free
        .chunk_by(|one, other| one.instant == other.instant)
        .filter(|slots| slots.len() == accounts.len() && !accounts.is_empty())
        .filter_map(|slots| slots.first());
    let shown = of_all.take(SLOTS).map(|slot| Slot {
        at: slot.instant.to_rfc3339(),
        name: when::moment(zone.local(slot.instant)),
    });
    Ok(shown.collect())
}

/// Where a post is to go.
#[derive(Clone, Copy, Debug)]
enum To {
    /// A wall-clock time of each account.
    Local(NaiveDateTime),
    Instant(DateTime<Utc>),
    /// An instant that is the slot of the accounts that have one then.
    Slot(DateTime<Utc>),
}

impl To {
    fn change(self) -> PostInput {
        match self {
            Self::Local(local) => PostInput {
                scheduled_local: Field::Value(format_local(local)),
                ..PostInput::default()
            },
            Self::Instant(at) => {
                PostInput { scheduled_at: Field::Value(at.to_rfc3339()), ..PostInput::default() }
            }
            Self::Slot(at) => {
                PostInput { queue: true.into(), slot: Some(at), ..PostInput::default() }
            }
        }
    }
}

/// A place in the calendar: what its clocks show, and whether they do so again.
#[derive(Clone, Copy, Debug)]
struct Place {
    local: NaiveDateTime,
    is_again: bool,
}

impl Place {
    fn read(form: &Form, name: &str) -> Option<Self> {
        let local = parse_local(form.only(name)?).ok()?;
        Some(Self { local, is_again: form.only(&format!("{name}-again")).is_some() })
    }

    fn instant(self, zone: Zone) -> DateTime<Utc> {
        zone.instant_of(self.local, self.is_again)
    }
}

/// Where a form wants a post to go. What was asked for by each account's clock stays so, and moves
/// by as much as its card does.
fn wanted(form: &Form, post: &PostView, zone: Zone) -> Result<To, Refusal> {
    let refused = || Refusal::invalid("time", "Give a day and a time.");
    if let Some(slot) = form.only("slot") {
        let at: DateTime<Utc> = slot.parse().map_err(|_| refused())?;
        return Ok(To::Slot(at));
    }
    let asked = match post.timing {
        Some(AskedTiming::Local { local }) => Some(local),
        _ => None,
    };
    let Some(from) = Place::read(form, "from") else {
        let (day, time) = (form.only("day"), form.only("time"));
        let local = format!("{}T{}", day.unwrap_or_default(), time.unwrap_or_default());
        let local = parse_local(&local).map_err(|_| refused())?;
        return Ok(asked.map_or_else(|| To::Instant(zone.instant(local)), |_| To::Local(local)));
    };
    if let Some(hours) = form.only("hours") {
        let by = TimeDelta::hours(hours.parse::<i8>().map_err(|_| refused())?.into());
        return Ok(asked
            .map_or_else(|| To::Instant(from.instant(zone) + by), |asked| To::Local(asked + by)));
    }
    let to = match form.only("days") {
        Some(days) => {
            let by = TimeDelta::days(days.parse::<i16>().map_err(|_| refused())?.into());
            Place { local: from.local + by, is_again: false }
        }
        None => Place::read(form, "to").ok_or_else(refused)?,
    };
    Ok(asked.map_or_else(
        || To::Instant(to.instant(zone)),
        |asked| To::Local(asked + (to.local - from.local)),
    ))
}

/// Moves a post by days, by the clocks that it goes by; `false` where it has no time.
pub(crate) async fn by_days(
    visitor: &Visitor,
    post: &PostView,
    days: i64,
) -> Result<bool, Declined> {
    let by = TimeDelta::days(days);
    let to = match (post.timing, post.scheduled_at) {
        (Some(AskedTiming::Local { local }), _) => To::Local(local + by),
        (_, Some(at)) => {
            let zone = visitor.zone()?;
            To::Instant(zone.instant(zone.local(at) + by))
        }
        (_, None) => return Ok(false),
    };
    let expected = [post.revision];
    let saved =
        visitor.scheduler().update_post(&visitor.caller, post.id, to.change(), Some(&expected));
    saved.await?;
    Ok(true)
}

/// Moves a post to where its form says.
pub(super) async fn moved(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let zone = visitor.zone()?;
    let revision = form.only("revision").and_then(|revision| revision.parse().ok());
    let expected = revision.map(|revision: i64| vec![revision]);
    let saved = match wanted(&form, &post, zone) {
        Ok(to) => {
            let (scheduler, change) = (visitor.scheduler(), to.change());
            let saved =
                scheduler.update_post(&visitor.caller, post.id, change, expected.as_deref());
            match saved.await {
                Ok(saved) => Ok(saved),
                Err(error) => Err(told(&visitor, &post, to, error).await?),
            }
        }
        Err(refusal) => Err(refusal.into()),
    };
    let saved = match saved {
        Ok(saved) => saved,
        Err(refused) if visitor.fragment().is_some() => return Err(refused),
        Err(refused) => {
            // What was written stays in the form.
            let stored = form_of(&visitor, &post).await?;
            let written = |name, stored| form.only(name).map_or(stored, str::to_owned);
            let (day, time) = (written("day", stored.day), written("time", stored.time));
            let page = move_page(&visitor, MoveForm { day, time, ..stored }).await?;
            return Ok(refused.into_page(|status, message| {
                let form = MoveForm { problem: Some(message.to_owned()), ..page.form };
                page::shown_as(status, &Move { form, ..page })
            }));
        }
    };
    if visitor.fragment().is_none() {
        return Ok(back(&visitor, post.id, Said::Moved));
    }
    let mut said = format!("Moved to {}.", when::moment(shown_at(&saved, zone)));
    match (post.timing, saved.timing) {
        (Some(AskedTiming::Queue), AskedTiming::Queue) => {}
        (Some(AskedTiming::Queue), _) => said.push_str(" It has left the queue."),
        (_, AskedTiming::Local { .. }) => said.push_str(" Each account goes by its own clock."),
        _ => {}
    }
    Ok(known(&saved, zone, &said))
}

/// What a script that has changed the time of a post knows of it then.
pub(super) fn known(saved: &Post, zone: Zone, said: &str) -> Response {
    let known = json!({
        "revision": saved.revision,
        "changed": saved.updated_at.timestamp_micros(),
        "at": format_local(shown_at(saved, zone)),
        "again": saved.scheduled_at.is_some_and(|at| zone.is_again(at)),
        "said": said,
    });
    changed(Response::new(known.to_string().into()))
}

/// When the first of a post goes out, by the clocks of a view.
fn shown_at(post: &Post, zone: Zone) -> NaiveDateTime {
    zone.local(post.scheduled_at.unwrap_or(post.updated_at))
}

/// Why a post was not moved, in the words of the calendar: which time has passed, and who has
/// changed it meanwhile.
async fn told(
    visitor: &Visitor,
    post: &PostView,
    to: To,
    error: AppError,
) -> Result<Declined, Declined> {
    let AppError::Refused(refusal) = error else { return Ok(error.into()) };
    let zone = visitor.zone()?;
    match &refusal.kind {
        RefusalKind::Invalid(problem) if problem.is_past() => {
            let local = match to {
                To::Local(local) => local,
                To::Instant(at) | To::Slot(at) => zone.local(at),
            };
            let message = format!("{} has passed.", when::moment(local));
            Ok(Refusal::invalid("time", message).into())
        }
        RefusalKind::Stale(current) => {
            let at = zone.local(current.updated_at);
            let at = if at.date() == zone.local(visitor.now()).date() {
                when::clock(at)
            } else {
                when::moment(at)
            };
            let who = changed_by(visitor, post).await?;
            let message = format!("{who} changed this post at {at}. Look at it before it moves.");
            Ok(Refusal::new(ErrorCode::Stale, message).into())
        }
        _ => match (refusal.code, to) {
            (ErrorCode::SlotTaken, To::Slot(at)) => {
                let message = format!("{} has just been taken.", when::moment(zone.local(at)));
                Ok(Refusal::new(ErrorCode::SlotTaken, message).into())
            }
            _ => Ok(AppError::Refused(refusal).into()),
        },
    }
}

/// Who has changed a post last, as far as the latest entries of the log tell.
async fn changed_by(visitor: &Visitor, post: &PostView) -> Result<String, Declined> {
    let page = PageInput { limit: Some(LOOKED_AT.to_owned()), before: None };
    let log =
        visitor.scheduler().audit(visitor.workspace().id, &page, AuditFilter::default()).await?;
    let id = post.id.to_string();
    let entry = log.data.iter().find(|entry| entry.path.contains(&id));
    let name = entry.and_then(|entry| entry.by.called()).map(filters::cleaned);
    Ok(name.unwrap_or_else(|| "Somebody".to_owned()))
}
