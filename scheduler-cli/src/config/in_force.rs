//! What is in force, and where it comes from.

use std::collections::BTreeMap;

use scheduler_store::FilesUrl;
use secrecy::ExposeSecret as _;

use super::checked::Checked;
use super::keys::every;
use super::redacted::Shown;
use super::setting::Named;
use super::sources::{Origin, Sources};
use crate::address::reachable;

/// A setting as it is in force.
#[derive(Clone, Debug)]
pub(crate) struct InForce {
    /// The setting.
    pub(crate) setting: Named,
    /// What may be shown of its value.
    pub(crate) value: Shown,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// Where it is set as well, which counts for nothing.
    pub(crate) instead_of: Vec<Origin>,
}

/// Every setting as it is in force, with the options that are given and what was made of all.
pub(crate) fn in_force(
    given: &BTreeMap<&'static str, String>,
    sources: &Sources,
    checked: &Checked,
) -> Vec<InForce> {
    let derived = derived(checked);
    every()
        .map(|setting| {
            let key = setting.key.as_str();
            let of_option = given.get(key).zip(setting.setting.option);
            let of_option =
                of_option.map(|(text, option)| (text.clone(), Origin::Option { name: option }));
            let of_sources =
                sources.everywhere(key).into_iter().map(|found| (found.text, found.origin));
            let mut places = of_option.into_iter().chain(of_sources);
            let (text, origin) = match places.next() {
                Some((text, origin)) => (Some(text), origin),
                None => {
                    let text = derived.get(key).cloned().or_else(|| setting.default_text());
                    (text, Origin::Default)
                }
            };
            let secrecy = setting.setting.secrecy;
            InForce {
                value: text.map_or(Shown::Unset, |text| Shown::of(&text, secrecy)),
                origin,
                instead_of: places.map(|(_, origin)| origin).collect(),
                setting,
            }
        })
        .collect()
}

/// What follows from other settings where one is not set.
fn derived(checked: &Checked) -> BTreeMap<&'static str, String> {
    let mut derived = BTreeMap::from([("log", "info".to_owned())]);
    if let Some(storage) = &checked.storage {
        derived.insert("database", storage.database.expose_secret().to_owned());
        if let FilesUrl::Folder(folder) = &storage.files {
            derived.insert("files", folder.display().to_string());
        }
        if let Some(path) = storage.made_key_file() {
            derived.insert("secret_key_file", path.display().to_string());
        }
    }
    if let Some(server) = &checked.server {
        derived.insert("public_url", format!("http://{}", reachable(server.listen)));
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;
    use crate::config::{ServerOptions, StorageOptions};

    /// Each option that `serve` has comes before the variable and the file, and says so.
    #[test]
    fn an_option_comes_first_and_the_others_are_told() {
        let server = ServerOptions {
            listen: Some("127.0.0.1:7".parse().unwrap()),
            role: Some("api".parse().unwrap()),
            public_url: Some("https://o.example/".parse().unwrap()),
        };
        let storage = StorageOptions {
            data: Some("/o".into()),
            database: Some("sqlite:/o.db".to_owned().into()),
            files: Some("/of".to_owned().into()),
        };
        let given: BTreeMap<&'static str, String> = server.given().chain(storage.given()).collect();
        assert_eq!(given.len(), 6);
        for (key, option) in &given {
            let variable = format!("SCHEDULER_{}", key.to_uppercase());
            let sources = sources(&[(&variable, "v")], &[(key, "f")]);
            let checked = Checked::read(server.clone(), storage.clone(), &sources);
            let found = in_force(&given, &sources, &checked);
            let found = found.into_iter().find(|found| found.setting.key == *key).unwrap();
            assert_eq!(found.value, Shown::Text(option.clone()), "{key}");
            assert!(matches!(found.origin, Origin::Option { .. }), "{key}");
            let file = Origin::File { path: "scheduler.toml".into(), line: None };
            assert_eq!(found.instead_of, [Origin::Variable { name: variable }, file], "{key}");
        }
    }

    #[test]
    fn what_follows_from_other_settings() {
        let sources = sources(&[("SCHEDULER_DATA", "/d"), ("SCHEDULER_LISTEN", "0.0.0.0:9")], &[]);
        let checked = Checked::read(ServerOptions::default(), StorageOptions::default(), &sources);
        assert_eq!(checked.faults, [""; 0]);
        let found = in_force(&BTreeMap::new(), &sources, &checked);
        for (key, want) in [
            ("database", "sqlite:/d/scheduler.db"),
            ("files", "/d/files"),
            ("secret_key_file", "/d/secret.key"),
            ("public_url", "http://127.0.0.1:9"),
            ("role", "api,worker"),
            ("plans.free.channels", "3"),
            ("delivery_retry_seconds", "30,120,600,3600,21600"),
        ] {
            let found = found.iter().find(|found| found.setting.key == key).unwrap();
            assert_eq!(found.value, Shown::Text(want.to_owned()), "{key}");
            assert_eq!(found.origin, Origin::Default, "{key}");
        }
    }
}
