//! The way back from the network's page.

use secrecy::ExposeSecret as _;

use super::{Browser, no_visit};
use crate::app::Scheduler;
use crate::connecting::{ConnectingStage, Pass};
use crate::error::{AccountRefusal, AppError, Refusal};
use crate::platform::Platform;
use crate::ports::ConnectInput;

/// Characters of a network's own words that are shown, at most.
const WORDS_CHARS_MAX: usize = 300;

/// What a browser brings back from the network's page.
#[derive(Clone)]
pub enum Returned {
    /// A code, good for one exchange.
    Code {
        /// The code.
        code: String,
        /// Who says that it has given it, where it says so: RFC 9207.
        issuer: Option<String>,
    },
    /// The person has not allowed it, or the network has not taken the request.
    Refused {
        /// The network's code for it, such as `access_denied`.
        error: String,
        /// The network's words for it.
        description: Option<String>,
    },
}

impl std::fmt::Debug for Returned {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code { .. } => formatter.write_str("Code([redacted])"),
            Self::Refused { error, .. } => write!(formatter, "Refused({error:?})"),
        }
    }
}

impl Scheduler {
    /// Takes what the browser brings back: exchanges a code for the accounts that it opens, and
    /// connects the account when it is the only one. The state is used up in any case; after a
    /// failure the same browser may begin again.
    ///
    /// # Errors
    /// `not_found` when the browser did not begin this, is too late, or comes twice;
    /// `account_not_connected` with the reason when the person or the network refused;
    /// `channel_limit` when the plan covers no further account.
    pub async fn come_back(
        &self,
        platform: Platform,
        cookie: Option<&Pass>,
        state: &str,
        returned: Returned,
    ) -> Result<(), AppError> {
        let Some(cookie) = cookie else { return Err(no_visit().into()) };
        let pending = self.pending(platform, &Browser::in_visit(Some(cookie.clone()))).await?;
        let ConnectingStage::Authorizing(authorizing) = pending.stage.clone() else {
            return Err(no_visit().into());
        };
        if Pass::parse(state).map(|state| state.hash()) != Some(authorizing.state) {
            return Err(no_visit().into());
        }
        // Used up before the code is, so that no two requests exchange it.
        let given = authorizing.given.clone();
        let pending = self.step(pending.moved(cookie, ConnectingStage::Invited { given })).await?;
        let (code, issuer) = match returned {
            Returned::Code { code, issuer } => (code, issuer),
            Returned::Refused { error, description } => {
                return Err(refused(platform, &error, description.as_deref()).into());
            }
        };
        let mut values = authorizing.given.0;
        values.extend(authorizing.kept.0);
        values.insert("code".to_owned(), code);
        values.extend(issuer.map(|issuer| ("iss".to_owned(), issuer)));
        values.insert("redirectUri".to_owned(), authorizing.redirect_uri);
        let code_verifier = authorizing.code_verifier.expose_secret().to_owned();
        values.insert("codeVerifier".to_owned(), code_verifier);
        let workspace = self.workspace_of(pending.workspace_id).await?;
        let opened = self.open_accounts(&workspace, platform, &ConnectInput(values)).await?;
        self.settle_visit(pending, &workspace, cookie, opened).await
    }
}

/// What a person is told who comes back without a code.
fn refused(platform: Platform, error: &str, description: Option<&str>) -> Refusal {
    let refusal = match error {
        // TikTok's word for it is another.
        "access_denied" | "user_cancelled_authorize" | "user_cancelled_login" => {
            AccountRefusal::Declined(platform)
        }
        error => {
            let words = description.unwrap_or(error);
            let words: String =
                words.chars().filter(|sign| !sign.is_control()).take(WORDS_CHARS_MAX).collect();
            let error: String = error.chars().take(WORDS_CHARS_MAX).collect();
            AccountRefusal::NotTaken { platform, error, words }
        }
    };
    refusal.into()
}
