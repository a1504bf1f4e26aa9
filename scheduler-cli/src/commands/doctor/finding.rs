//! What a check has found.

use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// It is as it should be.
    Ok,
    /// Something does not work, or soon will not; the rest does.
    Warning,
    /// The server, or a part of it that is in use, does not work.
    Problem,
    /// It could not be looked at.
    Skipped,
}

/// What a check has found. Holds no secret, no signed link and no password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// How bad it is.
    pub(super) verdict: Verdict,
    /// What is wrong, by name; `None` when nothing is.
    pub(super) id: Option<Id>,
    /// What was found, as a fragment.
    pub(super) found: String,
    /// What to do about it.
    pub(super) advice: Option<String>,
}

impl Finding {
    /// It is as it should be.
    pub(super) fn ok(found: impl Into<String>) -> Self {
        Self { verdict: Verdict::Ok, id: None, found: found.into(), advice: None }
    }

    /// It could not be looked at, for this reason.
    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skipped, id: None, found: why.into(), advice: None }
    }

    /// Something does not work, or soon will not.
    pub(super) fn warning(id: Id, found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { verdict: Verdict::Warning, id: Some(id), found: found.into(), advice }
    }

    /// The server, or a part of it that is in use, does not work.
    pub(super) fn problem(id: Id, found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { verdict: Verdict::Problem, id: Some(id), found: found.into(), advice }
    }
}

/// What a check has found, once it has looked.
pub(super) type Looking<'a> = Pin<Box<dyn Future<Output = Vec<Finding>> + Send + 'a>>;

/// What a check returns: a finding or several, or what it says instead of looking.
pub(super) trait Found {
    /// All findings.
    fn all(self) -> Vec<Finding>;
}

impl Found for Result<Finding, Finding> {
    fn all(self) -> Vec<Finding> {
        vec![self.unwrap_or_else(|instead| instead)]
    }
}

impl Found for Result<Vec<Finding>, Finding> {
    fn all(self) -> Vec<Finding> {
        self.unwrap_or_else(|instead| vec![instead])
    }
}

/// A setting that a check needs.
///
/// # Errors
/// That the check is skipped, when it cannot be used.
pub(super) fn needed<'a, T>(setting: &'a Option<T>, why_not: &str) -> Result<&'a T, Finding> {
    setting.as_ref().ok_or_else(|| Finding::skipped(why_not))
}

/// Makes the names, and the list of them all.
macro_rules! ids {
    ($($variant:ident,)*) => {
        /// Something that can be wrong, under whose name `docs/troubleshooting.md` tells of it. The
        /// name stays the same from release to release.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub(super) enum Id {
            $($variant,)*
        }

        impl Id {
            /// All of them.
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$variant,)*];
        }
    };
}

ids! {
    SettingUnusable, VariableUnknown, PrivateAllowed,
    DataNotFolder, DataNotWritable,
    KeyUnusable, KeyGone, KeyWrong, KeyExposed,
    DatabaseUnreachable, DatabaseSilent, DatabaseLogin, DatabaseAbsent, DatabaseRights,
    DatabaseNotWritable, DatabaseFull, DatabaseLocked, DatabaseDamaged, DatabaseUnusable,
    DatabaseOlder, DatabaseNewer, DatabaseHalfway, DatabaseShared, DatabaseExposed,
    FilesFolder, FilesFault, BucketAbsent, BucketKeys, BucketUnreachable, BucketPrivate,
    PublicUrlUnset, PublicUrlName, PublicUrlElsewhere, PublicUrlUnreachable, PublicUrlPrivate,
    ServerNotRunning,
    LinksUnreachable, LinksWrong,
    ListenTaken, ListenNotHere, ListenNotAllowed,
    DiskLow, DiskFull,
    ClockOff,
    ToolNotThere, ToolNotInstalled, ToolBroken, ToolUnconfined,
    NetworkUnreachable, NetworkTls, VersionEnded, VersionEnding, FiguresOld,
    AppSecretMissing, AppIdMissing, AppMissing,
    SandboxRealAccounts, SandboxUnnamed,
    AccountsUnreadable, AccountRefused, AccountSealed, AccountPaused, TokenEnded, TokenEnding,
    ZoneUnset, SlotsMissing,
    ApiKeysEnded, ApiKeysEnding,
    WebhookRefused, WebhookFailing, WebhookGivenUp,
    WorkOverdue,
    AssistantUnreachable, AssistantKey, AssistantModel, AssistantAddress,
    OpenidUnreachable, OpenidWrong, OpenidList, OpenidWorkspace,
}

impl Id {
    /// The name in output and in the documentation, such as `key-gone`.
    pub(super) fn name(self) -> String {
        serde_json::to_value(self).as_ref().ok().and_then(Value::as_str).unwrap_or_default().into()
    }
}

/// An error with its causes, on one line.
pub(super) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes: Vec<String> = std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect();
    let mut told: Vec<&str> = Vec::new();
    for cause in &causes {
        // Some errors repeat their cause.
        if !told.iter().any(|before| before.contains(cause.as_str())) {
            told.push(cause);
        }
    }
    told.join(": ").replace('\n', " ")
}

/// Some of several names, and how many more there are.
pub(super) fn listed<N: AsRef<str>>(names: &[N]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => shown.join(", "),
        Some(more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_name_stands_once_and_is_explained() {
        let names: BTreeSet<String> = Id::ALL.iter().map(|id| id.name()).collect();
        assert_eq!(names.len(), Id::ALL.len());
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/troubleshooting.md");
        let page = std::fs::read_to_string(page).unwrap();
        // A row of the page begins with the name, which has several words.
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
        let rows = rows.filter_map(|row| row.split('`').next());
        let rows: Vec<&str> = rows.filter(|name| name.contains('-')).collect();
        let explained: BTreeSet<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        assert_eq!(rows.len(), explained.len(), "each is explained once");
        assert_eq!(explained, names);
    }

    #[test]
    fn a_few_names() {
        for (count, want) in
            [(0, ""), (2, "0, 1"), (5, "0, 1, 2, 3, 4"), (7, "0, 1, 2, 3, 4 and 2 more")]
        {
            let names: Vec<String> = (0..count).map(|number: u32| number.to_string()).collect();
            assert_eq!(listed(&names), want);
        }
    }
}
