//! Whether callers can make a public server call addresses inside its own network.

use super::finding::{Finding, Id, listed, needed};
use super::reach::is_public_address;
use super::subject::Subject;

/// Looks at the settings that let inner addresses through.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let (settings, why_not) = (&subject.settings, "their settings cannot be read");
    let networks = needed(&settings.networks, why_not)?;
    let media = needed(&settings.media, why_not)?;
    let server = needed(&settings.server, why_not)?;
    let mut allowed = vec![
        (networks.webhooks_allow_private, "SCHEDULER_WEBHOOKS_ALLOW_PRIVATE"),
        (media.allow_private, "SCHEDULER_MEDIA_ALLOW_PRIVATE"),
        (networks.oauth_allow_private, "SCHEDULER_OAUTH_ALLOW_PRIVATE"),
    ];
    allowed.retain(|(is_allowed, _)| *is_allowed);
    if allowed.is_empty() {
        return Ok(Finding::ok("callers cannot make the server call them"));
    }
    let names = listed(&allowed.into_iter().map(|(_, name)| name).collect::<Vec<_>>());
    Ok(match &server.public_url {
        Some(url) if is_public_address(url) => Finding::warning(
            Id::PrivateAllowed,
            format!(
                "whoever has an API key of this public server can make it call addresses inside \
                 its own network, by {names}"
            ),
            format!("unset {names}; it is for development alone"),
        ),
        Some(_) | None => Finding::ok(format!("callers can make the server call them, by {names}")),
    })
}
