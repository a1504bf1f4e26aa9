//! The top-level domains.
//!
//! `tld.txt` has one a line, in the order of their bytes: small letters, and those outside ASCII as
//! punycode. Source: <https://data.iana.org/TLD/tlds-alpha-by-domain.txt>, by way of the crate
//! `tld`, which only the tests need: it takes six others to be built.

use std::sync::LazyLock;

static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("tld.txt").lines().collect());

/// Every one, as in a name.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Whether there is one of this name, in small letters.
pub(super) fn exists(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

/// Whether there is one of this name, whatever its case.
pub(super) fn exists_in_any_case(name: &str) -> bool {
    let wanted = || name.bytes().map(|byte| byte.to_ascii_lowercase());
    NAMES.binary_search_by(|known| known.bytes().cmp(wanted())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renewed with `SCHEDULER_RENEW=1` after an update of the crate.
    #[test]
    fn the_list_is_that_of_the_crate() {
        let mut names: Vec<&str> = tld::TLD.iter().copied().collect();
        names.sort_unstable();
        let text = names.join("\n") + "\n";
        if std::env::var_os("SCHEDULER_RENEW").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/tld.txt");
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(include_str!("tld.txt"), text);
    }

    #[test]
    fn names_are_found_as_a_whole() {
        for (name, exactly, in_any_case) in [
            ("com", true, true),
            ("aaa", true, true),
            ("zw", true, true),
            ("xn--p1ai", true, true),
            ("COM", false, true),
            ("Xn--P1AI", false, true),
            ("co", true, true),
            ("comm", false, false),
            ("onion", false, false),
            ("рф", false, false),
            ("", false, false),
        ] {
            assert_eq!(exists(name), exactly, "{name}");
            assert_eq!(exists_in_any_case(name), in_any_case, "{name}");
        }
        assert_eq!(all().count(), NAMES.len());
    }
}
