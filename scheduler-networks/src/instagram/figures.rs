//! The figures of a post.
//!
//! One figure that the network does not have for a post makes it refuse all that were asked for
//! with it; then each is asked for alone.
//!
//! Source:
//! <https://developers.facebook.com/documentation/instagram-platform/reference/instagram-media/insights>.

use chrono::TimeDelta;
use scheduler_core::ports::{Access, Figures, LivePost, Metric, NetworkError};
use serde::Deserialize;

use super::caller::Caller;
use super::errors::{Described, Meaning, failure, is_not_allowed, unreadable};
use super::progress::product;
use super::wire::Page;
use crate::conversation::{Answer, Request, Turn, TurnResult};

/// How long the network has figures of a story.
const STORY_LIFE: TimeDelta = TimeDelta::hours(24);

/// The figures of posts and reels, in the network's names.
const LASTING: [(&str, Metric); 7] = [
    ("views", Metric::Views),
    ("reach", Metric::Reach),
    ("likes", Metric::Likes),
    ("comments", Metric::Comments),
    ("saved", Metric::Saves),
    ("shares", Metric::Shares),
    ("total_interactions", Metric::Interactions),
];

/// Those of stories.
const PASSING: [(&str, Metric); 4] = [
    ("views", Metric::Views),
    ("reach", Metric::Reach),
    ("shares", Metric::Shares),
    ("total_interactions", Metric::Interactions),
];

/// A figure, in either shape in which it is given.
#[derive(Debug, Deserialize)]
struct Insight {
    name: String,
    #[serde(default)]
    values: Vec<Figure>,
    total_value: Option<Figure>,
}

#[derive(Debug, Deserialize)]
struct Figure {
    value: Option<f64>,
}

/// What is counted on the post itself.
#[derive(Debug, Deserialize)]
struct Counts {
    like_count: Option<f64>,
    comments_count: Option<f64>,
}

/// The next turn of reading the figures of a post; none where the network has none of it.
pub(super) fn figures(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Figures>> {
    let is_story = product(&post.remote) == "STORY";
    if is_story && access.now >= post.published_at + STORY_LIFE {
        return Ok(Turn::Done(None));
    }
    let known: &[(&str, Metric)] = if is_story { &PASSING } else { &LASTING };
    let Some((answer, rest)) = answers.split_first() else {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        return insights(caller, post, &names.join(","));
    };
    if answer.is_success() {
        let mut figures = Figures::default();
        add(&mut figures, known, answer)?;
        return Ok(Turn::Done(Some(figures)));
    }
    let described = Described::read(answer);
    match described.meaning() {
        Meaning::Missing => Ok(Turn::Done(None)),
        // Fewer than five have seen it.
        Meaning::Reconnect if is_story && described.code == Some(10) => Ok(Turn::Done(None)),
        _ if is_not_allowed(&described) => counted(caller, access, post, rest.first()),
        _ if described.code == Some(100) => one_by_one(caller, access, post, known, rest),
        _ => Err(failure(answer, false, Some(access.now))),
    }
}

fn insights(caller: &Caller<'_>, post: &LivePost, names: &str) -> TurnResult<Option<Figures>> {
    let segments = [post.remote.id.as_str(), "insights"];
    let url = caller.graph_query(&segments, &[("metric", names)])?;
    Ok(Turn::Send(caller.authorized(Request::read(url))))
}

/// Asks for each figure alone; what is refused is left out.
fn one_by_one(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    known: &[(&str, Metric)],
    answers: &[Answer],
) -> TurnResult<Option<Figures>> {
    let mut figures = Figures::default();
    for (at, (name, _)) in known.iter().enumerate() {
        let Some(answer) = answers.get(at) else { return insights(caller, post, name) };
        if answer.is_success() {
            add(&mut figures, known, answer)?;
        } else if Described::read(answer).code != Some(100) {
            return Err(failure(answer, false, Some(access.now)));
        }
    }
    Ok(Turn::Done(Some(figures).filter(|figures| !figures.0.is_empty())))
}

/// Asks for what anybody can count, where the account may not read figures.
fn counted(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    answer: Option<&Answer>,
) -> TurnResult<Option<Figures>> {
    let Some(answer) = answer else {
        let fields = [("fields", "like_count,comments_count")];
        let url = caller.graph_query(&[&post.remote.id], &fields)?;
        return Ok(Turn::Send(caller.authorized(Request::read(url))));
    };
    let counts: Counts =
        answer.taken(|| failure(answer, false, Some(access.now)), || unreadable(false))?;
    let found = [(Metric::Likes, counts.like_count), (Metric::Comments, counts.comments_count)];
    let found = found.into_iter().filter_map(|(metric, count)| Some((metric, count?)));
    Ok(Turn::Done(Some(Figures(found.collect()))))
}

fn add(
    figures: &mut Figures,
    known: &[(&str, Metric)],
    answer: &Answer,
) -> Result<(), NetworkError> {
    let page: Page<Insight> = answer.json().ok_or_else(|| unreadable(false))?;
    for insight in page.data {
        let metric =
            known.iter().find(|(name, _)| *name == insight.name).map(|(_, metric)| *metric);
        let first = insight.values.first().and_then(|figure| figure.value);
        let value = first.or_else(|| insight.total_value.and_then(|figure| figure.value));
        figures.0.extend(metric.zip(value));
    }
    Ok(())
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
