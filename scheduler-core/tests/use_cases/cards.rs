//! The cards of links, made of what their pages say as posts are saved.

use scheduler_core::app::Settings;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{FetchError, PageFacts};
use scheduler_core::post::Post;
use serde_json::{Value, json};

use crate::support::{World, body, outcome};

const LINK: &str = "https://example.com/bread";

fn page(title: &str, description: &str) -> Result<PageFacts, FetchError> {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Ok(PageFacts { title: said(title), description: said(description) })
}

fn world(settings: Settings) -> World {
    let world = World::with(settings);
    for platform in [Platform::Bluesky, Platform::Linkedin, Platform::Mastodon] {
        world.connect(platform, "me");
    }
    world
}

fn reads(world: &World, said: Result<PageFacts, FetchError>) {
    world.source.pages.lock().unwrap().push_back(said);
}

fn pages_left(world: &World) -> usize {
    world.source.pages.lock().unwrap().len()
}

fn cards(post: &Post) -> Vec<Value> {
    let card = |options: &serde_json::Map<String, Value>| {
        options.get("linkCard").cloned().unwrap_or_default()
    };
    post.targets.iter().map(|target| card(&target.options)).collect()
}

fn draft(platforms: &[&str], more: &Value) -> Value {
    let mut body = body(platforms, json!({"saveAsDraft": true, "linkUrl": LINK}));
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    body
}

#[test]
fn a_page_is_read_once_for_all_targets_that_show_it() {
    let world = world(Settings::default());
    reads(&world, page("Bread", "Why it rises"));
    let post = world.create(draft(&["bluesky", "linkedin", "mastodon"], &json!({})));
    let card = json!({"title": "Bread", "description": "Why it rises", "readFrom": LINK});
    assert_eq!(cards(&post), [card.clone(), card, Value::Null]);
    assert_eq!(pages_left(&world), 0);
}

#[test]
fn what_is_said_is_cut_to_what_each_network_takes() {
    let world = world(Settings::default());
    reads(&world, page(&"é".repeat(400), &"d".repeat(1_001)));
    let post = world.create(draft(&["bluesky", "linkedin"], &json!({})));
    let [bluesky, linkedin] = &cards(&post)[..] else { panic!() };
    assert_eq!(bluesky["title"], format!("{}…", "é".repeat(299)));
    assert_eq!(bluesky["description"], format!("{}…", "d".repeat(999)));
    assert_eq!(linkedin["title"], "é".repeat(400));
    assert_eq!(linkedin["description"], "d".repeat(1_001));
}

#[test]
fn nothing_is_read_where_no_card_would_show_it() {
    let of = |options: Value| json!({"targets": [{"platform": "bluesky", "options": options}]});
    for (name, settings, more) in [
        ("no link", Settings::default(), json!({"linkUrl": null})),
        ("a title of its own", Settings::default(), of(json!({"linkCard": {"title": "Mine"}}))),
        ("hidden", Settings::default(), of(json!({"linkCard": {"hide": true}}))),
        ("another network", Settings::default(), json!({"targets": [{"platform": "mastodon"}]})),
        ("switched off", Settings { read_link_pages: false, ..Settings::default() }, json!({})),
    ] {
        let world = world(settings);
        reads(&world, page("Bread", ""));
        world.create(draft(&["bluesky"], &more));
        assert_eq!(pages_left(&world), 1, "{name}");
    }
    let world = world(Settings::default());
    reads(&world, page("Bread", ""));
    let refused =
        world.create_as(&world.caller, draft(&["bluesky"], &json!({"content": "a".repeat(301)})));
    assert_eq!(outcome(&refused), "validation_failed");
    assert_eq!(pages_left(&world), 1, "of a post that is refused");
}

#[test]
fn a_page_that_says_nothing_leaves_the_post_as_it_is() {
    for said in [page("", ""), Err(FetchError::Refused("no page".to_owned()))] {
        let world = world(Settings::default());
        reads(&world, said);
        let post = world.create(draft(&["bluesky"], &json!({})));
        assert_eq!(cards(&post), [Value::Null]);
    }
}

#[test]
fn another_link_is_read_anew_and_no_link_is_forgotten() {
    let world = world(Settings::default());
    reads(&world, page("Bread", "Why it rises"));
    let post = world.create(draft(&["bluesky", "linkedin"], &json!({})));
    let patched = |change: Value| world.patch_as(&world.caller, post.id, change).unwrap();

    reads(&world, page("Cake", ""));
    let same = patched(json!({"content": "Hello again"}));
    assert_eq!((cards(&same), pages_left(&world)), (cards(&post), 1), "the same link");

    let other = "https://example.com/cake";
    let changed = patched(json!({"linkUrl": other}));
    let card = json!({"title": "Cake", "readFrom": other});
    assert_eq!(cards(&changed), [card.clone(), card.clone()]);

    // Whoever writes a card of their own keeps it.
    let mine = json!({"title": "My cake"});
    let targets = json!([
        {"platform": "bluesky", "options": {"linkCard": mine}},
        {"platform": "linkedin", "options": {"linkCard": card}},
    ]);
    patched(json!({"targets": targets}));
    reads(&world, page("Pie", "With apples"));
    let changed = patched(json!({"linkUrl": LINK}));
    let pie = json!({"title": "Pie", "description": "With apples", "readFrom": LINK});
    assert_eq!(cards(&changed), [mine.clone(), pie]);

    // What else a card says stays.
    let with_more = json!([
        {"platform": "bluesky", "options": {"linkCard": {"color": "red"}}},
        {"platform": "linkedin"},
    ]);
    reads(&world, page("Pie", ""));
    let more = patched(json!({"targets": with_more}));
    let kept = json!({"color": "red", "title": "Pie", "readFrom": LINK});
    assert_eq!(cards(&more)[0], kept);
    let gone = patched(json!({"linkUrl": null}));
    assert_eq!(cards(&gone), [json!({"color": "red"}), Value::Null]);
}
