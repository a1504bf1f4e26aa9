//! Videos that the real programs have made, where they are installed.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use image::ImageFormat;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, VideoCodec};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::ports::{ExamineError, Examiner, Files};
use uuid::Uuid;

use super::build::Film;
use crate::{ExaminerSettings, MediaExaminer, Tools};

/// The programs, unless one is missing.
fn tools() -> Option<Tools> {
    let tools = Tools::find(None, None, &std::env::var_os("PATH").unwrap_or_default());
    if tools.ffprobe.is_some() && tools.ffmpeg.is_some() {
        return Some(tools);
    }
    let must = std::env::var_os("SCHEDULER_REQUIRE_FFMPEG").is_some();
    assert!(!must, "ffprobe and ffmpeg are not installed");
    eprintln!("NOT TESTED: ffprobe and ffmpeg are not installed");
    None
}

/// Two seconds of a moving picture of 640 x 360 pixels.
fn film(ffmpeg: &Path, name: &str, arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let source = "testsrc=duration=2:size=640x360:rate=25";
    let made = Command::new(ffmpeg)
        .args(["-v", "error", "-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p"])
        .args(arguments)
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success(), "{name}");
    std::fs::read(file).unwrap()
}

async fn examined(
    file: Vec<u8>,
    tools: Tools,
) -> Result<scheduler_core::ports::Examined, ExamineError> {
    let key = FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)));
    let files = Arc::new(MemoryFiles::new());
    files.put(key.original(), file.into());
    MediaExaminer::new(files as Arc<dyn Files>, tools, ExaminerSettings::default())
        .examine(&key.original())
        .await
}

#[tokio::test]
async fn every_container_is_measured_and_previewed() {
    let Some(tools) = tools() else { return };
    let ffmpeg = tools.ffmpeg.clone().unwrap();
    let x264: &[&str] = &["-c:v", "libx264"];
    // Not MPEG-TS: builds of ffprobe without shared libraries crash on it.
    for (name, arguments, media_type, codec, want_preview) in [
        ("f.mp4", x264, "video/mp4", VideoCodec::H264, (512, 288)),
        ("f.mov", x264, "video/quicktime", VideoCodec::H264, (512, 288)),
        ("f.mkv", x264, "video/x-matroska", VideoCodec::H264, (512, 288)),
        ("f.flv", x264, "video/x-flv", VideoCodec::H264, (512, 288)),
        ("f.webm", &["-c:v", "libvpx-vp9"], "video/webm", VideoCodec::Vp9, (512, 288)),
        ("f.avi", &["-c:v", "mpeg4"], "video/x-msvideo", VideoCodec::Mpeg4, (512, 288)),
        ("f.wmv", &["-c:v", "wmv2"], "video/x-ms-wmv", VideoCodec::Other, (512, 288)),
        ("f.mpg", &["-c:v", "mpeg2video"], "video/mpeg", VideoCodec::Other, (512, 288)),
    ] {
        let found = examined(film(&ffmpeg, name, arguments), tools.clone()).await.unwrap();
        let facts = found.facts;
        assert_eq!(facts.mime_type.as_deref(), Some(media_type), "{name}");
        assert_eq!((facts.width, facts.height), (Some(640), Some(360)), "{name}");
        assert_eq!(facts.video_codec, Some(codec), "{name}");
        let near = |found: Option<f64>, want: f64| found.is_some_and(|it| (it - want).abs() < 0.2);
        assert!(near(facts.duration_seconds, 2.0), "{name}: {:?}", facts.duration_seconds);
        assert!(near(facts.fps, 25.0), "{name}: {:?}", facts.fps);
        let preview = found.preview.unwrap_or_else(|| panic!("{name} has no preview"));
        let preview = image::load_from_memory_with_format(&preview, ImageFormat::WebP).unwrap();
        assert_eq!((preview.width(), preview.height()), want_preview, "{name}");
    }
}

#[tokio::test]
async fn broken_videos_end_as_they_should() {
    let Some(tools) = tools() else { return };
    let ffmpeg = tools.ffmpeg.clone().unwrap();
    let whole = film(&ffmpeg, "f.avi", &["-c:v", "mpeg4"]);
    let broken = [&whole[..64], &[0xa5; 4_000]].concat();
    let told = examined(broken, tools.clone()).await;
    let want = "The file is damaged: no video can be read from it.".to_owned();
    assert_eq!(told, Err(ExamineError::Unusable(want)));
    // Headers without pictures: measured, and nothing to see.
    let found = examined(Film::plain().file(), tools).await.unwrap();
    assert_eq!((found.facts.width, found.preview), (Some(1_920), None));
}
