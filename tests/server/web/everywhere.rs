//! What holds on every page: nothing is lost when it is enlarged, turned round or written in longer
//! words; keys reach everything; targets have room; states need no colours; nothing has to move.

use fantoccini::Locator;
use fantoccini::key::Key;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use image::GrayImage;
use reqwest::Method;
use serde_json::{Value, json};
use url::Url;

use super::Site;
use super::accessible::seeded;
use super::browser::{Browser, Like};
use super::doors::signed_in;
use crate::support::client_of_forms;

const LAYOUT: &str = include_str!("checks/layout.js");
const LENGTHEN: &str = include_str!("checks/lengthen.js");
const FOCUS: &str = include_str!("checks/focus.js");
const REACHABLE: &str = include_str!("checks/reachable.js");
const TARGETS: &str = include_str!("checks/targets.js");
const MOTION: &str = include_str!("checks/motion.js");
const SHIFTS: &str = include_str!("checks/shifts.js");

/// Letters twice as large.
const LARGE: &str = "document.documentElement.style.fontSize = '200%';";

/// A way in which a page is shown: what it is, what is done to the page, and the screens.
type Way = (&'static str, &'static str, &'static [(u32, u32)]);

/// Ways in which every page is shown.
///
/// Source: WCAG 2.2, 1.4.4 (letters twice as large) and 1.4.10 (a screen of 1 280 × 1 024 pixels,
/// enlarged four times).
const WAYS: [Way; 4] = [
    ("as it is", "", &[(1_440, 900), (800, 900), (390, 844), (320, 844)]),
    ("enlarged four times", "", &[(320, 256)]),
    ("with letters twice as large", LARGE, &[(1_280, 900)]),
    (
        "turned round, in longer words",
        LENGTHEN,
        &[(1_440, 900), (800, 900), (390, 844), (320, 844)],
    ),
];

/// Screens on which people go through a page by keys.
const SCREENS: [(u32, u32); 2] = [(1_440, 900), (390, 844)];

/// So many presses of Tab take nobody through the reference of the API.
const PRESSES: usize = 150;
const MORE_STOPS: &str = "more stops than presses";

/// What is no page, by the names of its endpoints: pictures and what scripts ask for, addresses that
/// lead on, and the page that stands at the end of a way (which `accessible` goes).
const NO_PAGES: [&str; 13] = [
    "web_home",
    "web_asset",
    "web_calendar_today",
    "web_avatar",
    "web_thumb",
    "web_file",
    "web_upload_links",
    "web_mentions",
    "web_events",
    "return_connection",
    "show_pick",
    "web_openid_callback",
    "web_authorize",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_among_those_that_are_looked_at() {
    let seeded = seeded().await;
    let addresses: Vec<Url> = seeded.all().map(|(_, address)| address.parse().unwrap()).collect();
    let is_at = |pattern: &str, address: &Url| {
        let (pattern, path) = (pattern.split('/'), address.path().split('/'));
        pattern.clone().count() == path.clone().count()
            && pattern.zip(path).all(|(want, is)| want.starts_with('{') || want == is)
    };
    for page in scheduler_web::pages().iter().filter(|page| page.method == Method::GET) {
        let is_seen = addresses.iter().any(|address| is_at(page.pattern, address));
        assert!(is_seen || NO_PAGES.contains(&page.name), "{}: {}", page.name, page.pattern);
    }
}

/// What a script found, each in a sentence.
fn sentences(found: &Value) -> Vec<String> {
    let found = found.as_array().unwrap().iter();
    found.map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_a_page_is_enlarged_or_turned_round() {
    let seeded = seeded().await;
    let Some(browser) = seeded.browser(Like::default()).await else { return };
    let mut lost = Vec::new();
    for (name, address) in seeded.all() {
        for (way, prepare, screens) in WAYS {
            let (width, height) = screens[0];
            browser.emulate_screen(width, height).await;
            // As it is told, to the second place after the point. A busy machine can draw a table
            // before the whole of it is there: what moves each time is a fault of the page.
            let mut least = f64::INFINITY;
            for _ in 0..3 {
                browser.open(&address).await;
                let shift = browser.client.execute_async(SHIFTS, vec![]).await.unwrap();
                least = least.min(shift.as_f64().unwrap());
                if least < 0.01 {
                    break;
                }
            }
            if least >= 0.01 {
                lost.push(format!("{name}: what it shows moves by {least} while it is loaded"));
            }
            browser.run(prepare, vec![]).await;
            for (width, height) in screens {
                browser.emulate_screen(*width, *height).await;
                let found = browser.run(LAYOUT, vec![json!(width)]).await;
                lost.extend(
                    sentences(&found)
                        .into_iter()
                        .map(|one| format!("{name} {way} at {width}: {one}")),
                );
            }
        }
    }
    assert_eq!(lost, Vec::<String>::new());
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_points_is_mirrored() {
    let site = Site::start().await;
    let Some(browser) = Browser::start(Like::default()).await else { return };
    browser.open(&site.link("owner")).await;
    browser.follow("button.go").await;
    browser.open(&site.at("calendar/2031-05")).await;
    let pointing = "return [...document.querySelectorAll('.group .i')].map((icon) =>
        [icon.firstElementChild.getAttribute('href').split('#')[1], getComputedStyle(icon).scale]);";
    assert_eq!(browser.run(pointing, vec![]).await, json!([["left", "none"], ["right", "none"]]));
    browser.run("document.documentElement.dir = 'rtl';", vec![]).await;
    assert_eq!(browser.run(pointing, vec![]).await, json!([["left", "-1 1"], ["right", "-1 1"]]));
    // The first day of the week stands at the other end.
    let first = "return document.querySelector('.month th').getBoundingClientRect().right
        > document.querySelector('.month th:last-child').getBoundingClientRect().right;";
    assert_eq!(browser.run(first, vec![]).await, json!(true));
    browser.end().await;
}

/// Goes through a page by Tab, until the focus is back at its beginning; what is wrong on the way, and
/// what the focus never came to.
async fn gone_through(browser: &Browser) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut last = -1;
    for press in 0..PRESSES {
        browser.press_tab().await;
        let focus = browser.run(FOCUS, vec![]).await;
        let number = focus["number"].as_i64().unwrap_or(-1);
        // Past the last one the window itself has its turn, and then the first.
        if number < last || (focus.is_null() && press > 0) {
            let left = sentences(&browser.run(REACHABLE, vec![]).await);
            wrong.extend(left.into_iter().map(|one| format!("not reached: {one}")));
            return wrong;
        }
        last = number;
        if !focus.is_null() {
            wrong.extend(sentences(&focus["wrong"]));
        }
    }
    wrong.push(MORE_STOPS.to_owned());
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_reach_everything_and_show_where_they_are() {
    let seeded = seeded().await;
    let Some(browser) = seeded.browser(Like::default()).await else { return };
    let mut wrong = Vec::new();
    for (name, address) in seeded.all() {
        for (width, height) in SCREENS {
            browser.emulate_screen(width, height).await;
            let at = format!("{name} at {width}");
            // A page says so where the server is slow, as it is on a busy machine: what is wrong each
            // time is a fault of the page.
            let mut found = Vec::new();
            for _ in 0..3 {
                browser.open(&address).await;
                found = gone_through(&browser).await;
                found.retain(|one| one != MORE_STOPS || !name.ends_with("/docs"));
                if found.is_empty() {
                    break;
                }
            }
            found.dedup();
            wrong.extend(found.into_iter().map(|one| format!("{at}: {one}")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_focus_comes_back_from_a_dialog() {
    let site = Site::start().await;
    let Some(browser) = Browser::start(Like::default()).await else { return };
    browser.open(&site.link("owner")).await;
    browser.follow("button.go").await;
    browser.open(&site.at("accounts")).await;
    let focused = "return document.activeElement.textContent.trim();";
    browser.run("document.querySelector('#menu a[href$=inbox]').focus();", vec![]).await;
    let before = browser.run(focused, vec![]).await;
    let press = async |keys: &str| {
        browser.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    };
    press("?").await;
    browser.wait("the dialog", "return document.getElementById('keys').open;").await;
    let is_inside = "return document.getElementById('keys').contains(document.activeElement);";
    assert_eq!(browser.run(is_inside, vec![]).await, json!(true));
    press(&char::from(Key::Escape).to_string()).await;
    browser.wait("its end", "return !document.getElementById('keys').open;").await;
    assert_eq!(browser.run(focused, vec![]).await, before);
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn targets_have_room() {
    let seeded = seeded().await;
    let Some(browser) = seeded.browser(Like::default()).await else { return };
    let mut small = Vec::new();
    for (is_touched, least) in [(false, 24), (true, 44)] {
        if is_touched {
            browser.emulate_touch().await;
        }
        for (name, address) in seeded.all() {
            browser.open(&address).await;
            for width in [1_440, 390] {
                browser.emulate(width).await;
                let found = browser.run(TARGETS, vec![json!(least)]).await;
                small.extend(
                    sentences(&found)
                        .into_iter()
                        .map(|one| format!("{name} at {width}, {least}: {one}")),
                );
            }
        }
    }
    assert_eq!(small, Vec::<String>::new());
    browser.end().await;
}

/// The states of posts, as their signs are called.
const STATES: [&str; 7] =
    ["draft", "wait", "scheduled", "publishing", "published", "failed", "canceled"];

/// Has the first link of the legend show the sign of a state.
const SIGN: &str = "const link = document.querySelector('.states a');
    link.className = `is-${arguments[0]}`;
    const use = link.querySelector('use');
    use.setAttribute('href', `${use.getAttribute('href').split('#')[0]}#s-${arguments[0]}`);";

/// How light each point of the sign of a state is, as a screen without colours shows it.
async fn grey(browser: &Browser, state: &str) -> GrayImage {
    browser.run(SIGN, vec![json!(state)]).await;
    let sign = browser.client.find(Locator::Css(".states .st")).await.unwrap();
    let picture = sign.screenshot().await.unwrap();
    image::load_from_memory(&picture).unwrap().into_luma8()
}

/// Where something is drawn: the points that differ from the ground at the corner.
fn drawn(grey: &GrayImage) -> Vec<bool> {
    /// Two greys that are so far apart have a contrast of more than 1.5.
    const APART: u8 = 40;
    let ground = grey.get_pixel(0, 0)[0];
    grey.pixels().map(|point| point[0].abs_diff(ground) > APART).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn states_differ_without_colours() {
    let site = Site::start().await;
    let Some(browser) = Browser::start(Like::default()).await else { return };
    browser.open(&site.link("owner")).await;
    browser.follow("button.go").await;
    let failed = json!({"platform": "mastodon", "operation": "publish", "kind": "permanent"});
    site.networks.fault(&failed).await;
    let id = site.post("Refused", json!({"publishNow": true})).await;
    site.service.api().ended(&id).await;
    for colours in ["none", "active"] {
        // A sign that turns is not always as large.
        let wishes = [("forced-colors", colours), ("prefers-reduced-motion", "reduce")];
        browser.emulate_wishes(&wishes).await;
        browser.open(&site.at("calendar")).await;
        let mut signs = Vec::new();
        for state in STATES {
            let sign = drawn(&grey(&browser, state).await);
            let points = sign.iter().filter(|is_drawn| **is_drawn).count();
            assert!(points * 10 > sign.len(), "{colours}: {state} has {points} of {}", sign.len());
            signs.push((state, sign));
        }
        for (place, (state, one)) in signs.iter().enumerate() {
            for (other_state, other) in &signs[place + 1..] {
                let differ = one.iter().zip(other).filter(|(one, other)| one != other).count();
                let of = one.len();
                assert!(
                    differ * 20 > of,
                    "{colours}: {state} and {other_state} differ in {differ} points of {of}"
                );
            }
        }
        // A card says its state in words as well, and one that failed has a ring.
        let card = "const card = document.querySelector('.card.is-failed');
            const { outlineStyle, boxShadow } = getComputedStyle(card);
            return [card.querySelector('svg').getAttribute('aria-label').startsWith('failed, to '), outlineStyle, boxShadow !== 'none'];";
        let ring = if colours == "active" { ("solid", false) } else { ("none", true) };
        assert_eq!(browser.run(card, vec![]).await, json!([true, ring.0, ring.1]), "{colours}");
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_moves_for_those_who_want_it_still() {
    let seeded = seeded().await;
    let Some(browser) = seeded.browser(Like::default()).await else { return };
    browser.open(&seeded.at("calendar/2031-05")).await;
    assert_ne!(browser.run(MOTION, vec![]).await, json!([]), "for others something does");
    browser.emulate_wishes(&[("prefers-reduced-motion", "reduce")]).await;
    for (name, address) in seeded.all() {
        browser.open(&address).await;
        let open = "for (const each of document.querySelectorAll('details')) each.open = true;
            for (const each of document.querySelectorAll('dialog:not([open])')) each.showModal();
            document.getElementById('toast')?.removeAttribute('hidden');";
        browser.run(open, vec![]).await;
        assert_eq!(browser.run(MOTION, vec![]).await, json!([]), "{name}");
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_sent_with_its_policy_and_without_styles_of_its_own() {
    let seeded = seeded().await;
    let cookie = signed_in(&seeded.site, "owner").await;
    for (name, address) in seeded.all() {
        let request = client_of_forms().get(&address).header(COOKIE, &cookie);
        let answer = request.send().await.unwrap();
        let headers = answer.headers().clone();
        let said = |name: &http::HeaderName| headers[name].to_str().unwrap().to_owned();
        let is_within = seeded.pages.iter().any(|page| page == name);
        let policy = said(&CONTENT_SECURITY_POLICY);
        for want in
            ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(want), "{name}: {policy}");
        }
        if is_within {
            for want in
                ["script-src 'self'", "form-action 'self'", "require-trusted-types-for 'script'"]
            {
                assert!(policy.contains(want), "{name}: {policy}");
            }
            assert_eq!(headers["cross-origin-opener-policy"], "same-origin", "{name}");
            assert!(headers.contains_key("permissions-policy"), "{name}");
            assert_eq!(headers[CACHE_CONTROL], "no-store", "{name}");
        }
        assert!(!policy.contains("unsafe"), "{name}: {policy}");
        assert_eq!(said(&X_CONTENT_TYPE_OPTIONS), "nosniff", "{name}");
        assert!(headers.contains_key(REFERRER_POLICY), "{name}");
        let html = answer.text().await.unwrap();
        for never in [" style=", "<style", "<script>", " onload=", " onclick="] {
            assert!(!html.contains(never), "{name}: {never}");
        }
    }
}
