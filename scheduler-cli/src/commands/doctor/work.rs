//! Whether what is due is done.

use chrono::{DateTime, TimeDelta, Utc};

use super::finding::{Finding, Id};
use super::subject::Subject;

/// From here on nobody seems to work. Source: our decision; a worker looks once a second, and
/// what is due behind other work of an account waits for it.
const WARNING: TimeDelta = TimeDelta::minutes(2);
/// From here on posts are late. Source: our decision.
const PROBLEM: TimeDelta = TimeDelta::minutes(15);

/// Looks since when the earliest work waits that nobody does.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let stored = subject.stored("it", "there is none yet")?;
    let roles = subject.settings.server.as_ref().map(|server| server.roles);
    Ok(judge(stored.next_due, subject.now(), roles.is_none_or(|roles| roles.worker)))
}

fn judge(next_due: Option<DateTime<Utc>>, now: DateTime<Utc>, is_worker: bool) -> Finding {
    let late = next_due.map(|due| now - due).filter(|late| *late >= WARNING);
    let (Some(late), Some(due)) = (late, next_due) else {
        return Finding::ok("nothing is overdue");
    };
    let found = format!(
        "work waits since {}, for {} min: no worker does it",
        due.format("%Y-%m-%d %H:%M UTC"),
        late.num_minutes()
    );
    let advice = if is_worker {
        "start `scheduler serve`; if it runs, its log says what is wrong"
    } else {
        "these settings name no worker: start one more server with `--role worker` on the same \
         database, or let this one be `--role api,worker`"
    };
    if late >= PROBLEM {
        Finding::problem(Id::WorkOverdue, found, advice)
    } else {
        Finding::warning(Id::WorkOverdue, found, advice)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    #[test]
    fn how_late_work_may_be() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        for (seconds, want) in [
            (None, Verdict::Ok),
            (Some(-60), Verdict::Ok),
            (Some(119), Verdict::Ok),
            (Some(120), Verdict::Warning),
            (Some(899), Verdict::Warning),
            (Some(900), Verdict::Problem),
        ] {
            let due = seconds.map(|seconds| now - TimeDelta::seconds(seconds));
            for is_worker in [true, false] {
                let found = judge(due, now, is_worker);
                assert_eq!(found.verdict, want, "{seconds:?}");
                let advice = found.advice.unwrap_or_default();
                let is_told = want != Verdict::Ok && !is_worker;
                assert_eq!(advice.contains("--role worker"), is_told, "{seconds:?}: {advice}");
            }
        }
    }
}
