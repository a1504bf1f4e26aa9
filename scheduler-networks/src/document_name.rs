//! What a document is called where people see the name of its file.

use scheduler_core::media::MediaKind;
use scheduler_core::ports::JobFile;

/// Longest name, in characters.
///
/// Ours: what an app shows of one.
const LENGTH: usize = 80;

/// The name that a document came with, without its extension and in letters, digits, `-` and `_`,
/// which every network keeps as they are; `None` for another file, and where nothing is left.
pub(crate) fn document_name(file: &JobFile) -> Option<String> {
    let name = file.file_name.as_deref().filter(|_| file.facts.kind == MediaKind::Document)?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let kept = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let named: String =
        stem.chars().map(|letter| if kept(letter) { letter } else { '_' }).take(LENGTH).collect();
    let named = named.trim_matches(['_', '-']);
    (!named.is_empty()).then(|| named.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bluesky_job;
    use crate::testing::files::with_file;

    #[test]
    fn names_of_files() {
        for (media_type, name, want) in [
            ("application/pdf", Some("Our year 2026.pdf"), Some("Our_year_2026")),
            ("application/pdf", Some("a\"\r\nb: c.pdf"), Some("a___b__c")),
            ("application/pdf", Some("slides"), Some("slides")),
            ("application/pdf", Some("отчёт.pdf"), None),
            ("application/pdf", None, None),
            ("image/png", Some("crab.png"), None),
        ] {
            let mut job = with_file(bluesky_job(), media_type, "");
            job.files[0].file_name = name.map(str::to_owned);
            assert_eq!(document_name(&job.files[0]).as_deref(), want, "{name:?}");
        }
        let mut job = with_file(bluesky_job(), "application/pdf", "");
        job.files[0].file_name = Some("n".repeat(200));
        assert_eq!(document_name(&job.files[0]).map(|name| name.len()), Some(80));
    }
}
