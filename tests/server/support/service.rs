//! The server as a process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;
use sqlx::{Connection as _, SqliteConnection};

use super::api::Api;
use super::binary::scheduler;

/// How a server is started.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The folder of its data.
    pub(crate) data: PathBuf,
    /// Its database, when it is not the folder's own.
    pub(crate) database: Option<String>,
    /// The sandbox that its adapters talk to; one of its own when this is empty.
    pub(crate) sandbox: String,
}

/// A running server; killed when it is dropped.
pub(crate) struct Service {
    child: Child,
    setup: Setup,
    pub(crate) url: String,
    /// The sandbox that it runs on.
    pub(crate) sandbox: String,
    /// The key that the first start has made.
    pub(crate) first_key: Option<String>,
}

/// A command that runs; killed when it is dropped.
pub(crate) struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Waits for the next line that it prints.
    pub(crate) fn line(&mut self) -> String {
        self.lines.next().expect("it prints a line").expect("text")
    }

    /// Waits for its end, and returns its exit code.
    pub(crate) fn ended(mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Settings of every server of the tests: failures are retried within seconds, nothing is limited.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("SCHEDULER_LISTEN", "127.0.0.1:0"),
    ("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "true"),
    ("SCHEDULER_PUBLISH_RETRY_SECONDS", "1,1,1,1,1"),
    ("SCHEDULER_DELIVERY_RETRY_SECONDS", "1,1,1,1,1"),
    ("SCHEDULER_RATE_LIMIT_PER_MINUTE", "1000000"),
    ("SCHEDULER_RATE_LIMIT_BURST", "100000"),
    ("SCHEDULER_BATCHES_PER_MINUTE", "100000"),
];

impl Setup {
    /// On the database of a folder, with adapters that talk to this sandbox; on a sandbox of its
    /// own when that is empty.
    pub(crate) fn new(data: impl Into<PathBuf>, sandbox: &str) -> Self {
        Self { data: data.into(), database: None, sandbox: sandbox.to_owned() }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(scheduler());
        command.envs(ENVIRONMENT).env("SCHEDULER_DATA", &self.data);
        if !self.sandbox.is_empty() {
            command.env("SCHEDULER_SANDBOX_URL", &self.sandbox);
        }
        command.env("SCHEDULER_LOG", "warn");
        // What a run of the tests asks of the machine is no setting of a server.
        let of_tests = |name: &OsString| name.to_string_lossy().starts_with("SCHEDULER_REQUIRE_");
        for (name, _) in std::env::vars_os().filter(|(name, _)| of_tests(name)) {
            command.env_remove(name);
        }
        if let Some(database) = &self.database {
            command.env("SCHEDULER_DATABASE", database);
        }
        // A configuration of the machine must not reach the tests.
        command.current_dir(&self.data).stdin(Stdio::null());
        command
    }

    /// Runs another command of the binary to its end, and expects it to do well.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(&[], arguments)
    }

    /// The same with further settings, as variables.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let output = self.ended(variables, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        output
    }

    fn ended(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = self.command();
        let output = command.envs(variables.iter().copied()).args(arguments).output();
        output.expect("the command starts")
    }

    /// Runs a command that is to fail.
    fn failed(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let output = self.ended(variables, arguments);
        assert!(!output.status.success(), "{arguments:?} succeeded");
        output
    }

    /// What another command of the binary prints with `--json`.
    pub(crate) fn json(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Value {
        let output = self.run_with(variables, &[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }

    /// Its SQLite database, for what no command does.
    pub(crate) async fn connect(&self) -> SqliteConnection {
        let file = self.data.join("scheduler.db");
        SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.expect("it is there")
    }

    /// Has every feed be polled at once when that is asked for, as if it had rested.
    pub(crate) async fn end_rest_of_feeds(&self) {
        let rested = sqlx::query("UPDATE feeds SET rests_until = NULL");
        rested.execute(&mut self.connect().await).await.expect("the table is there");
    }

    /// Starts another command of the binary, whose standard output is read line by line.
    pub(crate) fn begin(&self, arguments: &[&str]) -> Running {
        let mut child = self
            .command()
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Running { child, lines }
    }

    /// Runs a command that is to be refused, and returns the error of its document.
    pub(crate) fn refusal(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Value {
        let output = self.failed(variables, &[arguments, &["--json"]].concat());
        let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
        document["error"].clone()
    }

    /// Runs a command that is to fail, and returns what it says on its standard error.
    pub(crate) fn refused(&self, variables: &[(&str, &str)], arguments: &[&str]) -> String {
        let output = self.failed(variables, arguments);
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Starts `serve --sandbox` and waits until it takes requests.
    pub(crate) fn serve(&self) -> Service {
        self.serve_with(&[])
    }

    /// The same with further settings, as variables.
    pub(crate) fn serve_with(&self, variables: &[(&str, &str)]) -> Service {
        self.serve_logging(variables, Stdio::inherit())
    }

    /// The same with its log elsewhere.
    pub(crate) fn serve_logging(&self, variables: &[(&str, &str)], log: Stdio) -> Service {
        self.started(self.command().envs(variables.iter().copied()), log)
    }

    /// The same with a limit on the files that it has open.
    pub(crate) fn serve_within(&self, limit: Option<Limit>) -> Service {
        let own = self.command();
        let limit = match limit {
            None => "ulimit -S -n hard".to_owned(),
            Some(Limit::Soft(count)) => format!("ulimit -S -n {count}"),
            Some(Limit::Hard(count)) => format!("ulimit -n {count}"),
        };
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("{limit} && exec \"$0\" \"$@\"")]).arg(own.get_program());
        shell.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.current_dir(&self.data).stdin(Stdio::null());
        self.started(&mut shell, Stdio::inherit())
    }

    fn started(&self, command: &mut Command, log: Stdio) -> Service {
        let mut child = command
            .args(["serve", "--sandbox"])
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (mut first_key, mut sandbox) = (None, String::new());
        let url = loop {
            let line = lines.next().expect("the server says where it listens").expect("text");
            if let Some(file) = told(&line, "API key in ", "apiKeyFile") {
                let key = std::fs::read_to_string(file).expect("the file that is named");
                first_key = Some(key.trim_end().to_owned());
            }
            if let Some(url) = told(&line, "Sandbox on ", "sandbox") {
                sandbox = url;
            }
            if let Some(url) = told(&line, "Listening on ", "listening") {
                break url;
            }
        };
        // Whatever it prints later must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Service { child, setup: self.clone(), url, sandbox, first_key }
    }
}

/// What a server tells in a line for people, or in a field of a JSON document.
fn told(line: &str, beginning: &str, field: &str) -> Option<String> {
    let of_document = || {
        let document: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(document.get(field)?.as_str()?.to_owned())
    };
    line.strip_prefix(beginning).map(str::to_owned).or_else(of_document)
}

/// How many files a server may have open.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// So many, unless it raises the limit.
    Soft(u32),
    /// So many, whatever it does.
    Hard(u32),
}

impl Service {
    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The API under the key of the first start.
    pub(crate) fn api(&self) -> Api {
        Api::new(&self.url, self.first_key.as_deref().expect("this was the first start"))
    }

    /// Kills the process as a power cut would.
    pub(crate) fn kill(mut self) -> Setup {
        self.child.kill().expect("the server was running");
        self.child.wait().expect("it ends");
        self.setup.clone()
    }

    /// Asks it to stop, as an operator does, and returns its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-TERM", &id]).status().expect("kill is there");
        assert!(status.success());
        self.child.wait().expect("it ends").code()
    }

    pub(crate) fn data(&self) -> &Path {
        &self.setup.data
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Fails only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
