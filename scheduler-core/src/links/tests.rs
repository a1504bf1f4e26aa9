use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;
use crate::error::{Invalid, RefusalKind};
use crate::ids::WorkspaceId;
use crate::platform::Platform;
use crate::text::twitter;

fn rules(json: Value) -> LinkRules {
    serde_json::from_value(json).unwrap()
}

fn tagging<'a>(
    rules: &'a LinkRules,
    platform: Platform,
    labels: &'a [String],
    short: Option<&'a ShortLinks>,
) -> Tagging<'a> {
    let date = "2026-12-01".parse().unwrap();
    Tagging { rules, platform, labels, date, workspace: WorkspaceId(Uuid::nil()), short }
}

/// The text that a network gets.
fn sent(text: &str, options: &Map<String, Value>, by: &Tagging<'_>) -> String {
    let changes = changes(text, None, options, by);
    Sent::of(text, None, options, &changes).content.into_owned()
}

fn tagged(text: &str) -> String {
    let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
    sent(text, &Map::new(), &tagging(&rules, Platform::Bluesky, &[], None))
}

fn short() -> ShortLinks {
    ShortLinks::new("https://go.example", [7; 32])
}

#[test]
fn links_of_texts() {
    for (name, text, want) in [
        ("alone", "https://e.com", "https://e.com?utm_source=s"),
        ("a path", "https://e.com/a", "https://e.com/a?utm_source=s"),
        ("a query", "https://e.com/a?b=c", "https://e.com/a?b=c&utm_source=s"),
        ("an empty query", "https://e.com/a?", "https://e.com/a?"),
        ("an open query", "https://e.com/a?b&", "https://e.com/a?b&utm_source=s"),
        ("an empty query and a fragment", "https://e.com/a?#b", "https://e.com/a?utm_source=s#b"),
        ("a fragment", "https://e.com/a#b?c", "https://e.com/a?utm_source=s#b?c"),
        ("a query and a fragment", "https://e.com/?a=1#b", "https://e.com/?a=1&utm_source=s#b"),
        ("a port", "http://e.com:8080/a", "http://e.com:8080/a?utm_source=s"),
        (
            "odd bytes",
            "https://e.com/%7Ea//b/../c?d=%2f+x",
            "https://e.com/%7Ea//b/../c?d=%2f+x&utm_source=s",
        ),
        ("it has it", "https://e.com/?utm_source=mine", "https://e.com/?utm_source=mine"),
        ("it has it in capitals", "https://e.com/?UTM_Source=m", "https://e.com/?UTM_Source=m"),
        ("it has it, encoded", "https://e.com/?utm%5Fsource=m", "https://e.com/?utm%5Fsource=m"),
        ("it has it without a value", "https://e.com/?utm_source", "https://e.com/?utm_source"),
        (
            "another has it",
            "https://e.com/?xutm_source=m",
            "https://e.com/?xutm_source=m&utm_source=s",
        ),
        ("in a sentence", "See https://e.com/a. Now!", "See https://e.com/a?utm_source=s. Now!"),
        ("in brackets", "(https://e.com/a)", "(https://e.com/a?utm_source=s)"),
        ("brackets of its own", "(https://e.com/a_(b))", "(https://e.com/a_(b)?utm_source=s)"),
        ("a link of Markdown", "[a](https://e.com/b)", "[a](https://e.com/b?utm_source=s)"),
        ("bold", "**https://e.com/b**", "**https://e.com/b?utm_source=s**"),
        ("quoted", "“https://e.com/b”", "“https://e.com/b?utm_source=s”"),
        (
            "two",
            "https://e.com https://f.com/?a",
            "https://e.com?utm_source=s https://f.com/?a&utm_source=s",
        ),
        (
            "twice",
            "https://e.com https://e.com",
            "https://e.com?utm_source=s https://e.com?utm_source=s",
        ),
        (
            "one begins as another",
            "https://e.com https://e.com/a",
            "https://e.com?utm_source=s https://e.com/a?utm_source=s",
        ),
        ("without a scheme", "e.com www.e.com/a", "e.com www.e.com/a"),
        ("another scheme", "ftp://e.com mailto:a@e.com", "ftp://e.com mailto:a@e.com"),
        ("capitals", "HTTPS://E.COM/A", "HTTPS://E.COM/A?utm_source=s"),
        ("IDN", "https://bücher.example/a", "https://bücher.example/a?utm_source=s"),
        ("IDN of another script", "https://例え.みんな/a", "https://例え.みんな/a?utm_source=s"),
        ("letters in the path", "https://e.com/Käse", "https://e.com/Käse?utm_source=s"),
        ("right to left", "ראו https://e.com/a עכשיו", "ראו https://e.com/a?utm_source=s עכשיו"),
        (
            "a mark of direction",
            "https://e.com/a\u{200f} עכשיו",
            "https://e.com/a?utm_source=s\u{200f} עכשיו",
        ),
        (
            "a full stop of Japanese",
            "見て https://e.com/a。次",
            "見て https://e.com/a?utm_source=s。次",
        ),
        ("a word without a space", "https://e.com/aを見て", "https://e.com/aを見て"),
        ("such a word behind the host", "https://e.comを見て", "https://e.comを見て"),
        ("two with a comma", "https://a.e.com,https://b.e.com", "https://a.e.com,https://b.e.com"),
        (
            "two of Markdown",
            "[x](https://a.e.com)[y](HTTPS://b.e.com)",
            "[x](https://a.e.com)[y](HTTPS://b.e.com)",
        ),
        (
            "two, then one",
            "https://a.e.com;https://b.e.com https://c.e.com",
            "https://a.e.com;https://b.e.com https://c.e.com?utm_source=s",
        ),
        (
            "in a path",
            "https://e.com/web/2026/https://f.com/a",
            "https://e.com/web/2026/https://f.com/a?utm_source=s",
        ),
        (
            "in a query",
            "https://e.com/?to=https://f.com/a",
            "https://e.com/?to=https://f.com/a&utm_source=s",
        ),
        ("no host", "https:// https://? http://#a", "https:// https://? http://#a"),
        ("nothing", "", ""),
    ] {
        // An open question mark belongs to the sentence.
        let want = if name == "an empty query" { "https://e.com/a?utm_source=s?" } else { want };
        assert_eq!(tagged(text), want, "{name}");
    }
}

#[test]
fn labels_come_before_networks_before_the_rest() {
    let rules = rules(json!({
        "tag": true,
        "utm": {"source": "{network}", "medium": "social", "campaign": "{label}", "content": "{date}"},
        "networks": {"linkedin": {"medium": "work", "content": ""}},
        "labels": {"spring": {"medium": "fair"}, "late": {"medium": "late", "term": "a b&c/ü.{label}"}},
    }));
    let labels = |of: &[&str]| of.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
    for (name, platform, of, want) in [
        (
            "general",
            Platform::Bluesky,
            &[][..],
            "utm_source=bluesky&utm_medium=social&utm_content=2026-12-01",
        ),
        ("a network", Platform::Linkedin, &[], "utm_source=linkedin&utm_medium=work"),
        (
            "a label without any",
            Platform::Bluesky,
            &["x"],
            "utm_source=bluesky&utm_medium=social&utm_campaign=x&utm_content=2026-12-01",
        ),
        (
            "a label",
            Platform::Linkedin,
            &["spring"],
            "utm_source=linkedin&utm_medium=fair&utm_campaign=spring",
        ),
        (
            "the first that has any",
            Platform::Linkedin,
            &["x", "late", "spring"],
            "utm_source=linkedin&utm_medium=late&utm_campaign=x&utm_term=a%20b%26c%2F%C3%BC%2Ex",
        ),
        (
            "a label in another case",
            Platform::Linkedin,
            &["SPRING"],
            "utm_source=linkedin&utm_medium=fair&utm_campaign=SPRING",
        ),
        (
            "a field in a field",
            Platform::Linkedin,
            &["{date}"],
            "utm_source=linkedin&utm_medium=work&utm_campaign=%7Bdate%7D",
        ),
    ] {
        let of = labels(of);
        let text = sent("https://e.com/", &Map::new(), &tagging(&rules, platform, &of, None));
        assert_eq!(text, format!("https://e.com/?{want}"), "{name}");
    }
}

#[test]
fn every_text_of_a_target_is_changed_and_nothing_else() {
    let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
    let (link, to) = ("https://e.com/a", "https://e.com/a?utm_source=s");
    let options = json!({
        "caption": link,
        "signature": link,
        "firstComment": link,
        "thread": [link, {"text": link, "mediaIds": []}],
        "buttons": [[{"text": link, "url": link}]],
        "linkPreview": {"url": link},
        "embeds": [{"url": link, "description": link, "image": link, "fields": [{"name": link, "value": link}]}],
        "textAttachment": {"link": link, "text": link},
        "reblogOf": link,
        "linkCard": {"title": "A", "readFrom": link},
        "title": link,
    });
    let want = json!({
        "caption": to,
        "signature": to,
        "firstComment": to,
        "thread": [to, {"text": to, "mediaIds": []}],
        "buttons": [[{"text": link, "url": to}]],
        "linkPreview": {"url": to},
        "embeds": [{"url": to, "description": to, "image": link, "fields": [{"name": link, "value": to}]}],
        "textAttachment": {"link": to, "text": link},
        "reblogOf": link,
        "linkCard": {"title": "A", "readFrom": link},
        "title": link,
    });
    let Value::Object(options) = options else { panic!() };
    let by = tagging(&rules, Platform::Discord, &[], None);
    let changes = changes("https://unused.example", Some("https://e.com/b"), &options, &by);
    let written: Vec<_> = changes.iter().map(|change| change.written.as_str()).collect();
    assert_eq!(written, ["https://e.com/b", link], "the shared text is not that of the target");
    let sent = Sent::of("x", Some("https://e.com/b"), &options, &changes);
    assert_eq!(Value::Object(sent.options.into_owned()), want);
    assert_eq!(sent.link_url.as_deref(), Some("https://e.com/b?utm_source=s"));
}

#[test]
fn in_a_text_with_tags_ampersands_have_names() {
    let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
    let Value::Object(options) = json!({"formatting": "html"}) else { panic!() };
    let by = tagging(&rules, Platform::Telegram, &[], None);
    let text = r#"<a href="https://e.com/?a=1&amp;b=2">x</a>"#;
    let changes = changes(text, None, &options, &by);
    assert_eq!(changes[0].written, "https://e.com/?a=1&b=2");
    let sent = Sent::of(text, None, &options, &changes);
    let composed = sent.compose(false, Platform::Telegram);
    assert_eq!(composed.entities[0].url.as_deref(), Some("https://e.com/?a=1&b=2&utm_source=s"));
}

#[test]
fn what_ends_a_link_in_a_text_with_tags() {
    let rules = rules(json!({"tag": true, "utm": {"source": "s", "medium": "m"}}));
    let Value::Object(html) = json!({"formatting": "html"}) else { panic!() };
    let by = tagging(&rules, Platform::Telegram, &[], None);
    let (end, named) = ("utm_source=s&utm_medium=m", "utm_source=s&amp;utm_medium=m");
    for (name, text, want) in [
        ("alone", "https://e.com/a", format!("https://e.com/a?{named}")),
        ("signs", "&lt;https://e.com/a&gt;", format!("&lt;https://e.com/a?{named}&gt;")),
        ("quoted", "&quot;https://e.com/a&quot;.", format!("&quot;https://e.com/a?{named}&quot;.")),
        ("its name", "https://e.com/?a&amp;b", format!("https://e.com/?a&amp;b&amp;{named}")),
        ("an ampersand", "https://e.com/?a&b", format!("https://e.com/?a&amp;b&amp;{named}")),
        (
            "in a tag",
            r#"<a href="https://e.com/a">https://e.com/a</a>"#,
            format!(r#"<a href="https://e.com/a?{named}">https://e.com/a?{named}</a>"#),
        ),
        ("its name at the end", "https://e.com/a&amp; b", "https://e.com/a&amp; b".to_owned()),
        ("by number", "https://e.com/a&#39;", "https://e.com/a&#39;".to_owned()),
        (
            "nothing to change",
            "https://e.com/?utm_source=a&utm_medium",
            "https://e.com/?utm_source=a&utm_medium".to_owned(),
        ),
    ] {
        assert_eq!(sent(text, &html, &by), want, "{name}");
    }
    let plain = sent("https://e.com/a&gt;b", &Map::new(), &by);
    assert_eq!(plain, format!("https://e.com/a&gt;b?{end}"), "these are names in HTML alone");

    // A button is no text, and the link stands in the text.
    let options = json!({
        "formatting": "html",
        "signature": "https://e.com/a",
        "buttons": [[{"text": "x", "url": "https://e.com/?a=1&b=2"}]],
    });
    let Value::Object(options) = options else { panic!() };
    let (text, link) = ("See https://e.com/?a=1", Some("https://e.com/?a=1"));
    let changes = changes(text, link, &options, &by);
    let sent = Sent::of(text, link, &options, &changes);
    assert_eq!(sent.options["buttons"][0][0]["url"], format!("https://e.com/?a=1&b=2&{end}"));
    assert_eq!(sent.options["signature"], format!("https://e.com/a?{named}"));
    let composed = sent.compose(false, Platform::Telegram);
    let once = format!("See https://e.com/?a=1&{end}\n\nhttps://e.com/a?{end}");
    assert_eq!(composed.text(), once);
}

#[test]
fn a_link_that_the_text_leaves_alone_is_not_doubled() {
    let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
    let none = Map::new();
    for (name, link, is_changed) in [
        ("a plain one", "https://e.com/a", true),
        ("a word behind it", "https://e.com/aを見て", false),
        ("two", "https://e.com/a,https://f.com/a", false),
    ] {
        let text = format!("See {link}");
        let by = tagging(&rules, Platform::Mastodon, &[], None);
        let changes = changes(&text, Some(link), &none, &by);
        let sent = Sent::of(&text, Some(link), &none, &changes);
        assert_eq!(sent.link_url.as_deref() != Some(link), is_changed, "{name}");
        let composed = sent.compose(false, Platform::Mastodon);
        assert_eq!(composed.text().matches("https://e.com/a").count(), 1, "{name}");
    }
}

#[test]
fn short_links() {
    let rules = rules(json!({
        "tag": true, "shorten": true, "utm": {"source": "s"}, "except": ["left.example", "bar", "Bücher.example"],
    }));
    let short = short();
    let by = tagging(&rules, Platform::Bluesky, &[], Some(&short));
    let of = |text: &str| changes(text, None, &Map::new(), &by);
    let one = of("https://e.com/a").remove(0);
    assert_eq!(one.leads_to.as_deref(), Some("https://e.com/a?utm_source=s"));
    let (code, destination) = one.short().unwrap();
    assert_eq!((code.len(), destination), (CODE_CHARACTERS, "https://e.com/a?utm_source=s"));
    assert_eq!(one.sent, format!("https://go.example/l/{code}"));
    assert_eq!(of("https://e.com/a"), of("https://e.com/a"), "the same each time");
    let there = tagging(&rules, Platform::Bluesky, &[], Some(&short));
    let there = Tagging { workspace: WorkspaceId(Uuid::max()), ..there };
    assert_ne!(changes("https://e.com/a", None, &Map::new(), &there)[0].sent, one.sent);
    let other = ShortLinks::new("https://go.example", [8; 32]);
    let other = tagging(&rules, Platform::Bluesky, &[], Some(&other));
    assert_ne!(changes("https://e.com/a", None, &Map::new(), &other)[0].sent, one.sent);
    for (name, text, count) in [
        ("one of ours", one.sent.as_str(), 0),
        ("another page of ours", "https://go.example/a", 1),
        ("a host that begins so", "https://go.example.com/l/a", 1),
        ("left alone", "https://left.example/a", 0),
        ("under it", "https://a.Left.example/a", 0),
        ("not under it", "https://aleft.example/a", 1),
        ("no such host", "https://foobar", 1),
        ("letters", "https://bücher.example/a", 0),
        ("letters in ASCII", "https://a.xn--bcher-kva.example/", 0),
        ("a full stop at its end", "https://left.example./a", 0),
    ] {
        assert_eq!(of(text).len(), count, "{name}");
    }
    // On X every link counts 23, at a host of a domain that there is.
    let short = ShortLinks::new("https://go.example.com", [7; 32]);
    let (text, long) = ("See https://e.com/a", format!("See https://e.com/{}", "a".repeat(300)));
    for text in [text, &long] {
        let sent = sent(text, &Map::new(), &tagging(&rules, Platform::Twitter, &[], Some(&short)));
        assert_eq!(twitter::length(&sent), 4 + 23, "{sent}");
    }
}

#[test]
fn no_more_links_than_a_hundred() {
    let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
    let text: Vec<_> = (0..CHANGED_MAX + 5).map(|at| format!("https://e.com/{at}")).collect();
    let by = tagging(&rules, Platform::Bluesky, &[], None);
    let sent = sent(&text.join(" "), &Map::new(), &by);
    assert_eq!(sent.matches("utm_source").count(), CHANGED_MAX);
    assert!(sent.ends_with("https://e.com/104"));
}

#[test]
fn long_texts_and_links() {
    let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
    let by = tagging(&rules, Platform::Bluesky, &[], None);
    for seed in ["https://a.com ", "https://a.com/(", "https://", "https://a.com/?", ")", "(", "a."]
    {
        let text = format!("https://a.com/({}", seed.repeat(64_000 / seed.len()));
        assert!(!sent(&text, &Map::new(), &by).is_empty());
    }
    let (fits, long) = (format!("https://e.com/{}", "a".repeat(2_034)), "a".repeat(2_035));
    assert!(sent(&fits, &Map::new(), &by).ends_with("?utm_source=s"));
    let long = format!("https://e.com/{long}");
    assert_eq!(sent(&long, &Map::new(), &by), long);
}

#[test]
fn what_is_refused() {
    let long = "a".repeat(UTM_MAX_CHARACTERS + 1);
    for (name, given, can_shorten, want) in [
        ("nothing", json!({}), false, None),
        ("templates that wait", json!({"utm": {"source": "{network}"}}), false, None),
        (
            "every field",
            json!({"tag": true, "utm": {"source": "{network} {label}-{date}"}}),
            false,
            None,
        ),
        ("no address", json!({"shorten": true}), false, Some("shorten")),
        ("an address", json!({"shorten": true}), true, None),
        ("no parameter", json!({"tag": true}), true, Some("utm")),
        ("an empty parameter", json!({"tag": true, "utm": {"source": ""}}), true, Some("utm")),
        (
            "of a network alone",
            json!({"tag": true, "networks": {"bluesky": {"term": "a"}}}),
            true,
            None,
        ),
        ("no such field", json!({"utm": {"source": "{netwrok}"}}), true, Some("utm.source")),
        ("an open brace", json!({"utm": {"medium": "a{network"}}), true, Some("utm.medium")),
        ("a brace alone", json!({"utm": {"medium": "a}"}}), true, Some("utm.medium")),
        (
            "too long",
            json!({"networks": {"bluesky": {"term": long}}}),
            true,
            Some("networks.bluesky.term"),
        ),
        (
            "a line break",
            json!({"labels": {"a": {"content": "a\nb"}}}),
            true,
            Some("labels.a.content"),
        ),
        ("an empty label", json!({"labels": {" ": {}}}), true, Some("labels")),
        ("an address for a host", json!({"except": ["https://e.com"]}), true, Some("except[0]")),
        ("an empty host", json!({"except": [""]}), true, Some("except[0]")),
        ("a star", json!({"except": ["e.com", "*.e.com"]}), true, Some("except[1]")),
        ("a full stop", json!({"except": ["e.com."]}), true, Some("except[0]")),
        ("no host at all", json!({"except": ["a b"]}), true, Some("except[0]")),
        ("what no host has", json!({"except": ["a<b"]}), true, Some("except[0]")),
        ("a host of letters", json!({"except": ["Bücher.example"]}), true, None),
        (
            "a label in another case",
            json!({"labels": {"Spring": {"term": "a"}, "spring": {"term": "b"}}}),
            true,
            Some("labels.spring"),
        ),
    ] {
        let refused = rules(given).check("", can_shorten).err();
        assert_eq!(refused.and_then(|refusal| refusal.field).as_deref(), want, "{name}");
    }
    let refused = rules(json!({"shorten": true})).check("links", false).unwrap_err();
    assert_eq!(refused.field.as_deref(), Some("links.shorten"));
    assert_eq!(refused.kind, RefusalKind::Invalid(Invalid::ShortensWithoutAddress));
}

fn anything() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("https://e.com/a".to_owned()),
        Just("http://bücher.example:80/?a=b#c".to_owned()),
        Just("https://go.example/l/abc".to_owned()),
        Just("https://".to_owned()),
        "[a-z().,!?&#=;:'*_ \u{200f}\n]{0,6}",
        "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn twice_is_once(text in anything(), shorten: bool) {
        let rules = rules(json!({"tag": true, "shorten": shorten, "utm": {"source": "{network}."}}));
        let short = short();
        let by = tagging(&rules, Platform::Bluesky, &[], Some(&short));
        let once = sent(&text, &Map::new(), &by);
        prop_assert_eq!(sent(&once, &Map::new(), &by), once);
    }

    #[test]
    fn what_is_no_link_stays(text in anything()) {
        let rules = rules(json!({"tag": true, "utm": {"source": "s"}}));
        let by = tagging(&rules, Platform::Bluesky, &[], None);
        let sent = sent(&text, &Map::new(), &by);
        // A question mark, or an ampersand, stands before the parameter unless the link ends with one.
        let parts = |text: &str| text.replace("utm_source=s", "").replace(['?', '&'], "");
        prop_assert_eq!(parts(&sent), parts(&text));
    }

    #[test]
    fn nothing_is_changed_where_nothing_is_asked(text in anything()) {
        let rules = LinkRules::default();
        let short = short();
        let by = tagging(&rules, Platform::Bluesky, &[], Some(&short));
        prop_assert_eq!(sent(&text, &Map::new(), &by), text);
    }
}
