use std::ffi::OsStr;

use scheduler_core::media::VideoCodec;

use super::probe::{Probed, read};
use super::*;

async fn shell(script: &str, output_max: usize, time_limit: Duration) -> Result<String, RunError> {
    let arguments = words(&["-c", script]);
    let said = run(Path::new("/bin/sh"), &arguments, output_max, time_limit).await?;
    Ok(String::from_utf8(said).unwrap())
}

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn what_a_program_writes_is_read_within_bounds() {
    assert_eq!(shell("echo hello; echo secret >&2", 6, LONG).await.unwrap(), "hello\n");
    assert_eq!(shell("cat", 10, LONG).await.unwrap(), "", "there is nothing to read");
    let inherited = shell("echo \"${CARGO_PKG_NAME:-nothing}\"", 100, LONG).await.unwrap();
    assert_eq!(inherited, "nothing\n");
    let failed = shell("echo hello; exit 3", 100, LONG).await;
    assert!(matches!(failed, Err(RunError::Failed)), "{failed:?}");
    let crashed = shell("kill -SEGV $$", 100, LONG).await;
    assert!(matches!(crashed, Err(RunError::Crashed)), "{crashed:?}");
    let much = shell("echo hello", 5, LONG).await;
    assert!(matches!(much, Err(RunError::TooMuch)), "{much:?}");
    let endless = shell("while :; do echo hello; done", 1_000, LONG).await;
    assert!(matches!(endless, Err(RunError::TooMuch)), "{endless:?}");
    let absent = run(Path::new("/nowhere/ffmpeg"), &[], 1, LONG).await;
    assert!(matches!(absent, Err(RunError::NotRun(_))), "{absent:?}");
}

#[tokio::test]
async fn a_program_that_takes_too_long_ends_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("child");
    let script = format!("sleep 1000 & echo $! > {}; wait", note.display());
    let slow = shell(&script, 10, Duration::from_millis(500)).await;
    assert!(matches!(slow, Err(RunError::TooSlow)), "{slow:?}");
    let child: i32 = std::fs::read_to_string(&note).unwrap().trim().parse().unwrap();
    let child = rustix::process::Pid::from_raw(child).unwrap();
    // Whoever takes over the children of the dead may need a moment to bury this one.
    for _ in 0..200 {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero()));
        if status.is_err() || status.is_ok_and(|line| line.contains(") Z ")) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the child lives");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_has_bounded_memory_leaves_no_core_and_comes_last() {
    // The limit of memory is the last one that is set.
    let script = "while [ $(ulimit -v) = unlimited ]; do :; done; \
                  ulimit -v; ulimit -c; nice";
    let ours = rustix::process::getpriority_process(None).unwrap();
    let niceness = (ours + run::NICENESS).min(19);
    let want = format!("{}\n0\n{niceness}\n", run::MEMORY_MAX / 1024);
    assert_eq!(shell(script, 100, LONG).await.unwrap(), want);
}

#[test]
fn programs_are_found_where_they_are_said_to_be_and_else_in_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("ffmpeg");
    std::fs::write(&program, "").unwrap();
    let path = std::env::join_paths([Path::new("relative"), folder.path()]).unwrap();
    let found = Tools { ffmpeg: Some(program.clone()), ..Tools::default() };
    assert_eq!(Tools::find(None, None, &path), found);
    assert_eq!(Tools::find(None, Some(&program), OsStr::new("")), found);
    let said = Path::new("/nowhere/ffmpeg");
    assert_eq!(Tools::find(None, Some(said), &path), Tools::default());
    assert_eq!(Tools::find(Some(folder.path()), None, OsStr::new("")), Tools::default());
}

#[test]
fn answers_of_ffprobe() {
    let nothing = Probed::default();
    for (name, answer, want) in [
        (
            "a video",
            r#"{"streams":[{"codec_name":"h264","width":640,"height":360,
               "avg_frame_rate":"30000/1001","duration":"9.5"}],"format":{"duration":"10.02"}}"#,
            Some(Probed {
                duration_seconds: Some(10.02),
                fps: Some(30_000.0 / 1_001.0),
                width: Some(640),
                height: Some(360),
                codec: Some(VideoCodec::H264),
            }),
        ),
        (
            "turned, by side data",
            r#"{"streams":[{"width":640,"height":360,"side_data_list":[{},{"rotation":-90}]}]}"#,
            Some(Probed { width: Some(360), height: Some(640), ..nothing.clone() }),
        ),
        (
            "turned, by a tag",
            r#"{"streams":[{"width":640,"height":360,"tags":{"rotate":"270"}}]}"#,
            Some(Probed { width: Some(360), height: Some(640), ..nothing.clone() }),
        ),
        (
            "upside down",
            r#"{"streams":[{"width":640,"height":360,"tags":{"rotate":"180"}}]}"#,
            Some(Probed { width: Some(640), height: Some(360), ..nothing.clone() }),
        ),
        (
            "numbers that are none",
            r#"{"streams":[{"width":0,"height":0,"avg_frame_rate":"0/0","codec_name":"theora"}],
               "format":{"duration":"N/A"}}"#,
            Some(Probed { codec: Some(VideoCodec::Other), ..nothing }),
        ),
        ("no video", r#"{"streams":[],"format":{"duration":"1"}}"#, None),
        ("no answer", "", None),
        ("another shape", r#"{"streams":[{"width":-1}]}"#, None),
    ] {
        assert_eq!(read(answer.as_bytes()).ok(), want, "{name}");
    }
}
