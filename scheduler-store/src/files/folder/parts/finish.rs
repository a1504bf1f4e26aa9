//! Putting the parts together.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek as _, SeekFrom};

use scheduler_core::media::{FileKey, PartPlan, UploadedPart};
use scheduler_core::ports::FinishError;

use super::super::super::check::{Arrived, check_part};
use super::super::fault::fault;
use super::super::layout::{Layout, sync_folder};
use super::Upload;
use super::log::{self, Arrivals, Place};

/// Puts the parts of an upload together under its key.
///
/// It can be broken off at any point and done again.
///
/// # Errors
/// [`FinishError::Refused`] for a part that is missing or another one: the upload stays open then.
pub(in super::super) fn finish(
    layout: &Layout,
    key: &FileKey,
    upload: &Upload,
    plan: PartPlan,
    parts: &[UploadedPart],
) -> Result<(), FinishError> {
    let broken = |error: io::Error| FinishError::Files(fault(&error));
    let lock = match log::open(&upload.log()) {
        Ok(lock) => lock,
        Err(error) if error.kind() == ErrorKind::NotFound => return was_done(layout, key),
        Err(error) => return Err(broken(error)),
    };
    // Nobody writes while it is locked, and nobody goes on once `data` has lost its name.
    lock.lock().map_err(broken)?;
    let is_open = upload.is_open().map_err(broken)?;
    if !is_open && !upload.whole().try_exists().map_err(broken)? {
        was_done(layout, key)?;
        return upload.remove(layout).map_err(broken);
    }
    let arrivals = Arrivals::read(&upload.log()).map_err(broken)?;
    let files = verify(&arrivals, plan, parts)?;
    if is_open {
        fs::rename(upload.data(), upload.whole()).map_err(broken)?;
    }
    put_together(layout, key, upload, plan, &files).map_err(broken)
}

fn was_done(layout: &Layout, key: &FileKey) -> Result<(), FinishError> {
    match layout.file(key).try_exists() {
        Ok(true) => Ok(()),
        Ok(false) => Err(FinishError::Refused("This upload is not open any more.".to_owned())),
        Err(error) => Err(FinishError::Files(fault(&error))),
    }
}

/// Which parts have to be copied into their places, after every part was found to be there.
fn verify<'a>(
    arrivals: &'a Arrivals,
    plan: PartPlan,
    parts: &[UploadedPart],
) -> Result<Vec<(u32, &'a str)>, FinishError> {
    let latest = arrivals.latest();
    let mut files = Vec::new();
    for number in 1..=plan.count() {
        let arrival = latest.get(&number);
        let arrived = arrival
            .map(|arrival| Arrived { bytes: arrival.bytes, etag: Some(arrival.etag.as_str()) });
        check_part(plan, number, arrived, parts)?;
        if let Some(Place::Beside(name)) = arrival.map(|arrival| &arrival.place) {
            files.push((number, name.as_str()));
        }
    }
    Ok(files)
}

fn put_together(
    layout: &Layout,
    key: &FileKey,
    upload: &Upload,
    plan: PartPlan,
    files: &[(u32, &str)],
) -> io::Result<()> {
    let mut whole = OpenOptions::new().write(true).open(upload.whole())?;
    for (number, name) in files {
        let offset = u64::from(number.saturating_sub(1)).saturating_mul(plan.part_bytes);
        whole.seek(SeekFrom::Start(offset))?;
        io::copy(&mut File::open(upload.0.join(name))?, &mut whole)?;
    }
    if whole.metadata()?.len() != plan.size_bytes {
        return Err(io::Error::other("the parts do not make up the file"));
    }
    whole.sync_all()?;
    layout.make_room(key)?;
    let file = layout.file(key);
    fs::rename(upload.whole(), &file)?;
    if let Some(folder) = file.parent() {
        sync_folder(folder)?;
    }
    upload.remove(layout)
}
