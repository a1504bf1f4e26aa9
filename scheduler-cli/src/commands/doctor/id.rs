//! The name of everything that the checks can find wrong, under which `docs/troubleshooting.md`
//! tells of it.

/// Makes the names, and the list of them all.
macro_rules! ids {
    ($($variant:ident = $name:literal,)*) => {
        /// Something that can be wrong. Its name stays the same from release to release.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Id {
            $($variant,)*
        }

        impl Id {
            /// All of them.
            #[cfg(test)]
            pub(super) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in output and in the documentation.
            pub(super) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

ids! {
    SettingUnusable = "setting-unusable",
    VariableUnknown = "variable-unknown",
    PrivateAllowed = "private-allowed",

    DataNotFolder = "data-not-folder",
    DataNotWritable = "data-not-writable",

    KeyUnusable = "key-unusable",
    KeyGone = "key-gone",
    KeyWrong = "key-wrong",
    KeyExposed = "key-exposed",

    DatabaseUnreachable = "database-unreachable",
    DatabaseSilent = "database-silent",
    DatabaseLogin = "database-login",
    DatabaseAbsent = "database-absent",
    DatabaseRights = "database-rights",
    DatabaseNotWritable = "database-not-writable",
    DatabaseFull = "database-full",
    DatabaseLocked = "database-locked",
    DatabaseDamaged = "database-damaged",
    DatabaseUnusable = "database-unusable",
    DatabaseOlder = "database-older",
    DatabaseNewer = "database-newer",
    DatabaseHalfway = "database-halfway",
    DatabaseShared = "database-shared",
    DatabaseExposed = "database-exposed",

    FilesFolder = "files-folder",
    FilesFault = "files-fault",
    BucketAbsent = "bucket-absent",
    BucketKeys = "bucket-keys",
    BucketUnreachable = "bucket-unreachable",
    BucketPrivate = "bucket-private",

    PublicUrlUnset = "public-url-unset",
    PublicUrlName = "public-url-name",
    PublicUrlElsewhere = "public-url-elsewhere",
    PublicUrlUnreachable = "public-url-unreachable",
    PublicUrlPrivate = "public-url-private",
    ServerNotRunning = "server-not-running",

    LinksUnreachable = "links-unreachable",
    LinksWrong = "links-wrong",

    ListenTaken = "listen-taken",
    ListenNotHere = "listen-not-here",
    ListenNotAllowed = "listen-not-allowed",

    DiskLow = "disk-low",
    DiskFull = "disk-full",

    ClockOff = "clock-off",

    ToolNotThere = "tool-not-there",
    ToolNotInstalled = "tool-not-installed",
    ToolBroken = "tool-broken",
    ToolUnconfined = "tool-unconfined",

    NetworkUnreachable = "network-unreachable",
    NetworkTls = "network-tls",
    VersionEnded = "version-ended",
    VersionEnding = "version-ending",

    AppSecretMissing = "app-secret-missing",
    AppIdMissing = "app-id-missing",
    AppMissing = "app-missing",

    SandboxRealAccounts = "sandbox-real-accounts",
    SandboxUnnamed = "sandbox-unnamed",

    AccountsUnreadable = "accounts-unreadable",
    AccountRefused = "account-refused",
    AccountSealed = "account-sealed",
    AccountPaused = "account-paused",
    TokenEnded = "token-ended",
    TokenEnding = "token-ending",

    ZoneUnset = "zone-unset",
    SlotsMissing = "slots-missing",

    ApiKeysEnded = "api-keys-ended",
    ApiKeysEnding = "api-keys-ending",

    WebhookRefused = "webhook-refused",
    WebhookFailing = "webhook-failing",
    WebhookGivenUp = "webhook-given-up",

    WorkOverdue = "work-overdue",

    AssistantUnreachable = "assistant-unreachable",
    AssistantKey = "assistant-key",
    AssistantModel = "assistant-model",
    AssistantAddress = "assistant-address",
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_name_stands_once_and_is_explained() {
        let names: BTreeSet<&str> = Id::ALL.iter().map(|id| id.as_str()).collect();
        assert_eq!(names.len(), Id::ALL.len());
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/troubleshooting.md");
        let page = std::fs::read_to_string(page).unwrap();
        // A row of the page begins with the name, which has several words.
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
        let rows = rows.filter_map(|row| row.split('`').next());
        let rows: Vec<&str> = rows.filter(|name| name.contains('-')).collect();
        let explained: BTreeSet<&str> = rows.iter().copied().collect();
        assert_eq!(rows.len(), explained.len(), "each is explained once");
        assert_eq!(explained, names);
    }
}
