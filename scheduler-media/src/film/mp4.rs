//! MP4, QuickTime and their kin.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use super::fragments::{self, Fragments};
use super::rate::{frames_a_second, seconds};
use super::track::{self, Track};
use crate::atom::{Atom, Atoms};
use crate::source::{Source, within_bounds};
use crate::{MeasureError, Measured};

/// Tracks that are read at most. Ours: real films have fewer than ten.
const TRACKS_MAX: usize = 64;

/// What the index of a film says.
struct Index {
    /// Ticks of the film's own clock.
    length: u64,
    ticks_a_second: u32,
    tracks: Vec<Track>,
    /// What parts that are stored apart say where they say nothing else; `None` in a film without.
    fragments: Option<Fragments>,
}

/// Measures a film by its index.
///
/// The length is that of the film as it is shown, edit lists included; the frame rate is the mean
/// of the first visible track.
///
/// Source: ISO/IEC 14496-12, 8.2 to 8.8; QuickTime file format, "Movie atoms".
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(
    source: &mut Source<R>,
    mime_type: &'static str,
) -> Result<Measured, MeasureError> {
    let mut index = None;
    let mut has_samples = false;
    let mut atoms = Atoms::within(0, source.length());
    loop {
        let next = atoms.next(source);
        // What a program has hung behind a whole film does not matter.
        let is_whole = index.is_some() && has_samples;
        let atom = match next {
            Ok(Some(atom)) => atom,
            Ok(None) => break,
            Err(MeasureError::Damaged(_) | MeasureError::Endless) if is_whole => break,
            Err(error) => return Err(error),
        };
        match &atom.name {
            b"moov" if index.is_none() => index = Some(read_index(source, atom)?),
            b"mdat" => has_samples = true,
            b"moof" => {
                let fragments = index.as_mut().and_then(|index| index.fragments.as_mut());
                if let Some(fragments) = fragments
                    && within_bounds(fragments.add(source, atom))?.is_none()
                {
                    fragments.give_up();
                    break;
                }
            }
            _ => {}
        }
    }
    let index = match index {
        Some(index) if has_samples => index,
        // A recording that was not ended has no index.
        Some(_) | None => return Err(MeasureError::CutOff),
    };
    facts(&index, Measured::new(MediaKind::Video, mime_type, source.length()))
}

fn facts(index: &Index, measured: Measured) -> Result<Measured, MeasureError> {
    let visible = index.tracks.iter().filter(|track| track.is_film);
    let first_enabled = visible.clone().find(|track| track.is_enabled);
    let Some(track) = first_enabled.or_else(|| visible.clone().next()) else {
        let is_sound = !index.tracks.is_empty();
        return Err(MeasureError::NotMedia(is_sound.then_some("audio/mp4")));
    };
    let apart = index.fragments.as_ref().and_then(|fragments| fragments.of_track(track.id));
    let (more_frames, more_ticks) = apart.map_or((0, 0), |sum| (sum.frames, sum.ticks));
    let frames = track.frames.saturating_add(more_frames);
    let ticks = track.ticks.saturating_add(more_ticks);
    let is_counted = index.fragments.as_ref().is_none_or(Fragments::is_whole);
    let shown = seconds(index.length, index.ticks_a_second)
        .or_else(|| seconds(track.edited_length, index.ticks_a_second))
        .or_else(|| is_counted.then(|| seconds(ticks, track.ticks_a_second)).flatten())
        .or_else(|| seconds(track.length, track.ticks_a_second));
    Ok(Measured {
        duration_seconds: shown,
        // A mean needs no end.
        fps: frames_a_second(frames, ticks, track.ticks_a_second),
        video_codec: track.codec,
        frame_count: if is_counted && frames > 0 { u32::try_from(frames).ok() } else { None },
        ..measured.sized(track.pixels())?
    })
}

fn read_index<R: Read + Seek>(source: &mut Source<R>, moov: Atom) -> Result<Index, MeasureError> {
    let mut index = Index { length: 0, ticks_a_second: 0, tracks: Vec::new(), fragments: None };
    let mut atoms = moov.children();
    while let Some(atom) = atoms.next(source)? {
        match &atom.name {
            b"mvhd" => {
                let clock = track::clock(source, atom)?;
                (index.ticks_a_second, index.length) = (clock.ticks_a_second, clock.length);
            }
            b"trak" if index.tracks.len() == TRACKS_MAX => return Err(MeasureError::Endless),
            b"trak" => index.tracks.push(track::read(source, atom)?),
            b"mvex" => {
                let (length, fragments) = fragments::defaults(source, atom)?;
                if length > 0 {
                    index.length = length;
                }
                index.fragments = Some(fragments);
            }
            b"cmov" => return Err(MeasureError::Damaged("its index is packed in an old way")),
            _ => {}
        }
    }
    Ok(index)
}
