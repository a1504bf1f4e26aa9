//! Faults of settings, of the key, of the clock and of programs.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use chrono::Months;

use super::confined::can_have_disks;
use super::confined::{can_be_unprivileged, mode, on_disk, unprivileged, without_landlock};
use super::planted::{Fault, problem, set, set_real, warning, write};
use super::stand_in::{ahead_by, chrono_now};

const OTHER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Writes the settings file.
fn settings(text: &'static str) -> impl Fn(&Path, &mut Command) + Send + Sync {
    move |folder, _| std::fs::write(folder.join("scheduler.toml"), text).unwrap()
}

/// A program that does nothing but end with 1.
fn broken(folder: &Path) -> std::path::PathBuf {
    let program = folder.join("broken");
    std::fs::write(&program, "#!/bin/sh\nexit 1\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

pub(super) fn faults(folder: &Path) -> Vec<Fault> {
    let mut faults = of_settings();
    faults.extend(of_the_key());
    faults.extend(of_programs());
    faults.extend(of_addresses());
    faults.extend(of_clocks());
    if can_be_unprivileged(folder) {
        faults.extend(of_rights());
    }
    if can_have_disks(folder) {
        faults.extend(of_disks());
    }
    faults
}

fn of_settings() -> Vec<Fault> {
    let unusable = ["configuration", "setting-unusable"];
    vec![
        Fault::new(
            "a flag that is none",
            set([("SCHEDULER_CONNECT_TWITTER", "maybe")]),
            problem(unusable, ["SCHEDULER_CONNECT_TWITTER must be true or false", "correct it"]),
        ),
        Fault::new(
            "a file store of no kind",
            set([("SCHEDULER_FILES", "ftp://x")]),
            problem(unusable, ["not with ftp://", "correct it"]),
        ),
        Fault::new(
            "a key of the settings file that nobody knows",
            settings("databse = 'x'"),
            problem(unusable, ["unknown key \"databse\"; did you mean \"database\"", "correct it"]),
        ),
        Fault::new(
            "a plan that nobody knows",
            settings("[plans.fre]\napi = true"),
            problem(unusable, ["did you mean \"plans.free\"", "correct it"]),
        ),
        Fault::new(
            "a settings file that is none, with a secret in it",
            settings("ai_key = \"hunter2"),
            problem(unusable, ["scheduler.toml, line 1", "settings file"]),
        ),
        Fault::new(
            "a settings file that is not there",
            set([("SCHEDULER_CONFIG", "/no/scheduler.toml")]),
            problem(unusable, ["cannot read /no/scheduler.toml", "correct it"]),
        ),
        Fault::new(
            "a filter of the log that is none",
            set([("SCHEDULER_LOG", "sqlx=loud")]),
            problem(unusable, ["SCHEDULER_LOG must be a filter", "correct it"]),
        ),
        Fault::new(
            "an address of the assistant without a model",
            set([("SCHEDULER_AI_URL", "http://127.0.0.1:1/v1")]),
            problem(unusable, ["no ai_model", "correct it"]),
        ),
        Fault::new(
            "a variable that nobody reads",
            set([("SCHEDULER_PUBLICURL", "https://hunter2.example")]),
            warning(
                ["configuration", "variable-unknown"],
                ["SCHEDULER_PUBLICURL", "did you mean SCHEDULER_PUBLIC_URL"],
            ),
        ),
        Fault::new(
            "what is for development, on a public server",
            set([("SCHEDULER_PUBLIC_URL", "https://no-such-host.example")]),
            warning(
                ["private hosts", "private-allowed"],
                ["inside its own network", "unset SCHEDULER_WEBHOOKS_ALLOW_PRIVATE"],
            ),
        )
        .among_others(),
        Fault::new(
            "a file in place of the data folder",
            |folder: &Path, command: &mut Command| {
                std::fs::write(folder.join("file"), "").unwrap();
                command.env("SCHEDULER_DATA", folder.join("file"));
            },
            problem(["data folder", "data-not-folder"], ["is not a folder", "--data"]),
        ),
        Fault::new(
            "a network's application without its secret",
            set_real([("SCHEDULER_YOUTUBE_CLIENT_ID", "x")]),
            problem(
                ["apps", "app-secret-missing"],
                ["SCHEDULER_YOUTUBE_CLIENT_SECRET is not", "set SCHEDULER_YOUTUBE_CLIENT_SECRET"],
            ),
        ),
        Fault::new(
            "a network's application without its id",
            set_real([("SCHEDULER_LINKEDIN_CLIENT_SECRET", "hunter2")]),
            problem(
                ["apps", "app-id-missing"],
                ["SCHEDULER_LINKEDIN_CLIENT_ID is not", "set SCHEDULER_LINKEDIN_CLIENT_ID"],
            ),
        ),
        Fault::new(
            "a version of an interface that has ended",
            set([("SCHEDULER_LINKEDIN_API_VERSION", "202301")]),
            problem(
                ["API versions", "version-ended"],
                ["LinkedIn: version 202301", "SCHEDULER_LINKEDIN_API_VERSION"],
            ),
        ),
        Fault::new(
            "a version of an interface that ends soon",
            |_: &Path, command: &mut Command| {
                // It ends on the 15th, a year after its month.
                let month = chrono_now() - Months::new(11);
                command.env("SCHEDULER_LINKEDIN_API_VERSION", month.format("%Y%m").to_string());
            },
            warning(
                ["API versions", "version-ending"],
                ["ends on", "SCHEDULER_LINKEDIN_API_VERSION"],
            ),
        ),
    ]
}

fn of_the_key() -> Vec<Fault> {
    vec![
        Fault::new(
            "the key is gone",
            |folder: &Path, _: &mut Command| {
                std::fs::remove_file(folder.join("data/secret.key")).unwrap();
            },
            problem(["secret key", "key-gone"], ["is gone", "bring the file back"]),
        ),
        Fault::new(
            "the key is no key",
            write("secret.key", "nonsense"),
            problem(["secret key", "key-unusable"], ["not 32 bytes", "64 hex digits"]),
        ),
        Fault::new(
            "a key file that is not there",
            set([("SCHEDULER_SECRET_KEY_FILE", "/no/key")]),
            problem(["secret key", "key-unusable"], ["/no/key", "give back the key"]),
        ),
        Fault::new(
            "another key",
            set([("SCHEDULER_SECRET_KEY", OTHER_KEY)]),
            problem(["secret key", "key-wrong"], ["it does not open", "bring back the key"]),
        ),
        Fault::new(
            "a file with another key",
            |folder: &Path, command: &mut Command| {
                let file = folder.join("other.key");
                std::fs::write(&file, OTHER_KEY).unwrap();
                mode(&file, 0o600);
                command.env("SCHEDULER_SECRET_KEY_FILE", file);
            },
            problem(["secret key", "key-wrong"], ["it does not open", "bring back the key"]),
        ),
        Fault::new(
            "another key, by account",
            set([("SCHEDULER_SECRET_KEY", OTHER_KEY)]),
            problem(
                ["accounts", "account-sealed"],
                ["sealed with another key", "scheduler accounts connect"],
            ),
        ),
        Fault::new(
            "others may read the key",
            |folder: &Path, _: &mut Command| mode(&folder.join("data/secret.key"), 0o644),
            warning(["secret key", "key-exposed"], ["others may read", "chmod 600"]),
        ),
        Fault::new(
            "others may read the database",
            |folder: &Path, _: &mut Command| mode(&folder.join("data/scheduler.db"), 0o640),
            warning(["database", "database-exposed"], ["others may read", "chmod 600"]),
        ),
    ]
}

fn of_programs() -> Vec<Fault> {
    vec![
        Fault::new(
            "ffmpeg is not where it is said to be",
            set([("SCHEDULER_FFMPEG", "/no/ffmpeg")]),
            problem(["video tools", "tool-not-there"], ["/no/ffmpeg", "SCHEDULER_FFMPEG"]),
        ),
        Fault::new(
            "no ffmpeg",
            |folder: &Path, command: &mut Command| {
                command.env_remove("SCHEDULER_FFMPEG").env("PATH", folder);
            },
            warning(
                ["video tools", "tool-not-installed"],
                [
                    "ffmpeg is not installed: videos have no preview and are not converted, and HEIC and AVIF are not read",
                    "install the package ffmpeg",
                ],
            ),
        ),
        Fault::new(
            "no ffprobe",
            |folder: &Path, command: &mut Command| {
                command.env_remove("SCHEDULER_FFPROBE").env("PATH", folder);
            },
            warning(
                ["video tools", "tool-not-installed"],
                ["ffprobe is not installed", "install the package ffmpeg"],
            ),
        ),
        Fault::new(
            "an ffmpeg that does not run",
            |folder: &Path, command: &mut Command| {
                command.env("SCHEDULER_FFMPEG", broken(folder));
            },
            problem(["video tools", "tool-broken"], ["does not run", "SCHEDULER_FFMPEG"]),
        ),
        Fault::new(
            "an ffprobe that never ends",
            |folder: &Path, command: &mut Command| {
                let program = broken(folder);
                std::fs::write(&program, "#!/bin/sh\nexec sleep 60\n").unwrap();
                command.env("SCHEDULER_FFPROBE", program);
            },
            problem(["video tools", "tool-broken"], ["does not run", "SCHEDULER_FFPROBE"]),
        ),
        Fault::new(
            "a kernel without Landlock",
            |folder: &Path, command: &mut Command| {
                command.env("SCHEDULER_FFMPEG", broken(folder));
                without_landlock(command);
            },
            warning(
                ["video tools", "tool-unconfined"],
                ["can read the server's files", "landlock among its LSMs"],
            ),
        )
        .among_others(),
    ]
}

fn of_addresses() -> Vec<Fault> {
    vec![
        Fault::new(
            "another program listens there",
            |_: &Path, command: &mut Command| {
                let taken = TcpListener::bind("127.0.0.1:0").unwrap();
                command.env("SCHEDULER_LISTEN", taken.local_addr().unwrap().to_string());
                taken
            },
            problem(["listening", "listen-taken"], ["another program listens", "--listen"]),
        ),
        Fault::new(
            "an address of another machine",
            set([("SCHEDULER_LISTEN", "192.0.2.1:8080")]),
            problem(
                ["listening", "listen-not-here"],
                ["192.0.2.1 is no address of this machine", "--listen, such as 127.0.0.1:8080"],
            ),
        ),
    ]
}

fn of_clocks() -> Vec<Fault> {
    vec![
        Fault::new(
            "a clock an hour behind that of a network",
            |_: &Path, command: &mut Command| {
                command.env_remove("SCHEDULER_SANDBOX");
                command.env("SCHEDULER_TELEGRAM_API_BASE", ahead_by(3_600));
            },
            problem(["clock", "clock-off"], ["s behind that of 127.0.0.1", "NTP"]),
        ),
        Fault::new(
            "a clock an hour behind that of the sandbox",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_SANDBOX_URL", ahead_by(3_600));
            },
            problem(["clock", "clock-off"], ["s behind that of 127.0.0.1", "NTP"]),
        ),
        Fault::new(
            "a clock half a minute behind",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_SANDBOX_URL", ahead_by(30));
            },
            warning(["clock", "clock-off"], ["s behind that of 127.0.0.1", "NTP"]),
        ),
    ]
}

fn of_rights() -> Vec<Fault> {
    let mut faults = vec![
        Fault::new(
            "a data folder that may not be written to",
            |folder: &Path, command: &mut Command| {
                unprivileged(folder, command);
                mode(&folder.join("data"), 0o555);
            },
            problem(["data folder", "data-not-writable"], ["cannot be written to", "--data"]),
        ),
        Fault::new(
            "a database whose folder may not be written to",
            |folder: &Path, command: &mut Command| {
                unprivileged(folder, command);
                mode(&folder.join("data"), 0o555);
            },
            problem(
                ["database", "database-not-writable"],
                ["where it lies, cannot be written to", "chmod"],
            ),
        ),
        Fault::new(
            "a database that may not be written to",
            |folder: &Path, command: &mut Command| {
                unprivileged(folder, command);
                mode(&folder.join("data/scheduler.db"), 0o444);
            },
            problem(
                ["database", "database-not-writable"],
                ["scheduler.db cannot be written to", "chown"],
            ),
        ),
        Fault::new(
            "a folder of files that may not be written to",
            |folder: &Path, command: &mut Command| {
                unprivileged(folder, command);
                mode(&folder.join("data/files"), 0o555);
                for entry in std::fs::read_dir(folder.join("data/files")).unwrap() {
                    mode(&entry.unwrap().path(), 0o555);
                }
            },
            problem(["file store", "files-folder"], ["may not write to its folder", "--files"]),
        ),
        Fault::new(
            "a folder of files that cannot be made",
            |folder: &Path, command: &mut Command| {
                let parent = folder.join("elsewhere");
                std::fs::create_dir(&parent).unwrap();
                command.env("SCHEDULER_FILES", parent.join("files"));
                unprivileged(folder, command);
                mode(&parent, 0o555);
            },
            problem(["file store", "files-folder"], ["cannot be made", "--files"]),
        ),
    ];
    let from = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
    if std::fs::read_to_string(from).is_ok_and(|port| port.trim() == "1024") {
        faults.push(Fault::new(
            "a port that only root may listen on",
            |folder: &Path, command: &mut Command| {
                command.env("SCHEDULER_LISTEN", "127.0.0.1:81");
                unprivileged(folder, command);
            },
            problem(
                ["listening", "listen-not-allowed"],
                ["may not listen on port 81", "reverse proxy"],
            ),
        ));
    }
    faults
}

fn of_disks() -> Vec<Fault> {
    /// Leaves not one page free.
    const FILL: &str = "cat /dev/zero > fill 2> /dev/null || true";
    let disk = |size: &'static str, then: &'static str| {
        move |folder: &Path, command: &mut Command| on_disk(folder, command, size, then)
    };
    vec![
        Fault::new(
            "a disk that is nearly full",
            disk("1200m", "true"),
            warning(["disk space", "disk-low"], ["MiB are free", "--files"]),
        ),
        Fault::new(
            "a full disk",
            disk("64m", FILL),
            problem(["disk space", "disk-full"], ["0 MiB are free", "make room"]),
        ),
        Fault::new(
            "a data folder on a full disk",
            disk("64m", FILL),
            problem(["data folder", "data-not-writable"], ["No space left", "make room"]),
        ),
        Fault::new(
            "a database on a full disk",
            disk("64m", FILL),
            problem(["database", "database-full"], ["has no room left", "make room"]),
        ),
        Fault::new(
            "files on a full disk",
            disk("64m", FILL),
            problem(["file store", "files-fault"], ["", "make room"]),
        ),
        Fault::new(
            "a database on a read-only disk",
            disk("64m", "mount -o remount,ro,bind ."),
            problem(["database", "database-not-writable"], ["Read-only file system", "--database"]),
        ),
    ]
}
