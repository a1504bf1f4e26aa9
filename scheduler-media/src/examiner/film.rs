//! Videos that are made of others for networks: in the background, one after the other.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::FutureExt as _;
use scheduler_core::media::{FileFolder, FileKey, Recipe};
use scheduler_core::ports::{ByteStream, Derived, ExamineError, FilesError};
use tempfile::NamedTempFile;
use tokio::io::AsyncReadExt;

use super::shared::Shared;
use super::video::fill;
use super::{MediaExaminer, blocking, stopped, unmeasured};
use crate::confine::MADE_BYTES_MAX;
use crate::measure;
use crate::tools::{Making, RunError};

/// How often a video is made anew that has come out too large.
const ATTEMPTS: u32 = 2;

/// Bytes of a made video that are read at once.
const PIECE_BYTES: usize = 256 * 1024;

/// The videos that are being made, or could not be made and nobody has asked for since.
#[derive(Clone)]
pub(super) struct Films {
    films: Arc<Mutex<BTreeMap<FileKey, Arc<Film>>>>,
    /// Of those that are made at once.
    turns: Shared,
}

/// A video that is being made.
#[derive(Default)]
struct Film {
    percent: AtomicU8,
    /// Why it was not made, once that is known.
    failed: Mutex<Option<ExamineError>>,
}

impl Films {
    pub(super) fn new() -> Self {
        Self { films: Arc::default(), turns: Shared::new(1, 1) }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<FileKey, Arc<Film>>> {
        self.films.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Film {
    fn failed(&self) -> MutexGuard<'_, Option<ExamineError>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MediaExaminer {
    /// A video as a recipe asks for it. What is not there yet is begun, or goes on.
    pub(super) async fn derived_film(
        &self,
        folder: &FileFolder,
        recipe: &Recipe,
    ) -> Result<Derived, ExamineError> {
        let key = folder.derived(&recipe.key_name());
        if self.files.size(&key).await?.is_some() {
            let (measured, _) = self.measured(&key).await?;
            return Ok(Derived { key, facts: measured.facts() });
        }
        if self.tools.ffmpeg.is_none() {
            let reason = "This server needs the package ffmpeg to convert videos.";
            return Err(ExamineError::Unusable(reason.to_owned()));
        }
        if self.files.size(&folder.original()).await?.is_none() {
            return Err(FilesError::Missing.into());
        }
        let mut films = self.films.all();
        if let Some(film) = films.get(&key).cloned() {
            let failed = film.failed().take();
            return Err(match failed {
                Some(error) => {
                    films.remove(&key);
                    error
                }
                None => ExamineError::InProgress { percent: film.percent.load(Ordering::Relaxed) },
            });
        }
        let film = Arc::new(Film::default());
        films.insert(key.clone(), Arc::clone(&film));
        drop(films);
        let (examiner, folder, recipe) = (self.clone(), folder.clone(), *recipe);
        tokio::spawn(async move {
            let making = AssertUnwindSafe(examiner.make(&folder, &key, &recipe, &film));
            // One that is never told to have ended would be waited for for ever.
            match making.catch_unwind().await.unwrap_or_else(|_| Err(broken_off())) {
                Ok(()) => drop(examiner.films.all().remove(&key)),
                Err(error) => *film.failed() = Some(error),
            }
        });
        Err(ExamineError::InProgress { percent: 0 })
    }

    async fn make(
        &self,
        folder: &FileFolder,
        key: &FileKey,
        recipe: &Recipe,
        film: &Film,
    ) -> Result<(), ExamineError> {
        let turn = self.films.turns.part(folder.workspace(), 1).await;
        let _turn = turn.ok_or_else(stopped)?;
        if self.files.size(key).await?.is_some() {
            // It was finished between the look for it and the look for who makes it.
            return Ok(());
        }
        let original = folder.original();
        let (mut measured, _) = self.measured(&original).await?;
        let local = self.local(&original, measured.size_bytes).await?.ok_or_else(|| {
            ExamineError::Unusable("The video is too large to be converted.".to_owned())
        })?;
        if measured.width.is_none() || measured.duration_seconds.is_none() {
            let probed = self.tools.probe(local.path(), measured.mime_type).await;
            fill(&mut measured, probed.ok().flatten().unwrap_or_default());
        }
        let from = measured.width.zip(measured.height).ok_or_else(unread)?;
        let made = blocking(|| NamedTempFile::new().map_err(unwritten)).await?;
        let most = recipe.bytes_max.min(MADE_BYTES_MAX);
        let mut making = Making {
            media_type: measured.mime_type,
            duration_seconds: measured.duration_seconds,
            from,
            to: recipe.scaled_evenly(from.0, from.1),
            fps_max: recipe.fps_max,
            fps: measured.fps,
            bytes_max: most,
            threads: std::thread::available_parallelism().map_or(1, usize::from).div_ceil(2),
        };
        let length = measured.duration_seconds.unwrap_or_default().max(1.0);
        for attempt in 1..=ATTEMPTS {
            let told = |seconds: f64| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is clamped before"
                )]
                let percent = (seconds / length * 100.0).clamp(0.0, 99.0) as u8;
                film.percent.store(percent, Ordering::Relaxed);
            };
            let is_made = self.tools.make(&making, local.path(), made.path(), told).await;
            if !is_made.map_err(unmade)? {
                return Err(unread());
            }
            let path = made.path().to_owned();
            let bytes = tokio::fs::metadata(path).await.map_err(unwritten)?.len();
            if bytes <= most {
                break;
            }
            if attempt == ATTEMPTS {
                let reason = "The video does not become small enough for the network.";
                return Err(ExamineError::Unusable(reason.to_owned()));
            }
            let share = u128::from(most) * u128::from(most) / u128::from(bytes.max(1));
            making.bytes_max = u64::try_from(share).unwrap_or(most) / 10 * 9;
        }
        if self.files.size(&original).await?.is_none() {
            // The file was deleted meanwhile, and nobody would remove what is kept of it now.
            return Err(FilesError::Missing.into());
        }
        self.keep(key, &made).await
    }

    /// Keeps a video that was made, once it is known to be one.
    async fn keep(&self, key: &FileKey, made: &NamedTempFile) -> Result<(), ExamineError> {
        let file = made.reopen().map_err(unwritten)?;
        blocking(move || {
            let length = file.metadata().map_err(unwritten)?.len();
            measure(file, length).map_err(unmeasured)
        })
        .await?;
        let file = tokio::fs::File::from_std(made.reopen().map_err(unwritten)?);
        let pieces = futures_util::stream::try_unfold(file, |mut file| async move {
            let mut piece = vec![0; PIECE_BYTES];
            let read = file.read(&mut piece).await;
            let read = read.map_err(|error| FilesError::Unavailable(error.to_string()))?;
            piece.truncate(read);
            Ok((read > 0).then(|| (Bytes::from(piece), file)))
        });
        self.files.write(key, "video/mp4", ByteStream(Box::pin(pieces))).await?;
        Ok(())
    }
}

fn broken_off() -> ExamineError {
    ExamineError::Temporary("Converting the video ended before it was done.".to_owned())
}

fn unread() -> ExamineError {
    let reason = "The video cannot be converted: no picture can be read from it.";
    ExamineError::Unusable(reason.to_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "it is what becomes of an error")]
fn unwritten(error: std::io::Error) -> ExamineError {
    ExamineError::Temporary(format!("No video can be written: {error}."))
}

fn unmade(error: RunError) -> ExamineError {
    match error {
        RunError::NotRun(error) => {
            ExamineError::Temporary(format!("The program ffmpeg cannot be run: {error}."))
        }
        RunError::Failed | RunError::Crashed | RunError::TooSlow | RunError::TooMuch => {
            ExamineError::Unusable(format!(
                "The video cannot be converted: the program ffmpeg tells that {error}."
            ))
        }
    }
}
