//! The server that mail is handed over to.

use scheduler_networks::mail::{MailError, MailSender, MailSettings};

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;

/// Reads where mail is handed over; `None` when no server is set, and no mail is then ever sent.
///
/// # Errors
/// [`ConfigError::Value`], naming the setting; also when one of the two stands alone.
pub(crate) fn mail(sources: &Sources) -> Result<Option<MailSender>, ConfigError> {
    let wrong = |place: Option<String>, reason: String| {
        Err(ConfigError::Value { place: place.unwrap_or_default(), reason })
    };
    let (url, from) = (sources.text(&KEYS.smtp_url), sources.text(&KEYS.mail_from));
    let places = (sources.place(&KEYS.smtp_url), sources.place(&KEYS.mail_from));
    let (url, from) = match (url, from) {
        (None, None) => return Ok(None),
        (Some(_), None) => {
            return wrong(places.0, "is set, but no mail_from says whom mail is from".to_owned());
        }
        (None, Some(_)) => {
            let reason = "is set, but there is no smtp_url; set it too, or leave this out";
            return wrong(places.1, reason.to_owned());
        }
        (Some(url), Some(from)) => (url, from),
    };
    let settings = MailSettings { url: url.trim().to_owned().into(), from };
    match MailSender::new(&settings) {
        Ok(sender) => Ok(Some(sender)),
        Err(error @ MailError::Url) => wrong(places.0, error.to_string()),
        Err(error @ MailError::From) => wrong(places.1, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn both_or_neither() {
        let (url, from) = (("smtp_url", "smtp://127.0.0.1:25"), ("mail_from", "a@b.example"));
        assert!(mail(&sources(&[], &[])).unwrap().is_none());
        assert!(mail(&sources(&[], &[url, from])).unwrap().is_some());
        for (keys, want) in [
            (vec![url], "smtp_url in"),
            (vec![from], "mail_from in"),
            (vec![("smtp_url", "http://secret.example"), from], "smtp_url in"),
            (vec![url, ("mail_from", "nobody")], "mail_from in"),
        ] {
            let error = mail(&sources(&[], &keys)).unwrap_err().to_string();
            assert!(error.starts_with(want) && !error.contains("secret"), "{error}");
        }
    }
}
