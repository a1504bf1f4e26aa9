//! Options of every network but those that `options_of_videos` speaks of.

use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::case::{Case, image, text};

pub(super) fn cases() -> Vec<Case> {
    let tags = |count: usize| -> Value {
        (0..count).map(|number| format!("tag {number}")).collect::<Vec<_>>().into()
    };
    let mut cases = of_all();
    for (name, platform, options) in [
        ("asReel that is a text", Platform::Facebook, json!({"asReel": "yes"})),
        ("a background", Platform::Facebook, json!({"textBackground": "1".repeat(32)})),
        (
            "a background of too many digits",
            Platform::Facebook,
            json!({"textBackground": "1".repeat(33)}),
        ),
        ("a background by name", Platform::Facebook, json!({"textBackground": "sunset"})),
        ("a background that is a number", Platform::Facebook, json!({"textBackground": 3})),
        (
            "a background of 130 letters",
            Platform::Facebook,
            json!({"textBackground": "1", "caption": "é".repeat(130)}),
        ),
        (
            "a background of 131 letters",
            Platform::Facebook,
            json!({"textBackground": "1", "caption": "é".repeat(131)}),
        ),
        ("a first comment on Facebook", Platform::Facebook, comment(8000)),
        ("a first comment on Facebook, one over", Platform::Facebook, comment(8001)),
        ("a blank first comment on Facebook", Platform::Facebook, json!({"firstComment": " "})),
        (
            "a first comment on Facebook that is a list",
            Platform::Facebook,
            json!({"firstComment": []}),
        ),
        ("a first comment on LinkedIn", Platform::Linkedin, comment(1250)),
        ("a first comment on LinkedIn, one over", Platform::Linkedin, comment(1251)),
        ("a blank first comment on LinkedIn", Platform::Linkedin, json!({"firstComment": " "})),
        (
            "a first comment on LinkedIn that is a number",
            Platform::Linkedin,
            json!({"firstComment": 1}),
        ),
        (
            "a first comment on LinkedIn in emoji",
            Platform::Linkedin,
            json!({"firstComment": "👍".repeat(626)}),
        ),
        (
            "a part of a thread of 501 bytes",
            Platform::Threads,
            json!({"thread": [format!("{}é", "a".repeat(499))]}),
        ),
        ("a topic of 50 letters", Platform::Threads, json!({"topicTag": "é".repeat(50)})),
        ("a topic of 51 letters", Platform::Threads, json!({"topicTag": "é".repeat(51)})),
        ("a topic with a sign", Platform::Threads, json!({"topicTag": "#baking"})),
        ("a topic that is a sign", Platform::Threads, json!({"topicTag": "#"})),
        ("a topic that is empty", Platform::Threads, json!({"topicTag": ""})),
        ("a topic with a period", Platform::Threads, json!({"topicTag": "a.b"})),
        ("a topic that is a list", Platform::Threads, json!({"topicTag": ["a"]})),
        (
            "a topic and a hashtag",
            Platform::Threads,
            json!({"topicTag": "baking", "caption": "Hi #one"}),
        ),
        ("replies of followers", Platform::Threads, json!({"replyControl": "followers"})),
        ("replies of nobody", Platform::Threads, json!({"replyControl": "mentioned"})),
        (
            "replies of somebody",
            Platform::Threads,
            json!({"replyControl": "mentioned", "caption": "Hi @ana"}),
        ),
        ("replies of friends", Platform::Threads, json!({"replyControl": "friends"})),
        ("replies that are a flag", Platform::Threads, json!({"replyControl": true})),
        ("approved replies", Platform::Threads, json!({"replyApprovals": true})),
        ("approved replies in a text", Platform::Threads, json!({"replyApprovals": "yes"})),
        ("a quotation", Platform::Threads, json!({"quote": "1".repeat(32)})),
        ("a quotation of too many digits", Platform::Threads, json!({"quote": "1".repeat(33)})),
        ("a quotation by address", Platform::Threads, json!({"quote": "https://a.example"})),
        ("a quotation that is a number", Platform::Threads, json!({"quote": 12})),
        ("nothing to blur", Platform::Threads, json!({"spoilerMedia": true})),
        ("blurred in a text", Platform::Threads, json!({"spoilerMedia": "yes"})),
        ("a ghost", Platform::Threads, json!({"ghost": true})),
        ("a ghost in a text", Platform::Threads, json!({"ghost": "yes"})),
        ("a ghost with a topic", Platform::Threads, json!({"ghost": true, "topicTag": "a"})),
        ("a first comment on Threads", Platform::Threads, comment(500)),
        ("a first comment on Threads, one over", Platform::Threads, comment(501)),
        (
            "a first comment on Threads in emoji",
            Platform::Threads,
            json!({"firstComment": "👍".repeat(126)}),
        ),
        ("a blank first comment on Threads", Platform::Threads, json!({"firstComment": " "})),
        (
            "a first comment on Threads that is a number",
            Platform::Threads,
            json!({"firstComment": 1}),
        ),
        (
            "a first comment on Threads with 6 links",
            Platform::Threads,
            json!({"firstComment": (0..6).map(|at| format!("https://a.example/{at} ")).collect::<String>()}),
        ),
        ("for connections", Platform::Linkedin, json!({"visibility": "connections"})),
        ("for nobody there is", Platform::Linkedin, json!({"visibility": "PUBLIC"})),
        ("visibility on LinkedIn that is a flag", Platform::Linkedin, json!({"visibility": true})),
        ("not to be shared", Platform::Linkedin, json!({"allowReshare": false})),
        ("sharing on LinkedIn that is a text", Platform::Linkedin, json!({"allowReshare": "no"})),
        (
            "a mention on LinkedIn",
            Platform::Linkedin,
            json!({"caption": "By @Acme", "mentions": [{"name": "Acme", "urn": "urn:li:organization:1"}]}),
        ),
        (
            "a mention that is not in the text",
            Platform::Linkedin,
            json!({"mentions": [{"name": "Acme", "urn": "urn:li:organization:1", "id": 1}]}),
        ),
        (
            "mentions of nobody",
            Platform::Linkedin,
            json!({"mentions": [
                {"name": "a".repeat(201), "urn": "urn:li:share:1"},
                {"name": "Acme", "urn": "urn:li:person:a)"},
                {"name": "Acme"},
            ]}),
        ),
        ("mentions in a text", Platform::Linkedin, json!({"mentions": "@Acme"})),
        (
            "31 mentions",
            Platform::Linkedin,
            json!({"caption": "@Acme", "mentions": vec![json!({"name": "Acme", "urn": "urn:li:person:a"}); 31]}),
        ),
        ("a share of LinkedIn", Platform::Linkedin, json!({"quote": "urn:li:share:1"})),
        ("an activity of LinkedIn", Platform::Linkedin, json!({"quote": "urn:li:activity:1"})),
        ("a blank quote on LinkedIn", Platform::Linkedin, json!({"quote": " "})),
        ("a quote on LinkedIn that is a number", Platform::Linkedin, json!({"quote": 1})),
        ("a board", Platform::Pinterest, json!({"boardId": "1".repeat(32)})),
        ("a board of too many digits", Platform::Pinterest, json!({"boardId": "1".repeat(33)})),
        ("a board that is a name", Platform::Pinterest, json!({"boardId": "recipes"})),
        ("a board that is a number", Platform::Pinterest, json!({"boardId": 12})),
        ("a board that is empty", Platform::Pinterest, json!({"boardId": ""})),
        ("a board that is null", Platform::Pinterest, json!({"boardId": null})),
        ("a title of a Pin", Platform::Pinterest, json!({"title": "é".repeat(100)})),
        ("a title of a Pin, one over", Platform::Pinterest, json!({"title": "é".repeat(101)})),
        ("a title of a Pin that is empty", Platform::Pinterest, json!({"title": ""})),
        ("a title of a Pin that is a list", Platform::Pinterest, json!({"title": ["a"]})),
        ("visibility public", Platform::Mastodon, json!({"visibility": "public"})),
        ("visibility direct to nobody", Platform::Mastodon, json!({"visibility": "direct"})),
        (
            "visibility direct to somebody",
            Platform::Mastodon,
            json!({"visibility": "direct", "caption": "Hi @alice@mastodon.example"}),
        ),
        ("visibility of another network", Platform::Mastodon, json!({"visibility": "friends"})),
        ("visibility that is a flag", Platform::Mastodon, json!({"visibility": true})),
        ("a thread name", Platform::Discord, json!({"threadName": "é".repeat(100)})),
        ("a thread name, one over", Platform::Discord, json!({"threadName": "é".repeat(101)})),
        ("a blank thread name", Platform::Discord, json!({"threadName": " "})),
        ("a thread name that is a number", Platform::Discord, json!({"threadName": 7})),
        ("20 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(20)})),
        ("21 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(21)})),
        ("30 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(30)})),
        ("31 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(31)})),
        ("a tag of 140 letters on Tumblr", Platform::Tumblr, json!({"tags": ["é".repeat(140)]})),
        ("a tag of 141 letters on Tumblr", Platform::Tumblr, json!({"tags": ["é".repeat(141)]})),
        ("a tag with a comma on Tumblr", Platform::Tumblr, json!({"tags": ["a,b"]})),
        ("an empty tag on Tumblr", Platform::Tumblr, json!({"tags": ["a", " # "]})),
        ("one tag twice on Tumblr", Platform::Tumblr, json!({"tags": ["Rust", "#rust"]})),
        ("tags in one text on Tumblr", Platform::Tumblr, json!({"tags": "one, two,three"})),
        ("tags that are numbers on Tumblr", Platform::Tumblr, json!({"tags": [1, 2]})),
        ("tags that are an object on Tumblr", Platform::Tumblr, json!({"tags": {"a": 1}})),
    ]
    .into_iter()
    .chain(newer())
    {
        cases.push(text(name, "Hello").with(platform, options));
    }
    cases.push(
        text("a background and a picture", "Hello")
            .media([image()])
            .with(Platform::Facebook, json!({"textBackground": "1"}))
            .only(Platform::Facebook),
    );
    let share = |name: &str| {
        let options = json!({"quote": "urn:li:ugcPost:1"});
        text(name, "Hello").only(Platform::Linkedin).with(Platform::Linkedin, options)
    };
    cases.push(share("a post of LinkedIn with a file").media([image()]));
    cases.push(share("a post of LinkedIn with a link").link("https://example.com/a"));
    for (name, platform, options) in [
        ("sensitive with a file", Platform::Mastodon, json!({"sensitive": true})),
        ("labels with a file", Platform::Bluesky, json!({"labels": ["sexual", "graphic-media"]})),
    ] {
        cases.push(text(name, "Hello").media([image()]).with(platform, options));
    }
    cases.push(text("no options at all", "Hello").media([image()]).bare());
    cases
}

/// Who may answer, quote and reblog, labels, titles and addresses.
fn newer() -> Vec<(&'static str, Platform, Value)> {
    let tags = |count: usize, length: usize| -> Value {
        (0..count).map(|number| format!("{number:é>length$}")).collect::<Vec<_>>().into()
    };
    let named = |length: usize| "a".repeat(length);
    vec![
        (
            "answers by those mentioned on X",
            Platform::Twitter,
            json!({"replyControl": "mentioned"}),
        ),
        ("answers by nobody on X", Platform::Twitter, json!({"replyControl": "nobody"})),
        ("answers of a flag on X", Platform::Twitter, json!({"replyControl": true})),
        ("paid promotion on X", Platform::Twitter, json!({"paidPartnership": true})),
        ("paid promotion that is a text", Platform::Twitter, json!({"paidPartnership": "yes"})),
        ("a community of 19 digits", Platform::Twitter, json!({"communityId": "1".repeat(19)})),
        ("a community of 20 digits", Platform::Twitter, json!({"communityId": "1".repeat(20)})),
        ("a community by its name", Platform::Twitter, json!({"communityId": "rust"})),
        ("sensitive without files", Platform::Mastodon, json!({"sensitive": true})),
        ("sensitive that is a text", Platform::Mastodon, json!({"sensitive": "yes"})),
        ("quotes by followers", Platform::Mastodon, json!({"quotePolicy": "followers"})),
        ("quotes by friends", Platform::Mastodon, json!({"quotePolicy": "friends"})),
        (
            "quotes of a private post",
            Platform::Mastodon,
            json!({"quotePolicy": "public", "visibility": "private"}),
        ),
        ("a language on Mastodon", Platform::Mastodon, json!({"language": "pt-BR"})),
        ("no language on Mastodon", Platform::Mastodon, json!({"language": "e"})),
        ("a blank language on Mastodon", Platform::Mastodon, json!({"language": " "})),
        ("a language on Mastodon that is a list", Platform::Mastodon, json!({"language": ["en"]})),
        ("3 languages", Platform::Bluesky, json!({"languages": ["en", "de", "pt-BR"]})),
        ("4 languages", Platform::Bluesky, json!({"languages": ["en", "de", "fr", "it"]})),
        ("a language that is none", Platform::Bluesky, json!({"languages": ["en_GB"]})),
        ("an empty language", Platform::Bluesky, json!({"languages": [""]})),
        ("languages that are a flag", Platform::Bluesky, json!({"languages": true})),
        ("labels without files", Platform::Bluesky, json!({"labels": ["nudity"]})),
        ("a label that is none", Platform::Bluesky, json!({"labels": ["gore"]})),
        ("labels that are numbers", Platform::Bluesky, json!({"labels": [1]})),
        ("answers by nobody", Platform::Bluesky, json!({"replyControl": "nobody"})),
        (
            "answers by some",
            Platform::Bluesky,
            json!({"replyControl": ["mentioned", "followers", "following"]}),
        ),
        (
            "answers by nobody and some",
            Platform::Bluesky,
            json!({"replyControl": ["nobody", "mentioned"]}),
        ),
        ("answers by a list", Platform::Bluesky, json!({"replyControl": ["at://did:plc:a"]})),
        (
            "a quote on Bluesky",
            Platform::Bluesky,
            json!({"quote": "https://bsky.app/profile/ana.test/post/3mabc"}),
        ),
        (
            "a quote of a profile on Bluesky",
            Platform::Bluesky,
            json!({"quote": "https://bsky.app/profile/ana.test"}),
        ),
        ("a blank quote on Bluesky", Platform::Bluesky, json!({"quote": " "})),
        ("a quote that is a list on Bluesky", Platform::Bluesky, json!({"quote": []})),
        ("no quotes on Bluesky", Platform::Bluesky, json!({"quoting": "nobody"})),
        ("quotes by some on Bluesky", Platform::Bluesky, json!({"quoting": "followers"})),
        ("8 tags on Bluesky", Platform::Bluesky, json!({"tags": tags(8, 64)})),
        ("9 tags on Bluesky", Platform::Bluesky, json!({"tags": tags(9, 64)})),
        ("a tag of 65 letters on Bluesky", Platform::Bluesky, json!({"tags": tags(1, 65)})),
        ("a title on Tumblr", Platform::Tumblr, json!({"title": named(4096)})),
        ("a title on Tumblr, one over", Platform::Tumblr, json!({"title": named(4097)})),
        ("a blank title on Tumblr", Platform::Tumblr, json!({"title": " "})),
        ("a source", Platform::Tumblr, json!({"sourceUrl": "https://example.com/a"})),
        ("a source without its scheme", Platform::Tumblr, json!({"sourceUrl": "example.com/a"})),
        ("a source that is a list", Platform::Tumblr, json!({"sourceUrl": []})),
        ("an empty source", Platform::Tumblr, json!({"sourceUrl": ""})),
        ("a slug", Platform::Tumblr, json!({"slug": named(100)})),
        ("a slug, one over", Platform::Tumblr, json!({"slug": named(101)})),
        ("a slug with a space", Platform::Tumblr, json!({"slug": "a name"})),
        ("no reblogs", Platform::Tumblr, json!({"reblog": "noone"})),
        ("reblogs by nobody", Platform::Tumblr, json!({"reblog": "nobody"})),
        ("reblogs of a flag", Platform::Tumblr, json!({"reblog": false})),
        ("a title that is a number", Platform::Tumblr, json!({"title": 1})),
        ("a slug that is a number", Platform::Tumblr, json!({"slug": 1})),
        ("an empty slug", Platform::Tumblr, json!({"slug": ""})),
        ("an empty label", Platform::Bluesky, json!({"labels": [" "]})),
        ("an empty word for answers", Platform::Bluesky, json!({"replyControl": [""]})),
        ("answers of a flag", Platform::Bluesky, json!({"replyControl": true})),
        ("quotes of a flag on Bluesky", Platform::Bluesky, json!({"quoting": false})),
        ("an empty tag on Bluesky", Platform::Bluesky, json!({"tags": ["#"]})),
        ("tags that are numbers on Bluesky", Platform::Bluesky, json!({"tags": [1]})),
        ("quotes of a flag on Mastodon", Platform::Mastodon, json!({"quotePolicy": true})),
        ("a community that is a number", Platform::Twitter, json!({"communityId": 1})),
    ]
}

fn comment(length: usize) -> Value {
    json!({"firstComment": "a".repeat(length)})
}

/// Options that every network has, and keys that none has.
fn of_all() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("a caption", json!({"caption": "Mine"})),
        ("a caption that is a number", json!({"caption": 1})),
        ("a signature", json!({"signature": "Ana of the bakery"})),
        ("a signature that is a number", json!({"signature": 1})),
        ("a caption that is null", json!({"caption": null})),
        ("a caption of 301 letters", json!({"caption": "a".repeat(301)})),
    ]
    .into_iter()
    .map(|(name, options)| text(name, "Hello").with_wherever_known(&options))
    .collect();
    for (name, options) in [
        ("a key that no network knows", json!({"colour": "red"})),
        ("a key with a slip", json!({"captoin": "Mine"})),
        ("a key of another form", json!({"thread_name": "News", "spoiler_text": "CW"})),
        ("a key in capitals", json!({"CAPTION": "Mine"})),
        ("an empty key", json!({"": 1})),
        ("a key of 100 letters", json!({"k".repeat(100): 1})),
    ] {
        let case = Platform::ALL
            .into_iter()
            .fold(text(name, "Hello"), |case, platform| case.with(platform, options.clone()));
        cases.push(case);
    }
    cases
}
