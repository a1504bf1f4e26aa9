//! The real programs, confined: they still measure and preview films.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::FileKey;
use scheduler_core::memory::MemoryFiles;
use scheduler_core::ports::{Examined, Examiner, Files};
use scheduler_media::{ExaminerSettings, MediaExaminer, Tools};
use uuid::Uuid;

use super::held::{block_on, launcher};

/// The tests of this file.
pub(super) const TESTS: [(&str, fn()); 1] = [(
    "real_tools_find_the_same_when_they_are_confined",
    real_tools_find_the_same_when_they_are_confined,
)];

fn film(ffmpeg: &Path, name: &str, codec: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let source = "testsrc=duration=2:size=640x360:rate=25";
    let made = Command::new(ffmpeg)
        .args(["-v", "quiet", "-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", "-c:v", codec])
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
    let free = Tools::find(None, None, &std::env::var_os("PATH").unwrap_or_default());
    let (Some(_), Some(ffmpeg)) = (&free.ffprobe, free.ffmpeg.clone()) else {
        let must = std::env::var_os("SCHEDULER_REQUIRE_FFMPEG").is_some();
        assert!(!must, "ffprobe and ffmpeg are not installed");
        println!("NOT TESTED: ffprobe and ffmpeg are not installed");
        return;
    };
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
