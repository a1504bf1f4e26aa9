//! What can be measured.

use std::collections::BTreeMap;
use std::fmt;

use chrono::NaiveDate;

use crate::error::Refusal;
use crate::platform::{Metric, MetricChange, Platform};

/// What is measured over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// A figure of posts.
    Metric(Metric),
    /// Followers that accounts have won.
    Followers,
}

impl Measure {
    /// The name in addresses, such as `outboundClicks` or `followers`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.as_str(),
            Self::Followers => "followers",
        }
    }

    /// The name for people, such as `Views`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.name(),
            Self::Followers => "New followers",
        }
    }

    /// What is counted, in a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.meaning(),
            Self::Followers => {
                "Followers that an account has more than before, less those it lost."
            }
        }
    }

    /// Whether a network reports it.
    #[must_use]
    pub fn is_reported_by(self, platform: Platform) -> bool {
        match self {
            Self::Metric(metric) => platform.sheet().metric_fields.contains(&metric),
            Self::Followers => platform.sheet().reports_followers,
        }
    }

    /// Finds a measure by its name among those that are offered.
    ///
    /// # Errors
    /// `invalid_request` naming `measure`.
    pub fn parse(text: &str, offered: &[Self]) -> Result<Self, Refusal> {
        let found = offered.iter().find(|measure| measure.as_str() == text);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = offered.iter().map(|measure| measure.as_str()).collect();
            let message = match names.as_slice() {
                [] => format!("{text:?} cannot be measured: no account reports figures."),
                names => format!("{text:?} cannot be measured; choose {}.", names.join(", ")),
            };
            Refusal::invalid("measure", message)
        })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What can be measured of accounts on these networks, one for each account: what can be added up,
/// in the order of [`Metric::ALL`], then followers.
#[must_use]
pub fn measures(platforms: &[Platform]) -> Vec<Measure> {
    let metrics = Metric::ALL.into_iter().filter(|metric| metric.adds_up()).map(Measure::Metric);
    let all = metrics.chain([Measure::Followers]);
    all.filter(|measure| platforms.iter().any(|platform| measure.is_reported_by(*platform)))
        .collect()
}

/// What is measured when nothing is named: the figure of posts that most accounts report, and of
/// several the first.
#[must_use]
pub fn default_measure(platforms: &[Platform]) -> Option<Measure> {
    let count =
        |measure: Measure| platforms.iter().filter(|one| measure.is_reported_by(**one)).count();
    let is_metric = |measure: &Measure| matches!(measure, Measure::Metric(_));
    let offered = measures(platforms);
    let metrics: Vec<Measure> = offered.iter().copied().filter(is_metric).collect();
    let most = metrics.iter().map(|measure| count(*measure)).max();
    let first = metrics.into_iter().find(|measure| Some(count(*measure)) == most);
    first.or_else(|| offered.first().copied())
}

/// The days within a range, its first one not among them, from which networks count a measure in
/// another way, the earliest first.
#[must_use]
pub fn changes_between(
    platforms: &[Platform],
    measure: Measure,
    from: NaiveDate,
    to: NaiveDate,
) -> Vec<(Platform, MetricChange)> {
    let mut found = BTreeMap::new();
    for platform in platforms {
        for change in platform.sheet().metric_changes {
            let is_within = from < change.on && change.on <= to;
            if is_within && measure == Measure::Metric(change.metric) {
                found.insert((change.on, *platform), *change);
            }
        }
    }
    found.into_iter().map(|((_, platform), change)| (platform, change)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(measures: &[Measure]) -> Vec<&'static str> {
        measures.iter().map(|measure| measure.as_str()).collect()
    }

    #[test]
    fn what_is_offered_is_what_networks_report() {
        use Platform::{Bluesky, Discord, Instagram, Mastodon, Youtube};
        for (platforms, offered, default) in [
            (vec![], vec![], None),
            (vec![Discord], vec![], None),
            (vec![Youtube], vec!["views", "likes", "comments", "followers"], Some("views")),
            (
                vec![Mastodon, Bluesky],
                vec!["likes", "comments", "shares", "quotes", "saves", "followers"],
                Some("likes"),
            ),
            (
                vec![Youtube, Instagram, Mastodon],
                vec![
                    "views",
                    "reach",
                    "likes",
                    "comments",
                    "shares",
                    "quotes",
                    "saves",
                    "interactions",
                    "followers",
                ],
                Some("likes"),
            ),
            (
                vec![Youtube, Youtube, Instagram],
                vec![
                    "views",
                    "reach",
                    "likes",
                    "comments",
                    "shares",
                    "saves",
                    "interactions",
                    "followers",
                ],
                Some("views"),
            ),
        ] {
            assert_eq!(names(&measures(&platforms)), offered, "{platforms:?}");
            let found = default_measure(&platforms).map(Measure::as_str);
            assert_eq!(found, default, "{platforms:?}");
        }
    }

    #[test]
    fn measures_are_found_by_their_names() {
        let offered = measures(&[Platform::Youtube]);
        let likes = Measure::parse("likes", &offered).unwrap();
        assert_eq!(likes, Measure::Metric(Metric::Likes));
        let refusal = Measure::parse("saves", &offered).unwrap_err();
        assert_eq!(refusal.field.as_deref(), Some("measure"));
        let message = "\"saves\" cannot be measured; choose views, likes, comments, followers.";
        assert_eq!(refusal.message(), message);
        for measure in measures(&Platform::ALL) {
            assert!(measure.meaning().ends_with('.'), "{measure}");
        }
    }

    #[test]
    fn the_change_of_youtube_lies_within_what_holds_its_day() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let views = Measure::Metric(Metric::Views);
        for (from, to, want) in [
            ("2026-08-26", "2026-08-27", 1),
            ("2026-08-01", "2026-09-01", 1),
            ("2026-08-01", "2026-08-26", 0),
            // Everything is counted in the new way.
            ("2026-08-27", "2026-09-01", 0),
        ] {
            let platforms = [Platform::Youtube, Platform::Instagram, Platform::Youtube];
            let found = changes_between(&platforms, views, day(from), day(to));
            assert_eq!(found.len(), want, "{from} {to}");
            let likes = Measure::Metric(Metric::Likes);
            assert_eq!(changes_between(&platforms, likes, day(from), day(to)), []);
        }
        let found = changes_between(&Platform::ALL, views, day("2026-01-01"), day("2026-12-31"));
        let (platform, change) = found[0];
        assert_eq!(platform, Platform::Youtube);
        assert_eq!(change.since, "YouTube counts a view at the start");
    }
}
