//! The OpenID provider, and who is let in by it.

use std::path::Path;

use scheduler_core::openid::{AllowList, Allowed, Issuer, Who};
use scheduler_core::session::{PERSON_MAX_CHARACTERS, PersonName, Role, UnknownRole};
use scheduler_networks::openid::OpenIdSettings;
use toml::{Table, Value};

use super::error::ConfigError;
use super::keys::{OPENID, settings};
use super::sources::Sources;
use super::table::{ALLOWED_GROUPS, KEYS};
use crate::names::nearest;

/// The list in the table.
const ALLOW: &str = "allow";

/// Characters of what people call the provider; the button has room for them.
const NAME_MAX_CHARACTERS: usize = 40;

/// Who lets people in, and whom.
#[derive(Clone, Debug)]
pub(crate) struct LettingIn {
    /// What people call the provider.
    pub(crate) name: String,
    /// The provider.
    pub(crate) provider: OpenIdSettings,
    /// Who is let in.
    pub(crate) allow: AllowList,
}

/// Reads them; `None` when no provider is set, and nobody signs in so.
///
/// # Errors
/// [`ConfigError`] naming the setting; also when one stands without those that it needs.
pub(crate) fn openid(sources: &Sources) -> Result<Option<LettingIn>, ConfigError> {
    let allow = allow_list(sources)?;
    let text = |key| sources.text(key).map(|text| text.trim().to_owned());
    let (issuer, client_id) = (sources.set(&KEYS.openid_issuer)?, text(&KEYS.openid_client_id));
    let (issuer, client_id) = match (issuer, client_id) {
        (Some(issuer), Some(client_id)) => (issuer, client_id),
        (Some(_), None) => {
            let reason = "is set, but no openid_client_id says what this server is called there";
            return Err(wrong(sources.place(&KEYS.openid_issuer), reason));
        }
        (None, _) => {
            let others = [&KEYS.openid_client_id, &KEYS.openid_client_secret, &KEYS.openid_name];
            let (_, path) = sources.openid();
            let allowed = format!("{OPENID}.{ALLOW} in {}", path.display());
            let allowed = (!allow.0.is_empty()).then_some(allowed);
            let alone = others.into_iter().find_map(|key| sources.place(key)).or(allowed);
            let reason = "is set, but there is no openid_issuer; set it too, or leave this out";
            return alone.map_or(Ok(None), |place| Err(wrong(Some(place), reason)));
        }
    };
    let client_secret = text(&KEYS.openid_client_secret).map(Into::into);
    let name = name(text(&KEYS.openid_name), &issuer);
    let name = name.map_err(|reason| wrong(sources.place(&KEYS.openid_name), &reason))?;
    let provider = OpenIdSettings { issuer, client_id, client_secret };
    Ok(Some(LettingIn { name, provider, allow }))
}

/// What people call the provider.
fn name(set: Option<String>, issuer: &Issuer) -> Result<String, String> {
    let Some(name) = set else {
        return Ok(issuer.url().host_str().unwrap_or_default().to_owned());
    };
    let is_name = (1..=NAME_MAX_CHARACTERS).contains(&name.chars().count());
    if is_name && !name.chars().any(char::is_control) {
        Ok(name)
    } else {
        Err(format!("must be a name of 1 to {NAME_MAX_CHARACTERS} characters"))
    }
}

fn allow_list(sources: &Sources) -> Result<AllowList, ConfigError> {
    let (table, path) = sources.openid();
    let mut allowed = Vec::new();
    for (key, value) in table {
        if key != ALLOW {
            return Err(unknown(path, OPENID, key, nearest(key, [ALLOW])));
        }
        let people = value.as_array().into_iter().flatten();
        let people: Option<Vec<&Table>> = people.map(Value::as_table).collect();
        let Some(people) = people.filter(|_| value.is_array()) else {
            let reason = "must be tables: a line [[openid.allow]], and below it who is let in";
            return Err(in_file(path, &format!("{OPENID}.{ALLOW}"), reason));
        };
        for (index, person) in people.into_iter().enumerate() {
            let place = format!("{OPENID}.{ALLOW}[{index}]");
            allowed.push(read(person, &place, path)?);
        }
    }
    Ok(AllowList(allowed))
}

/// Reads what is said of one person.
fn read(person: &Table, place: &str, path: &Path) -> Result<Allowed, ConfigError> {
    for key in person.keys() {
        let mut known = settings(ALLOWED_GROUPS).map(|setting| setting.key);
        if !known.any(|known| known == key) {
            let known = settings(ALLOWED_GROUPS).map(|setting| setting.key);
            return Err(unknown(path, place, key, nearest(key, known)));
        }
    }
    let wrong = |field: &str, reason: &str| in_file(path, &format!("{place}.{field}"), reason);
    let text = |field: &str| match person.get(field) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(wrong(field, "must be a text")),
    };
    let who = match (text("email")?, text("subject")?) {
        (Some(email), None) => Who::email(email).map_err(|it| wrong("email", &it.to_string()))?,
        (None, Some(subject)) => {
            Who::subject(subject).map_err(|it| wrong("subject", &it.to_string()))?
        }
        (None, None) => {
            return Err(in_file(path, place, "must have an email or a subject"));
        }
        (Some(_), Some(_)) => {
            let reason = "has an email and a subject; make a table for each, or leave one out";
            return Err(in_file(path, place, reason));
        }
    };
    let role: Role = match text("role")? {
        None => return Err(in_file(path, place, "must have a role")),
        Some(role) => role
            .parse()
            .map_err(|_: UnknownRole| wrong("role", "must be reader, drafter, editor or owner"))?,
    };
    let name = text("name")?.map(|name| {
        name.parse::<PersonName>().map_err(|_| {
            let reason = format!("must be a name of 1 to {PERSON_MAX_CHARACTERS} characters");
            wrong("name", &reason)
        })
    });
    let name = name.transpose()?;
    let names = "must be a list of names of workspaces, such as [\"Kiln & Field\"]";
    let workspaces = match person.get("workspaces") {
        None => Some(Vec::new()),
        Some(Value::Array(names)) if !names.is_empty() => {
            names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
        }
        Some(_) => None,
    };
    let workspaces = workspaces.ok_or_else(|| wrong("workspaces", names))?;
    Ok(Allowed { who, name, role, workspaces })
}

fn wrong(place: Option<String>, reason: &str) -> ConfigError {
    ConfigError::Value { place: place.unwrap_or_default(), reason: reason.to_owned() }
}

fn in_file(path: &Path, place: &str, reason: &str) -> ConfigError {
    wrong(Some(format!("{place} in {}", path.display())), reason)
}

fn unknown(path: &Path, place: &str, key: &str, nearest: Option<String>) -> ConfigError {
    ConfigError::UnknownKey {
        path: path.to_owned(),
        key: format!("{place}.{key}"),
        nearest: nearest.map(|nearest| format!("{place}.{nearest}")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::config::file::File;

    const ISSUER: (&str, &str) = ("openid_issuer", "https://accounts.example.com");
    const CLIENT: (&str, &str) = ("openid_client_id", "scheduler");

    fn load(keys: &[(&str, &str)], list: &str) -> Result<Option<LettingIn>, String> {
        let values = keys.iter().map(|(key, text)| ((*key).into(), (*text).into())).collect();
        let openid = list.parse().unwrap();
        let file = File { path: "scheduler.toml".into(), values, openid, ..File::default() };
        super::openid(&Sources::new(BTreeMap::new(), file)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_configuration() {
        let keys =
            [ISSUER, CLIENT, ("openid_client_secret", " hunter2 "), ("openid_name", "House")];
        let list = "[[allow]]\nemail = 'Ada@example.com'\nrole = 'owner'\nname = 'Ada'\n\
                    workspaces = ['a', 'b']\n[[allow]]\nsubject = '7'\nrole = 'reader'\n";
        let read = load(&keys, list).unwrap().unwrap();
        assert_eq!(read.name, "House");
        assert_eq!(read.provider.issuer.as_str(), "https://accounts.example.com");
        assert_eq!(read.provider.client_secret.as_ref().unwrap().expose_secret(), "hunter2");
        assert!(!format!("{read:?}").contains("hunter2"));
        let [ada, seven] = &read.allow.0[..] else { panic!("{read:?}") };
        assert_eq!(ada.who, Who::Email("ada@example.com".to_owned()));
        assert_eq!(
            (ada.role, ada.name.as_ref().map(PersonName::as_str)),
            (Role::Owner, Some("Ada"))
        );
        assert_eq!(ada.workspaces, ["a", "b"]);
        assert_eq!(seven.who, Who::Subject("7".to_owned()));
        assert_eq!((seven.role, seven.workspaces.len()), (Role::Reader, 0));
    }

    #[test]
    fn what_is_left_out() {
        assert!(load(&[], "").unwrap().is_none());
        let read = load(&[ISSUER, CLIENT], "").unwrap().unwrap();
        assert_eq!(read.name, "accounts.example.com");
        assert!(read.provider.client_secret.is_none() && read.allow.0.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let both = [ISSUER, CLIENT];
        let long = "a".repeat(41);
        for (name, keys, list, want) in [
            ("no client", &[ISSUER][..], "", "openid_issuer in scheduler.toml is set, but no"),
            ("a client alone", &[CLIENT], "", "openid_client_id in scheduler.toml is set, but"),
            (
                "a secret alone",
                &[("openid_client_secret", "hunter2")],
                "",
                "openid_client_secret in scheduler.toml is set, but",
            ),
            (
                "a list alone",
                &[],
                "[[allow]]\nsubject = '7'\nrole = 'owner'",
                "openid.allow in scheduler.toml is set, but there is no openid_issuer",
            ),
            (
                "plain http",
                &[("openid_issuer", "http://accounts.example.com"), CLIENT],
                "",
                "openid_issuer in scheduler.toml must begin with https://",
            ),
            ("a long name", &[ISSUER, CLIENT, ("openid_name", &long)], "", "1 to 40 characters"),
            (
                "another key",
                &both,
                "alow = 1",
                "unknown key \"openid.alow\"; did you mean \"openid.allow\"?",
            ),
            (
                "no tables",
                &both,
                "allow = ['ada@example.com']",
                "openid.allow in scheduler.toml must be tables",
            ),
            (
                "one table",
                &both,
                "[allow]\nrole = 'owner'",
                "openid.allow in scheduler.toml must be tables",
            ),
            (
                "nobody",
                &both,
                "[[allow]]\nrole = 'owner'",
                "openid.allow[0] in scheduler.toml must have an email",
            ),
            (
                "two at once",
                &both,
                "[[allow]]\nemail = 'a@b.c'\nsubject = '7'\nrole = 'owner'",
                "has an email and a subject",
            ),
            ("no role", &both, "[[allow]]\nsubject = '7'", "must have a role"),
            (
                "another role",
                &both,
                "[[allow]]\nsubject = '7'\nrole = 'boss'",
                "allow[0].role in scheduler.toml must be reader",
            ),
            (
                "a number",
                &both,
                "[[allow]]\nsubject = 7\nrole = 'owner'",
                "allow[0].subject in scheduler.toml must be a text",
            ),
            (
                "no address",
                &both,
                "[[allow]]\nemail = 'ada'\nrole = 'owner'",
                "allow[0].email in scheduler.toml must be an e-mail",
            ),
            (
                "a word",
                &both,
                "[[allow]]\nsubject = '7'\nrole = 'owner'\nworkspaces = 'a'",
                "must be a list of names",
            ),
            (
                "an empty list",
                &both,
                "[[allow]]\nsubject = '7'\nrole = 'owner'\nworkspaces = []",
                "must be a list of names",
            ),
            (
                "a mistyped key",
                &both,
                "[[allow]]\nsubjet = '7'",
                "did you mean \"openid.allow[0].subject\"?",
            ),
            (
                "the second",
                &both,
                "[[allow]]\nsubject = '7'\nrole = 'owner'\n[[allow]]\nsubject = ''\nrole = 'owner'",
                "openid.allow[1].subject in scheduler.toml must be what",
            ),
        ] {
            let fault = load(keys, list).map(drop).unwrap_err();
            assert!(fault.contains(want), "{name}: {fault}");
            assert!(!fault.contains("hunter2"), "{name}");
        }
    }
}
