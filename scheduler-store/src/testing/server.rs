//! The tests' own server: started by the first test of a run, shared by all, ended with the run.
//!
//! Everything lies in one folder whose name follows from the run: the data, the socket, and a file
//! that says that the server is ready. A lock lets one test at a time look or start. A small
//! process beside the server watches the run, ends the server when the run has gone, however it
//! went, and removes the folder.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use url::Url;

use super::programs::{self, RunAs};
use super::{Durability, TEMPLATE, connect, create_database, migrate};

const USER: &str = "scheduler";

/// How often and how long a new server is asked whether it is there.
const START_LOOKS: u32 = 600;
const START_GAP: Duration = Duration::from_millis(50);

/// Stands beside the server. `$1` is the process of the run, `$2` the folder; the rest is the
/// server's command. The server's own process id is in its folder, whoever started it for whom.
const WATCH: &str = r#"
run=$1; folder=$2; shift 2
"$@" >"$folder/log" 2>&1 &
server=$!
while kill -0 "$run" 2>/dev/null && kill -0 "$server" 2>/dev/null; do sleep 0.2; done
if kill -0 "$server" 2>/dev/null; then
  kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")" 2>/dev/null
  wait "$server"
fi
rm -rf "$folder"
"#;

/// The run that this process is a part of: its name, and the process that lives as long.
fn run() -> (String, u32) {
    match std::env::var("NEXTEST_RUN_ID") {
        Ok(run) => (run, std::os::unix::process::parent_id()),
        Err(_) => (std::process::id().to_string(), std::process::id()),
    }
}

/// The URL of the run's server, which is started when it is not there yet. `None` when its
/// programs are not installed.
pub(super) async fn share(durability: Durability) -> Option<Url> {
    let programs = programs::folder()?;
    let (run, process) = run();
    let kind = match durability {
        Durability::Full => "durable",
        Durability::None => "fast",
    };
    let folder = short_folder().join(format!("scheduler-{run}-{kind}"));
    std::fs::create_dir_all(&folder).expect("a folder for the server is made");
    let lock = File::create(folder.join("lock")).expect("a lock file is made");
    let lock = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await;
    let lock = lock.expect("nothing panics").expect("the lock is taken");
    let server = Server { programs, process, durability, folder };
    if !server.folder.join("ready").exists() {
        let run_as = RunAs::choose(&server.folder)?;
        server.start(run_as).await;
        std::fs::write(server.folder.join("ready"), "").expect("the server is marked as ready");
    }
    drop(lock);
    Some(server.url("postgres"))
}

/// The path of a socket may have about a hundred bytes.
pub(super) fn short_folder() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().len() <= 30 { folder } else { PathBuf::from("/tmp") }
}

struct Server {
    programs: PathBuf,
    process: u32,
    durability: Durability,
    folder: PathBuf,
}

impl Server {
    fn url(&self, database: &str) -> Url {
        url_of(&self.folder, database)
    }

    async fn start(&self, run_as: RunAs) {
        std::fs::set_permissions(&self.folder, Permissions::from_mode(0o700))
            .expect("the folder is closed to others");
        run_as.own(&self.folder).expect("the folder is given to the server's user");
        initialize(&self.programs, run_as, &self.folder);
        self.launch(run_as);
        self.wait().await;
        let mut connection = connect(&self.url("postgres")).await;
        create_database(&mut connection, TEMPLATE, None).await;
        connection.close().await.expect("the connection is closed");
        migrate(&self.url(TEMPLATE)).await;
    }

    #[expect(clippy::zombie_processes, reason = "it outlives the test, and ends by itself")]
    fn launch(&self, run_as: RunAs) {
        let fsync = match self.durability {
            Durability::Full => "fsync=on",
            Durability::None => "fsync=off",
        };
        let settings = ["listen_addresses=", "max_connections=300", "shared_buffers=64MB", fsync]
            .into_iter()
            .flat_map(|setting| ["-c", setting]);
        Command::new("/bin/sh")
            .args(["-c", WATCH, "watch-postgres"])
            .arg(self.process.to_string())
            .arg(&self.folder)
            .args(run_as.prefix())
            .arg(self.programs.join("postgres"))
            .arg("-D")
            .arg(self.folder.join("data"))
            .arg("-k")
            .arg(&self.folder)
            .args(settings)
            .current_dir(&self.folder)
            // Neither the end of this test nor a signal to its group may end the server.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server is started");
    }

    async fn wait(&self) {
        let options: PgConnectOptions =
            self.url("postgres").as_str().parse().expect("the URL is one of PostgreSQL");
        for _ in 0..START_LOOKS {
            if let Ok(connection) = options.connect().await {
                connection.close().await.expect("the connection is closed");
                return;
            }
            tokio::time::sleep(START_GAP).await;
        }
        panic!("the server does not answer: {}", log(&self.folder));
    }
}

/// The URL of a database of the server whose socket is in a folder.
pub(super) fn url_of(folder: &Path, database: &str) -> Url {
    let mut url: Url =
        format!("postgres://{USER}@localhost/{database}").parse().expect("the URL is well formed");
    url.query_pairs_mut().append_pair("host", &folder.to_string_lossy());
    url
}

/// Makes the data of a new server in a folder.
pub(super) fn initialize(programs: &Path, run_as: RunAs, folder: &Path) {
    let output = run_as
        .command(&programs.join("initdb"))
        .args(["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--username"])
        .args([USER, "--pgdata"])
        .arg(folder.join("data"))
        .current_dir(folder)
        .output()
        .expect("initdb runs");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "initdb failed: {words}");
}

fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap_or_default()
}
