//! Tests of where settings come from, and what other tests read settings of.

use std::num::NonZeroU32;

use scheduler_core::app::{FILE_BYTES_MAX, REFRESH_EVERY};
use scheduler_core::retry::Waits;
use scheduler_core::webhook::HISTORY_KEPT;

use super::file::File;
use super::table::KEYS;
use super::*;

/// Sources of these variables and keys.
pub(crate) fn sources(variables: &[(&str, &str)], keys: &[(&str, &str)]) -> Sources {
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
    };
    let file = File { path: "scheduler.toml".into(), values: owned(keys), ..File::default() };
    Sources::new(owned(variables), file)
}

#[test]
fn an_option_comes_before_the_environment_and_that_before_the_file() {
    for (name, option, variables, keys, want) in [
        ("nothing", None, &[][..], &[][..], None),
        ("the file", None, &[], &[("rate_limit_burst", "3")], Some(3)),
        (
            "the environment",
            None,
            &[("SCHEDULER_RATE_LIMIT_BURST", "2")],
            &[("rate_limit_burst", "3")],
            Some(2),
        ),
        (
            "the option",
            Some("1"),
            &[("SCHEDULER_RATE_LIMIT_BURST", "2")],
            &[("rate_limit_burst", "3")],
            Some(1),
        ),
        (
            "an empty variable is not set",
            None,
            &[("SCHEDULER_RATE_LIMIT_BURST", "")],
            &[("rate_limit_burst", "3")],
            Some(3),
        ),
    ] {
        let found = sources(variables, keys).given(option, &KEYS.rate_limit_burst);
        assert_eq!(found.unwrap().map(NonZeroU32::get), want, "{name}");
    }
}

#[test]
fn what_is_not_set_has_its_default() {
    let none = sources(&[], &[]);
    assert_eq!(none.get(&KEYS.file_bytes_max).unwrap(), FILE_BYTES_MAX);
    assert_eq!(none.get(&KEYS.metrics_refresh_seconds).unwrap(), REFRESH_EVERY);
    assert_eq!(none.get(&KEYS.history_days).unwrap(), HISTORY_KEPT);
    assert_eq!(none.get(&KEYS.publish_retry_seconds).unwrap(), Waits::default().publish);
    let set = sources(&[("SCHEDULER_DELIVERY_RETRY_SECONDS", "1,1,2,2,3")], &[]);
    assert_eq!(set.get(&KEYS.publish_retry_seconds).unwrap(), Waits::default().publish);
    let delivery = set.get(&KEYS.delivery_retry_seconds).unwrap();
    assert_eq!(delivery.map(|wait| wait.num_seconds()), [1, 1, 2, 2, 3]);
}

#[test]
fn a_wrong_value_names_its_place() {
    for (variables, keys, want) in [
        (
            &[("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "maybe")][..],
            &[][..],
            "SCHEDULER_WEBHOOKS_ALLOW_PRIVATE must be true or false",
        ),
        (
            &[],
            &[("webhooks_allow_private", "maybe")],
            "webhooks_allow_private in scheduler.toml must be true or false",
        ),
    ] {
        let error = sources(variables, keys).get(&KEYS.webhooks_allow_private).unwrap_err();
        assert_eq!(error.to_string(), want);
    }
}

/// Whatever the setting, its variable comes before the file.
#[test]
fn every_variable_comes_before_the_file() {
    for named in keys::every() {
        let Some(name) = named.variable() else { continue };
        let key = named.key.as_str();
        let both = sources(&[(&name, "of the variable")], &[(key, "of the file")]);
        assert_eq!(both.text(key).as_deref(), Some("of the variable"), "{key}");
        let origins: Vec<Origin> =
            both.everywhere(key).into_iter().map(|found| found.origin).collect();
        let file = Origin::File { path: "scheduler.toml".into(), line: None };
        assert_eq!(origins, [Origin::Variable { name }, file.clone()], "{key}");
        let alone = sources(&[], &[(key, "of the file")]);
        assert_eq!(alone.text(key).as_deref(), Some("of the file"), "{key}");
        assert_eq!(sources(&[], &[]).text(key), None, "{key}");
    }
}

#[test]
fn a_secret_can_stand_in_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("key"), "the key\n").unwrap();
    std::fs::write(path("empty"), " \n").unwrap();
    let (key, empty, missing) = (path("key"), path("empty"), path("missing"));
    let name = "SCHEDULER_AI_KEY_FILE";
    let read = sources(&[(name, &key)], &[("ai_key", "of the file")]);
    assert_eq!(read.text("ai_key").as_deref(), Some("the key"));
    assert_eq!(read.everywhere("ai_key")[0].origin, Origin::Variable { name: name.to_owned() });
    assert!(read.faults().is_empty() && read.unknown_variables().is_empty());
    for (case, variables, want) in [
        ("empty", &[(name, empty.as_str())][..], "which is empty"),
        ("missing", &[(name, &missing)], "which cannot be read: No such file"),
        (
            "both",
            &[(name, &key), ("SCHEDULER_AI_KEY", "x")],
            "is set, and so is SCHEDULER_AI_KEY; leave one of them out",
        ),
    ] {
        let read = sources(variables, &[]);
        let faults = read.faults();
        assert_eq!(faults.len(), 1, "{case}");
        let told = faults[0].to_string();
        assert!(told.starts_with(name) && told.contains(want), "{case}: {told}");
    }
    // The value of what is no secret does not come from a file.
    let open = sources(&[("SCHEDULER_LISTEN_FILE", &key)], &[]);
    assert_eq!(open.unknown_variables().len(), 1);
}
