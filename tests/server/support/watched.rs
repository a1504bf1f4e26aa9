//! A process whose lines are read as they come.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use super::wait_for;

/// A running process; it and what it has started are ended when it is dropped.
pub(crate) struct Watched {
    pub(crate) child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    /// Starts a command, and keeps every line of its standard output and its standard error.
    pub(crate) fn start(command: &mut Command) -> Self {
        // A group of its own, so that what it starts ends with it.
        command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let lines = Arc::new(Mutex::new(Vec::new()));
        keep(child.stdout.take().expect("a pipe"), &lines);
        keep(child.stderr.take().expect("a pipe"), &lines);
        Self { child, lines }
    }

    /// Every line so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    /// Waits for a line.
    pub(crate) async fn line(&mut self, what: &str, is_it: impl Fn(&str) -> bool) -> String {
        let child = &mut self.child;
        let lines = &self.lines;
        let found = wait_for(what, move || {
            let ended = child.try_wait().expect("it can be asked").is_some();
            let found = lines.lock().unwrap().iter().find(|line| is_it(line)).cloned();
            let found = found.map(Ok).or_else(|| ended.then_some(Err(())));
            async move { found }
        });
        let found = found.await;
        found.unwrap_or_else(|()| panic!("{what}: it has ended after {:#?}", self.lines()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        // Fails only when all of them have ended already.
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.child.wait();
    }
}

fn keep(stream: impl Read + Send + 'static, lines: &Arc<Mutex<Vec<String>>>) {
    let lines = Arc::clone(lines);
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            lines.lock().unwrap().push(line);
        }
    });
}

/// A port that is free now.
pub(crate) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}
