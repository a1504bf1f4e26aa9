//! Files that cannot be sent: those that are not ready, and those without content.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Detail, Draft, Place, Rule};

pub(super) const RULE: Rule = Rule::Post { describe, run };

fn run(draft: &Draft<'_>, _: &Context, _: &[TargetView<'_>], issues: &mut Issues) {
    for (index, _) in draft.media.iter().enumerate().filter(|(_, media)| !media.ready) {
        issues.error("media.not_ready", Detail::NotReady { place: Place::File(index) });
    }
    for (index, _) in
        draft.media.iter().enumerate().filter(|(_, media)| media.size_bytes == Some(0))
    {
        issues.error("media.empty", Detail::Empty { place: Place::File(index) });
    }
}

fn describe(list: &mut Catalogue) {
    list.error("media.not_ready", "A file is not ready to be sent.");
    list.error("media.empty", "A file has 0 bytes.");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::MediaFacts;
    use super::super::tests::{Post, image};
    use crate::platform::Platform;

    #[test]
    fn files_that_cannot_be_sent() {
        let sized = |size_bytes| MediaFacts { size_bytes, ..image() };
        for (name, media, want) in [
            ("of one byte", sized(Some(1)), vec![]),
            ("of no bytes", sized(Some(0)), vec!["File 1 is empty: it has 0 bytes."]),
            ("of unknown size", sized(None), vec![]),
            ("not ready", MediaFacts { ready: false, ..image() }, vec!["File 1 is not ready yet."]),
        ] {
            let mut post = Post::new("Hello").to(Platform::Threads, json!({}));
            post.media = vec![media];
            let found = post.check();
            let messages: Vec<&str> = found.iter().map(|issue| issue.message.as_str()).collect();
            assert_eq!(messages, want, "{name}");
        }
    }
}
