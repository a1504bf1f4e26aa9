//! What a person sees on a terminal: tables that fit it, colours, and lines that change in place.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::running::{Serving, asked_with, scheduler};

/// Runs a command whose named streams are a terminal of so many columns, on which TYPED is typed, and
/// tells what came through it, and through what is none.
const PROGRAM: &str = r#"
import fcntl, json, os, struct, subprocess, sys, termios
columns, streams, command = int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:]
master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
pick = lambda name: slave if name in streams else subprocess.PIPE
child = subprocess.Popen(command, stdin=slave if "in" in streams else subprocess.DEVNULL,
                         stdout=pick("out"), stderr=pick("err"), start_new_session=True)
os.close(slave)
os.write(master, os.environ.get("TYPED", "").encode())
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
fn a_text_is_written_in_an_editor() {
    let server = Serving::start();
    let post = |editor: &str| {
        let mut command = server.command(&["post", "--editor", "--to", "bluesky", "--draft"]);
        command.env_remove("VISUAL").env("EDITOR", editor);
        command
    };
    let written = r#"sh -c 'printf "Fresh bread\nand rolls\n" > "$0"'"#;
    let Some(first) = seen(&post(written), 80, "in") else { return };
    assert_eq!(first.code, 0, "{first:?}");
    let mut by_visual = post("false");
    by_visual.env("VISUAL", r#"sh -c 'printf Rye > "$0.new"; mv "$0.new" "$0"'"#);
    let second = seen(&by_visual, 80, "in").unwrap();
    assert_eq!(second.code, 0, "VISUAL comes first, and a file may be replaced: {second:?}");
    for (name, editor, said) in [
        ("nothing saved", "true", "nothing was written and saved"),
        ("an empty text", r#"sh -c ': > "$0"'"#, "nothing was written and saved"),
        ("blanks alone", r#"sh -c 'echo " " > "$0"'"#, "nothing was written and saved"),
        ("given up", r#"sh -c 'echo No > "$0"; exit 1'"#, "sh has ended with an error"),
        ("no editor", "no-such-editor", "no-such-editor: "),
    ] {
        let refused = seen(&post(editor), 80, "in").unwrap();
        assert_eq!(refused.code, 2, "{name}: {refused:?}");
        assert!(refused.other.contains(said) && refused.other.contains("next: "), "{refused:?}");
    }
    let piped = seen(&post(written), 80, "out").unwrap();
    assert!(piped.code == 2 && piped.other.contains("--editor needs a terminal"), "{piped:?}");
    let posts = server.run(&["posts", "--json"]).json();
    let posts = posts["data"].as_array().unwrap();
    let texts: Vec<&str> = posts.iter().map(|post| post["content"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Rye", "Fresh bread\nand rolls"], "what was cancelled was not posted");
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

#[test]
#[cfg(unix)]
fn a_text_of_the_editor_outlives_a_post_that_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    let server = Serving::start();
    let folder = server.folder.path();
    let temporary = folder.join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    // Saved later than it was made, whatever the clock of the file system can tell apart.
    let editor = "printf '%s\\n' \"$WRITTEN\" > \"$1\"; touch -t 209901010000 \"$1\"\n";
    std::fs::write(folder.join("editor.sh"), editor).unwrap();
    let post = |text: &str, more: &[&str]| {
        let given = [&["post", "--editor", "--to", "bluesky"], more].concat();
        let mut command = server.command(&given);
        command.env("EDITOR", "sh editor.sh").env_remove("VISUAL");
        command.env("TMPDIR", &temporary).env("WRITTEN", text);
        command
    };
    let kept = || {
        let files = std::fs::read_dir(&temporary).unwrap().map(|file| file.unwrap().path());
        files.collect::<Vec<_>>()
    };

    let Some(good) = seen(&post("short", &["--draft"]), 200, "in,err") else { return };
    assert_eq!((good.code, kept()), (0, vec![]), "{good:?}");
    let timeless = seen(&post("short", &[]), 200, "in,err").unwrap();
    assert_eq!((timeless.code, kept()), (2, vec![]), "{timeless:?}");
    assert!(timeless.terminal.contains("say when the post goes out"), "{timeless:?}");

    let long = "x".repeat(600);
    let away = ["--now", "--url", "http://127.0.0.1:1"];
    for (name, more, code) in [("refused", &["--now"][..], 1), ("no answer", &away, 3)] {
        let lost = seen(&post(&long, more), 200, "in,err").unwrap();
        assert_eq!(lost.code, code, "{name}: {lost:?}");
        let files = kept();
        let [file] = &files[..] else { panic!("{name}: {files:?}: {lost:?}") };
        let said = format!("your text is kept in {}", file.display());
        assert!(plain(&lost.terminal).contains(&said), "{name}: {lost:?}");
        assert_eq!(std::fs::read_to_string(file).unwrap().trim_end(), long, "{name}");
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn who_asks_is_shown_before_they_are_let_in() {
    let server = Serving::start();
    let header = ("content-type", "application/json");
    let (status, login) = asked_with(
        server.told("Listening on ").unwrap(),
        "POST /app/v1/login",
        &[header],
        r#"{"client": "lap-7"}"#,
    );
    assert_eq!(status, "HTTP/1.1 201 Created", "{login}");
    let code = login["code"].as_str().unwrap();
    let confirm = |typed: &str| {
        let mut command = scheduler(server.folder.path(), &["sessions", "confirm", code]);
        command.env("TYPED", typed);
        seen(&command, 120, "in,err")
    };
    let Some(no) = confirm("n\n") else { return };
    let shown = plain(&no.terminal);
    assert!(shown.contains("who asks: lap-7 ("), "{no:?}");
    assert!(shown.contains("Let it in as editor? [y/N]"), "{no:?}");
    assert_eq!((no.code, no.other.as_str()), (1, ""), "{no:?}");
    let yes = confirm("y\n").unwrap();
    assert!(yes.code == 0 && yes.other.starts_with("lap-7 is in as editor"), "{yes:?}");
}

#[test]
fn a_panic_tells_what_it_would_take_back() {
    let server = Serving::start();
    let post = ["post", "Oh no", "--to", "bluesky", "--label", "oops", "--at", "2099-01-01 09:00"];
    let posted = server.run(&post);
    assert_eq!(posted.code, Some(0), "{posted:?}");
    let mut panic = server.command(&["panic", "--label", "oops"]);
    let Some(no) = seen(panic.env("TYPED", "n\n"), 300, "in,err") else { return };
    let shown = plain(&no.terminal);
    assert!(shown.contains("1 post (0 live, 1 with something to come)"), "{no:?}");
    assert!(no.code == 1 && shown.contains("nothing was done"), "{no:?}");
    let posts = server.run(&["posts", "--json"]).json();
    assert_eq!(posts["data"][0]["status"], "scheduled");
}
