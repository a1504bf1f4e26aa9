//! A CSV file: its header, its records, and a record as a post.

use std::fmt::Display;
use std::path::Path;

use scheduler_core::platform::{Disclosed, Disclosure, Platform};
use serde_json::{Map, Value, json};
use url::Url;

use super::entry::{Entry, ImportFile, ImportTarget, LineDigest};
use super::fault::Fault;
use super::records::{Lines, Record, skip_breaks};
use crate::names::nearest;
use crate::posting::{
    MediaArgument, OptionArgument, Options, TargetSpec, idempotency_key, kind_of,
};
use crate::printer::excerpt;

/// The columns that every file may have, besides `option.NETWORK.KEY`, and what the API calls what
/// they hold.
const COLUMNS: [(&str, &str); 12] = [
    ("content", "content"),
    ("link", "linkUrl"),
    ("media", "mediaIds"),
    ("alt", "altTexts"),
    ("disclose", "disclosure"),
    ("to", "targets"),
    ("at", "scheduledAt"),
    ("local", "scheduledLocal"),
    ("queue", "queue"),
    ("now", "publishNow"),
    ("draft", "saveAsDraft"),
    ("key", "key"),
];

/// The columns that say when a post goes out.
const TIMES: [&str; 5] = ["at", "local", "queue", "now", "draft"];

/// What begins the name of a column with a setting for one network.
const OPTION: &str = "option.";

/// The column that a field of the API's own body is written in.
pub(super) fn column_of(field: &str) -> &str {
    let whole = field.split(['[', '.']).next().unwrap_or(field);
    let whole = match whole {
        "mediaItems" => "mediaIds",
        "Idempotency-Key" => "key",
        other => other,
    };
    let known = COLUMNS.into_iter().find(|(_, known)| *known == whole);
    known.map_or(whole, |(column, _)| column)
}

fn column_names() -> String {
    COLUMNS.map(|(column, _)| column).join(", ")
}

/// The header of a file, and how its cells are kept apart.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// The name of each column; `None` for one that is not known.
    columns: Vec<Option<String>>,
    delimiter: u8,
}

impl Sheet {
    /// Reads the header; the delimiter is found out where none is given. Returns where the records
    /// begin, and what is wrong with the header.
    pub(super) fn read(bytes: &[u8], delimiter: Option<u8>) -> (Self, usize, Vec<Fault>) {
        let begin = skip_breaks(bytes, 0);
        let line = Lines::default().at(bytes, begin);
        let delimiter = delimiter.unwrap_or_else(|| detect(&bytes[begin..]));
        let mut header = csv::ByteRecord::new();
        let mut reader = reader(&bytes[begin..], delimiter, 1024);
        let is_there = reader.read_byte_record(&mut header).unwrap_or(false);
        let end = begin + usize::try_from(reader.position().byte()).unwrap_or_default();
        if !is_there {
            let fault = Fault::error(line, "line", "the file is empty")
                .advised(format!("begin it with the names of the columns: {}", column_names()));
            return (Self { columns: Vec::new(), delimiter }, bytes.len(), vec![fault]);
        }
        let mut faults = Vec::new();
        let mut columns: Vec<Option<String>> = Vec::with_capacity(header.len());
        for (index, cell) in header.iter().enumerate() {
            let name = String::from_utf8_lossy(cell).trim().to_owned();
            let known = match known(&name) {
                Ok(known) if columns.contains(&Some(known.clone())) => {
                    faults.push(Fault::error(line, &name, "the column is there twice"));
                    None
                }
                Ok(known) => Some(known),
                Err(advice) => {
                    let number = index + 1;
                    let fault = if name.is_empty() {
                        Fault::error(line, "line", format!("column {number} has no name"))
                    } else {
                        Fault::error(line, &name, "the column is not known")
                    };
                    faults.push(fault.advised(advice));
                    None
                }
            };
            columns.push(known);
        }
        let has = |name: &str| columns.iter().flatten().any(|column| column == name);
        // A misspelt name is told of once.
        if faults.is_empty() && !has("to") {
            let fault = Fault::error(line, "to", "the file has no column to");
            faults.push(fault.advised("add one that says where each post goes, such as bluesky,mastodon:@me; cells are kept apart by commas, semicolons or tabs (--delimiter)"));
        }
        if faults.is_empty() && !TIMES.iter().any(|name| has(name)) {
            let fault = Fault::error(line, "at", "the file has no column that says when");
            faults.push(fault.advised("add one of at, local, queue, now and draft"));
        }
        (Self { columns, delimiter }, end, faults)
    }

    /// Finds every record from `begin` on. Lines without a single filled cell are none.
    pub(super) fn records(&self, bytes: &[u8], begin: usize) -> Vec<Record> {
        let mut records = Vec::new();
        let mut reader = reader(&bytes[begin..], self.delimiter, 64 * 1024);
        let mut record = csv::ByteRecord::new();
        let mut lines = Lines::default();
        let mut from = begin;
        while reader.read_byte_record(&mut record).unwrap_or(false) {
            let to = begin + usize::try_from(reader.position().byte()).unwrap_or_default();
            let start = skip_breaks(bytes, from);
            from = to;
            if record.iter().any(|cell| !cell.trim_ascii().is_empty()) {
                records.push(Record { line: lines.at(bytes, start), start, end: to });
            }
        }
        records
    }

    /// A record as a post.
    pub(super) fn entry(
        &self,
        bytes: &[u8],
        record: &Record,
        folder: &Path,
    ) -> Result<Entry, Vec<Fault>> {
        let line = record.line;
        let raw = &bytes[record.range()];
        let mut cells = csv::ByteRecord::new();
        let _ = reader(raw, self.delimiter, raw.len() + 1).read_byte_record(&mut cells);
        if is_unclosed(raw, self.delimiter) {
            let fault = Fault::error(line, "line", "a quotation mark is opened and never closed");
            let advice = "close it; a quotation mark within a cell is written twice (\"\")";
            return Err(vec![fault.advised(advice)]);
        }
        let mut faults = Vec::new();
        let extra = cells.iter().skip(self.columns.len()).any(|cell| !cell.trim_ascii().is_empty());
        if extra || cells.len() < self.columns.len() {
            let (found, wanted) = (cells.len(), self.columns.len());
            let said = format!("{found} cells, but the header has {wanted}");
            let advice = "put a cell that holds the delimiter or a line end in quotation marks";
            faults.push(Fault::error(line, "line", said).advised(advice));
        }
        let mut texts: Vec<(&str, &str)> = Vec::new();
        for (name, cell) in self.columns.iter().zip(cells.iter()) {
            let Some(name) = name else { continue };
            match std::str::from_utf8(cell) {
                Ok(text) if text.trim().is_empty() => {}
                // Only a text keeps the spaces around it.
                Ok(text) => texts.push((name, if name == "content" { text } else { text.trim() })),
                Err(error) => {
                    let at = error.valid_up_to() + 1;
                    let said = format!("byte {at} of the cell is not UTF-8");
                    faults
                        .push(Fault::error(line, name, said).advised("save the file as CSV UTF-8"));
                }
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let cells = texts.iter().copied().filter(|(name, _)| *name != "key");
        let digest = LineDigest::of_cells(cells);
        let mut cells = Cells {
            line,
            folder,
            faults,
            body: Map::new(),
            to: Vec::new(),
            files: Vec::new(),
            options: Vec::new(),
            key: None,
        };
        for (name, text) in texts {
            cells.read(name, text);
        }
        cells.finish(digest)
    }
}

/// The cells of one record, as they are read.
struct Cells<'a> {
    line: u64,
    folder: &'a Path,
    faults: Vec<Fault>,
    body: Map<String, Value>,
    to: Vec<TargetSpec>,
    files: Vec<ImportFile>,
    options: Vec<OptionArgument>,
    key: Option<String>,
}

impl Cells<'_> {
    fn read(&mut self, name: &str, text: &str) {
        match name {
            "content" | "link" | "at" | "local" => self.set(name, json!(text)),
            "queue" | "now" | "draft" => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "x" | "1" => self.set(name, json!(true)),
                "false" | "no" | "0" => {}
                _ => {
                    let text = excerpt(text, 40);
                    self.wrong(name, format!("\"{text}\" is neither true nor false"));
                }
            },
            "alt" => {
                let texts = pieces(text).map(|piece| (!piece.is_empty()).then_some(piece));
                self.set(name, texts.collect());
            }
            "disclose" => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                match words.map(str::parse).collect::<Result<Vec<Disclosed>, _>>() {
                    Ok(told) => self.set(name, json!(Disclosure::from_iter(told))),
                    Err(reason) => self.wrong(name, reason),
                }
            }
            "key" => match idempotency_key(text) {
                Ok(key) => self.key = Some(key),
                Err(reason) => self.wrong(name, reason),
            },
            "to" => {
                for spec in text.split(',').map(str::trim).filter(|spec| !spec.is_empty()) {
                    match spec.parse() {
                        Ok(spec) => self.to.push(spec),
                        Err(reason) => self.wrong_target(reason, spec),
                    }
                }
            }
            "media" => {
                for piece in pieces(text).filter(|piece| !piece.is_empty()) {
                    match media(piece, self.folder) {
                        Ok(file) if self.files.contains(&file) => {
                            let said = format!("{piece} is named twice; a post has a file once");
                            self.wrong(name, said);
                        }
                        Ok(file) => self.files.push(file),
                        Err(reason) => self.wrong(name, format!("{piece}: {reason}")),
                    }
                }
            }
            _ => {
                let setting = name.strip_prefix(OPTION).unwrap_or(name);
                match format!("{setting}={text}").parse() {
                    Ok(option) => self.options.push(option),
                    Err(reason) => self.wrong(name, reason),
                }
            }
        }
    }

    fn set(&mut self, column: &str, value: Value) {
        let field = COLUMNS.into_iter().find(|(known, _)| *known == column);
        self.body.extend(field.map(|(_, field)| (field.to_owned(), value)));
    }

    fn wrong(&mut self, name: &str, reason: impl Into<String>) {
        self.faults.push(Fault::error(self.line, name, reason));
    }

    /// Refuses a target. The list of all networks would make the table as wide.
    fn wrong_target(&mut self, reason: String, spec: &str) {
        let network = spec.split(':').next().unwrap_or(spec);
        if network.parse::<Platform>().is_ok() {
            return self.wrong("to", reason);
        }
        let is_account = network.starts_with('@');
        let said = if is_account { reason } else { format!("{network:?} is not a network") };
        let networks = Platform::ALL.map(Platform::as_str);
        let meant = did_you_mean(nearest(network, networks.into_iter().chain(["all"])));
        let fault = Fault::error(self.line, "to", said);
        self.faults.push(fault.advised(format!("{meant}`scheduler platforms` lists the networks")));
    }

    fn finish(mut self, digest: LineDigest) -> Result<Entry, Vec<Fault>> {
        if self.to.is_empty() && !self.faults.iter().any(|fault| fault.field == "to") {
            let fault = Fault::error(self.line, "to", "the cell is empty");
            self.faults.push(
                fault.advised("say where the post goes, such as bluesky,mastodon:@me or all"),
            );
        }
        let options = Options::gather(&self.options).unwrap_or_default();
        let goes_to = |platform: Platform| {
            self.to.iter().any(|spec| match spec {
                TargetSpec::All | TargetSpec::Set(_) => true,
                TargetSpec::Network(network) | TargetSpec::Account(network, _) => {
                    *network == platform
                }
            })
        };
        // A table has the columns of all networks; a setting for one that the line does not go to
        // is a slip.
        for platform in options.platforms().filter(|platform| !goes_to(*platform)) {
            let said = format!("the post does not go to {platform}");
            let fault = Fault::error(self.line, &format!("{OPTION}{platform}"), said);
            self.faults
                .push(fault.advised(format!("empty the cell, or add {platform} to the cell to")));
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let Self { line, body, to, files, key, .. } = self;
        Ok(Entry { line, key, digest, body, target: ImportTarget::Specs(to, options), files })
    }
}

/// The pieces of a cell that holds several: one a line, else with `|` between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mark = if text.contains('\n') { '\n' } else { '|' };
    text.split(mark).map(str::trim)
}

/// A file as a cell names it, or another system.
pub(super) fn media(text: &str, folder: &Path) -> Result<ImportFile, String> {
    if text.starts_with("https://") {
        let url: Url = text.parse().map_err(|_| "is no address".to_owned())?;
        return match kind_of(&url) {
            Ok(_) => Ok(ImportFile::Address(url)),
            Err(_) => Err("the end of the address does not say whether it is a picture or a video; upload it with `scheduler media upload --source-url … --kind …` and write its id".to_owned()),
        };
    }
    if text.starts_with("http://") {
        return Err("the server fetches files from https addresses only".to_owned());
    }
    match text.parse::<MediaArgument>()? {
        MediaArgument::Id(id) => Ok(ImportFile::Stored(id)),
        MediaArgument::File(path) => Ok(ImportFile::Local(text.to_owned(), folder.join(path))),
    }
}

fn did_you_mean(name: Option<impl Display>) -> String {
    name.map(|name| format!("did you mean {name}? ")).unwrap_or_default()
}

/// The name of a known column, or what to do about an unknown one.
fn known(name: &str) -> Result<String, String> {
    let lower = name.to_ascii_lowercase();
    let columns = COLUMNS.map(|(column, _)| column);
    if columns.contains(&lower.as_str()) {
        return Ok(lower);
    }
    let parts: Vec<&str> = name.splitn(3, '.').collect();
    if let [option, network, key] = parts[..]
        && option.eq_ignore_ascii_case("option")
    {
        return known_option(&network.to_ascii_lowercase(), key);
    }
    if name.is_empty() {
        return Err("name it, or take it out of the file".to_owned());
    }
    let of_the_api = COLUMNS.into_iter().find(|(_, field)| field.eq_ignore_ascii_case(name));
    let near = of_the_api.map(|(column, _)| column.to_owned());
    let near = near.or_else(|| nearest(&lower, columns.into_iter().chain(["option.NETWORK.KEY"])));
    let meant = did_you_mean(near);
    Err(format!("{meant}Known are {} and option.NETWORK.KEY", column_names()))
}

fn known_option(network: &str, key: &str) -> Result<String, String> {
    let Ok(platform) = network.parse::<Platform>() else {
        let near = nearest(network, Platform::ALL.map(Platform::as_str));
        return Err(match near {
            Some(near) => format!("did you mean {OPTION}{near}.{key}?"),
            None => "`scheduler platforms` lists the networks".to_owned(),
        });
    };
    let sheet = platform.sheet();
    if sheet.option(key).is_some() {
        return Ok(format!("{OPTION}{platform}.{key}"));
    }
    let near = closest(key, sheet.options.iter().map(|option| option.key));
    Err(format!("did you mean {OPTION}{platform}.{near}?"))
}

/// The name that is most like another, with its capitals.
fn closest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known.min_by_key(|name| strsim::damerau_levenshtein(unknown, name)).unwrap_or("KEY")
}

/// The delimiter under which the first line names most known columns.
fn detect(bytes: &[u8]) -> u8 {
    let named = |delimiter: u8| {
        let mut header = csv::ByteRecord::new();
        let _ = reader(bytes, delimiter, 1024).read_byte_record(&mut header);
        let name = |cell: &[u8]| String::from_utf8_lossy(cell).trim().to_owned();
        let found = header.iter().filter(|cell| known(&name(cell)).is_ok()).count();
        (found, header.len())
    };
    // The last of equals counts.
    [b'\t', b';', b','].into_iter().max_by_key(|delimiter| named(*delimiter)).unwrap_or(b',')
}

fn reader(bytes: &[u8], delimiter: u8, buffer: usize) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .buffer_capacity(buffer)
        .from_reader(bytes)
}

/// Whether a cell in quotation marks is still open at the end of a record.
fn is_unclosed(raw: &[u8], delimiter: u8) -> bool {
    let (mut is_open, mut is_start) = (false, true);
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if is_open {
            // Two in a row stand for one.
            is_open = byte != b'"' || bytes.next_if_eq(&b'"').is_some();
        } else if is_start && byte == b'"' {
            (is_open, is_start) = (true, false);
        } else {
            is_start = byte == delimiter;
        }
    }
    is_open
}

#[cfg(test)]
mod tests;
