//! That the page about rehearsals names the figures of the sheets.

use scheduler_core::platform::Platform;
use scheduler_core::rehearsal::FindingKind;

const PAGE: &str = include_str!("../../../docs/rehearsal.md");

/// The numbers of a line; their thousands stand apart, such as in `11 666`.
fn numbers(line: &str) -> Vec<u32> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut joined = String::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let is_apart =
            c == ' ' && is_digit(joined.chars().next_back()) && is_digit(rest.peek().copied());
        if !is_apart {
            joined.push(c);
        }
    }
    joined.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn every_limit_of_every_network_stands_on_it() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        let names = [sheet.name, sheet.short_name].map(|name| format!("| {name} |"));
        let row = PAGE.lines().find(|line| names.iter().any(|name| line.starts_with(name)));
        let row = row.unwrap_or_else(|| panic!("{platform} is missing"));
        let numbers = numbers(row);
        for limit in sheet.publishing {
            assert!(numbers.contains(&limit.most), "{platform}: {} in {numbers:?}", limit.most);
        }
    }
}

#[test]
fn every_kind_of_finding_stands_on_it() {
    for kind in FindingKind::ALL {
        let name = serde_json::to_value(kind).unwrap();
        let name = format!("`{}`", name.as_str().unwrap());
        assert!(PAGE.contains(&name), "{name}");
    }
}
