//! Whether the accounts can post.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::Platform;

use super::finding::{Finding, Id, Verdict, chain};
use super::stored::Connected;
use super::subject::Subject;

/// How long before its end a token that cannot be renewed afterwards is told of. Source: our
/// decision.
const AHEAD: TimeDelta = TimeDelta::days(7);

/// Looks at each account: whether its network has refused it, whether the plan covers it, and how
/// long its token lives.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    subject.stored.as_ref().map_err(Finding::clone)?;
    let findings: Vec<Finding> =
        subject.accounts().map(|account| of_account(account, subject.now())).collect();
    if findings.is_empty() { Err(Finding::ok("none is connected yet")) } else { Ok(findings) }
}

fn of_account(connected: &Connected, now: DateTime<Utc>) -> Finding {
    let Connected { account, is_paused, credentials } = connected;
    let label = account.label();
    let again = format!("connect it again by `scheduler accounts connect {}`", account.platform);
    if account.needs_reconnect {
        let found = format!("{label}: its network has refused its token");
        return Finding::problem(Id::AccountRefused, found, again);
    }
    let expires_at = match credentials {
        Err(error) => {
            let found = format!("{label}: {}", chain(error));
            let advice = format!("bring back the key that sealed its token, or {again}");
            return Finding::problem(Id::AccountSealed, found, advice);
        }
        Ok(None) => {
            let found = format!("{label}: its token is gone");
            return Finding::problem(Id::AccountRefused, found, again);
        }
        Ok(Some(stored)) => stored.credentials.expires_at,
    };
    let of_token = of_token(&label, account.platform, expires_at, now, &again);
    if *is_paused && of_token.verdict != Verdict::Problem {
        return Finding::warning(
            Id::AccountPaused,
            format!("{label}: it is paused, the plan does not cover it; its posts will fail"),
            "change the plan by `scheduler workspace set-plan`, or disconnect an account that is \
             not needed by `scheduler accounts disconnect`",
        );
    }
    of_token
}

fn of_token(
    label: &str,
    platform: Platform,
    expires_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
    again: &str,
) -> Finding {
    let renews = platform.sheet().connecting.tokens.renewed_after_expiry;
    let day = |end: DateTime<Utc>| end.format("%Y-%m-%d %H:%M UTC");
    match expires_at {
        None => Finding::ok(format!("{label}: its token is there")),
        Some(end) if end > now && (renews || end > now + AHEAD) => {
            Finding::ok(format!("{label}: its token is good until {}", day(end)))
        }
        Some(end) if end > now => {
            let found = format!("{label}: its token ends on {}", day(end));
            Finding::warning(Id::TokenEnding, found, again)
        }
        Some(_) if renews => {
            Finding::ok(format!("{label}: its token is renewed when it next posts"))
        }
        Some(end) => {
            let found = format!("{label}: its token ended on {}", day(end));
            Finding::problem(Id::TokenEnded, found, again)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let at = |hours| Some(now + TimeDelta::hours(hours));
        for (name, platform, expires_at, want) in [
            ("without an end", Platform::Mastodon, None, Verdict::Ok),
            ("good for long", Platform::Instagram, at(24 * 8), Verdict::Ok),
            ("ends soon", Platform::Instagram, at(24 * 6), Verdict::Warning),
            ("ends soon, renewed by itself", Platform::Bluesky, at(1), Verdict::Ok),
            ("ended, renewed by itself", Platform::Bluesky, at(-1), Verdict::Ok),
            ("ended", Platform::Threads, at(-1), Verdict::Problem),
            ("ends now", Platform::Linkedin, at(0), Verdict::Problem),
        ] {
            let found = of_token("a", platform, expires_at, now, "again");
            assert_eq!(found.verdict, want, "{name}: {}", found.found);
        }
    }
}
