//! HEIC, HEIF and AVIF.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use crate::atom::{Atom, Atoms};
use crate::measured::Pixels;
use crate::source::Source;
use crate::{MeasureError, Measured};

/// Properties and associations that are read at most. Ours: a picture of a phone has about a
/// hundred, one for each tile.
const PROPERTIES_MAX: usize = 4_096;

/// Measures the primary picture.
///
/// Source: ISO/IEC 23008-12, 6.5 (`ispe`, `irot`) and 9.3 (`ipma`); ISO/IEC 14496-12, 8.11 (`meta`,
/// `pitm`).
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(
    source: &mut Source<R>,
    mime_type: &'static str,
) -> Result<Measured, MeasureError> {
    let mut found = None;
    let mut atoms = Atoms::within(0, source.length());
    // To the end, to see whether it is cut off; what others have hung behind it does not matter.
    loop {
        match atoms.next(source) {
            Ok(Some(atom)) if atom.name == *b"meta" && found.is_none() => {
                found = Some(picture(source, atom)?);
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(MeasureError::Damaged(_) | MeasureError::Endless) if found.is_some() => break,
            Err(error) => return Err(error),
        }
    }
    let pixels = found.flatten().ok_or(MeasureError::Damaged("it does not tell its size"))?;
    Measured::new(MediaKind::Image, mime_type, source.length()).sized(pixels)
}

/// What matters of a property.
#[derive(Clone, Copy)]
enum Property {
    Size(Pixels),
    QuarterTurns(u8),
    Other,
}

fn picture<R: Read + Seek>(
    source: &mut Source<R>,
    meta: Atom,
) -> Result<Option<Pixels>, MeasureError> {
    let mut primary = None;
    let mut properties = Vec::new();
    let mut associations = None;
    let mut atoms = meta.children_of_full();
    while let Some(atom) = atoms.next(source)? {
        match &atom.name {
            b"pitm" => primary = Some(primary_item(source, atom)?),
            b"iprp" => {
                if let Some(list) = atom.children().find(source, b"ipco")? {
                    properties = read_properties(source, list)?;
                }
                associations = atom.children().find(source, b"ipma")?;
            }
            _ => {}
        }
    }
    let of_primary = match (primary, associations) {
        (Some(item), Some(associations)) => associated(source, associations, item)?,
        _ => Vec::new(),
    };
    let mut pixels = None;
    let mut turns = 0;
    for index in of_primary {
        // Counted from 1; 0 is none.
        match index.checked_sub(1).and_then(|index| properties.get(index)) {
            Some(Property::Size(size)) => pixels = Some(*size),
            Some(Property::QuarterTurns(count)) => turns = *count,
            Some(Property::Other) | None => {}
        }
    }
    Ok(pixels.or_else(|| largest(&properties)).map(|pixels| pixels.turned(turns % 2 == 1)))
}

/// The size of a file that does not say which picture is the primary one.
fn largest(properties: &[Property]) -> Option<Pixels> {
    let sizes = properties.iter().filter_map(|property| match property {
        Property::Size(pixels) => Some(*pixels),
        Property::QuarterTurns(_) | Property::Other => None,
    });
    sizes.max_by_key(|pixels| u64::from(pixels.width) * u64::from(pixels.height))
}

fn primary_item<R: Read + Seek>(source: &mut Source<R>, atom: Atom) -> Result<u32, MeasureError> {
    match source.byte(atom.start)? {
        0 => Ok(source.u16_be(atom.start + 4)?.into()),
        _ => source.u32_be(atom.start + 4),
    }
}

fn read_properties<R: Read + Seek>(
    source: &mut Source<R>,
    list: Atom,
) -> Result<Vec<Property>, MeasureError> {
    let mut properties = Vec::new();
    let mut atoms = list.children();
    while let Some(atom) = atoms.next(source)? {
        if properties.len() == PROPERTIES_MAX {
            return Err(MeasureError::Endless);
        }
        properties.push(match &atom.name {
            b"ispe" if atom.holds(atom.start, 12) => Property::Size(Pixels::new(
                source.u32_be(atom.start + 4)?,
                source.u32_be(atom.start + 8)?,
            )),
            b"irot" if atom.holds(atom.start, 1) => {
                Property::QuarterTurns(source.byte(atom.start)? & 3)
            }
            _ => Property::Other,
        });
    }
    Ok(properties)
}

/// The places, counted from 1, of the properties of an item.
fn associated<R: Read + Seek>(
    source: &mut Source<R>,
    atom: Atom,
    item: u32,
) -> Result<Vec<usize>, MeasureError> {
    let [version, _, _, flags] = source.bytes(atom.start)?;
    let is_wide = flags & 1 == 1;
    let entries = source.u32_be(atom.start + 4)?;
    let mut at = atom.start + 8;
    for _ in 0..entries {
        if at >= atom.end {
            break;
        }
        let id = if version == 0 { source.u16_be(at)?.into() } else { source.u32_be(at)? };
        at += if version == 0 { 2 } else { 4 };
        let count = u64::from(source.byte(at)?);
        at += 1;
        let width = if is_wide { 2 } else { 1 };
        if id == item {
            // At most 255; the highest bit says that the property is essential.
            return (0..count)
                .map(|index| {
                    Ok(usize::from(if is_wide {
                        source.u16_be(at + index * width)? & 0x7fff
                    } else {
                        u16::from(source.byte(at + index * width)? & 0x7f)
                    }))
                })
                .collect();
        }
        at += count * width;
    }
    Ok(Vec::new())
}
