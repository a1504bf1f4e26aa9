//! Ten thousand posts from a file: every fault told before anything is made, and a run that is
//! killed in the middle gone on with.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use crate::support::{Api, Networks, Service, Setup};

const LINES: usize = 10_000;

/// How long checking all lines may take.
const LONGEST: Duration = Duration::from_secs(900);

/// The first line of the table that is a post.
const FIRST: usize = 2;

const HEADER: &str =
    "content,link,media,alt,to,at,local,queue,draft,option.mastodon.visibility,key";

/// When the post of a line goes out: one each ten minutes, so that no month has more than the plan
/// takes.
fn due(line: usize) -> DateTime<Utc> {
    let start: DateTime<Utc> = "2031-01-01T00:00:00Z".parse().unwrap();
    start + TimeDelta::minutes(10 * i64::try_from(line).unwrap())
}

/// A line without a fault.
fn good(line: usize) -> String {
    let (at, to) = (
        due(line).format("%Y-%m-%dT%H:%M:%SZ"),
        ["bluesky", "\"bluesky,mastodon\"", "telegram"][line % 3],
    );
    // Every eighth text is that of others too: equal lines at other times.
    let text = if line.is_multiple_of(8) {
        "again and again".to_owned()
    } else {
        format!("post of line {line}")
    };
    format!("{text},,,,{to},{at},,,,,")
}

/// Every class of fault: what stands in the line, the field that is named, and what is said of it.
fn faults() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let at = "2031-06-01T09:00:00Z";
    let long = "a".repeat(301);
    let texts = vec![
        // the form
        ("only,three,cells".to_owned(), "line", "3 cells"),
        (format!("text,,,,bluesky,{at},,,,,,one,more"), "line", "13 cells"),
        (format!("no text says 0x0,{}", "\0,,,bluesky,2031-06-01T09:00:00Z,,,,,"), "link", ""),
        (format!("text,,,,bluesky,{at},,,,,short"), "key", "8 to 200"),
        (format!("first of two,,,,bluesky,{at},,,,,twice-the-same"), "", ""),
        (format!("second of two,,,,bluesky,{at},,,,,twice-the-same"), "key", "has this key too"),
        // where it goes
        (format!("text,,,,blusky,{at},,,,,"), "to", "blusky"),
        (format!("text,,,,,{at},,,,,"), "to", "empty"),
        (format!("text,,,,bluesky:@,{at},,,,,"), "to", "name the account"),
        (
            format!("text,,,,mastodon:@nobody,{at},,,,,"),
            "to",
            "no mastodon account is called @nobody",
        ),
        (format!("text,,,,\"bluesky,bluesky\",{at},,,,,"), "to", ""),
        (format!("text,,,,bluesky,{at},,,,public,"), "option.mastodon", "does not go to mastodon"),
        (format!("text,,,,mastodon,{at},,,,secretly,"), "option.mastodon.visibility", ""),
        // when
        ("text,,,,bluesky,,,,,,".to_owned(), "at", "does not say when"),
        (format!("text,,,,bluesky,{at},,true,,,"), "queue", "at and queue exclude each other"),
        (format!("text,,,,bluesky,{at},2031-06-01T09:00,,,,"), "local", "exclude each other"),
        ("text,,,,bluesky,12/1/2031 9:00,,,,,".to_owned(), "at", "not an instant"),
        ("text,,,,bluesky,01.12.2031 09:00,,,,,".to_owned(), "at", "not an instant"),
        ("text,,,,bluesky,46357.375,,,,,".to_owned(), "at", "not an instant"),
        ("text,,,,bluesky,2031-12-01 09:00,,,,,".to_owned(), "at", "not an instant"),
        ("text,,,,bluesky,2031-02-30T09:00:00Z,,,,,".to_owned(), "at", "not an instant"),
        ("text,,,,bluesky,tomorrow,,,,,".to_owned(), "at", "not an instant"),
        ("text,,,,bluesky,2021-06-01T09:00:00Z,,,,,".to_owned(), "at", "has passed"),
        ("text,,,,bluesky,,2031-06-01T09:00:00Z,,,,".to_owned(), "local", "not a wall-clock time"),
        ("text,,,,bluesky,,2021-06-01T09:00,,,,".to_owned(), "local", "has passed"),
        ("text,,,,bluesky,,,perhaps,,,".to_owned(), "queue", "neither true nor false"),
        // what it says
        (format!("{long},,,,bluesky,{at},,,,,"), "content", "301"),
        (format!(",,,,bluesky,{at},,,,,"), "content", ""),
        (format!("text,no link,,,bluesky,{at},,,,,"), "link", ""),
        // its files
        (format!("text,,missing.png,,bluesky,{at},,,,,"), "media", "missing.png"),
        (format!("text,,notes.txt,,bluesky,{at},,,,,"), "media", "notes.txt"),
        (format!("text,,http://a.example/a.png,,bluesky,{at},,,,,"), "media", "https"),
        (format!("text,,https://a.example/a,,bluesky,{at},,,,,"), "media", "picture or a video"),
        (format!("text,,01993b5c-2b7e-7000-8000-000000000001,,bluesky,{at},,,,,"), "media", ""),
        (format!("text,,,,instagram,{at},,,,,"), "media", ""),
        (format!("text,,,,pinterest,{at},,,,,"), "", ""),
    ];
    let mut faults: Vec<(Vec<u8>, &str, &str)> =
        texts.into_iter().map(|(line, field, said)| (line.into_bytes(), field, said)).collect();
    faults.push((format!("caf\u{e9},,,,bluesky,{at},,,,,").into_bytes(), "content", ""));
    if let Some((line, _, said)) = faults.last_mut() {
        // As Windows-1252 writes it.
        *line = line
            .iter()
            .copied()
            .filter(|byte| *byte != 0xc3)
            .map(|byte| if byte == 0xa9 { 0xe9 } else { byte })
            .collect();
        *said = "not UTF-8";
    }
    // Nothing ends a cell that is never closed, so it is the last.
    faults.push((
        format!("\"never closed,,,,bluesky,{at},,,,,").into_bytes(),
        "line",
        "never closed",
    ));
    faults
}

/// A table whose line `n` is `of(n)`.
fn write(path: &Path, of: impl Fn(usize) -> Vec<u8>) {
    let mut table = HEADER.as_bytes().to_vec();
    for line in FIRST..FIRST + LINES {
        table.push(b'\n');
        table.extend(of(line));
    }
    std::fs::write(path, table).unwrap();
}

struct Importing<'a> {
    setup: &'a Setup,
    service: &'a Service,
    file: &'a Path,
}

impl Importing<'_> {
    fn begin(&self, options: &[&str]) -> crate::support::Running {
        let (key, state) = (self.service.first_key.clone().unwrap(), self.setup.data.join("state"));
        let mut arguments = vec![
            "import",
            self.file.to_str().unwrap(),
            "--json",
            "--url",
            &self.service.url,
            "--api-key",
            &key,
            "--state",
            state.to_str().unwrap(),
        ];
        arguments.extend(options);
        self.setup.begin(&arguments)
    }

    /// Imports, and returns the exit code and the document.
    fn run(&self, options: &[&str]) -> (Option<i32>, Value) {
        let mut running = self.begin(options);
        let document = serde_json::from_str(&running.line()).unwrap();
        (running.ended(), document)
    }
}

/// Every post of the server.
async fn posts(api: &Api) -> Vec<Value> {
    let (mut posts, mut path) = (Vec::new(), "/posts?limit=500".to_owned());
    loop {
        let page = api.get(&path).await;
        posts.extend(page["data"].as_array().unwrap().iter().cloned());
        match page["nextCursor"].as_str() {
            Some(cursor) => path = format!("/posts?limit=500&before={cursor}"),
            None => return posts,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_lines_with_faults_and_a_crash() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let api = service.api();
    let file = folder.path().join("posts.csv");
    std::fs::write(folder.path().join("notes.txt"), "no picture").unwrap();
    let importing = Importing { setup: &setup, service: &service, file: &file };

    // Faults all over the file; the one that swallows what follows is the last line.
    let faults = faults();
    let last = faults.len() - 1;
    let line_of = |index: usize| if index == last { FIRST + LINES - 1 } else { 100 + 250 * index };
    let at_line: BTreeMap<usize, usize> =
        (0..faults.len()).map(|index| (line_of(index), index)).collect();
    write(&file, |line| match at_line.get(&line) {
        Some(index) => faults[*index].0.clone(),
        None => good(line).into_bytes(),
    });
    let (code, document) = importing.run(&[]);
    let found: BTreeMap<u64, Vec<&Value>> = document["faults"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|fault| fault["severity"] == "error")
        .fold(BTreeMap::new(), |mut found, fault| {
            found.entry(fault["line"].as_u64().unwrap()).or_insert_with(Vec::new).push(fault);
            found
        });
    // A key that two lines have is told of at the second.
    let first_of_two =
        faults.iter().position(|(line, _, _)| line.starts_with(b"first of two")).unwrap();
    let want: BTreeSet<u64> = at_line
        .iter()
        .filter(|(_, index)| **index != first_of_two)
        .map(|(line, _)| *line as u64)
        .collect();
    assert_eq!(want.len(), 37);
    assert_eq!(found.keys().copied().collect::<BTreeSet<_>>(), want, "every fault, by its line");
    for (line, index) in &at_line {
        let Some(told) = found.get(&(*line as u64)) else { continue };
        let (_, field, said) = &faults[*index];
        let fits = told.iter().any(|fault| {
            (field.is_empty() || fault["field"] == *field)
                && fault["message"].as_str().unwrap().contains(said)
        });
        assert!(fits, "line {line} ({field}: {said}): {told:?}");
    }
    assert_eq!((code, document["faultyLines"].as_u64()), (Some(1), Some(37)));
    assert_eq!(document["created"], 0);
    assert_eq!(posts(&api).await.len(), 0, "nothing was made");

    // Mended, and killed in the middle.
    write(&file, |line| good(line).into_bytes());
    let running = importing.begin(&[]);
    // Every line is checked before the first is made, which takes its time on a busy machine.
    let begun = std::time::Instant::now();
    loop {
        let page = api.get("/posts?limit=500").await;
        if page["data"].as_array().unwrap().len() == 500 {
            break;
        }
        assert!(begun.elapsed() < LONGEST, "the first posts are never made");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(running);
    let made = posts(&api).await.len();
    assert!(made < LINES, "it was killed in the middle");

    let (code, document) = importing.run(&[]);
    assert_eq!(code, Some(0), "{document}");
    let count = |name: &str| document[name].as_u64().unwrap();
    assert_eq!(count("alreadyImported") + count("created") + count("known"), LINES as u64);
    // Of the batch that was under way, the first run does not know what was made.
    assert!(count("created") >= (LINES - made - 500) as u64 && count("alreadyImported") > 0);
    let posts_now = posts(&api).await;
    assert_eq!(posts_now.len(), LINES, "nothing is missing, and nothing there twice");
    let mut left: BTreeMap<DateTime<Utc>, usize> =
        (FIRST..FIRST + LINES).map(|line| (due(line), line)).collect();
    for post in &posts_now {
        let at: DateTime<Utc> = post["scheduledAt"].as_str().unwrap().parse().unwrap();
        let line = left.remove(&at).expect("each line is there once, at its time");
        let text = good(line);
        assert!(text.starts_with(&format!("{},", post["content"].as_str().unwrap())), "{post}");
    }

    let (code, document) = importing.run(&[]);
    assert_eq!((code, document["alreadyImported"].as_u64()), (Some(0), Some(LINES as u64)));
    assert_eq!((&document["created"], &document["known"]), (&Value::from(0), &Value::from(0)));
}
