//! Taking one part.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use super::super::draft::Draft;
use super::super::layout::sync_folder;
use super::super::pour::{Destination, Poured};
use super::Upload;
use super::log::{self, Arrival, Arrivals, Place, beside};

/// Where a part is written.
#[derive(Debug)]
pub(in super::super) enum Part {
    /// In its place among the others.
    InPlace(InPlace),
    /// In a file of its own.
    Beside(Draft),
}

/// The place of a part in the file that holds them all.
#[derive(Debug)]
pub(in super::super) struct InPlace {
    data: File,
    data_path: PathBuf,
    /// Keeps away whoever puts the parts together, while it is locked.
    log: File,
    /// Keeps away whoever sends the same part, as long as it is open.
    _slot: File,
}

/// Begins to take a part.
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
    let mut options = OpenOptions::new();
    let slot = options.write(true).create(true).truncate(false).open(upload.slot(part_number))?;
    let is_ours = match slot.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(error)) => return Err(error),
    };
    // Under the lock, since whoever had it may have finished the part.
    let is_first = !Arrivals::read(&upload.log())?.latest().contains_key(&part_number);
    if !(is_ours && is_first) {
        return Draft::create(&upload.0, &beside(part_number)).map(Part::Beside);
    }
    let mut data = OpenOptions::new().write(true).open(upload.data())?;
    data.seek(SeekFrom::Start(offset_bytes))?;
    let log = log::open(&upload.log())?;
    Ok(Part::InPlace(InPlace { data, data_path: upload.data(), log, _slot: slot }))
}

impl Destination for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::InPlace(place) => {
                place.log.lock_shared()?;
                let written = place.write(bytes);
                place.log.unlock()?;
                written
            }
            Self::Beside(draft) => draft.write(bytes),
        }
    }

    fn file(&self) -> &File {
        match self {
            Self::InPlace(place) => &place.data,
            Self::Beside(draft) => draft.file(),
        }
    }
}

impl InPlace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Put together meanwhile, from a part that another has sent: the bytes are no longer ours.
        if !self.data_path.try_exists()? {
            return Err(ErrorKind::NotFound.into());
        }
        self.data.write_all(bytes)
    }
}

/// Counts a part that has come whole, and returns its ETag.
///
/// # Errors
/// `NotFound` when the upload is not open any more.
pub(in super::super) fn end_part(
    upload: &Upload,
    part_number: u32,
    poured: Poured<Part>,
) -> io::Result<String> {
    let Poured { destination, bytes, etag } = poured;
    let arrival = |place| Arrival { part_number, bytes, etag: etag.clone(), place };
    let lock = log::open(&upload.log())?;
    match destination {
        Part::InPlace(place) => {
            place.data.sync_data()?;
            count(upload, &lock, &arrival(Place::Data))?;
        }
        Part::Beside(draft) => {
            draft.sync()?;
            sync_folder(&upload.0)?;
            let place = Place::Beside(draft.name());
            // Before its line is written: a line must never name a file that is gone.
            draft.keep();
            count(upload, &lock, &arrival(place))?;
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
