//! `scheduler.example.toml`: every setting explained, each commented out.

use std::fmt::Write as _;

use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;

use super::keys::{is_read, of_network, of_one_network, of_plans};
use super::setting::{Fallback, Group, Secrecy, Setting, variable};
use super::table::{ALLOWED_GROUPS, GROUPS, NETWORK_GROUPS, OF_ALLOWED, PLAN_GROUPS};

/// How many columns a line of explanation takes at most.
const WIDTH: usize = 96;

const INTRODUCTION: &str = "\
Settings of scheduler. Written by `scheduler config example`.

Copy this file to scheduler.toml and take the # away from what you change; what is left out stays \
as it is shown here, or, where a default is said in words, as these say. The file is looked for in the folder that the command is started in; \
--config FILE or SCHEDULER_CONFIG names another.

An option comes before the environment, the environment before this file, this file before a \
default. `scheduler config show` tells what is in force and where it comes from, `scheduler config \
check` what is wrong.

A variable has the name of its key in capitals after SCHEDULER_. What is secret can also stand in \
a file of its own that a variable with _FILE at its end names: SCHEDULER_DATABASE_FILE=/run/secrets/database.";

const OTHERS: &str = "\
Variables of others that are read: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN \
(the keys of a bucket), PGPASSFILE (the passwords of databases), SSL_CERT_FILE and \
SSL_CERT_DIR (the authorities whose certificates are trusted, in place of those of the system), \
HTTPS_PROXY and NO_PROXY (commands that talk to a server), NO_COLOR, PATH.";

/// The whole file.
pub(crate) fn example() -> String {
    let mut file = String::new();
    comment(&mut file, INTRODUCTION);
    file.push_str("#\n");
    comment(&mut file, OTHERS);
    for group in GROUPS {
        heading(&mut file, group);
        for setting in group.settings {
            file.push('\n');
            comment(&mut file, &explanation(setting, Some(&variable(setting.key))));
            let _ = writeln!(file, "#{} = {}", setting.key, setting.literal());
        }
    }
    NETWORK_GROUPS.iter().for_each(|group| networks(&mut file, group));
    ALLOWED_GROUPS.iter().for_each(|group| allowed(&mut file, group));
    PLAN_GROUPS.iter().for_each(|group| plans(&mut file, group));
    file
}

fn networks(file: &mut String, group: &Group) {
    heading(file, group);
    for setting in group.settings {
        file.push('\n');
        let name = format!("NETWORK_{}", setting.key);
        comment(file, &format!("{name}: {}", explanation(setting, None)));
    }
    for platform in Platform::ALL {
        let _ = writeln!(file, "\n# {}", platform.sheet().name);
        let settings = of_one_network(platform).map(|named| named.setting);
        for setting in settings.filter(|setting| is_read(platform, setting.key)) {
            let key = of_network(platform, setting.key);
            let _ = writeln!(file, "#{key} = {}", setting.literal());
        }
    }
}

fn allowed(file: &mut String, group: &Group) {
    heading(file, group);
    file.push('\n');
    for setting in group.settings {
        let (key, words) = (setting.key, setting.form.words());
        comment(file, &format!("{key}: {} Value: {words}.", setting.meaning));
    }
    let [email, subject, role, workspaces, name] = [
        &OF_ALLOWED.email.setting,
        &OF_ALLOWED.subject.setting,
        &OF_ALLOWED.role.setting,
        &OF_ALLOWED.workspaces.setting,
        &OF_ALLOWED.name.setting,
    ]
    .map(|setting| (setting.key, setting.literal()));
    let workspaces = (workspaces.0, format!("[{}]", workspaces.1));
    for person in [&[email, role.clone(), workspaces, name][..], &[subject, role]] {
        file.push_str("\n#[[openid.allow]]\n");
        for (key, value) in person {
            let _ = writeln!(file, "#{key} = {value}");
        }
    }
}

fn plans(file: &mut String, group: &Group) {
    heading(file, group);
    file.push('\n');
    for setting in group.settings {
        let (key, words) = (setting.key, setting.form.words());
        comment(file, &format!("{key}: {} Value: {words}.", setting.meaning));
    }
    for plan in Plan::ALL {
        let _ = writeln!(file, "\n#[plans.{plan}]");
        let prefix = format!("plans.{plan}.");
        for named in of_plans() {
            let Some(field) = named.key.strip_prefix(&prefix) else { continue };
            let value = named.default_text().unwrap_or_default();
            let _ = writeln!(file, "#{field} = {value}");
        }
    }
}

/// What a setting does, how it is written, what holds otherwise, and what else sets it.
fn explanation(setting: &Setting, variable: Option<&str>) -> String {
    let mut text = format!("{}\nValue: {}.", setting.meaning, setting.form.words());
    match setting.default {
        Fallback::Unset => text.push_str(" Default: none."),
        Fallback::Depends(words) => {
            let _ = write!(text, " Default: {words}.");
        }
        Fallback::Value(_) => {}
    }
    if setting.secrecy == Secrecy::Secret {
        text.push_str(" A secret.");
    }
    if let Some(variable) = variable {
        let option = setting.option.map(|option| format!("{option}, ")).unwrap_or_default();
        let _ = write!(text, " Also: {option}{variable}.");
    }
    text
}

fn heading(file: &mut String, Group { heading, words, .. }: &Group) {
    let _ = writeln!(file, "\n\n# ---- {heading} {}", "-".repeat(70 - heading.chars().count()));
    if !words.is_empty() {
        comment(file, words);
    }
}

/// Paragraphs as comments, in lines of bounded length.
fn comment(file: &mut String, text: &str) {
    for paragraph in text.split('\n') {
        let mut line = String::from("#");
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if line.chars().count() + 1 + word.chars().count() > WIDTH && line.len() > 1 {
                file.push_str(&line);
                file.push_str("\n#");
                line.clear();
            }
            line.push(' ');
            line.push_str(word);
        }
        file.push_str(&line);
        file.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::file::File;
    use crate::config::{Checked, ServerOptions, Sources, StorageOptions, keys};
    use std::collections::BTreeMap;

    /// A line that holds a setting, without the sign that keeps it from counting.
    fn uncommented(line: &str) -> Option<&str> {
        line.strip_prefix('#').filter(|rest| !rest.is_empty() && !rest.starts_with(' '))
    }

    fn load(text: &str) -> Sources {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scheduler.toml");
        std::fs::write(&path, text).unwrap();
        Sources::new(BTreeMap::new(), File::read(Some(&path)).unwrap())
    }

    #[test]
    fn the_committed_file_is_the_one_that_is_printed() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scheduler.example.toml");
        if std::env::var_os("SCHEDULER_RENEW").is_some() {
            std::fs::write(&path, example()).unwrap();
        }
        assert!(
            std::fs::read_to_string(path).is_ok_and(|committed| committed == example()),
            "scheduler.example.toml is not what the settings are; renew it with\n  cargo run -p \
             scheduler-cli -- config example > scheduler.example.toml"
        );
    }

    #[test]
    fn every_setting_is_in_it_and_as_it_stands_it_sets_none() {
        let text = example();
        let sources = load(&text);
        assert!(keys::every().all(|named| sources.everywhere(&named.key).is_empty()));
        let lines: Vec<&str> = text.lines().map(|line| uncommented(line).unwrap_or("")).collect();
        let sources = load(&lines.join("\n"));
        for named in keys::every() {
            let network = Platform::ALL.into_iter().find_map(|platform| {
                Some((platform, named.key.strip_prefix(&format!("{platform}_"))?))
            });
            let is_own =
                keys::every().any(|own| own.key == named.key && own.setting.key == own.key);
            let is_told = is_own || network.is_none_or(|(platform, name)| is_read(platform, name));
            let found = sources.everywhere(&named.key).len();
            assert_eq!(found, usize::from(is_told), "{}", named.key);
        }
        let bounded = text.lines().all(|line| line.chars().count() <= 120);
        assert!(bounded, "lines that can be read");
    }

    /// With every line in force the settings can be used. The two files that are named exist
    /// nowhere.
    #[test]
    fn every_line_can_be_used() {
        let lines: Vec<&str> =
            example().leak().lines().map(|line| uncommented(line).unwrap_or("")).collect();
        let sources = load(&lines.join("\n"));
        let checked = Checked::read(ServerOptions::default(), StorageOptions::default(), &sources);
        assert_eq!(checked.faults, [""; 0]);
        assert!(sources.faults().is_empty());
    }

    /// What is shown as a default is what is read when nothing is set.
    #[test]
    fn the_defaults_are_those_that_hold() {
        let own: Vec<String> = keys::every()
            .filter(|named| !named.is_nested)
            .filter_map(|named| {
                named.setting.default_text()?;
                Some(format!("{} = {}", named.key, named.setting.literal()))
            })
            .collect();
        let (set, unset) = (load(&own.join("\n")), load(""));
        let of = |sources: &Sources| {
            let checked =
                Checked::read(ServerOptions::default(), StorageOptions::default(), sources);
            assert_eq!(checked.faults, [""; 0]);
            let server = checked.server.unwrap();
            (format!("{:?}", checked.storage.unwrap()), server.listen, server.roles)
        };
        assert_eq!(of(&set), of(&unset));
    }
}
