//! The examiner over a store in memory.

use std::sync::Arc;
use std::time::Duration;

use image::ImageFormat;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, MediaFacts};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::bluesky;
use scheduler_core::ports::{ByteStream, ExamineError, Examined, Examiner, Files, FilesError};
use uuid::Uuid;

use super::build::{Film, gif, heif, jpeg, png};
use super::real::{FORMATS, halves, noise, written};
use crate::{ExaminerSettings, MediaExaminer, Tools};

fn folder() -> FileFolder {
    FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)))
}

fn holding(file: &[u8]) -> Arc<MemoryFiles> {
    let files = Arc::new(MemoryFiles::new());
    files.put(folder().original(), file.to_vec().into());
    files
}

fn examiner(files: &Arc<MemoryFiles>, settings: ExaminerSettings) -> MediaExaminer {
    MediaExaminer::new(Arc::clone(files) as Arc<dyn Files>, Tools::default(), settings)
}

async fn examined(file: &[u8]) -> Result<Examined, ExamineError> {
    let files = holding(file);
    examiner(&files, ExaminerSettings::default()).examine(&folder().original()).await
}

fn refusal(result: Result<Examined, ExamineError>) -> String {
    match result {
        Err(ExamineError::Unusable(told)) => told,
        other => panic!("{other:?}"),
    }
}

fn line(facts: &MediaFacts) -> String {
    let side = |side: Option<u32>| side.map_or("?".to_owned(), |side| side.to_string());
    let mime_type = facts.mime_type.as_deref().unwrap_or_default();
    format!("{mime_type} {}x{}", side(facts.width), side(facts.height))
}

#[tokio::test]
async fn pictures_of_every_type() {
    for (format, media_type) in FORMATS {
        let file = written(&halves(1_000, 400), format);
        let found = examined(&file).await.unwrap();
        assert_eq!(line(&found.facts), format!("{media_type} 1000x400"));
        assert_eq!(found.facts.size_bytes, Some(file.len() as u64));
        let preview = found.preview.unwrap();
        let preview = image::load_from_memory_with_format(&preview, ImageFormat::WebP).unwrap();
        assert_eq!((preview.width(), preview.height()), (512, 205), "{media_type}");
    }
}

#[tokio::test]
async fn what_is_not_decoded_is_measured_and_has_no_preview() {
    for (name, file, want) in [
        ("HEIC", heif(b"heic", 4_032, 3_024, 0), "image/heic 4032x3024"),
        ("AVIF", heif(b"avif", 640, 480, 1), "image/avif 480x640"),
        ("SVG", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), "image/svg+xml ?x?"),
        ("MP4", Film::plain().file(), "video/mp4 1920x1080"),
    ] {
        let found = examined(&file).await.unwrap();
        assert_eq!((line(&found.facts).as_str(), found.preview), (want, None), "{name}");
    }
    let file = written(&halves(100, 100), ImageFormat::Png);
    let files = holding(&file);
    let settings = ExaminerSettings { picture_bytes_max: 10, ..ExaminerSettings::default() };
    let found = examiner(&files, settings).examine(&folder().original()).await.unwrap();
    assert_eq!((line(&found.facts).as_str(), found.preview), ("image/png 100x100", None));
}

#[tokio::test]
async fn files_that_are_no_pictures_or_want_to_do_harm() {
    let idat: (&[u8; 4], &[u8]) = (b"IDAT", b"pixels");
    for (name, file, want) in [
        ("empty", Vec::new(), "The file is empty."),
        ("text", b"hello".to_vec(), "The file is neither a picture, a video nor a document."),
        (
            "a page",
            b"<!DOCTYPE html><html>".to_vec(),
            "The file is neither a picture, a video nor a document",
        ),
        ("huge PNG", png(60_000, 60_000, &[idat]), "The file has too many pixels"),
        ("huge JPEG", jpeg(60_000, 60_000, &[]), "The file has too many pixels"),
        ("huge GIF", gif(60_000, 60_000, 1), "The file has too many pixels"),
        ("no pixels", png(100, 100, &[idat]), "The file is damaged"),
        ("no scan", jpeg(100, 100, &[]), "The file is damaged"),
    ] {
        let told = refusal(examined(&file).await);
        assert!(told.starts_with(want) && told.ends_with('.'), "{name}: {told}");
    }
    for (format, media_type) in FORMATS {
        let file = written(&noise(300, 200), format);
        for percent in [30, 90] {
            let told = refusal(examined(&file[..file.len() * percent / 100]).await);
            assert!(told.starts_with("The file is "), "{media_type}, {percent} %: {told}");
        }
    }
}

#[tokio::test]
async fn reading_headers_has_an_end() {
    let files = holding(&written(&halves(100, 100), ImageFormat::Png));
    let settings =
        ExaminerSettings { measure_time_limit: Duration::ZERO, ..ExaminerSettings::default() };
    let told = refusal(examiner(&files, settings).examine(&folder().original()).await);
    assert_eq!(told, "The file is damaged: its headers have no end.");
}

#[tokio::test]
async fn a_file_that_is_gone_is_missing() {
    let files = Arc::new(MemoryFiles::new());
    let found = examiner(&files, ExaminerSettings::default()).examine(&folder().original()).await;
    assert_eq!(found, Err(ExamineError::Files(FilesError::Missing)));
}

#[tokio::test]
async fn memory_is_shared_and_nobody_waits_for_ever() {
    let files = holding(&written(&halves(1_000, 1_000), ImageFormat::Png));
    // Room for one at a time.
    let settings = ExaminerSettings { memory: 24 * 1024 * 1024, ..ExaminerSettings::default() };
    let examiner = Arc::new(examiner(&files, settings));
    let all: Vec<_> = (0..8)
        .map(|_| {
            let examiner = Arc::clone(&examiner);
            tokio::spawn(async move { examiner.examine(&folder().original()).await })
        })
        .collect();
    for one in all {
        assert!(one.await.unwrap().unwrap().preview.is_some());
    }
}

#[tokio::test]
async fn what_a_network_needs_is_made_once() {
    let files = holding(&written(&noise(1_500, 1_500), ImageFormat::Png));
    let examiner = examiner(&files, ExaminerSettings::default());
    let recipe = &bluesky::IMAGE_RECIPE;
    let made = examiner.derive(&folder(), recipe).await.unwrap();
    assert_eq!(made.key, folder().derived(&recipe.key_name()));
    assert_eq!(made.facts.mime_type.as_deref(), Some("image/jpeg"));
    let kept = files.size(&made.key).await.unwrap();
    assert!(kept.is_some_and(|size| size <= recipe.bytes_max), "{kept:?}");
    assert_eq!(made.facts.size_bytes, kept);
    // Found, although nothing could be made of the original any more.
    let original = folder().original();
    files.write(&original, "image/png", ByteStream::once("gone".into())).await.unwrap();
    assert_eq!(examiner.derive(&folder(), recipe).await, Ok(made));
}

#[tokio::test]
async fn nothing_is_made_of_what_is_not_decoded() {
    for (name, file) in [("a video", Film::plain().file()), ("HEIC", heif(b"heic", 640, 480, 0))] {
        let files = holding(&file);
        let examiner = examiner(&files, ExaminerSettings::default());
        let made = examiner.derive(&folder(), &bluesky::IMAGE_RECIPE).await;
        let want = "The file is of a type that is not decoded here.".to_owned();
        assert_eq!(made, Err(ExamineError::Unusable(want)), "{name}");
        assert_eq!(files.kept().len(), 1, "{name}");
    }
}
