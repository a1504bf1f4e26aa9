//! Whether several servers use one file as their database.

use std::path::Path;

use super::finding::{Finding, Id, needed};
use super::subject::Subject;

/// Looks which processes hold the file open. Those of other users are seen by root alone.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    needed(&subject.settings.storage, "the setting of the database cannot be read")?;
    let file = subject.settings.database_file();
    let file = file.ok_or_else(|| Finding::ok("several servers may share this database"))?;
    let no_file = |_| Finding::ok("there is no database yet that they could share");
    let servers = servers_of(&file.canonicalize().map_err(no_file)?);
    let why_not = "the system does not tell which processes hold the file";
    Ok(match needed(&servers, why_not)?.as_slice() {
        [] => Finding::ok("none has the database open"),
        [one] => Finding::ok(format!("process {one} alone has the database open")),
        several => {
            let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
            Finding::warning(
                Id::DatabaseShared,
                format!("several servers share one file: processes {}", ids.join(" and ")),
                "stop all but one; several servers share a database of PostgreSQL \
                 (--database postgres://…)",
            )
        }
    })
}

/// The processes that run `serve` and hold a file open.
fn servers_of(file: &Path) -> Option<Vec<u32>> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let numbered = processes
        .filter_map(|process| Some((process.file_name().to_str()?.parse().ok()?, process.path())));
    let mut servers: Vec<u32> = numbered
        .filter(|(_, process)| serves(process) && holds(process, file))
        .map(|(id, _)| id)
        .collect();
    servers.sort_unstable();
    Some(servers)
}

fn serves(process: &Path) -> bool {
    let words = std::fs::read(process.join("cmdline")).unwrap_or_default();
    words.split(|byte| *byte == 0).skip(1).any(|word| word == b"serve")
}

fn holds(process: &Path, file: &Path) -> bool {
    let open = std::fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    open.filter_map(|entry| std::fs::read_link(entry.path()).ok()).any(|link| link == file)
}
