//! Files that cannot be sent: those that are not ready, and those without content.

use super::inspection::{Inspection, OfPost, OfTarget};
use super::{Detail, MediaFacts, Place, Rule};

pub(super) const RULE: Rule = Rule::Post(rule);

/// The same of the files that a target has in place of those of the post.
pub(super) const OWN_RULE: Rule = Rule::Files(own_rule);

fn rule(on: &mut OfPost<'_, '_>) {
    look(on, |post| post.draft.media);
}

fn own_rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.max_media_per_post > 0 {
        look(on, |target| target.own_files);
    }
}

fn look<'a, T, S>(on: &mut Inspection<'a, T, S>, files: impl FnOnce(&'a T) -> &'a [MediaFacts]) {
    let not_ready = on.error(("media", "not_ready"), "A file is not ready to be sent.");
    let empty = on.error(("media", "empty"), "A file has 0 bytes.");
    let Some(files) = on.subject().map(files) else { return };
    let those = |is_meant: fn(&MediaFacts) -> bool| {
        let files = files.iter().enumerate();
        files.filter(move |(_, media)| is_meant(media))
    };
    for (index, media) in those(|media| !media.ready) {
        let reason = media.failure.clone();
        on.report(not_ready, Detail::NotReady { place: Place::File(index), reason });
    }
    for (index, _) in those(|media| media.size_bytes == Some(0)) {
        on.report(empty, Detail::Empty { place: Place::File(index) });
    }
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
        let failed =
            |reason: &str| MediaFacts { ready: false, failure: Some(reason.to_owned()), ..image() };
        for (name, media, want) in [
            ("of one byte", sized(Some(1)), vec![]),
            ("of no bytes", sized(Some(0)), vec!["File 1 is empty: it has 0 bytes."]),
            ("of unknown size", sized(None), vec![]),
            ("not ready", MediaFacts { ready: false, ..image() }, vec!["File 1 is not ready yet."]),
            (
                "failed",
                failed("This is not a picture."),
                vec!["File 1 cannot be used: This is not a picture."],
            ),
            ("deleted", failed("It was deleted."), vec!["File 1 cannot be used: It was deleted."]),
        ] {
            let mut post = Post::new("Hello").to(Platform::Threads, json!({}));
            post.media = vec![media];
            let found = post.check();
            let messages: Vec<&str> = found.iter().map(|issue| issue.message.as_str()).collect();
            assert_eq!(messages, want, "{name}");
        }
    }
}
