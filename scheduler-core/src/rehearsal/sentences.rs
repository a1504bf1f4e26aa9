//! What is said of findings.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use super::report::{FindingKind, Remedy};
use crate::engine::spoken;
use crate::platform::{BudgetScope, LimitSpan, PublishingLimit};
use crate::rules::phrase::counted;

/// What a finding is about.
pub(super) struct Subject<'a> {
    pub(super) kind: FindingKind,
    pub(super) network: &'a str,
    /// What a person recognises its account by.
    pub(super) account: Option<&'a str>,
    pub(super) limit: Option<&'static PublishingLimit>,
    pub(super) ends_at: Option<DateTime<Utc>>,
    /// When the rehearsal begins.
    pub(super) from: DateTime<Utc>,
    pub(super) first_at: DateTime<Utc>,
    /// How many posts it is about.
    pub(super) count: u64,
    pub(super) delayed: u64,
    pub(super) stopped: u64,
    pub(super) longest: TimeDelta,
    /// What the program said of the first of its posts.
    pub(super) said: Option<&'a str>,
}

impl Subject<'_> {
    fn account(&self) -> &str {
        self.account.unwrap_or(self.network)
    }

    fn ends(&self) -> String {
        self.ends_at.map(instant).unwrap_or_default()
    }

    /// When something has to be done that is of use before an instant: `before` it, or `now`.
    fn before(&self, at: Option<DateTime<Utc>>) -> String {
        match at.filter(|at| *at > self.from) {
            Some(at) => format!("before {}", instant(at)),
            None => "now".to_owned(),
        }
    }
}

/// What a finding is, for a person.
pub(super) fn message(of: &Subject<'_>) -> String {
    let (network, account, becomes) = (of.network, of.account(), becomes(of));
    match of.kind {
        FindingKind::DailyCount | FindingKind::Quota | FindingKind::Rate => {
            let Some(limit) = of.limit else { return becomes };
            let (most, noun, span) = (limit.most, limit.counts.noun(), span(limit.span));
            let whose = match limit.whose {
                BudgetScope::Account => account.to_owned(),
                BudgetScope::App => "all accounts of this server together".to_owned(),
            };
            format!("{network} takes {most} {noun} {span} from {whose}. {becomes}")
        }
        FindingKind::MonthCost => format!(
            "The posts of {account} may cost no more in the month that ends at {}. {becomes}",
            of.ends()
        ),
        FindingKind::MonthPosts => format!(
            "The plan's posts of the month that ends at {} do not last. Recurrences would make {} that cannot be.",
            of.ends(),
            posts(of.count),
        ),
        FindingKind::TokenExpires => format!(
            "The access of {account} {} at {} and cannot be renewed. {becomes}",
            if of.ends_at.is_some_and(|at| at <= of.from) { "ended" } else { "ends" },
            of.ends()
        ),
        FindingKind::NeedsReconnect => format!("{account} has to be connected again. {becomes}"),
        FindingKind::ApiVersion => format!(
            "{network} may refuse the version of its interface that this server speaks from {} on. {becomes}",
            of.ends()
        ),
        FindingKind::Paused => {
            format!("{account} is beyond the accounts that the plan covers. {becomes}")
        }
        FindingKind::Approval => format!("Posts of {account} are not approved. {becomes}"),
        FindingKind::CoolDown => {
            format!("Entries of a recurrence on {account} have not cooled down. {becomes}")
        }
        FindingKind::Rules | FindingKind::Files | FindingKind::Other => {
            format!("{account}: {} {becomes}", of.said.unwrap_or("Something keeps posts back."))
        }
        FindingKind::NotOffered => format!("This server does not publish to {network}. {becomes}"),
        FindingKind::Slots => format!(
            "{} of {account} in the queue {} at times that are no slots of its schedule any more.",
            posts(of.count),
            if of.count == 1 { "goes out" } else { "go out" },
        ),
    }
}

/// What would mend a finding.
pub(super) fn remedy(of: &Subject<'_>) -> Remedy {
    let (network, account, count) = (of.network, of.account(), posts(of.count));
    let by = match of.kind {
        FindingKind::DailyCount | FindingKind::Rate | FindingKind::CoolDown => None,
        FindingKind::TokenExpires | FindingKind::ApiVersion => of.ends_at.map(|at| at.max(of.from)),
        _ => Some(of.first_at),
    };
    let before = of.before(by);
    let message = match of.kind {
        FindingKind::DailyCount | FindingKind::Rate => {
            format!("Move {count} to other times or another account.")
        }
        FindingKind::Quota => {
            format!("Have the operator ask {network} for more, or move {count} to other times.")
        }
        FindingKind::MonthCost => {
            format!("Have account_monthly_cap raised, or move {count} to {} or later.", of.ends())
        }
        FindingKind::MonthPosts => {
            "Move to a larger plan, or let recurrences come more rarely.".to_owned()
        }
        FindingKind::TokenExpires | FindingKind::NeedsReconnect => {
            format!("Connect {account} again {before}.")
        }
        FindingKind::ApiVersion => {
            format!("Have the server upgraded, or api_version of {network} raised, {before}.")
        }
        FindingKind::Paused => {
            "Move to a larger plan, disconnect an account that is not needed, or give the posts another account.".to_owned()
        }
        FindingKind::Approval => format!("Have {count} approved {before}."),
        FindingKind::CoolDown => "Shorten the cool-down, add entries, or move the posts.".to_owned(),
        FindingKind::Rules => format!("Change {count} as the network asks."),
        FindingKind::Files => format!("Give {count} files that can be sent."),
        FindingKind::NotOffered => {
            format!("Have the operator set {network} up, or give the posts another account.")
        }
        FindingKind::Slots => {
            format!("Put the slots back into the schedule, or move {count} in the queue.")
        }
        FindingKind::Other => format!("Look at {count} before then."),
    };
    Remedy { by, message }
}

/// What becomes of the posts, as a sentence.
fn becomes(of: &Subject<'_>) -> String {
    let goes = |count: u64, one: &str, more: &str| {
        format!("{} {}", posts(count), if count == 1 { one } else { more })
    };
    let later = (of.delayed > 0).then(|| match of.longest {
        none if none.is_zero() => {
            goes(of.delayed, "goes out after the end", "go out after the end")
        }
        longest => {
            format!(
                "{}, by up to {}",
                goes(of.delayed, "goes out later", "go out later"),
                length(longest)
            )
        }
    });
    let never = (of.stopped > 0).then(|| goes(of.stopped, "does not go out", "do not go out"));
    let parts: Vec<String> = [later, never].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("{}.", parts.join("; ")) }
}

/// A number of posts in words.
pub(super) fn posts(count: u64) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), "posts")
}

fn span(span: LimitSpan) -> String {
    match span {
        LimitSpan::Sliding(length) | LimitSpan::Fixed(length) => spoken(length),
        LimitSpan::Day(zone) => format!("a day ({zone})"),
    }
}

fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A length of time in its two largest units, rounded up to a minute.
fn length(time: TimeDelta) -> String {
    let minutes = (time + TimeDelta::seconds(59)).num_minutes();
    let (days, hours, minutes) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let unit = |count: i64, plural: &str| {
        let count = usize::try_from(count).ok().filter(|count| *count > 0)?;
        Some(counted(count, plural))
    };
    let units = [unit(days, "days"), unit(hours, "hours"), unit(minutes, "minutes")];
    let largest: Vec<String> = units.into_iter().flatten().take(2).collect();
    largest.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Platform;

    #[test]
    fn lengths_have_words() {
        for (seconds, want) in [
            (1, "1 minute"),
            (60, "1 minute"),
            (61, "2 minutes"),
            (3_600, "1 hour"),
            (9_000, "2 hours 30 minutes"),
            (90_000, "1 day 1 hour"),
        ] {
            assert_eq!(length(TimeDelta::seconds(seconds)), want);
        }
    }

    #[test]
    fn every_kind_says_what_it_is_and_what_mends_it() {
        for kind in FindingKind::ALL {
            let at = DateTime::UNIX_EPOCH;
            let subject = Subject {
                kind,
                network: "Instagram",
                account: Some("instagram @ana"),
                limit: Platform::Instagram.sheet().publishing.first(),
                ends_at: Some(at),
                from: at,
                first_at: at,
                count: 3,
                delayed: 1,
                stopped: 2,
                longest: TimeDelta::hours(3),
                said: Some("It is too long."),
            };
            for sentence in [message(&subject), remedy(&subject).message] {
                assert!(sentence.ends_with('.') && !sentence.contains("  "), "{sentence}");
            }
        }
        let limit = Platform::Instagram.sheet().publishing.first();
        let day = Subject {
            kind: FindingKind::DailyCount,
            network: "Instagram",
            account: Some("instagram @ana"),
            limit,
            ends_at: None,
            from: DateTime::UNIX_EPOCH,
            first_at: DateTime::UNIX_EPOCH,
            count: 30,
            delayed: 30,
            stopped: 0,
            longest: TimeDelta::hours(3),
            said: None,
        };
        assert_eq!(
            message(&day),
            "Instagram takes 100 posts in 24 hours from instagram @ana. 30 posts go out later, by up to 3 hours."
        );
    }

    #[test]
    fn what_is_too_late_already_is_to_be_done_now() {
        let from: DateTime<Utc> = "2026-12-01T00:00:00Z".parse().unwrap();
        let hour = TimeDelta::hours(1);
        for (ends_at, kind, want) in [
            (from - hour, FindingKind::TokenExpires, "Connect linkedin @ana again now."),
            (
                from + hour,
                FindingKind::TokenExpires,
                "Connect linkedin @ana again before 2026-12-01T01:00:00Z.",
            ),
            (from, FindingKind::Approval, "Have 1 post approved now."),
            (
                from + hour,
                FindingKind::Approval,
                "Have 1 post approved before 2026-12-01T01:00:00Z.",
            ),
        ] {
            let subject = Subject {
                kind,
                network: "LinkedIn",
                account: Some("linkedin @ana"),
                limit: None,
                ends_at: Some(ends_at),
                from,
                first_at: ends_at.max(from),
                count: 1,
                delayed: 0,
                stopped: 1,
                longest: TimeDelta::zero(),
                said: None,
            };
            let remedy = remedy(&subject);
            assert_eq!((&*remedy.message, remedy.by), (want, Some(ends_at.max(from))));
        }
    }
}
