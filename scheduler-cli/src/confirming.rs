//! Asking before something that cannot be undone.

use std::io::IsTerminal as _;

use dialoguer::Confirm;

use crate::failure::Failure;

/// Asks the person at the terminal, unless `is_confirmed`. Where nobody can be asked, whoever
/// wrote the script has decided.
///
/// # Errors
/// [`Failure::Other`] when the answer is no.
pub(crate) fn confirm(is_confirmed: bool, question: &str) -> Result<(), Failure> {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if is_confirmed || !is_terminal {
        return Ok(());
    }
    let asked = Confirm::new().with_prompt(question).default(false).interact();
    if asked.map_err(anyhow::Error::from)? {
        Ok(())
    } else {
        Err(Failure::advised("not confirmed; nothing was done", "answer y, or give --yes"))
    }
}
