//! How long versions of Meta's Graph API live.

use chrono::{Months, NaiveDate};

use crate::conversation::ApiVersion;

/// Versions in their order, with the day on which each came out.
///
/// Source: <https://developers.facebook.com/docs/graph-api/changelog/versions/>.
const RELEASES: &[(&str, (i32, u32, u32))] = &[
    ("v21.0", (2024, 10, 2)),
    ("v22.0", (2025, 1, 21)),
    ("v23.0", (2025, 5, 29)),
    ("v24.0", (2025, 10, 8)),
    ("v25.0", (2026, 2, 18)),
    ("v26.0", (2026, 7, 29)),
];

/// How long a version is good after the next one has come out.
///
/// Source: <https://developers.facebook.com/docs/apps/versions>, "Version Schedules" (two years).
const AFTER_NEXT: Months = Months::new(24);

/// A version of the Graph API with its end. The newest known has none yet; one that is older than
/// every known has ended when the oldest known came out.
pub(crate) fn graph_version(name: &str) -> ApiVersion {
    let known = RELEASES.iter().position(|(known, _)| *known == name);
    let day = |(year, month, day): (i32, u32, u32)| NaiveDate::from_ymd_opt(year, month, day);
    let retires_on = match known {
        Some(at) => {
            RELEASES.get(at + 1).and_then(|(_, next)| day(*next)?.checked_add_months(AFTER_NEXT))
        }
        None => RELEASES
            .first()
            .filter(|(first, _)| number(name) < number(first))
            .and_then(|(_, came_out)| day(*came_out)),
    };
    ApiVersion { name: name.to_owned(), retires_on }
}

/// The number of a version; one that cannot be read counts as the newest.
fn number(name: &str) -> u32 {
    let major = name.trim_start_matches('v').split('.').next().unwrap_or_default();
    major.parse().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_ends_two_years_after_the_next() {
        for (name, want) in [
            ("v21.0", Some("2027-01-21")),
            ("v25.0", Some("2028-07-29")),
            ("v26.0", None),
            ("v27.0", None),
            ("v9.0", Some("2024-10-02")),
            ("latest", None),
        ] {
            let found = graph_version(name).retires_on.map(|day| day.to_string());
            assert_eq!(found.as_deref(), want, "{name}");
        }
    }

    #[test]
    fn releases_are_days_in_their_order() {
        let days: Vec<NaiveDate> = RELEASES
            .iter()
            .map(|(_, (year, month, day))| NaiveDate::from_ymd_opt(*year, *month, *day).unwrap())
            .collect();
        assert!(days.is_sorted());
    }
}
