//! Atoms (also called boxes), of which MP4, QuickTime, HEIF and AVIF are made.

use std::io::{Read, Seek};

use crate::MeasureError;
use crate::source::Source;

/// An atom: its name, and where its content lies.
///
/// Source: ISO/IEC 14496-12, 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) name: [u8; 4],
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Atom {
    /// The atoms that it holds.
    pub(crate) const fn children(&self) -> Atoms {
        Atoms::within(self.start, self.end)
    }

    /// The atoms that it holds behind a version and flags.
    pub(crate) const fn children_of_full(&self) -> Atoms {
        Atoms::within(self.start + 4, self.end)
    }

    /// Whether `count` more bytes of its content lie at a place.
    pub(crate) const fn holds(&self, at: u64, count: u64) -> bool {
        at >= self.start && at <= self.end && self.end - at >= count
    }
}

/// Atoms one after the other.
pub(crate) struct Atoms {
    at: u64,
    end: u64,
}

impl Atoms {
    pub(crate) const fn within(start: u64, end: u64) -> Self {
        Self { at: start, end }
    }

    /// Reads the next atom; `None` at the end, which a few bytes of filling may precede.
    ///
    /// # Errors
    /// [`MeasureError::CutOff`] when the atom is longer than the file, [`MeasureError::Damaged`]
    /// when it is longer than what holds it, or shorter than its own header.
    pub(crate) fn next<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
    ) -> Result<Option<Atom>, MeasureError> {
        if self.end.saturating_sub(self.at) < 8 {
            return Ok(None);
        }
        let [s0, s1, s2, s3, name @ ..]: [u8; 8] = source.bytes(self.at)?;
        let (header, length) = match u32::from_be_bytes([s0, s1, s2, s3]) {
            0 if name == [0; 4] => return Ok(None),
            0 => (8, self.end - self.at),
            1 => (16, source.u64_be(self.at + 8)?),
            length => (8, u64::from(length)),
        };
        if length < header {
            return Err(MeasureError::Damaged("a part of it is shorter than its own header"));
        }
        let end = self.at.checked_add(length).ok_or(MeasureError::CutOff)?;
        if end > source.length() {
            return Err(MeasureError::CutOff);
        }
        if end > self.end {
            return Err(MeasureError::Damaged("a part of it is longer than what holds it"));
        }
        let atom = Atom { name, start: self.at + header, end };
        self.at = end;
        Ok(Some(atom))
    }

    /// Reads to the first atom of a name.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub(crate) fn find<R: Read + Seek>(
        mut self,
        source: &mut Source<R>,
        name: &[u8; 4],
    ) -> Result<Option<Atom>, MeasureError> {
        while let Some(atom) = self.next(source)? {
            if atom.name == *name {
                return Ok(Some(atom));
            }
        }
        Ok(None)
    }
}
