//! Writing a text in the editor of whoever sits at the terminal.

use std::io::IsTerminal as _;

use crate::failure::Failure;

/// Opens the editor that VISUAL or EDITOR names, waits until it is closed, and takes the text.
///
/// # Errors
/// [`Failure::Usage`] where there is no terminal, the editor cannot be started, or nothing was
/// written.
pub(super) fn write() -> Result<String, Failure> {
    if !std::io::stdin().is_terminal() {
        let message = "--editor needs a terminal; - reads the text from standard input";
        return Err(Failure::Usage(message.into()));
    }
    let written = dialoguer::Editor::new().extension(".txt").edit("");
    let written = written.map_err(|error| Failure::Usage(format!("the editor: {error}")))?;
    written
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| Failure::Usage("nothing was written and saved, so nothing is posted".into()))
}
