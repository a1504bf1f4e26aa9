//! The text model that writes captions and reviews posts.

use scheduler_networks::assistant::AssistantSettings;

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;

/// Reads where the model is; `None` when none is set, and nothing is then ever sent.
///
/// # Errors
/// [`ConfigError::Value`], naming the setting; also when an address stands without a model, or
/// anything else without an address.
pub(crate) fn assistant(sources: &Sources) -> Result<Option<AssistantSettings>, ConfigError> {
    let url = sources.set(&KEYS.ai_url)?;
    let model = sources.text(&KEYS.ai_model);
    let time_limit = sources.get(&KEYS.ai_timeout_seconds)?;
    let Some(url) = url else {
        let alone = sources.place(&KEYS.ai_model).or_else(|| sources.place(&KEYS.ai_key));
        return match alone {
            None => Ok(None),
            Some(place) => Err(ConfigError::Value {
                place,
                reason: "is set, but there is no ai_url to send to; set it too, or leave this out"
                    .to_owned(),
            }),
        };
    };
    let Some(model) = model else {
        let place = sources.place(&KEYS.ai_url).unwrap_or_default();
        let reason = "is set, but no ai_model says which model to ask there";
        return Err(ConfigError::Value { place, reason: reason.to_owned() });
    };
    Ok(Some(AssistantSettings {
        url,
        key: sources.text(&KEYS.ai_key).map(|key| key.trim().to_owned().into()),
        model: model.trim().to_owned(),
        time_limit,
    }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use scheduler_networks::assistant::TIME_LIMIT;
    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn a_whole_configuration() {
        let sources = sources(
            &[("SCHEDULER_AI_KEY", "sk-x ")],
            &[
                ("ai_url", "http://localhost:11434/v1"),
                ("ai_model", "m"),
                ("ai_timeout_seconds", "5"),
            ],
        );
        let settings = assistant(&sources).unwrap().unwrap();
        assert_eq!(settings.url.as_str(), "http://localhost:11434/v1");
        assert_eq!(settings.model, "m");
        assert_eq!(settings.key.unwrap().expose_secret(), "sk-x");
        assert_eq!(settings.time_limit, Duration::from_secs(5));
    }

    #[test]
    fn what_is_left_out() {
        assert!(assistant(&sources(&[], &[])).unwrap().is_none());
        let keys = [("ai_url", "https://a.example/v1"), ("ai_model", "m")];
        let settings = assistant(&sources(&[], &keys)).unwrap().unwrap();
        assert!(settings.key.is_none());
        assert_eq!(settings.time_limit, TIME_LIMIT);
    }

    #[test]
    fn half_of_a_configuration_is_refused() {
        let url = ("ai_url", "https://a.example/v1");
        for (name, keys, want) in [
            (
                "no model",
                &[url][..],
                "ai_url in scheduler.toml is set, but no ai_model says which model to ask there",
            ),
            ("a key alone", &[("ai_key", "sk-secret")], "ai_key in scheduler.toml is set, but"),
            ("a model alone", &[("ai_model", "m")], "ai_model in scheduler.toml is set, but"),
            ("no address", &[("ai_url", "a.example"), ("ai_model", "m")], "must be an address"),
            (
                "no time",
                &[url, ("ai_model", "m"), ("ai_timeout_seconds", "0")],
                "must be a whole number of seconds from 1 to 600",
            ),
        ] {
            let error = assistant(&sources(&[], keys)).unwrap_err().to_string();
            assert!(error.contains(want), "{name}: {error}");
            assert!(!error.contains("sk-secret"), "{name}");
        }
    }
}
