//! The options that posts of an account have where nothing else is said.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::AccountDetail;
use crate::account::Account;
use crate::app::Scheduler;
use crate::error::{AppError, Refusal};
use crate::ids::AccountId;
use crate::object::only_from_object;
use crate::platform::{CAPTION, LINK_CARD, OptionFact, OptionValue, THREAD};
use crate::post::check_options;
use crate::rules::{Context, Draft, DraftTarget, MediaFacts, MediaKind, Severity, ValidationIssue};
use crate::workspace::Workspace;

/// The options that posts of an account have where nothing else is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct DefaultsInput {
    /// Options of its network, such as `signature` or `visibility`; none for an account without
    /// defaults. They take the place of those that it had.
    pub options: Map<String, Value>,
}

only_from_object!(DefaultsInput);

impl Scheduler {
    /// Sets the options that posts of an account have where nothing else is said. Posts that exist
    /// stay as they are.
    ///
    /// # Errors
    /// `not_found` for an account that is not connected; `invalid_request` naming an option that its
    /// network does not know, that each post says for itself, or that holds too much; `validation_failed` where the
    /// network would refuse a text, a picture and a video with them.
    pub async fn set_account_defaults(
        &self,
        workspace: &Workspace,
        id: AccountId,
        input: DefaultsInput,
    ) -> Result<AccountDetail, AppError> {
        let account = self.connected_account(workspace.id, id).await?;
        check_options(&"options", &input.options)?;
        input.options.keys().try_for_each(|key| refuse_of_one_post(&account, key))?;
        self.refuse_never_taken(&account, &input.options)?;
        let changed = Account { default_options: input.options, ..account };
        self.save_account(&changed).await?;
        self.account_detail(workspace, id).await
    }

    /// Refuses options with which a network takes no kind of post that it takes without them.
    fn refuse_never_taken(
        &self,
        account: &Account,
        options: &Map<String, Value>,
    ) -> Result<(), Refusal> {
        let none = Map::new();
        let mut refused = Vec::new();
        for media in [None, Some(MediaKind::Image), Some(MediaKind::Video)] {
            let media: Vec<MediaFacts> = media.into_iter().map(MediaFacts::of_kind).collect();
            let without: BTreeSet<_> = self
                .errors_of(account, &none, &media)
                .into_iter()
                .map(|issue| issue.rule)
                .collect();
            let mut with = self.errors_of(account, options, &media);
            with.retain(|issue| !without.contains(&issue.rule));
            refused.push(with);
        }
        if refused.iter().any(Vec::is_empty) {
            return Ok(());
        }
        Err(Refusal::validation(refused.swap_remove(0)))
    }

    fn errors_of(
        &self,
        account: &Account,
        options: &Map<String, Value>,
        media: &[MediaFacts],
    ) -> Vec<ValidationIssue> {
        let target = DraftTarget::new(account.platform, options, &account.limits);
        let targets = [target.of_account(account, None)];
        let draft =
            Draft { content: "Hello", link_url: None, media, alt_texts: &[], targets: &targets };
        let mut issues = self.rules.check(&draft, &Context::default());
        issues.retain(|issue| issue.severity == Severity::Error);
        issues
    }
}

/// Refuses what each post says for itself: its texts, files and link, and what a network wants
/// each author to set.
fn refuse_of_one_post(account: &Account, key: &str) -> Result<(), Refusal> {
    let field = || format!("options.{key}");
    let sheet = account.platform.sheet();
    let Some(option) = sheet.option(key) else {
        let message = format!("{} has no option {key}.", sheet.name);
        return Err(Refusal::invalid(field(), message));
    };
    let OptionFact { value, set_by_hand, .. } = option;
    let is_of_one = *set_by_hand
        || [CAPTION.key, THREAD.key, LINK_CARD].contains(&key)
        || matches!(
            value,
            OptionValue::Uuid | OptionValue::Subtitles { .. } | OptionValue::Poll(_)
        );
    if is_of_one {
        let message = format!("Each post on {} says its own {key}.", sheet.name);
        return Err(Refusal::invalid(field(), message));
    }
    Ok(())
}
