//! Captions that a text model proposes: offered, and put in by a press alone.

use std::collections::BTreeSet;

use scheduler_core::account::AccountView;
use scheduler_core::app::{CaptionAllowance, CaptionsInput, CheckInput};
use scheduler_core::platform::{CAPTION, Platform};
use scheduler_core::post::{Piece, TargetInput, compared};
use scheduler_core::session::Role;
use scheduler_http::visit::Declined;

use super::check::{Count, counted};
use super::written::Written;
use crate::mark::Mark;
use crate::visitor::Visitor;

/// What is offered.
pub(super) struct Captions {
    pub(super) allowance: CaptionAllowance,
    pub(super) proposals: Vec<Proposal>,
    /// Why nothing was proposed.
    pub(super) refused: Option<String>,
}

/// A caption for the accounts of a network.
pub(super) struct Proposal {
    pub(super) platform: Platform,
    pub(super) mark: Mark,
    pub(super) text: String,
    /// Its text, with what is new against the text that it would take the place of.
    pub(super) pieces: Vec<Piece>,
    pub(super) counts: Vec<Count>,
}

impl Captions {
    /// What is offered beside what is written; `None` where the server has no model, and for whoever
    /// may not write.
    pub(super) async fn of(
        visitor: &Visitor,
        written: &Written,
        accounts: &[AccountView],
    ) -> Result<Option<Self>, Declined> {
        if !visitor.may(Role::Drafter) {
            return Ok(None);
        }
        let allowance = visitor.scheduler().caption_allowance(&visitor.caller).await?;
        Ok(allowance.map(|allowance| Self {
            allowance,
            proposals: written
                .proposals
                .iter()
                .map(|(platform, text)| Proposal::new(*platform, text, written, accounts))
                .collect(),
            refused: None,
        }))
    }
}

impl Proposal {
    fn new(platform: Platform, text: &str, written: &Written, accounts: &[AccountView]) -> Self {
        let mut of_network = accounts.iter().filter(|account| account.platform == platform);
        let own = of_network
            .find_map(|account| Some(written.own_text(account.id)).filter(|own| !own.is_empty()));
        let input = CheckInput {
            content: Some(text.to_owned()),
            targets: Some(vec![TargetInput::from(platform)]),
            ..CheckInput::default()
        };
        let report = input.check_by_sheets();
        Self {
            platform,
            mark: platform.into(),
            text: text.to_owned(),
            pieces: compared(own.unwrap_or(&written.content), text),
            counts: report.iter().flat_map(|report| &report.counts).map(counted).collect(),
        }
    }
}

/// Asks for captions of the text, for the networks that are picked.
///
/// # Errors
/// Why there are none.
pub(super) async fn suggest(
    visitor: &Visitor,
    written: &mut Written,
    accounts: &[AccountView],
) -> Result<(), Declined> {
    let picked = accounts.iter().filter(|account| written.accounts.contains(&account.id));
    let platforms: BTreeSet<Platform> = picked.map(|account| account.platform).collect();
    let platforms = platforms.into_iter().map(|platform| platform.as_str().to_owned());
    let input = CaptionsInput {
        content: Some(written.content.clone()),
        platforms: Some(platforms.collect()),
    };
    let caller = visitor.caller.clone();
    let asked = visitor
        .visit()
        .to_its_end(move |scheduler| async move { scheduler.write_captions(&caller, input).await });
    written.proposals = asked.await?.captions;
    Ok(())
}

/// Makes a proposal the text of the accounts of its network that are picked.
pub(super) fn accept(written: &mut Written, accounts: &[AccountView], platform: Platform) {
    let Some(text) = written.proposals.remove(&platform) else { return };
    for account in accounts.iter().filter(|account| account.platform == platform) {
        if written.accounts.contains(&account.id) {
            let options = written.options.entry(account.id).or_default();
            options.insert(CAPTION.key.to_owned(), text.clone());
        }
    }
}
