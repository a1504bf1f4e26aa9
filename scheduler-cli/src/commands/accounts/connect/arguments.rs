//! What `scheduler accounts connect` takes.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use clap::{Args, Subcommand};
use scheduler_core::platform::Platform;
use secrecy::SecretString;
use url::Url;

use super::{Secret, Wanted, Way};
use crate::config::StorageOptions;

/// An account to connect.
#[derive(Args, Debug)]
pub(crate) struct ConnectArguments {
    #[command(subcommand)]
    network: NetworkArguments,
}

#[derive(Debug, Subcommand)]
enum NetworkArguments {
    /// YouTube, on Google's own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect youtube\n  scheduler accounts connect youtube --sandbox"
    )]
    Youtube(PageArguments),
    /// TikTok, on its own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect tiktok\n  scheduler accounts connect tiktok --sandbox"
    )]
    Tiktok(PageArguments),
    /// Instagram, on its own page or through a Facebook page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect instagram\n  scheduler accounts connect instagram --sandbox"
    )]
    Instagram(PageArguments),
    /// Facebook pages, on Facebook's own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect facebook\n  scheduler accounts connect facebook --sandbox"
    )]
    Facebook(PageArguments),
    /// Threads, on its own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect threads\n  scheduler accounts connect threads --sandbox"
    )]
    Threads(PageArguments),
    /// X, on its own page; accounts that are connected already, unless the operator allows others
    #[command(
        after_help = "Examples:\n  scheduler accounts connect twitter\n  scheduler accounts connect twitter --sandbox"
    )]
    Twitter(PageArguments),
    /// LinkedIn members and pages, on LinkedIn's own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect linkedin\n  scheduler accounts connect linkedin --sandbox"
    )]
    Linkedin(PageArguments),
    /// Pinterest, on its own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect pinterest\n  scheduler accounts connect pinterest --sandbox"
    )]
    Pinterest(PageArguments),
    /// Bluesky, by app password
    #[command(
        after_help = "Examples:\n  scheduler accounts connect bluesky --identifier me.bsky.social\n  scheduler accounts connect bluesky --in-browser"
    )]
    Bluesky(BlueskyArguments),
    /// Mastodon, and servers that speak its API, by access token or on the server's own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect mastodon --instance mastodon.social\n  scheduler accounts connect mastodon --in-browser"
    )]
    Mastodon(MastodonArguments),
    /// Telegram channels and groups, by bot
    #[command(
        after_help = "Examples:\n  scheduler accounts connect telegram --chat @news\n  scheduler accounts connect telegram --connect-code 4711"
    )]
    Telegram(TelegramArguments),
    /// Discord channels, by webhook, by bot or on Discord's own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect discord\n  scheduler accounts connect discord --channel 112233445566778899"
    )]
    Discord(DiscordArguments),
    /// Tumblr blogs, on Tumblr's own page
    #[command(
        after_help = "Examples:\n  scheduler accounts connect tumblr\n  scheduler accounts connect tumblr --sandbox"
    )]
    Tumblr(PageArguments),
}

#[derive(Args, Debug)]
struct PageArguments {
    #[command(flatten)]
    link: LinkArguments,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct BlueskyArguments {
    /// The handle, such as me.bsky.social
    #[arg(
        long,
        required_unless_present_any = ["sandbox", "in_browser"],
        conflicts_with = "sandbox"
    )]
    identifier: Option<String>,
    /// The app password; asked for when left out [env: SCHEDULER_BLUESKY_APP_PASSWORD]
    #[arg(long, value_name = "PASSWORD", conflicts_with_all = ["sandbox", "in_browser"])]
    app_password: Option<SecretString>,
    /// The account's server, when it cannot be found by the handle
    #[arg(long, value_name = "URL", conflicts_with = "sandbox")]
    pds: Option<String>,
    #[command(flatten)]
    browser: BrowserArguments,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct MastodonArguments {
    /// The server, such as mastodon.social
    #[arg(
        long,
        value_name = "URL",
        required_unless_present_any = ["sandbox", "in_browser"],
        conflicts_with = "sandbox"
    )]
    instance: Option<String>,
    /// The access token; asked for when left out [env: SCHEDULER_MASTODON_TOKEN]
    #[arg(long, conflicts_with_all = ["sandbox", "in_browser"])]
    token: Option<SecretString>,
    #[command(flatten)]
    browser: BrowserArguments,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct TelegramArguments {
    /// The channel or group, such as @news, or its numeric id
    #[arg(
        long,
        required_unless_present_any = ["connect_code", "sandbox", "in_browser"],
        conflicts_with = "sandbox",
        allow_hyphen_values = true
    )]
    chat: Option<String>,
    /// For a chat without a name: a code of your own that you have posted there as /connect CODE
    #[arg(long, value_name = "CODE", conflicts_with_all = ["chat", "sandbox", "in_browser"])]
    connect_code: Option<String>,
    /// The token of the bot; asked for when left out [env: SCHEDULER_TELEGRAM_BOT_TOKEN]
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["sandbox", "in_browser"])]
    bot_token: Option<SecretString>,
    #[command(flatten)]
    browser: BrowserArguments,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct DiscordArguments {
    /// The URL of a webhook; asked for when left out [env: SCHEDULER_DISCORD_WEBHOOK_URL]
    #[arg(long, value_name = "URL", conflicts_with_all = ["sandbox", "in_browser", "channel"])]
    webhook_url: Option<SecretString>,
    /// The channel of the webhook is a forum
    #[arg(long, conflicts_with_all = ["sandbox", "in_browser", "channel"])]
    forum: bool,
    /// The id of a channel, to post there by a bot instead of a webhook
    #[arg(long, value_name = "ID", conflicts_with_all = ["sandbox", "in_browser"])]
    channel: Option<String>,
    /// The token of the bot; asked for when left out [env: SCHEDULER_DISCORD_BOT_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "channel")]
    bot_token: Option<SecretString>,
    #[command(flatten)]
    browser: BrowserArguments,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct BrowserArguments {
    /// Which account, by the network's id or its name, where what is given opens several
    #[arg(long, conflicts_with_all = ["sandbox", "in_browser"])]
    account: Option<String>,
    /// Print a link to a page of the server where it can be done, instead
    #[arg(long, conflicts_with = "sandbox")]
    in_browser: bool,
    #[command(flatten)]
    link: LinkArguments,
}

/// Where the link leads.
#[derive(Args, Debug)]
pub(super) struct LinkArguments {
    /// Print the link and end, instead of waiting until it was used
    #[arg(long, conflicts_with = "sandbox")]
    pub(super) no_wait: bool,
    /// How browsers reach the server [env: SCHEDULER_PUBLIC_URL] [default: http:// and --listen]
    #[arg(long, value_name = "URL")]
    pub(super) public_url: Option<Url>,
    /// The address that the server listens on [env: SCHEDULER_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(super) listen: Option<SocketAddr>,
}

#[derive(Args, Debug)]
pub(super) struct CommonArguments {
    /// One more account at the sandbox that SCHEDULER_SANDBOX_URL names
    #[arg(long)]
    pub(super) sandbox: bool,
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    pub(super) workspace: Option<String>,
    #[command(flatten)]
    pub(super) storage: StorageOptions,
}

impl ConnectArguments {
    /// What is to be done.
    pub(super) fn wanted(self) -> Wanted {
        use NetworkArguments as N;
        let (platform, page) = match self.network {
            N::Bluesky(arguments) => return bluesky(arguments),
            N::Mastodon(arguments) => return mastodon(arguments),
            N::Telegram(arguments) => return telegram(arguments),
            N::Discord(arguments) => return discord(arguments),
            N::Youtube(page) => (Platform::Youtube, page),
            N::Tiktok(page) => (Platform::Tiktok, page),
            N::Instagram(page) => (Platform::Instagram, page),
            N::Facebook(page) => (Platform::Facebook, page),
            N::Threads(page) => (Platform::Threads, page),
            N::Twitter(page) => (Platform::Twitter, page),
            N::Linkedin(page) => (Platform::Linkedin, page),
            N::Pinterest(page) => (Platform::Pinterest, page),
            N::Tumblr(page) => (Platform::Tumblr, page),
        };
        let PageArguments { link, common } = page;
        let way = match common.sandbox {
            true => Way::Sandbox,
            false => Way::Link { values: BTreeMap::new(), link },
        };
        Wanted { platform, way, common }
    }
}

fn bluesky(arguments: BlueskyArguments) -> Wanted {
    let BlueskyArguments { identifier, app_password, pds, browser, common } = arguments;
    let secret = Secret {
        name: "appPassword",
        given: app_password,
        key: "bluesky_app_password",
        prompt: "App password",
        option: "--app-password",
    };
    let values = named([("identifier", identifier), ("pds", pds)]);
    wanted(Platform::Bluesky, values, secret, browser, common)
}

fn mastodon(arguments: MastodonArguments) -> Wanted {
    let MastodonArguments { instance, token, browser, common } = arguments;
    let secret = Secret {
        name: "accessToken",
        given: token,
        key: "mastodon_token",
        prompt: "Access token",
        option: "--token",
    };
    wanted(Platform::Mastodon, named([("instance", instance)]), secret, browser, common)
}

fn telegram(arguments: TelegramArguments) -> Wanted {
    let TelegramArguments { chat, connect_code, bot_token, browser, common } = arguments;
    let secret = Secret {
        name: "botToken",
        given: bot_token,
        key: "telegram_bot_token",
        prompt: "Token of the bot",
        option: "--bot-token",
    };
    let values = named([("chatId", chat), ("connectCode", connect_code)]);
    wanted(Platform::Telegram, values, secret, browser, common)
}

fn discord(arguments: DiscordArguments) -> Wanted {
    let DiscordArguments { webhook_url, forum, channel, bot_token, browser, common } = arguments;
    let secret = if channel.is_some() {
        Secret {
            name: "botToken",
            given: bot_token,
            key: "discord_bot_token",
            prompt: "Token of the bot",
            option: "--bot-token",
        }
    } else {
        Secret {
            name: "webhookUrl",
            given: webhook_url,
            key: "discord_webhook_url",
            prompt: "URL of the webhook",
            option: "--webhook-url",
        }
    };
    let is_forum = forum.then(|| "true".to_owned());
    let values = named([("channelId", channel), ("isForum", is_forum)]);
    wanted(Platform::Discord, values, secret, browser, common)
}

fn wanted(
    platform: Platform,
    values: BTreeMap<String, String>,
    secret: Secret,
    browser: BrowserArguments,
    common: CommonArguments,
) -> Wanted {
    let way = if common.sandbox {
        Way::Sandbox
    } else if browser.in_browser {
        Way::Link { values, link: browser.link }
    } else {
        let mut values = values;
        values.extend(browser.account.map(|account| ("account".to_owned(), account)));
        Way::Given { values, secret }
    };
    Wanted { platform, way, common }
}

/// The values that are given, by the names that the network's adapter reads them by.
fn named<const COUNT: usize>(values: [(&str, Option<String>); COUNT]) -> BTreeMap<String, String> {
    let given = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    given.collect()
}
