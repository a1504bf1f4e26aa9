//! The options of each network as a type: a struct with a field for each key of its sheet, which
//! stands in the file of the network.

/// Declares the options of a network, and the values of those that name one of a few.
macro_rules! options {
    ($platform:ident {
        $($(#[$doc:meta])* $field:ident: $type:ty,)*
    } $(where $(#[$enum_doc:meta])* $enum:ident {
        $($(#[$value_doc:meta])* $value:ident = $wire:literal,)*
    })*) => {
        #[doc = concat!("The options of [`Platform::", stringify!($platform), "`](crate::platform::Platform::", stringify!($platform), ").")]
        ///
        /// It becomes the options of a target, or the whole target. Fields that are `None` are not
        /// sent.
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $platform {
            /// A text of the target's own, in place of the one that all targets share.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub caption: Option<String>,
            /// What stands under its text after an empty line; under the last post of a thread.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub signature: Option<String>,
            $($(#[$doc])*
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub $field: Option<$type>,)*
        }

        impl From<$platform> for serde_json::Map<String, serde_json::Value> {
            fn from(options: $platform) -> Self {
                // Fields of texts, flags and lists of them always become an object.
                match serde_json::to_value(options) {
                    Ok(serde_json::Value::Object(options)) => options,
                    _ => Self::new(),
                }
            }
        }

        #[cfg(feature = "engine")]
        impl From<$platform> for crate::post::TargetInput {
            /// The network's only account, with these options.
            fn from(options: $platform) -> Self {
                Self::from(crate::platform::Platform::$platform).with_options(options.into())
            }
        }

        $($(#[$enum_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[non_exhaustive]
        pub enum $enum {
            $($(#[$value_doc])*
            #[serde(rename = $wire)]
            $value,)*
        })*
    };
}

pub(super) use options;

#[cfg(test)]
#[cfg(feature = "engine")]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Map, Value, json};
    use uuid::Uuid;

    use crate::platform::bluesky::Bluesky;
    use crate::platform::discord::Discord;
    use crate::platform::facebook::Facebook;
    use crate::platform::instagram::Instagram;
    use crate::platform::linkedin::Linkedin;
    use crate::platform::mastodon::Mastodon;
    use crate::platform::pinterest::Pinterest;
    use crate::platform::telegram::Telegram;
    use crate::platform::threads::Threads;
    use crate::platform::tiktok::Tiktok;
    use crate::platform::tumblr::Tumblr;
    use crate::platform::twitter::Twitter;
    use crate::platform::youtube::Youtube;
    use crate::platform::{OptionFact, OptionValue, Platform, Shape, TagBounds};
    use crate::post::TargetInput;

    /// A value of a shape, with every member of its objects.
    fn example(shape: &Shape) -> Value {
        match shape {
            Shape::Text(_) => json!("text"),
            Shape::Flag => json!(true),
            Shape::OneOf(values) => json!(values[0]),
            Shape::Digits(_) => json!("1234"),
            Shape::Integer { least, .. } => json!(least),
            Shape::Uuid => json!(Uuid::nil()),
            Shape::Color => json!("#1e90ff"),
            Shape::Instant => json!("2026-12-01T20:00:00Z"),
            Shape::Date => json!("2026-12-01"),
            Shape::Language => json!("pt-BR"),
            Shape::Address(..) => json!("https://a.example/x"),
            Shape::List { item, .. } => json!([example(item)]),
            Shape::Object(members) => members
                .iter()
                .map(|member| (member.key.to_owned(), example(&member.shape)))
                .collect::<Map<_, _>>()
                .into(),
            Shape::FalseOr(inner) => example(inner),
        }
    }

    /// Every value that an option can have, as far as its sheet tells them apart.
    fn values(option: &OptionFact) -> Vec<Value> {
        match option.value {
            OptionValue::Text { .. } | OptionValue::Caption | OptionValue::Digits { .. } => {
                vec![json!("1234")]
            }
            OptionValue::OneOf(values) => values.iter().map(|value| json!(value)).collect(),
            OptionValue::SomeOf(values) => values.iter().map(|value| json!([value])).collect(),
            OptionValue::Flag => vec![json!(true), json!(false)],
            OptionValue::Integer { least, most } => vec![json!(least), json!(most)],
            OptionValue::Language => vec![json!("en"), json!("pt-BR")],
            OptionValue::Languages { .. } => vec![json!(["en", "pt-BR"])],
            OptionValue::Address { .. } => vec![json!("https://example.com/a")],
            OptionValue::Tags(TagBounds { .. })
            | OptionValue::Texts { .. }
            | OptionValue::UserNames { .. }
            | OptionValue::Thread { .. } => vec![json!(["one", "two"])],
            OptionValue::Uuid => vec![json!(Uuid::nil())],
            OptionValue::Poll(_) => vec![
                json!({"options": ["one", "two"]}),
                json!({"options": ["one", "two"], "question": "Which?", "durationMinutes": 60,
                       "multiple": true, "hideResults": false}),
            ],
            OptionValue::Shaped(shape @ Shape::FalseOr(_)) => vec![json!(false), example(shape)],
            OptionValue::Shaped(shape) => vec![example(shape)],
            OptionValue::Subtitles { .. } => {
                let plain = json!({"language": "de", "format": "srt", "content": "1"});
                let named =
                    json!({"language": "de", "name": "Deutsch", "format": "srt", "content": "1"});
                vec![json!([plain, named])]
            }
        }
    }

    /// What does not come back as it was through the type of a network.
    fn wrong<T>(platform: Platform) -> Vec<String>
    where
        T: DeserializeOwned + Default + Into<TargetInput> + Into<Map<String, Value>>,
    {
        let read = |options: &Map<String, Value>| -> Result<T, serde_json::Error> {
            serde_json::from_value(Value::Object(options.clone()))
        };
        let mut wrong = Vec::new();
        for option in platform.sheet().options {
            for value in values(option) {
                let options = Map::from_iter([(option.key.to_owned(), value)]);
                let back = read(&options).map(Into::<TargetInput>::into);
                let want = TargetInput::from(platform).with_options(options);
                if back.as_ref().ok() != Some(&want) {
                    wrong.push(format!("{platform}: {want:?} became {back:?}"));
                }
            }
        }
        let nothing: Map<String, Value> = T::default().into();
        if !nothing.is_empty() {
            wrong.push(format!("{platform} sends {nothing:?} of nothing"));
        }
        wrong
    }

    /// The keys that a type has, as serde says when it meets another.
    fn keys<T: DeserializeOwned>() -> Vec<String> {
        let error = serde_json::from_value::<T>(json!({"?": 1})).err().unwrap().to_string();
        error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    fn check<T>(platform: Platform)
    where
        T: DeserializeOwned + Default + Into<TargetInput> + Into<Map<String, Value>>,
    {
        assert_eq!(wrong::<T>(platform), Vec::<String>::new());
        let mut sheet: Vec<&str> =
            platform.sheet().options.iter().map(|option| option.key).collect();
        let mut own = keys::<T>();
        sheet.sort_unstable();
        own.sort_unstable();
        assert_eq!(own, sheet, "the type of {platform} has the keys of its sheet and no other");
    }

    #[test]
    fn every_option_of_every_sheet_is_reached_with_each_of_its_values() {
        for platform in Platform::ALL {
            match platform {
                Platform::Youtube => check::<Youtube>(platform),
                Platform::Tiktok => check::<Tiktok>(platform),
                Platform::Instagram => check::<Instagram>(platform),
                Platform::Facebook => check::<Facebook>(platform),
                Platform::Threads => check::<Threads>(platform),
                Platform::Twitter => check::<Twitter>(platform),
                Platform::Linkedin => check::<Linkedin>(platform),
                Platform::Pinterest => check::<Pinterest>(platform),
                Platform::Bluesky => check::<Bluesky>(platform),
                Platform::Mastodon => check::<Mastodon>(platform),
                Platform::Telegram => check::<Telegram>(platform),
                Platform::Discord => check::<Discord>(platform),
                Platform::Tumblr => check::<Tumblr>(platform),
                Platform::Own(_) => {}
            }
        }
    }
}
