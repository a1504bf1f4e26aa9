//! The rehearsal of the calendar: what would keep posts back, and what would mend it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use askama::Template;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use http::Method;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::rehearsal::{
    DAYS_DEFAULT, DAYS_MAX, Rehearsal, RehearsalFinding, RehearsedOutcome, RehearsedTarget,
};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, UNATTENDED};
use warp::reply::Response;

use crate::card::first_words;
use crate::filters;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered};
use crate::when;

/// Posts that the page lists of those that are kept back.
const LISTED: usize = 100;

/// The lengths that can be chosen, in days.
const LENGTHS: [i64; 3] = [7, DAYS_DEFAULT, DAYS_MAX];

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_rehearsal", Method::GET, "/w/{workspaceId}/rehearsal", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

#[derive(Template)]
#[template(path = "rehearsal/show.html")]
struct Show {
    frame: Frame,
    zone: String,
    lengths: Vec<Length>,
    /// Why nothing was rehearsed.
    problem: Option<String>,
    summary: String,
    findings: Vec<Finding>,
    days: Vec<Day>,
    /// How many are not listed.
    more: usize,
}

/// A number of days, and where they are rehearsed.
struct Length {
    words: String,
    href: String,
    is_shown: bool,
}

struct Finding {
    title: &'static str,
    whose: String,
    first: String,
    last: String,
    found: String,
    remedy: String,
}

struct Day {
    title: String,
    lines: Vec<Line>,
}

/// A post that is kept back.
struct Line {
    clock: String,
    href: String,
    words: String,
    account: String,
    /// What becomes of it.
    becomes: String,
    class: &'static str,
    why: &'static str,
    remedy: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let days = asked.only("days");
    let found = rehearsed(&visitor, days).await?;
    let shown = days.map_or(Ok(DAYS_DEFAULT), str::parse);
    let zone = visitor.zone()?;
    let mut page = Show {
        frame: Frame::of(&visitor, "calendar", "Rehearsal").await?,
        zone: when::zone(zone, visitor.now()),
        lengths: LENGTHS.map(|length| chosen(&visitor, length, shown == Ok(length))).into(),
        problem: found.as_ref().err().cloned(),
        summary: String::new(),
        findings: Vec::new(),
        days: Vec::new(),
        more: 0,
    };
    if let Ok(found) = found {
        page.summary = found.summary(&when::instant(found.until, zone));
        page.findings = found.findings.iter().map(|one| finding(&found, one, zone)).collect();
        let kept_back: Vec<&RehearsedTarget> =
            found.targets.iter().filter(|one| one.outcome != RehearsedOutcome::OnTime).collect();
        page.more = kept_back.len().saturating_sub(LISTED);
        let kept_back = kept_back.get(..LISTED).unwrap_or(&kept_back);
        page.days = listed(&visitor, &found, kept_back, zone).await?;
    }
    Ok(page::shown(&page))
}

/// Rehearses the calendar, or says why not while another one is rehearsed.
async fn rehearsed(
    visitor: &Visitor,
    days: Option<&str>,
) -> Result<Result<Rehearsal, String>, Declined> {
    match visitor.visit().rehearse(&visitor.member, days).await {
        Ok(found) => Ok(Ok(found)),
        Err(declined) if declined.code() == ErrorCode::RateLimited => {
            Ok(Err(declined.message().to_owned()))
        }
        Err(declined) => Err(declined),
    }
}

fn chosen(visitor: &Visitor, length: i64, is_shown: bool) -> Length {
    Length {
        words: format!("{length} days"),
        href: visitor.at(&format!("rehearsal?days={length}")),
        is_shown,
    }
}

fn finding(found: &Rehearsal, one: &RehearsalFinding, zone: Zone) -> Finding {
    let account = one.account_id.and_then(|id| found.account(id)).map(|of| of.label.clone());
    let network = one.platform.map(|platform| platform.sheet().name.to_owned());
    Finding {
        title: one.kind.title(),
        whose: account.or(network).unwrap_or_else(|| "the workspace".to_owned()),
        first: when::instant(one.first_at, zone),
        last: when::instant(one.last_at, zone),
        found: one.message.clone(),
        remedy: one.remedy.message.clone(),
    }
}

/// These targets, by the days on which they are due; without those whose posts were removed
/// meanwhile.
async fn listed(
    visitor: &Visitor,
    found: &Rehearsal,
    kept_back: &[&RehearsedTarget],
    zone: Zone,
) -> Result<Vec<Day>, Declined> {
    let words = words(visitor, kept_back.iter().map(|target| target.post_id).collect()).await?;
    let mut days: BTreeMap<NaiveDate, Vec<Line>> = BTreeMap::new();
    for target in kept_back {
        let Some(words) = words.get(&target.post_id) else { continue };
        let finding = found.finding_of(target);
        let local = zone.local(target.due_at);
        days.entry(local.date()).or_default().push(Line {
            clock: when::clock(local),
            href: visitor.at(&format!("posts/{}", target.post_id)),
            words: words.clone(),
            account: found
                .account(target.account_id)
                .map_or_else(String::new, |of| of.label.clone()),
            becomes: becomes(target.outcome, target.at, zone),
            class: class(target.outcome),
            why: finding.map_or("", |finding| finding.kind.title()),
            remedy: finding.map(|finding| finding.remedy.message.clone()).unwrap_or_default(),
        });
    }
    let days = days.into_iter();
    Ok(days.map(|(day, lines)| Day { title: when::day(day), lines }).collect())
}

/// The first words of posts, of those that are there.
async fn words(
    visitor: &Visitor,
    ids: BTreeSet<PostId>,
) -> Result<HashMap<PostId, String>, Declined> {
    let mut posts = Vec::with_capacity(ids.len());
    for id in ids {
        match visitor.scheduler().post(&visitor.caller, id).await.map_err(Declined::from) {
            Ok(post) => posts.push(post),
            Err(declined) if declined.code() == ErrorCode::NotFound => {}
            Err(declined) => return Err(declined),
        }
    }
    let views = visitor.scheduler().post_views(posts).await?;
    Ok(views.iter().map(|view| (view.id, first_words(view))).collect())
}

fn becomes(outcome: RehearsedOutcome, at: Option<DateTime<Utc>>, zone: Zone) -> String {
    match (outcome, at) {
        (RehearsedOutcome::OnTime, _) => "goes out then".to_owned(),
        (RehearsedOutcome::Delayed, Some(at)) => {
            format!("goes out {}", when::instant(at, zone))
        }
        (RehearsedOutcome::Delayed, None) => "goes out after these days".to_owned(),
        (RehearsedOutcome::Stopped, _) => "does not go out".to_owned(),
    }
}

/// The state of a post that looks as what becomes of it.
const fn class(outcome: RehearsedOutcome) -> &'static str {
    match outcome {
        RehearsedOutcome::OnTime => "scheduled",
        RehearsedOutcome::Delayed => "wait",
        RehearsedOutcome::Stopped => "failed",
    }
}

/// The parameter of a calendar whose cards show what a rehearsal says.
pub(crate) const ASKED: &str = "rehearsal";

/// True where the address of a calendar asks for what a rehearsal says.
pub(crate) fn is_asked(asked: &Form) -> bool {
    asked.only(ASKED) == Some("1")
}

/// What is said where an open page has asked again by itself: it does so for every change, and would
/// keep others from rehearsing.
const CHANGED: &str =
    "The calendar has changed since it was rehearsed. Load this page again to rehearse it.";

/// What a rehearsal says on the cards of a calendar.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// What becomes of the targets that are kept back.
    says: HashMap<TargetId, String>,
    /// What is told of the rehearsal as a whole.
    pub(crate) notice: Option<String>,
}

impl Marks {
    /// What is said of the first of these targets that is kept back.
    pub(crate) fn of(&self, targets: &[TargetId]) -> Option<&str> {
        targets.iter().find_map(|id| self.says.get(id)).map(String::as_str)
    }
}

/// What a rehearsal says of a calendar from one instant to another, where its address asks for it.
pub(crate) async fn marks(
    visitor: &Visitor,
    asked: &Form,
    (from, to): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Marks, Declined> {
    let mut marks = Marks::default();
    let (now, furthest) = (visitor.now(), TimeDelta::days(DAYS_MAX));
    if !is_asked(asked) || to <= now {
        return Ok(marks);
    }
    if visitor.visit().header(&UNATTENDED).is_some() {
        marks.notice = Some(CHANGED.to_owned());
        return Ok(marks);
    }
    if to - now > furthest {
        let notice =
            format!("A rehearsal reaches {DAYS_MAX} days ahead. What is due later has no mark.");
        marks.notice = Some(notice);
        if from - now >= furthest {
            return Ok(marks);
        }
    }
    let days = ((to - now).num_days() + 1).min(DAYS_MAX);
    let zone = visitor.zone()?;
    let found = match rehearsed(visitor, Some(&days.to_string())).await? {
        Ok(found) => found,
        Err(problem) => {
            marks.notice = Some(problem);
            return Ok(marks);
        }
    };
    for target in found.targets.iter().filter(|one| one.outcome != RehearsedOutcome::OnTime) {
        let why = found.finding_of(target).map_or("", |finding| finding.kind.title());
        let says = format!("{}: {why}", becomes(target.outcome, target.at, zone));
        marks.says.insert(target.target_id, says);
    }
    Ok(marks)
}
