//! What the options of Threads need of a post, and what they do not go with.

use serde_json::Value;

use super::draft::{TargetView, widened};
use super::inspection::OfTarget;
use super::{Counted, Detail, Place, Rule};
use crate::platform::Platform;
use crate::text::entities;

pub(super) const RULE: Rule = Rule::Target(rule);

/// What a ghost post is not made of.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/ghost-posts>.
const NOT_OF_A_GHOST: [&str; 7] =
    ["thread", "poll", "topicTag", "quote", "replyApprovals", "textAttachment", "firstComment"];

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Threads {
        return;
    }
    let no_topic = on.error(("topic_tag", "sign_alone"), "The topic is a # and nothing else.");
    let hashtags = on.warning(
        ("topic_tag", "hashtags"),
        "A post with a topic has a hashtag in the text, which stays text.",
    );
    let nobody = on.warning(
        ("reply_control", "nobody"),
        "Only those who are mentioned may reply, and the text mentions nobody.",
    );
    let ghost = on.error(
        ("ghost", "not_alone"),
        "A ghost post has files, a link, or an option other than caption, spoilers and replyControl.",
    );
    let links = on.sheet.text.links.refused_above.map(|most| {
        let when = format_args!("The first comment has more than {most} different links.");
        (on.error(("first_comment", "too_many_links"), when), widened(most))
    });
    let Some(target) = on.subject() else { return };
    let text_of = |key| target.option(key).and_then(Value::as_str);
    let finders = entities::Finders::of(on.sheet.platform);
    let text = target.composed.text();
    if let Some(topic) = text_of("topicTag") {
        if topic.trim() == "#" {
            on.report(no_topic, Detail::note_of("topicTag", "The topic needs a name after its #."));
        }
        if !(finders.hashtags)(text).is_empty() {
            let sentence = "The topic is given, so that a hashtag in the text stays text.";
            on.report(hashtags, Detail::note_of("topicTag", sentence));
        }
    }
    if text_of("replyControl") == Some("mentioned") && (finders.mentions)(text).is_empty() {
        let sentence = "Nobody could reply to this post: it mentions nobody.";
        on.report(nobody, Detail::note_of("replyControl", sentence));
    }
    if target.is_on("ghost")
        && let Some(other) = beside_ghost(target)
    {
        let sentence = format!("A ghost post is a text and nothing else; leave out {other}.");
        let (option, sentence) = (Some("ghost".into()), sentence.into());
        on.report(ghost, Detail::Note { option, sentence });
    }
    if let Some((too_many, most)) = links
        && let Some(found) = text_of("firstComment")
            .map(|comment| entities::different_links(comment, None))
            .filter(|found| *found > most)
    {
        let (unit, place) = (Counted::Links, Place::option("firstComment"));
        on.report(too_many, Detail::TooMany { unit, found, most, place });
    }
}

/// What a ghost post may not have.
fn beside_ghost(target: &TargetView<'_>) -> Option<&'static str> {
    if !target.draft.media.is_empty() {
        return Some("the files");
    }
    if target.composed.link_card.is_some() {
        return Some("the link");
    }
    let is_given = |key: &&&str| match target.option(key) {
        None | Some(Value::Bool(false)) => false,
        Some(_) => true,
    };
    NOT_OF_A_GHOST.iter().find(is_given).copied()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::Platform;

    #[test]
    fn options_with_each_other_and_with_the_post() {
        let links = |number: usize| {
            let links = (0..number).map(|at| format!("https://example.com/{at}"));
            links.collect::<Vec<_>>().join(" ")
        };
        for (name, text, files, options, want) in [
            ("a topic", "Hi", 0, json!({"topicTag": "#baking"}), ""),
            ("no topic", "Hi", 0, json!({"topicTag": " # "}), "topic_tag.sign_alone"),
            ("a hashtag", "Hi #one", 0, json!({"topicTag": "baking"}), "topic_tag.hashtags"),
            ("for everyone", "Hi", 0, json!({"replyControl": "everyone"}), ""),
            ("for somebody", "Hi @ana", 0, json!({"replyControl": "mentioned"}), ""),
            ("for nobody", "Hi", 0, json!({"replyControl": "mentioned"}), "reply_control.nobody"),
            ("blurred files", "Hi", 1, json!({"spoilerMedia": true}), ""),
            ("nothing to blur", "Hi", 0, json!({"spoilerMedia": true}), "spoiler_media.no_effect"),
            ("nothing blurred", "Hi", 0, json!({"spoilerMedia": false}), ""),
            ("a ghost", "Hi", 0, json!({"ghost": true, "replyControl": "following"}), ""),
            ("a ghost with a file", "Hi", 1, json!({"ghost": true}), "ghost.not_alone"),
            (
                "a ghost with a topic",
                "Hi",
                0,
                json!({"ghost": true, "topicTag": "a"}),
                "ghost.not_alone",
            ),
            (
                "a ghost that approves nothing",
                "Hi",
                0,
                json!({"ghost": true, "replyApprovals": false}),
                "",
            ),
            ("no ghost", "Hi", 0, json!({"ghost": false, "topicTag": "a"}), ""),
            ("5 links", "Hi", 0, json!({"firstComment": links(5)}), ""),
            ("6 links", "Hi", 0, json!({"firstComment": links(6)}), "first_comment.too_many_links"),
        ] {
            let mut post = Post::new(text).to(Platform::Threads, options);
            post.media = vec![image(); files];
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().filter_map(|issue| issue.rule.strip_prefix("threads.")).collect();
            assert_eq!(rules.join(" "), want, "{name}: {found:?}");
        }
    }

    #[test]
    fn a_ghost_has_no_link() {
        let mut post = Post::new("Hi").to(Platform::Threads, json!({"ghost": true}));
        post.link_url = Some("https://example.com".to_owned());
        assert_eq!(post.issues("ghost.not_alone").len(), 1);
    }
}
