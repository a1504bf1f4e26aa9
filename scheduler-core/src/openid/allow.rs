//! Who is let in.

use std::fmt;

use super::Identity;
use crate::ids::WorkspaceId;
use crate::session::{PersonName, Role};
use crate::workspace::Workspace;

/// What stands for all workspaces of a server.
pub const EVERY_WORKSPACE: &str = "*";

/// Bytes of an address or a subject at most.
///
/// Source: RFC 5321, section 4.5.3.1.3 (a path of 256 octets); OpenID Connect Core 1.0, section 2
/// (a subject of 255).
const WHO_MAX_BYTES: usize = 256;

/// By what somebody is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// By an e-mail address, in small letters, of which the provider says that it is theirs.
    Email(String),
    /// By what the provider calls them.
    Subject(String),
}

/// Why nobody can be known by a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhoFault {
    /// It is no e-mail address.
    #[error("must be an e-mail address such as ada@example.com")]
    Email,
    /// It is no subject.
    #[error("must be what the provider calls somebody: a text of 1 to 256 bytes")]
    Subject,
}

impl Who {
    /// Somebody by an e-mail address; its case does not matter.
    ///
    /// # Errors
    /// [`WhoFault::Email`]
    pub fn email(text: &str) -> Result<Self, WhoFault> {
        let text = text.trim();
        let is_address = text.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty() && !host.is_empty() && !host.contains('@')
        });
        let has_other = text.chars().any(|sign| sign.is_whitespace() || sign.is_control());
        if !is_address || has_other || text.len() > WHO_MAX_BYTES {
            return Err(WhoFault::Email);
        }
        Ok(Self::Email(text.to_ascii_lowercase()))
    }

    /// Somebody by their subject, letter by letter.
    ///
    /// # Errors
    /// [`WhoFault::Subject`]
    pub fn subject(text: &str) -> Result<Self, WhoFault> {
        if text.is_empty() || text.len() > WHO_MAX_BYTES {
            return Err(WhoFault::Subject);
        }
        Ok(Self::Subject(text.to_owned()))
    }

    fn is(&self, identity: &Identity) -> bool {
        match self {
            Self::Email(address) => {
                let theirs = identity.email.as_deref().filter(|_| identity.is_email_verified);
                // Letters of other alphabets have small ones that are those of this: `K` (U+212A).
                theirs.is_some_and(|theirs| theirs.eq_ignore_ascii_case(address))
            }
            Self::Subject(subject) => identity.subject == *subject,
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Email(address) => formatter.write_str(address),
            Self::Subject(subject) => write!(formatter, "the subject {subject:?}"),
        }
    }
}

/// Somebody who is let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Who.
    pub who: Who,
    /// What they are called here; else as the provider calls them.
    pub name: Option<PersonName>,
    /// What they may do.
    pub role: Role,
    /// The names or ids of the workspaces that they may open, [`EVERY_WORKSPACE`] for all; where
    /// there are none the only one of the server.
    pub workspaces: Vec<String>,
}

/// Those who are let in. Somebody may be on it several times, with another role in another
/// workspace; of two lines for one workspace the first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList(pub Vec<Allowed>);

/// What somebody may open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// What they are called; `None` where nobody calls them anything.
    pub name: Option<PersonName>,
    /// The workspaces with their role in each, in the order of the list; at least one.
    pub opens: Vec<(WorkspaceId, Role)>,
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAllowed {
    /// They are not on the list.
    NotListed,
    /// Their address is, but the provider does not say that it is theirs.
    EmailUnverified,
    /// They are, but of their workspaces there is none.
    NoWorkspace,
}

impl AllowList {
    /// Whether somebody is let in, and to which of the workspaces that there are.
    ///
    /// # Errors
    /// [`NotAllowed`] by variant.
    pub fn admit(
        &self,
        identity: &Identity,
        workspaces: &[Workspace],
    ) -> Result<Admission, NotAllowed> {
        let listed: Vec<&Allowed> =
            self.0.iter().filter(|allowed| allowed.who.is(identity)).collect();
        let Some(first) = listed.first() else {
            let as_verified = Identity { is_email_verified: true, ..identity.clone() };
            let is_address_listed = self.0.iter().any(|allowed| allowed.who.is(&as_verified));
            return Err(match is_address_listed {
                true => NotAllowed::EmailUnverified,
                false => NotAllowed::NotListed,
            });
        };
        let mut opens: Vec<(WorkspaceId, Role)> = Vec::new();
        for allowed in &listed {
            for id in allowed.opens(workspaces) {
                if !opens.iter().any(|(open, _)| *open == id) {
                    opens.push((id, allowed.role));
                }
            }
        }
        if opens.is_empty() {
            return Err(NotAllowed::NoWorkspace);
        }
        let name = first.name.clone().or_else(|| identity.called());
        Ok(Admission { name, opens })
    }
}

impl Allowed {
    /// The workspaces that it opens of those that there are.
    #[must_use]
    pub fn opens(&self, workspaces: &[Workspace]) -> Vec<WorkspaceId> {
        if self.workspaces.is_empty() {
            return match workspaces {
                [only] => vec![only.id],
                _ => Vec::new(),
            };
        }
        let is = |name: &str, workspace: &Workspace| {
            name == EVERY_WORKSPACE || name == workspace.name || name == workspace.id.to_string()
        };
        let named = self.workspaces.iter();
        let named = named.flat_map(|name| workspaces.iter().filter(move |it| is(name, it)));
        named.map(|workspace| workspace.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::plan::Plan;

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

    fn allowed(who: Who, role: Role, workspaces: &[&str]) -> Allowed {
        let workspaces = workspaces.iter().map(|name| (*name).to_owned()).collect();
        Allowed { who, name: None, role, workspaces }
    }

    fn identity(subject: &str, email: Option<&str>, is_email_verified: bool) -> Identity {
        Identity {
            subject: subject.to_owned(),
            email: email.map(str::to_owned),
            is_email_verified,
            ..Identity::default()
        }
    }

    #[test]
    fn who_is_let_in() {
        use NotAllowed as N;
        let list = AllowList(vec![
            allowed(Who::email("Ada@A.example").unwrap(), Role::Owner, &[]),
            allowed(Who::subject("77").unwrap(), Role::Reader, &[]),
            allowed(Who::email("kim@a.example").unwrap(), Role::Editor, &[]),
        ]);
        let one = [workspace(1, "bread")];
        for (name, subject, email, is_verified, want) in [
            ("by the address", "1", Some("ada@a.example"), true, Ok(Role::Owner)),
            ("in other case", "1", Some("ADA@a.EXAMPLE"), true, Ok(Role::Owner)),
            (
                "an address that is not verified",
                "1",
                Some("ada@a.example"),
                false,
                Err(N::EmailUnverified),
            ),
            ("another address", "1", Some("bob@a.example"), true, Err(N::NotListed)),
            (
                "the address within another",
                "1",
                Some("ada@a.example.b.example"),
                true,
                Err(N::NotListed),
            ),
            (
                "the address in letters that look like it",
                "1",
                Some("ad\u{430}@a.example"),
                true,
                Err(N::NotListed),
            ),
            (
                "a letter whose small one is of it",
                "1",
                Some("\u{212a}im@a.example"),
                true,
                Err(N::NotListed),
            ),
            ("no address", "1", None, true, Err(N::NotListed)),
            ("by the subject", "77", None, false, Ok(Role::Reader)),
            (
                "by the subject, with an address",
                "77",
                Some("eve@a.example"),
                false,
                Ok(Role::Reader),
            ),
            ("by both, the first line counts", "77", Some("ada@a.example"), true, Ok(Role::Owner)),
            ("another subject", "777", None, false, Err(N::NotListed)),
            ("the subject as an address", "1", Some("77"), true, Err(N::NotListed)),
            ("the address as a subject", "ada@a.example", None, false, Err(N::NotListed)),
        ] {
            let found = list.admit(&identity(subject, email, is_verified), &one);
            let role = found.map(|admission| admission.opens[0].1);
            assert_eq!(role, want, "{name}");
        }
        let nobody = AllowList::default().admit(&identity("77", Some("ada@a.example"), true), &one);
        assert_eq!(nobody, Err(N::NotListed), "an empty list");
    }

    #[test]
    fn the_list_names_people() {
        let who = || Who::subject("1").unwrap();
        let ada = || Identity { name: Some("Ada Byron".to_owned()), ..identity("1", None, false) };
        let line = |name: Option<&str>| Allowed {
            name: name.map(|name| name.parse().unwrap()),
            ..allowed(who(), Role::Owner, &[])
        };
        for (name, lines, want) in [
            ("as the list does", vec![line(Some("Ada"))], "Ada"),
            ("as the provider does", vec![line(None)], "Ada Byron"),
            ("as the first line does", vec![line(None), line(Some("Ada"))], "Ada Byron"),
        ] {
            let admission = AllowList(lines).admit(&ada(), &[workspace(1, "bread")]).unwrap();
            assert_eq!(admission.name.unwrap().as_str(), want, "{name}");
        }
    }

    #[test]
    fn what_they_may_open() {
        let who = || Who::subject("1").unwrap();
        let (bread, wool) = (workspace(1, "bread"), workspace(2, "wool"));
        let id = bread.id.to_string();
        let (owner, reader) = (Role::Owner, Role::Reader);
        for (name, lines, workspaces, want) in [
            ("the only one", vec![(owner, vec![])], vec![&bread], vec![(1, owner)]),
            ("of several none", vec![(owner, vec![])], vec![&bread, &wool], vec![]),
            ("of none none", vec![(owner, vec![])], vec![], vec![]),
            ("by name", vec![(owner, vec!["wool"])], vec![&bread, &wool], vec![(2, owner)]),
            ("by id", vec![(owner, vec![&*id])], vec![&bread, &wool], vec![(1, owner)]),
            ("another name", vec![(owner, vec!["Wool"])], vec![&bread, &wool], vec![]),
            ("all", vec![(reader, vec!["*"])], vec![&bread, &wool], vec![(1, reader), (2, reader)]),
            (
                "in their order",
                vec![(owner, vec!["wool", "bread"])],
                vec![&bread, &wool],
                vec![(2, owner), (1, owner)],
            ),
            (
                "another role in another",
                vec![(owner, vec!["wool"]), (reader, vec!["*"])],
                vec![&bread, &wool],
                vec![(2, owner), (1, reader)],
            ),
        ] {
            let lines = lines.into_iter().map(|(role, names)| allowed(who(), role, &names));
            let workspaces: Vec<Workspace> = workspaces.into_iter().cloned().collect();
            let found = AllowList(lines.collect()).admit(&identity("1", None, false), &workspaces);
            let want: Vec<_> = want
                .into_iter()
                .map(|(id, role)| (WorkspaceId(Uuid::from_u128(id)), role))
                .collect();
            match found {
                Ok(admission) => assert_eq!(admission.opens, want, "{name}"),
                Err(NotAllowed::NoWorkspace) => assert!(want.is_empty(), "{name}"),
                Err(other) => panic!("{name}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_people_are_known_by() {
        for (text, want) in [
            ("ada@example.com", Ok("ada@example.com")),
            (" Ada@Example.com ", Ok("ada@example.com")),
            ("@example.com", Err(WhoFault::Email)),
            ("ada@", Err(WhoFault::Email)),
            ("ada", Err(WhoFault::Email)),
            ("a@b@c", Err(WhoFault::Email)),
            ("ada lovelace@example.com", Err(WhoFault::Email)),
            ("", Err(WhoFault::Email)),
        ] {
            let read = Who::email(text).map(|who| who.to_string());
            assert_eq!(read, want.map(str::to_owned), "{text:?}");
        }
        for (text, is_read) in [("7", true), (" ", true), ("", false)] {
            assert_eq!(Who::subject(text).is_ok(), is_read, "{text:?}");
        }
    }
}
