//! Whether `ffprobe` and `ffmpeg` are there and run, and what holds them.

use std::path::{Path, PathBuf};

use scheduler_media::Tools;

use super::finding::{Finding, Id, needed};
use super::subject::Subject;

/// Finds the two programs as the server does, and asks each for its version.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let media = needed(&subject.settings.media, "the settings of media cannot be read")?;
    let tools = media.tools();
    let without_ffprobe = "videos are measured from the headers of MP4 and QuickTime alone";
    let without_ffmpeg =
        "videos have no preview and are not converted, and HEIC and AVIF are not read";
    let (ffprobe, ffmpeg, confined) = tokio::join!(
        of_program("ffprobe", media.ffprobe.as_deref(), &tools, &tools.ffprobe, without_ffprobe),
        of_program("ffmpeg", media.ffmpeg.as_deref(), &tools, &tools.ffmpeg, without_ffmpeg),
        confinement(&tools),
    );
    Ok([Some(ffprobe), Some(ffmpeg), confined].into_iter().flatten().collect())
}

async fn of_program(
    name: &str,
    said: Option<&Path>,
    tools: &Tools,
    found: &Option<PathBuf>,
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
    match tools.version(program).await {
        Some(version) => Finding::ok(format!("{version} at {}", program.display())),
        None => Finding::problem(
            Id::ToolBroken,
            format!("{} does not run: {without}", program.display()),
            format!(
                "install the package ffmpeg again, or name another by SCHEDULER_{}; the program \
                 itself, no script that starts it",
                name.to_ascii_uppercase()
            ),
        ),
    }
}

/// What the system lets the tools be confined by; nothing where there is no tool.
async fn confinement(tools: &Tools) -> Option<Finding> {
    tools.ffprobe.as_ref().or(tools.ffmpeg.as_ref())?;
    let held = tools.confinement().await.unwrap_or_default();
    if let Some(level) = held.landlock
        && held.is_whole()
    {
        let found = format!("they reach no network and no file but their input (Landlock {level})");
        return Some(Finding::ok(found));
    }
    let mut open = Vec::new();
    if held.landlock.is_none() {
        open.push("they can read the server's files, for the system has no Landlock");
    }
    if !held.seccomp {
        open.push("they can reach the network, for the system has no seccomp");
    }
    Some(Finding::warning(
        Id::ToolUnconfined,
        open.join("; "),
        "run a kernel from 5.13 on with landlock among its LSMs (lsm=landlock,…) and seccomp; let \
         the container or the unit call landlock_create_ruleset, landlock_add_rule, \
         landlock_restrict_self and seccomp",
    ))
}
