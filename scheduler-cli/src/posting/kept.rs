//! A text that was written in an editor, kept until it has arrived.

use std::io::{self, Write as _};

use tempfile::NamedTempFile;

use crate::printer::Printer;

/// A text that exists nowhere else. Its file goes with it unless it is left.
#[derive(Debug)]
pub(crate) struct Written {
    text: String,
    /// For its user alone; `None` where none could be made.
    file: Option<NamedTempFile>,
}

impl Written {
    /// Writes the text to a file in the folder for temporary files.
    pub(super) fn new(text: &str) -> Self {
        let file = file_of(text).inspect_err(|error| {
            tracing::debug!(%error, "the text of the editor cannot be kept in a file");
        });
        Self { text: text.to_owned(), file: file.ok() }
    }

    /// Leaves the text in its file and says where; where there is no file, says the text.
    pub(crate) fn leave(self, printer: Printer) {
        let path = self.file.and_then(|file| file.into_temp_path().keep().ok());
        match path {
            Some(path) => {
                printer.message(&format!(
                    "your text is kept in {0}; --text-file {0} takes it from there",
                    path.display()
                ));
            }
            None => printer.message(&format!("your text was:\n{}", self.text)),
        }
    }
}

fn file_of(text: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("scheduler-").suffix(".txt").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}
