//! What a tool works with.

use std::sync::LazyLock;
use std::time::Instant;

use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use scheduler_core::account::AccountView;
use scheduler_core::key::Confirmation;
use serde_json::{Map, Value, json};

use crate::api::{Answer, Api, Call};
use crate::confirm::Person;
use crate::failure::Failure;
use crate::shown::{Question, Shown};
use crate::tool::Outcome;

/// What is encoded in a segment of a path. Source: RFC 3986, section 2.3.
const MEANINGFUL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The questions that were put, to all callers of this process.
static SHOWN: LazyLock<Shown> = LazyLock::new(Shown::default);

/// What a tool works with: the API of its caller, and the person behind it.
pub(crate) struct Work<'a> {
    pub(crate) api: &'a dyn Api,
    pub(crate) person: Person,
    /// The name of the tool.
    pub(crate) tool: &'static str,
    /// The key by which the call is known when it comes again; empty for one that only reads.
    pub(crate) key: String,
    /// A hash of its arguments, but for `confirm`; empty as well for one that only reads.
    pub(crate) fingerprint: String,
}

impl Work<'_> {
    /// `None` when something may go out: the person has confirmed this plan, or the key asks for no
    /// confirmation, and the limit of the hour has room. Else what the call ends with.
    ///
    /// # Errors
    /// When they have said no, or have spoken of another plan; `rate_limited`.
    pub(crate) async fn lets_out(
        &self,
        plan: &str,
        message: String,
        confirm: Option<&str>,
    ) -> Result<Option<Outcome>, Failure> {
        if self.api.confirmation() != Confirmation::Never
            && let Some(waits) = self.confirms(plan, message, confirm)?
        {
            return Ok(Some(waits));
        }
        self.api.count_live_call().await?;
        Ok(None)
    }

    /// `None` when the person has confirmed this plan; else what the call ends with.
    ///
    /// # Errors
    /// When they have said no, or have spoken of another plan.
    pub(crate) fn confirms(
        &self,
        plan: &str,
        message: String,
        confirm: Option<&str>,
    ) -> Result<Option<Outcome>, Failure> {
        let question = Question {
            caller: self.api.caller(),
            tool: self.tool,
            plan: plan.to_owned(),
            key: self.key.clone(),
            arguments: self.fingerprint.clone(),
        };
        let was_shown = SHOWN.has(&question, Instant::now());
        let outcome = self.person.confirms(plan, message, confirm, was_shown)?;
        if matches!(outcome, Some(Outcome::Waits(_))) {
            SHOWN.note(question, Instant::now());
        }
        Ok(outcome)
    }

    /// Sends a call, and returns its answer, whatever it is.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn send(&self, call: Call) -> Result<Answer, Failure> {
        Ok(self.api.call(call).await?)
    }

    /// Sends a call, and returns what a success brings.
    ///
    /// # Errors
    /// The refusal.
    pub(crate) async fn ask(&self, call: Call) -> Result<Value, Failure> {
        let answer = self.send(call).await?;
        if answer.status.is_success() { Ok(answer.body) } else { Err(Failure::of(&answer)) }
    }

    /// Reads.
    ///
    /// # Errors
    /// The refusal.
    pub(crate) async fn get(&self, path: impl Into<String>) -> Result<Value, Failure> {
        self.ask(Call::new(Method::GET, path)).await
    }

    /// A post, by its id.
    ///
    /// # Errors
    /// The refusal.
    pub(crate) async fn post(&self, id: &str) -> Result<Value, Failure> {
        self.get(path(&["v1", "posts", id])?).await
    }

    /// The connected accounts.
    ///
    /// # Errors
    /// The refusal.
    pub(crate) async fn accounts(&self) -> Result<Vec<AccountView>, Failure> {
        let page = self.get("/v1/oauth/accounts").await?;
        serde_json::from_value(page["data"].clone())
            .map_err(|error| Failure::new("internal", format!("accounts: {error}")))
    }

    /// The account that a text names: by its id, its network, its handle, or both.
    ///
    /// # Errors
    /// When none or several are called so.
    pub(crate) async fn account(&self, name: &str) -> Result<AccountView, Failure> {
        let accounts = self.accounts().await?;
        chosen(&accounts, name).cloned()
    }

    /// The same targets, with the ids of the accounts in place of their names.
    ///
    /// # Errors
    /// When one is no object, or names no account.
    pub(crate) async fn placed(&self, targets: Value) -> Result<Value, Failure> {
        let targets: Vec<Map<String, Value>> = serde_json::from_value(targets)
            .map_err(|_| Failure::argument("targets", "targets is a list of objects."))?;
        let accounts = self.accounts().await?;
        let placed = targets.into_iter().enumerate().map(|(index, mut target)| {
            let field = format!("targets[{index}].account");
            let Some(Value::String(name)) = target.remove("account") else {
                return Err(Failure::argument(&field, "Name the account of each target."));
            };
            let account = chosen(&accounts, &name)?;
            target.insert("platform".to_owned(), json!(account.platform));
            target.insert("accountId".to_owned(), json!(account.id));
            Ok(Value::Object(target))
        });
        placed.collect()
    }
}

/// How a person and a model name an account.
pub(crate) fn name_of(account: &AccountView) -> String {
    match &account.username {
        Some(username) => format!("{}:@{username}", account.platform),
        None => account.id.to_string(),
    }
}

fn chosen<'a>(accounts: &'a [AccountView], name: &str) -> Result<&'a AccountView, Failure> {
    let is_handle = |account: &AccountView| {
        name.strip_prefix('@').is_some_and(|handle| account.username.as_deref() == Some(handle))
    };
    let is_named = |account: &&AccountView| account.is_named(name) || is_handle(account);
    let found: Vec<&AccountView> = accounts.iter().filter(is_named).collect();
    match found.as_slice() {
        [account] => Ok(account),
        several => {
            let all = if several.is_empty() { accounts.iter().collect() } else { found.clone() };
            let names: Vec<String> = all.into_iter().map(name_of).collect();
            let (names, none) = (names.join(", "), several.is_empty());
            let count = if none { "No account is" } else { "Several accounts are" };
            let message = format!("{count} called {name:?}. There are: {names}.");
            Err(Failure::argument("account", message))
        }
    }
}

/// A path of these segments.
///
/// # Errors
/// For a segment that every client takes out of a path.
pub(crate) fn path(segments: &[&str]) -> Result<String, Failure> {
    let mut path = String::new();
    for segment in segments {
        if matches!(*segment, "" | "." | "..") {
            return Err(Failure::argument("id", format!("{segment:?} is no id.")));
        }
        path.push('/');
        path.extend(utf8_percent_encode(segment, MEANINGFUL));
    }
    Ok(path)
}
