//! Whether `ffprobe` and `ffmpeg` are there and run.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use scheduler_media::Tools;
use tokio::process::Command;
use tokio::time::timeout;

use super::finding::Finding;
use super::id::Id;
use super::subject::Subject;

/// How long a program may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// Finds the two programs as the server does, and asks each for its version.
pub(super) async fn check(subject: &Subject) -> Vec<Finding> {
    let Some(media) = &subject.settings.media else {
        return vec![Finding::skipped("the settings of media cannot be read")];
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let (ffprobe, ffmpeg) = (media.ffprobe.as_deref(), media.ffmpeg.as_deref());
    let tools = Tools::find(ffprobe, ffmpeg, &path);
    let without_ffprobe = "videos are measured from the headers of MP4 and QuickTime alone";
    let without_ffmpeg = "videos have no preview";
    let (ffprobe, ffmpeg) = tokio::join!(
        of_program("ffprobe", ffprobe, tools.ffprobe, without_ffprobe),
        of_program("ffmpeg", ffmpeg, tools.ffmpeg, without_ffmpeg),
    );
    vec![ffprobe, ffmpeg]
}

async fn of_program(
    name: &str,
    said: Option<&Path>,
    found: Option<PathBuf>,
    without: &str,
) -> Finding {
    let Some(program) = found else {
        return match said {
            Some(said) => Finding::problem(
                Id::ToolNotThere,
                format!("{name} is not at {}: {without}", said.display()),
                format!("correct SCHEDULER_{}", name.to_ascii_uppercase()),
            ),
            None => Finding::warning(
                Id::ToolNotInstalled,
                format!("{name} is not installed: {without}"),
                "install the package ffmpeg",
            ),
        };
    };
    match version(&program).await {
        Some(version) => Finding::ok(format!("{version} at {}", program.display())),
        None => Finding::problem(
            Id::ToolBroken,
            format!("{} does not run: {without}", program.display()),
            format!(
                "install the package ffmpeg again, or name another by SCHEDULER_{}",
                name.to_ascii_uppercase()
            ),
        ),
    }
}

/// The name and version that a program tells, such as `ffprobe 6.1`.
async fn version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("-version").env_clear().kill_on_drop(true);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let output = timeout(PATIENCE, command.output()).await.ok()?.ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut words = said.lines().next()?.split_whitespace();
    let (name, _, version) = (words.next()?, words.next()?, words.next()?);
    output.status.success().then(|| format!("{name} {version}"))
}
