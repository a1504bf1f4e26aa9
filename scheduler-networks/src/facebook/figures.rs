//! The figures of a post.
//!
//! One figure that the network does not have for a post makes it refuse all that were asked for
//! with it; then each is asked for alone. What anybody can count stands on the post itself.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/insights/>.

use scheduler_core::ports::{Access, Figures, LivePost, Metric, NetworkError};
use serde::Deserialize;
use serde_json::Value;

use super::caller::Caller;
use super::errors::{Described, Meaning, act_failure, is_not_allowed, meaning, unreadable};
use super::hosts::Host;
use super::live::video_of;
use super::wire::Page;
use crate::conversation::{Answer, Request, Turn, TurnResult};

/// The figures of every post, in the network's names.
const OF_POSTS: [(&str, Metric); 4] = [
    ("post_media_view", Metric::Views),
    ("post_total_media_view_unique", Metric::Reach),
    ("post_clicks", Metric::Clicks),
    ("post_reactions_by_type_total", Metric::Likes),
];

/// The one of posts with a video.
const OF_VIDEOS: (&str, Metric) = ("post_video_views", Metric::VideoViews);

/// What is counted on the post itself, and what is left of it where comments may not be read.
const COUNTS: &str = "shares,comments.limit(0).summary(true),reactions.limit(0).summary(true)";
const FEWER_COUNTS: &str = "shares,reactions.limit(0).summary(true)";

#[derive(Debug, Deserialize)]
struct Insight {
    name: String,
    #[serde(default)]
    values: Vec<Figure>,
}

#[derive(Debug, Deserialize)]
struct Figure {
    #[serde(default)]
    value: Value,
}

impl Figure {
    /// A number, or the sum of several.
    fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => number.as_f64(),
            Value::Object(parts) => Some(parts.values().filter_map(Value::as_f64).sum()),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) => None,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Counts {
    shares: Option<Shares>,
    comments: Option<Listed>,
    reactions: Option<Listed>,
}

#[derive(Debug, Deserialize)]
struct Shares {
    count: f64,
}

#[derive(Debug, Deserialize)]
struct Listed {
    summary: Option<Summary>,
}

#[derive(Debug, Deserialize)]
struct Summary {
    total_count: Option<f64>,
}

/// The next turn of reading the figures of a post; none where it is gone.
pub(super) fn figures(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Figures>> {
    let mut known = OF_POSTS.to_vec();
    known.extend(video_of(&post.remote).map(|_| OF_VIDEOS));
    let mut answers = answers.iter();
    let mut figures = Figures::default();

    let Some(answer) = answers.next() else {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        return insights(caller, post, &names.join(","));
    };
    if answer.is_success() {
        add(&mut figures, &known, answer)?;
    } else {
        let described = Described::read(answer);
        match meaning(&described) {
            Meaning::Missing => return Ok(Turn::Done(None)),
            Meaning::Reconnect if is_not_allowed(&described) => {}
            Meaning::Refused => {
                for (name, _) in &known {
                    let Some(answer) = answers.next() else {
                        return insights(caller, post, name);
                    };
                    if answer.is_success() {
                        add(&mut figures, &known, answer)?;
                    } else if Described::read(answer).code != Some(100) {
                        return Err(act_failure(answer, false, Some(access.now)));
                    }
                }
            }
            _ => return Err(act_failure(answer, false, Some(access.now))),
        }
    }

    let Some(answer) = answers.next() else { return counts(caller, post, COUNTS) };
    let answer = if !answer.is_success() && is_not_allowed(&Described::read(answer)) {
        let Some(answer) = answers.next() else { return counts(caller, post, FEWER_COUNTS) };
        answer
    } else {
        answer
    };
    if !answer.is_success() {
        let described = Described::read(answer);
        if meaning(&described) == Meaning::Missing {
            return Ok(Turn::Done(None));
        }
        return Err(act_failure(answer, false, Some(access.now)));
    }
    let counts: Counts = answer.json().ok_or_else(|| unreadable(false))?;
    let total = |listed: Option<Listed>| listed?.summary?.total_count;
    figures.0.extend(total(counts.comments).map(|count| (Metric::Comments, count)));
    figures.0.insert(Metric::Shares, counts.shares.map_or(0.0, |shares| shares.count));
    if let Some(count) = total(counts.reactions) {
        figures.0.entry(Metric::Likes).or_insert(count);
    }
    Ok(Turn::Done(Some(figures)))
}

fn insights(caller: &Caller<'_>, post: &LivePost, names: &str) -> TurnResult<Option<Figures>> {
    let segments = [post.remote.id.as_str(), "insights"];
    let pairs = [("metric", names), ("period", "lifetime")];
    let url = caller.hosts.call(Host::Graph, &segments, &pairs)?;
    Ok(Turn::Send(caller.authorized(Request::read(url))))
}

fn counts(caller: &Caller<'_>, post: &LivePost, fields: &str) -> TurnResult<Option<Figures>> {
    let url = caller.hosts.call(Host::Graph, &[&post.remote.id], &[("fields", fields)])?;
    Ok(Turn::Send(caller.authorized(Request::read(url))))
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
        let value = insight.values.first().and_then(Figure::number);
        figures.0.extend(metric.zip(value));
    }
    Ok(())
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
