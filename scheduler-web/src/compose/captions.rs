//! Captions that a text model proposes: offered, and put in by a press alone.

use std::collections::BTreeSet;

use scheduler_core::account::AccountView;
use scheduler_core::app::{CaptionAllowance, CaptionsInput, CheckInput};
use scheduler_core::platform::{CAPTION, Platform};
use scheduler_core::post::TargetInput;
use scheduler_core::session::Role;
use scheduler_http::visit::Declined;

use super::check::{Count, counted};
use super::written::Written;
use crate::filters::cleaned;
use crate::mark::Mark;
use crate::visitor::Visitor;

/// Words of a text up to which what has changed in it is shown; beyond, the text alone is.
const COMPARED_WORDS: usize = 600;

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
    pub(super) words: Vec<Words>,
    pub(super) counts: Vec<Count>,
}

/// Words of a proposal, or of the text that it would take the place of.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Words {
    Same(String),
    New(String),
    Gone(String),
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
            words: difference(own.unwrap_or(&written.content), text),
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

/// What a text has that another one had not, and what it has not any more, by words.
fn difference(before: &str, after: &str) -> Vec<Words> {
    let (before, after): (Vec<&str>, Vec<&str>) = (
        before.split_inclusive(char::is_whitespace).collect(),
        after.split_inclusive(char::is_whitespace).collect(),
    );
    if before.len().max(after.len()) > COMPARED_WORDS {
        return vec![Words::New(cleaned(&after.concat()))];
    }
    // How many words the rests have in common, from each pair of places on.
    let mut common = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for old in (0..before.len()).rev() {
        for new in (0..after.len()).rev() {
            common[old][new] = if before[old].trim_end() == after[new].trim_end() {
                common[old + 1][new + 1] + 1
            } else {
                common[old + 1][new].max(common[old][new + 1])
            };
        }
    }
    let (mut old, mut new, mut words) = (0, 0, Vec::new());
    while old < before.len() || new < after.len() {
        let is_same = old < before.len()
            && new < after.len()
            && before[old].trim_end() == after[new].trim_end();
        if is_same {
            words.push(Words::Same(cleaned(after[new])));
            (old, new) = (old + 1, new + 1);
        } else if new == after.len()
            || old < before.len() && common[old + 1][new] >= common[old][new + 1]
        {
            words.push(Words::Gone(cleaned(before[old])));
            old += 1;
        } else {
            words.push(Words::New(cleaned(after[new])));
            new += 1;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_in_a_text() {
        let word = |words: &Words| match words {
            Words::Same(word) => format!(" {}", word.trim()),
            Words::New(word) => format!(" +{}", word.trim()),
            Words::Gone(word) => format!(" -{}", word.trim()),
        };
        for (before, after, want) in [
            ("a b c", "a b c", " a b c"),
            ("a b c", "a x c d", " a -b +x c +d"),
            ("", "a", " +a"),
            ("a", "", " -a"),
            ("a b\n", "a b", " a b"),
        ] {
            let found: String = difference(before, after).iter().map(word).collect();
            assert_eq!(found, want, "{before:?} {after:?}");
        }
        let long = "word ".repeat(COMPARED_WORDS + 1);
        assert_eq!(difference(&long, "a b"), [Words::New("a b".to_owned())]);
    }
}
