//! The settings for one network that a person gives with `--option`.

use std::collections::BTreeMap;
use std::str::FromStr;

use scheduler_core::platform::{OptionValue, Platform, Shape};
use scheduler_core::post::TargetInput;
use serde_json::{Map, Value, json};

use super::target::read_network;
use crate::names::nearest;

/// One `--option NETWORK.KEY=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OptionArgument {
    platform: Platform,
    key: String,
    value: Value,
    /// Further values of the same key make the list longer.
    is_list: bool,
}

impl FromStr for OptionArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').ok_or(SHAPE)?;
        let (platform, key) = read_key(name)?;
        let kind = platform.sheet().option(key).map(|fact| fact.value);
        let (value, is_list) = match kind {
            // What the network does not know is the server's to judge.
            None
            | Some(
                OptionValue::Text { .. }
                | OptionValue::Caption
                | OptionValue::OneOf(_)
                | OptionValue::Digits { .. }
                | OptionValue::Uuid
                | OptionValue::Language
                | OptionValue::Address { .. },
            ) => (Value::String(value.to_owned()), false),
            Some(OptionValue::Flag) => match value {
                "true" => (Value::Bool(true), false),
                "false" => (Value::Bool(false), false),
                _ => return Err(format!("{name} is true or false")),
            },
            Some(OptionValue::Integer { .. }) => match value.parse::<i64>() {
                Ok(number) => (Value::from(number), false),
                Err(_) => return Err(format!("{name} is a whole number")),
            },
            Some(OptionValue::Thread { .. } | OptionValue::Texts { .. }) => {
                // A part with files is an object.
                let part = serde_json::from_str::<Map<String, Value>>(value);
                let list = part.map_or_else(|_| list([value], value), |part| Ok(json!([part])))?;
                (list, true)
            }
            Some(
                OptionValue::Tags(_)
                | OptionValue::SomeOf(_)
                | OptionValue::UserNames { .. }
                | OptionValue::Languages { .. },
            ) => (list(value.split(',').map(str::trim), value)?, true),
            Some(OptionValue::Poll(_) | OptionValue::Subtitles { .. }) => {
                (of_json(name, value)?, false)
            }
            Some(OptionValue::Shaped(shape)) => {
                (shaped(name, shape, value)?, matches!(shape, Shape::List { .. }))
            }
        };
        Ok(Self { platform, key: key.to_owned(), value, is_list })
    }
}

/// What is said of a word that names no option.
const SHAPE: &str = "write NETWORK.KEY=VALUE, such as mastodon.visibility=unlisted";

/// Reads NETWORK.KEY.
fn read_key(name: &str) -> Result<(Platform, &str), String> {
    let (platform, key) = name.split_once('.').ok_or(SHAPE)?;
    let platform = read_network(platform)?;
    if key.is_empty() {
        return Err(SHAPE.to_owned());
    }
    let sheet = platform.sheet();
    // A server that is newer may know what this version does not, but hardly so like it.
    if sheet.option(key).is_none()
        && let Some(nearest) = nearest(key, sheet.options.iter().map(|option| option.key))
    {
        return Err(format!("{platform} has no option {key}; did you mean {platform}.{nearest}?"));
    }
    Ok((platform, key))
}

/// One `--option NETWORK.KEY=VALUE` where some are set already.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OptionChange {
    /// The option has this value from now on.
    Set(OptionArgument),
    /// `NETWORK.KEY=`: the option is not set any more.
    Remove(Platform, String),
}

impl FromStr for OptionChange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_suffix('=') {
            Some(name) if !name.contains('=') => {
                read_key(name).map(|(platform, key)| Self::Remove(platform, key.to_owned()))
            }
            Some(_) | None => text.parse().map(Self::Set),
        }
    }
}

fn of_json(name: &str, text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{name} is JSON: {error}"))
}

/// A value of a shape: plain ones as they are written, lists of them with commas between, the
/// others as JSON.
fn shaped(name: &str, shape: &Shape, text: &str) -> Result<Value, String> {
    match shape {
        Shape::Text(_)
        | Shape::OneOf(_)
        | Shape::Digits(_)
        | Shape::Uuid
        | Shape::Color
        | Shape::Instant
        | Shape::Date
        | Shape::Language
        | Shape::Address(..) => Ok(Value::String(text.to_owned())),
        Shape::FalseOr(_) if text == "false" => Ok(Value::Bool(false)),
        Shape::FalseOr(inner) => shaped(name, inner, text),
        Shape::List { item, .. } if !text.starts_with('[') && !matches!(item, Shape::Object(_)) => {
            let items = text.split(',').map(|text| shaped(name, item, text.trim()));
            items.collect::<Result<Vec<_>, _>>().map(Value::from)
        }
        _ => of_json(name, text),
    }
}

/// A list: these texts, unless the whole is JSON.
fn list<'a>(texts: impl IntoIterator<Item = &'a str>, whole: &str) -> Result<Value, String> {
    if whole.starts_with('[') {
        return serde_json::from_str(whole)
            .map_err(|error| format!("the list is no JSON: {error}"));
    }
    Ok(texts.into_iter().collect())
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Options(BTreeMap<Platform, Map<String, Value>>);

impl Options {
    /// Gathers what was given; a list that is given in parts is put together.
    ///
    /// # Errors
    /// The sentence for the user, when a key that is no list is given twice.
    pub(crate) fn gather(arguments: &[OptionArgument]) -> Result<Self, String> {
        let mut options = Self::default();
        for argument in arguments {
            let of_network = options.0.entry(argument.platform).or_default();
            match (of_network.get_mut(&argument.key), &argument.value) {
                (None, value) => {
                    of_network.insert(argument.key.clone(), value.clone());
                }
                (Some(Value::Array(list)), Value::Array(more)) if argument.is_list => {
                    list.extend(more.iter().cloned());
                }
                (Some(_), _) => {
                    return Err(format!("{}.{} is given twice", argument.platform, argument.key));
                }
            }
        }
        Ok(options)
    }

    /// Gives each target the settings for its network.
    pub(crate) fn add_to(&self, targets: &mut [TargetInput]) {
        for target in targets {
            target.options = self.of(target.platform).cloned();
        }
    }

    /// Those of a network.
    pub(crate) fn of(&self, platform: Platform) -> Option<&Map<String, Value>> {
        self.0.get(&platform)
    }

    /// The networks that have any.
    pub(crate) fn platforms(&self) -> impl Iterator<Item = Platform> {
        self.0.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_kind_that_the_network_wants() {
        for (text, want) in [
            ("mastodon.visibility=unlisted", Ok(json!("unlisted"))),
            ("pinterest.boardId=12345", Ok(json!("12345"))),
            ("mastodon.caption=a=b", Ok(json!("a=b"))),
            ("facebook.asReel=true", Ok(json!(true))),
            ("facebook.asReel=yes", Err(())),
            ("tumblr.tags=a, b", Ok(json!(["a", "b"]))),
            ("tumblr.tags=[\"a\",\"b\"]", Ok(json!(["a", "b"]))),
            ("bluesky.thread=two, still two", Ok(json!(["two, still two"]))),
            ("bluesky.thread={\"text\":\"two\"}", Ok(json!([{"text": "two"}]))),
            ("bluesky.thread={two}", Ok(json!(["{two}"]))),
            ("threads.poll={\"options\":[\"a\",\"b\"]}", Ok(json!({"options": ["a", "b"]}))),
            ("threads.poll=a", Err(())),
            ("bluesky.unknown=1", Ok(json!("1"))),
            ("pinterest.boardid=12345", Err(())),
            ("mastodon.visibilty=unlisted", Err(())),
            ("blusky.thread=a", Err(())),
            ("bluesky.thread", Err(())),
            ("thread=a", Err(())),
            ("bluesky.=a", Err(())),
        ] {
            let parsed = text.parse::<OptionArgument>();
            assert_eq!(parsed.map(|option| option.value).map_err(|_| ()), want, "{text}");
        }
    }

    #[test]
    fn an_option_without_a_value_is_removed() {
        let remove = |platform, key: &str| Ok(OptionChange::Remove(platform, key.to_owned()));
        let set = |text: &str| Ok(OptionChange::Set(text.parse().unwrap()));
        for (text, want) in [
            ("mastodon.visibility=", remove(Platform::Mastodon, "visibility")),
            ("facebook.asReel=", remove(Platform::Facebook, "asReel")),
            ("mastodon.visibility=unlisted", set("mastodon.visibility=unlisted")),
            ("mastodon.caption=a=", set("mastodon.caption=a=")),
            ("mastodon.visibilty=", Err(())),
            ("mastodon.=", Err(())),
            ("visibility=", Err(())),
        ] {
            assert_eq!(text.parse::<OptionChange>().map_err(|_| ()), want, "{text}");
        }
    }

    #[test]
    fn lists_grow_and_other_values_stand_once() {
        let gather = |texts: &[&str]| {
            let arguments: Vec<OptionArgument> =
                texts.iter().map(|text| text.parse().unwrap()).collect();
            Options::gather(&arguments)
        };
        let options = gather(&["bluesky.thread=2", "bluesky.thread=3"]).unwrap();
        assert_eq!(options.0[&Platform::Bluesky]["thread"], json!(["2", "3"]));
        assert_eq!(
            gather(&["bluesky.caption=2", "bluesky.caption=3"]).err().as_deref(),
            Some("bluesky.caption is given twice")
        );
    }
}
