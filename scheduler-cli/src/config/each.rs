//! What can be set of every network and of every plan.

use scheduler_core::platform::{AppSettings, Platform};

use super::setting::{Form, Setting};

const SERVERS: &str = "serve, doctor";
const NETWORKS: &str = "serve, doctor, accounts connect";

/// What can be set of every network, each under the network's name: `youtube_client_id`.
pub(crate) const OF_NETWORKS: [Setting; 5] = [
    Setting::new(
        "client_id",
        Form::Text("what the network hands out"),
        "The id of your application at the network. `scheduler accounts connect NETWORK` says \
         where it is registered.",
    )
    .example("ID")
    .read_by(NETWORKS),
    Setting::new(
        "client_secret",
        Form::Text("what the network hands out"),
        "The secret of your application at the network.",
    )
    .example("SECRET")
    .secret()
    .read_by(NETWORKS),
    Setting::new(
        "scopes",
        Form::Text("names with spaces between"),
        "What a person is asked to allow, where your application is not granted everything that \
         is asked for otherwise.",
    )
    .or("everything that can be used", "SCOPE ANOTHER_SCOPE")
    .read_by("serve, accounts connect"),
    Setting::new(
        "api_version",
        Form::Text("a version as the network writes it"),
        "The version of the network's interface, in place of the one that this program was \
         written for. `scheduler doctor` tells 60 days before one ends.",
    )
    .or("the version that this program was written for", "v1")
    .read_by(NETWORKS),
    Setting::new(
        "api_base",
        Form::Address,
        "An address in place of all of the network's own: a proxy, or an imitation of it.",
    )
    .or("the network's own", "https://network.example.com")
    .guarded()
    .read_by(NETWORKS),
];

/// What can be set of every plan, each in a table of the plan: `[plans.free]`.
pub(crate) const OF_PLANS: [Setting; 7] = [
    Setting::new("posts_a_month", Form::Amount, "How many posts go out in a calendar month (UTC).")
        .read_by(SERVERS),
    Setting::new(
        "channels",
        Form::Amount,
        "How many accounts can be connected. Those above it are paused.",
    )
    .read_by(SERVERS),
    Setting::new(
        "upload_bytes_a_month",
        Form::Bytes(0),
        "How many bytes of files can be uploaded in a calendar month (UTC).",
    )
    .read_by(SERVERS),
    Setting::new("file_bytes", Form::Bytes(0), "The largest file.").read_by(SERVERS),
    Setting::new("api", Form::Flag, "Whether API keys and webhooks can be made.").read_by(SERVERS),
    Setting::new(
        "captions_a_month",
        Form::Amount,
        "How many captions the assistant writes in a calendar month (UTC).",
    )
    .read_by(SERVERS),
    Setting::new(
        "reviews_a_month",
        Form::Amount,
        "How many posts the assistant reviews in a calendar month (UTC).",
    )
    .read_by(SERVERS),
];

/// True for a setting that a network's adapter reads. The others are taken and do nothing.
pub(crate) fn is_read(platform: Platform, name: &str) -> bool {
    match platform.sheet().connecting.settings {
        AppSettings::AddressOnly => name == "api_base",
        AppSettings::WithoutVersion => name != "api_version",
        AppSettings::All => true,
    }
}
