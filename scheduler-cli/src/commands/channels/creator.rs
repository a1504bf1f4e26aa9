//! `scheduler channels creator`

use scheduler_core::ports::Creator;

use super::channel::ChannelArguments;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::escape_control;

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler channels creator tiktok";

/// Shows what TikTok allows an account.
pub(super) async fn run(context: &Context, arguments: ChannelArguments) -> Result<Exit, Failure> {
    let answer = arguments.ask(context, "tiktok/creator").await?;
    let creator: Creator = answer.read()?;
    context.show(&answer.body, |printer| {
        for (heading, text) in lines(&creator) {
            printer.line(&format!("{heading:<13} {}", escape_control(&text)))?;
        }
        Ok(())
    })
}

fn lines(creator: &Creator) -> [(&'static str, String); 5] {
    let allowed = |is_disabled: bool| if is_disabled { "off" } else { "allowed" }.to_owned();
    [
        ("privacy", creator.privacy_levels.join(", ")),
        ("comments", allowed(creator.comment_disabled)),
        ("duets", allowed(creator.duet_disabled)),
        ("stitches", allowed(creator.stitch_disabled)),
        ("longest video", format!("{} s", creator.max_video_duration_seconds)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_is_said() {
        let creator = Creator {
            privacy_levels: vec!["PUBLIC_TO_EVERYONE".into(), "SELF_ONLY".into()],
            comment_disabled: false,
            duet_disabled: true,
            stitch_disabled: false,
            max_video_duration_seconds: 600,
            nickname: None,
            username: None,
            avatar_url: None,
        };
        let lines = lines(&creator).map(|(_, text)| text);
        assert_eq!(lines, ["PUBLIC_TO_EVERYONE, SELF_ONLY", "allowed", "off", "allowed", "600 s"]);
    }
}
