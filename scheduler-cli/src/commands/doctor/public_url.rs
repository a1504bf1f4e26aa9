//! Whether the public URL leads to this server, and whether networks can fetch files from it.

use super::finding::{Finding, Id, needed};
use super::reach::{Behind, behind, look_up, unfit_for_networks};
use super::subject::Subject;

/// Networks that take some files by their address alone.
pub(super) const FETCHING: &str = "Instagram, Threads and TikTok (photos)";

/// Looks the name up, asks who answers, and tells whether networks could fetch from there.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let server = needed(&subject.settings.server, "its setting cannot be read")?;
    let Some(url) = &server.public_url else {
        if subject.has_sandbox() {
            return Ok(Finding::ok("it is not set, which the sandbox networks do not need"));
        }
        let found = format!("it is not set: {FETCHING} cannot fetch files from this server");
        let advice = "set --public-url to the https address that leads to it";
        return Err(unfit(subject, Id::PublicUrlUnset, found, advice));
    };
    let shown = url.as_str().trim_end_matches('/');
    let addresses = look_up(url).await.map_err(|reason| {
        let advice = "correct the DNS record of the name, or --public-url";
        Finding::problem(Id::PublicUrlName, reason, advice)
    })?;
    match behind(&subject.client, url).await {
        Behind::Scheduler => {}
        Behind::Other(status) => {
            return Err(Finding::problem(
                Id::PublicUrlElsewhere,
                format!("{shown} is answered by something else, with status {status}"),
                "lead it to this server, such as by a reverse proxy, or correct --public-url",
            ));
        }
        Behind::Nothing(reason) if subject.runs_here().await => {
            return Err(Finding::problem(
                Id::PublicUrlUnreachable,
                format!("{reason}, though the server runs"),
                "see the reverse proxy, the certificate and the firewall, or correct --public-url",
            ));
        }
        Behind::Nothing(reason) => {
            return Err(Finding::warning(
                Id::ServerNotRunning,
                format!("{reason}; the server does not run where --listen says"),
                "start it by `scheduler serve` and run this again, or correct --listen",
            ));
        }
    }
    Ok(match unfit_for_networks(url, &addresses) {
        Some(_) if subject.has_sandbox() => {
            Finding::ok(format!("{shown} leads to a scheduler; the sandbox networks reach it"))
        }
        Some(reason) => {
            let found = format!("{FETCHING} cannot fetch files from {shown}: {reason}");
            let advice = "set --public-url to a public https address of this server";
            unfit(subject, Id::PublicUrlPrivate, found, advice)
        }
        None => Finding::ok(format!("{shown} leads to a scheduler")),
    })
}

/// A problem where an account needs it, else a warning.
pub(super) fn unfit(subject: &Subject, id: Id, found: String, advice: &str) -> Finding {
    if subject.has_fetching_accounts() {
        Finding::problem(id, found, advice)
    } else {
        Finding::warning(id, found, advice)
    }
}
