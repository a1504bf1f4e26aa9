//! A file of posts: which form it has, where its posts stand, and each of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scheduler_core::account::AccountView;
use scheduler_core::platform::Platform;

use super::entry::Entry;
use super::exported::Exported;
use super::fault::Fault;
use super::foreign::Foreign;
use super::lines;
use super::options::{AccountAlias, Format, ImportOptions};
use super::records::Record;
use super::sheet::{Sheet, column_of};
use crate::failure::Failure;
use crate::posting::read_named;

/// A file of posts, in memory as it is. Its posts are read one by one, again and again, so that a
/// large file takes little more than its own size.
#[derive(Debug)]
pub(crate) struct Source {
    /// Where the file lies, from the root of the file system; `None` for standard input.
    pub(crate) path: Option<PathBuf>,
    /// What is wrong before the first post.
    pub(crate) head: Vec<Fault>,
    /// Where the posts stand.
    pub(crate) records: Vec<Record>,
    bytes: Vec<u8>,
    folder: PathBuf,
    form: Form,
    accounts: Vec<AccountAlias>,
}

#[derive(Debug)]
enum Form {
    Table(Sheet),
    Lines,
    Exported(Exported),
    Foreign(Foreign),
}

impl Source {
    /// Reads a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it cannot be read, or its form is not known.
    pub(crate) fn read(import: &ImportOptions) -> Result<Self, Failure> {
        let name = import.file.as_str();
        let format = match (import.format, name.rsplit_once('.').map(|(_, end)| end)) {
            (Some(format), _) => format,
            (None, Some("csv" | "CSV" | "tsv" | "txt")) => Format::Csv,
            (None, Some("jsonl" | "ndjson" | "JSONL")) => Format::Jsonl,
            (None, Some("json" | "JSON")) => Format::Json,
            (None, _) => {
                return Err(Failure::Usage(format!(
                    "{name}: say what it is: a table with --format csv, JSON lines with --format jsonl, what another system answers with --format json"
                )));
            }
        };
        let bytes = read_named(name, |mut file| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        })?;
        let path = || std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        let path = (name != "-").then(path);
        let source = Self::of(bytes, path, format, import.delimiter, import.as_drafts)?;
        Ok(Self { accounts: import.accounts.clone(), ..source })
    }

    /// Finds the posts of a file.
    ///
    /// # Errors
    /// [`Failure::Usage`] for another encoding.
    fn of(
        mut bytes: Vec<u8>,
        path: Option<PathBuf>,
        format: Format,
        delimiter: Option<u8>,
        as_drafts: bool,
    ) -> Result<Self, Failure> {
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(Failure::Usage(
                "the file is UTF-16; save it as UTF-8 (in a spreadsheet: CSV UTF-8)".into(),
            ));
        }
        // The mark that some programs begin UTF-8 with.
        if bytes.starts_with(&[0xef, 0xbb, 0xbf]) {
            bytes.drain(..3);
        }
        let folder = path.as_deref().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned();
        let (form, head, records) = match format {
            Format::Csv => {
                let (sheet, begin, head) = Sheet::read(&bytes, delimiter);
                let records = sheet.records(&bytes, begin);
                (Form::Table(sheet), head, records)
            }
            Format::Jsonl => {
                let records = lines::records(&bytes);
                match Exported::find(&bytes, &records, as_drafts) {
                    None => (Form::Lines, Vec::new(), records),
                    Some((exported, head, records)) => (Form::Exported(exported), head, records),
                }
            }
            Format::Json => {
                let (foreign, head, records) = Foreign::read(&bytes, &folder, as_drafts);
                (Form::Foreign(foreign), head, records)
            }
        };
        Ok(Self { path, head, records, bytes, folder, form, accounts: Vec::new() })
    }

    /// A file without posts, and what a person says of an account.
    #[cfg(test)]
    pub(super) fn aliased(alias: &str) -> Self {
        let source = Self::of(b"[]".to_vec(), None, Format::Json, None, false).unwrap();
        Self { accounts: vec![alias.parse().unwrap()], ..source }
    }

    /// A post of the file.
    pub(crate) fn entry(&self, record: &Record) -> Result<Entry, Vec<Fault>> {
        let raw = || &self.bytes[record.range()];
        match &self.form {
            Form::Table(sheet) => sheet.entry(&self.bytes, record, &self.folder),
            Form::Lines => lines::entry(record.line, raw()),
            Form::Exported(exported) => exported.entry(record.line, raw()),
            Form::Foreign(foreign) => foreign.entry(record),
        }
    }

    /// The account here that the file calls by one of these names, where somebody has said so.
    pub(super) fn account_here(&self, platform: Platform, names: &[&str]) -> Option<&str> {
        let is_meant = |alias: &&AccountAlias| {
            let name = |name: &&str| name.trim_start_matches('@') == alias.theirs;
            alias.platform == platform && names.iter().any(name)
        };
        self.accounts.iter().find(is_meant).map(|alias| alias.ours.as_str())
    }

    pub(crate) const fn is_table(&self) -> bool {
        matches!(self.form, Form::Table(_))
    }

    /// What the file calls a field of the API's own body.
    pub(crate) fn field_name(&self, field: &str) -> String {
        if self.is_table() { column_of(field) } else { field }.to_owned()
    }

    /// Whether it is an export of the workspace that has these accounts.
    pub(crate) fn is_export_of(&self, accounts: &[AccountView]) -> bool {
        matches!(&self.form, Form::Exported(exported) if exported.is_of(accounts))
    }

    /// What was left out of an export or of another system's posts, by kind.
    pub(crate) fn left_out(&self) -> BTreeMap<String, usize> {
        match &self.form {
            Form::Table(_) | Form::Lines => BTreeMap::new(),
            Form::Exported(exported) => exported.left_out.clone(),
            Form::Foreign(foreign) => foreign.left_out.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let of = |bytes: &[u8]| Source::of(bytes.to_vec(), None, Format::Csv, None, false);
        let marked = of(b"\xef\xbb\xbfto,draft\nbluesky,x\n").unwrap();
        assert_eq!(marked.head, []);
        assert_eq!(marked.records.len(), 1);
        assert!(marked.entry(&marked.records[0]).is_ok());
        let failure = of(b"\xff\xfet\0o\0").unwrap_err();
        assert!(failure.to_string().contains("UTF-16"), "{failure}");
    }

    #[test]
    fn fields_have_the_names_of_their_columns() {
        for (field, want) in [
            ("scheduledAt", "at"),
            ("targets[0].accountId", "to"),
            ("altTexts[2]", "alt"),
            ("mediaItems", "media"),
            ("Idempotency-Key", "key"),
        ] {
            assert_eq!(column_of(field), want);
        }
    }
}
