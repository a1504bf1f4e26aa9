//! What a person sees on a terminal: tables that fit it, colours, and lines that change in place.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::running::{Serving, scheduler};

/// Runs a command whose named streams are a terminal of so many columns, and tells what came
/// through it, and through what is none.
const PROGRAM: &str = r#"
import fcntl, json, os, struct, subprocess, sys, termios
columns, streams, command = int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:]
master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
pick = lambda name: slave if name in streams else subprocess.PIPE
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pick("out"),
                         stderr=pick("err"), start_new_session=True)
os.close(slave)
seen = b""
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:
        break
    if not piece:
        break
    seen += piece
out, err = child.communicate()
print(json.dumps({"code": child.returncode, "terminal": seen.decode(),
                  "other": ((out or b"") + (err or b"")).decode()}))
"#;

/// What came of a command on a terminal.
#[derive(Debug)]
struct Seen {
    code: i64,
    terminal: String,
    other: String,
}

/// `None` where no Python is installed to make a terminal.
fn seen(command: &Command, columns: usize, streams: &str) -> Option<Seen> {
    let mut python = Command::new("python3");
    python.args(["-c", PROGRAM, &columns.to_string(), streams]);
    python.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => python.env(name, value),
            None => python.env_remove(name),
        };
    }
    python.current_dir(command.get_current_dir()?);
    if !command.get_envs().any(|(name, _)| name == "TERM") {
        python.env("TERM", "xterm-256color");
    }
    let output = python.output().ok()?;
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let text = |name: &str| told[name].as_str().unwrap().replace("\r\n", "\n");
    Some(Seen {
        code: told["code"].as_i64().unwrap(),
        terminal: text("terminal"),
        other: text("other"),
    })
}

/// Without colours.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn tables_fit_the_terminal_and_nothing_is_cut_for_a_program() {
    let server = Serving::start();
    let text =
        "日本語 the harbour at night 😀 and a walk home that goes on and on until its very end";
    let post = server.run(&["post", text, "--to", "bluesky,mastodon", "--draft", "--json"]).json();
    let id = post["id"].as_str().unwrap();
    for (columns, is_table) in [(40, false), (80, false), (120, true)] {
        let Some(seen) = seen(&server.command(&["posts"]), columns, "out,err") else { return };
        let shown = plain(&seen.terminal);
        assert_eq!(seen.code, 0, "{seen:?}");
        assert!(shown.contains(id), "{columns}: ids stay whole: {shown}");
        assert_eq!(shown.starts_with("ID "), is_table, "{columns}: {shown}");
        assert!(shown.contains('…') && !shown.contains("very end"), "{columns}: {shown}");
        for line in shown.lines().filter(|line| !line.contains(id)) {
            assert!(line.width() <= columns, "{columns}: {line}");
        }
    }
    let piped = server.run(&["posts"]).stdout;
    assert!(piped.starts_with("ID ") && piped.contains(text), "{piped}");
}

#[test]
fn colours_are_for_terminals_and_for_whoever_asks() {
    let server = Serving::start();
    let none = "01993b5c-2b7e-7000-8000-000000000001";
    let list = || server.command(&["accounts", "list"]);
    let Some(both) = seen(&list(), 120, "out,err") else { return };
    assert!(both.terminal.contains("\u{1b}[38;5;10mconnected\u{1b}[39m\n"), "{both:?}");
    assert!(!server.run(&["accounts", "list"]).stdout.contains('\u{1b}'));

    let mut without = list();
    without.env("NO_COLOR", "1");
    let never = server.command(&["accounts", "list", "--color", "never"]);
    let mut dumb = list();
    dumb.env("TERM", "dumb");
    for command in [&without, &never, &dumb] {
        let seen = seen(command, 120, "out,err").unwrap();
        assert!(!seen.terminal.contains('\u{1b}'), "{command:?}: {seen:?}");
    }
    let always = server.run(&["accounts", "list", "--color", "always"]);
    assert!(always.stdout.contains('\u{1b}'), "{always:?}");

    // Each stream is judged for itself.
    let show = || server.command(&["posts", "show", none]);
    let one = seen(&show(), 120, "err").unwrap();
    assert!(one.terminal.contains("\u{1b}["), "{one:?}");
    assert_eq!(one.code, 1);
    let other = seen(&show(), 120, "out").unwrap();
    assert!(!other.other.contains('\u{1b}') && other.other.contains("error: "), "{other:?}");
    let out = seen(&list(), 120, "err").unwrap();
    assert!(!out.other.contains('\u{1b}') && out.other.contains("connected"), "{out:?}");
}

#[test]
fn a_post_is_followed_in_place() {
    let server = Serving::start();
    let post = ["post", "out", "--to", "bluesky,mastodon", "--now", "--wait"];
    let Some(followed) = seen(&server.command(&post), 120, "err") else { return };
    assert_eq!(followed.code, 0, "{followed:?}");
    let shown = plain(&followed.terminal);
    for network in ["bluesky:@sandbox-1.test", "mastodon:@sandbox_1"] {
        assert!(shown.contains(&format!("✓ {network}: published http")), "{followed:?}");
    }
    // Lines are drawn over, which a line for each change would not be.
    assert!(followed.terminal.contains("\u{1b}[2K"), "{followed:?}");
    assert!(followed.other.starts_with("post     "), "{followed:?}");

    let json = seen(&server.command(&[&post[..], &["--json"]].concat()), 120, "err").unwrap();
    assert!(!json.terminal.contains("\u{1b}[2K"), "nothing moves beside JSON: {json:?}");
    assert_eq!(serde_json::from_str::<Value>(&json.other).unwrap()["status"], "done");
}

#[test]
fn what_takes_long_says_what_is_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            // A server that takes its time: longer than the moment before the sign is shown.
            std::thread::sleep(Duration::from_millis(900));
            let body = r#"{"queued":0}"#;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", body.len());
            write!(stream, "{head}connection: close\r\n\r\n{body}").unwrap();
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let refresh = |more: &[&str]| {
        let of_server = ["metrics", "refresh", "--url", &url, "--api-key", "sk_x"];
        scheduler(folder.path(), &[&of_server[..], more].concat())
    };
    let Some(seen_by_person) = seen(&refresh(&[]), 80, "err") else { return };
    assert!(seen_by_person.terminal.contains("asking for new figures"), "{seen_by_person:?}");
    assert_eq!(seen_by_person.other, "nothing went out in the last fortnight\n");
    let json = seen(&refresh(&["--json"]), 80, "err").unwrap();
    assert_eq!((json.terminal.as_str(), json.other.as_str()), ("", "{\"queued\":0}\n"));
}

#[test]
fn the_first_key_is_shown_on_a_terminal_and_kept_nowhere() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let serve = scheduler(folder.path(), &["serve", "--listen", &address]);
    let Some(shown) = seen(&serve, 120, "out") else { return };
    assert!(plain(&shown.terminal).starts_with("API key: sk_"), "{shown:?}");
    assert!(!shown.other.contains("sk_"), "{shown:?}");
    assert!(!folder.path().join("data/first-key").exists());
}
