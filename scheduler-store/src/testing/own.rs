//! A PostgreSQL of one test alone, which the test stops and starts again.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use url::Url;

use super::programs::{self, RunAs};
use super::server::{initialize, short_folder, url_of};
use super::{connect, create_database, left_out, migrate};

/// Ends the server and removes its folder when the run (`$1`) has gone, however it went. `$2` is
/// the folder; the rest ends the server.
const WATCH: &str = r#"
run=$1; folder=$2; shift 2
while kill -0 "$run" 2>/dev/null && [ -d "$folder" ]; do sleep 0.2; done
"$@" >/dev/null 2>&1
rm -rf "$folder"
"#;

/// A server with an empty database of the schema of this release. Every commit waits for the disk.
/// Dropping it ends the server.
#[derive(Debug)]
pub struct OwnPostgres {
    programs: PathBuf,
    run_as: RunAs,
    folder: PathBuf,
    url: String,
}

impl OwnPostgres {
    /// Starts a server; `None` when its programs are not installed, after saying so on standard
    /// error. `name` tells it from those of other tests of the run.
    ///
    /// # Panics
    /// When it cannot be started, or when it is not installed and `SCHEDULER_REQUIRE_POSTGRES` is
    /// `1`.
    pub async fn start(name: &str) -> Option<Self> {
        let Some(programs) = programs::folder() else {
            left_out();
            return None;
        };
        let folder = short_folder().join(format!("scheduler-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the server is made");
        std::fs::set_permissions(&folder, Permissions::from_mode(0o700))
            .expect("the folder is closed to others");
        let run_as = RunAs::choose(&folder)?;
        run_as.own(&folder).expect("the folder is given to the server's user");
        initialize(&programs, run_as, &folder);
        let server = Self { programs, run_as, url: url_of(&folder, "tests").into(), folder };
        server.watch();
        server.start_again();
        let mut connection = connect(&url_of(&server.folder, "postgres")).await;
        create_database(&mut connection, "tests", None).await;
        let url: Url = server.url.parse().expect("the URL is well formed");
        migrate(&url).await;
        Some(server)
    }

    /// The URL of the database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Starts the server after it was stopped, and waits until it takes connections.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&self) {
        let socket = self.folder.display();
        let options = format!("-c listen_addresses= -c max_connections=100 -k {socket}");
        let log = self.folder.join("log");
        let log = log.to_string_lossy();
        self.control(&["start", "-w", "-l", &log, "-o", &options]);
    }

    /// Stops the server, in the mode `fast` or `immediate`, and waits until it has ended.
    ///
    /// # Panics
    /// When it does not stop.
    pub fn stop(&self, mode: &str) {
        self.control(&["stop", "-w", "-m", mode]);
    }

    fn control(&self, arguments: &[&str]) {
        let output = self.command().args(arguments).stdin(Stdio::null()).output();
        let output = output.expect("pg_ctl runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn command(&self) -> Command {
        let mut command = self.run_as.command(&self.programs.join("pg_ctl"));
        command.arg("-D").arg(self.folder.join("data")).current_dir(&self.folder);
        command
    }

    #[expect(clippy::zombie_processes, reason = "it outlives the test, and ends by itself")]
    fn watch(&self) {
        Command::new("/bin/sh")
            .args(["-c", WATCH, "watch-postgres", &std::process::id().to_string()])
            .arg(&self.folder)
            .args(self.run_as.prefix())
            .arg(self.programs.join("pg_ctl"))
            .args(["stop", "-m", "immediate", "-D"])
            .arg(self.folder.join("data"))
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the watch is started");
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        // It may be stopped already.
        let _ = self.command().args(["stop", "-m", "immediate"]).output();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
