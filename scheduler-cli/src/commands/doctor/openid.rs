//! Whether the OpenID provider answers, and whom it lets in.

use scheduler_core::openid::{AllowList, EVERY_WORKSPACE};
use scheduler_core::ports::IdentityError;
use scheduler_core::workspace::Workspace;
use scheduler_networks::openid::OpenIdProvider;

use super::finding::{Finding, Id, chain, listed, needed};
use super::subject::Subject;
use crate::config::LettingIn;

/// Asks the provider for what it says of itself, and looks whether those who are let in find a
/// workspace.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let set = needed(&subject.settings.openid, "the settings of the provider cannot be read")?;
    let Some(openid) = set else {
        return Err(Finding::ok("none is set, and people sign in with a link or a key"));
    };
    let mut findings = vec![of_provider(subject, openid).await];
    // What others may open is nothing that the owner of one workspace is told.
    if !subject.is_of_one_workspace {
        let stored = subject.stored.as_ref().ok().and_then(Option::as_ref);
        let workspaces = stored.map(|stored| {
            stored.workspaces.iter().map(|held| held.workspace.clone()).collect::<Vec<_>>()
        });
        findings.extend(of_list(&openid.allow, workspaces.as_deref()));
    }
    Ok(findings)
}

async fn of_provider(subject: &Subject, openid: &LettingIn) -> Finding {
    let name = &openid.name;
    let unreachable = |found: String| {
        let advice = "see that openid_issuer is right, and that this machine reaches it by https";
        Finding::problem(
            Id::OpenidUnreachable,
            format!("nobody signs in with {name}: {found}"),
            advice,
        )
    };
    let provider = match OpenIdProvider::new(openid.provider.clone()) {
        Ok(provider) => provider,
        Err(error) => return unreachable(chain(&error)),
    };
    let wrong = |found: String| {
        let advice = "set openid_issuer to the issuer that the document of the provider names, \
                      letter by letter";
        Finding::problem(Id::OpenidWrong, format!("nobody signs in with {name}: {found}"), advice)
    };
    match provider.reach(subject.now()).await {
        Ok(reached) if reached.keys == 0 => wrong("it has no key that can be used".to_owned()),
        Ok(reached) => {
            let server = subject.settings.server.as_ref();
            let server = server.and_then(|server| server.public_url.clone());
            let back = server.or_else(|| subject.settings.own_url()).map(|url| {
                let address = url.as_str().trim_end_matches('/');
                format!(", and come back to {address}/signin/openid/callback")
            });
            let back = back.unwrap_or_default();
            Finding::ok(format!("{name} answers; people sign in at {}{back}", reached.signs_in_at))
        }
        Err(IdentityError::Unavailable(reason)) => unreachable(reason),
        Err(error) => wrong(error.to_string()),
    }
}

fn of_list(allow: &AllowList, workspaces: Option<&[Workspace]>) -> Vec<Finding> {
    if allow.0.is_empty() {
        return vec![Finding::warning(
            Id::OpenidList,
            "nobody is let in: no [[openid.allow]] is in the settings file",
            "add one for each person, with an email or a subject, and a role",
        )];
    }
    let Some(workspaces) = workspaces else { return Vec::new() };
    let mut findings = Vec::new();
    let lost = allow.0.iter().filter(|allowed| allowed.opens(workspaces).is_empty());
    let lost: Vec<String> = lost.map(|allowed| allowed.who.to_string()).collect();
    if !lost.is_empty() {
        findings.push(Finding::warning(
            Id::OpenidWorkspace,
            format!("there is no workspace for {}", listed(&lost)),
            "set the workspaces of their [[openid.allow]] to names of `scheduler workspace list`",
        ));
    }
    let is_there = |name: &str| {
        name == EVERY_WORKSPACE
            || workspaces.iter().any(|it| it.name == name || it.id.to_string() == name)
    };
    let named = allow.0.iter().filter(|allowed| !lost.contains(&allowed.who.to_string()));
    let named = named.flat_map(|allowed| &allowed.workspaces).filter(|name| !is_there(name));
    let mut unknown: Vec<&String> = named.collect();
    unknown.dedup();
    if !unknown.is_empty() {
        findings.push(Finding::warning(
            Id::OpenidWorkspace,
            format!("[[openid.allow]] names workspaces that are not there: {}", listed(&unknown)),
            "correct the names; `scheduler workspace list` has them",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use scheduler_core::chrono::DateTime;
    use scheduler_core::ids::WorkspaceId;
    use scheduler_core::openid::{Allowed, Who};
    use scheduler_core::plan::Plan;
    use scheduler_core::session::Role;
    use scheduler_core::uuid::Uuid;

    use super::*;

    fn workspace(number: u128, name: &str) -> Workspace {
        Workspace {
            id: WorkspaceId(Uuid::from_u128(number)),
            name: name.to_owned(),
            plan: Plan::Studio,
            timezone: None,
            picture: None,
            second_pair: false,
            links: Default::default(),
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn who_finds_no_workspace() {
        let (one, two) = (workspace(1, "bread"), workspace(2, "wool"));
        let both = [one.clone(), two];
        for (name, lists, workspaces, want) in [
            ("nobody", &[][..], Some(&both[..]), &["nobody is let in"][..]),
            ("the only one", &[&[][..]], Some(&both[..1]), &[]),
            (
                "which of two",
                &[&[][..]],
                Some(&both[..]),
                &["there is no workspace for 0@a.example"],
            ),
            ("all", &[&["*"][..]], Some(&both[..]), &[]),
            ("by name", &[&["wool"][..]], Some(&both[..]), &[]),
            (
                "mistyped",
                &[&["wol"][..]],
                Some(&both[..]),
                &["there is no workspace for 0@a.example"],
            ),
            (
                "one of them mistyped",
                &[&["wool", "bred"][..]],
                Some(&both[..]),
                &["not there: bred"],
            ),
            ("not known", &[&["wol"][..]], None, &[]),
        ] {
            let lines = lists.iter().enumerate().map(|(index, names)| Allowed {
                who: Who::email(&format!("{index}@a.example")).unwrap(),
                name: None,
                role: Role::Editor,
                workspaces: names.iter().map(|name| (*name).to_owned()).collect(),
            });
            let findings = of_list(&AllowList(lines.collect()), workspaces);
            assert_eq!(findings.len(), want.len(), "{name}: {findings:?}");
            for (finding, want) in findings.iter().zip(want) {
                assert!(finding.found.contains(want), "{name}: {finding:?}");
            }
        }
    }
}
