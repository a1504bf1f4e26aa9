//! The names of all settings.

use scheduler_core::platform::Platform;

/// The keys of `scheduler.toml`, besides those of each network and the plans. The variable of a key is `SCHEDULER_` and the
/// key in capitals.
pub(crate) const KEYS: [&str; 44] = [
    "ai_key",
    "ai_model",
    "ai_timeout_seconds",
    "ai_url",
    "api_key",
    "bluesky_app_password",
    "connect_twitter",
    "data",
    "database",
    "deliveries_in_flight",
    "delivery_retry_seconds",
    "discord_bot_token",
    "discord_webhook_url",
    "ffmpeg",
    "ffprobe",
    "file_bytes_max",
    "files",
    "listen",
    "log",
    "log_format",
    "mastodon_token",
    "media_allow_private",
    "media_in_flight",
    "metrics_listen",
    "metrics_refresh_seconds",
    "metrics_token",
    "public_url",
    "publish_retry_seconds",
    "publishes_in_flight",
    "publishes_in_flight_per_network",
    "rate_limit_burst",
    "rate_limit_per_minute",
    "readings_in_flight",
    "role",
    "sandbox",
    "sandbox_url",
    "secret_key",
    "secret_key_file",
    "state",
    "telegram_bot_token",
    "uploads_per_minute",
    "url",
    "webhook_secret",
    "webhooks_allow_private",
];

/// What can be set of every network, each under the network's name: `youtube_client_id`.
pub(crate) const OF_NETWORKS: [&str; 5] =
    ["api_base", "api_version", "client_id", "client_secret", "scopes"];

/// Every key of `scheduler.toml`, besides the plans.
pub(crate) fn all() -> impl Iterator<Item = String> {
    let of = |platform: Platform| OF_NETWORKS.map(|name| of_network(platform, name));
    KEYS.into_iter().map(str::to_owned).chain(Platform::ALL.into_iter().flat_map(of))
}

/// The key of something that can be set of a network.
pub(crate) fn of_network(platform: Platform, name: &str) -> String {
    format!("{platform}_{name}")
}

/// True for a key that is read.
pub(crate) fn is_known(key: &str) -> bool {
    KEYS.contains(&key) || all().any(|known| known == key)
}

/// The table of `scheduler.toml` that replaces what the plans allow.
pub(crate) const PLANS: &str = "plans";

/// The variable of a key.
pub(crate) fn variable(key: &str) -> String {
    format!("{}{}", super::PREFIX, key.to_ascii_uppercase())
}

/// The known name that is most like an unknown one.
pub(crate) fn nearest<N: AsRef<str>>(unknown: &str, known: impl IntoIterator<Item = N>) -> String {
    let unknown = unknown.to_ascii_lowercase().replace('-', "_");
    known
        .into_iter()
        .min_by_key(|name| strsim::damerau_levenshtein(&unknown, name.as_ref()))
        .map(|name| name.as_ref().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        for (unknown, want) in [
            ("databse", "database"),
            ("public-url", "public_url"),
            ("PUBLIC_URL", "public_url"),
            ("rate_limit", "rate_limit_burst"),
            ("lissten", "listen"),
            ("publish_retries_seconds", "publish_retry_seconds"),
            ("youtube_clientid", "youtube_client_id"),
            ("bluesky_base", "bluesky_api_base"),
        ] {
            assert_eq!(nearest(unknown, all()), want, "{unknown}");
        }
    }

    #[test]
    fn what_is_known() {
        for (key, want) in [
            ("listen", true),
            ("mastodon_api_base", true),
            ("twitter_client_secret", true),
            ("friendster_client_id", false),
            ("client_id", false),
        ] {
            assert_eq!(is_known(key), want, "{key}");
        }
    }

    #[test]
    fn the_keys_are_sorted_and_each_stands_once() {
        assert!(KEYS.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
