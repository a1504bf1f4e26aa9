//! Every setting, explained once. The example file, `scheduler config` and the check of names are
//! made from this table.

use scheduler_core::app::{FILE_BYTES_MAX, REFRESH_EVERY};
use scheduler_core::retry::Waits;
use scheduler_core::webhook::HISTORY_KEPT;
use scheduler_http::{ConnectionLimits, RateLimit};
use scheduler_networks::assistant::TIME_LIMIT;
use scheduler_store::FREE_BYTES_MIN;
use scheduler_worker::WorkerSettings;

use super::assistant::LONGEST_SECONDS;
use super::history::LONGEST_DAYS;
use super::setting::{Form, Setting};
use super::{client, server, storage};

/// Settings that belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Its heading.
    pub(crate) heading: &'static str,
    /// What there is to know of all of them; empty for nothing.
    pub(crate) words: &'static str,
    /// The settings.
    pub(crate) settings: &'static [Setting],
}

const SERVERS: &str = "serve, doctor";
const APPLICATION: &str = "serve, doctor, migrate, backup, export, workspace, keys, accounts, schedule, deliveries, approvals";
const LINKS: &str = "serve, doctor, accounts connect, approvals";
const CLIENTS: &str = "every command that talks to a server";
const CONNECT: &str = "accounts connect";

/// Every setting but those that each network and each plan has.
pub(crate) const GROUPS: [Group; 10] = [
    Group {
        heading: "The server",
        words: "",
        settings: &[
            Setting::new(
                "listen",
                Form::Socket,
                "Where the API listens. Port 0 takes a free one, which is printed.",
            )
            .default(|| server::DEFAULT_LISTEN.to_string())
            .option("--listen")
            .read_by(LINKS),
            Setting::new(
                "public_url",
                Form::Address,
                "How callers, networks and browsers reach this server: signed links to files, \
                 and the pages on which accounts are connected, begin with it. Most networks \
                 need https here.",
            )
            .or("http:// and the address that it listens on", "https://scheduler.example.com")
            .option("--public-url")
            .read_by(LINKS),
            Setting::new(
                "metrics_listen",
                Form::Socket,
                "Where GET /metrics is answered instead of at the API's address, to whoever \
                 reaches it. A process that only works (role = \"worker\") shows its metrics \
                 nowhere else.",
            )
            .or("the API's address", "127.0.0.1:9464")
            .read_by(SERVERS),
            Setting::new(
                "metrics_token",
                Form::Text("a text without spaces"),
                "What whoever reads GET /metrics has to show as a bearer token. Without it the \
                 API's address shows them to programs of this machine alone, and never through a \
                 proxy that says for whom it asks.",
            )
            .or("none", "a-long-random-text")
            .secret()
            .read_by(SERVERS),
            Setting::new(
                "role",
                Form::Text("api, worker, or api,worker"),
                "What this process does: answer requests, do what is due, or both.",
            )
            .default(|| "api,worker".to_owned())
            .option("--role")
            .read_by(SERVERS),
        ],
    },
    Group {
        heading: "Where everything is kept",
        words: "",
        settings: &[
            Setting::new(
                "data",
                Form::Folder,
                "The folder of the database, of files and of the secret key, as far as these are \
                 not named apart. It is made on the first start.",
            )
            .default(|| storage::DEFAULT_DATA.to_owned())
            .option("--data")
            .read_by(APPLICATION),
            Setting::new(
                "database",
                Form::Text("sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME"),
                "The database. Several servers may share one PostgreSQL, never one SQLite file.",
            )
            .or(
                "sqlite: and scheduler.db in the data folder",
                "postgres://scheduler@db.example.com/scheduler",
            )
            .guarded()
            .option("--database")
            .read_by(APPLICATION),
            Setting::new(
                "files",
                Form::Text("a folder, or s3://BUCKET/PREFIX?endpoint=…&region=…"),
                "Where the bytes of files are kept. The keys of a bucket stand in \
                 AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
            )
            .or(
                "files in the data folder",
                "s3://media/scheduler?endpoint=https://s3.example.com&region=eu-central-1",
            )
            .guarded()
            .option("--files")
            .read_by(APPLICATION),
            Setting::new(
                "history_days",
                Form::Days(LONGEST_DAYS),
                "For how many days events, and their deliveries to webhooks with all attempts, \
                 are kept after they have ended. Posts, files and figures are not among them.",
            )
            .default(|| HISTORY_KEPT.num_days().to_string())
            .read_by(SERVERS),
            Setting::new(
                "secret_key",
                Form::Text("32 bytes as 64 hex digits or as base64"),
                "The key that seals tokens of accounts and secrets of webhooks. Servers that \
                 share a database share it. Without it every account has to be connected again. \
                 Earlier keys may follow, with commas between: they still open what they have \
                 sealed (`scheduler secrets rotate`).",
            )
            .or(
                "the key in secret_key_file",
                "0000000000000000000000000000000000000000000000000000000000000000",
            )
            .secret()
            .read_by(APPLICATION),
            Setting::new(
                "secret_key_file",
                Form::File,
                "The file that holds this key. secret_key comes before it.",
            )
            .or(
                "secret.key in the data folder, which the first start makes with mode 0600",
                "/etc/scheduler/secret.key",
            )
            .read_by(APPLICATION),
            Setting::new(
                "backup_passphrase",
                Form::Text("a text of 15 characters or more"),
                "What seals the files that `scheduler backup --sealed` makes, and opens them for \
                 `scheduler restore`.",
            )
            .or("asked for at the terminal", "a long sentence that nobody else knows")
            .secret()
            .read_by("backup, restore"),
        ],
    },
    Group {
        heading: "How much at once",
        words: "Workspaces share what a process does at once: one gets another place only while \
                more are free than it holds, so it never holds more than half.",
        settings: &[
            Setting::new(
                "publishes_in_flight",
                Form::Count,
                "How many posts this process publishes at the same time at most.",
            )
            .default(|| WorkerSettings::default().publishes.to_string())
            .read_by(SERVERS),
            Setting::new(
                "publishes_in_flight_per_network",
                Form::Count,
                "How many of them go to one network at most.",
            )
            .default(|| WorkerSettings::default().per_network.to_string())
            .read_by(SERVERS),
            Setting::new(
                "deliveries_in_flight",
                Form::Count,
                "How many events it delivers to webhooks at the same time at most.",
            )
            .default(|| WorkerSettings::default().deliveries.to_string())
            .read_by(SERVERS),
            Setting::new(
                "fetches_in_flight",
                Form::Count,
                "How many files it fetches from other addresses at the same time at most.",
            )
            .default(|| WorkerSettings::default().fetches.to_string())
            .read_by(SERVERS),
            Setting::new(
                "examinations_in_flight",
                Form::Count,
                "How many files it examines at the same time at most.",
            )
            .default(|| WorkerSettings::default().examinations.to_string())
            .read_by(SERVERS),
            Setting::new(
                "erasures_in_flight",
                Form::Count,
                "How many files it gives up or erases at the same time at most.",
            )
            .default(|| WorkerSettings::default().erasures.to_string())
            .read_by(SERVERS),
            Setting::new(
                "readings_in_flight",
                Form::Count,
                "Of how many accounts it reads figures at the same time at most.",
            )
            .default(|| WorkerSettings::default().readings.to_string())
            .read_by(SERVERS),
            Setting::new(
                "rate_limit_per_minute",
                Form::Count,
                "How many requests a minute one API key may make in the long run.",
            )
            .default(|| RateLimit::default().per_minute.to_string())
            .read_by(SERVERS),
            Setting::new(
                "rate_limit_burst",
                Form::Count,
                "How many requests one API key may make at once.",
            )
            .default(|| RateLimit::default().burst.to_string())
            .read_by(SERVERS),
            Setting::new(
                "uploads_per_minute",
                Form::Count,
                "How many uploads a workspace may begin within any minute.",
            )
            .default(|| "60".to_owned())
            .read_by(SERVERS),
            Setting::new(
                "connections_max",
                Form::Count,
                "How many connections of callers are held at the same time at most. When there \
                 are more, those go first that rest for longest and have shown no key.",
            )
            .default(|| ConnectionLimits::default().all.to_string())
            .read_by(SERVERS),
            Setting::new(
                "connections_per_address",
                Form::Count,
                "How many of them may come from one address, but for those of this machine: a \
                 proxy on another machine needs more.",
            )
            .or("a quarter of connections_max", "1000")
            .read_by(SERVERS),
            Setting::new(
                "metrics_refresh_seconds",
                Form::Seconds(None),
                "How long a workspace waits between two requests for fresh figures.",
            )
            .default(|| REFRESH_EVERY.num_seconds().to_string())
            .read_by(SERVERS),
        ],
    },
    Group {
        heading: "What fails for now",
        words: "Five waits make six attempts; then trying stops. Each wait is lengthened or \
                shortened by up to a tenth.",
        settings: &[
            Setting::new(
                "publish_retry_seconds",
                Form::Waits,
                "The waits before a publish that failed for now is tried again.",
            )
            .default(|| super::retry::text(&Waits::default().publish))
            .read_by(SERVERS),
            Setting::new(
                "delivery_retry_seconds",
                Form::Waits,
                "The waits before an event that a webhook did not take is sent again.",
            )
            .default(|| super::retry::text(&Waits::default().delivery))
            .read_by(SERVERS),
        ],
    },
    Group {
        heading: "Files and webhooks",
        words: "",
        settings: &[
            Setting::new(
                "file_bytes_max",
                Form::Bytes(1),
                "The largest file that the server takes, whatever a plan allows.",
            )
            .default(|| FILE_BYTES_MAX.to_string())
            .read_by(SERVERS),
            Setting::new(
                "files_free_bytes_min",
                Form::Bytes(0),
                "How much of the disk files leave free, where they are kept in a folder: below it \
                 uploads are refused (507 storage_full), and publishing goes on.",
            )
            .default(|| FREE_BYTES_MIN.to_string())
            .read_by(SERVERS),
            Setting::new(
                "ffprobe",
                Form::File,
                "The program that measures films. Without it they are measured from their \
                 headers.",
            )
            .or("ffprobe, searched for in PATH", "/usr/bin/ffprobe")
            .read_by(SERVERS),
            Setting::new(
                "ffmpeg",
                Form::File,
                "The program that makes previews of films. Without it films have none.",
            )
            .or("ffmpeg, searched for in PATH", "/usr/bin/ffmpeg")
            .read_by(SERVERS),
            Setting::new(
                "media_allow_private",
                Form::Flag,
                "Whether files may be fetched from private addresses and without https. For \
                 development: whoever has an API key reaches your network through it.",
            )
            .default(|| false.to_string())
            .read_by(SERVERS),
            Setting::new(
                "webhooks_allow_private",
                Form::Flag,
                "Whether events may be sent to private addresses and without https. For \
                 development, and for receivers of your own network.",
            )
            .default(|| false.to_string())
            .read_by(SERVERS),
        ],
    },
    Group {
        heading: "The assistant",
        words: "Without ai_url and ai_model nothing is sent to any model.",
        settings: &[
            Setting::new(
                "ai_url",
                Form::Address,
                "Where a text model answers in the usual form of chat endpoints: the address \
                 that /chat/completions is appended to.",
            )
            .example("http://127.0.0.1:11434/v1")
            .guarded()
            .read_by(SERVERS),
            Setting::new(
                "ai_model",
                Form::Text("the name of a model"),
                "Which model to ask there.",
            )
            .example("llama3.1")
            .read_by(SERVERS),
            Setting::new(
                "ai_key",
                Form::Text("what the endpoint calls an API key"),
                "The key of the endpoint, where it wants one.",
            )
            .example("KEY")
            .secret()
            .read_by(SERVERS),
            Setting::new(
                "ai_timeout_seconds",
                Form::Seconds(Some(LONGEST_SECONDS)),
                "How long one call of the model may take.",
            )
            .default(|| TIME_LIMIT.as_secs().to_string())
            .read_by(SERVERS),
        ],
    },
    Group {
        heading: "The log",
        words: "It goes to standard error.",
        settings: &[
            Setting::new(
                "log",
                Form::Text("off, error, warn, info, debug or trace, also by module"),
                "What goes into the log.",
            )
            .or("info for servers, warn for other commands", "info,sqlx=warn")
            .read_by("every command"),
            Setting::new(
                "log_format",
                Form::Text("pretty or json"),
                "Whether its lines are for a person, or JSON objects.",
            )
            .default(|| "pretty".to_owned())
            .read_by("every command"),
        ],
    },
    Group {
        heading: "Commands that talk to a server",
        words: "",
        settings: &[
            Setting::new("url", Form::Address, "The server, with or without /v1.")
                .default(|| client::DEFAULT_URL.to_owned())
                .option("--url")
                .read_by(CLIENTS),
            Setting::new(
                "api_key",
                Form::Text("sk_ and 43 letters and digits"),
                "The API key. `scheduler keys create` makes one.",
            )
            .example("sk_0000000000000000000000000000000000000000000")
            .secret()
            .option("--api-key")
            .read_by(CLIENTS),
            Setting::new(
                "state",
                Form::Folder,
                "Where interrupted uploads are remembered, so that they can go on.",
            )
            .or(
                "scheduler in the user's folder for states (XDG_STATE_HOME)",
                "/var/lib/scheduler-uploads",
            )
            .option("--state")
            .option("--state")
            .read_by("post, posts edit, media upload"),
            Setting::new(
                "webhook_secret",
                Form::Text("whsec_ and 43 letters and digits"),
                "The secret that events are verified with.",
            )
            .or(
                "that of a webhook that is added for the time",
                "whsec_0000000000000000000000000000000000000000000",
            )
            .secret()
            .option("--secret")
            .read_by("webhooks listen"),
        ],
    },
    Group {
        heading: "Connecting accounts",
        words: "",
        settings: &[
            Setting::new(
                "connect_twitter",
                Form::Flag,
                "Whether accounts of X can be connected. Those that are connected already work \
                 either way.",
            )
            .default(|| false.to_string())
            .read_by("serve, accounts connect"),
            Setting::new(
                "bluesky_app_password",
                Form::Text("xxxx-xxxx-xxxx-xxxx"),
                "The app password with which an account of Bluesky is connected.",
            )
            .or("asked for", "abcd-efgh-ijkl-mnop")
            .secret()
            .option("--app-password")
            .read_by(CONNECT),
            Setting::new(
                "mastodon_token",
                Form::Text("an access token"),
                "The access token with which an account of a Mastodon server is connected.",
            )
            .or("asked for", "TOKEN")
            .secret()
            .option("--token")
            .read_by(CONNECT),
            Setting::new(
                "telegram_bot_token",
                Form::Text("NUMBER:LETTERS, from @BotFather"),
                "The token of the bot that posts to Telegram.",
            )
            .or("asked for", "123456:TOKEN")
            .secret()
            .option("--bot-token")
            .read_by(CONNECT),
            Setting::new(
                "discord_webhook_url",
                Form::Address,
                "The URL of the Discord channel's webhook, which is a secret: whoever has it can \
                 post.",
            )
            .or("asked for", "https://discord.com/api/webhooks/NUMBER/TOKEN")
            .secret()
            .option("--webhook-url")
            .read_by(CONNECT),
            Setting::new(
                "discord_bot_token",
                Form::Text("the token of a bot"),
                "The token of the bot that posts to a channel of Discord.",
            )
            .or("asked for", "TOKEN")
            .secret()
            .option("--bot-token")
            .read_by(CONNECT),
        ],
    },
    Group {
        heading: "The sandbox",
        words: "Imitations of the networks, to try everything without an account. Never on the \
                data of real accounts: the server refuses.",
        settings: &[
            Setting::new("sandbox", Form::Flag, "Whether the server runs on sandbox networks.")
                .default(|| false.to_string())
                .option("--sandbox")
                .read_by("serve, doctor"),
            Setting::new("sandbox_url", Form::Address, "A sandbox that is running already.")
                .or("the server starts one of its own", "http://127.0.0.1:8090")
                .guarded()
                .read_by("serve, doctor, accounts connect"),
        ],
    },
];
