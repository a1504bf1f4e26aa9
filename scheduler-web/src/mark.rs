//! The mark of a network: letters on a tint of its own, since the networks' logos are trade marks.

use scheduler_core::account::AccountView;
use scheduler_core::platform::Platform;

/// The mark of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The class of its tint.
    pub(crate) class: String,
    pub(crate) letters: String,
    pub(crate) name: &'static str,
}

impl From<Platform> for Mark {
    fn from(platform: Platform) -> Self {
        let name = platform.sheet().name;
        let letters = name.chars().take(2).flat_map(char::to_uppercase).collect();
        Self { class: format!("n-{platform}"), letters, name }
    }
}

/// What people call an account where its network is shown beside it.
pub(crate) fn name(account: &AccountView) -> String {
    let name = account.username.as_ref().or(account.display_name.as_ref());
    name.cloned().unwrap_or_else(|| account.label())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn marks_are_told_apart_and_tinted() {
        let styles = include_str!("../assets/ui.css");
        let marks: Vec<Mark> = Platform::ALL.into_iter().map(Mark::from).collect();
        let letters: BTreeSet<&str> = marks.iter().map(|mark| mark.letters.as_str()).collect();
        assert_eq!(letters.len(), marks.len());
        for mark in &marks {
            assert!(styles.contains(&format!(".{} {{", mark.class)), "{}", mark.class);
        }
    }
}
