//! The page on which a person lets an application in: each network describes its own.

use http::StatusCode;
use serde_json::{Map, Value};

use crate::answer::Answer;
use crate::page::escape;
use crate::params::text;

/// Accounts that a page offers.
const OFFERED: usize = 50;

/// How a network words its page, and what its form is called.
#[derive(Debug)]
pub(crate) struct Consent {
    pub(crate) title: &'static str,
    /// What the page hands on from the address to the form.
    pub(crate) handed_on: &'static [&'static str],
    /// Where the form is sent; `None` for the page's own address.
    pub(crate) action: Option<&'static str>,
    /// What the application does, after its name.
    pub(crate) asks: &'static str,
    /// What permissions are called here.
    pub(crate) permissions: &'static str,
    /// What is chosen, for the person and as a field.
    pub(crate) account: (&'static str, &'static str),
    /// The button that gives access: its value, and its words.
    pub(crate) allow: (&'static str, &'static str),
    /// The button that does not.
    pub(crate) deny: (&'static str, &'static str),
}

/// What a person has decided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// To give no access.
    Denied,
    /// To give access to an account that is new.
    New,
    /// To give access to this account.
    To(String),
}

impl Consent {
    /// The page. `application` is its name, and accounts are a value and what is shown of it.
    pub(crate) fn show(
        &self,
        params: &Map<String, Value>,
        application: &str,
        permissions: &str,
        accounts: impl Iterator<Item = (String, String)>,
    ) -> Answer {
        let fields = self.handed_on.iter().filter_map(|name| {
            let value = escape(&text(params, name)?);
            Some(format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"))
        });
        let options = accounts.take(OFFERED).map(|(value, shown)| {
            format!("<option value=\"{}\">{}</option>", escape(&value), escape(&shown))
        });
        let action = self.action.map(|action| format!(" action=\"{action}\"")).unwrap_or_default();
        let Self { asks, account: (label, name), .. } = self;
        self.page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> {asks}</p><p>{}: {}</p><form method=\"post\"{action}>{}<p>\
                 <label>{label} <select name=\"{name}\">{}<option value=\"new\">a new one</option>\
                 </select></label></p><p><button name=\"decision\" value=\"{}\">{}</button> \
                 <button name=\"decision\" value=\"{}\">{}</button></p></form>",
                escape(application),
                self.permissions,
                escape(permissions),
                fields.collect::<String>(),
                options.collect::<String>(),
                self.allow.0,
                self.allow.1,
                self.deny.0,
                self.deny.1,
            ),
        )
    }

    /// What the person has decided by the form.
    pub(crate) fn decision(&self, params: &Map<String, Value>) -> Decision {
        if text(params, "decision").as_deref() == Some(self.deny.0) {
            return Decision::Denied;
        }
        match text(params, self.account.1) {
            Some(account) if !account.is_empty() && account != "new" => Decision::To(account),
            Some(_) | None => Decision::New,
        }
    }

    /// What the person is told where something is not in order.
    pub(crate) fn wrong(&self, why: &str) -> Answer {
        self.page(StatusCode::BAD_REQUEST, &format!("<p>{}</p>", escape(why)))
    }

    fn page(&self, status: StatusCode, content: &str) -> Answer {
        page(status, self.title, content)
    }
}

/// A page for a person.
pub(crate) fn page(status: StatusCode, title: &str, content: &str) -> Answer {
    Answer::html(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta \
             name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}\
             </title><style>:root{{color-scheme:light dark}}body{{max-width:32rem;margin:3rem \
             auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}}code{{overflow-wrap:anywhere}}\
             button,select{{font:inherit;padding:.4rem .9rem}}</style></head><body>\
             <h1>{title}</h1>{content}</body></html>\n"
        ),
    )
}

/// Sends the browser back to the application. Pairs without a value are left out.
pub(crate) fn back(redirect_uri: &str, pairs: &[(&str, Option<&str>)]) -> Answer {
    back_to(redirect_uri, pairs, "")
}

/// The same with a fragment behind the address.
pub(crate) fn back_to(
    redirect_uri: &str,
    pairs: &[(&str, Option<&str>)],
    fragment: &str,
) -> Answer {
    let given = pairs.iter().filter_map(|(name, value)| value.map(|value| (*name, value)));
    let given: Vec<(&str, &str)> = given.collect();
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    let query = serde_urlencoded::to_string(given).unwrap_or_default();
    Answer::redirect(&format!("{redirect_uri}{separator}{query}{fragment}"))
}
