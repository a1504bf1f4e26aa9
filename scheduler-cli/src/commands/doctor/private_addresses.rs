//! Whether callers can make a public server call addresses inside its own network.

use super::finding::{Finding, listed};
use super::id::Id;
use super::reach::is_public_address;
use super::subject::Subject;

/// Looks at the settings that let inner addresses through.
pub(super) fn check(subject: &Subject) -> Finding {
    let settings = &subject.settings;
    let (Some(networks), Some(media), Some(server)) =
        (&settings.networks, &settings.media, &settings.server)
    else {
        return Finding::skipped("their settings cannot be read");
    };
    let mut allowed = Vec::new();
    if networks.webhooks_allow_private {
        allowed.push("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE");
    }
    if media.allow_private {
        allowed.push("SCHEDULER_MEDIA_ALLOW_PRIVATE");
    }
    if allowed.is_empty() {
        return Finding::ok("callers cannot make the server call them");
    }
    let names = listed(&allowed);
    match &server.public_url {
        Some(url) if is_public_address(url) => Finding::warning(
            Id::PrivateAllowed,
            format!(
                "whoever has an API key of this public server can make it call addresses inside \
                 its own network, by {names}"
            ),
            format!("unset {names}; it is for development alone"),
        ),
        Some(_) | None => Finding::ok(format!("callers can make the server call them, by {names}")),
    }
}
