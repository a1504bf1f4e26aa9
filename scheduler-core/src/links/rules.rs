//! What a workspace, or a post, wants of its links.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Invalid, Refusal};
use crate::platform::Platform;
use crate::post::{check_label, folded_label};

/// The most characters of a template.
///
/// Source: our decision.
pub const UTM_MAX_CHARACTERS: usize = 200;

/// How many networks can have templates of their own.
///
/// Source: our decision; far more than there are.
pub const NETWORK_RULES_MAX: usize = 100;

/// How many labels can have templates of their own.
///
/// Source: our decision.
pub const LABEL_RULES_MAX: usize = 100;

/// How many hosts can be left alone.
///
/// Source: our decision.
pub const EXCEPT_MAX: usize = 100;

/// The longest name of a host.
///
/// Source: RFC 1035, section 2.3.4.
const HOST_MAX_CHARACTERS: usize = 253;

/// What stands in the fields of a template.
const FIELDS: [&str; 3] = ["network", "label", "date"];

/// What a workspace, or a post, wants of its links; nothing, unless it says so.
///
/// ```
/// use scheduler_core::links::LinkRules;
///
/// let rules: LinkRules = serde_json::from_str(
///     r#"{"tag": true, "utm": {"source": "{network}"}, "labels": {"spring": {"campaign": "s26"}}}"#,
/// )?;
/// assert!(rules.is_on() && !rules.shorten);
/// assert!(!LinkRules::default().is_on());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkRules {
    /// Whether links get parameters.
    #[serde(default)]
    pub tag: bool,
    /// Whether links become short ones of this server.
    #[serde(default)]
    pub shorten: bool,
    /// The parameters.
    #[serde(default, skip_serializing_if = "Utm::is_none")]
    pub utm: Utm,
    /// Parameters in place of those, by networks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(extend("maxProperties" = NETWORK_RULES_MAX)))]
    pub networks: BTreeMap<Platform, Utm>,
    /// Parameters in place of both, by labels of the post: those of its first label that has any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(extend("maxProperties" = LABEL_RULES_MAX)))]
    pub labels: BTreeMap<String, Utm>,
    /// Hosts whose links are left alone, with what lies under them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = EXCEPT_MAX)))]
    pub except: Vec<String>,
}

/// Templates of the parameters of a link: texts in which `{network}`, `{label}` and `{date}` are
/// filled in. An empty one leaves its parameter out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Utm {
    /// `utm_source`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = UTM_MAX_CHARACTERS)))]
    pub source: Option<String>,
    /// `utm_medium`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = UTM_MAX_CHARACTERS)))]
    pub medium: Option<String>,
    /// `utm_campaign`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = UTM_MAX_CHARACTERS)))]
    pub campaign: Option<String>,
    /// `utm_content`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = UTM_MAX_CHARACTERS)))]
    pub content: Option<String>,
    /// `utm_term`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = UTM_MAX_CHARACTERS)))]
    pub term: Option<String>,
}

impl Utm {
    /// The parameters by their names and in their order, with the names of the fields and what is
    /// given.
    #[must_use]
    pub fn templates(&self) -> [(&'static str, &'static str, Option<&str>); 5] {
        [
            ("utm_source", "source", self.source.as_deref()),
            ("utm_medium", "medium", self.medium.as_deref()),
            ("utm_campaign", "campaign", self.campaign.as_deref()),
            ("utm_content", "content", self.content.as_deref()),
            ("utm_term", "term", self.term.as_deref()),
        ]
    }

    /// The same to be changed, by the names of the fields.
    pub fn templates_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Option<String>)> {
        let fields = self.templates().map(|(_, field, _)| field);
        let Self { source, medium, campaign, content, term } = self;
        fields.into_iter().zip([source, medium, campaign, content, term])
    }

    /// True where no parameter is given.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.templates().iter().all(|(.., template)| template.is_none())
    }

    /// # Errors
    /// `invalid_request` naming the template.
    fn check(&self, field: &str) -> Result<(), Refusal> {
        for (_, name, template) in self.templates() {
            let Some(template) = template else { continue };
            let refused =
                |message: String| Err(Refusal::invalid(format!("{field}.{name}"), message));
            let length = template.chars().count();
            if length > UTM_MAX_CHARACTERS {
                return refused(format!(
                    "A parameter has at most {UTM_MAX_CHARACTERS} characters; this has {length}."
                ));
            }
            if template.chars().any(char::is_control) {
                return refused("A parameter has no line breaks and no control characters.".into());
            }
            if let Some(unknown) = unknown_field(template) {
                return refused(format!(
                    "There is no field {unknown}; there are {{network}}, {{label}} and {{date}}."
                ));
            }
        }
        Ok(())
    }
}

/// The first thing in braces that is no field, or a brace that has no other.
fn unknown_field(template: &str) -> Option<String> {
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        let found = &rest[at..end];
        let name = found.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
        if !name.is_some_and(|name| FIELDS.contains(&name)) {
            return Some(found.to_owned());
        }
        rest = &rest[end..];
    }
    None
}

/// Looks at a host that is to be left alone.
///
/// # Errors
/// What to write in its place.
fn check_host(host: &str) -> Result<(), &'static str> {
    if host.contains('*') {
        return Err("Leave the star out: example.com stands for all that lies under it as well.");
    }
    if host.ends_with('.') {
        return Err("Leave out the full stop at its end.");
    }
    let is_host = (1..=HOST_MAX_CHARACTERS).contains(&host.chars().count())
        && !host.contains(|sign: char| sign.is_whitespace() || "/:?#@".contains(sign))
        && normal_host(host).is_some();
    if is_host {
        Ok(())
    } else {
        Err("This is the name of a host alone, such as shop.example.com.")
    }
}

/// A host as a parsed address has it: in small letters, those of other scripts in ASCII.
fn normal_host(host: &str) -> Option<String> {
    url::Host::parse(host).ok().map(|host| host.to_string())
}

impl LinkRules {
    /// True when links are changed.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.tag || self.shorten
    }

    /// The templates for a network and a post with these labels, by the names of the parameters.
    pub(super) fn templates(
        &self,
        platform: Platform,
        labels: &[String],
    ) -> Vec<(&'static str, &str)> {
        // Labels that differ in their case alone are one.
        let rule_of = |label: &String| {
            let label = folded_label(label);
            self.labels.iter().find(|(key, _)| folded_label(key) == label).map(|(_, utm)| utm)
        };
        let of_label = labels.iter().find_map(rule_of).into_iter();
        let layers: Vec<_> = of_label
            .chain(self.networks.get(&platform))
            .chain([&self.utm])
            .map(Utm::templates)
            .collect();
        let found =
            self.utm.templates().into_iter().enumerate().filter_map(|(index, (name, ..))| {
                Some((name, layers.iter().find_map(|layer| layer[index].2)?))
            });
        found.collect()
    }

    /// True for a host, as a parsed address has it, that is left alone, or that lies under one.
    pub(super) fn leaves_alone(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        self.except.iter().filter_map(|except| normal_host(except)).any(|except| {
            let above = host.strip_suffix(except.as_str());
            above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        })
    }

    /// Checks that they can be followed; `can_shorten` says whether the server has an address.
    ///
    /// # Errors
    /// `invalid_request` naming the field, below `place`.
    pub(crate) fn check(&self, place: &str, can_shorten: bool) -> Result<(), Refusal> {
        let field =
            |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        if self.shorten && !can_shorten {
            return Err(Refusal::invalid(field("shorten"), Invalid::ShortensWithoutAddress));
        }
        for (name, count, most) in [
            ("networks", self.networks.len(), NETWORK_RULES_MAX),
            ("labels", self.labels.len(), LABEL_RULES_MAX),
            ("except", self.except.len(), EXCEPT_MAX),
        ] {
            if count > most {
                let message = format!("There are {count}; the limit is {most}.");
                return Err(Refusal::invalid(field(name), message));
            }
        }
        self.utm.check(&field("utm"))?;
        for (platform, utm) in &self.networks {
            utm.check(&field(&format!("networks.{platform}")))?;
        }
        let mut folded = BTreeMap::new();
        for (label, utm) in &self.labels {
            check_label(&field("labels"), label)?;
            if let Some(other) = folded.insert(folded_label(label), label) {
                return Err(Refusal::invalid(
                    field(&format!("labels.{label}")),
                    format!("This is the label {other:?} once more; keep one of the two."),
                ));
            }
            utm.check(&field(&format!("labels.{label}")))?;
        }
        for (index, host) in self.except.iter().enumerate() {
            if let Err(message) = check_host(host) {
                return Err(Refusal::invalid(field(&format!("except[{index}]")), message));
            }
        }
        let layers =
            [&self.utm].into_iter().chain(self.networks.values()).chain(self.labels.values());
        let has_any = |utm: &Utm| {
            utm.templates().iter().any(|(.., text)| text.is_some_and(|text| !text.is_empty()))
        };
        if self.tag && !layers.into_iter().any(has_any) {
            return Err(Refusal::invalid(
                field("utm"),
                "No parameter has a value; give one, such as \"source\": \"{network}\", or send \
                 \"tag\": false.",
            ));
        }
        Ok(())
    }
}
