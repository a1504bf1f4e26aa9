//! The post that a Tumblr post reblogs, and what a reblog cannot add.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::media::MediaKind;
use crate::platform::Platform;
use crate::text::tumblr::post_address;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tumblr {
        return;
    }
    let not_a_post =
        on.error(("reblog_of", "not_a_post"), "reblogOf is an address, but not that of a post.");
    let video =
        on.error(("reblog_of", "video"), "reblogOf is set on a post with a video of its own.");
    let Some(target) = on.subject() else { return };
    let Some(address) = target.option("reblogOf").and_then(Value::as_str) else { return };
    let is_web = ["http://", "https://"].iter().any(|scheme| address.trim().starts_with(scheme));
    if is_web && post_address(address).is_none() {
        let sentence = "reblogOf is the address of a post, such as https://www.tumblr.com/BLOG/NUMBER or https://BLOG.tumblr.com/post/NUMBER.";
        on.report(not_a_post, Detail::note_of("reblogOf", sentence));
    }
    if target.media.iter().any(|file| file.kind == MediaKind::Video) {
        let sentence = "Tumblr takes no video in a reblog; leave the video or reblogOf out.";
        on.report(video, Detail::note_of("reblogOf", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;

    #[test]
    fn what_a_reblog_is_and_what_it_adds() {
        let post = "https://www.tumblr.com/staff/1";
        for (name, text, address, files, want) in [
            ("a text", "Look", post, vec![], ""),
            ("nothing", "", post, vec![], ""),
            ("an image", "", post, vec![image()], ""),
            ("a video", "", post, vec![video()], "tumblr.reblog_of.video"),
            ("a blog", "Look", "https://staff.tumblr.com/", vec![], "tumblr.reblog_of.not_a_post"),
        ] {
            let mut reblog = Post::new(text).to(Platform::Tumblr, json!({ "reblogOf": address }));
            reblog.media = files;
            let found: Vec<String> =
                reblog.check().into_iter().map(|issue| issue.rule.to_string()).collect();
            assert_eq!(found.join(" "), want, "{name}");
        }
    }
}
