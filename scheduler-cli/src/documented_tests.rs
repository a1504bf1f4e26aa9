//! Every command line that README and `docs/` print is one that this command takes.

#[path = "../../tests/server/docs/pages.rs"]
mod pages;

use std::path::Path;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::commands::Arguments;

/// What stands for a placeholder such as `POST`: the text of any id.
const ID: &str = "01a20155-ce4c-7135-b3c6-7dc37825071c";

/// Programs that run another one, which their options end before.
const WRAPPERS: [&str; 4] = ["sudo", "exec", "env", "time"];

/// What stands before the command in a unit of systemd.
const UNIT_KEY: &str = "ExecStart";

/// The commands of some lines of a shell, each as its words; those within `$(…)` as well.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader { rest: text.chars().collect(), at: 0, found: Vec::new() };
    reader.read_until(None);
    reader.found
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    found: Vec<Vec<String>>,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.get(self.at).copied();
        self.at += 1;
        next
    }

    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    /// Reads up to a closing character, or to the end.
    fn read_until(&mut self, end: Option<char>) {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        while let Some(next) = self.next() {
            if Some(next) == end {
                break;
            }
            match next {
                '\\' if self.peek() == Some('\n') => {
                    self.at += 1;
                    words.extend(word.take());
                }
                '\\' => word.get_or_insert_default().extend(self.next()),
                '\'' => {
                    let word = word.get_or_insert_default();
                    while let Some(quoted) = self.next().filter(|quoted| *quoted != '\'') {
                        word.push(quoted);
                    }
                }
                '"' => {
                    let quoted = self.quoted();
                    word.get_or_insert_default().push_str(&quoted);
                }
                '$' if self.peek() == Some('(') => {
                    self.at += 1;
                    self.read_until(Some(')'));
                    word.get_or_insert_default().push('$');
                }
                '#' if word.is_none() => {
                    while self.peek().is_some_and(|next| next != '\n') {
                        self.at += 1;
                    }
                }
                '\n' | ';' | '|' | '&' | '>' | '<' => {
                    words.extend(word.take());
                    self.found.push(std::mem::take(&mut words));
                }
                next if next.is_whitespace() => words.extend(word.take()),
                next => word.get_or_insert_default().push(next),
            }
        }
        words.extend(word);
        self.found.push(words);
    }

    fn quoted(&mut self) -> String {
        let mut text = String::new();
        while let Some(next) = self.next().filter(|next| *next != '"') {
            match next {
                '\\' => text.extend(self.next()),
                '$' if self.peek() == Some('(') => {
                    self.at += 1;
                    self.read_until(Some(')'));
                    text.push('$');
                }
                next => text.push(next),
            }
        }
        text
    }
}

/// The arguments, when it is this command that runs.
fn arguments(words: &[String]) -> Option<Vec<String>> {
    let mut words = words.iter().map(String::as_str).peekable();
    while words.peek().is_some_and(|word| {
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            !name.is_empty() && name != UNIT_KEY && name.chars().all(is_part)
        });
        is_assignment || *word == "$"
    }) {
        words.next();
    }
    if words.peek().is_some_and(|word| WRAPPERS.contains(word)) {
        words.next();
        // `-u NAME` is the one option with a value that pages use.
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            if option == "-u" {
                words.next();
            }
        }
    }
    let program = words.next()?;
    if program == "cargo" {
        let rest: Vec<&str> = words.collect();
        let own = rest.strip_prefix(&["run", "--release", "--"])?;
        return Some(own.iter().map(|&word| word.to_owned()).collect());
    }
    let name = program.rsplit(['/', '=']).next();
    // `deploy/as-service` runs the command as the service runs it.
    matches!(name, Some("scheduler" | "as-service")).then(|| words.map(str::to_owned).collect())
}

/// Why the command would not take these arguments.
fn refused(arguments: &[String]) -> Option<String> {
    let parse = |arguments: &[String]| {
        let whole = std::iter::once("scheduler".to_owned()).chain(arguments.iter().cloned());
        match Arguments::try_parse_from(whole) {
            Ok(_) => None,
            Err(error)
                if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
            {
                None
            }
            Err(error) => Some(error.to_string()),
        }
    };
    let is_placeholder = |word: &String| {
        word.starts_with('$')
            || word.contains('…')
            || word.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == '-')
                && word.chars().any(|c| c.is_ascii_uppercase())
    };
    let with_ids: Vec<String> = arguments
        .iter()
        .map(|word| if is_placeholder(word) { ID.to_owned() } else { word.clone() })
        .collect();
    let error = parse(arguments)?;
    parse(&with_ids).map(|_| error)
}

#[test]
fn every_printed_command_is_taken() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages::pages(root) {
        for fence in page.fences() {
            let language = fence.tag.split(' ').next().unwrap_or_default();
            // Other languages hold words such as `scheduler` without running anything.
            if !["sh", "text", "console", "ini", "toml", "yaml"].contains(&language) {
                continue;
            }
            let lines = fence.text.replace("\\\n", " ");
            // Of other texts, such as output, a line is read by itself: its quotes may be open.
            let pieces: Vec<&str> =
                if language == "sh" { vec![&lines] } else { lines.lines().collect() };
            for words in pieces.into_iter().flat_map(commands) {
                let Some(arguments) = arguments(&words) else { continue };
                count += 1;
                if let Some(error) = refused(&arguments) {
                    let place = format!("{}:{}", page.path.display(), fence.line);
                    wrong.push(format!("{place} {}\n{error}", words.join(" ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 60, "only {count} commands were found");
}

#[test]
fn commands_are_found_as_a_shell_finds_them() {
    for (text, want) in [
        ("scheduler posts", Some("posts")),
        ("$ scheduler posts  # all of them", Some("posts")),
        ("A=b C='d e' scheduler post \"two words\" --now", Some("post|two words|--now")),
        ("sudo -u scheduler /usr/local/bin/scheduler migrate", Some("migrate")),
        ("cd x && scheduler \\\n  doctor", Some("doctor")),
        ("export KEY=$(scheduler keys list | head -1)", Some("keys|list")),
        ("echo \"$(scheduler posts 'a b')\"", Some("posts|a b")),
        ("sudo deploy/as-service keys list", Some("keys|list")),
        ("ExecStart=/usr/local/bin/scheduler serve", Some("serve")),
        ("cargo run --release -- demo --json > out", Some("demo|--json")),
        ("cargo test --workspace", None),
        ("systemctl restart scheduler", None),
        ("# scheduler posts", None),
        ("echo 'scheduler posts'", None),
    ] {
        let found: Vec<_> = commands(text).iter().filter_map(|words| arguments(words)).collect();
        let found: Vec<String> = found.iter().map(|arguments| arguments.join("|")).collect();
        assert_eq!(found.first().map(String::as_str), want, "{text}");
        assert!(found.len() <= 1, "{text}");
    }
}

#[test]
fn what_the_command_does_not_take_is_refused() {
    let refused = |line: &str| refused(&arguments(&commands(line)[0]).unwrap()).is_some();
    for (line, want) in [
        ("scheduler webhooks remove ID", false),
        ("scheduler webhooks remove nonsense", true),
        ("scheduler post text --to bluesky --soon", true),
        ("scheduler pots", true),
        ("scheduler --help", false),
    ] {
        assert_eq!(refused(line), want, "{line}");
    }
}
