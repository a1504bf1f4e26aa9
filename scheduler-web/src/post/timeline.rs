//! The attempts at a post, in the order in which they were made: as a picture and as a table.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;

use crate::card::State;
use crate::mark::{self, Mark};
use crate::when;

/// Pixels of the picture: the names of the lanes, a minute at which something happened, a lane, and
/// from one dot to another of the same minute.
const NAMES: usize = 120;
const MINUTE: usize = 92;
const LANE: usize = 30;
const BESIDE: usize = 18;

/// The picture and the table. Every minute at which something happened has a column; what lies
/// between two of them is not drawn to scale, and told in words.
pub(super) struct Timeline {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) sentence: String,
    pub(super) columns: Vec<Column>,
    pub(super) lanes: Vec<Lane>,
    pub(super) rows: Vec<Row>,
}

/// A minute.
pub(super) struct Column {
    pub(super) x: usize,
    /// The middle between it and the column before it.
    pub(super) between: usize,
    pub(super) clock: String,
    /// How long after the column before it.
    pub(super) after: Option<String>,
    pub(super) is_now: bool,
}

/// A target.
pub(super) struct Lane {
    pub(super) y: usize,
    pub(super) mark: Mark,
    pub(super) dots: Vec<Dot>,
}

/// Something that has happened, or is to happen.
pub(super) struct Dot {
    pub(super) x: usize,
    /// Where the column of its minute is.
    minute: usize,
    pub(super) state: State,
}

/// The same as a line of the table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) at: String,
    pub(super) network: &'static str,
    pub(super) account: String,
    pub(super) what: String,
    pub(super) state: State,
}

/// Something of one target.
struct Moment<'a> {
    at: DateTime<Utc>,
    target: &'a TargetView,
    state: State,
    what: String,
}

impl Timeline {
    /// That of a post; `None` before its first attempt.
    pub(super) fn of(
        post: &PostView,
        accounts: &HashMap<AccountId, AccountView>,
        zone: Zone,
        now: DateTime<Utc>,
    ) -> Option<Self> {
        if post.targets.iter().all(|target| target.attempts == 0) {
            return None;
        }
        let mut moments: Vec<Moment<'_>> = post.targets.iter().flat_map(moments).collect();
        moments.sort_by_key(|moment| moment.at);
        let minutes: BTreeSet<_> = moments.iter().map(|one| minute(one.at)).collect();
        let minutes: BTreeSet<_> = minutes.into_iter().chain([minute(now)]).collect();
        let minutes: Vec<_> = minutes.into_iter().collect();
        let x = |at| {
            let place = minutes.partition_point(|one| *one < minute(at));
            NAMES + MINUTE / 2 + place * MINUTE
        };
        let column = |(place, at): (usize, &DateTime<Utc>)| Column {
            x: x(*at),
            between: x(*at) - MINUTE / 2,
            clock: when::clock(zone.local(*at)),
            after: place.checked_sub(1).map(|before| when::length(*at - minutes[before])),
            is_now: *at == minute(now),
        };
        let lane = |(place, target): (usize, &TargetView)| Lane {
            y: 2 * LANE + place * LANE,
            mark: target.platform.into(),
            dots: dots(&moments, target, x),
        };
        let account = |target: &TargetView| accounts.get(&target.account_id).map(mark::name);
        let row = |moment: &Moment<'_>| Row {
            at: when::instant(moment.at, zone),
            network: moment.target.platform.sheet().name,
            account: account(moment.target).unwrap_or_default(),
            what: moment.what.clone(),
            state: moment.state,
        };
        let next = moments.iter().find(|moment| moment.state == State::Scheduled);
        let next = next.map(|moment| when::instant(moment.at, zone));
        let is = |state| moments.iter().filter(|moment| moment.state == state).count();
        Some(Self {
            width: NAMES + minutes.len() * MINUTE,
            height: LANE * (post.targets.len() + 2),
            sentence: format!(
                "{} live, {} failed, {} to come{}.",
                is(State::Published),
                is(State::Failed),
                is(State::Scheduled),
                next.map_or_else(String::new, |at| format!(", the next at {at}")),
            ),
            columns: minutes.iter().enumerate().map(column).collect(),
            lanes: post.targets.iter().enumerate().map(lane).collect(),
            rows: moments.iter().map(row).collect(),
        })
    }
}

/// What has happened to a target, and what is to happen.
fn moments(target: &TargetView) -> Vec<Moment<'_>> {
    let moment = |at, state, what| Moment { at, target, state, what };
    let failed = target.failed_attempts.iter().map(|failed| {
        let what = format!("{} ({})", failed.error, failed.error_code.as_str());
        moment(failed.at, State::Failed, what)
    });
    let live = target.published_at.map(|at| moment(at, State::Published, "Live.".to_owned()));
    let is_next = target.status == TargetStatus::Pending;
    let next = target.next_attempt_at.filter(|_| is_next);
    let next = next.map(|at| moment(at, State::Scheduled, "The next attempt.".to_owned()));
    failed.chain(live).chain(next).collect()
}

/// What has happened to a target, as dots; those of one minute stand side by side.
fn dots(
    moments: &[Moment<'_>],
    target: &TargetView,
    x: impl Fn(DateTime<Utc>) -> usize,
) -> Vec<Dot> {
    let of_target = moments.iter().filter(|moment| moment.target.id == target.id);
    let mut dots: Vec<Dot> = Vec::new();
    for moment in of_target {
        let x = x(moment.at);
        let beside = dots.iter().filter(|dot| dot.minute == x).count();
        dots.push(Dot { x: x + beside * BESIDE, minute: x, state: moment.state });
    }
    dots
}

fn minute(at: DateTime<Utc>) -> DateTime<Utc> {
    // Only instants of distant centuries have no minute of their own.
    at.duration_trunc(TimeDelta::minutes(1)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn post() -> PostView {
        let id = |last: u8| format!("00000000-0000-0000-0000-0000000000{last:02}");
        let target = |last: u8, network: &str, more: serde_json::Value| {
            let mut target = json!({
                "id": id(last), "platform": network, "accountId": id(last), "status": "pending",
                "remoteId": null, "remoteUrl": null, "publishedAt": null, "error": null,
                "errorCode": null, "errorPermanent": false, "attempts": 0, "nextAttemptAt": null,
                "canEditRemote": false, "canDeleteRemote": false, "options": {}, "metrics": null,
            });
            let target = target.as_object_mut().unwrap();
            target.extend(more.as_object().unwrap().clone());
            json!(target)
        };
        let failed = |at: &str, next: &str| json!({"at": at, "errorCode": "network_error", "error": "No answer.", "nextAttemptAt": next});
        serde_json::from_value(json!({
            "id": id(0), "status": "publishing", "content": "Bread", "linkUrl": null,
            "mediaIds": [], "altTexts": [], "scheduledAt": "2026-10-16T07:00:00Z",
            "approvalState": null, "createdAt": "2026-10-01T07:00:00Z",
            "updatedAt": "2026-10-01T07:00:00Z",
            "targets": [
                target(1, "bluesky", json!({
                    "status": "published", "attempts": 1, "publishedAt": "2026-10-16T07:00:02Z",
                })),
                target(2, "mastodon", json!({
                    "attempts": 2, "nextAttemptAt": "2026-10-16T07:06:00Z",
                    "failedAttempts": [
                        failed("2026-10-16T07:00:03Z", "2026-10-16T07:01:00Z"),
                        failed("2026-10-16T07:01:01Z", "2026-10-16T07:06:00Z"),
                    ],
                })),
            ],
        }))
        .unwrap()
    }

    fn drawn(now: &str) -> Option<Timeline> {
        let zone = "Europe/Stockholm".parse().unwrap();
        Timeline::of(&post(), &HashMap::new(), zone, now.parse().unwrap())
    }

    #[test]
    fn picture_and_table_hold_the_same() {
        let timeline = drawn("2026-10-16T07:02:30Z").unwrap();
        let clocks: Vec<(&str, Option<&str>, bool)> = timeline
            .columns
            .iter()
            .map(|column| (column.clock.as_str(), column.after.as_deref(), column.is_now))
            .collect();
        assert_eq!(
            clocks,
            [
                ("09:00", None, false),
                ("09:01", Some("1 min"), false),
                ("09:02", Some("1 min"), true),
                ("09:06", Some("4 min"), false),
            ]
        );
        let rows: Vec<(&str, &str, State)> = timeline
            .rows
            .iter()
            .map(|row| (&row.at[row.at.len() - 5..], row.network, row.state))
            .collect();
        assert_eq!(
            rows,
            [
                ("09:00", "Bluesky", State::Published),
                ("09:00", "Mastodon", State::Failed),
                ("09:01", "Mastodon", State::Failed),
                ("09:06", "Mastodon", State::Scheduled),
            ]
        );
        let column =
            |x: usize| timeline.columns.iter().find(|column| column.x == x).unwrap().clock.as_str();
        let mut dots: Vec<(&str, &str, State)> = timeline
            .lanes
            .iter()
            .flat_map(|lane| {
                lane.dots.iter().map(|dot| (column(dot.minute), lane.mark.name, dot.state))
            })
            .collect();
        dots.sort_unstable();
        let mut rows = rows;
        rows.sort_unstable();
        assert_eq!(dots, rows);
        let sentence = "1 live, 2 failed, 1 to come, the next at Fri 16 Oct 2026, 09:06.";
        assert_eq!(timeline.sentence, sentence);
    }

    #[test]
    fn nothing_is_drawn_before_the_first_attempt() {
        let mut post = post();
        for target in &mut post.targets {
            target.attempts = 0;
        }
        let now = "2026-10-16T07:02:30Z".parse().unwrap();
        assert!(Timeline::of(&post, &HashMap::new(), Zone::UTC, now).is_none());
    }
}
