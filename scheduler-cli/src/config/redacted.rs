//! What may be shown of a value.

use url::Url;

use super::setting::Secrecy;

/// What stands in place of a secret.
const HIDDEN: &str = "***";

/// What is shown of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The value, with what is secret of an address taken out.
    Text(String),
    /// Only that there is one, and its length.
    Hidden {
        /// How many characters it has.
        characters: usize,
    },
    /// There is none.
    Unset,
}

impl Shown {
    /// What may be shown of a value.
    pub(crate) fn of(text: &str, secrecy: Secrecy) -> Self {
        let hidden = || Self::Hidden { characters: text.trim().chars().count() };
        match secrecy {
            Secrecy::Secret => hidden(),
            // A person may have written a password into any address.
            Secrecy::Open | Secrecy::Address => {
                redacted(text.trim()).map_or_else(hidden, Self::Text)
            }
        }
    }
}

/// The text without the secrets that an address can hold; `None` for one in which they cannot be
/// told from the rest.
fn redacted(text: &str) -> Option<String> {
    if !text.contains("://") {
        // A name and a password may stand in what was meant to be an address.
        return (!text.contains('@')).then(|| text.to_owned());
    }
    let mut url = Url::parse(text).ok()?;
    let rest = [Some(url.path()), url.query(), url.fragment()];
    // A password with a sign that ends the host, such as a slash.
    if rest.iter().flatten().any(|part| part.contains('@')) || url.fragment().is_some() {
        return None;
    }
    let has_secret_option = url.query_pairs().any(|(name, _)| is_secret(&name));
    let has_user = !url.username().is_empty() || url.password().is_some();
    if !has_secret_option && !has_user {
        return Some(text.to_owned());
    }
    if has_secret_option {
        let options: Vec<(String, String)> = url
            .query_pairs()
            .map(|(name, value)| {
                let value = if is_secret(&name) { HIDDEN.into() } else { value };
                (name.into_owned(), value.into_owned())
            })
            .collect();
        url.query_pairs_mut().clear().extend_pairs(options);
    }
    // Who connects to a database is worth knowing; elsewhere the name may be the token itself.
    if !url.scheme().starts_with("postgres") && !url.username().is_empty() {
        url.set_username(HIDDEN).ok()?;
    }
    if url.password().is_some() {
        url.set_password(Some(HIDDEN)).ok()?;
    }
    Some(url.into())
}

fn is_secret(option: &str) -> bool {
    let option = option.to_ascii_lowercase();
    ["key", "secret", "token", "pass", "credential", "sig"].iter().any(|word| option.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_addresses() {
        for (name, text, want) in [
            ("a path", "./data", Some("./data")),
            ("a file", "sqlite:/var/lib/x.db", Some("sqlite:/var/lib/x.db")),
            ("no user", "https://e.com/v1?region=a", Some("https://e.com/v1?region=a")),
            (
                "a user and a password",
                "postgres://me:hunter2@db:5432/x?sslmode=require",
                Some("postgres://me:***@db:5432/x?sslmode=require"),
            ),
            ("a user alone", "postgres://me@db/x", Some("postgres://me@db/x")),
            (
                "a password among the options",
                "postgres:///x?host=/run&user=me&password=hunter2",
                Some("postgres:///x?host=%2Frun&user=me&password=***"),
            ),
            ("a token as the user", "https://hunter2@e.com/", Some("https://***@e.com/")),
            ("both elsewhere", "https://me:hunter2@e.com/", Some("https://***:***@e.com/")),
            ("keys of a bucket", "s3://hunter2:hunter2@media", Some("s3://***:***@media")),
            (
                "keys among the options",
                "s3://media?access_key_id=hunter2&secret_access_key=hunter2&region=a",
                Some("s3://media?access_key_id=***&secret_access_key=***&region=a"),
            ),
            ("a slash in the password", "postgres://me:1/hunter2@db/x", None),
            ("a question mark in it", "postgres://me:1?hunter2@db/x", None),
            ("a number sign in it", "postgres://me:1#hunter2@db/x", None),
            ("letters where the port is", "postgres://me:hunter2/x", None),
            ("a fragment", "https://e.com/#hunter2", None),
            ("no address", "me:hunter2@db/x", None),
        ] {
            let want = want.map_or(Shown::Hidden { characters: text.chars().count() }, |text| {
                Shown::Text(text.to_owned())
            });
            for secrecy in [Secrecy::Open, Secrecy::Address] {
                let shown = Shown::of(text, secrecy);
                assert_eq!(shown, want, "{name}");
                assert!(!format!("{shown:?}").contains("hunter2"), "{name}: {shown:?}");
            }
        }
    }

    #[test]
    fn nothing_is_shown_of_a_secret_but_its_length() {
        let hidden = Shown::Hidden { characters: 7 };
        for text in ["hunter2", " hunter2\n", "h://x@y"] {
            assert_eq!(Shown::of(text, Secrecy::Secret), hidden, "{text:?}");
        }
    }
}
