//! What a post tells of how it came about.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{CapabilitySheet, Disclosed};
use crate::object::only_from_object;
use crate::text::is_given;

/// What a post tells of how it came about; each is false unless it is said.
///
/// It is the default of all targets: the option of a network that shows the label is set where a
/// target does not set it itself.
///
/// ```
/// use scheduler_core::platform::Disclosure;
///
/// let told: Disclosure = serde_json::from_str(r#"{"aiGenerated": true}"#)?;
/// assert!(told.ai_generated && !told.paid_partnership);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Disclosure {
    /// It was made or changed by artificial intelligence.
    pub ai_generated: bool,
    /// Somebody paid for it.
    pub paid_partnership: bool,
    /// It promotes what is the author's own.
    pub own_brand: bool,
}

only_from_object!(Disclosure);

impl Disclosure {
    /// Nothing is told.
    pub const NONE: Self = Self { ai_generated: false, paid_partnership: false, own_brand: false };

    /// True where nothing is told.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// What is told.
    pub fn told(self) -> impl Iterator<Item = Disclosed> {
        Disclosed::ALL.into_iter().filter(move |what| match what {
            Disclosed::AiGenerated => self.ai_generated,
            Disclosed::PaidPartnership => self.paid_partnership,
            Disclosed::OwnBrand => self.own_brand,
        })
    }

    /// The options of a target with the labels that it does not set itself, as far as its network
    /// has them and lets others set them beforehand.
    ///
    /// ```
    /// use scheduler_core::platform::{Disclosure, Platform};
    /// use serde_json::{Map, json};
    ///
    /// let told: Disclosure = serde_json::from_str(r#"{"aiGenerated": true}"#)?;
    /// let none = Map::new();
    /// let options = told.fill(Platform::Youtube.sheet(), &none);
    /// assert_eq!(json!(options), json!({"aiGenerated": true}));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn fill<'a>(
        self,
        sheet: &CapabilitySheet,
        options: &'a Map<String, Value>,
    ) -> Cow<'a, Map<String, Value>> {
        let mut filled = Cow::Borrowed(options);
        for what in self.told() {
            let Some(label) = sheet.label_of(what).filter(|label| !label.set_by_hand) else {
                continue;
            };
            if !filled.get(label.key).is_some_and(is_given) {
                filled.to_mut().insert(label.key.to_owned(), Value::Bool(true));
            }
        }
        filled
    }
}

impl FromIterator<Disclosed> for Disclosure {
    /// All of these are told.
    fn from_iter<I: IntoIterator<Item = Disclosed>>(told: I) -> Self {
        let mut disclosure = Self::NONE;
        for what in told {
            match what {
                Disclosed::AiGenerated => disclosure.ai_generated = true,
                Disclosed::PaidPartnership => disclosure.paid_partnership = true,
                Disclosed::OwnBrand => disclosure.own_brand = true,
            }
        }
        disclosure
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::platform::{OptionValue, Platform};

    fn told(json: Value) -> Disclosure {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_label_that_is_set_beforehand_is_a_flag() {
        for platform in Platform::ALL {
            for option in platform.sheet().options {
                let is_flag = matches!(option.value, OptionValue::Flag);
                let is_label = !option.discloses.is_empty();
                assert!(!is_label || is_flag || option.set_by_hand, "{platform} {}", option.key);
                assert!(is_label || !option.set_by_hand, "{platform} {}", option.key);
            }
        }
    }

    #[test]
    fn labels_are_filled_in_where_the_network_has_them() {
        let all = json!({"aiGenerated": true, "paidPartnership": true, "ownBrand": true});
        let ai = json!({"aiGenerated": true});
        for (name, platform, disclosure, own, want) in [
            ("nothing told", Platform::Youtube, json!({}), json!({}), json!({})),
            (
                "all",
                Platform::Youtube,
                all.clone(),
                json!({"title": "T"}),
                json!({"title": "T", "aiGenerated": true, "paidPromotion": true}),
            ),
            (
                "two of them",
                Platform::Twitter,
                all.clone(),
                json!({}),
                json!({"paidPartnership": true, "aiGenerated": true}),
            ),
            (
                "a target that says otherwise",
                Platform::Instagram,
                ai.clone(),
                json!({"aiGenerated": false}),
                json!({"aiGenerated": false}),
            ),
            (
                "null is not said",
                Platform::Instagram,
                ai.clone(),
                json!({"aiGenerated": null}),
                json!({"aiGenerated": true}),
            ),
            ("never beforehand", Platform::Tiktok, all.clone(), json!({}), json!({})),
            ("no label", Platform::Bluesky, all, json!({}), json!({})),
        ] {
            let own = own.as_object().unwrap();
            assert_eq!(json!(told(disclosure).fill(platform.sheet(), own)), want, "{name}");
        }
    }
}
