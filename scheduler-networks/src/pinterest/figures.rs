//! The figures of Pins.
//!
//! Analytics reach 90 days back. Of an older Pin the network tells what it has counted since the
//! beginning, all but saves and the views of a video.
//!
//! Source: <https://github.com/pinterest/api-description>, `GET /pins/{pin_id}/analytics` and
//! `GET /pins/{pin_id}`, `pin_metrics`.

use chrono::{NaiveDate, TimeDelta};
use scheduler_core::ports::{Access, Figures, LivePost, Metric, NetworkError};
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, is_denied, is_gone, unreadable};
use super::wire::Record;
use crate::conversation::{Answer, Request, Session, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How far back analytics reach.
const REACH: TimeDelta = TimeDelta::days(90);

/// What is asked for, and of videos besides.
const METRIC_TYPES: &str =
    "IMPRESSION,PIN_CLICK,OUTBOUND_CLICK,SAVE,TOTAL_COMMENTS,TOTAL_REACTIONS";
const VIDEO_METRIC_TYPE: &str = "VIDEO_MRC_VIEW";

/// Where analytics hold each figure.
const ANALYTICS: [(Metric, &str); 7] = [
    (Metric::Impressions, "/all/summary_metrics/IMPRESSION"),
    (Metric::Saves, "/all/summary_metrics/SAVE"),
    (Metric::Clicks, "/all/summary_metrics/PIN_CLICK"),
    (Metric::OutboundClicks, "/all/summary_metrics/OUTBOUND_CLICK"),
    (Metric::Likes, "/all/lifetime_metrics/TOTAL_REACTIONS"),
    (Metric::Comments, "/all/lifetime_metrics/TOTAL_COMMENTS"),
    (Metric::VideoViews, "/all/summary_metrics/VIDEO_MRC_VIEW"),
];

/// Where a Pin itself holds what was counted since the beginning.
const LIFETIME: [(Metric, &str); 5] = [
    (Metric::Impressions, "/pin_metrics/lifetime_metrics/impression"),
    (Metric::Clicks, "/pin_metrics/lifetime_metrics/pin_click"),
    (Metric::OutboundClicks, "/pin_metrics/lifetime_metrics/clickthrough"),
    (Metric::Likes, "/pin_metrics/lifetime_metrics/reaction"),
    (Metric::Comments, "/pin_metrics/lifetime_metrics/comment"),
];

/// The next turn of reading the figures of Pins, one after the other.
pub(super) fn figures(
    api: &Api,
    session: &Session<'_, Tokens>,
    posts: &[LivePost],
    answers: &[Answer],
) -> TurnResult<Vec<Option<Figures>>> {
    let mut found = Vec::new();
    for (post, answer) in posts.iter().zip(answers) {
        found.push(read(session, post, answer)?);
    }
    Ok(match posts.get(found.len()) {
        Some(post) => Turn::Send(request(api, session, post)),
        None => Turn::Done(found),
    })
}

fn is_old(access: &Access, post: &LivePost) -> bool {
    access.now - post.published_at > REACH
}

fn is_video(post: &LivePost) -> bool {
    Record::read(&post.remote.record).is_video
}

fn request(api: &Api, session: &Session<'_, Tokens>, post: &LivePost) -> Request {
    let id = post.remote.id.as_str();
    if is_old(session, post) {
        return api.read(&session.credentials, &["pins", id], &[("pin_metrics", "true")]);
    }
    let (start, end) = days(session, post);
    let types = match is_video(post) {
        true => format!("{METRIC_TYPES},{VIDEO_METRIC_TYPE}"),
        false => METRIC_TYPES.to_owned(),
    };
    let pairs = [
        ("start_date", start.to_string()),
        ("end_date", end.to_string()),
        ("metric_types", types),
        ("app_types", "ALL".to_owned()),
    ];
    let pairs = pairs.each_ref().map(|(name, value)| (*name, value.as_str()));
    api.read(&session.credentials, &["pins", id, "analytics"], &pairs)
}

/// The first and the last day to ask for: today is the 90th.
fn days(access: &Access, post: &LivePost) -> (NaiveDate, NaiveDate) {
    let today = access.now.date_naive();
    let earliest = today - (REACH - TimeDelta::days(1));
    (post.published_at.date_naive().max(earliest).min(today), today)
}

/// The figures of an answer; `None` where there are none yet, or the account may not ask.
fn read(
    access: &Access,
    post: &LivePost,
    answer: &Answer,
) -> Result<Option<Figures>, NetworkError> {
    if is_gone(answer) || is_denied(answer) {
        return Ok(None);
    }
    let body: Value = answer.taken(|| failure(answer, false, Some(access.now)), unreadable)?;
    let places = if is_old(access, post) { &LIFETIME[..] } else { &ANALYTICS[..] };
    let of_kind = |metric: Metric| metric != Metric::VideoViews || is_video(post);
    let figures = places.iter().filter(|(metric, _)| of_kind(*metric));
    let figures = figures
        .filter_map(|(metric, place)| Some((*metric, body.pointer(place)?.as_f64()?)))
        .collect();
    Ok(Some(Figures(figures)).filter(|figures| !figures.0.is_empty()))
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
