//! The types that values of settings are read as, and what each takes.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chrono::TimeDelta;
use http::HeaderValue;
use scheduler_core::openid::Issuer;
use scheduler_core::platform::{Amount, NotAnAmount};
use scheduler_store::FilesUrl;
use tracing_subscriber::filter::Targets;
use url::Url;

use super::setting::Form;
use crate::optional::{NO_BUCKETS, NO_POSTGRES};

/// Where a server listens unless told otherwise.
pub(crate) const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

/// A wait longer than this is surely a mistake.
const LONGEST_WAIT_SECONDS: i64 = 30 * 24 * 3_600;

/// What the value of a setting is read as.
pub(crate) trait Value: Sized {
    /// Reads a text without spaces around it.
    ///
    /// # Errors
    /// What is wrong, to follow the name of the setting in a sentence.
    fn read(text: &str, form: Form) -> Result<Self, String>;
}

/// Reads a text as a type does by itself.
fn plain<T: FromStr>(text: &str, expected: &str) -> Result<T, String> {
    text.parse().map_err(|_| expected.to_owned())
}

/// Reads a whole number within the bounds of its form.
fn number<T: TryFrom<u64>>(text: &str, form: Form) -> Result<T, String> {
    let is_within = |number: &u64| form.range().is_some_and(|range| range.contains(number));
    let number = text.parse().ok().filter(is_within).and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("must be {}", form.words()))
}

/// Makes types values, each by how a text of a form is read as one.
macro_rules! values {
    ($($type:ty: |$text:ident, $form:pat_param| $read:expr;)*) => {$(
        impl Value for $type {
            fn read($text: &str, $form: Form) -> Result<Self, String> {
                $read
            }
        }
    )*};
}

values! {
    u32: |text, form| number(text, form);
    u64: |text, form| number(text, form);
    NonZeroU32: |text, form| number(text, form).map(|it| Self::new(it).unwrap_or(Self::MIN));
    Duration: |text, form| number(text, form).map(Self::from_secs);
    TimeDelta: |text, form| number::<u32>(text, form).map(|number| match form {
        Form::Days(_) => Self::days(number.into()),
        _ => Self::seconds(number.into()),
    });
    [TimeDelta; 5]: |text, _| waits(text);
    bool: |text, form| match text {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(format!("must be {}", form.words())),
    };
    SocketAddr: |text, _| plain(text, "must be an address and a port, such as 127.0.0.1:8080");
    PathBuf: |text, _| Ok(text.into());
    Url: |text, _| {
        let url = text.parse().ok().filter(is_web);
        url.ok_or_else(|| "must be an address such as https://example.com".to_owned())
    };
    Origins: |text, _| origins(text).map(Self);
    PublicUrl: |text, _| plain(text, Self::EXPECTED).map(Self);
    ServerUrl: |text, _| server_url(text).map(Self);
    DatabaseUrl: |text, _| database_url(text).map(Self);
    FilesUrl: |text, _| match (text.parse(), NO_BUCKETS) {
        (Ok(Self::Bucket(_)), Some(reason)) => Err(reason.to_owned()),
        (parsed, _) => parsed.map_err(|error| format!("names no file store: {error}")),
    };
    Targets: |text, _| plain(text, "must be a filter such as info or warn,sqlx=debug");
    LogFormat: |text, form| match text {
        "pretty" => Ok(Self::Pretty),
        "json" => Ok(Self::Json),
        _ => Err(format!("must be {}", form.words())),
    };
    Issuer: |text, _| Self::parse(text).map_err(|fault| fault.to_string());
    Amount: |text, _| text.parse().map_err(|error: NotAnAmount| error.to_string());
    Roles: |text, _| text.parse().map_err(|error: UnknownRole| error.to_string());
}

/// Origins of the web.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins(pub(crate) Vec<HeaderValue>);

/// Reads origins with commas between.
fn origins(text: &str) -> Result<Vec<HeaderValue>, String> {
    let origin = |text: &str| {
        let text = text.trim();
        let url: Url = text.parse().ok().filter(is_web)?;
        // Browsers send an origin as it is written here: without a path, not even a slash.
        let is_origin = url.origin().ascii_serialization() == text;
        is_origin.then(|| HeaderValue::from_str(text).ok()).flatten()
    };
    text.split(',').map(origin).collect::<Option<_>>().ok_or_else(|| {
        "must be origins without a path, with commas between, such as https://app.example.com"
            .to_owned()
    })
}

fn waits(text: &str) -> Result<[TimeDelta; 5], String> {
    let wait = |text: &str| {
        let seconds = text.trim().parse().ok();
        let seconds = seconds.filter(|it| (0..=LONGEST_WAIT_SECONDS).contains(it));
        seconds.map(TimeDelta::seconds)
    };
    let waits: Option<Vec<TimeDelta>> = text.split(',').map(wait).collect();
    waits.and_then(|waits| waits.try_into().ok()).ok_or_else(|| {
        "must be five numbers of seconds with commas between, such as 60,300,900,3600,10800"
            .to_owned()
    })
}

/// Waits as a setting is written.
pub(super) fn waits_text(waits: &[TimeDelta]) -> String {
    let seconds: Vec<String> = waits.iter().map(|wait| wait.num_seconds().to_string()).collect();
    seconds.join(",")
}

/// True for an address of the web.
pub(super) fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

/// An address that links begin with, which may be of no web.
pub(crate) struct PublicUrl(pub(super) Url);

impl PublicUrl {
    /// What is said of what cannot be one.
    pub(super) const EXPECTED: &str = "must be an address such as https://scheduler.example.com";
}

/// The address of a server before `/v1`, without a slash at its end.
pub(crate) struct ServerUrl(pub(super) String);

fn server_url(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(is_web);
    let url = url.filter(|url| url.query().is_none() && url.fragment().is_none());
    let url = url.ok_or("must be an address such as http://127.0.0.1:8080")?;
    if !url.username().is_empty() || url.password().is_some() {
        let wrong = "must hold no user name and password; the API key is given apart";
        return Err(wrong.to_owned());
    }
    let text = url.as_str().trim_end_matches('/');
    Ok(text.strip_suffix("/v1").unwrap_or(text).to_owned())
}

/// The address of a database of a kind that this build has; may hold a password.
pub(crate) struct DatabaseUrl(pub(super) String);

fn database_url(text: &str) -> Result<String, String> {
    let known = ["sqlite:", "postgres://", "postgresql://"];
    if !known.iter().any(|scheme| text.starts_with(scheme)) {
        return Err("must begin with sqlite: or postgres://".to_owned());
    }
    match NO_POSTGRES {
        Some(reason) if text.starts_with("postgres") => Err(reason.to_owned()),
        Some(_) | None => Ok(text.to_owned()),
    }
}

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// For a person.
    Pretty,
    /// One JSON object a line.
    Json,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Roles {
    /// It answers requests.
    pub(crate) api: bool,
    /// It does what is due.
    pub(crate) worker: bool,
}

impl Roles {
    /// Everything.
    pub(crate) const ALL: Self = Self { api: true, worker: true };
}

/// The text names no roles.
#[derive(Debug, thiserror::Error)]
#[error("must be api, worker, or api,worker")]
pub(crate) struct UnknownRole;

impl fmt::Display for Roles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(self.api, "api"), (self.worker, "worker")];
        let names: Vec<&str> =
            names.into_iter().filter_map(|(is_one, name)| is_one.then_some(name)).collect();
        formatter.write_str(&names.join(","))
    }
}

impl FromStr for Roles {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut roles = Self { api: false, worker: false };
        for role in text.split(',') {
            match role.trim() {
                "api" => roles.api = true,
                "worker" => roles.worker = true,
                _ => return Err(UnknownRole),
            }
        }
        Ok(roles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_five_numbers() {
        for (name, text, want) in [
            ("five", "1,2,3,4,5", Some([1, 2, 3, 4, 5])),
            ("spaces", " 1, 2 ,3,4,5 ", Some([1, 2, 3, 4, 5])),
            ("zero", "0,0,0,0,0", Some([0; 5])),
            ("four", "1,2,3,4", None),
            ("six", "1,2,3,4,5,6", None),
            ("negative", "1,2,3,4,-5", None),
            ("half a second", "1,2,3,4,0.5", None),
            ("more than a month", "1,2,3,4,2592001", None),
        ] {
            let read = <[TimeDelta; 5]>::read(text, Form::Waits).ok();
            let seconds = read.map(|waits| waits.map(|wait| wait.num_seconds()));
            assert_eq!(seconds, want, "{name}");
        }
    }

    #[test]
    fn numbers_keep_to_the_bounds_of_their_form() {
        for (form, text, want) in [
            (Form::Count, "0", Err("must be a whole number from 1 on")),
            (Form::Count, "1", Ok(1)),
            (Form::Count, "4294967295", Ok(4_294_967_295)),
            (Form::Count, "4294967296", Err("must be a whole number from 1 on")),
            (Form::Amount, "0", Ok(0)),
            (Form::Amount, "-1", Err("must be a whole number from 0 on")),
            (Form::Bytes(1), "0", Err("must be a whole number of bytes from 1 on")),
            (Form::Bytes(1), "18446744073709551615", Ok(u64::MAX)),
            (Form::Seconds(None), "ten", Err("must be a whole number of seconds from 1 on")),
            (Form::Seconds(Some(600)), "600", Ok(600)),
            (
                Form::Seconds(Some(600)),
                "601",
                Err("must be a whole number of seconds from 1 to 600"),
            ),
            (Form::Days(9), "9", Ok(9)),
            (Form::Days(9), "10", Err("must be a whole number of days from 1 to 9")),
        ] {
            assert_eq!(u64::read(text, form), want.map_err(str::to_owned), "{form:?} {text}");
        }
        let days = TimeDelta::read("3", Form::Days(9)).unwrap();
        let seconds = TimeDelta::read("3", Form::Seconds(None)).unwrap();
        assert_eq!((days, seconds), (TimeDelta::days(3), TimeDelta::seconds(3)));
    }

    #[test]
    fn roles() {
        for (text, want) in [
            ("api", Some((true, false))),
            ("worker", Some((false, true))),
            ("api,worker", Some((true, true))),
            ("worker, api", Some((true, true))),
            ("", None),
            ("both", None),
            ("api,", None),
        ] {
            let roles = text.parse::<Roles>().ok().map(|roles| (roles.api, roles.worker));
            assert_eq!(roles, want, "{text:?}");
            if let Ok(roles) = text.parse::<Roles>() {
                assert_eq!(roles.to_string().parse::<Roles>().ok(), Some(roles), "{text:?}");
            }
        }
    }

    #[test]
    fn addresses_with_and_without_the_version() {
        for (text, want) in [
            ("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080/", Ok("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080/v1", Ok("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080/v1/", Ok("http://127.0.0.1:8080")),
            ("https://e.com/scheduler/v1", Ok("https://e.com/scheduler")),
            ("https://e.com/v10", Ok("https://e.com/v10")),
            ("127.0.0.1:8080", Err(())),
            ("ftp://e.com", Err(())),
            ("https://user:word@e.com", Err(())),
            ("https://user@e.com", Err(())),
            ("https://e.com/?a=b", Err(())),
            ("", Err(())),
        ] {
            let read = ServerUrl::read(text, Form::Address).map(|ServerUrl(base)| base);
            assert_eq!(read.map_err(|_| ()), want.map(str::to_owned), "{text:?}");
        }
    }
}
