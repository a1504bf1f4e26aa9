//! The post that a post quotes: what the server of the account calls it, and whether it may be
//! quoted.
//!
//! Source: <https://docs.joinmastodon.org/client/quotes/>,
//! <https://docs.joinmastodon.org/methods/search/> and
//! <https://docs.joinmastodon.org/entities/QuoteApproval/>.

use scheduler_core::ports::{NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::errors::{failure, is_outside_scopes};
use super::progress::Progress;
use super::wire::Tokens;
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// A quoted post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum Quote {
    /// By its address, as it was named.
    Named {
        /// The address.
        url: String,
    },
    /// As the server of the account calls it.
    Found {
        /// Its id there.
        id: String,
    },
}

impl Quote {
    /// The quote among the options of a target.
    pub(super) fn of(job: &PublishJob) -> Option<Self> {
        let url = job.options.get("quote").and_then(Value::as_str).map(str::trim)?;
        (!url.is_empty()).then(|| Self::Named { url: url.to_owned() })
    }

    /// Its id, once that is known.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Self::Named { .. } => None,
            Self::Found { id } => Some(id),
        }
    }
}

/// What a search finds, as far as it is read.
#[derive(Debug, Deserialize)]
struct Found {
    statuses: Vec<FoundStatus>,
}

#[derive(Debug, Deserialize)]
struct FoundStatus {
    id: String,
    /// Since 4.5; servers without it know no quotes, and would leave one out without a word.
    quote_approval: Option<Approval>,
}

#[derive(Debug, Deserialize)]
struct Approval {
    /// How the policy of the quoted post applies to the account.
    current_user: Option<String>,
}

/// The next turn of a step that looks up the quoted post.
pub(super) fn advance(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: Progress,
    url: &str,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let pairs = [("q", url), ("type", "statuses"), ("resolve", "true"), ("limit", "1")];
        let request = Request::read(server.query(["api", "v2", "search"], &pairs));
        return Ok(Turn::Send(request.bearer(job.credentials.access_token.expose_secret())));
    };
    if is_outside_scopes(answer) {
        return Err(Unquotable::NoScope.into());
    }
    let found: Found = answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    let status = found.statuses.into_iter().next().ok_or(Unquotable::NotFound)?;
    let approval = status.quote_approval.ok_or(Unquotable::NoQuotes)?;
    if approval.current_user.as_deref() == Some("denied") {
        return Err(Unquotable::Closed.into());
    }
    Ok(Turn::Done(Step::Next(progress.quoting(Quote::Found { id: status.id }))))
}

/// Why a post cannot be quoted.
#[derive(Debug, thiserror::Error)]
enum Unquotable {
    #[error(
        "Posts cannot be looked up: the scope read:search was not given. Connect the account again, or leave quote out."
    )]
    NoScope,
    #[error(
        "The server does not find the post that is quoted. It has to be the address of a post that the account can see."
    )]
    NotFound,
    #[error("The server of this account knows no quotes: it needs Mastodon 4.5 or newer.")]
    NoQuotes,
    #[error("The author of the quoted post does not let this account quote it.")]
    Closed,
}

impl From<Unquotable> for NetworkError {
    fn from(why: Unquotable) -> Self {
        Self::permanent(why.to_string()).with_code(FailureCode::ValidationFailed)
    }
}

fn unreadable() -> NetworkError {
    NetworkError::temporary("The server has answered a search, and the answer cannot be read.")
}

#[cfg(test)]
mod tests {
    use scheduler_core::ports::NetworkErrorKind;
    use serde_json::json;

    use super::*;
    use crate::conversation::Conversation;
    use crate::mastodon::testing::mastodon;
    use crate::testing::steps::take_step;
    use crate::testing::{answered, mastodon_job, with_options};

    fn quoting() -> PublishJob {
        let options = json!({ "quote": "https://m.example/@ana/1", "thread": ["two"] });
        with_options(mastodon_job(true), options)
    }

    fn progress(job: &PublishJob) -> Value {
        let progress = mastodon().begin(job);
        assert!(!mastodon().is_visible(&progress), "nobody sees a search");
        progress
    }

    #[test]
    fn the_quoted_post_is_looked_up_and_named_in_the_first_part() {
        let job = quoting();
        let found = json!({ "accounts": [], "hashtags": [], "statuses": [
            { "id": "17", "quote_approval": { "automatic": ["public"], "manual": [], "current_user": "automatic" } },
        ] });
        let (asked, step) = take_step(&mastodon(), &job, &progress(&job), &[answered(200, &found)]);
        let asked = asked[0]["request"].as_str().unwrap();
        let query = "q=https%3A%2F%2Fm.example%2F%40ana%2F1&type=statuses&resolve=true&limit=1";
        assert!(asked.ends_with(&format!("/api/v2/search?{query}")), "{asked}");
        let Ok(Step::Next(progress)) = step else { panic!("{step:?}") };
        let live = answered(200, &json!({ "id": "2", "url": "https://m.example/@me/2" }));
        let sent = std::slice::from_ref(&live);
        let (asked, step) = take_step(&mastodon(), &job, &progress, sent);
        assert_eq!(asked[0]["body"]["quoted_status_id"], "17");
        let Ok(Step::Next(progress)) = step else { panic!("{step:?}") };
        let (asked, _) = take_step(&mastodon(), &job, &progress, sent);
        assert_eq!(asked[0]["body"].get("quoted_status_id"), None, "{asked:?}");
    }

    #[test]
    fn what_cannot_be_quoted_is_not_posted_without_it() {
        let job = quoting();
        let approval = |user: &str| json!({ "current_user": user });
        let outside = json!({ "error": "This action is outside the authorized scopes" });
        for (name, status, answer, want) in [
            ("nothing", 200, json!({ "statuses": [] }), FailureCode::ValidationFailed),
            (
                "an old server",
                200,
                json!({ "statuses": [{ "id": "1" }] }),
                FailureCode::ValidationFailed,
            ),
            (
                "denied",
                200,
                json!({ "statuses": [{ "id": "1", "quote_approval": approval("denied") }] }),
                FailureCode::ValidationFailed,
            ),
            ("no scope", 403, outside, FailureCode::ValidationFailed),
        ] {
            let answers = [answered(status, &answer)];
            let (_, step) = take_step(&mastodon(), &job, &progress(&job), &answers);
            let error = step.unwrap_err();
            assert_eq!((error.kind, error.code), (NetworkErrorKind::Permanent, want), "{name}");
        }
    }
}
