//! Films that are stored in parts, as browsers and streaming programs record them.

use std::io::{Read, Seek};

use crate::MeasureError;
use crate::atom::Atom;
use crate::source::Source;

/// Tracks that are told apart at most, as in an index.
const TRACKS_MAX: usize = 64;

/// Pictures and ticks of a track in all parts so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    track_id: u32,
    /// Ticks of a picture of which nothing else is said.
    default_ticks: u32,
    pub(crate) frames: u64,
    pub(crate) ticks: u64,
}

/// The parts of a film.
#[derive(Debug)]
pub(crate) struct Fragments {
    sums: Vec<Sum>,
    is_whole: bool,
}

/// Reads what holds for all parts: the whole length in ticks of the film, 0 when it is not said,
/// and what is the default of each track.
///
/// Source: ISO/IEC 14496-12, 8.8.1 to 8.8.3.
///
/// # Errors
/// Those of reading.
pub(crate) fn defaults<R: Read + Seek>(
    source: &mut Source<R>,
    mvex: Atom,
) -> Result<(u64, Fragments), MeasureError> {
    let mut length = 0;
    let mut sums = Vec::new();
    let mut atoms = mvex.children();
    while let Some(atom) = atoms.next(source)? {
        match &atom.name {
            b"mehd" if source.byte(atom.start)? == 1 => length = source.u64_be(atom.start + 4)?,
            b"mehd" => length = source.u32_be(atom.start + 4)?.into(),
            b"trex" if sums.len() == TRACKS_MAX => return Err(MeasureError::Endless),
            b"trex" => sums.push(Sum {
                track_id: source.u32_be(atom.start + 4)?,
                default_ticks: source.u32_be(atom.start + 12)?,
                ..Sum::default()
            }),
            _ => {}
        }
    }
    Ok((length, Fragments { sums, is_whole: true }))
}

impl Fragments {
    /// Adds a part.
    ///
    /// Source: ISO/IEC 14496-12, 8.8.4 to 8.8.8.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn add<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
        moof: Atom,
    ) -> Result<(), MeasureError> {
        let mut atoms = moof.children();
        while let Some(atom) = atoms.next(source)? {
            if atom.name == *b"traf" {
                self.add_track(source, atom)?;
            }
        }
        Ok(())
    }

    /// Says that not every part could be read.
    pub(crate) const fn give_up(&mut self) {
        self.is_whole = false;
    }

    /// Whether every part was read.
    pub(crate) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// What the parts hold of a track.
    pub(crate) fn of_track(&self, track_id: u32) -> Option<&Sum> {
        self.sums.iter().find(|sum| sum.track_id == track_id)
    }

    fn add_track<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
        traf: Atom,
    ) -> Result<(), MeasureError> {
        let Some(header) = traf.children().find(source, b"tfhd")? else { return Ok(()) };
        let flags = source.u32_be(header.start)?;
        let track_id = source.u32_be(header.start + 4)?;
        let Some(sum) = self.sums.iter_mut().find(|sum| sum.track_id == track_id) else {
            return Ok(());
        };
        let mut default_ticks = sum.default_ticks;
        if flags & 0x08 != 0 {
            // Before it lie the place of the data and the description, where they are given.
            let before =
                if flags & 0x01 != 0 { 8 } else { 0 } + if flags & 0x02 != 0 { 4 } else { 0 };
            default_ticks = source.u32_be(header.start + 8 + before)?;
        }
        let mut atoms = traf.children();
        while let Some(atom) = atoms.next(source)? {
            if atom.name == *b"trun" {
                add_run(source, atom, default_ticks, sum)?;
            }
        }
        Ok(())
    }
}

fn add_run<R: Read + Seek>(
    source: &mut Source<R>,
    trun: Atom,
    default_ticks: u32,
    sum: &mut Sum,
) -> Result<(), MeasureError> {
    let flags = source.u32_be(trun.start)?;
    let count = u64::from(source.u32_be(trun.start + 4)?);
    sum.frames = sum.frames.saturating_add(count);
    if flags & 0x100 == 0 {
        sum.ticks = sum.ticks.saturating_add(count.saturating_mul(default_ticks.into()));
        return Ok(());
    }
    let before = 4 * u64::from((flags & 0x01).count_ones() + (flags & 0x04).count_ones());
    let entry = 4 * u64::from((flags & 0xf00).count_ones());
    for index in 0..count {
        let at = trun.start + 8 + before + index * entry;
        if !trun.holds(at, entry) {
            return Err(MeasureError::Damaged("a table is longer than its place"));
        }
        // The duration comes first.
        sum.ticks = sum.ticks.saturating_add(source.u32_be(at)?.into());
    }
    Ok(())
}
