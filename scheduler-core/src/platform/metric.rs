//! The one vocabulary of figures that networks report of a post.

use std::fmt;

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
