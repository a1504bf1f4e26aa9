//! The names of all settings.

/// The keys of `scheduler.toml`, besides the plans. The variable of a key is `SCHEDULER_` and the
/// key in capitals.
pub(crate) const KEYS: [&str; 35] = [
    "api_key",
    "bluesky_api_base",
    "bluesky_app_password",
    "connect_twitter",
    "data",
    "database",
    "deliveries_in_flight",
    "delivery_retry_seconds",
    "ffmpeg",
    "ffprobe",
    "file_bytes_max",
    "files",
    "listen",
    "log",
    "log_format",
    "mastodon_api_base",
    "mastodon_token",
    "media_allow_private",
    "media_in_flight",
    "public_url",
    "publish_retry_seconds",
    "publishes_in_flight",
    "publishes_in_flight_per_network",
    "rate_limit_burst",
    "rate_limit_per_minute",
    "role",
    "sandbox",
    "sandbox_url",
    "secret_key",
    "secret_key_file",
    "state",
    "uploads_per_minute",
    "url",
    "webhook_secret",
    "webhooks_allow_private",
];

/// The table of `scheduler.toml` that replaces what the plans allow.
pub(crate) const PLANS: &str = "plans";

/// The variable of a key.
pub(crate) fn variable(key: &str) -> String {
    format!("{}{}", super::PREFIX, key.to_ascii_uppercase())
}

/// The known name that is most like an unknown one.
pub(crate) fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> &'a str {
    let unknown = unknown.to_ascii_lowercase().replace('-', "_");
    known
        .into_iter()
        .min_by_key(|name| strsim::damerau_levenshtein(&unknown, name))
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
        ] {
            assert_eq!(nearest(unknown, KEYS), want, "{unknown}");
        }
    }

    #[test]
    fn the_keys_are_sorted_and_each_stands_once() {
        assert!(KEYS.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
