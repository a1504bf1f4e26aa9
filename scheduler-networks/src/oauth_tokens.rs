//! Tokens of OAuth's code flow: as networks give them, and as they are stored.
//!
//! Source: RFC 6749, section 5.1.

use chrono::TimeDelta;
use scheduler_core::ports::ConnectInput;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::{Value, json};

/// What opens an account, as it is stored.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    pub(crate) access_token: SecretString,
    /// `None` where the network gave none, as it does for a token that a person has made alone.
    pub(crate) refresh_token: Option<SecretString>,
    /// What the person has allowed; `None` where it is not known.
    pub(crate) scopes: Option<Vec<String>>,
}

impl Tokens {
    /// The tokens that a person gives: `token` is the input's `accessToken`, and `refreshToken` and
    /// `scope` go with it where they are there.
    pub(crate) fn given(token: &str, input: &ConnectInput) -> Self {
        Self {
            access_token: SecretString::from(token),
            refresh_token: input.given("refreshToken").map(SecretString::from),
            scopes: input.given("scope").map(scopes),
        }
    }

    /// The text to store.
    pub(crate) fn to_text(&self) -> String {
        self.to_json().to_string()
    }

    /// The same before it is a text, for more to be stored with it.
    pub(crate) fn to_json(&self) -> Value {
        let refresh_token = self.refresh_token.as_ref().map(SecretString::expose_secret);
        json!({
            "accessToken": self.access_token.expose_secret(),
            "refreshToken": refresh_token,
            "scopes": self.scopes,
        })
    }

    /// What an account cannot do, for permissions of which none was given: a sentence for each.
    pub(crate) fn lacks(&self, known: &[(&[&str], &str)]) -> Vec<String> {
        let lacking = known.iter().filter(|(scopes, _)| !self.may(scopes));
        lacking.map(|(_, sentence)| (*sentence).to_owned()).collect()
    }

    /// True when one of the permissions was given, or may have been.
    pub(crate) fn may(&self, scopes: &[&str]) -> bool {
        let known = self.scopes.as_deref();
        known.is_none_or(|known| known.iter().any(|scope| scopes.contains(&scope.as_str())))
    }
}

/// What a network answers to a code or a refresh token.
#[derive(Debug, Deserialize)]
pub(crate) struct TokenAnswer {
    pub(crate) access_token: SecretString,
    /// Seconds for which the access token lives.
    expires_in: Option<i64>,
    pub(crate) refresh_token: Option<SecretString>,
    pub(crate) scope: Option<String>,
}

impl TokenAnswer {
    /// How long the access token lives.
    pub(crate) fn life(&self) -> Option<TimeDelta> {
        self.expires_in.and_then(TimeDelta::try_seconds)
    }

    /// The tokens to store. What `before` had and the answer does not tell stays.
    pub(crate) fn tokens(self, before: Option<Tokens>) -> Tokens {
        let (old_token, old_scopes) =
            before.map_or((None, None), |before| (before.refresh_token, before.scopes));
        Tokens {
            access_token: self.access_token,
            refresh_token: self.refresh_token.or(old_token),
            scopes: self.scope.as_deref().map(scopes).or(old_scopes),
        }
    }
}

/// The permissions of a list: networks write spaces or commas between them.
pub(crate) fn scopes(text: &str) -> Vec<String> {
    let scopes = text.split(|sign: char| sign == ',' || sign.is_whitespace());
    scopes.filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_prints_no_token_and_is_read_again() {
        let tokens = Tokens {
            access_token: SecretString::from("secret-a"),
            refresh_token: Some(SecretString::from("secret-b")),
            scopes: Some(scopes("tweet.read  tweet.write,openid")),
        };
        assert!(!format!("{tokens:?}").contains("secret-"));
        let text = tokens.to_text();
        let read: Tokens = serde_json::from_str(&text).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret-a");
        assert_eq!(read.refresh_token.as_ref().unwrap().expose_secret(), "secret-b");
        assert_eq!(read.scopes.as_ref().unwrap(), &["tweet.read", "tweet.write", "openid"]);
        assert_eq!(read.to_text(), text);
        let bare: Tokens = serde_json::from_str(r#"{"accessToken":"a"}"#).unwrap();
        assert!(bare.refresh_token.is_none() && bare.scopes.is_none());
    }

    #[test]
    fn permissions_that_are_not_known_may_have_been_given() {
        for (name, known, want) in [
            ("unknown", None, true),
            ("none", Some(""), false),
            ("another", Some("video.publish"), false),
            ("this one", Some("video.publish,video.list"), true),
        ] {
            let access_token = SecretString::from("a");
            let tokens = Tokens { access_token, refresh_token: None, scopes: known.map(scopes) };
            assert_eq!(tokens.may(&["video.list", "video.list.all"]), want, "{name}");
        }
    }

    #[test]
    fn what_an_answer_does_not_tell_stays() {
        let before = || Tokens {
            access_token: SecretString::from("old"),
            refresh_token: Some(SecretString::from("old")),
            scopes: Some(scopes("a")),
        };
        for (name, answer, want) in [
            ("all", r#"{"access_token":"n","refresh_token":"n","scope":"b"}"#, ("n", "b")),
            ("the least", r#"{"access_token":"n"}"#, ("old", "a")),
        ] {
            let answer: TokenAnswer = serde_json::from_str(answer).unwrap();
            let tokens = answer.tokens(Some(before()));
            assert_eq!(tokens.access_token.expose_secret(), "n", "{name}");
            assert_eq!(tokens.refresh_token.unwrap().expose_secret(), want.0, "{name}");
            assert_eq!(tokens.scopes.unwrap(), [want.1], "{name}");
        }
    }
}
