//! The key that the first start makes, and where it is told.
//!
//! What a service prints is kept by others – a journal, the log of a container – so the key is
//! shown on a terminal alone.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use scheduler_core::key::KeyValue;
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;

/// The file within the data folder.
const FILE: &str = "first-key";

/// Shows the key on a terminal, else writes it into a file of the data folder that only the user
/// of the server may read, and says which.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(crate) fn tell(context: &Context, data: &Path, value: &KeyValue) -> Result<(), Failure> {
    let key = value.expose();
    if io::stdout().is_terminal() {
        return context.print(&json!({"apiKey": key}), &format!("API key: {key}"));
    }
    let path = std::path::absolute(data).unwrap_or_else(|_| data.to_owned()).join(FILE);
    let shown = path.display();
    if let Err(error) = write(&path, key) {
        tracing::error!(
            %error,
            "the first API key cannot be written to {shown}; `scheduler keys create` makes another"
        );
        return Ok(());
    }
    context.print(&json!({"apiKeyFile": path}), &format!("API key in {shown}"))
}

fn write(path: &Path, key: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{key}")?;
    file.sync_all()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_that_was_there_is_replaced_by_one_for_the_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        fs::write(&path, "of a database that is gone").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        write(&path, "sk_new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "sk_new\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
