//! Every setting, declared once: its key, what it does, the type that its value is read as,
//! how it is written, what holds otherwise, and who reads it. Reading, the example file,
//! `scheduler config` and the check of names are made from these tables.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::app::{FILE_BYTES_MAX, REFRESH_EVERY};
use scheduler_core::openid::Issuer;
use scheduler_core::platform::Amount as Money;
use scheduler_core::retry::Waits;
use scheduler_core::session::Role;
use scheduler_core::webhook::HISTORY_KEPT;
use scheduler_http::{ConnectionLimits, RateLimit};
use scheduler_networks::assistant::TIME_LIMIT;
use scheduler_store::{FREE_BYTES_MIN, FilesUrl};
use scheduler_worker::WorkerSettings;
use tracing_subscriber::filter::Targets;
use url::Url;

use super::setting::Form::{
    Address, Amount, Bytes, Count, Days, File, Flag, Folder, Seconds, Socket, Text, Waits as Five,
};
use super::setting::{Group, Key, Setting};
use super::value::{
    DEFAULT_LISTEN, DatabaseUrl, LogFormat, Origins, PublicUrl, Roles, ServerUrl, waits_text,
};

/// Seconds that a call of the text model may take at most; more is surely a mistake.
const LONGEST_CALL_SECONDS: u64 = 600;

/// Days that history can be kept at most; more is surely a mistake.
const LONGEST_DAYS: u64 = 3_650;

const EVERY: &str = "every command";
const SERVERS: &str = "serve, doctor";
const APPLICATION: &str = "serve, doctor, migrate, backup, export, workspace, keys, accounts, \
                           schedule, deliveries, approvals";
const LINKS: &str = "serve, doctor, accounts connect, approvals";
const CLIENTS: &str = "every command that talks to a server";
const CONNECT: &str = "accounts connect";
const NETWORKS: &str = "serve, doctor, accounts connect";

/// Declares a static of keys, a field each, and its groups. The documentation of a field is what
/// people read of the setting.
macro_rules! settings {
    ($keys:ident: $type:ident, $groups:ident; $($heading:literal, $words:literal {
        $($(#[doc = $meaning:literal])+ $key:ident: $value:ty =
            $new:ident($($given:expr),*) $(.$also:ident($($with:expr),* $(,)?))*,)+
    })+) => {
        pub(crate) struct $type {
            $($($(#[doc = $meaning])+ pub(crate) $key: Key<$value>,)+)+
        }

        pub(crate) static $keys: $type = $type {
            $($($key: Key::new(
                stringify!($key),
                concat!($($meaning),+),
                Setting::$new($($given),*)$(.$also($($with),*))*,
            ),)+)+
        };

        pub(crate) static $groups: &[Group] = &[$(Group {
            heading: $heading,
            words: $words,
            settings: &[$(&$keys.$key.setting,)+],
        },)+];
    };
}

settings! {
    KEYS: Keys, GROUPS;
    "The server", "" {
        /// Where the API listens. Port 0 takes a free one, which is printed.
        listen: SocketAddr = new(Socket, LINKS)
            .default(|| DEFAULT_LISTEN.to_string()).option("--listen"),
        /// How callers, networks and browsers reach this server: signed links to files, and the
        /// pages on which accounts are connected, begin with it. Most networks need https here.
        public_url: PublicUrl = new(Address, LINKS)
            .or("http:// and the address that it listens on", "https://scheduler.example.com")
            .option("--public-url"),
        /// Where GET /metrics is answered instead of at the API's address, to whoever reaches it. A
        /// process that only works (role = "worker") shows its metrics nowhere else.
        metrics_listen: SocketAddr = new(Socket, SERVERS)
            .or("the API's address", "127.0.0.1:9464"),
        /// What whoever reads GET /metrics has to show as a bearer token. Without it the API's
        /// address shows them to programs of this machine alone, and never through a proxy that
        /// says for whom it asks.
        metrics_token: String = new(Text("a text without spaces"), SERVERS)
            .or("none", "a-long-random-text").secret(),
        /// What this process does: answer requests, do what is due, or both.
        role: Roles = new(Text("api, worker, or api,worker"), SERVERS)
            .default(|| "api,worker".to_owned()).option("--role"),
    }
    "Where everything is kept", "" {
        /// The folder of the database, of files and of the secret key, as far as these are not
        /// named apart. It is made on the first start.
        data: PathBuf = new(Folder, APPLICATION)
            .default(|| "./data".to_owned()).option("--data"),
        /// The database. Several servers may share one PostgreSQL, never one SQLite file.
        database: DatabaseUrl =
            new(Text("sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME"), APPLICATION)
            .or(
                "sqlite: and scheduler.db in the data folder",
                "postgres://scheduler@db.example.com/scheduler",
            )
            .guarded().option("--database"),
        /// Where the bytes of files are kept. The keys of a bucket stand in AWS_ACCESS_KEY_ID and
        /// AWS_SECRET_ACCESS_KEY.
        files: FilesUrl =
            new(Text("a folder, or s3://BUCKET/PREFIX?endpoint=…&region=…"), APPLICATION)
            .or(
                "files in the data folder",
                "s3://media/scheduler?endpoint=https://s3.example.com&region=eu-central-1",
            )
            .guarded().option("--files"),
        /// For how many days events, and their deliveries to webhooks with all attempts, are kept
        /// after they have ended, and who changed what. Posts, files and figures are not among
        /// them.
        history_days: TimeDelta = new(Days(LONGEST_DAYS), SERVERS)
            .default(|| HISTORY_KEPT.num_days().to_string()),
        /// The key that seals tokens of accounts and secrets of webhooks. Servers that share a
        /// database share it. Without it every account has to be connected again. Earlier keys may
        /// follow, with commas between: they still open what they have sealed (`scheduler secrets
        /// rotate`).
        secret_key: String = new(Text("32 bytes as 64 hex digits or as base64"), APPLICATION)
            .or(
                "the key in secret_key_file",
                "0000000000000000000000000000000000000000000000000000000000000000",
            )
            .secret(),
        /// The file that holds this key. secret_key comes before it.
        secret_key_file: PathBuf = new(File, APPLICATION)
            .or(
                "secret.key in the data folder, which the first start makes with mode 0600",
                "/etc/scheduler/secret.key",
            ),
        /// What seals the files that `scheduler backup --sealed` makes, and opens them for
        /// `scheduler restore`.
        backup_passphrase: String = new(Text("a text of 15 characters or more"), "backup, restore")
            .or("asked for at the terminal", "a long sentence that nobody else knows").secret(),
    }
    "How much at once",
    "Workspaces share what a process does at once: one gets another place only while more \
     are free than it holds, so it never holds more than half." {
        /// How many posts this process publishes at the same time at most.
        publishes_in_flight: u32 = count(SERVERS, || worker().publishes.to_string()),
        /// How many of them go to one network at most.
        publishes_in_flight_per_network: u32 = count(SERVERS, || worker().per_network.to_string()),
        /// How many events it delivers to webhooks at the same time at most.
        deliveries_in_flight: u32 = count(SERVERS, || worker().deliveries.to_string()),
        /// How many files it fetches from other addresses at the same time at most.
        fetches_in_flight: u32 = count(SERVERS, || worker().fetches.to_string()),
        /// How many files it examines at the same time at most.
        examinations_in_flight: u32 = count(SERVERS, || worker().examinations.to_string()),
        /// How many files it gives up or erases at the same time at most.
        erasures_in_flight: u32 = count(SERVERS, || worker().erasures.to_string()),
        /// Of how many accounts it reads figures at the same time at most.
        readings_in_flight: u32 = count(SERVERS, || worker().readings.to_string()),
        /// How many requests a minute one API key may make in the long run.
        rate_limit_per_minute: NonZeroU32 =
            count(SERVERS, || RateLimit::default().per_minute.to_string()),
        /// How many requests one API key may make at once.
        rate_limit_burst: NonZeroU32 = count(SERVERS, || RateLimit::default().burst.to_string()),
        /// How many uploads a workspace may begin within any minute.
        uploads_per_minute: NonZeroU32 = count(SERVERS, || "60".to_owned()),
        /// How many times a minute one API key may create many posts at once in the long run, twice
        /// as often at once; those that are only checked count for themselves.
        batches_per_minute: NonZeroU32 = count(SERVERS, || "10".to_owned()),
        /// How many connections of callers are held at the same time at most. When there are more,
        /// those go first that rest for longest and have shown no key.
        connections_max: NonZeroU32 =
            count(SERVERS, || ConnectionLimits::default().all.to_string()),
        /// How many of them may come from one address, but for those of this machine: a proxy on
        /// another machine needs more.
        connections_per_address: NonZeroU32 = new(Count, SERVERS)
            .or("a quarter of connections_max", "1000"),
        /// The origins whose pages may read answers of the API in a browser, with commas between.
        allowed_origins: Origins = new(Text("origins with commas between"), SERVERS)
            .or("none", "https://app.example.com"),
        /// How long a workspace waits between two requests for fresh figures.
        metrics_refresh_seconds: TimeDelta = new(Seconds(None), SERVERS)
            .default(|| REFRESH_EVERY.num_seconds().to_string()),
    }
    "What fails for now",
    "Five waits make six attempts; then trying stops. Each wait is lengthened or shortened \
     by up to a tenth." {
        /// The waits before a publish that failed for now is tried again.
        publish_retry_seconds: [TimeDelta; 5] = new(Five, SERVERS)
            .default(|| waits_text(&Waits::default().publish)),
        /// The waits before an event that a webhook did not take is sent again.
        delivery_retry_seconds: [TimeDelta; 5] = new(Five, SERVERS)
            .default(|| waits_text(&Waits::default().delivery)),
    }
    "What posts cost", "" {
        /// What the posts of an account may cost in a calendar month of UTC, in the currency of its
        /// network: X charges US dollars for each post. A publish that begins counts once, by the
        /// prices that the dry run tells; one for which no room is left fails and can be retried.
        account_monthly_cap: Money = new(Text("an amount, with at most three decimal places"), SERVERS)
            .or("no bound", "5.00"),
    }
    "Files and webhooks", "" {
        /// Whether the pages that posts link to are read as the posts are saved, so that the cards of
        /// links on Bluesky and LinkedIn have their titles and pictures. Only public addresses with
        /// https are.
        read_link_pages: bool = new(Flag, SERVERS)
            .or("true; false on a sandbox", "false"),
        /// The largest file that the server takes, whatever a plan allows.
        file_bytes_max: u64 = new(Bytes(1), SERVERS)
            .default(|| FILE_BYTES_MAX.to_string()),
        /// How much of the disk files leave free, where they are kept in a folder: below it uploads
        /// are refused (507 storage_full), and publishing goes on.
        files_free_bytes_min: u64 = new(Bytes(0), SERVERS)
            .default(|| FREE_BYTES_MIN.to_string()),
        /// The program that measures films. Without it they are measured from their headers.
        ffprobe: PathBuf = new(File, SERVERS)
            .or("ffprobe, searched for in PATH", "/usr/bin/ffprobe"),
        /// The program that makes previews of films. Without it films have none.
        ffmpeg: PathBuf = new(File, SERVERS)
            .or("ffmpeg, searched for in PATH", "/usr/bin/ffmpeg"),
        /// Whether files may be fetched from private addresses and without https. For development:
        /// whoever has an API key reaches your network through it.
        media_allow_private: bool = flag(SERVERS),
        /// Whether events may be sent to any address, this machine's and private ones included,
        /// and without https. For development, and for receivers of your own network: whoever has
        /// an API key reaches them through it.
        webhooks_allow_private: bool = flag(SERVERS),
        /// Whether programs that people connect by OAuth may describe themselves at private
        /// addresses. For programs of your own network: whoever is signed in makes the server call
        /// them.
        oauth_allow_private: bool = flag(SERVERS),
    }
    "The assistant", "Without ai_url and ai_model nothing is sent to any model." {
        /// Where a text model answers in the usual form of chat endpoints: the address that
        /// /chat/completions is appended to.
        ai_url: Url = new(Address, SERVERS).example("http://127.0.0.1:11434/v1")
            .guarded(),
        /// Which model to ask there.
        ai_model: String = new(Text("the name of a model"), SERVERS)
            .example("llama3.1"),
        /// The key of the endpoint, where it wants one.
        ai_key: String = new(Text("what the endpoint calls an API key"), SERVERS)
            .example("KEY").secret(),
        /// How long one call of the model may take.
        ai_timeout_seconds: Duration = new(Seconds(Some(LONGEST_CALL_SECONDS)), SERVERS)
            .default(|| TIME_LIMIT.as_secs().to_string()),
    }
    "Mail", "Without smtp_url and mail_from nobody is told anything by e-mail." {
        /// The server that mail is handed over to.
        smtp_url: String =
            new(Text("smtps://USER:PASSWORD@HOST, or smtp://HOST:PORT?tls=required"), SERVERS)
            .example("smtps://scheduler:PASSWORD@mail.example.com").secret(),
        /// Whom mail is from.
        mail_from: String = new(Text("a mailbox"), SERVERS)
            .example("Scheduler <scheduler@example.com>"),
    }
    "Signing in with an OpenID provider",
    "Without openid_issuer and openid_client_id nobody signs in so. Register this server there as a \
     web application, with /signin/openid/callback behind its public address as the redirect \
     address. Nobody signs up: [[openid.allow]] at the end of this file says who is let in." {
        /// The address that the provider calls itself by, letter by letter as its document has it.
        /// It may be inside your network. Plain http does only for this machine itself.
        openid_issuer: Issuer = new(Address, SERVERS)
            .example("https://accounts.example.com"),
        /// The id of this server at the provider.
        openid_client_id: String = new(Text("what the provider hands out"), SERVERS)
            .example("ID"),
        /// The secret of this server at the provider. One that is registered as a public client has
        /// none.
        openid_client_secret: String = new(Text("what the provider hands out"), SERVERS)
            .or("none", "SECRET").secret(),
        /// What people call the provider: the button on the page for signing in says "Sign in with"
        /// and this.
        openid_name: String = new(Text("a name of 1 to 40 characters"), SERVERS)
            .or("the host of openid_issuer", "Example"),
    }
    "The log", "It goes to standard error." {
        /// What goes into the log.
        log: Targets =
            new(Text("off, error, warn, info, debug or trace, also by module"), EVERY)
            .or("info for servers, warn for other commands", "info,sqlx=warn"),
        /// Whether its lines are for a person, or JSON objects.
        log_format: LogFormat = new(Text("pretty or json"), EVERY)
            .default(|| "pretty".to_owned()),
    }
    "Commands that talk to a server", "" {
        /// The server, with or without /v1.
        url: ServerUrl = new(Address, CLIENTS)
            .default(|| format!("http://{DEFAULT_LISTEN}")).option("--url"),
        /// The API key. `scheduler keys create` makes one.
        api_key: String = new(Text("sk_ and 43 letters and digits"), CLIENTS)
            .example("sk_0000000000000000000000000000000000000000000").secret().option("--api-key"),
        /// Where interrupted uploads are remembered, so that they can go on.
        state: PathBuf = new(Folder, "post, posts edit, media upload")
            .or(
                "scheduler in the user's folder for states (XDG_STATE_HOME)",
                "/var/lib/scheduler-uploads",
            )
            .option("--state"),
        /// The secret that events are verified with.
        webhook_secret: String = new(Text("whsec_ and 43 letters and digits"), "webhooks listen")
            .or(
                "that of a webhook that is added for the time",
                "whsec_0000000000000000000000000000000000000000000",
            )
            .secret().option("--secret"),
    }
    "Connecting accounts", "" {
        /// Whether accounts of X can be connected, and send files. Those that are connected
        /// already send texts either way.
        connect_twitter: bool = flag("serve, accounts connect"),
        /// The app password with which an account of Bluesky is connected.
        bluesky_app_password: String = new(Text("xxxx-xxxx-xxxx-xxxx"), CONNECT)
            .or("asked for", "abcd-efgh-ijkl-mnop").secret().option("--app-password"),
        /// The access token with which an account of a Mastodon server is connected.
        mastodon_token: String = new(Text("an access token"), CONNECT)
            .or("asked for", "TOKEN").secret().option("--token"),
        /// The token of the bot that posts to Telegram.
        telegram_bot_token: String = new(Text("NUMBER:LETTERS, from @BotFather"), CONNECT)
            .or("asked for", "123456:TOKEN").secret().option("--bot-token"),
        /// The URL of the Discord channel's webhook, which is a secret: whoever has it can post.
        discord_webhook_url: String = new(Address, CONNECT)
            .or("asked for", "https://discord.com/api/webhooks/NUMBER/TOKEN").secret()
            .option("--webhook-url"),
        /// The token of the bot that posts to a channel of Discord.
        discord_bot_token: String = new(Text("the token of a bot"), CONNECT)
            .or("asked for", "TOKEN").secret().option("--bot-token"),
    }
    "The sandbox",
    "Imitations of the networks, to try everything without an account. Never on the data of \
     real accounts: the server refuses." {
        /// Whether the server runs on sandbox networks.
        sandbox: bool = flag("serve, doctor")
            .option("--sandbox"),
        /// A sandbox that is running already.
        sandbox_url: Url = new(Address, "serve, doctor, accounts connect, sandbox")
            .or("the server starts one of its own", "http://127.0.0.1:8090").guarded()
            .option("--sandbox-url"),
    }
}

// What can be set of every network, each under the network's name: `youtube_client_id`.
settings! {
    OF_NETWORKS: OfNetworks, NETWORK_GROUPS;
    "The networks", "Bluesky, Mastodon and Telegram need no application of yours." {
        /// The id of your application at the network. `scheduler accounts connect NETWORK` says
        /// where it is registered.
        client_id: String = new(Text("what the network hands out"), NETWORKS).example("ID"),
        /// The secret of your application at the network.
        client_secret: String = new(Text("what the network hands out"), NETWORKS)
            .example("SECRET").secret(),
        /// What a person is asked to allow, where your application is not granted everything that
        /// is asked for otherwise.
        scopes: String = new(Text("names with spaces between"), "serve, accounts connect")
            .or("everything that can be used", "SCOPE ANOTHER_SCOPE"),
        /// The version of the network's interface, in place of the one that this program was
        /// written for. `scheduler doctor` tells 60 days before one ends.
        api_version: String = new(Text("a version as the network writes it"), NETWORKS)
            .or("the version that this program was written for", "VERSION"),
        /// An address in place of all of the network's own: a proxy, a server of your own, or an
        /// imitation. It may be within your network and without https.
        api_base: Url = new(Address, NETWORKS)
            .or("the network's own", "https://network.example.com").guarded(),
        /// The largest video that the server at NETWORK_api_base takes, where it takes larger ones
        /// than the network's own.
        file_bytes_max: u64 = new(Bytes(1), NETWORKS)
            .or("what the network's own takes", "2000000000"),
        /// Whether the server at NETWORK_api_base runs on this machine and reads files by their
        /// paths, so that their bytes need not be sent to it. It has to be allowed to read them.
        reads_local_files: bool = new(Flag, NETWORKS)
            .or("their bytes are sent", "true"),
    }
}

// What is said of everybody whom an OpenID provider may let in, each in a table of their own:
// `[[openid.allow]]`.
settings! {
    OF_ALLOWED: OfAllowed, ALLOWED_GROUPS;
    "Who is let in by the OpenID provider",
    "A table for each person, with an e-mail address or a subject; whoever is not here is not let \
     in. Somebody may have several, for another role in another workspace. These tables stand at \
     the end of the file: what follows them would belong to them. No variables reach them." {
        /// The e-mail address of somebody. It counts only when the provider says that it is
        /// confirmed; its case does not matter.
        email: String = new(Text("an e-mail address"), SERVERS).example("ada@example.com"),
        /// What the provider calls somebody, in place of an address: the claim sub.
        subject: String = new(Text("a text"), SERVERS).example("248289761001"),
        /// What they may do.
        role: Role = new(Text("reader, drafter, editor or owner"), SERVERS).example("editor"),
        /// The names or ids of the workspaces that they may open, or "*" for all; without it the
        /// only one of the server.
        workspaces: Vec<String> = new(Text("a list of names"), SERVERS).example("default"),
        /// What they are called here, such as in the log; without it as the provider calls them.
        name: String = new(Text("a name"), SERVERS).example("Ada"),
    }
}

// What can be set of every plan, each in a table of the plan: `[plans.free]`.
settings! {
    OF_PLANS: OfPlans, PLAN_GROUPS;
    "The plans",
    "What each plan allows; `scheduler workspace set-plan` gives one to a workspace. A workspace \
     of your own is on studio. These tables stand at the end of the file: what follows them \
     would belong to them. No variables reach them." {
        /// How many posts go out in a calendar month (UTC).
        posts_a_month: u64 = new(Amount, SERVERS),
        /// How many accounts can be connected. Those above it are paused.
        channels: u64 = new(Amount, SERVERS),
        /// How many bytes of files can be uploaded in a calendar month (UTC).
        upload_bytes_a_month: u64 = new(Bytes(0), SERVERS),
        /// The largest file.
        file_bytes: u64 = new(Bytes(0), SERVERS),
        /// Whether API keys and webhooks can be made.
        api: bool = new(Flag, SERVERS),
        /// How many captions the assistant writes in a calendar month (UTC).
        captions_a_month: u64 = new(Amount, SERVERS),
        /// How many posts the assistant reviews in a calendar month (UTC).
        reviews_a_month: u64 = new(Amount, SERVERS),
    }
}

fn worker() -> WorkerSettings {
    WorkerSettings::default()
}
