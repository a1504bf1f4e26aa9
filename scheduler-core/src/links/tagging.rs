//! What becomes of one link.

use chrono::NaiveDate;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::{Url, form_urlencoded};

use super::{LINK_MAX_BYTES, LinkChange, LinkRules, PATH, ShortLinks};
use crate::ids::WorkspaceId;
use crate::platform::Platform;

/// What is encoded in a value, so that nothing in it ends a link on any network.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// What the links of one target are changed by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tagging<'a> {
    /// What is asked.
    pub(crate) rules: &'a LinkRules,
    /// The network.
    pub(crate) platform: Platform,
    /// The labels of the post.
    pub(crate) labels: &'a [String],
    /// The day that stands for `{date}`.
    pub(crate) date: NaiveDate,
    /// Whose links they are.
    pub(crate) workspace: WorkspaceId,
    /// What shortens; `None` where the server has no address.
    pub(crate) short: Option<&'a ShortLinks>,
}

impl Tagging<'_> {
    /// What is sent in place of a link; `None` for the link itself.
    pub(crate) fn change(&self, link: &str) -> Option<LinkChange> {
        let is_ours = |short: &ShortLinks| {
            link.strip_prefix(short.base()).is_some_and(|rest| rest.starts_with(PATH))
        };
        if link.len() > LINK_MAX_BYTES {
            return None;
        }
        let url = Url::parse(link).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let host = url.host_str()?;
        if self.short.is_some_and(is_ours) || self.rules.leaves_alone(host) {
            return None;
        }
        let tagged = with_parameters(link, &self.parameters());
        let short = self.short.filter(|_| self.rules.shorten);
        let (sent, leads_to) = match short {
            Some(short) => (short.address(self.workspace, &tagged), Some(tagged)),
            None => (tagged, None),
        };
        (sent != link).then(|| LinkChange { written: link.to_owned(), sent, leads_to })
    }

    /// The parameters that links get, by their names.
    fn parameters(&self) -> Vec<(&'static str, String)> {
        if !self.rules.tag {
            return Vec::new();
        }
        let templates = self.rules.templates(self.platform, self.labels);
        let filled = templates.into_iter().map(|(name, template)| {
            let label = self.labels.first().map(String::as_str).unwrap_or_default();
            let date = self.date.to_string();
            let fields =
                [("{network}", self.platform.as_str()), ("{label}", label), ("{date}", &date)];
            (name, filled(template, &fields))
        });
        filled.filter(|(_, value)| !value.is_empty()).collect()
    }
}

/// A template with its fields filled in, each once: what a field holds is no template.
fn filled(template: &str, fields: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        match fields.iter().find(|(field, _)| rest.starts_with(field)) {
            Some((field, value)) => {
                text.push_str(value);
                rest = &rest[field.len()..];
            }
            None => {
                text.push('{');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text.trim().to_owned()
}

/// A link with the parameters that it does not have, behind those that it has. Every byte of the
/// link stays.
fn with_parameters(link: &str, parameters: &[(&str, String)]) -> String {
    let (address, fragment) = link.split_at(link.find('#').unwrap_or(link.len()));
    let query = address.split_once('?').map(|(_, query)| query);
    let given = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let given: Vec<_> = given.map(|(name, _)| name).collect();
    let mut tagged = address.to_owned();
    let mut separator = match query {
        None => "?",
        Some(query) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    for (name, value) in parameters {
        if given.iter().any(|given| given.eq_ignore_ascii_case(name)) {
            continue;
        }
        tagged.push_str(separator);
        tagged.push_str(name);
        tagged.push('=');
        tagged.extend(utf8_percent_encode(value, ENCODED));
        separator = "&";
    }
    tagged.push_str(fragment);
    tagged
}
