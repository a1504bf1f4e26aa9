//! Whether the clock is right, as far as another one tells.

use chrono::{DateTime, TimeDelta};
use futures_util::future::join_all;
use reqwest::header::DATE;
use scheduler_core::platform::is_loopback;
use scheduler_store::FilesUrl;
use url::Url;

use super::finding::{Finding, Id, Verdict};
use super::networks::addresses;
use super::subject::Subject;

/// From here on posts go out noticeably early or late. Source: our decision.
const WARNING: TimeDelta = TimeDelta::seconds(5);
/// From here on nodes take each other's work, and tokens and links are refused. Source: our
/// decision.
const PROBLEM: TimeDelta = TimeDelta::seconds(60);

/// Compares it with that of the database server, else with that of another machine that the
/// settings or the accounts name.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    if let Ok(Some((inspection, at))) = &subject.database
        && let Some(theirs) = inspection.now
    {
        return Ok(judge(*at - theirs, "that of the database"));
    }
    let settings = &subject.settings;
    let endpoint = settings.storage.as_ref().and_then(|storage| match &storage.files {
        FilesUrl::Bucket(bucket) => bucket.endpoint.clone(),
        FilesUrl::Folder(_) => None,
    });
    let public_url = settings.server.as_ref().and_then(|server| server.public_url.clone());
    let networks = addresses(subject).into_iter().map(|address| address.url);
    let urls: Vec<Url> = endpoint.into_iter().chain(public_url).chain(networks).collect();
    let asked =
        join_all(urls.iter().map(|url| async move { (url, clock_ahead(subject, url).await) }));
    // A server on this machine has the same clock, unless it only leads to another machine: it
    // proves nothing when it agrees.
    let compared = |(url, ahead): (&Url, Option<TimeDelta>)| {
        let found = judge(ahead?, &format!("that of {}", url.host_str()?));
        (!is_loopback(url) || found.verdict != Verdict::Ok).then_some(found)
    };
    asked.await.into_iter().find_map(compared).ok_or_else(|| {
        Finding::skipped(format!(
            "it says {}; no other machine is in the settings to compare it with",
            subject.now().format("%Y-%m-%d %H:%M:%S UTC")
        ))
    })
}

/// How far our clock is ahead of a server's, which tells the time to the second.
async fn clock_ahead(subject: &Subject, url: &Url) -> Option<TimeDelta> {
    let answer = subject.client.head(url.clone()).send().await.ok()?;
    let ours = subject.now();
    let said = answer.headers().get(DATE)?.to_str().ok()?;
    let theirs = DateTime::parse_from_rfc2822(said).ok()?;
    Some(ours - theirs.to_utc())
}

fn judge(ahead: TimeDelta, of: &str) -> Finding {
    let seconds = ahead.num_seconds();
    let found = match seconds {
        0 => format!("it agrees with {of}"),
        1.. => format!("it is {seconds} s ahead of {of}"),
        _ => format!("it is {} s behind {of}", -seconds),
    };
    let advice = "have the clock of this machine set by NTP (`timedatectl set-ntp true`), and the \
                  other one too";
    match ahead.abs() {
        off if off >= PROBLEM => Finding::problem(Id::ClockOff, found, advice),
        off if off >= WARNING => Finding::warning(Id::ClockOff, found, advice),
        _ => Finding::ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_a_clock_may_be_off() {
        for (millis, want, words) in [
            (0, Verdict::Ok, "it agrees with x"),
            (-999, Verdict::Ok, "it agrees with x"),
            (4_999, Verdict::Ok, "it is 4 s ahead of x"),
            (5_000, Verdict::Warning, "it is 5 s ahead of x"),
            (-59_999, Verdict::Warning, "it is 59 s behind x"),
            (-60_000, Verdict::Problem, "it is 60 s behind x"),
        ] {
            let found = judge(TimeDelta::milliseconds(millis), "x");
            assert_eq!((found.verdict, found.found.as_str()), (want, words));
        }
    }
}
