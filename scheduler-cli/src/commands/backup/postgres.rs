//! The copy of a PostgreSQL database, by its own program.

use std::path::Path;
use std::process::Stdio;

use anyhow::Context as _;
use percent_encoding::percent_decode_str;
use tokio::process::Command;
use url::Url;

use super::draft::close_to_others;
use crate::failure::Failure;

/// The file of the copy.
pub(super) const DUMP_FILE: &str = "database.dump";

/// Writes the copy into a folder.
///
/// The password goes to the program by its environment: arguments can be read by every user of the
/// machine.
///
/// # Errors
/// [`Failure::Other`] with the command to run where the program is not installed, or with what it
/// says.
pub(super) async fn dump(url: &str, folder: &Path) -> Result<(), Failure> {
    let (address, password) = apart(url)?;
    let file = folder.join(DUMP_FILE);
    let mut program = Command::new("pg_dump");
    program.args(["--format=custom", "--no-password", "--file"]).arg(&file);
    program.arg("--dbname").arg(address.as_str());
    if let Some(password) = &password {
        program.env("PGPASSWORD", password);
    }
    if run(program, "pg_dump").await?.is_none() {
        return Err(anyhow::anyhow!(
            "pg_dump is not installed; install the client programs of PostgreSQL, or run where they are: PGPASSWORD=… pg_dump --format=custom --file {DUMP_FILE} --dbname {address}, and copy the secret key and the folder of files beside it"
        )
        .into());
    }
    close_to_others(&file)
}

/// Reads the table of contents of the copy in a folder; tells what is in it, or nothing where the
/// program is not installed.
///
/// # Errors
/// [`Failure::Other`] when the program does not read the copy.
pub(super) async fn contents(folder: &Path) -> Result<Option<String>, Failure> {
    let mut program = Command::new("pg_restore");
    program.arg("--list").arg(folder.join(DUMP_FILE));
    let Some(listed) = run(program, "pg_restore").await? else { return Ok(None) };
    let tables = listed.lines().filter(|line| line.contains(" TABLE DATA ")).count();
    if tables == 0 {
        return Err(anyhow::anyhow!("the copy holds no tables; is this the right database?").into());
    }
    Ok(Some(format!(
        "{tables} tables in {DUMP_FILE} (restore with pg_restore, see docs/backup.md)"
    )))
}

/// What a program prints; nothing where it is not installed.
async fn run(mut program: Command, name: &str) -> Result<Option<String>, Failure> {
    let ran = program.stdin(Stdio::null()).kill_on_drop(true).output().await;
    let output = match ran {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        ran => ran.with_context(|| format!("cannot run {name}"))?,
    };
    if output.status.success() {
        return Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(anyhow::anyhow!("{name} has failed: {}", said.trim()).into())
}

/// The address without its password, and the password.
fn apart(url: &str) -> Result<(Url, Option<String>), Failure> {
    let wrong = || Failure::from(anyhow::anyhow!("the URL of the database cannot be read"));
    let mut address: Url = url.parse().map_err(|_| wrong())?;
    let mut password = address
        .password()
        .map(|password| percent_decode_str(password).decode_utf8_lossy().into_owned());
    // An address of a socket has no host, and takes no password that could be removed.
    if password.is_some() {
        address.set_password(None).map_err(|()| wrong())?;
    }
    // A password may stand among the settings too.
    let kept: Vec<(String, String)> = address
        .query_pairs()
        .filter(|(name, value)| {
            let is_password = name == "password";
            if is_password {
                password = Some(value.clone().into_owned());
            }
            // What only this program's library knows, pg_dump refuses.
            !is_password && name != "statement-cache-capacity"
        })
        .map(|(name, value)| (name_of_libpq(&name).to_owned(), value.into_owned()))
        .collect();
    address.set_query(None);
    if !kept.is_empty() {
        address.query_pairs_mut().extend_pairs(kept);
        // The programs of PostgreSQL take a plus for itself.
        let query = address.query().unwrap_or_default().replace('+', "%20");
        address.set_query(Some(&query));
    }
    Ok((address, password))
}

/// What PostgreSQL's own library calls a setting that ours takes under several names.
///
/// Source: <https://www.postgresql.org/docs/current/libpq-connect.html>, Parameter Key Words.
fn name_of_libpq(name: &str) -> &str {
    match name {
        "ssl-mode" => "sslmode",
        "ssl-root-cert" | "ssl-ca" => "sslrootcert",
        "ssl-cert" => "sslcert",
        "ssl-key" => "sslkey",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_an_argument() {
        for (url, want, password) in [
            ("postgres://me@h/d", "postgres://me@h/d", None),
            ("postgres://me:p%40ss@h:5433/d", "postgres://me@h:5433/d", Some("p@ss")),
            (
                "postgresql://h/d?user=me&password=s3cret&sslmode=require",
                "postgresql://h/d?user=me&sslmode=require",
                Some("s3cret"),
            ),
            (
                "postgres://h/d?ssl-mode=verify-full&ssl-ca=/ca",
                "postgres://h/d?sslmode=verify-full&sslrootcert=%2Fca",
                None,
            ),
            (
                "postgres:///d?host=/run/postgresql&options=-c%20a%3D1%2B2",
                "postgres:///d?host=%2Frun%2Fpostgresql&options=-c%20a%3D1%2B2",
                None,
            ),
        ] {
            let (address, found) = apart(url).unwrap();
            assert_eq!(address.as_str(), want);
            assert_eq!(found.as_deref(), password, "{url}");
        }
    }
}
