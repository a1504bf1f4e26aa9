//! The real programs, confined: they still measure and preview films, and make others of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, Recipe, VideoCodec};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::ports::{Derived, ExamineError, Examined, Examiner, Files};
use scheduler_media::{ExaminerSettings, MediaExaminer, Tools};
use uuid::Uuid;

use super::held::{block_on, launcher};

/// The tests of this file.
pub(super) const TESTS: [(&str, fn()); 3] = [
    (
        "real_tools_find_the_same_when_they_are_confined",
        real_tools_find_the_same_when_they_are_confined,
    ),
    ("films_are_made_as_a_recipe_asks", films_are_made_as_a_recipe_asks),
    (
        "nothing_is_kept_of_a_film_that_is_deleted_meanwhile",
        nothing_is_kept_of_a_film_that_is_deleted_meanwhile,
    ),
];

/// How long until it is asked again how far a film is.
const PAUSE: Duration = Duration::from_millis(50);

/// The programs, where they are installed.
fn tools() -> Option<(Tools, PathBuf)> {
    let free = Tools::find(None, None, &std::env::var_os("PATH").unwrap_or_default());
    if let (Some(_), Some(ffmpeg)) = (&free.ffprobe, free.ffmpeg.clone()) {
        return Some((free, ffmpeg));
    }
    let must = std::env::var_os("SCHEDULER_REQUIRE_FFMPEG").is_some();
    assert!(!must, "ffprobe and ffmpeg are not installed");
    println!("NOT TESTED: ffprobe and ffmpeg are not installed");
    None
}

fn film(ffmpeg: &Path, name: &str, codec: &str) -> Vec<u8> {
    film_of(ffmpeg, name, codec, "testsrc=duration=2:size=640x360:rate=25")
}

fn film_of(ffmpeg: &Path, name: &str, codec: &str, source: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let made = Command::new(ffmpeg)
        .args(["-v", "quiet", "-f", "lavfi", "-i", source])
        .args(["-f", "lavfi", "-i", "sine=frequency=440:duration=2"])
        .args(["-pix_fmt", "yuv420p", "-c:v", codec])
        .arg(&file)
        .output()
        .unwrap();
    assert!(made.status.success(), "{name}: {made:?}");
    std::fs::read(file).unwrap()
}

fn examined(file: &[u8], tools: Tools) -> Examined {
    let key = FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)));
    let files = Arc::new(MemoryFiles::new());
    files.put(key.original(), file.to_vec().into());
    let files = files as Arc<dyn Files>;
    let examiner = MediaExaminer::new(files, tools, ExaminerSettings::default());
    block_on(examiner.examine(&key.original())).unwrap()
}

fn real_tools_find_the_same_when_they_are_confined() {
    let Some((free, ffmpeg)) = tools() else { return };
    let confined = free.clone().confined(Some(launcher()));
    for program in [&free.ffprobe, &free.ffmpeg].into_iter().flatten() {
        let version = block_on(confined.version(program));
        println!("confined: {version:?}");
        assert_eq!(version, block_on(free.version(program)));
        assert!(version.is_some(), "{program:?}");
    }
    for (name, codec) in [
        ("f.mp4", "libx264"),
        ("f.mov", "libx265"),
        ("f.mkv", "libx264"),
        ("f.webm", "libvpx-vp9"),
        ("f.avi", "mpeg4"),
        ("f.ogv", "libtheora"),
        ("f.mpg", "mpeg2video"),
        ("f.flv", "flv"),
        ("f.wmv", "wmv2"),
    ] {
        let file = film(&ffmpeg, name, codec);
        let found = examined(&file, confined.clone());
        let want = examined(&file, free.clone());
        assert_eq!(found.facts, want.facts, "{name}");
        assert!(found.facts.duration_seconds.is_some(), "{name}: {:?}", found.facts);
        assert!(found.preview.is_some(), "{name} has no preview");
        assert_eq!(found.preview, want.preview, "{name}");
    }
}

/// A store with one film, and an examiner over it.
fn stored(file: &[u8], tools: Tools) -> (Arc<MemoryFiles>, MediaExaminer, FileFolder) {
    let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)));
    let files = Arc::new(MemoryFiles::new());
    files.put(folder.original(), file.to_vec().into());
    let examiner = MediaExaminer::new(files.clone(), tools, ExaminerSettings::default());
    (files, examiner, folder)
}

/// What an examiner makes of a film, and how far it was told to be on the way.
fn made(file: &[u8], tools: Tools, recipe: &Recipe) -> (Result<Derived, ExamineError>, Vec<u8>) {
    let (_, examiner, folder) = stored(file, tools);
    let mut told = Vec::new();
    let made = block_on(async {
        loop {
            match examiner.derive(&folder, recipe).await {
                Err(ExamineError::InProgress { percent }) => {
                    told.push(percent);
                    tokio::time::sleep(PAUSE).await;
                }
                ended => return ended,
            }
        }
    });
    (made, told)
}

fn films_are_made_as_a_recipe_asks() {
    let Some((free, ffmpeg)) = tools() else { return };
    let confined = free.confined(Some(launcher()));
    let usual = Recipe::mp4(u64::MAX);
    let small = Recipe { longest_side: 320, fps_max: Some(10), ..Recipe::mp4(100_000) };
    for (name, codec, source, recipe, size, fps) in [
        ("f.mov", "libx265", "testsrc=duration=2:size=640x360:rate=25", usual, (640, 360), 25.0),
        (
            "f.webm",
            "libvpx-vp9",
            "testsrc=duration=2:size=641x361:rate=25",
            usual,
            (640, 360),
            25.0,
        ),
        ("f.mp4", "libx264", "testsrc=duration=2:size=360x640:rate=50", small, (180, 320), 10.0),
        (
            "f.avi",
            "mpeg4",
            "testsrc=duration=2:size=2560x1440:rate=25",
            usual,
            (1_920, 1_080),
            25.0,
        ),
    ] {
        let file = film_of(&ffmpeg, name, codec, source);
        let (made, told) = made(&file, confined.clone(), &recipe);
        let facts = made.unwrap_or_else(|error| panic!("{name}: {error}")).facts;
        assert_eq!(told.first(), Some(&0), "{name}: it is made in the background");
        assert_eq!(facts.mime_type.as_deref(), Some("video/mp4"), "{name}");
        assert_eq!(facts.video_codec, Some(VideoCodec::H264), "{name}");
        assert_eq!(facts.width.zip(facts.height), Some(size), "{name}");
        assert!((facts.fps.unwrap() - fps).abs() < 0.5, "{name}: {:?}", facts.fps);
        assert!((facts.duration_seconds.unwrap() - 2.0).abs() < 0.2, "{name}: {facts:?}");
        assert!(facts.size_bytes.unwrap() <= recipe.bytes_max, "{name}: {:?}", facts.size_bytes);
    }
    let torn = &film(&ffmpeg, "f.mp4", "libx264")[..2_000];
    let (refused, _) = made(torn, confined, &usual);
    assert!(matches!(refused, Err(ExamineError::Unusable(_))), "{refused:?}");
}

fn nothing_is_kept_of_a_film_that_is_deleted_meanwhile() {
    let Some((free, ffmpeg)) = tools() else { return };
    let source = "testsrc=duration=20:size=1920x1080:rate=25";
    let file = film_of(&ffmpeg, "f.avi", "mpeg4", source);
    let (files, examiner, folder) = stored(&file, free.confined(Some(launcher())));
    let recipe = Recipe::mp4(u64::MAX);
    block_on(async {
        loop {
            match examiner.derive(&folder, &recipe).await {
                Err(ExamineError::InProgress { percent: 0 }) => tokio::time::sleep(PAUSE).await,
                Err(ExamineError::InProgress { .. }) => break,
                ended => panic!("it has ended before it was deleted: {ended:?}"),
            }
        }
        files.erase(&folder).await.unwrap();
        // Those of this test and of its examiner; whoever makes the film has one more.
        while Arc::strong_count(&files) > 2 {
            tokio::time::sleep(PAUSE).await;
        }
        let key = folder.derived(&recipe.key_name());
        assert_eq!(files.size(&key).await, Ok(None));
    });
}
