//! A PostgreSQL with a synchronous standby, behind a port that leads to the current primary.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use scheduler_store::testing::programs::{self, RunAs};

use crate::forwarder::{Forwarder, Goal};
use crate::processes::{Process, append, signal};

const USER: &str = "scheduler";
const DATABASE: &str = "storm";
/// How long a server may take to start, to stop, or to catch up.
const TIMEOUT: Duration = Duration::from_secs(60);

/// One server of the two.
struct Member {
    /// Its folder: data and socket.
    folder: PathBuf,
    process: Option<Process>,
}

impl Member {
    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// The server's own process, whoever was started for it.
    fn postmaster(&self) -> Option<u32> {
        let file = std::fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        file.lines().next()?.trim().parse().ok()
    }
}

/// The folder with the server's programs and the clients that a storm takes.
fn all_programs() -> Option<PathBuf> {
    let folder = programs::folder()?;
    // On the search path there may be links to a few of them.
    let real = folder.join("postgres").canonicalize().ok()?.parent()?.to_owned();
    let has_all = |folder: &PathBuf| {
        ["psql", "pg_basebackup"].iter().all(|program| folder.join(program).is_file())
    };
    [real, folder].into_iter().find(has_all)
}

/// The two servers. Dropping them ends them.
pub(crate) struct Cluster {
    programs: PathBuf,
    run_as: RunAs,
    folder: PathBuf,
    members: [Member; 2],
    primary: usize,
    forwarder: Forwarder,
}

impl Cluster {
    /// Starts both; `None` when PostgreSQL is not installed, or nobody is there to run it as.
    pub(crate) async fn start(folder: &Path) -> Option<Self> {
        let programs = all_programs()?;
        let run_as = RunAs::choose(folder)?;
        let members = ["one", "two"].map(|name| {
            let folder = folder.join(name);
            std::fs::create_dir_all(&folder).expect("a folder is made");
            run_as.own(&folder).expect("it is given to the server's user");
            Member { folder, process: None }
        });
        let forwarder = Forwarder::start().await;
        let mut cluster =
            Self { programs, run_as, folder: folder.into(), members, primary: 0, forwarder };
        cluster.make_data();
        cluster.launch(0).await;
        cluster.sql("postgres", &format!("CREATE DATABASE {DATABASE}"));
        cluster.add_standby().await;
        cluster.lead();
        Some(cluster)
    }

    /// What the nodes are given: the port that leads to the primary.
    pub(crate) fn url(&self) -> String {
        format!("postgres://{USER}@{}/{DATABASE}", self.forwarder.address())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.run_as.command(&self.programs.join(program));
        command.current_dir(&self.members[0].folder).stdin(Stdio::null());
        command
    }

    fn run(&self, command: &mut Command) {
        let output = command.output().expect("it starts");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {words}");
    }

    fn make_data(&self) {
        let mut command = self.command("initdb");
        command
            .args(["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--username"])
            .args([USER, "--pgdata"])
            .arg(self.members[0].data());
        self.run(&mut command);
    }

    /// Starts a server and waits until it answers.
    async fn launch(&mut self, member: usize) {
        // A process that dies leaves all that the system holds, so nothing has to reach the disk.
        let settings = [
            "listen_addresses=",
            "max_connections=200",
            "shared_buffers=64MB",
            "fsync=off",
            "wal_keep_size=1GB",
            "wal_retrieve_retry_interval=200ms",
            "log_line_prefix=%m [%p] ",
        ];
        let begun = Instant::now();
        loop {
            let at = &self.members[member];
            let log = append(&self.folder.join("logs").join(format!("postgres-{member}.log")));
            let mut command = self.command("postgres");
            command.arg("-D").arg(at.data()).arg("-k").arg(&at.folder);
            command.args(settings.into_iter().flat_map(|setting| ["-c", setting]));
            command.stderr(log).stdout(Stdio::null());
            let mut process = Process::start(&mut command, &self.folder);
            while !process.has_ended() && begun.elapsed() < TIMEOUT {
                if self.try_sql(member, "postgres", "SELECT 1").is_some() {
                    self.members[member].process = Some(process);
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            // After a kill the memory of the old server may be held for a moment by its children.
            assert!(begun.elapsed() < TIMEOUT, "PostgreSQL does not start; see its log");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Ends a server by a signal: INT (fast), QUIT (immediate), KILL.
    async fn end(&mut self, member: usize, name: &str) {
        let Some(mut process) = self.members[member].process.take() else { return };
        if let Some(postmaster) = self.members[member].postmaster() {
            signal(name, postmaster);
        }
        assert!(process.ended(TIMEOUT).await, "PostgreSQL does not stop; see its log");
    }

    fn try_sql(&self, member: usize, database: &str, statement: &str) -> Option<String> {
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-U", USER, "-d", database])
            .arg("-h")
            .arg(&self.members[member].folder)
            .args(["-c", statement])
            .env("PGCONNECT_TIMEOUT", "5")
            .stdin(Stdio::null())
            .output()
            .expect("psql starts");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn sql(&self, database: &str, statement: &str) -> String {
        let answer = self.try_sql(self.primary, database, statement);
        answer.unwrap_or_else(|| panic!("the primary does not take {statement}"))
    }

    /// Makes the other server a copy of the primary and waits until commits wait for it.
    async fn add_standby(&mut self) {
        let standby = 1 - self.primary;
        self.end(standby, "QUIT").await;
        let data = self.members[standby].data();
        let _ = std::fs::remove_dir_all(&data);
        let mut command = self.command("pg_basebackup");
        command.args(["-U", USER, "-R", "-X", "stream", "-c", "fast", "-h"]);
        command.arg(&self.members[self.primary].folder).arg("-D").arg(&data);
        self.run(&mut command);
        self.launch(standby).await;
        self.set("synchronous_standby_names", "'*'");
        self.wait_for_standby().await;
    }

    fn set(&self, setting: &str, value: &str) {
        self.sql("postgres", &format!("ALTER SYSTEM SET {setting} = {value}"));
        self.sql("postgres", "SELECT pg_reload_conf()");
    }

    /// Waits until the standby holds all that the primary has on its disk when this is called.
    async fn wait_for_standby(&self) {
        let begun = Instant::now();
        let ask = |question: &str| self.try_sql(self.primary, "postgres", question);
        let mut written = None;
        loop {
            if written.is_none() {
                written = ask("SELECT pg_current_wal_flush_lsn()");
            }
            if let Some(position) = &written {
                let followers = ask(&format!(
                    "SELECT count(*) FROM pg_stat_replication \
                     WHERE sync_state = 'sync' AND flush_lsn >= '{position}'::pg_lsn"
                ));
                if followers.as_deref() == Some("1") {
                    return;
                }
            }
            assert!(begun.elapsed() < TIMEOUT, "the standby does not follow; see its log");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn lead(&self) {
        self.forwarder.lead_to(vec![Goal::Socket(self.members[self.primary].socket())]);
    }

    /// Ends the primary by a signal and starts it again after a while.
    pub(crate) async fn restart(&mut self, name: &str, after: Duration) {
        self.end(self.primary, name).await;
        tokio::time::sleep(after).await;
        self.launch(self.primary).await;
    }

    /// Closes every connection on the way, as a pooler that is reloaded.
    pub(crate) fn cut(&self) {
        self.forwarder.cut();
    }

    /// Ends the connections of all nodes at the server.
    pub(crate) fn terminate_backends(&self) {
        self.sql(
            "postgres",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        );
    }

    /// Kills the process of one connection, upon which the server starts all others anew.
    pub(crate) fn kill_backend(&self) {
        let question = format!(
            "SELECT pid FROM pg_stat_activity WHERE datname = '{DATABASE}' \
             AND backend_type = 'client backend' LIMIT 1"
        );
        if let Ok(process) = self.sql("postgres", &question).parse() {
            signal("KILL", process);
        }
    }

    /// Waits until the primary answers, as after [`Self::kill_backend`].
    pub(crate) async fn wait(&self) {
        let begun = Instant::now();
        while self.try_sql(self.primary, "postgres", "SELECT 1").is_none() {
            assert!(begun.elapsed() < TIMEOUT, "PostgreSQL does not come back; see its log");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Ends the primary by a signal and makes the standby the primary. The old one is still to be
    /// made a standby, by [`Self::replace_standby`].
    pub(crate) async fn promote(&mut self, name: &str, after: Duration) {
        // What a server that was started again shows, the standby must hold before it may lead.
        self.wait_for_standby().await;
        self.forwarder.lead_to(Vec::new());
        self.end(self.primary, name).await;
        self.forwarder.cut();
        tokio::time::sleep(after).await;
        self.primary = 1 - self.primary;
        self.sql("postgres", "SELECT pg_promote(true, 60)");
        // It is alone: no commit may wait for another.
        self.set("synchronous_standby_names", "''");
        self.lead();
    }

    /// Makes the server that is no primary any more the standby.
    pub(crate) async fn replace_standby(&mut self) {
        self.add_standby().await;
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for member in &self.members {
            if let (Some(_), Some(postmaster)) = (&member.process, member.postmaster()) {
                signal("QUIT", postmaster);
            }
        }
        // A moment for its children; what is left is killed.
        std::thread::sleep(Duration::from_millis(300));
    }
}
