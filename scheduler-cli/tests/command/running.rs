//! Running the built command.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A picture of one point.
pub(crate) const PNG: [u8; 67] = [
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10, b'I', b'D', b'A', b'T',
    0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N',
    b'D', 0xae, 0x42, 0x60, 0x82,
];

/// The built command in an empty folder, with none of the caller's settings.
pub(crate) fn scheduler(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("scheduler"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SCHEDULER_") {
            command.env_remove(name);
        }
    }
    for name in ["CI", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.env("XDG_STATE_HOME", states(folder)).env("XDG_CONFIG_HOME", folder.join("config"));
    command.env("TZ", "UTC");
    command
}

/// Where commands of a folder keep their states.
pub(crate) fn states(folder: &Path) -> PathBuf {
    folder.join("states")
}

/// Runs a command to its end.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(&mut scheduler(folder, arguments))
}

/// What a command has left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        Self {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    /// The one document on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A running `serve --sandbox` in a folder of its own.
pub(crate) struct Serving {
    pub(crate) folder: TempDir,
    child: Child,
    pub(crate) lines: Vec<String>,
}

impl Serving {
    /// Starts a server, and waits until it takes requests.
    pub(crate) fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), &["--sandbox"])
    }

    pub(crate) fn start_in(folder: TempDir, options: &[&str]) -> Self {
        let mut command = scheduler(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
        command.args(options).env("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "true");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            lines.push(line.unwrap());
            if lines.last().is_some_and(|line| line.contains("istening")) {
                break;
            }
        }
        Self { folder, child, lines }
    }

    /// What a line says after its beginning.
    pub(crate) fn told(&self, beginning: &str) -> Option<&str> {
        self.lines.iter().find_map(|line| line.strip_prefix(beginning))
    }

    /// A command that talks to this server.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = scheduler(self.folder.path(), arguments);
        for (name, beginning) in
            [("SCHEDULER_URL", "Listening on "), ("SCHEDULER_SANDBOX_URL", "Sandbox on ")]
        {
            command.env(name, self.told(beginning).unwrap());
        }
        command.env("SCHEDULER_API_KEY", self.key());
        command
    }

    /// The key that the first start has made.
    pub(crate) fn key(&self) -> String {
        let text = std::fs::read_to_string(self.told("API key in ").unwrap()).unwrap();
        text.trim_end().to_owned()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.command(arguments))
    }

    /// The id of the server's process.
    pub(crate) fn child_id(&self) -> String {
        self.child.id().to_string()
    }

    /// Tells the server to stop, waits until it has, and hands back its folder.
    pub(crate) fn stop_in_place(mut self) -> TempDir {
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        assert_eq!(self.stop(), Some(0));
        folder
    }

    /// Tells the server to stop, and waits until it has.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(told.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It has ended already when the test has stopped it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a server at an address answers to a request such as `GET /path`: its first line and its
/// document.
pub(crate) fn asked_with(
    url: &str,
    request: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (String, Value) {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len().to_string();
    let all = [("host", address), ("connection", "close"), ("content-length", &length)];
    let headers = all.iter().chain(headers).map(|(name, value)| format!("{name}: {value}\r\n"));
    let headers: String = headers.collect();
    write!(stream, "{request} HTTP/1.1\r\n{headers}\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let document = serde_json::from_str(body).unwrap_or_default();
    (head.lines().next().unwrap().to_owned(), document)
}
