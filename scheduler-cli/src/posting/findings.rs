//! What a check has found, as a person reads it.

use std::iter;

use comfy_table::{Cell, Table};
use scheduler_core::account::AccountView;
use scheduler_core::post::TargetInput;
use scheduler_core::rules::{Severity, ValidationIssue};

use super::target::label;
use crate::printer::{counted, findings_table, message, severity_cell};

/// Characters that a sentence needs beside its rule; on a narrower terminal the rule goes below it.
const SENTENCE_WIDTH: usize = 44;

/// Networks that are named at most before the rest is counted.
const NAMED_MAX: usize = 3;

/// Between columns.
const GAP: usize = 2;

const HEADINGS: [&str; 4] = ["SEVERITY", "NETWORK", "MESSAGE", "RULE"];

/// The issues of a post, and where it would go.
pub(crate) struct Findings<'a> {
    issues: Vec<&'a ValidationIssue>,
    /// The name of each target.
    names: Vec<String>,
}

/// True when networks alone do not tell the targets apart.
pub(crate) fn needs_account_names(targets: &[TargetInput]) -> bool {
    targets.iter().any(|target| !is_alone(target, targets))
}

impl<'a> Findings<'a> {
    /// Puts the issues in the order in which a person works on them: the post as a whole, networks
    /// that would refuse it, networks that would change it; errors before warnings in each.
    pub(crate) fn new(
        issues: &'a [ValidationIssue],
        targets: &[TargetInput],
        accounts: &[AccountView],
    ) -> Self {
        let mut issues: Vec<&ValidationIssue> = issues.iter().collect();
        let refusing: Vec<Option<usize>> = issues
            .iter()
            .filter(|issue| issue.severity == Severity::Error)
            .map(|issue| issue.target)
            .collect();
        issues.sort_by_key(|issue| {
            let takes_it = !refusing.contains(&issue.target);
            (issue.target.is_some(), takes_it, issue.target, issue.severity)
        });
        Self { issues, names: names(targets, accounts) }
    }

    /// One line an issue; the sentence is wrapped to a terminal of `width` columns.
    pub(crate) fn table(&self, width: Option<u16>) -> Table {
        let cells: Vec<[String; 3]> = self.issues.iter().map(|issue| self.cells(issue)).collect();
        let [network, rule] = [0, 2].map(|column: usize| {
            cells.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
        });
        let [severity_heading, network_heading, _, _] = HEADINGS;
        let beside = severity_heading.len() + network.max(network_heading.len()) + rule;
        let is_narrow =
            width.is_some_and(|width| usize::from(width) < beside + SENTENCE_WIDTH + 3 * GAP);
        let rows = self.issues.iter().zip(cells).map(|(issue, [network, message, rule])| {
            let texts = match is_narrow {
                true => vec![network, format!("{message}\n{rule}")],
                false => vec![network, message, rule],
            };
            let texts = texts.into_iter().map(Cell::new);
            iter::once(severity_cell(issue.severity)).chain(texts).collect()
        });
        let headings = &HEADINGS[..if is_narrow { 3 } else { 4 }];
        let mut table = findings_table(headings, rows, &[0, 1, 3], width);
        for column in table.column_iter_mut() {
            column.set_padding((0, GAP as u16));
        }
        table
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.issues.is_empty()
    }

    /// How much was found, and who would take the post as it is.
    pub(crate) fn summary(&self) -> String {
        let counts: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning")]
            .map(|(severity, noun)| (self.of(severity).count(), noun))
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count, noun))
            .collect();
        let taking: Vec<&str> = self
            .names
            .iter()
            .enumerate()
            .filter(|(index, _)| !self.is_refused(*index))
            .map(|(_, name)| name.as_str())
            .collect();
        let takers = if self.is_empty() { all_of(&taking) } else { some_of(&taking) };
        match counts[..] {
            [] => format!("{takers} would take the post"),
            [..] => format!("{}; {takers} would take the post", counts.join(" and ")),
        }
    }

    /// What can be done about a post with or without files, where that is plain; each once.
    pub(crate) fn advice(&self, has_files: bool) -> Vec<String> {
        let mut advice = Vec::new();
        for text in self.issues.iter().filter_map(|issue| next_step(issue, has_files)) {
            if !advice.contains(&text) {
                advice.push(text);
            }
        }
        advice
    }

    fn of(&self, severity: Severity) -> impl Iterator<Item = &ValidationIssue> {
        self.issues.iter().copied().filter(move |issue| issue.severity == severity)
    }

    fn is_refused(&self, target: usize) -> bool {
        self.of(Severity::Error).any(|issue| issue.target.is_none_or(|refused| refused == target))
    }

    /// Network, message and rule.
    fn cells(&self, issue: &ValidationIssue) -> [String; 3] {
        let name = issue.target.and_then(|target| self.names.get(target));
        let network = match (name, issue.platform) {
            (Some(name), _) => name,
            (None, Some(platform)) => platform.as_str(),
            (None, None) => "all",
        };
        [network, &message(issue), &issue.rule].map(one_line)
    }
}

/// The name of each target: its network, with the account where a network has several.
fn names(targets: &[TargetInput], accounts: &[AccountView]) -> Vec<String> {
    let name = |target: &TargetInput| {
        let account = accounts.iter().find(|account| Some(account.id) == target.account_id);
        match (account, target.account_id) {
            _ if is_alone(target, targets) => target.platform.to_string(),
            (Some(account), _) => label(account),
            (None, Some(id)) => format!("{}:{id}", target.platform),
            (None, None) => target.platform.to_string(),
        }
    };
    targets.iter().map(name).collect()
}

/// Whether the network of a target has no other.
fn is_alone(target: &TargetInput, targets: &[TargetInput]) -> bool {
    targets.iter().filter(|other| other.platform == target.platform).count() == 1
}

/// A text without line ends and other signs that move the cursor.
fn one_line(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

/// Every name.
fn all_of(names: &[&str]) -> String {
    match names {
        [] => "no network".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The first names, and how many more there are.
fn some_of(names: &[&str]) -> String {
    match names.split_at_checked(NAMED_MAX - 1) {
        Some((named, rest)) if rest.len() > 1 => {
            format!("{} and {} others", named.join(", "), rest.len())
        }
        _ => all_of(names),
    }
}

/// What a person can do about an issue with this command.
fn next_step(issue: &ValidationIssue, has_files: bool) -> Option<String> {
    let Some(platform) = issue.platform else {
        return match &*issue.rule {
            "post.text.missing" => Some("write a text, or add a file with --media".into()),
            "post.alt_texts.too_few" => Some("describe each file with one --alt".into()),
            "post.plan.posts" => Some(LARGER_PLAN.into()),
            _ => None,
        };
    };
    let (_, check) = issue.rule.split_once('.')?;
    match check {
        "account.not_connected" => {
            Some(format!("connect an account with `scheduler accounts connect {platform}`"))
        }
        "plan.channels" => Some(LARGER_PLAN.into()),
        "media.required" if !has_files => Some("add a file with --media".into()),
        _ => {
            let subject = check.strip_suffix(".missing")?;
            let options = platform.sheet().options;
            let option = options.iter().find(|option| option.subject == subject)?;
            let key = option.key;
            Some(format!("set {platform}.{key} with --option {platform}.{key}=…"))
        }
    }
}

const LARGER_PLAN: &str = "the operator can change the plan with `scheduler workspace set-plan`";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn issue(target: Option<usize>, severity: &str, message: &str, rule: &str) -> ValidationIssue {
        let platform = target.map(|_| rule.split('.').next());
        serde_json::from_value(json!({
            "platform": platform, "severity": severity, "message": message, "rule": rule,
            "target": target,
        }))
        .unwrap()
    }

    fn targets(names: &[&str]) -> Vec<TargetInput> {
        let targets: Vec<_> = names.iter().map(|name| json!({"platform": name})).collect();
        serde_json::from_value(json!(targets)).unwrap()
    }

    fn found() -> Vec<ValidationIssue> {
        vec![
            issue(
                None,
                "warning",
                "There is 1 alternative text for 2 files.",
                "post.alt_texts.too_few",
            ),
            issue(Some(0), "warning", "Links are not clickable.", "instagram.link.not_clickable"),
            issue(Some(1), "warning", "The text is long.", "bluesky.text.long"),
            issue(
                Some(1),
                "error",
                "Text is 312 characters for Bluesky, the limit is 300.",
                "bluesky.text.too_long",
            ),
            issue(Some(3), "error", "Pinterest needs a board.", "pinterest.board_id.missing"),
        ]
    }

    const TARGETS: [&str; 7] =
        ["instagram", "bluesky", "mastodon", "pinterest", "telegram", "discord", "tumblr"];

    #[test]
    fn a_wide_terminal() {
        let issues = found();
        let findings = Findings::new(&issues, &targets(&TARGETS), &[]);
        insta::assert_snapshot!(findings.table(Some(110)).trim_fmt(), @r"
        SEVERITY  NETWORK    MESSAGE                                                RULE
        warning   all        There is 1 alternative text for 2 files.               post.alt_texts.too_few
        error     bluesky    Text is 312 characters for Bluesky, the limit is 300.  bluesky.text.too_long
        warning   bluesky    The text is long.                                      bluesky.text.long
        error     pinterest  Pinterest needs a board.                               pinterest.board_id.missing
        warning   instagram  Links are not clickable.                               instagram.link.not_clickable
        ");
        assert_eq!(findings.table(None).trim_fmt(), findings.table(Some(110)).trim_fmt());
        assert_eq!(
            findings.summary(),
            "2 errors and 3 warnings; instagram, mastodon and 3 others would take the post"
        );
    }

    #[test]
    fn a_narrow_terminal() {
        let issues = found();
        let findings = Findings::new(&issues, &targets(&TARGETS), &[]);
        let shown = findings.table(Some(60)).trim_fmt();
        assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
        insta::assert_snapshot!(shown, @r"
        SEVERITY  NETWORK    MESSAGE
        warning   all        There is 1 alternative text for 2
                             files.
                             post.alt_texts.too_few
        error     bluesky    Text is 312 characters for Bluesky,
                             the limit is 300.
                             bluesky.text.too_long
        warning   bluesky    The text is long.
                             bluesky.text.long
        error     pinterest  Pinterest needs a board.
                             pinterest.board_id.missing
        warning   instagram  Links are not clickable.
                             instagram.link.not_clickable
        ");
    }

    #[test]
    fn who_would_take_the_post() {
        let error = |target| issue(target, "error", "No.", "bluesky.text.too_long");
        let warning = |target| issue(target, "warning", "Hm.", "bluesky.text.long");
        for (name, to, issues, want) in [
            ("one", &TARGETS[..1], vec![], "instagram would take the post"),
            ("three", &TARGETS[..3], vec![], "instagram, bluesky and mastodon would take the post"),
            (
                "all are named when there is nothing else to say",
                &TARGETS[..5],
                vec![],
                "instagram, bluesky, mastodon, pinterest and telegram would take the post",
            ),
            (
                "a warning stops nothing",
                &TARGETS[..2],
                vec![warning(Some(0))],
                "1 warning; instagram and bluesky would take the post",
            ),
            (
                "three are named",
                &TARGETS[..4],
                vec![error(Some(1))],
                "1 error; instagram, mastodon and pinterest would take the post",
            ),
            (
                "more are counted",
                &TARGETS[..5],
                vec![error(Some(1))],
                "1 error; instagram, mastodon and 2 others would take the post",
            ),
            (
                "none",
                &TARGETS[..1],
                vec![error(Some(0))],
                "1 error; no network would take the post",
            ),
            (
                "the post as a whole",
                &TARGETS,
                vec![error(None), warning(None)],
                "1 error and 1 warning; no network would take the post",
            ),
        ] {
            assert_eq!(Findings::new(&issues, &targets(to), &[]).summary(), want, "{name}");
        }
    }

    #[test]
    fn what_can_be_done_is_said_once() {
        let issues = [
            issue(None, "error", "The post is empty.", "post.text.missing"),
            issue(Some(0), "error", "It needs a file.", "instagram.media.required"),
            issue(Some(1), "error", "It needs a file.", "pinterest.media.required"),
            issue(Some(1), "error", "It needs a board.", "pinterest.board_id.missing"),
            issue(Some(2), "warning", "No account.", "tumblr.account.not_connected"),
            issue(Some(2), "error", "Too long.", "tumblr.text.too_long"),
        ];
        let findings = Findings::new(&issues, &targets(&["instagram", "pinterest", "tumblr"]), &[]);
        assert_eq!(
            findings.advice(false),
            [
                "write a text, or add a file with --media",
                "add a file with --media",
                "set pinterest.boardId with --option pinterest.boardId=…",
                "connect an account with `scheduler accounts connect tumblr`",
            ]
        );
        let with_files = findings.advice(true);
        assert!(!with_files.contains(&"add a file with --media".to_owned()), "{with_files:?}");
    }

    #[test]
    fn accounts_are_named_where_a_network_has_several() {
        let id = |number: u8| format!("00000000-0000-0000-0000-0000000000{number:02}");
        let account: AccountView = serde_json::from_value(json!({
            "id": id(1), "platform": "mastodon", "username": "ann@a.example", "displayName": null,
            "avatarUrl": null, "connection": null, "canDeleteRemote": true,
            "needsReconnect": false, "paused": false, "timezone": null,
        }))
        .unwrap();
        let targets: Vec<TargetInput> = serde_json::from_value(json!([
            {"platform": "mastodon", "accountId": id(1)},
            {"platform": "mastodon", "accountId": id(2)},
            {"platform": "bluesky", "accountId": id(3)},
        ]))
        .unwrap();
        let want = ["mastodon:@ann@a.example".to_owned(), format!("mastodon:{}", id(2))];
        assert_eq!(names(&targets, &[account])[..2], want);
        assert_eq!(names(&targets, &[])[2], "bluesky");
    }

    #[test]
    fn signs_that_move_the_cursor_are_left_out() {
        let issues = [issue(Some(0), "error", "Unknown key \"a\u{1b}[2J\nb\".", "bluesky.x")];
        let shown = Findings::new(&issues, &targets(&["bluesky"]), &[]).table(None).trim_fmt();
        assert_eq!(shown.lines().count(), 2, "{shown:?}");
        assert!(!shown.contains('\u{1b}'));
    }
}
