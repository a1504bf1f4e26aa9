//! Matroska and WebM.

use std::io::{Read, Seek};

use scheduler_core::media::MediaKind;

use super::codec;
use crate::measured::Pixels;
use crate::source::Source;
use crate::{MeasureError, Measured};

// The elements that are read. Source: RFC 9559, 5.1.
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const TIMESTAMP_SCALE: u32 = 0x002A_D7B1;
const DURATION: u32 = 0x4489;
const TRACKS: u32 = 0x1654_AE6B;
const TRACK_ENTRY: u32 = 0xAE;
const TRACK_TYPE: u32 = 0x83;
const CODEC_ID: u32 = 0x86;
const DEFAULT_DURATION: u32 = 0x0023_E383;
const VIDEO: u32 = 0xE0;
const PIXEL_WIDTH: u32 = 0xB0;
const PIXEL_HEIGHT: u32 = 0xBA;
const CLUSTER: u32 = 0x1F43_B675;

/// Bytes of a codec's name that are read.
const CODEC_ID_BYTES: usize = 16;

/// Nanoseconds in a second.
const NANOSECONDS: f64 = 1e9;

/// Measures a film by what comes before its first pictures.
///
/// The number of pictures is not told, as it would take reading the whole file; the length is not
/// told by a browser's recording.
///
/// Source: RFC 8794 (EBML), RFC 9559 (Matroska).
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(
    source: &mut Source<R>,
    mime_type: &'static str,
) -> Result<Measured, MeasureError> {
    let mut film = Film { scale: 1_000_000, ..Film::default() };
    let mut elements = Elements::within(0, source.length());
    while let Some(element) = elements.next(source)? {
        if element.id == SEGMENT {
            segment(source, element, &mut film)?;
            break;
        }
    }
    let Some(track) = film.track else {
        return Err(match (film.has_pictures, film.has_tracks) {
            (_, true) => MeasureError::NotMedia(Some("audio/x-matroska")),
            (true, false) => MeasureError::Damaged("it does not describe its pictures"),
            (false, false) => MeasureError::CutOff,
        });
    };
    if !film.has_pictures {
        return Err(MeasureError::CutOff);
    }
    let seconds = film.duration.map(|ticks| ticks * film.scale as f64 / NANOSECONDS);
    let rate = (track.frame_nanoseconds > 0).then(|| NANOSECONDS / track.frame_nanoseconds as f64);
    Ok(Measured {
        duration_seconds: seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0),
        fps: rate.map(|rate| (rate * 1_000.0).round() / 1_000.0),
        video_codec: Some(codec::of_matroska(&track.codec_id)),
        ..Measured::new(MediaKind::Video, mime_type, source.length())
            .sized(Pixels::new(track.width, track.height))?
    })
}

#[derive(Default)]
struct Film {
    /// Nanoseconds of a tick.
    scale: u64,
    /// Length in ticks.
    duration: Option<f64>,
    track: Option<Track>,
    has_tracks: bool,
    has_pictures: bool,
}

#[derive(Default)]
struct Track {
    is_film: bool,
    codec_id: [u8; CODEC_ID_BYTES],
    frame_nanoseconds: u64,
    width: u32,
    height: u32,
}

fn segment<R: Read + Seek>(
    source: &mut Source<R>,
    segment: Element,
    film: &mut Film,
) -> Result<(), MeasureError> {
    let mut elements = segment.children();
    while let Some(element) = elements.next(source)? {
        match element.id {
            INFO => info(source, element, film)?,
            TRACKS => tracks(source, element, film)?,
            CLUSTER => {
                film.has_pictures = true;
                break;
            }
            _ => {}
        }
    }
    Ok(())
}

fn info<R: Read + Seek>(
    source: &mut Source<R>,
    info: Element,
    film: &mut Film,
) -> Result<(), MeasureError> {
    let mut elements = info.children();
    while let Some(element) = elements.next(source)? {
        match element.id {
            TIMESTAMP_SCALE => film.scale = element.number(source)?,
            DURATION => {
                film.duration = match element.end - element.start {
                    4 => Some(f32::from_be_bytes(source.bytes(element.start)?).into()),
                    8 => Some(f64::from_be_bytes(source.bytes(element.start)?)),
                    _ => None,
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn tracks<R: Read + Seek>(
    source: &mut Source<R>,
    tracks: Element,
    film: &mut Film,
) -> Result<(), MeasureError> {
    let mut entries = tracks.children();
    while let Some(entry) = entries.next(source)? {
        if entry.id != TRACK_ENTRY {
            continue;
        }
        film.has_tracks = true;
        let track = track(source, entry)?;
        if track.is_film && film.track.is_none() {
            film.track = Some(track);
        }
    }
    Ok(())
}

fn track<R: Read + Seek>(source: &mut Source<R>, entry: Element) -> Result<Track, MeasureError> {
    let mut track = Track::default();
    let mut elements = entry.children();
    while let Some(element) = elements.next(source)? {
        match element.id {
            TRACK_TYPE => track.is_film = element.number(source)? == 1,
            DEFAULT_DURATION => track.frame_nanoseconds = element.number(source)?,
            CODEC_ID => {
                for (byte, at) in track.codec_id.iter_mut().zip(element.start..element.end) {
                    *byte = source.byte(at)?;
                }
            }
            VIDEO => {
                let mut sizes = element.children();
                while let Some(size) = sizes.next(source)? {
                    let side = match size.id {
                        PIXEL_WIDTH => &mut track.width,
                        PIXEL_HEIGHT => &mut track.height,
                        _ => continue,
                    };
                    *side = u32::try_from(size.number(source)?).unwrap_or(u32::MAX);
                }
            }
            _ => {}
        }
    }
    Ok(track)
}

/// An element: what it is, and where its content lies.
#[derive(Clone, Copy)]
struct Element {
    id: u32,
    start: u64,
    end: u64,
}

impl Element {
    const fn children(&self) -> Elements {
        Elements::within(self.start, self.end)
    }

    /// Its content as a number of up to eight bytes.
    fn number<R: Read + Seek>(&self, source: &mut Source<R>) -> Result<u64, MeasureError> {
        if self.end - self.start > 8 {
            return Err(MeasureError::Damaged("a number is longer than numbers are"));
        }
        (self.start..self.end)
            .try_fold(0, |number, at| Ok(number << 8 | u64::from(source.byte(at)?)))
    }
}

/// Elements one after the other.
struct Elements {
    at: u64,
    end: u64,
}

impl Elements {
    const fn within(start: u64, end: u64) -> Self {
        Self { at: start, end }
    }

    fn next<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
    ) -> Result<Option<Element>, MeasureError> {
        if self.at >= self.end {
            return Ok(None);
        }
        // An id keeps the bits that tell its length, a size does not.
        let (id, id_bytes, _) = variable(source, self.at)?;
        let id =
            u32::try_from(id).map_err(|_| MeasureError::Damaged("a part of it has no name"))?;
        let (_, size_bytes, size) = variable(source, self.at + id_bytes)?;
        let start = self.at + id_bytes + size_bytes;
        let is_unknown = size == (1 << (7 * size_bytes)) - 1;
        let end = if is_unknown { self.end } else { start.saturating_add(size) };
        if start > self.end || end > self.end {
            return Err(MeasureError::CutOff);
        }
        self.at = end;
        Ok(Some(Element { id, start, end }))
    }
}

/// A number of variable length: with the bits that tell its length, how many bytes it takes, and
/// without.
///
/// Source: RFC 8794, 4.
fn variable<R: Read + Seek>(
    source: &mut Source<R>,
    at: u64,
) -> Result<(u64, u64, u64), MeasureError> {
    let first = source.byte(at)?;
    let more = u64::from(first.leading_zeros());
    if more > 7 {
        return Err(MeasureError::Damaged("a number is longer than numbers are"));
    }
    let rest = at + 1..at + 1 + more;
    let number = rest.into_iter().try_fold(u64::from(first), |number, at| {
        Ok::<_, MeasureError>(number << 8 | u64::from(source.byte(at)?))
    })?;
    let bytes = more + 1;
    let mask = (1_u64 << (7 * bytes)) - 1;
    Ok((number, bytes, number & mask))
}
