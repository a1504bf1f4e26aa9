//! What each plan allows.

use std::path::Path;

use scheduler_core::plan::{Allowances, Plan, Plans};
use toml::{Table, Value};

use super::each::OF_PLANS;
use super::{ConfigError, Sources};
use crate::names::nearest;

/// Reads the plans; what the file leaves out stays as it is by default.
///
/// # Errors
/// [`ConfigError::UnknownKey`] or [`ConfigError::Value`], naming the plan and the field.
pub(crate) fn plans(sources: &Sources) -> Result<Plans, ConfigError> {
    let (table, path) = sources.plans();
    let mut plans = Plans::default();
    for (name, value) in table {
        let Ok(plan) = name.parse::<Plan>() else {
            let known = Plan::ALL.map(Plan::as_str);
            return Err(unknown(path, "plans", name, nearest(name, known)));
        };
        let place = format!("plans.{name}");
        let allowances = match plan {
            Plan::Free => &mut plans.free,
            Plan::Pro => &mut plans.pro,
            Plan::Studio => &mut plans.studio,
        };
        let Value::Table(fields) = value else {
            return Err(wrong(path, &place, "must be a table"));
        };
        read(allowances, fields, &place, path)?;
    }
    Ok(plans)
}

fn read(
    allowances: &mut Allowances,
    fields: &Table,
    place: &str,
    path: &Path,
) -> Result<(), ConfigError> {
    for (field, value) in fields {
        let number = || {
            value
                .as_integer()
                .and_then(|number| u64::try_from(number).ok())
                .ok_or_else(|| wrong(path, &format!("{place}.{field}"), "must be a whole number"))
        };
        match field.as_str() {
            "api" => {
                allowances.api = value.as_bool().ok_or_else(|| {
                    wrong(path, &format!("{place}.{field}"), "must be true or false")
                })?;
            }
            "captions_a_month" => allowances.captions_a_month = number()?,
            "channels" => allowances.channels = number()?,
            "file_bytes" => allowances.file_bytes = number()?,
            "posts_a_month" => allowances.posts_a_month = number()?,
            "reviews_a_month" => allowances.reviews_a_month = number()?,
            "upload_bytes_a_month" => allowances.upload_bytes_a_month = number()?,
            _ => return Err(unknown(path, place, field, nearest(field, fields_known()))),
        }
    }
    Ok(())
}

fn fields_known() -> impl Iterator<Item = &'static str> {
    OF_PLANS.iter().map(|setting| setting.key)
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
    use crate::config::File;
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
        for field in fields_known() {
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
