//! Stages as text, for a store to seal.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::{Authorizing, ConnectingStage, PassHash, PickOutcome};
use crate::account::{Connection, Credentials};
use crate::platform::AccountLimits;
use crate::ports::{ConnectInput, Connected};

/// The text is not a stage as this version writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stage has another form")]
pub struct UnreadableStage;

#[derive(Serialize, Deserialize)]
#[serde(tag = "stage", rename_all = "camelCase", deny_unknown_fields)]
enum StageText {
    #[serde(rename_all = "camelCase")]
    Invited { given: BTreeMap<String, String> },
    #[serde(rename_all = "camelCase")]
    Authorizing {
        /// Hexadecimal.
        state: String,
        code_verifier: String,
        redirect_uri: String,
        given: BTreeMap<String, String>,
        kept: BTreeMap<String, String>,
    },
    #[serde(rename_all = "camelCase")]
    Picking { opened: Vec<OpenedText> },
    #[serde(rename_all = "camelCase")]
    Ended { outcomes: Vec<PickOutcome> },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OpenedText {
    network_id: String,
    server_url: Option<String>,
    username: Option<String>,
    display_name: Option<String>,
    avatar_url: Option<String>,
    connection: Option<Connection>,
    lacks: Vec<String>,
    limits: AccountLimits,
    credentials: String,
    credentials_expire_at: Option<DateTime<Utc>>,
}

impl ConnectingStage {
    /// The stage as text. It holds secrets: a store seals it.
    ///
    /// # Errors
    /// When a figure of it cannot be written as JSON.
    pub fn to_text(&self) -> Result<SecretString, serde_json::Error> {
        let text = match self.clone() {
            Self::Invited { given } => StageText::Invited { given: given.0 },
            Self::Authorizing(authorizing) => StageText::Authorizing {
                state: hex::encode(authorizing.state.0),
                code_verifier: authorizing.code_verifier.expose_secret().to_owned(),
                redirect_uri: authorizing.redirect_uri,
                given: authorizing.given.0,
                kept: authorizing.kept.0,
            },
            Self::Picking { opened } => {
                StageText::Picking { opened: opened.into_iter().map(OpenedText::from).collect() }
            }
            Self::Ended { outcomes } => StageText::Ended { outcomes },
        };
        serde_json::to_string(&text).map(SecretString::from)
    }

    /// Reads a stage from its text.
    ///
    /// # Errors
    /// [`UnreadableStage`]
    pub fn from_text(text: &str) -> Result<Self, UnreadableStage> {
        let stage = serde_json::from_str(text).map_err(|_| UnreadableStage)?;
        Ok(match stage {
            StageText::Invited { given } => Self::Invited { given: ConnectInput(given) },
            StageText::Authorizing { state, code_verifier, redirect_uri, given, kept } => {
                let mut hash = [0; 32];
                hex::decode_to_slice(state, &mut hash).map_err(|_| UnreadableStage)?;
                Self::Authorizing(Authorizing {
                    state: PassHash(hash),
                    code_verifier: code_verifier.into(),
                    redirect_uri,
                    given: ConnectInput(given),
                    kept: ConnectInput(kept),
                })
            }
            StageText::Picking { opened } => {
                Self::Picking { opened: opened.into_iter().map(Connected::from).collect() }
            }
            StageText::Ended { outcomes } => Self::Ended { outcomes },
        })
    }
}

impl From<Connected> for OpenedText {
    fn from(opened: Connected) -> Self {
        Self {
            credentials: opened.credentials.expose().to_owned(),
            credentials_expire_at: opened.credentials.expires_at,
            network_id: opened.network_id,
            server_url: opened.server_url,
            username: opened.username,
            display_name: opened.display_name,
            avatar_url: opened.avatar_url,
            connection: opened.connection,
            lacks: opened.lacks,
            limits: opened.limits,
        }
    }
}

impl From<OpenedText> for Connected {
    fn from(text: OpenedText) -> Self {
        Self {
            network_id: text.network_id,
            server_url: text.server_url,
            username: text.username,
            display_name: text.display_name,
            avatar_url: text.avatar_url,
            connection: text.connection,
            lacks: text.lacks,
            limits: text.limits,
            credentials: Credentials::new(text.credentials, text.credentials_expire_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connecting::Pass;
    use crate::ids::AccountId;

    fn input(name: &str, value: &str) -> ConnectInput {
        ConnectInput([(name.to_owned(), value.to_owned())].into())
    }

    /// One of every stage, with every field filled.
    fn stages() -> [ConnectingStage; 4] {
        let expires_at = "2026-11-21T12:00:00.000001Z".parse().ok();
        let opened = Connected {
            server_url: Some("https://m.example".into()),
            username: Some("ana".into()),
            display_name: Some("Ana".into()),
            avatar_url: Some("https://m.example/ana.png".into()),
            connection: Some(Connection::ViaPage),
            lacks: vec!["It cannot read comments.".into()],
            limits: AccountLimits { text_limit: Some(7), ..AccountLimits::default() },
            ..Connected::new("1", Credentials::new("hunter2", expires_at))
        };
        let outcome = PickOutcome {
            label: "Ana (1)".into(),
            account_id: Some(AccountId(uuid::Uuid::from_u128(3))),
            was_known: true,
            problem: Some("no".into()),
            lacks: vec!["It cannot read comments.".into()],
        };
        [
            ConnectingStage::Invited { given: input("instance", "m.example") },
            ConnectingStage::Authorizing(Authorizing {
                state: Pass::from_random([1; 32]).hash(),
                code_verifier: "hunter2".into(),
                redirect_uri: "https://s.example/connect/youtube/callback".into(),
                given: input("instance", "hunter2"),
                kept: input("clientSecret", "hunter2"),
            }),
            ConnectingStage::Picking { opened: vec![opened] },
            ConnectingStage::Ended { outcomes: vec![outcome] },
        ]
    }

    #[test]
    fn every_stage_is_read_as_it_was_written() {
        for stage in stages() {
            let text = stage.to_text().unwrap();
            let read = ConnectingStage::from_text(text.expose_secret()).unwrap();
            let again = read.to_text().unwrap();
            assert_eq!(again.expose_secret(), text.expose_secret(), "{stage:?}");
        }
    }

    #[test]
    fn no_stage_prints_a_secret() {
        for stage in stages() {
            assert!(!format!("{stage:?}").contains("hunter2"), "{stage:?}");
        }
    }

    #[test]
    fn other_forms_are_not_read() {
        for text in [
            "",
            "{}",
            r#"{"stage":"later"}"#,
            r#"{"stage":"invited","given":{},"more":1}"#,
            r#"{"stage":"authorizing","state":"00","codeVerifier":"","redirectUri":"","given":{},"kept":{}}"#,
        ] {
            assert_eq!(ConnectingStage::from_text(text).err(), Some(UnreadableStage), "{text}");
        }
    }
}
