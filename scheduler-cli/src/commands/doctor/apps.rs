//! Whether the operator's applications at the networks are set up whole.

use scheduler_core::platform::Platform;

use super::finding::{Finding, Id, listed};
use super::subject::Subject;
use crate::sandboxed::is_of_a_sandbox;

/// Looks for halves of applications, and for accounts whose tokens only an application renews.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    if subject.has_sandbox() {
        return Err(Finding::ok("sandbox networks need none"));
    }
    let (mut set, mut findings) = (Vec::new(), Vec::new());
    for (platform, app) in &subject.settings.apps {
        let renewed = subject.accounts().any(|connected| {
            let ends = connected.credentials.as_ref().is_ok_and(|stored| {
                stored.as_ref().is_some_and(|stored| stored.credentials.expires_at.is_some())
            });
            connected.account.platform == *platform && ends && !is_of_a_sandbox(&connected.account)
        });
        match of_app(*platform, *app, renewed) {
            Some(finding) => findings.push(finding),
            None if app.0 => set.push(platform.sheet().name),
            None => {}
        }
    }
    if !set.is_empty() {
        findings.insert(0, Finding::ok(format!("set up at {}", listed(&set))));
    }
    if findings.is_empty() {
        findings.push(Finding::ok("none is set up, and no connected account needs one"));
    }
    Ok(findings)
}

/// What is wrong with an application that has an id and a secret, or not; `renewed` says whether
/// tokens of accounts run out that it would renew.
fn of_app(platform: Platform, app: (bool, bool), renewed: bool) -> Option<Finding> {
    let name = platform.sheet().name;
    let variable =
        |end: &str| format!("SCHEDULER_{}_{end}", platform.as_str().to_ascii_uppercase());
    let (id, secret) = (variable("CLIENT_ID"), variable("CLIENT_SECRET"));
    let registration = platform.sheet().connecting.registration;
    let place = registration.map_or_else(String::new, |it| format!(" ({})", it.url));
    match app {
        (true, false) if registration.is_some() => Some(Finding::problem(
            Id::AppSecretMissing,
            format!("{name}: {id} is set, but {secret} is not; accounts cannot be connected"),
            format!("set {secret}, which the network shows beside the id{place}"),
        )),
        (false, true) => Some(Finding::problem(
            Id::AppIdMissing,
            format!("{name}: {secret} is set, but {id} is not; the secret alone is not used"),
            format!("set {id}, which the network shows beside the secret{place}"),
        )),
        (false, false) if renewed && platform.sheet().connecting.tokens.renewed_by_app => {
            Some(Finding::problem(
                Id::AppMissing,
                format!(
                    "{name}: tokens of connected accounts run out, and no application renews them"
                ),
                format!(
                    "set {id} and {secret} to those that the accounts were connected by{place}"
                ),
            ))
        }
        (true, _) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_applications() {
        for (name, platform, has_id, has_secret, renewed, want) in [
            ("whole", Platform::Youtube, true, true, true, None),
            ("none needed", Platform::Youtube, false, false, false, None),
            ("no secret", Platform::Youtube, true, false, false, Some(Id::AppSecretMissing)),
            ("no id", Platform::Linkedin, false, true, false, Some(Id::AppIdMissing)),
            ("none, and needed", Platform::Tiktok, false, false, true, Some(Id::AppMissing)),
            ("renewed without one", Platform::Bluesky, false, false, true, None),
        ] {
            let found = of_app(platform, (has_id, has_secret), renewed);
            assert_eq!(found.and_then(|found| found.id), want, "{name}");
        }
    }
}
