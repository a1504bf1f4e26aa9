//! The list of commands in the help, grouped by what a person wants to do.

use clap::builder::StyledStr;
use clap::builder::styling::Styles;
use clap::{Command as Clap, Subcommand as _};

use super::Command;
use crate::printer::wrapped;

/// What a person wants to do, and the commands for it.
pub(super) const GROUPS: [(&str, &[&str]); 9] = [
    (
        "Write and publish",
        &[
            "post", "check", "import", "posts", "upcoming", "calendar", "undo", "retry", "panic",
            "snippets", "media", "feeds", "links",
        ],
    ),
    ("Have posts approved", &["approvals"]),
    (
        "See how posts do, and answer",
        &["metrics", "insights", "inbox", "comments", "reply", "comment", "captions", "review"],
    ),
    (
        "Connect accounts, and plan when they post",
        &["accounts", "channels", "schedule", "queue", "rehearse", "recurring", "platforms"],
    ),
    (
        "Work in a browser, or on a server elsewhere",
        &["web", "login", "logout", "profiles", "sessions"],
    ),
    ("Let programs in", &["keys", "grants", "mcp", "webhooks", "deliveries"]),
    ("Be told what happens", &["notifications", "log"]),
    (
        "Run a server",
        &[
            "serve",
            "workspace",
            "doctor",
            "health",
            "config",
            "migrate",
            "move",
            "secrets",
            "backup",
            "restore",
            "export",
        ],
    ),
    ("Try it, and learn", &["demo", "sandbox", "completions", "man", "help"]),
];

/// Columns of a terminal that a help takes at most.
pub(super) const HELP_COLUMNS: usize = 100;

/// Columns before the name of a command, and between it and what it does.
const INDENT: usize = 2;

/// The help of the program as a template: clap has no groups of commands.
pub(super) fn template() -> StyledStr {
    let commands = Command::augment_subcommands(Clap::new("scheduler"));
    let styles = Styles::styled();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max();
    let column = INDENT + width.unwrap_or_default() + INDENT;
    let mut list = String::new();
    for (title, names) in GROUPS {
        list.push_str(&format!("{heading}{title}:{heading:#}\n"));
        for name in names {
            let about = commands.find_subcommand(name).and_then(Clap::get_about);
            let about = about.map_or_else(|| HELP.to_owned(), ToString::to_string);
            let lines = wrapped(&about, HELP_COLUMNS - column).join(&format!("\n{:column$}", ""));
            let gap = column - INDENT - name.len();
            list.push_str(&format!("  {literal}{name}{literal:#}{:gap$}{lines}\n", ""));
        }
        list.push('\n');
    }
    StyledStr::from(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{heading}Options:{heading:#}\n{{options}}{{after-help}}"
    ))
}

/// What the command is for that clap adds by itself.
const HELP: &str = "Print this help, or that of a command";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Arguments;
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut root = Arguments::command();
        root.build();
        let mut known: Vec<&str> = root.get_subcommands().map(Clap::get_name).collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
    }
}
