//! Whether the networks still take the versions of their interfaces that are spoken.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{Days, NaiveDate};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::NoMedia;
use scheduler_networks::StoredFiles;
use scheduler_networks::conversation::ApiVersion;
use scheduler_networks::registry;

use super::finding::{Finding, Id, chain, needed};
use super::subject::Subject;

/// How long before its end a version is told of. Source: our decision.
const AHEAD: Days = Days::new(60);

/// Looks at the version of each network that has versions.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let why_not = "the settings of the networks cannot be read";
    let networks = needed(&subject.settings.networks, why_not)?;
    // Nothing is sent, so no file is read.
    let files = StoredFiles { files: Arc::new(MemoryFiles::new()), examiner: Arc::new(NoMedia) };
    let adapters = registry::adapters(&networks.adapters, files).map_err(|error| {
        let advice = "see which certificates the system trusts";
        Finding::problem(Id::NetworkTls, chain(&error), advice)
    })?;
    Ok(judge(&adapters.versions, subject.now().date_naive()))
}

fn judge(versions: &BTreeMap<Platform, ApiVersion>, today: NaiveDate) -> Vec<Finding> {
    let mut good = Vec::new();
    let mut findings = Vec::new();
    for (platform, ApiVersion { name, retires_on }) in versions {
        let network = platform.sheet().name;
        let advice = format!(
            "update the scheduler, or set SCHEDULER_{}_API_VERSION to a newer one",
            platform.as_str().to_ascii_uppercase()
        );
        match retires_on {
            Some(day) if *day <= today => {
                let found = format!("{network}: version {name} may be refused since {day}");
                findings.push(Finding::problem(Id::VersionEnded, found, advice));
            }
            Some(day) if *day <= today + AHEAD => {
                let found = format!("{network}: version {name} ends on {day}");
                findings.push(Finding::warning(Id::VersionEnding, found, advice));
            }
            Some(day) => good.push(format!("{network} {name} until {day}")),
            None => good.push(format!("{network} {name}")),
        }
    }
    if !good.is_empty() {
        findings.push(Finding::ok(good.join(", ")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    #[test]
    fn a_version_is_told_of_sixty_days_before_its_end() {
        let today: NaiveDate = "2027-01-15".parse().unwrap();
        for (name, retires_on, want) in [
            ("without an end", None, Verdict::Ok),
            ("good for long", Some(today + Days::new(61)), Verdict::Ok),
            ("ends soon", Some(today + Days::new(60)), Verdict::Warning),
            ("ends tomorrow", Some(today + Days::new(1)), Verdict::Warning),
            ("ends today", Some(today), Verdict::Problem),
            ("ended", Some(today - Days::new(1)), Verdict::Problem),
        ] {
            let version = ApiVersion { name: "202601".to_owned(), retires_on };
            let findings = judge(&[(Platform::Linkedin, version)].into(), today);
            let [found] = findings.as_slice() else { panic!("{name}: {findings:?}") };
            assert_eq!(found.verdict, want, "{name}: {}", found.found);
            let says_how = found.advice.as_deref().unwrap_or_default();
            let is_told = says_how.contains("SCHEDULER_LINKEDIN_API_VERSION");
            assert_eq!(is_told, want != Verdict::Ok, "{name}");
        }
        assert_eq!(judge(&BTreeMap::new(), today), []);
    }
}
