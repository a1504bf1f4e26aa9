//! The facts of connecting: what is asked for, what an operator has to set up before, and how
//! tokens are renewed.

use super::{Platform, RedirectRule};

/// How accounts of a network are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectingFacts {
    /// The ways, the usual one first; at least one, unless the network is a program's own.
    pub ways: &'static [Way],
    /// The application that an operator needs at the network for its page.
    pub registration: Option<Registration>,
    /// Another network whose application connects accounts of this one as well.
    pub also_registered_at: Option<Platform>,
    /// Which settings of an operator the network's adapter reads.
    pub settings: AppSettings,
    /// How the tokens of accounts are renewed.
    pub tokens: TokenFacts,
    /// Where the network's page sends browsers back to.
    pub redirect: RedirectRule,
    /// How a command line asks for what is given.
    pub command: CommandFacts,
}

/// How a command line asks for what connects an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandFacts {
    /// What is connected, and how.
    pub about: &'static str,
    /// What two examples give.
    pub examples: [&'static str; 2],
    /// What can be given, beside which a browser can be asked for; empty where there is only the
    /// network's own page.
    pub arguments: &'static [Argument],
}

/// Something that is given on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of the [`Field`].
    pub field: &'static str,
    /// The option, without the hyphens before it.
    pub option: &'static str,
    /// What stands for its value in a help.
    pub value: &'static str,
    /// What it is.
    pub help: &'static str,
    /// How it is written.
    pub kind: ArgumentKind,
    /// Without one of these options it cannot be left out; empty for what always can.
    pub needed_without: &'static [&'static str],
    /// The options that it cannot be given with.
    pub excludes: &'static [&'static str],
    /// The option that it cannot be given without.
    pub requires: Option<&'static str>,
}

/// How an argument is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// With a value.
    Text,
    /// With a value that may be a negative number.
    Id,
    /// With a value that must not be seen and is asked for when it is left out.
    Secret {
        /// What it is asked for by.
        prompt: &'static str,
    },
    /// Without a value: it is `true` when it is given.
    Flag,
}

/// One way of connecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name in forms; unique within the network.
    pub name: &'static str,
    /// What the person does, to follow "Connect …".
    pub title: &'static str,
    /// What it needs, in a sentence or two.
    pub explanation: &'static str,
    /// What the person gives.
    pub fields: &'static [Field],
    /// Values that go with this way without being asked for.
    pub fixed: &'static [(&'static str, &'static str)],
    /// True when the person then goes to the network's own page.
    pub opens_page: bool,
}

/// A value that a person gives, under the name that the network's adapter reads it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, such as `appPassword`.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// An example, or where to find it.
    pub hint: &'static str,
    /// True for what must not be seen.
    pub is_secret: bool,
    /// True for what is either so or not: it is `true` when it is so, and left out when not.
    pub is_flag: bool,
    /// True for what cannot be left out.
    pub is_required: bool,
}

/// The application that an operator registers at a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// What the place is called.
    pub place: &'static str,
    /// Its address.
    pub url: &'static str,
    /// What the network calls the id and the secret.
    pub terms: &'static str,
}

/// Which settings of an operator a network's adapter reads; the others are taken and do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppSettings {
    /// The address alone: an application is registered nowhere, or by the adapter itself.
    AddressOnly,
    /// The address, how large a file the server there takes, and whether it reads files of this
    /// machine: a network whose server people can run themselves.
    AddressAndFileBytes,
    /// All but the version of the network's interface, which stands in the adapter.
    WithoutVersion,
    /// Address, version, scopes, id and secret of the operator's application.
    All,
}

/// How the tokens of a network's accounts are renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenFacts {
    /// Whether they are renewed in the name of the operator's application.
    pub renewed_by_app: bool,
    /// Whether a token that has run out can still be exchanged for a new one.
    pub renewed_after_expiry: bool,
}

impl Field {
    /// A value that is shown and cannot be left out.
    pub(super) const fn text(name: &'static str, label: &'static str, hint: &'static str) -> Self {
        Self { name, label, hint, is_secret: false, is_flag: false, is_required: true }
    }

    /// A value that must not be seen and cannot be left out.
    pub(super) const fn secret(
        name: &'static str,
        label: &'static str,
        hint: &'static str,
    ) -> Self {
        Self { is_secret: true, ..Self::text(name, label, hint) }
    }

    /// What is either so or not.
    pub(super) const fn flag(name: &'static str, label: &'static str) -> Self {
        Self { is_flag: true, is_required: false, ..Self::text(name, label, "") }
    }

    /// The same, which can be left out.
    pub(super) const fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }
}

impl CommandFacts {
    /// Of a network that has nothing to give.
    pub(super) const PAGE: Self = Self { about: "", examples: ["", "--sandbox"], arguments: &[] };
}

impl Argument {
    /// An argument that can be left out.
    pub(super) const fn new(
        kind: ArgumentKind,
        field: &'static str,
        option: &'static str,
        value: &'static str,
        help: &'static str,
    ) -> Self {
        let (needed_without, excludes): (&[&str], &[&str]) = (&[], &[]);
        Self { field, option, value, help, kind, needed_without, excludes, requires: None }
    }

    /// One that cannot be left out without one of these.
    pub(super) const fn needed_without(self, others: &'static [&'static str]) -> Self {
        Self { needed_without: others, ..self }
    }

    /// One that cannot be given with these.
    pub(super) const fn excludes(self, others: &'static [&'static str]) -> Self {
        Self { excludes: others, ..self }
    }

    /// One that cannot be given without another.
    pub(super) const fn requires(self, other: &'static str) -> Self {
        Self { requires: Some(other), ..self }
    }
}

impl ConnectingFacts {
    /// Of a program's own network: its accounts are connected by the program.
    pub(super) const BY_PROGRAM: Self = Self {
        ways: &[],
        registration: None,
        also_registered_at: None,
        settings: AppSettings::AddressOnly,
        tokens: TokenFacts { renewed_by_app: false, renewed_after_expiry: true },
        redirect: RedirectRule::Any,
        command: CommandFacts::PAGE,
    };

    /// On the network's own page, by an application of the operator's.
    pub(super) const fn on_page(
        registration: Registration,
        redirect: RedirectRule,
        tokens: TokenFacts,
    ) -> Self {
        Self {
            ways: PAGE,
            registration: Some(registration),
            also_registered_at: None,
            settings: AppSettings::All,
            tokens,
            redirect,
            command: CommandFacts::PAGE,
        }
    }

    /// With what a command line says of it.
    pub(super) const fn about(self, about: &'static str) -> Self {
        Self { command: CommandFacts { about, ..self.command }, ..self }
    }

    /// The way of this name.
    #[must_use]
    pub fn way(&self, name: &str) -> Option<&'static Way> {
        self.ways.iter().find(|way| way.name == name)
    }

    /// True when an account can be connected without an application of the operator's.
    #[must_use]
    pub fn needs_no_registration(&self) -> bool {
        self.registration.is_none() || self.ways.iter().any(|way| !way.opens_page)
    }
}

/// On the network's own page, with nothing to give before.
const PAGE: &[Way] = &[Way {
    name: "page",
    title: "on its own page",
    explanation: "You go to the network's own page, sign in there and allow it. Your password \
                  stays with the network.",
    fields: &[],
    fixed: &[],
    opens_page: true,
}];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_network_has_a_way_and_names_are_unique() {
        for platform in Platform::ALL {
            let facts = platform.sheet().connecting;
            assert!(!facts.ways.is_empty(), "{platform}");
            let names: BTreeSet<&str> = facts.ways.iter().map(|way| way.name).collect();
            assert_eq!(names.len(), facts.ways.len(), "{platform}");
            for way in facts.ways {
                let fields: BTreeSet<&str> = way.fields.iter().map(|field| field.name).collect();
                assert_eq!(fields.len(), way.fields.len(), "{platform} {}", way.name);
                // Without a page there would be nothing to go by.
                assert!(way.opens_page || !fields.is_empty(), "{platform} {}", way.name);
                // These are the steps' own.
                for own in ["ticket", "way", "code", "iss", "redirectUri", "codeVerifier"] {
                    assert!(!fields.contains(own), "{platform} {own}");
                }
            }
            assert!(!facts.command.about.is_empty(), "{platform}");
            for argument in facts.command.arguments {
                let mut fields = facts.ways.iter().flat_map(|way| way.fields);
                let field = fields.find(|field| field.name == argument.field).unwrap();
                let is_secret = matches!(argument.kind, ArgumentKind::Secret { .. });
                assert_eq!(is_secret, field.is_secret, "{platform} {}", argument.option);
            }
            let opens_page = facts.ways.iter().any(|way| way.opens_page);
            assert!(opens_page || facts.registration.is_none(), "{platform}");
        }
    }
}
