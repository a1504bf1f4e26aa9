//! What has arrived of an upload, a line for each part.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Where the bytes of a part lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In their place among the others.
    Data,
    /// In a file of their own, of this name.
    Beside(String),
}

/// A part that has arrived whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    /// Its number, from 1.
    pub(super) part_number: u32,
    /// How many bytes it has.
    pub(super) bytes: u64,
    /// The ETag of its bytes, in hex.
    pub(super) etag: String,
    /// Where they lie.
    pub(super) place: Place,
}

/// What has arrived, in the order in which it did.
#[derive(Debug, Default)]
pub(super) struct Arrivals(Vec<Arrival>);

impl Arrivals {
    /// Reads a log; a line that a crash has cut off counts for nothing.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let text = std::fs::read(path)?;
        Ok(Self::parse(&String::from_utf8_lossy(&text)))
    }

    fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(parse_line).collect())
    }

    /// Which arrival of each part counts: the last.
    pub(super) fn latest(&self) -> BTreeMap<u32, &Arrival> {
        self.0.iter().map(|arrival| (arrival.part_number, arrival)).collect()
    }

    /// The files of a part that no longer count.
    pub(super) fn outdated(&self, part_number: u32) -> Vec<&str> {
        let of_part = self.0.iter().filter(|arrival| arrival.part_number == part_number);
        let mut names: Vec<&str> = of_part
            .map(|arrival| match &arrival.place {
                Place::Data => "",
                Place::Beside(name) => name.as_str(),
            })
            .collect();
        names.pop();
        names.retain(|name| !name.is_empty());
        names
    }
}

/// Adds a line, durably.
pub(super) fn append(path: &Path, arrival: &Arrival) -> io::Result<()> {
    let mut log = OpenOptions::new().append(true).open(path)?;
    // In one write, begun by a line end that parts it from a line that was cut off.
    log.write_all(line(arrival).as_bytes())?;
    log.sync_data()
}

/// Opens the log to be locked, by a handle of its own.
pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

fn line(arrival: &Arrival) -> String {
    let Arrival { part_number, bytes, etag, place } = arrival;
    let place = match place {
        Place::Data => "data",
        Place::Beside(name) => name,
    };
    format!("\n{part_number} {bytes} {etag} {place}\n")
}

fn parse_line(line: &str) -> Option<Arrival> {
    let mut words = line.split(' ');
    let part_number: u32 = words.next()?.parse().ok()?;
    let bytes = words.next()?.parse().ok()?;
    let etag = words.next().filter(|etag| is_hex(etag, 32))?;
    let place = match words.next()? {
        "data" => Place::Data,
        name => {
            let random = name.strip_prefix(&format!("{}.", beside(part_number)))?;
            is_hex(random, 32).then(|| Place::Beside(name.to_owned()))?
        }
    };
    let is_whole = words.next().is_none();
    is_whole.then(|| Arrival { part_number, bytes, etag: etag.to_owned(), place })
}

/// The beginning of the names of files that hold a part of their own.
pub(super) fn beside(part_number: u32) -> String {
    format!("part-{part_number}")
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length
        && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(part_number: u32, etag: &str, place: Place) -> Arrival {
        Arrival { part_number, bytes: 7, etag: etag.repeat(32), place }
    }

    fn file(part_number: u32, digit: &str) -> Place {
        Place::Beside(format!("part-{part_number}.{}", digit.repeat(32)))
    }

    #[test]
    fn the_last_line_of_a_part_counts() {
        let log: String = [
            arrival(2, "a", Place::Data),
            arrival(1, "b", file(1, "1")),
            arrival(1, "c", file(1, "2")),
            arrival(2, "d", file(2, "3")),
            arrival(1, "e", Place::Data),
        ]
        .iter()
        .map(line)
        .collect();
        let arrivals = Arrivals::parse(&log);
        let latest = arrivals.latest();
        assert_eq!(latest[&1], &arrival(1, "e", Place::Data));
        assert_eq!(latest[&2], &arrival(2, "d", file(2, "3")));
        assert_eq!(arrivals.outdated(1).len(), 2);
        assert_eq!(arrivals.outdated(2), Vec::<&str>::new());
    }

    #[test]
    fn a_line_cut_off_anywhere_counts_for_nothing_and_spoils_no_other() {
        let whole = line(&arrival(3, "f", file(3, "a")));
        for end in 0..whole.trim_end().len() {
            let text = format!("{}{}", &whole[..end], line(&arrival(4, "0", Place::Data)));
            let arrivals = Arrivals::parse(&text);
            let numbers: Vec<u32> = arrivals.latest().into_keys().collect();
            assert_eq!(numbers, [4], "cut off at {end}");
        }
    }

    #[test]
    fn a_name_that_is_no_part_counts_for_nothing() {
        let etag = "0".repeat(32);
        for place in ["../../x", "whole", "part-2.", "part-1.zz", "data x"] {
            let arrivals = Arrivals::parse(&format!("1 7 {etag} {place}\n"));
            assert!(arrivals.latest().is_empty(), "{place}");
        }
    }
}
