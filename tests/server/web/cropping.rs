//! Cropping: with keys alone, with the mouse, and by the form; the picture itself stays.

use fantoccini::key::Key;
use http::header::{COOKIE, LOCATION};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::Site;
use super::acting::{Visitor, between};
use super::browser::{Browser, Like};
use super::doors::signed_in;
use super::files::stored;
use crate::files::{picture, ready};
use crate::support::client_of_forms;

/// The part that the fields of the form hold.
const PART: &str = "const { elements } = document.getElementById('crop');
    return ['x', 'y', 'width', 'height'].map((name) => Number(elements[name].value));";

/// The part that the picture shows.
const SHOWN: &str = "const part = document.querySelector('#area .part');
    return ['x', 'y', 'width', 'height'].map((name) => Number(part.getAttribute(name)));";

/// A draft with a picture, for Instagram and Bluesky.
async fn draft(site: &Site, file: &str) -> String {
    let targets = json!([{"platform": "instagram"}, {"platform": "bluesky"}]);
    let more = json!({
        "saveAsDraft": true, "allowIssues": true, "targets": targets,
        "mediaIds": [file], "altTexts": ["A ring"],
    });
    site.post("A foot ring", more).await
}

async fn size_of(site: &Site, id: &str) -> [Value; 2] {
    let media = ready(&site.service.api(), id).await;
    [media["width"].clone(), media["height"].clone()]
}

#[tokio::test(flavor = "multi_thread")]
async fn by_keys_and_by_the_mouse() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let file = stored(&site, &picture(800, 600)).await;
    let post = draft(&site, &file).await;
    browser.open(&site.link("drafter")).await;
    browser.follow("button.go").await;
    browser.open(&site.at(&format!("compose/{post}"))).await;

    // From the tile, with keys alone.
    let button = format!("document.querySelector(\"button[value='crop.{file}']\").focus();");
    browser.run(&button, vec![]).await;
    let press = async |keys: &str| {
        browser.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    };
    let key = |key: Key| char::from(key).to_string();
    press(&key(Key::Enter)).await;
    let crop = "return location.pathname.endsWith('/crop') && document.readyState === 'complete'
        && document.getElementById('area').tabIndex === 0;";
    browser.wait("the page", crop).await;
    assert!(browser.text("#shapes-h").await.ends_with("Instagram, Bluesky"));
    let shapes = "return [...document.querySelectorAll('button[name=ratio]')]
        .map((button) => `${button.value} ${button.title}`.trim());";
    let shapes = browser.run(shapes, vec![]).await;
    let shapes: Vec<&str> =
        shapes.as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert!(shapes.contains(&"4:5 Instagram, Bluesky"), "{shapes:?}");
    assert!(shapes.contains(&"9:16 Bluesky"), "Instagram does not take it: {shapes:?}");
    let focus = "document.querySelector('button[name=ratio][value=\"4:5\"]').focus();";
    browser.run(focus, vec![]).await;
    press(&key(Key::Enter)).await;
    assert_eq!(browser.run(PART, vec![]).await, json!([160, 0, 480, 600]));
    let focused = "return document.activeElement.id;";
    assert_eq!(browser.run(focused, vec![]).await, json!("area"));
    press(&key(Key::Left)).await;
    assert_eq!(browser.run(PART, vec![]).await, json!([159, 0, 480, 600]));
    press(&format!("{}{}", char::from(Key::Shift), char::from(Key::Right))).await;
    assert_eq!(browser.run(PART, vec![]).await, json!([169, 0, 480, 600]));
    press("-").await;
    let part = browser.run(PART, vec![]).await;
    assert_eq!((&part[2], &part[3]), (&json!(470), &json!(588)), "the shape stays: {part}");
    press(&key(Key::Down)).await;
    press("+").await;
    let part = browser.run(PART, vec![]).await;
    assert_eq!((&part[2], &part[3]), (&json!(480), &json!(600)), "{part}");
    for _ in 0..30 {
        press(&format!("{}{}", char::from(Key::Shift), char::from(Key::Left))).await;
    }
    assert_eq!(browser.run(PART, vec![]).await[0], json!(0), "it stays in the picture");
    assert_eq!(browser.run(SHOWN, vec![]).await, browser.run(PART, vec![]).await);
    press(&key(Key::Enter)).await;
    let back = format!("return location.pathname === '/w/default/compose/{post}';");
    browser.wait("the composer", &back).await;
    let stored_post = site.service.api().get(&format!("/posts/{post}")).await;
    let made = stored_post["mediaIds"][0].as_str().unwrap().to_owned();
    assert_ne!(made, file, "the new file stands in its place");
    assert_eq!(stored_post["altTexts"], json!(["A ring"]), "with its description");
    assert_eq!(size_of(&site, &made).await, [json!(480), json!(600)]);
    assert_eq!(size_of(&site, &file).await, [json!(800), json!(600)], "the original stays");
    let media = site.service.api().get(&format!("/media/{made}")).await;
    assert_eq!(media["originalId"], json!(file));

    // From the page of the file, with the mouse: a corner, and then the part.
    browser.open(&site.at(&format!("media/{file}"))).await;
    browser.click("a[href$='/crop']").await;
    browser.wait("the page", crop).await;
    assert!(browser.text("#shapes-h").await.ends_with("all networks"));
    let places = "const at = (css) => {
          const box = document.querySelector(css).getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        };
        const svg = document.querySelector('#area svg').getBoundingClientRect();
        return { corner: at('[data-corner=se]'), part: at('#area .part'), scale: svg.width / 800 };";
    let pair = |value: &Value| (value[0].as_f64().unwrap(), value[1].as_f64().unwrap());
    let found = browser.run(places, vec![]).await;
    let scale = found["scale"].as_f64().unwrap();
    let (x, y) = pair(&found["corner"]);
    browser.drag((x, y), (x - 400.0 * scale, y - 200.0 * scale)).await;
    let part = browser.run(PART, vec![]).await;
    let near = |found: &Value, want: f64| (found.as_f64().unwrap() - want).abs() <= 3.0;
    assert!(near(&part[2], 400.0) && near(&part[3], 400.0), "{part}");
    let (x, y) = pair(&browser.run(places, vec![]).await["part"]);
    browser.drag((x, y), (x + 100.0 * scale, y + 50.0 * scale)).await;
    let part = browser.run(PART, vec![]).await;
    assert!(near(&part[0], 100.0) && near(&part[1], 50.0), "{part}");
    browser.click("#take").await;
    let there = "return /^\\/w\\/default\\/media\\/[0-9a-f-]{36}$/.test(location.pathname);";
    browser.wait("the new file", there).await;
    let made = browser.path().await.rsplit('/').next().unwrap().to_owned();
    assert_eq!(size_of(&site, &made).await, [part[2].clone(), part[3].clone()]);
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn by_the_form_alone() {
    let site = Site::start().await;
    let file = stored(&site, &picture(800, 600)).await;
    let post = draft(&site, &file).await;
    let cookie = signed_in(&site, "drafter").await;
    let address = site.at(&format!("media/{file}/crop"));
    let get = async |query: &str| {
        let request = client_of_forms().get(format!("{address}?{query}")).header(COOKIE, &cookie);
        request.send().await.unwrap().text().await.unwrap()
    };
    let page = get(&format!("post={post}&ratio=1:1&x=0&y=0&width=800&height=600")).await;
    for field in ["name=\"x\" value=\"100\"", "name=\"width\" value=\"600\""] {
        assert!(page.contains(field), "the largest square, from the middle: {field}");
    }
    assert!(page.contains("Instagram, Bluesky: best at least 320 × 1 pixels."), "{page}");
    let send = async |form: &[(&str, &str)]| {
        let request = client_of_forms().post(&address).header(COOKIE, &cookie).form(form);
        let answer = request.send().await.unwrap();
        let led = answer.headers().get(LOCATION).map(|to| to.to_str().unwrap().to_owned());
        (answer.status(), led, answer.text().await.unwrap())
    };
    for (name, form, want) in [
        (
            "outside",
            [("x", "700"), ("y", "0"), ("width", "200"), ("height", "600")],
            "outside the picture",
        ),
        ("nothing", [("x", "0"), ("y", "0"), ("width", "0"), ("height", "5")], "at least 1 pixel"),
        (
            "no number",
            [("x", "0"), ("y", "0"), ("width", "ten"), ("height", "5")],
            "Width is no whole number",
        ),
    ] {
        let (status, _, page) = send(&form).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}");
        let problem = page.split("id=\"problem\"").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(problem.contains(want), "{name}: {problem}");
    }
    let whole = [("x", "100"), ("y", "0"), ("width", "600"), ("height", "600"), ("maxSide", "300")];
    let form = [&whole[..], &[("post", post.as_str())]].concat();
    let (status, led, _) = send(&form).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert!(led.unwrap().starts_with(&format!("/w/default/compose/{post}?")));
    let stored = site.service.api().get(&format!("/posts/{post}")).await;
    let made = stored["mediaIds"][0].as_str().unwrap();
    assert_eq!(size_of(&site, made).await, [json!(300), json!(300)]);
    // A post that is scheduled is not changed by it.
    let more = json!({"mediaIds": [file], "scheduledAt": "2031-05-14T09:30:00Z"});
    let scheduled = site.post("In May", more).await;
    let form = [&whole[..], &[("post", scheduled.as_str())]].concat();
    let (_, led, _) = send(&form).await;
    assert!(led.unwrap().starts_with("/w/default/media/"));
    let kept = site.service.api().get(&format!("/posts/{scheduled}")).await;
    assert_eq!(kept["mediaIds"], json!([file]));
}

#[tokio::test(flavor = "multi_thread")]
async fn for_one_account_alone_by_the_form() {
    let site = Site::start().await;
    let (file, other) =
        (stored(&site, &picture(800, 600)).await, stored(&site, &picture(640, 480)).await);
    let targets = json!([{"platform": "instagram"}, {"platform": "bluesky"}]);
    let more = json!({
        "saveAsDraft": true, "allowIssues": true, "targets": targets,
        "mediaIds": [other, file], "altTexts": [null, "A ring"],
    });
    let post = site.post("A foot ring", more).await;
    let visitor = Visitor::of(&site, "drafter").await;
    let (instagram, bluesky) = (site.account("instagram").await, site.account("bluesky").await);
    let crop = format!("media/{file}/crop");
    let page = visitor.page(&format!("{crop}?post={post}")).await;
    let takers = between(&page, "id=\"takers\">", "</fieldset>");
    assert!(
        takers.contains("For all accounts") && takers.contains("For Instagram alone"),
        "{takers}"
    );
    let page = visitor.page(&format!("{crop}?post={post}&for={instagram}&ratio=1:1")).await;
    assert!(page.contains("Shapes for Instagram</h2>"), "those of its network: {page}");

    let part = [("x", "100"), ("y", "0"), ("width", "600"), ("height", "600")];
    let form = [&part[..], &[("post", post.as_str()), ("for", &instagram)]].concat();
    let led = visitor.done(&crop, &form).await;
    assert!(led.starts_with(&format!("/w/default/compose/{post}?")), "{led}");
    let api = site.service.api();
    let target = async |platform: &str| {
        let post = api.get(&format!("/posts/{post}")).await;
        assert_eq!(post["mediaIds"], json!([other, file]), "those of all stay");
        let targets = post["targets"].as_array().unwrap();
        targets.iter().find(|target| target["platform"] == platform).unwrap().clone()
    };
    let of_instagram = target("instagram").await;
    let made = of_instagram["mediaIds"][1].as_str().unwrap().to_owned();
    assert_eq!(of_instagram["mediaIds"], json!([other, made]), "in its place");
    assert_ne!(made, file);
    assert_eq!(of_instagram["files"][&made]["altText"], "A ring", "with its description");
    assert_eq!(size_of(&site, &made).await, [json!(600), json!(600)]);
    assert_eq!(target("bluesky").await["mediaIds"], Value::Null, "it has those of all");

    // The composer shows which account has files of its own, keeps them, and previews them.
    let path = format!("compose/{post}");
    let page = visitor.page(&path).await;
    let own = format!("name=\"own-files.{instagram}\" value=\"");
    let kept = between(&page, &own, "\"").replace("&#34;", "\"");
    let button = format!("crop.{made}.{instagram}");
    assert!(page.contains(", own files</span>") && page.contains(&button), "{page}");
    let preview = between(&page, "aria-label=\"Preview for Instagram\"", "</article>");
    assert!(preview.contains(&made) && !preview.contains(&file), "{preview}");
    let preview = between(&page, "aria-label=\"Preview for Bluesky\"", "</article>");
    assert!(preview.contains(&file) && !preview.contains(&made), "{preview}");
    let (own, alt) = (format!("own-files.{instagram}"), format!("alt.{file}"));
    let form = |revision: &'static str| {
        vec![
            ("content", "Other words"),
            ("when", "draft"),
            ("account", &instagram),
            ("account", &bluesky),
            ("media", &other),
            ("media", &file),
            (&alt, "A ring"),
            ("revision", revision),
        ]
    };
    // Its button keeps what is written, also of its own file, and goes on to a new file for that
    // account alone.
    let of_file = format!("own-alt.{instagram}.{made}");
    let field = between(&page, &format!("name=\"{of_file}\""), "</textarea>");
    assert!(field.ends_with(">A ring"), "{field}");
    let mine = (of_file.as_str(), "My ring");
    let pressed = [(own.as_str(), kept.as_str()), mine, ("do", button.as_str())];
    let led = visitor.done(&path, &[&form("2")[..], &pressed].concat()).await;
    assert_eq!(led, format!("/w/default/media/{made}/crop?post={post}&for={instagram}"));
    let of_instagram = target("instagram").await;
    assert_eq!(of_instagram["mediaIds"], json!([other, made]), "it is kept");
    assert_eq!(of_instagram["files"][&made]["altText"], "My ring");

    // It stays also while the account is not ticked, and where it is about descriptions alone.
    let mut unticked = form("3");
    unticked.retain(|field| *field != ("account", instagram.as_str()));
    unticked.extend([(own.as_str(), kept.as_str()), ("do", "check")]);
    let (_, page) = visitor.send(&path, &unticked).await;
    assert!(page.contains(&format!("name=\"{own}\"")), "{page}");
    let said = json!({"files": {&file: {"altText": "Mine"}}}).to_string();
    let described = [(own.as_str(), said.as_str()), ("do", "check")];
    let (_, page) = visitor.send(&path, &[&form("3")[..], &described].concat()).await;
    assert!(page.contains(&format!("name=\"{own}\"")), "{page}");
    assert!(!page.contains(", own files</span>"), "it gets the files of all: {page}");

    // Cropped again, the account alone has it.
    let page = visitor.page(&format!("media/{made}/crop?post={post}")).await;
    assert!(!between(&page, "id=\"takers\">", "</fieldset>").contains("For all accounts"));
    let again = [
        ("x", "0"),
        ("y", "0"),
        ("width", "600"),
        ("height", "500"),
        ("post", post.as_str()),
        ("for", &instagram),
    ];
    visitor.done(&format!("media/{made}/crop"), &again).await;
    let smaller = target("instagram").await["mediaIds"][1].as_str().unwrap().to_owned();
    assert_eq!(size_of(&site, &smaller).await, [json!(600), json!(500)]);

    // One button gives it up.
    let button = format!("files-all.{instagram}");
    let press =
        [&form("4")[..], &[(own.as_str(), kept.as_str()), ("do", button.as_str())]].concat();
    let (status, page) = visitor.send(&path, &press).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!page.contains("name=\"own-files."), "{page}");
    visitor.done(&path, &[&form("4")[..], &[("do", "save")]].concat()).await;
    assert_eq!(target("instagram").await["mediaIds"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_an_accounts_own_stay_or_are_cropped_with_those_of_all() {
    let site = Site::start().await;
    let file = stored(&site, &picture(800, 600)).await;
    let own = json!({
        "platform": "bluesky", "mediaIds": [file], "files": {&file: {"altText": "Mine"}},
    });
    let more = json!({
        "saveAsDraft": true, "allowIssues": true, "mediaIds": [file], "altTexts": ["A ring"],
        "targets": [{"platform": "instagram"}, {"platform": "mastodon"}, own],
    });
    let post = site.post("A foot ring", more).await;
    let visitor = Visitor::of(&site, "drafter").await;
    let (instagram, bluesky) = (site.account("instagram").await, site.account("bluesky").await);
    let api = site.service.api();
    let stored = async || {
        let post = api.get(&format!("/posts/{post}")).await;
        let targets = post["targets"].as_array().unwrap();
        let of = |platform: &str| {
            let target = targets.iter().find(|target| target["platform"] == platform).unwrap();
            (target["mediaIds"].clone(), target["files"].clone())
        };
        (post["mediaIds"].clone(), of("instagram"), of("mastodon"), of("bluesky"))
    };
    let crop = format!("media/{file}/crop");
    let part = [("x", "100"), ("y", "0"), ("width", "600"), ("height", "600"), ("post", &post)];
    let alone = [&part[..], &[("for", instagram.as_str())]].concat();
    visitor.done(&crop, &alone).await;
    let (of_post, of_instagram, of_mastodon, of_bluesky) = stored().await;
    assert_eq!(of_post, json!([file]));
    let alone = of_instagram.0[0].clone();
    assert_ne!(alone, json!(file));
    assert_eq!(of_mastodon, (Value::Null, Value::Null), "it has those of all");
    let mine = (json!([file]), json!({&file: {"altText": "Mine"}}));
    assert_eq!(of_bluesky, mine, "those of another account stay");

    // The page says for whom it is where an account is named that has the picture of all.
    let page = visitor.page(&format!("{crop}?post={post}&for={bluesky}")).await;
    let takers = between(&page, "id=\"takers\">", "</fieldset>");
    assert_eq!(takers.matches(" checked").count(), 1, "{takers}");
    assert!(takers.contains(&format!("value=\"{bluesky}\" checked")), "{takers}");

    // For all: also where the picture is among the files of an account's own.
    visitor.done(&crop, &part).await;
    let (of_post, of_instagram, of_mastodon, of_bluesky) = stored().await;
    let made = of_post[0].as_str().unwrap().to_owned();
    assert_ne!(made, file);
    assert_eq!(of_instagram.0, json!([alone]), "it had another picture already");
    assert_eq!(of_mastodon, (Value::Null, Value::Null));
    assert_eq!(of_bluesky, (json!([made]), json!({&made: {"altText": "Mine"}})));
}
