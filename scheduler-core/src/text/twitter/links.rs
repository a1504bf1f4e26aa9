//! Where the links of a text are, with and without a scheme.

use std::ops::Range;

use super::super::chars::{before, run_end};
use super::domain::{fits, is_invalid, is_label_character, is_latin_accent, top_level_domain_end};
use super::tail::{ShortLink, short_link, tail};

/// Longest link, in UTF-16 code units with a scheme.
///
/// Source: <https://github.com/twitter/twitter-text>, `MAX_URL_LENGTH`.
const MAX_LENGTH: usize = 4096;

/// Length of the scheme that a link without one counts as having.
const DEFAULT_SCHEME_LENGTH: usize = "https://".len();

/// Finds the links of a text in normal form, as bytes of it, in order and without overlap.
///
/// A link has `http://` or `https://`, or it is a domain in ASCII and accented Latin letters. Its
/// domain ends in a known top-level domain.
///
/// Source: <https://github.com/twitter/twitter-text>, `extractUrlsWithIndices`.
#[must_use]
pub fn links(text: &str) -> Vec<Range<usize>> {
    let mut search = Search { text, free_from: 0, found: Vec::new() };
    let mut labels = Vec::new();
    let mut from = 0;
    // Every link has a full stop, so each search starts from one and goes back to its word.
    while let Some(offset) = text[from..].find('.') {
        let head = &text[from..from + offset];
        let start = head.rfind(|character| !in_label(character)).map_or(from, |last| {
            from + last + head[last..].chars().next().map_or(0, char::len_utf8)
        });
        let end = read_labels(text, start, &mut labels);
        search.run(&labels);
        from = end.max(search.free_from);
    }
    search.found
}

/// A stretch between full stops.
struct Label {
    start: usize,
    end: usize,
    /// The byte after the last `_`, or the start.
    after_underscore: usize,
    starts_well: bool,
    ends_well: bool,
    /// The end of the top-level domain that the label starts with.
    top_level_end: Option<usize>,
    /// The last label that can be the top-level domain of a domain that starts with this label.
    reach: Option<usize>,
}

fn in_label(character: char) -> bool {
    is_label_character(character) || character == '-' || character == '_'
}

/// Reads the labels from byte `start` on and gives the byte after the last one.
fn read_labels(text: &str, start: usize, labels: &mut Vec<Label>) -> usize {
    labels.clear();
    let end = run_end(text, start, |character| in_label(character) || character == '.');
    let mut at = start;
    for label in text[start..end].split('.') {
        let top_level_end = if labels.is_empty() { None } else { top_level_domain_end(text, at) };
        labels.push(Label {
            start: at,
            end: at + label.len(),
            after_underscore: label.rfind('_').map_or(at, |last| at + last + 1),
            starts_well: label.starts_with(is_label_character),
            ends_well: label.ends_with(is_label_character),
            top_level_end,
            reach: None,
        });
        at += label.len() + 1;
    }
    for index in (0..labels.len()).rev() {
        labels[index].reach = reach(labels, index, labels[index].start);
    }
    end
}

/// The label that is the top-level domain of the longest domain from byte `start` of a label.
fn reach(labels: &[Label], index: usize, start: usize) -> Option<usize> {
    let (label, next) = (&labels[index], labels.get(index + 1)?);
    let starts_well = start > label.start || label.starts_well;
    if !starts_well || !label.ends_well || start >= label.end {
        return None;
    }
    // The label right before the top-level domain holds no underscore.
    next.reach.or_else(|| {
        (next.top_level_end.is_some() && label.after_underscore <= start).then_some(index + 1)
    })
}

struct Search<'a> {
    text: &'a str,
    /// The byte after the last match, from which on the next one may take characters.
    free_from: usize,
    found: Vec<Range<usize>>,
}

/// A link without what follows its domain.
struct Start {
    /// The byte that the link starts at.
    at: usize,
    /// The byte that the domain starts at.
    domain: usize,
    /// The label that is the top-level domain.
    top_level: usize,
    /// The character before the link.
    preceding: Option<char>,
}

impl Search<'_> {
    fn run(&mut self, labels: &[Label]) {
        let mut index = 0;
        while index + 1 < labels.len() {
            let Some(start) = self.start_in(labels, index) else {
                index += 1;
                continue;
            };
            index = start.top_level;
            let domain_end = labels[index].top_level_end.unwrap_or(labels[index].end);
            let tail = tail(self.text, domain_end);
            self.free_from = tail.end;
            let domain = start.domain..domain_end;
            if !is_valid(self.text, start.at..tail.end, domain.clone()) {
                continue;
            }
            if start.at < start.domain {
                self.take_with_scheme(start.at..tail.end);
            } else if !matches!(start.preceding, Some('-' | '_' | '.' | '/')) {
                self.take_without_scheme(domain, tail.has_path.then_some(tail.end));
            }
        }
    }

    /// The leftmost link whose domain starts in a label.
    fn start_in(&self, labels: &[Label], index: usize) -> Option<Start> {
        let text = self.text;
        let label = &labels[index];
        let next = labels.get(index + 1)?;
        if !label.ends_well || (next.reach.is_none() && next.top_level_end.is_none()) {
            return None;
        }
        let domain_at = |domain: usize| {
            let starts_well = text[domain..].starts_with(is_label_character);
            let top_level = reach(labels, index, domain).filter(|_| starts_well)?;
            Some(Start { at: domain, domain, top_level, preceding: before(text, domain) })
        };
        if label.start >= self.free_from {
            if let Some(at) = self.scheme_before(label.start)
                && let Some(start) = domain_at(label.start)
            {
                return Some(Start { at, ..start });
            }
            if label.start == 0 {
                // At the start of a text the first character rather stands before the link.
                let first = text[label.start..].chars().next()?;
                let after_first = (may_precede(first) && !is_astral(first))
                    .then(|| domain_at(first.len_utf8()))
                    .flatten();
                if let Some(start) = after_first.or_else(|| domain_at(0)) {
                    return Some(start);
                }
            } else if label.start > self.free_from
                && before(text, label.start).is_some_and(may_precede)
                && let Some(start) = domain_at(label.start)
            {
                return Some(start);
            }
        }
        let from = label.start.max(self.free_from);
        if from >= label.end {
            return None;
        }
        text[from..label.end].char_indices().find_map(|(offset, character)| {
            let at = from + offset;
            // The library sees two halves of such a character: one stands before the other.
            if is_astral(character) {
                domain_at(at).map(|start| Start { preceding: Some(character), ..start })
            } else if may_precede(character) {
                domain_at(at + character.len_utf8())
            } else {
                None
            }
        })
    }

    /// The start of the scheme that ends at byte `at`.
    fn scheme_before(&self, at: usize) -> Option<usize> {
        let head = &self.text.as_bytes()[self.free_from..at];
        let scheme = ["https://", "http://"].into_iter().find(|scheme| {
            head.len()
                .checked_sub(scheme.len())
                .is_some_and(|start| head[start..].eq_ignore_ascii_case(scheme.as_bytes()))
        })?;
        let start = at - scheme.len();
        let is_free = start == 0
            || (start > self.free_from && before(self.text, start).is_some_and(may_precede));
        is_free.then_some(start)
    }

    fn take_with_scheme(&mut self, mut link: Range<usize>) {
        match short_link(&self.text[link.clone()]) {
            Some(ShortLink::TooLong) => return,
            Some(ShortLink::EndsAt(length)) => link.end = link.start + length,
            None => {}
        }
        self.found.push(link);
    }

    /// Takes the domains in Latin letters out of a domain; the last one gets the path.
    fn take_without_scheme(&mut self, domain: Range<usize>, path_end: Option<usize>) {
        let mut found = latin_domains(self.text, domain.clone());
        if let Some(path_end) = path_end
            && let Some(last) = found.last_mut()
        {
            // Where the last one is not the end of the whole, the library takes as many units
            // after it as the path has.
            let units = self.text[domain.end..path_end].encode_utf16().count();
            last.end = if last.end == domain.end {
                path_end
            } else {
                units_after(self.text, last.end, units)
            };
        }
        self.found.append(&mut found);
    }
}

/// The domains in Latin letters inside a domain.
fn latin_domains(text: &str, domain: Range<usize>) -> Vec<Range<usize>> {
    let is_latin = |character: char| {
        character.is_ascii_alphanumeric() || character == '-' || is_latin_accent(character)
    };
    let head = &text[..domain.end];
    let mut found = Vec::new();
    let mut from = domain.start;
    while let Some(offset) = head[from..].find(is_latin) {
        let start = from + offset;
        let mut at = run_end(head, start, is_latin);
        let mut end = None;
        while head[at..].starts_with('.') {
            end = top_level_domain_end(head, at + 1).or(end);
            let next = run_end(head, at + 1, is_latin);
            if next == at + 1 {
                break;
            }
            at = next;
        }
        found.extend(end.map(|end| start..end));
        from = end.unwrap_or(at);
    }
    found
}

/// The byte after so many UTF-16 code units from byte `at` on.
fn units_after(text: &str, at: usize, units: usize) -> usize {
    let mut left = units;
    for (offset, character) in text[at..].char_indices() {
        match left.checked_sub(character.len_utf16()) {
            Some(rest) if left > 0 => left = rest,
            Some(_) | None => return at + offset,
        }
    }
    text.len()
}

fn is_valid(text: &str, link: Range<usize>, domain: Range<usize>) -> bool {
    let name = &text[domain.clone()];
    let scheme_length = match domain.start - link.start {
        0 => DEFAULT_SCHEME_LENGTH,
        length => length,
    };
    // An encoded domain is all ASCII.
    let is_spoilt = name.starts_with("xn--") && latin_domains(name, 0..name.len()).is_empty();
    let length = || scheme_length + text[link.clone()].encode_utf16().count();
    let is_short = scheme_length + link.len() <= MAX_LENGTH || length() <= MAX_LENGTH;
    !is_spoilt && is_short && fits(name)
}

const fn is_astral(character: char) -> bool {
    character.len_utf16() == 2
}

/// Whether a link may stand right after a character.
const fn may_precede(character: char) -> bool {
    !character.is_ascii_alphanumeric()
        && !matches!(character, '@' | '＠' | '$' | '#' | '＃')
        && !is_invalid(character)
}
