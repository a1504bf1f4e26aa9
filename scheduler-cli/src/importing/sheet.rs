//! A CSV file: its header, its records, and a record as a post.

use std::ops::Range;
use std::path::Path;

use scheduler_core::platform::Platform;
use serde_json::{Map, Value, json};
use url::Url;

use super::entry::{Aim, Entry, LineDigest, Piece};
use super::fault::Fault;
use super::records::{Lines, Record, skip_breaks};
use crate::names::nearest;
use crate::posting::{MediaArgument, OptionArgument, Options, Wish};

/// The columns that every file may have, besides `option.NETWORK.KEY`.
pub(super) const COLUMNS: [&str; 11] =
    ["content", "link", "media", "alt", "to", "at", "local", "queue", "now", "draft", "key"];

/// How the API calls what a column holds, in small letters.
const FIELDS_OF_THE_API: [(&str, &str); 8] = [
    ("alttexts", "alt"),
    ("linkurl", "link"),
    ("mediaids", "media"),
    ("publishnow", "now"),
    ("saveasdraft", "draft"),
    ("scheduledat", "at"),
    ("scheduledlocal", "local"),
    ("targets", "to"),
];

/// The columns that say when a post goes out.
const TIMES: [&str; 5] = ["at", "local", "queue", "now", "draft"];

/// What begins the name of a column with a setting for one network.
const OPTION: &str = "option.";

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
                .advised(format!("begin it with the names of the columns: {}", COLUMNS.join(", ")));
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
    ///
    /// # Errors
    /// Everything that keeps it from being read.
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
            return Err(vec![
                fault.advised("close it; a quotation mark within a cell is written twice (\"\")"),
            ]);
        }
        let mut faults = Vec::new();
        let extra = cells.iter().skip(self.columns.len()).any(|cell| !cell.trim_ascii().is_empty());
        if extra || cells.len() < self.columns.len() {
            let (found, wanted) = (cells.len(), self.columns.len());
            let fault =
                Fault::error(line, "line", format!("{found} cells, but the header has {wanted}"));
            faults.push(
                fault.advised(
                    "put a cell that holds the delimiter or a line end in quotation marks",
                ),
            );
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
                    let fault =
                        Fault::error(line, name, format!("byte {at} of the cell is not UTF-8"));
                    faults.push(fault.advised("save the file as CSV UTF-8"));
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
    to: Vec<Wish>,
    files: Vec<Piece>,
    options: Vec<OptionArgument>,
    key: Option<String>,
}

impl Cells<'_> {
    fn read(&mut self, name: &str, text: &str) {
        match name {
            "content" => self.set("content", json!(text)),
            "link" => self.set("linkUrl", json!(text)),
            "at" => self.set("scheduledAt", json!(text)),
            "local" => self.set("scheduledLocal", json!(text)),
            "queue" => self.flag(name, "queue", text),
            "now" => self.flag(name, "publishNow", text),
            "draft" => self.flag(name, "saveAsDraft", text),
            "alt" => {
                let texts: Vec<Value> = pieces(text)
                    .map(|piece| if piece.is_empty() { Value::Null } else { json!(piece) })
                    .collect();
                self.set("altTexts", json!(texts));
            }
            "key" => match crate::commands::idempotency_key(text) {
                Ok(key) => self.key = Some(key),
                Err(reason) => self.wrong(name, reason),
            },
            "to" => {
                for wish in text.split(',').map(str::trim).filter(|wish| !wish.is_empty()) {
                    match wish.parse() {
                        Ok(wish) => self.to.push(wish),
                        Err(reason) => self.wrong_name(name, reason, wish),
                    }
                }
            }
            "media" => {
                for piece in pieces(text).filter(|piece| !piece.is_empty()) {
                    match media(piece, self.folder) {
                        Ok(file) if self.files.contains(&file) => {
                            self.wrong(
                                name,
                                format!("{piece} is named twice; a post has a file once"),
                            );
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

    fn set(&mut self, field: &str, value: Value) {
        self.body.insert(field.to_owned(), value);
    }

    fn flag(&mut self, name: &str, field: &str, text: &str) {
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "x" | "1" => self.set(field, json!(true)),
            "false" | "no" | "0" => {}
            _ => self.wrong(
                name,
                format!("\"{}\" is neither true nor false", crate::printer::excerpt(text, 40)),
            ),
        }
    }

    fn wrong(&mut self, name: &str, reason: impl Into<String>) {
        self.faults.push(Fault::error(self.line, name, reason));
    }

    fn wrong_name(&mut self, name: &str, reason: String, wish: &str) {
        let network = wish.split(':').next().unwrap_or(wish);
        let is_known = network.parse::<Platform>().is_ok();
        self.faults.push(if is_known {
            Fault::error(self.line, name, reason)
        } else {
            // The list of all of them would make the table as wide.
            let said = reason.split(';').next().unwrap_or_default().to_owned();
            let networks = Platform::ALL.map(Platform::as_str);
            let meant = match nearest(network, networks.into_iter().chain(["all"])) {
                Some(near) => format!("did you mean {near}? "),
                None => String::new(),
            };
            let advice = format!("{meant}`scheduler platforms` lists the networks");
            Fault::error(self.line, name, said).advised(advice)
        });
    }

    fn finish(mut self, digest: LineDigest) -> Result<Entry, Vec<Fault>> {
        let has_error =
            |faults: &[Fault], field: &str| faults.iter().any(|fault| fault.field == field);
        if self.to.is_empty() && !has_error(&self.faults, "to") {
            let fault = Fault::error(self.line, "to", "the cell is empty");
            self.faults.push(
                fault.advised("say where the post goes, such as bluesky,mastodon:@me or all"),
            );
        }
        let options = Options::gather(&self.options).unwrap_or_default();
        let goes_to = |platform: Platform| {
            self.to.iter().any(|wish| match wish {
                Wish::All => true,
                Wish::Network(network) | Wish::Account(network, _) => *network == platform,
            })
        };
        // A table has the columns of all networks; a setting for one that the line does not go to
        // is a slip.
        for platform in options.platforms().filter(|platform| !goes_to(*platform)) {
            let fault = Fault::error(
                self.line,
                &format!("{OPTION}{platform}"),
                format!("the post does not go to {platform}"),
            );
            self.faults
                .push(fault.advised(format!("empty the cell, or add {platform} to the cell to")));
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let Self { line, body, to, files, key, .. } = self;
        Ok(Entry { line, key, digest, body, aim: Aim::Wishes(to, options), files })
    }
}

/// The pieces of a cell that holds several: one a line, else with `|` between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mark = if text.contains('\n') { '\n' } else { '|' };
    text.split(mark).map(str::trim)
}

/// A file as a cell names it.
fn media(text: &str, folder: &Path) -> Result<Piece, String> {
    if text.starts_with("https://") {
        let url: Url = text.parse().map_err(|_| "is no address".to_owned())?;
        return match crate::commands::kind_of(&url) {
            Ok(_) => Ok(Piece::Address(url)),
            Err(_) => Err("the end of the address does not say whether it is a picture or a video; upload it with `scheduler media upload --source-url … --kind …` and write its id".to_owned()),
        };
    }
    if text.starts_with("http://") {
        return Err("the server fetches files from https addresses only".to_owned());
    }
    match text.parse::<MediaArgument>()? {
        MediaArgument::Id(id) => Ok(Piece::Stored(id)),
        MediaArgument::File(path) => Ok(Piece::Local(text.to_owned(), folder.join(path))),
    }
}

/// The name of a known column, or what to do about an unknown one.
fn known(name: &str) -> Result<String, String> {
    let lower = name.to_ascii_lowercase();
    if COLUMNS.contains(&lower.as_str()) {
        return Ok(lower);
    }
    let mut parts = name.splitn(3, '.');
    let is_option = parts.next().is_some_and(|part| part.eq_ignore_ascii_case("option"));
    if let (true, Some(network), Some(key)) = (is_option, parts.next(), parts.next()) {
        let network = network.to_ascii_lowercase();
        return match network.parse::<Platform>() {
            Ok(platform) if platform.sheet().option(key).is_some() => {
                Ok(format!("{OPTION}{platform}.{key}"))
            }
            Ok(platform) => {
                let keys = platform.sheet().options.iter().map(|option| option.key);
                let near = closest(key, keys);
                Err(format!("did you mean {OPTION}{platform}.{near}?"))
            }
            Err(_) => {
                let near = nearest(&network, Platform::ALL.map(Platform::as_str));
                Err(match near {
                    Some(near) => format!("did you mean {OPTION}{near}.{key}?"),
                    None => "`scheduler platforms` lists the networks".to_owned(),
                })
            }
        };
    }
    if name.is_empty() {
        return Err("name it, or take it out of the file".to_owned());
    }
    let of_the_api = FIELDS_OF_THE_API.iter().find(|(field, _)| *field == lower);
    let near = of_the_api.map(|(_, column)| (*column).to_owned());
    let near = near.or_else(|| nearest(&lower, COLUMNS.into_iter().chain(["option.NETWORK.KEY"])));
    let meant = match near {
        Some(near) => format!("did you mean {near}? "),
        None => String::new(),
    };
    Err(format!("{meant}Known are {} and option.NETWORK.KEY", COLUMNS.join(", ")))
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

impl Record {
    /// Where it stands in the file.
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

#[cfg(test)]
mod tests;
