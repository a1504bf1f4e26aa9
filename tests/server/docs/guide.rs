//! Runs the commands of a page in order, as somebody who types them.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};

use tempfile::TempDir;

use super::pages::{Fence, Page};
use crate::support::{Watched, example, free_port, scheduler};

/// What stands for cargo: what it would build is built.
const CARGO: &str = r#"#!/bin/sh
case "$*" in
  "run --release -- "*) shift 3; exec scheduler "$@" ;;
  "install --path scheduler-cli --locked") test -f scheduler-cli/Cargo.toml ;;
  "run --example verify_webhook -- "*) shift 4; exec verify_webhook "$@" ;;
  *) echo "no page prints this command: cargo $*" >&2; exit 2 ;;
esac
"#;

/// What of the clone the commands of pages name.
const OF_THE_CLONE: [&str; 5] =
    ["deploy", "docs", "examples", "scheduler-cli", "scheduler.example.toml"];

/// The ports that pages print; each run has others, so that runs do not meet.
const PORTS: [&str; 2] = ["8080", "9000"];

/// A folder, and the terminals in it.
pub(super) struct Guide {
    folder: TempDir,
    ports: [String; 2],
    first: Terminal,
    others: Vec<Terminal>,
    commands: usize,
}

/// A shell.
pub(super) struct Terminal {
    shell: Watched,
    input: ChildStdin,
}

impl Guide {
    /// Walks a page: its `sh run` blocks in one terminal, each `sh run terminal` in a new one.
    ///
    /// A page that starts no server itself finds one on sandbox networks running, with its key.
    pub(super) async fn walk(page: &Page) -> Self {
        let mut guide = Self::new();
        let fences = page.fences();
        let starts_server = |fence: &Fence| {
            fence.tag == "sh run terminal" && fence.text.contains("scheduler serve")
        };
        if !fences.iter().any(starts_server) {
            guide.serve().await;
        }
        for fence in &fences {
            let place = format!("{}:{}", page.path.display(), fence.line);
            match fence.tag.as_str() {
                "sh run" => guide.run(&place, &fence.text).await,
                "sh run terminal" => guide.open(&place, &fence.text).await,
                _ => {}
            }
        }
        guide
    }

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in ["bin", "home", "clone"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        symlink(scheduler(), folder.path().join("bin/scheduler")).unwrap();
        symlink(example("verify_webhook"), folder.path().join("bin/verify_webhook")).unwrap();
        let cargo = folder.path().join("bin/cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        for name in OF_THE_CLONE.iter().filter(|name| root.join(name).exists()) {
            symlink(root.join(name), folder.path().join("clone").join(name)).unwrap();
        }
        let ports = PORTS.map(|_| free_port().to_string());
        let first = Terminal::open(folder.path(), &ports);
        Self { folder, ports, first, others: Vec::new(), commands: 0 }
    }

    /// The folder in which commands run.
    pub(super) fn clone(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    /// How many blocks were run.
    pub(super) const fn commands(&self) -> usize {
        self.commands
    }

    /// Every line of the first terminal.
    pub(super) fn printed(&self) -> Vec<String> {
        self.first.shell.lines()
    }

    /// Waits for a line of the terminal that was opened last.
    pub(super) async fn line(&mut self, what: &str, is_it: impl Fn(&str) -> bool) -> String {
        self.others.last_mut().expect("one was opened").shell.line(what, is_it).await
    }

    async fn serve(&mut self) {
        self.open("a server", "SCHEDULER_WEBHOOKS_ALLOW_PRIVATE=true scheduler serve --sandbox\n")
            .await;
        self.run("the key", "export SCHEDULER_API_KEY=$(cat data/first-key)\n").await;
        self.commands = 0;
    }

    async fn run(&mut self, place: &str, commands: &str) {
        let commands = self.with_ports(commands);
        let before = self.printed().len();
        let end = format!("-- {place} has ended");
        // Not every output ends with a line's end.
        let commands = format!("{commands}\nprintf '\\n%s\\n' '{end}'\n");
        self.first.type_in(self.folder.path(), &commands);
        self.first.shell.line(place, |line| line == end).await;
        for line in &self.printed()[before..] {
            // curl takes any answer for a good one.
            assert!(!line.contains("\"error\":{"), "{place}: {line}");
        }
        self.commands += 1;
    }

    async fn open(&mut self, place: &str, commands: &str) {
        let commands = self.with_ports(commands);
        let mut terminal = Terminal::open(self.folder.path(), &self.ports);
        terminal.type_in(self.folder.path(), &commands);
        let listens =
            |line: &str| line.starts_with("Listening on ") || line.starts_with("Receiving on ");
        terminal.shell.line(place, listens).await;
        self.others.push(terminal);
        self.commands += 1;
    }

    fn with_ports(&self, commands: &str) -> String {
        // With a key, commands go to 127.0.0.1:8080 unless another address is set.
        let key = "export SCHEDULER_API_KEY=";
        let address = format!("export SCHEDULER_URL=http://127.0.0.1:{}\n{key}", self.ports[0]);
        let commands = commands.replace(key, &address);
        PORTS.iter().zip(&self.ports).fold(commands, |text, (printed, own)| {
            text.replace(&format!(":{printed}"), &format!(":{own}"))
                .replace(&format!(" {printed}"), &format!(" {own}"))
        })
    }
}

impl Terminal {
    fn open(folder: &Path, ports: &[String; 2]) -> Self {
        let path = std::env::var("PATH").unwrap_or_default();
        let address = format!("127.0.0.1:{}", ports[0]);
        let mut command = Command::new("bash");
        // What is set on this machine must not reach the commands.
        for (name, _) in std::env::vars() {
            let is_proxy = name.to_ascii_lowercase().ends_with("_proxy");
            if is_proxy || ["SCHEDULER_", "AWS_", "XDG_"].iter().any(|own| name.starts_with(own)) {
                command.env_remove(name);
            }
        }
        command
            .args(["--noprofile", "--norc", "-euo", "pipefail"])
            .current_dir(folder.join("clone"))
            .env("PATH", format!("{}:{path}", folder.join("bin").display()))
            .env("HOME", folder.join("home"))
            // What is 127.0.0.1:8080 unless it is set.
            .env("SCHEDULER_LISTEN", &address)
            .stdin(Stdio::piped());
        let mut shell = Watched::start(&mut command);
        let input = shell.child.stdin.take().expect("a pipe");
        Self { shell, input }
    }

    /// Has the shell read commands from a file: they must not read what is typed next.
    fn type_in(&mut self, folder: &Path, commands: &str) {
        let number = fs::read_dir(folder).unwrap().count();
        let file = folder.join(format!("typed-{number}.sh"));
        fs::write(&file, commands).unwrap();
        writeln!(self.input, "source {} </dev/null", file.display()).expect("the shell listens");
    }
}
