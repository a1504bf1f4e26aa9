//! Whether the figures of the networks were checked of late.

use chrono::NaiveDate;
use scheduler_core::platform::{Platform, to_check_again};

use super::finding::{Finding, Id};
use super::subject::Subject;

/// Looks when the figures of each network were last held against their source.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    Ok(judge(&Platform::ALL, subject.now().date_naive()))
}

fn judge(platforms: &[Platform], today: NaiveDate) -> Finding {
    let old: Vec<String> = to_check_again(platforms, today)
        .iter()
        .map(|(platform, checked)| {
            format!("{} ({}) on {}", platform.sheet().name, checked.what, checked.on)
        })
        .collect();
    if old.is_empty() {
        return Finding::ok("those of every network were checked within 90 days");
    }
    let found = format!("last checked more than 90 days ago: {}", old.join(", "));
    Finding::warning(Id::FiguresOld, found, "update the scheduler: a network may have changed")
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    #[test]
    fn old_figures_are_told_with_their_day() {
        let checked = Platform::Bluesky.sheet().checked[0];
        for (days, want) in [(0, Verdict::Ok), (90, Verdict::Ok), (91, Verdict::Warning)] {
            let today = checked.on + chrono::TimeDelta::days(days);
            let found = judge(&[Platform::Bluesky], today);
            assert_eq!(found.verdict, want, "{days}");
            let is_told = found.found.contains(&format!("Bluesky (all) on {}", checked.on));
            assert_eq!(is_told, want == Verdict::Warning, "{days}: {}", found.found);
        }
    }
}
