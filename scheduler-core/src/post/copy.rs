//! What makes one post say what another one says.

use super::{Field, Post, PostInput, TargetInput};
use crate::target::Target;

impl PostInput {
    /// What makes another post say what this one says, to the same accounts, and nothing of when.
    #[must_use]
    pub fn copy_of(post: &Post) -> Self {
        let or_null = |text: &Option<String>| text.clone().map_or(Field::Null, Field::Value);
        let has_files = !post.media_ids.is_empty();
        let target = |target: &Target| TargetInput {
            media_ids: target.files.media_ids.clone().map_or(Field::Null, Field::Value),
            files: target.files.details.clone().into(),
            ..TargetInput::from(target.platform)
                .by(target.account_id)
                .with_options(target.options.clone())
        };
        Self {
            content: post.content.clone().into(),
            link_url: or_null(&post.link_url),
            media_ids: if has_files { post.media_ids.clone().into() } else { Field::Null },
            alt_texts: if has_files { post.alt_texts.clone().into() } else { Field::Null },
            disclosure: post.disclosure.into(),
            links: post.links.clone().map_or(Field::Null, Field::Value),
            labels: post.annotations.labels.clone().into(),
            note: or_null(&post.annotations.note),
            metadata: post.annotations.metadata.clone().into(),
            targets: post.targets.iter().map(target).collect::<Vec<_>>().into(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::ids::{AccountId, MediaId, PostId, TargetId, WorkspaceId};
    use crate::platform::{Disclosure, FileDetails, Platform};
    use crate::post::{Annotations, Before};
    use crate::target::TargetFiles;

    #[test]
    fn a_copy_says_everything_but_when() {
        let nil = Uuid::nil();
        let [one, two] = [1, 2].map(|number| MediaId(Uuid::from_u128(number)));
        let options = json!({"caption": "own", "linkCard": {"title": "A"}, "unknown": [1]});
        let options = options.as_object().cloned().unwrap_or_default();
        let mut target =
            Target::new(TargetId(nil), Platform::Bluesky, AccountId(nil), options, None, None);
        let details = FileDetails { alt_text: Some("own".to_owned()), ..FileDetails::default() };
        let details = BTreeMap::from([(two, details)]);
        target.files = TargetFiles { media_ids: Some(vec![two]), details };
        let new = Post::new(PostId(nil), WorkspaceId(nil), DateTime::UNIX_EPOCH);
        let mut disclosure = Disclosure::NONE;
        disclosure.ai_generated = true;
        let post = Post {
            content: "text".to_owned(),
            link_url: Some("https://example.com".to_owned()),
            media_ids: vec![one, two],
            alt_texts: vec![None, Some("two".to_owned())],
            disclosure,
            annotations: Annotations {
                labels: vec!["a".to_owned()],
                note: Some("b".to_owned()),
                metadata: BTreeMap::from([("c".to_owned(), "d".to_owned())]),
            },
            targets: vec![target],
            ..new.clone()
        };
        let input = PostInput::copy_of(&post);
        let mut copy = new;
        input.apply_to(&mut copy);
        let of_target = &input.targets.value().unwrap()[0];
        let mut target = Target::new(
            TargetId(nil),
            of_target.platform,
            of_target.account_id.unwrap(),
            of_target.options.clone().unwrap_or_default(),
            None,
            None,
        );
        of_target.apply_files(&mut target.files);
        copy.targets = vec![target];
        assert_eq!(Before::of(&post).parts_changed(&Before::of(&copy)), []);
        assert_eq!(input.timing(), crate::timing::TimingInput::default());
    }
}
