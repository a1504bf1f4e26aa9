//! Which command a person has given.

use std::fmt;

use clap::Command;

/// The names of a command and of its subcommand, such as `posts show`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandPath(Vec<String>);

impl CommandPath {
    /// The command below `root` that these arguments name, whatever else is among them.
    pub(crate) fn of(root: &Command, arguments: impl IntoIterator<Item = String>) -> Self {
        let (mut command, mut path) = (root, Vec::new());
        for argument in arguments {
            if let Some(found) = command.find_subcommand(&argument) {
                path.push(found.get_name().to_owned());
                command = found;
            }
        }
        Self(path)
    }

    /// A command by its name.
    pub(crate) fn named(name: &str) -> Self {
        Self(vec![name.to_owned()])
    }

    /// Whether it is the command with these names, such as `posts show`.
    pub(crate) fn is(&self, names: &str) -> bool {
        self.0.iter().eq(names.split(' '))
    }

    /// The name of the command itself.
    pub(crate) fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }
}

impl fmt::Display for CommandPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("scheduler")?;
        self.0.iter().try_for_each(|name| write!(formatter, " {name}"))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::commands::Arguments;

    #[test]
    fn commands_are_found_among_their_arguments() {
        for (line, want) in [
            ("posts show 1 --json", "scheduler posts show"),
            ("--json posts", "scheduler posts"),
            ("post posts --to bluesky", "scheduler post"),
            ("--config a.toml accounts connect bluesky", "scheduler accounts connect bluesky"),
            ("nothing", "scheduler"),
            ("", "scheduler"),
        ] {
            let path =
                CommandPath::of(&Arguments::command(), line.split_whitespace().map(str::to_owned));
            assert_eq!(path.to_string(), want, "{line}");
        }
    }
}
