//! The one vocabulary of figures that networks report of a post.

use std::fmt;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// A figure of a published post.
///
/// Each network's own field names are mapped to these by its adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Metric {
    /// Times the post was put on a screen.
    Impressions,
    /// Times the post was looked at.
    Views,
    /// People who saw it.
    Reach,
    /// Likes, favourites, hearts.
    Likes,
    /// Comments and replies.
    Comments,
    /// Shares, boosts.
    Shares,
    /// Reposts, where the network tells them from shares.
    Reposts,
    /// Posts that quote it.
    Quotes,
    /// Bookmarks and saves.
    Saves,
    /// Clicks on any part of it.
    Clicks,
    /// Clicks that led away from the network.
    OutboundClicks,
    /// Views of its video.
    VideoViews,
    /// Notes, the sum that Tumblr shows.
    Notes,
    /// Interactions of every kind together.
    Interactions,
    /// Minutes watched, all viewers together.
    WatchTimeMinutes,
    /// Seconds that a view lasts on average.
    AverageViewDurationSeconds,
    /// Subscribers won through it.
    SubscribersGained,
    /// Reactions of every kind together.
    Reactions,
}

impl Metric {
    /// Every figure. Tables in tests run over it.
    pub const ALL: [Self; 18] = [
        Self::Impressions,
        Self::Views,
        Self::Reach,
        Self::Likes,
        Self::Comments,
        Self::Shares,
        Self::Reposts,
        Self::Quotes,
        Self::Saves,
        Self::Clicks,
        Self::OutboundClicks,
        Self::VideoViews,
        Self::Notes,
        Self::Interactions,
        Self::WatchTimeMinutes,
        Self::AverageViewDurationSeconds,
        Self::SubscribersGained,
        Self::Reactions,
    ];

    /// The wire name, such as `outboundClicks`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Impressions => "impressions",
            Self::Views => "views",
            Self::Reach => "reach",
            Self::Likes => "likes",
            Self::Comments => "comments",
            Self::Shares => "shares",
            Self::Reposts => "reposts",
            Self::Quotes => "quotes",
            Self::Saves => "saves",
            Self::Clicks => "clicks",
            Self::OutboundClicks => "outboundClicks",
            Self::VideoViews => "videoViews",
            Self::Notes => "notes",
            Self::Interactions => "interactions",
            Self::WatchTimeMinutes => "watchTimeMinutes",
            Self::AverageViewDurationSeconds => "averageViewDurationSeconds",
            Self::SubscribersGained => "subscribersGained",
            Self::Reactions => "reactions",
        }
    }

    /// The name for people, such as `Outbound clicks`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Impressions => "Impressions",
            Self::Views => "Views",
            Self::Reach => "Reach",
            Self::Likes => "Likes",
            Self::Comments => "Comments",
            Self::Shares => "Shares",
            Self::Reposts => "Reposts",
            Self::Quotes => "Quotes",
            Self::Saves => "Saves",
            Self::Clicks => "Clicks",
            Self::OutboundClicks => "Outbound clicks",
            Self::VideoViews => "Video views",
            Self::Notes => "Notes",
            Self::Interactions => "Interactions",
            Self::WatchTimeMinutes => "Minutes watched",
            Self::AverageViewDurationSeconds => "Average view duration (s)",
            Self::SubscribersGained => "Subscribers gained",
            Self::Reactions => "Reactions",
        }
    }

    /// What is counted, in a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Impressions => "Times that posts were put on a screen.",
            Self::Views => "Times that posts were looked at.",
            Self::Reach => "People who saw a post, counted anew for each post.",
            Self::Likes => "Likes, favourites and hearts.",
            Self::Comments => "Comments and replies.",
            Self::Shares => "Shares and boosts.",
            Self::Reposts => "Reposts, where the network tells them from shares.",
            Self::Quotes => "Posts that quote a post.",
            Self::Saves => "Bookmarks and saves.",
            Self::Clicks => "Clicks on any part of a post.",
            Self::OutboundClicks => "Clicks that led away from the network.",
            Self::VideoViews => "Views of the videos in posts.",
            Self::Notes => "The sum of interactions that Tumblr shows.",
            Self::Interactions => "Interactions of every kind together.",
            Self::WatchTimeMinutes => "Minutes watched, all viewers together.",
            Self::AverageViewDurationSeconds => "Seconds that a view lasts on average.",
            Self::SubscribersGained => "Subscribers gained through posts.",
            Self::Reactions => "Reactions of every kind together.",
        }
    }

    /// Whether what several posts have of it can be added up.
    #[must_use]
    pub const fn adds_up(self) -> bool {
        !matches!(self, Self::AverageViewDurationSeconds)
    }
}

/// The first day on which a network counts a figure in another way than before, so that what was
/// counted before and after it cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricChange {
    /// The figure.
    pub metric: Metric,
    /// The day.
    pub on: NaiveDate,
    /// How it is counted since, for people, such as `YouTube counts a view at the start`.
    pub since: &'static str,
}

impl MetricChange {
    /// A change on a day of the calendar.
    ///
    /// # Panics
    /// There is no such day; in a constant that is an error of the compiler.
    #[must_use]
    pub const fn on(metric: Metric, day: (i32, u32, u32), since: &'static str) -> Self {
        match NaiveDate::from_ymd_opt(day.0, day.1, day.2) {
            Some(on) => Self { metric, on, since },
            None => panic!("the calendar has no such day"),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_name_is_what_serde_writes() {
        for metric in Metric::ALL {
            assert_eq!(serde_json::to_value(metric).unwrap(), metric.as_str());
        }
    }
}
