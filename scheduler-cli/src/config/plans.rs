//! What each plan allows.

use std::path::Path;

use scheduler_core::plan::{Plan, Plans};
use serde_json::Value;
use toml::Table;

use super::error::ConfigError;
use super::keys::{in_json, settings};
use super::setting::Form;
use super::sources::Sources;
use super::table::PLAN_GROUPS;
use crate::names::nearest;

/// Reads the plans; what the file leaves out stays as it is by default.
///
/// # Errors
/// [`ConfigError::UnknownKey`] or [`ConfigError::Value`], naming the plan and the field.
pub(crate) fn plans(sources: &Sources) -> Result<Plans, ConfigError> {
    let (table, path) = sources.plans();
    let unusable = |error: serde_json::Error| wrong(path, "plans", &error.to_string());
    let mut plans = serde_json::to_value(Plans::default()).map_err(unusable)?;
    for (name, value) in table {
        if name.parse::<Plan>().is_err() {
            let known = Plan::ALL.map(Plan::as_str);
            return Err(unknown(path, "plans", name, nearest(name, known)));
        }
        let place = format!("plans.{name}");
        let Some(fields) = value.as_table() else {
            return Err(wrong(path, &place, "must be a table"));
        };
        read(&mut plans[name], fields, &place, path)?;
    }
    serde_json::from_value(plans).map_err(unusable)
}

fn read(plan: &mut Value, fields: &Table, place: &str, path: &Path) -> Result<(), ConfigError> {
    for (field, value) in fields {
        let Some(setting) = settings(PLAN_GROUPS).find(|setting| setting.key == field) else {
            let known = settings(PLAN_GROUPS).map(|setting| setting.key);
            return Err(unknown(path, place, field, nearest(field, known)));
        };
        let (allowed, expected) = match setting.form {
            Form::Flag => (value.as_bool().map(Value::from), "must be true or false"),
            _ => {
                let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
                (number.map(Value::from), "must be a whole number")
            }
        };
        let place = format!("{place}.{field}");
        plan[in_json(field)] = allowed.ok_or_else(|| wrong(path, &place, expected))?;
    }
    Ok(())
}

fn unknown(path: &Path, place: &str, key: &str, nearest: Option<String>) -> ConfigError {
    ConfigError::UnknownKey {
        path: path.to_owned(),
        key: format!("{place}.{key}"),
        nearest: nearest.map(|nearest| format!("{place}.{nearest}")),
    }
}

fn wrong(path: &Path, place: &str, reason: &str) -> ConfigError {
    ConfigError::Value {
        place: format!("{place} in {}", path.display()),
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file::File;
    use scheduler_core::plan::Allowances;
    use std::collections::BTreeMap;

    fn read(text: &str) -> Result<Plans, String> {
        let plans = text.parse().unwrap();
        let file = File { path: "scheduler.toml".into(), plans, ..File::default() };
        super::plans(&Sources::new(BTreeMap::new(), file)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_left_out_stays() {
        let plans = read("[free]\napi = true\nposts_a_month = 5").unwrap();
        let default = Plans::default();
        let free = Allowances { api: true, posts_a_month: 5, ..default.free };
        assert_eq!(plans, Plans { free, ..default });
    }

    #[test]
    fn every_field_is_known() {
        for field in settings(PLAN_GROUPS).map(|setting| setting.key) {
            let value = if field == "api" { "true" } else { "1" };
            assert!(read(&format!("[pro]\n{field} = {value}")).is_ok(), "{field}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, want) in [
            (
                "[fre]\napi = true",
                "scheduler.toml: unknown key \"plans.fre\"; did you mean \"plans.free\"?",
            ),
            (
                "[free]\nchanels = 1",
                "scheduler.toml: unknown key \"plans.free.chanels\"; did you mean \"plans.free.channels\"?",
            ),
            (
                "[free]\nchannels = -1",
                "plans.free.channels in scheduler.toml must be a whole number",
            ),
            ("[free]\napi = 1", "plans.free.api in scheduler.toml must be true or false"),
            ("free = 1", "plans.free in scheduler.toml must be a table"),
        ] {
            assert_eq!(read(text).err().as_deref(), Some(want), "{text}");
        }
    }
}
