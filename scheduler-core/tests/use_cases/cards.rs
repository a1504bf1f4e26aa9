//! The cards of links, made of what their pages say as posts are saved.

use bytes::Bytes;
use scheduler_core::app::{CheckInput, Settings};
use scheduler_core::media::{Media, MediaFacts, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    ExamineError, Examined, FetchError, MediaStore as _, PageFacts, PageImage,
};
use scheduler_core::post::Post;
use serde_json::{Value, json};

use crate::fakes::picture;
use crate::support::{World, body, done, outcome};

const LINK: &str = "https://example.com/bread";

fn page(title: &str, description: &str) -> Result<PageFacts, FetchError> {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Ok(PageFacts { title: said(title), description: said(description), image: None })
}

const IMAGE: &str = "https://cdn.example/bread.png";

/// The same page with a picture.
fn with_image(page: Result<PageFacts, FetchError>) -> Result<PageFacts, FetchError> {
    let bytes = Bytes::from_static(b"picture");
    Ok(PageFacts { image: Some(PageImage { url: IMAGE.to_owned(), bytes }), ..page? })
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

/// The files of the workspace that are not deleted.
fn files(world: &World) -> Vec<Media> {
    let files = done(world.store.list_media(world.caller.workspace.id, 100, None)).unwrap();
    let files = files.into_iter().map(|(file, _)| file);
    files.filter(|file| file.status != MediaStatus::Deleted).collect()
}

#[test]
fn the_picture_of_a_page_is_kept_for_all_cards_that_show_it() {
    let world = world(Settings::default());
    reads(&world, with_image(page("Bread", "")));
    let post = world.create(draft(&["bluesky", "linkedin", "mastodon"], &json!({})));
    let [file] = &files(&world)[..] else { panic!() };
    assert_eq!((file.status, file.mime_type.as_deref()), (MediaStatus::Ready, Some("image/png")));
    let card = json!({
        "title": "Bread", "readFrom": LINK,
        "imageMediaId": file.id, "imageReadFrom": IMAGE,
    });
    assert_eq!(cards(&post), [card.clone(), card, Value::Null]);

    // It goes with its link; one of one's own stays.
    let patched = |change: Value| world.patch_as(&world.caller, post.id, change).unwrap();
    let own = json!({"imageMediaId": file.id, "title": "Bread", "readFrom": LINK});
    let targets = json!([
        {"platform": "bluesky", "options": cards(&post)[0].as_object().map(|card| json!({"linkCard": card}))},
        {"platform": "linkedin", "options": {"linkCard": own}},
    ]);
    let other = patched(json!({"targets": targets, "linkUrl": "https://example.com/cake"}));
    assert_eq!(cards(&other), [Value::Null, json!({"imageMediaId": file.id})]);
}

#[test]
fn a_picture_that_is_none_is_not_kept() {
    let facts = |change: fn(&mut MediaFacts)| {
        let mut examined = picture();
        change(&mut examined.facts);
        Ok(examined)
    };
    for (name, examined) in [
        ("no picture", Err(ExamineError::Unusable("no picture".to_owned()))),
        ("a vector", facts(|facts| facts.mime_type = Some("image/svg+xml".to_owned()))),
        ("huge", facts(|facts| facts.width = Some(10_001))),
        ("without a size", facts(|facts| facts.height = None)),
    ] {
        let world = world(Settings::default());
        let examined: Result<Examined, ExamineError> = examined;
        world.examiner.answers.lock().unwrap().push_back(examined);
        reads(&world, with_image(page("Bread", "")));
        let post = world.create(draft(&["bluesky"], &json!({})));
        assert_eq!(cards(&post), [json!({"title": "Bread", "readFrom": LINK})], "{name}");
        assert_eq!(files(&world), [], "{name}");
        assert_eq!(world.files.kept(), Vec::<String>::new(), "{name}: nothing is left of it");
    }
}

#[test]
fn a_post_that_is_not_stored_leaves_no_picture() {
    let mut settings = Settings::default();
    settings.plans.studio.posts_a_month = 0;
    let world = world(settings);
    reads(&world, with_image(page("Bread", "")));
    let now = body(&["bluesky"], json!({"publishNow": true, "linkUrl": LINK}));
    let refused = world.create_as(&world.caller, now);
    assert_eq!(outcome(&refused), "post_limit");
    assert_eq!((pages_left(&world), files(&world)), (0, vec![]));

    let post = world.create(draft(&["mastodon"], &json!({})));
    reads(&world, with_image(page("Bread", "")));
    let change = json!({"publishNow": true, "targets": [{"platform": "bluesky"}]});
    assert_eq!(outcome(&world.patch(post.id, change)), "post_limit");
    assert_eq!((pages_left(&world), files(&world)), (0, vec![]));
}

#[test]
fn the_card_of_a_post_is_that_of_each_network_that_has_it_from_us() {
    let world = world(Settings::default());
    world.connect(Platform::Threads, "me");
    let (bread, cake) = (json!({"title": "Bread"}), json!({"title": "Cake"}));
    let targets = json!([
        {"platform": "bluesky"},
        {"platform": "linkedin", "options": {"linkCard": cake}},
        {"platform": "mastodon"},
        {"platform": "threads"},
    ]);
    let body = json!({"linkCard": bread, "targets": targets});
    let post = world.create(draft(&[], &body));
    assert_eq!(cards(&post), [bread, cake, Value::Null, Value::Null]);

    // A later one takes the place of all, and hides the one that Threads draws.
    let hidden = json!({"hide": true});
    let patched = |change: Value| world.patch_as(&world.caller, post.id, change).unwrap();
    let changed = patched(json!({"linkCard": hidden}));
    assert_eq!(cards(&changed), [hidden.clone(), hidden.clone(), Value::Null, hidden.clone()]);
    assert_eq!(cards(&patched(json!({"linkCard": null, "content": "b"}))), cards(&changed));

    // Beside new targets it fills what they leave open.
    let pie = json!({"title": "Pie"});
    let targets = json!([
        {"platform": "bluesky", "options": {"languages": ["en"]}},
        {"platform": "linkedin"},
        {"platform": "threads", "options": {}},
    ]);
    let changed = patched(json!({"linkCard": pie, "targets": targets}));
    assert_eq!(cards(&changed), [pie, hidden, Value::Null]);
    assert_eq!(changed.targets[0].options["languages"], json!(["en"]));
}

#[test]
fn a_dry_run_checks_the_card_of_the_post() {
    let world = world(Settings::default());
    let long = json!({"title": "a".repeat(301)});
    let body = json!({
        "content": "Hello", "linkUrl": LINK, "linkCard": long,
        "targets": [{"platform": "bluesky"}, {"platform": "linkedin"}, {"platform": "mastodon"}],
    });
    let report = world.check_as(&world.caller, body.clone()).unwrap();
    let rules: Vec<&str> = report.issues.iter().map(|issue| &*issue.rule).collect();
    assert_eq!(rules, ["bluesky.link_card.malformed"]);
    let input: CheckInput = serde_json::from_value(body).unwrap();
    let by_sheets = input.check_by_sheets().unwrap();
    assert_eq!(by_sheets.issues.len(), 1, "{:?}", by_sheets.issues);
}
