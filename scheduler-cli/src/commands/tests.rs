//! The commands as a tree: each has examples, every example is understood, and so is every line of
//! the command description.

use clap::{Command as Clap, CommandFactory as _, Parser as _};

use super::Arguments;

/// Every command that can be given, with its path.
fn leaves() -> Vec<(Vec<String>, Clap)> {
    fn walk(command: &Clap, path: &[String], found: &mut Vec<(Vec<String>, Clap)>) {
        let is_needed = command.is_subcommand_required_set();
        if !is_needed && !path.is_empty() {
            found.push((path.to_vec(), command.clone()));
        }
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            walk(below, &[path, &[below.get_name().to_owned()]].concat(), found);
        }
    }
    let mut root = Arguments::command();
    root.build();
    let mut found = Vec::new();
    walk(&root, &[], &mut found);
    found
}

/// The lines under `Examples:` of a command's help.
fn examples(command: &Clap) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut lines = help.lines();
    let is_heading = |line: &str| matches!(line.trim(), "Examples:" | "Example:");
    let _ = lines.by_ref().find(|line| is_heading(line));
    let lines = lines.take_while(|line| line.starts_with("  "));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The words of our command in a line, as a shell splits them: quotes are taken off, settings
/// before the command are left out, and a pipe or a redirection ends it. Another command may come
/// before it in a pipe.
fn words(line: &str) -> Vec<String> {
    let line = line
        .split_once("| scheduler ")
        .map_or_else(|| line.to_owned(), |(_, ours)| format!("scheduler {ours}"));
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match signs.next() {
                        Some('\\') if sign == '"' => word.extend(signs.next()),
                        Some(end) if end == sign => break,
                        Some(other) => word.push(other),
                        None => panic!("a quote is open: {line}"),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(signs.next()),
            '|' | '>' | '<' | ';' | '&' => break,
            '#' if word.is_none() => break,
            ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    let is_setting = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            name.chars().all(|sign| sign.is_ascii_uppercase() || sign == '_')
        })
    };
    words.into_iter().skip_while(is_setting).collect()
}

#[test]
fn lines_are_split_as_a_shell_does() {
    for (line, want) in [
        ("scheduler posts", &["scheduler", "posts"][..]),
        ("scheduler post \"a b\" --to x", &["scheduler", "post", "a b", "--to", "x"]),
        ("scheduler post 'a \"b\"' \"c\\\"d\"", &["scheduler", "post", "a \"b\"", "c\"d"]),
        ("scheduler post \"\"", &["scheduler", "post", ""]),
        ("scheduler posts --json | jq -r .id", &["scheduler", "posts", "--json"]),
        ("A_KEY=1 scheduler posts > a.json", &["scheduler", "posts"]),
        ("scheduler posts  # all", &["scheduler", "posts"]),
        ("make-posts | scheduler post --file -", &["scheduler", "post", "--file", "-"]),
        ("scheduler post a\\ b", &["scheduler", "post", "a b"]),
    ] {
        assert_eq!(words(line), want, "{line}");
    }
}

#[test]
fn every_command_has_examples_that_are_understood() {
    let leaves = leaves();
    assert!(leaves.len() > 60, "{}", leaves.len());
    for (path, command) in leaves {
        let name = path.join(" ");
        let examples = examples(&command);
        assert!(!examples.is_empty(), "{name} has no example");
        for example in &examples {
            let words = words(example);
            assert_eq!(words.first().map(String::as_str), Some("scheduler"), "{name}: {example}");
            if let Err(error) = Arguments::try_parse_from(&words) {
                panic!("{name}: {example}\n{error}");
            }
        }
        let own = format!("scheduler {name}");
        assert!(
            examples.iter().any(|example| words(example).join(" ").starts_with(&own)),
            "{name}: none of its examples is its own: {examples:?}"
        );
    }
    fn below(command: &Clap) {
        for example in examples(command) {
            let parsed = Arguments::try_parse_from(words(&example));
            assert!(parsed.is_ok(), "{}: {example}", command.get_name());
        }
        command.get_subcommands().for_each(below);
    }
    below(&Arguments::command());
}

#[test]
fn a_wrong_example_is_noticed() {
    let wrong = words("scheduler posts list --stauts done");
    assert!(Arguments::try_parse_from(wrong).is_err());
}

#[test]
fn every_line_of_the_command_description_is_understood() {
    const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";
    for line in [
        "serve",
        "serve --listen 127.0.0.1:0",
        "serve --database sqlite:data/scheduler.db",
        "serve --database postgres://u@localhost/s",
        "serve --files ./files",
        "serve --files \"s3://bucket?endpoint=http://127.0.0.1:9000&region=us-east-1\"",
        "serve --role api,worker",
        "serve --role worker",
        "serve --public-url https://posts.example.com",
        "serve --sandbox",
        "serve --data ./data",
        "sandbox --listen 127.0.0.1:0",
        "sandbox --quotas",
        "sandbox fault rate_limited --network x --retry-after 30",
        "sandbox faults --clear",
        "sandbox clock --advance 2h",
        "demo",
        "migrate",
        "migrate --data ./data",
        "doctor",
        "workspace create NAME",
        "workspace create NAME --plan pro",
        "workspace list",
        "workspace set-plan WORKSPACE studio",
        "workspace set-timezone WORKSPACE Europe/Berlin",
        "secrets forget",
        "keys create --name N --preset full",
        "keys create --name N --preset publish --expires 30d",
        "keys create --name N --preset drafts --expires 90d --workspace W",
        "keys create --name N --preset read --expires 1y",
        "keys list",
        "keys revoke ID",
        "accounts connect bluesky --identifier me.bsky.social --app-password x",
        "accounts connect mastodon --instance mastodon.social --token x",
        "accounts connect telegram --chat @news --bot-token x",
        "accounts connect discord --webhook-url https://discord.com/api/webhooks/1/x",
        "accounts connect youtube --no-wait",
        "accounts connect tiktok --sandbox",
        "accounts list",
        "accounts disconnect bluesky",
        "accounts set-timezone bluesky Europe/Berlin",
        "schedule show bluesky",
        "schedule set bluesky \"mon-fri 09:00,13:00; sat 11:00\"",
        "deliveries list",
        "deliveries redeliver ID",
        "post \"text\" --to bluesky,mastodon:@me --at 2026-12-01T09:00:00Z",
        "post \"text\" --to bluesky --local 2026-12-01T09:00",
        "post \"text\" --to bluesky --queue",
        "post \"text\" --to bluesky --now",
        "post \"text\" --to bluesky --draft",
        "post \"text\" --to bluesky --now --media FILE --alt TEXT",
        "post \"text\" --to bluesky --now --link https://example.com/",
        "post \"text\" --to pinterest --now --media FILE --option pinterest.boardId=1",
        "post --file post.json",
        "post --file -",
        "post \"text\" --to bluesky --now --key IDEMPOTENCY-KEY",
        "post \"text\" --to bluesky --now --wait",
        "check \"text\" --to bluesky,mastodon:@me --at 2026-12-01T09:00:00Z",
        "posts",
        "posts list",
        "posts show ID",
        "posts show ID --wait",
        "posts edit ID --text other",
        "posts cancel ID",
        "posts delete ID",
        "posts retry ID",
        "platforms",
        "platforms bluesky",
        "media upload FILE",
        "media list",
        "media delete ID",
        "metrics ID",
        "comments ID bluesky",
        "comments ID ID",
        "reply ID bluesky 1 text",
        "webhooks add https://example.com/events",
        "webhooks list",
        "webhooks remove ID",
        "webhooks listen --port 9000",
        "completions bash",
        "completions zsh",
        "completions fish",
        "completions elvish",
        "completions powershell",
        "man",
        "man --out DIR",
    ] {
        let line = format!(
            "scheduler {}",
            line.replace("ID", ID).replace(&format!("{ID}EMPOTENCY"), "IDEMPOTENCY")
        );
        for ending in ["", " --json"] {
            let words = words(&format!("{line}{ending}"));
            if let Err(error) = Arguments::try_parse_from(&words) {
                panic!("{line}{ending}\n{error}");
            }
        }
    }
}

#[test]
fn every_command_takes_json_and_says_what_each_option_does() {
    for (path, command) in leaves() {
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            assert!(argument.get_help().is_some(), "{path:?}: {argument}");
        }
        let line = [&["scheduler".to_owned()], &path[..], &["--json".to_owned()]].concat();
        if let Err(error) = Arguments::try_parse_from(line) {
            assert!(
                !error.to_string().contains("unexpected argument '--json'"),
                "{path:?}: {error}"
            );
        }
    }
}

#[test]
fn the_tree_is_sound() {
    Arguments::command().debug_assert();
}
