//! Taking one part.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use super::super::draft::{Draft, cut_off};
use super::super::layout::sync_folder;
use super::super::stream::{Destination, Poured};
use super::Upload;
use super::log::{self, Arrival, Arrivals, Place, beside};
use super::slot::Slot;

/// A part on its way.
#[derive(Debug)]
pub(in super::super) struct Part {
    slot: Slot,
    writing: Writing,
}

/// Where a part is written.
#[derive(Debug)]
enum Writing {
    /// In its place among the others.
    InPlace(InPlace),
    /// In a file of its own.
    Beside(Draft),
}

/// The place of a part in the file that holds them all.
#[derive(Debug)]
struct InPlace {
    data: File,
    data_path: PathBuf,
    /// Keeps away whoever puts the parts together, while it is locked.
    log: File,
}

/// Begins to take a part, and cuts off whoever sends it.
///
/// # Errors
/// `NotFound` when the upload is not open any more.
pub(in super::super) fn begin_part(
    upload: &Upload,
    part_number: u32,
    offset_bytes: u64,
) -> io::Result<Part> {
    if !upload.is_open()? {
        return Err(ErrorKind::NotFound.into());
    }
    let (slot, writing) = Slot::take(&upload.slot(part_number), || {
        let arrivals = Arrivals::read(&upload.log())?;
        let place = arrivals.latest().get(&part_number).map(|arrival| &arrival.place);
        let counts = match place {
            Some(Place::Beside(name)) => Some(name.as_str()),
            Some(Place::Data) | None => None,
        };
        cut_off(&upload.0, &beside(part_number), counts)?;
        if place == Some(&Place::Data) {
            return Draft::create(&upload.0, &beside(part_number)).map(Writing::Beside);
        }
        let mut data = OpenOptions::new().write(true).open(upload.data())?;
        data.seek(SeekFrom::Start(offset_bytes))?;
        let log = log::open(&upload.log())?;
        Ok(Writing::InPlace(InPlace { data, data_path: upload.data(), log }))
    })?;
    Ok(Part { slot, writing })
}

impl Destination for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.writing {
            Writing::InPlace(place) => self.slot.hold(|| {
                place.log.lock_shared()?;
                let written = place.write(bytes);
                place.log.unlock()?;
                written
            }),
            Writing::Beside(draft) => draft.write(bytes),
        }
    }

    fn file(&self) -> &File {
        match &self.writing {
            Writing::InPlace(place) => &place.data,
            Writing::Beside(draft) => draft.file(),
        }
    }
}

impl InPlace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Put together meanwhile: the bytes are no longer ours.
        if !self.data_path.try_exists()? {
            return Err(ErrorKind::NotFound.into());
        }
        self.data.write_all(bytes)
    }
}

/// Counts a part that has come whole, and returns its ETag.
///
/// # Errors
/// `NotFound` when the upload is not open any more, or the part is sent anew.
pub(in super::super) fn end_part(
    upload: &Upload,
    part_number: u32,
    poured: Poured<Part>,
) -> io::Result<String> {
    let Poured { destination: Part { slot, writing }, bytes, etag } = poured;
    let arrival = |place| Arrival { part_number, bytes, etag: etag.clone(), place };
    let lock = log::open(&upload.log())?;
    match writing {
        Writing::InPlace(place) => {
            place.data.sync_data()?;
            slot.hold(|| count(upload, &lock, &arrival(Place::Data)))?;
        }
        Writing::Beside(draft) => {
            draft.sync()?;
            sync_folder(&upload.0)?;
            let place = Place::Beside(draft.name());
            slot.hold(|| {
                // Before its line is written: a line must never name a file that is gone.
                draft.keep();
                count(upload, &lock, &arrival(place))
            })?;
        }
    }
    Ok(etag)
}

/// Writes the line of a part, and removes the files that no longer count.
fn count(upload: &Upload, lock: &File, arrival: &Arrival) -> io::Result<()> {
    lock.lock_shared()?;
    if !upload.is_open()? {
        return Err(ErrorKind::NotFound.into());
    }
    log::append(&upload.log(), arrival)?;
    let arrivals = Arrivals::read(&upload.log())?;
    for name in arrivals.outdated(arrival.part_number) {
        match fs::remove_file(upload.0.join(name)) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            // It goes with the upload.
            Err(error) => tracing::warn!(%error, "an outdated part could not be removed"),
        }
    }
    Ok(())
}
