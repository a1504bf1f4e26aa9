//! One track of a film.

use std::io::{Read, Seek};

use scheduler_core::rules::VideoCodec;

use super::codec;
use crate::MeasureError;
use crate::atom::{Atom, Atoms};
use crate::measured::Pixels;
use crate::source::{Source, within_bounds};

/// A length that a writer did not know, in both widths.
const UNKNOWN_LENGTHS: [u64; 2] = [u32::MAX as u64, u64::MAX];

/// What is read of a track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    pub(crate) id: u32,
    pub(crate) is_enabled: bool,
    pub(crate) is_film: bool,
    is_turned: bool,
    /// The size at which it is shown, before it is turned.
    shown: Option<Pixels>,
    /// The size of its pictures as they are stored.
    stored: Option<Pixels>,
    pub(crate) codec: Option<VideoCodec>,
    pub(crate) ticks_a_second: u32,
    /// Its length in its own ticks, as it is said.
    pub(crate) length: u64,
    /// The length of what its edit list shows, in ticks of the film.
    pub(crate) edited_length: u64,
    /// Its pictures, and how long they last in its own ticks, as the table says.
    pub(crate) frames: u64,
    pub(crate) ticks: u64,
}

impl Track {
    /// The size at which a player shows it.
    ///
    /// The size of the track counts where it differs by no more than the shape of a pixel does;
    /// some programs leave nonsense in it.
    pub(crate) fn pixels(&self) -> Pixels {
        let none = Pixels::new(0, 0);
        let (shown, stored) = (self.shown.unwrap_or(none), self.stored.unwrap_or(none));
        let is_near = |one: u32, other: u32| {
            let (one, other) = (u64::from(one), u64::from(other));
            one <= 2 * other && other <= 2 * one
        };
        let fits = stored == none
            || is_near(shown.width, stored.width) && is_near(shown.height, stored.height);
        if fits { shown } else { stored }.turned(self.is_turned)
    }
}

/// The clock of a film or a track.
pub(crate) struct Clock {
    pub(crate) ticks_a_second: u32,
    /// In ticks; 0 when it is not known.
    pub(crate) length: u64,
}

/// Reads `mvhd` or `mdhd`, which begin alike.
///
/// Source: ISO/IEC 14496-12, 8.2.2 and 8.4.2.
///
/// # Errors
/// Those of reading.
pub(crate) fn clock<R: Read + Seek>(
    source: &mut Source<R>,
    atom: Atom,
) -> Result<Clock, MeasureError> {
    let start = atom.start;
    let (ticks_a_second, length) = if source.byte(start)? == 1 {
        (source.u32_be(start + 20)?, source.u64_be(start + 24)?)
    } else {
        (source.u32_be(start + 12)?, source.u32_be(start + 16)?.into())
    };
    let length = if UNKNOWN_LENGTHS.contains(&length) { 0 } else { length };
    Ok(Clock { ticks_a_second, length })
}

/// Reads a track.
///
/// # Errors
/// Those of reading, and [`MeasureError::Damaged`] when its parts do not fit.
pub(crate) fn read<R: Read + Seek>(
    source: &mut Source<R>,
    trak: Atom,
) -> Result<Track, MeasureError> {
    let mut track = Track::default();
    let mut atoms = trak.children();
    while let Some(atom) = atoms.next(source)? {
        match &atom.name {
            b"tkhd" => header(source, atom, &mut track)?,
            b"edts" => {
                if let Some(list) = atom.children().find(source, b"elst")? {
                    track.edited_length = edited_length(source, list)?;
                }
            }
            b"mdia" => media(source, atom, &mut track)?,
            _ => {}
        }
    }
    Ok(track)
}

/// Source: ISO/IEC 14496-12, 8.3.2 (`tkhd`) and 6.2.2 (the matrix).
fn header<R: Read + Seek>(
    source: &mut Source<R>,
    atom: Atom,
    track: &mut Track,
) -> Result<(), MeasureError> {
    let [version, _, _, flags] = source.bytes(atom.start)?;
    track.is_enabled = flags & 1 == 1;
    let (id_at, rest) = if version == 1 { (20, 36) } else { (12, 24) };
    track.id = source.u32_be(atom.start + id_at)?;
    let matrix = atom.start + rest + 16;
    let (a, b) = (source.u32_be(matrix)?, source.u32_be(matrix + 4)?);
    let (c, d) = (source.u32_be(matrix + 12)?, source.u32_be(matrix + 16)?);
    track.is_turned = a == 0 && d == 0 && b != 0 && c != 0;
    // Numbers of 16 bits before and 16 after the point.
    let width = source.u32_be(matrix + 36)? >> 16;
    let height = source.u32_be(matrix + 40)? >> 16;
    track.shown = (width > 0 && height > 0).then_some(Pixels::new(width, height));
    Ok(())
}

/// Source: ISO/IEC 14496-12, 8.6.6.
fn edited_length<R: Read + Seek>(source: &mut Source<R>, list: Atom) -> Result<u64, MeasureError> {
    let is_wide = source.byte(list.start)? == 1;
    let entry = if is_wide { 20 } else { 12 };
    let count = u64::from(source.u32_be(list.start + 4)?);
    let mut length = 0_u64;
    for index in 0..count {
        let at = list.start + 8 + index * entry;
        if !list.holds(at, entry) {
            break;
        }
        let part = if is_wide { source.u64_be(at)? } else { source.u32_be(at)?.into() };
        length = length.saturating_add(part);
    }
    Ok(length)
}

fn media<R: Read + Seek>(
    source: &mut Source<R>,
    mdia: Atom,
    track: &mut Track,
) -> Result<(), MeasureError> {
    let mut samples = None;
    let mut atoms = mdia.children();
    while let Some(atom) = atoms.next(source)? {
        match &atom.name {
            b"mdhd" => {
                let clock = clock(source, atom)?;
                (track.ticks_a_second, track.length) = (clock.ticks_a_second, clock.length);
            }
            // Source: ISO/IEC 14496-12, 8.4.3: the handler's type.
            b"hdlr" => track.is_film = source.bytes(atom.start + 8)? == *b"vide",
            b"minf" => samples = atom.children().find(source, b"stbl")?,
            _ => {}
        }
    }
    match samples {
        Some(samples) if track.is_film => tables(source, samples.children(), track),
        Some(_) | None => Ok(()),
    }
}

fn tables<R: Read + Seek>(
    source: &mut Source<R>,
    mut atoms: Atoms,
    track: &mut Track,
) -> Result<(), MeasureError> {
    let mut samples = 0;
    while let Some(atom) = atoms.next(source)? {
        match &atom.name {
            b"stsd" => description(source, atom, track)?,
            b"stts" => {
                // A table that is too long to be read says less, but stops nothing.
                if let Some((frames, ticks)) = within_bounds(durations(source, atom))? {
                    (track.frames, track.ticks) = (frames, ticks);
                }
            }
            // Source: ISO/IEC 14496-12, 8.7.3: the number of samples has the same place in both.
            b"stsz" | b"stz2" => samples = u64::from(source.u32_be(atom.start + 8)?),
            _ => {}
        }
    }
    if track.frames == 0 && samples > 0 {
        (track.frames, track.ticks) = (samples, track.length);
    }
    Ok(())
}

/// Source: ISO/IEC 14496-12, 8.5.2 and 12.1.3; QuickTime file format, "Video sample description".
fn description<R: Read + Seek>(
    source: &mut Source<R>,
    atom: Atom,
    track: &mut Track,
) -> Result<(), MeasureError> {
    let mut entries = Atoms::within(atom.start + 8, atom.end);
    let Some(entry) = entries.next(source)? else { return Ok(()) };
    if !entry.holds(entry.start, 28) {
        return Err(MeasureError::Damaged("the description of its pictures is too short"));
    }
    track.codec = Some(codec::of_sample_entry(&entry.name));
    let width = source.u16_be(entry.start + 24)?;
    let height = source.u16_be(entry.start + 26)?;
    track.stored = (width > 0 && height > 0).then_some(Pixels::new(width.into(), height.into()));
    Ok(())
}

/// Sums up the table of durations: pictures and ticks.
///
/// Source: ISO/IEC 14496-12, 8.6.1.2.
fn durations<R: Read + Seek>(
    source: &mut Source<R>,
    atom: Atom,
) -> Result<(u64, u64), MeasureError> {
    let count = u64::from(source.u32_be(atom.start + 4)?);
    let (mut frames, mut ticks) = (0_u64, 0_u64);
    for index in 0..count {
        let at = atom.start + 8 + index * 8;
        if !atom.holds(at, 8) {
            return Err(MeasureError::Damaged("a table is longer than its place"));
        }
        let [c0, c1, c2, c3, duration @ ..]: [u8; 8] = source.bytes(at)?;
        let samples = u64::from(u32::from_be_bytes([c0, c1, c2, c3]));
        let each = u64::from(u32::from_be_bytes(duration));
        frames = frames.saturating_add(samples);
        ticks = ticks.saturating_add(samples.saturating_mul(each));
    }
    Ok((frames, ticks))
}
