//! Writing a text in the editor of whoever sits at the terminal.

use std::io::{self, IsTerminal as _};
use std::process::Command;
use std::{env, fs};

use crate::failure::Failure;

/// Opens the editor that VISUAL or EDITOR names, waits until it is closed, and takes the text.
///
/// # Errors
/// [`Failure::Usage`] where there is no terminal, the editor cannot be started or ends with an
/// error, or nothing was written.
pub(super) fn write() -> Result<String, Failure> {
    if !io::stdin().is_terminal() {
        let message = "--editor needs a terminal; - reads the text from standard input";
        return Err(Failure::Usage(message.into()));
    }
    let written = edited().map_err(|error| Failure::Usage(format!("the editor: {error}")))?;
    let text = written.trim_end_matches(['\n', '\r']);
    if text.trim().is_empty() {
        let message = "nothing was written and saved, so nothing is posted";
        return Err(Failure::Usage(message.into()));
    }
    Ok(text.to_owned())
}

/// What is in a new file after the editor has ended well. One that ends with an error, such as `vi`
/// after `:cq`, has been told to give up what was written.
fn edited() -> io::Result<String> {
    let file = tempfile::Builder::new().prefix("post-").suffix(".txt").tempfile()?.into_temp_path();
    let (program, arguments) = program();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{program}: {error}"));
    let status = Command::new(&program).args(arguments).arg(&file).status().map_err(named)?;
    if status.code().is_none() {
        let kept = file.keep().map_err(|error| error.error)?;
        let message = format!(
            "{program} was ended ({status}), so nothing is posted; your text is kept in {}",
            kept.display()
        );
        return Err(io::Error::other(message));
    }
    if !status.success() {
        let message = format!("{program} has ended with an error ({status}), so nothing is posted");
        return Err(io::Error::other(message));
    }
    fs::read_to_string(&file).map_err(|error| match file.keep() {
        Ok(kept) => {
            let message = format!("{error}; your text is kept in {}", kept.display());
            io::Error::new(error.kind(), message)
        }
        Err(_) => error,
    })
}

/// The editor with its own arguments, as a shell would read them.
fn program() -> (String, Vec<String>) {
    let is_set = |name| env::var(name).ok().filter(|value| !value.trim().is_empty());
    let usual = || if cfg!(windows) { "notepad.exe" } else { "vi" }.to_owned();
    let line = is_set("VISUAL").or_else(|| is_set("EDITOR")).unwrap_or_else(usual);
    let words = shell_words::split(&line).unwrap_or_default();
    let mut words = words.into_iter();
    let program = words.next().unwrap_or(line);
    (program, words.collect())
}
