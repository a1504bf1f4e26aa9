//! What the commands print, word for word: the help, tables, documents, errors and advice.
//!
//! `INSTA_UPDATE=always cargo test -p scheduler-cli --test command shown` writes the files in
//! `tests/snapshots` again, and their difference shows what now reads otherwise. Ids, instants,
//! ports and secrets are replaced, each by one of the same length.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::files::{picture, put};
use crate::running::{Ran, Serving};
use crate::tree::walk;

const UUID: &str = "00000000-0000-0000-0000-";
const INSTANT: &str = "dddd-dd-ddTdd:dd:dd";
/// The same for people, after the weekday; of the zone where it is not that of an account.
const TIME: &str = "dddd-dd-dd dd:dd";

#[test]
fn the_help_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    walk(folder.path(), &[], &mut |path, help, _| {
        let first = path.first().map_or("scheduler", String::as_str);
        let page = pages.entry(format!("help-{first}")).or_default();
        let _ = writeln!(page, "$ scheduler {}", [path, &["--help".into()]].concat().join(" "));
        let _ = writeln!(page, "{help}");
    });
    for (name, page) in pages {
        matches(&name, &page);
    }
}

#[test]
fn tables_documents_errors_and_advice() {
    let mut world = World::new();
    let post = world.id("scheduler post 'Out now: the harbour' --to bluesky,mastodon --now --wait");
    let later = "--at 2099-01-01T09:00:00Z";
    world.id(&format!("scheduler post 'New year' --to bluesky,telegram {later}"));
    let draft = world.id("scheduler post 'Not yet' --to tumblr --draft");

    for (name, lines) in [
        (
            "posts",
            vec![
                "posts".to_owned(),
                "posts --status canceled".to_owned(),
                format!("posts show {post}"),
                format!("posts show {draft} --json"),
                format!("posts edit {draft} --text 'Not yet, but soon'"),
                format!("posts cancel {draft}"),
                format!("posts cancel {draft}"),
                format!("posts retry {post}"),
                format!("posts edit-live {post} bluesky --text Other"),
                "posts list --status dnoe".to_owned(),
                "posts show 'New year'".to_owned(),
                "posts list --limit 501".to_owned(),
            ],
        ),
        (
            "post-refused",
            vec![
                format!("post {} --to bluesky --now", "x".repeat(400)),
                "post text --to blusky --now".to_owned(),
                "post text --to twiter --now".to_owned(),
                "post text --to bluesky:@sandbox-2.test --now".to_owned(),
                "post text --to bluesky".to_owned(),
                "post text --to bluesky --draft --wait".to_owned(),
                "post text --to bluesky --now --at 2099-01-01T00:00:00Z".to_owned(),
                "post text --to pinterest --now --option pinterest.boardid=1".to_owned(),
                "post text --to bluesky --now --api-key sk_wrong".to_owned(),
                "post text --to bluesky --now --url http://127.0.0.1:1".to_owned(),
                "psot text".to_owned(),
            ],
        ),
        (
            "check",
            vec![
                "check 'A harbour' --to bluesky,mastodon".to_owned(),
                format!("check {} --to bluesky,mastodon,instagram", "x".repeat(600)),
                "check 'A harbour' --to instagram --json".to_owned(),
            ],
        ),
        (
            "application",
            vec![
                "accounts list".to_owned(),
                "accounts disconnect blusky".to_owned(),
                "accounts set-timezone bluesky Berlin".to_owned(),
                "accounts connect blusky".to_owned(),
                "accounts connect discord".to_owned(),
                "schedule show bluesky".to_owned(),
                "schedule set bluesky 'mon-fri 09:00,13:00; sat 11:00'".to_owned(),
                "schedule set bluesky noon".to_owned(),
                "keys list".to_owned(),
                "keys create --name a --preset pubish".to_owned(),
                "keys create --name a --preset read --json".to_owned(),
                "keys revoke first".to_owned(),
                "workspace list".to_owned(),
                "workspace set-plan defalt pro".to_owned(),
                "workspace set-plan default por".to_owned(),
                "deliveries list".to_owned(),
                format!("approvals show {post}"),
                "approvals list".to_owned(),
                "migrate".to_owned(),
            ],
        ),
        (
            "after-publishing",
            vec![
                format!("metrics {post}"),
                format!("insights {post} mastodon"),
                format!("comments {post} mastodon"),
                format!("comments {post} tumblr"),
                format!("reply {post} mastodon 1 Thanks"),
                "captions text --to bluesky".to_owned(),
                "channels list".to_owned(),
                "channels boards pinterest".to_owned(),
                "channels boards mastodon".to_owned(),
                "channels creator tiktok".to_owned(),
            ],
        ),
        (
            "networks-files-and-webhooks",
            vec![
                "platforms".to_owned(),
                "platforms bluesky".to_owned(),
                "platforms mastodont".to_owned(),
                "media list".to_owned(),
                "media show 01993b5c-2b7e-7000-8000-000000000001".to_owned(),
                "media upload missing.png".to_owned(),
                "webhooks list".to_owned(),
                "webhooks add nowhere".to_owned(),
                "webhooks add http://127.0.0.1:9/ --events post.publishd".to_owned(),
                "webhooks remove 01993b5c-2b7e-7000-8000-000000000001".to_owned(),
                "completions bsh".to_owned(),
            ],
        ),
    ] {
        world.show(name, &lines);
    }
}

#[test]
fn a_rich_post_what_is_to_come_and_the_queue() {
    let mut world = World::new();
    let rich = world.rich_post();
    world.show("rich-post", &[format!("posts show {rich}"), format!("posts show {rich} --json")]);

    // How far away it is has the same length for all of them, which is that of the column.
    let later = "--at 2099-01-01T09:00:00Z";
    world.id(&format!("scheduler post 'New year' --to bluesky,telegram --label Winter {later}"));
    world.id(&format!("scheduler post 'Cakes, again' --to mastodon {later} --note 'For Ana'"));
    let upcoming = ["", " --network telegram --json", " --label winter", " --label summer"];
    world.show("upcoming", &upcoming.map(|options| format!("upcoming{options}")));

    world.run("scheduler schedule set bluesky 'mon 08:00; thu 12:30'");
    let [first, second] = ["A cake", "Two cakes"]
        .map(|text| world.id(&format!("scheduler post '{text}' --to bluesky --queue")));
    let lines = [
        "queue list bluesky --taken".to_owned(),
        "queue list mastodon --taken".to_owned(),
        "queue list blusky".to_owned(),
        format!("queue reorder {second} {first}"),
        "queue list bluesky --taken".to_owned(),
        format!("queue swap {second} {first}"),
        format!("queue move {first} noon"),
        format!("queue move {rich} '2026-12-05 11:00'"),
    ];
    world.show("queue", &lines);
}

/// A server, and what was printed since the last snapshot.
struct World {
    server: Serving,
    shown: String,
    /// Ids in the order in which they were seen.
    known: Vec<String>,
}

impl World {
    fn new() -> Self {
        Self { server: Serving::start(), shown: String::new(), known: Vec::new() }
    }

    /// Gives these lines, and holds what they print against a snapshot.
    fn show(&mut self, name: &str, lines: &[String]) {
        self.shown.clear();
        for line in lines {
            self.run(&format!("scheduler {line}"));
        }
        let shown = self.redacted();
        matches(name, &shown);
    }

    fn run(&mut self, line: &str) -> Ran {
        let words = words(line);
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let ran = self.server.run(&words);
        let line = line.replace(&"x".repeat(100), "xx…");
        let _ = writeln!(self.shown, "$ {line}");
        for (stream, text) in [("", &ran.stdout), ("! ", &ran.stderr)] {
            for line in text.lines() {
                let _ = writeln!(self.shown, "{}", format!("{stream}{line}").trim_end());
            }
        }
        let _ = writeln!(self.shown, "= {}\n", ran.code.unwrap());
        ran
    }

    /// A post with a thread and a file, of which one target is live, one has failed, and figures
    /// were read.
    fn rich_post(&mut self) -> String {
        put(self.server.folder.path(), "cake.png", &picture());
        let fault = "sandbox fault permanent --network mastodon --operation publish --times 1";
        assert_eq!(self.run(&format!("scheduler {fault}")).code, Some(0));
        let ran = self.run(
            "scheduler post 'Fresh from the oven' --to bluesky,mastodon --now --wait --json \
             --media cake.png --alt 'A cake' --thread 'Come early' --for mastodon 'Bread!' \
             --label Food --note 'For Ana' --metadata campaign=spring",
        );
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let id = ran.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(self.run(&format!("scheduler metrics {id} --live")).code, Some(0));
        id
    }

    /// The id of what a command makes.
    fn id(&mut self, line: &str) -> String {
        let ran = self.run(&format!("{line} --json"));
        ran.json()["id"].as_str().unwrap().to_owned()
    }

    fn redacted(&mut self) -> String {
        let text = std::mem::take(&mut self.shown);
        let mut shown = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(sign) = rest.chars().next() {
            let (length, other) = self.other(rest, &shown);
            match other {
                Some(other) => shown.push_str(&other),
                None => shown.push(sign),
            }
            rest = &rest[if length > 0 { length } else { sign.len_utf8() }..];
        }
        shown
    }

    /// What is shown instead of the beginning of a text, and how long that beginning is.
    fn other(&mut self, text: &str, before: &str) -> (usize, Option<String>) {
        let run_of = |is: fn(char) -> bool| text.find(|sign| !is(sign)).unwrap_or(text.len());
        if fits(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
            let id = text[..36].to_owned();
            if id.starts_with("01993b5c-2b7e-7000-8000-") {
                return (36, Some(id));
            }
            let place = self.known.iter().position(|known| *known == id).unwrap_or_else(|| {
                self.known.push(id);
                self.known.len() - 1
            });
            return (36, Some(format!("{UUID}{:012}", place + 1)));
        }
        if fits(text, INSTANT) && !text.starts_with("2099") {
            let fraction = text[INSTANT.len()..].find('Z').filter(|end| *end <= 10).unwrap_or(0);
            return (INSTANT.len() + fraction, Some("0000-00-00T00:00:00".into()));
        }
        let is_weekday = text.get(..4).is_some_and(|day| {
            day.ends_with(' ') && day.trim_end().parse::<chrono::Weekday>().is_ok()
        });
        if is_weekday && fits(&text[4..], TIME) {
            let zone = if text[4 + TIME.len()..].starts_with(" UTC") { " UTC" } else { "" };
            let length = 4 + TIME.len() + zone.len();
            // How far it is from now.
            let distance = text[length..].strip_prefix(", ").map_or(0, |rest| {
                rest.find([';', '\n'])
                    .unwrap_or(rest.len())
                    .min(rest.find("  ").unwrap_or(rest.len()))
            });
            let shown = if distance > 0 { ", …" } else { "" };
            let distance = if distance > 0 { distance + 2 } else { 0 };
            return (length + distance, Some(format!("Day 0000-00-00 00:00{zone}{shown}")));
        }
        let digits = run_of(|sign| sign.is_ascii_digit());
        if before.ends_with("127.0.0.1:") && digits > 3 {
            return (digits, Some("0".repeat(digits)));
        }
        if digits > 14 {
            return (digits, Some("0".repeat(digits)));
        }
        let hexadecimal = run_of(|sign| sign.is_ascii_hexdigit());
        if before.ends_with("--key ") && hexadecimal == 32 {
            return (hexadecimal, Some("x".repeat(hexadecimal)));
        }
        let name = run_of(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        if before.ends_with("sk_") && name >= 5 {
            return (name, Some("x".repeat(name)));
        }
        let letters = run_of(|sign| sign.is_ascii_alphanumeric());
        let is_key = before.ends_with("/app.bsky.feed.post/") || before.ends_with("/post/");
        if is_key && letters == 13 {
            return (letters, Some("x".repeat(letters)));
        }
        if before.ends_with("did:plc:") && letters == 24 {
            return (letters, Some("x".repeat(letters)));
        }
        (0, None)
    }
}

/// True when a text begins with such signs: `x` is a hexadecimal digit, `d` a decimal one.
fn fits(text: &str, shape: &str) -> bool {
    let mut signs = text.chars();
    shape.chars().all(|want| {
        signs.next().is_some_and(|sign| match want {
            'x' => sign.is_ascii_hexdigit(),
            'd' => sign.is_ascii_digit(),
            want => sign == want,
        })
    })
}

/// The words of a line, with what stands in single quotes as one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn matches(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown));
}
