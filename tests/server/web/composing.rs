//! Writing in the composer: what the server says while somebody types, and what is kept.

use reqwest::Method;
use serde_json::{Value, json};

use super::browser::{Browser, Like};
use super::{Site, accessible};
use crate::support::wait_for;

/// Writes a whole text at once, as if it were typed.
const WRITE: &str = "
    document.getElementById('checked').dataset.old = '';
    const field = document.querySelector(arguments[0]);
    field.value = arguments[1];
    field.dispatchEvent(new Event('input', { bubbles: true }));";

/// True once the server has answered for what stands there now.
const CHECKED: &str = "return document.querySelector('.unchecked, [data-old]') === null;";

const SAVED: &str = "return document.getElementById('saved').textContent.startsWith('Saved ');";

/// Signs in, and opens the composer with these networks picked.
async fn open(browser: &Browser, site: &Site, networks: &[&str]) {
    browser.open(&site.link("editor")).await;
    browser.follow("button.go").await;
    let mut accounts = Vec::new();
    for network in networks {
        accounts.push(format!("account={}", site.account(network).await));
    }
    browser.open(&site.at(&format!("compose?{}", accounts.join("&")))).await;
}

async fn write(browser: &Browser, css: &str, text: &str) {
    browser.run(WRITE, vec![json!(css), json!(text)]).await;
    browser.wait("the check", CHECKED).await;
}

async fn posts(site: &Site) -> Vec<Value> {
    site.service.api().get("/posts").await["data"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_and_marks_are_those_of_the_server() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let accounts = site.service.api().get("/oauth/accounts").await;
    let networks: Vec<&str> = accounts["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|account| account["platform"].as_str().unwrap())
        .collect();
    assert_eq!(networks.len(), 13);
    open(&browser, &site, &networks).await;
    let content = "Wörter 👩‍👩‍👧 und https://example.com/a?b=c #eins @zwei 花";
    write(&browser, "#content", content).await;
    let shown =
        "return [...document.querySelectorAll('#count-0 span')].map((one) => one.textContent);";
    let shown: Vec<String> = serde_json::from_value(browser.run(shown, vec![]).await).unwrap();
    // What the dry run of the API says of the same.
    let targets: Vec<Value> =
        networks.iter().map(|platform| json!({ "platform": platform })).collect();
    let body = json!({"content": content, "targets": targets});
    let api = site.service.api();
    let report = api.send(Method::POST, "/platforms/validate", None, Some(&body)).await;
    let report: Value = report.json().await.unwrap();
    let wanted: Vec<String> = report["counts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|count| count["part"] == "text")
        .map(|count| {
            let unit = if count["unit"] == "bytes" { "bytes" } else { "characters" };
            format!(" {} of {} {unit}", count["used"], count["limit"])
        })
        .collect();
    assert_eq!(shown.len(), wanted.len(), "{shown:?}");
    assert!(wanted.len() >= 13, "{wanted:?}");
    for (shown, wanted) in shown.iter().zip(&wanted) {
        assert!(shown.ends_with(wanted), "{shown} {wanted}");
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_marked_from_the_exact_character() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &["bluesky"]).await;
    // As many characters as fit, each of several code points, and two more.
    let content = format!("{}{}{}", "👩‍👩‍👧".repeat(20), "花".repeat(180), "e\u{301}".repeat(102));
    write(&browser, "#content", &content).await;
    let marked = "return document.querySelector('.say mark').textContent;";
    assert_eq!(browser.run(marked, vec![]).await, json!("e\u{301}e\u{301}"));
    let said = "return document.querySelector('.shot .over').textContent;";
    assert_eq!(browser.run(said, vec![]).await, json!("2 over 300 characters"));
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_text_is_written_and_given_up_and_both_are_undone() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &["mastodon", "bluesky"]).await;
    write(&browser, "#content", "For all").await;
    let own = format!("#own-{}", site.account("mastodon").await);
    // In the middle of the window, where the bar at its foot covers nothing.
    let unfold = "const own = document.querySelector(arguments[0]);
        own.closest('details').open = true;
        own.scrollIntoView({ block: 'center' });";
    browser.run(unfold, vec![json!(own)]).await;
    let texts = async || {
        let texts = "return [document.querySelector(arguments[0]).value,
            ...[...document.querySelectorAll('.shot')].map((shot) => shot.querySelector('.say').textContent)];";
        browser.run(texts, vec![json!(own)]).await
    };
    let are = async |want: [&str; 3]| {
        let mut sorted: Vec<&str> = want[1..].to_vec();
        sorted.sort_unstable();
        wait_for(&format!("{want:?}"), async || {
            let found: Vec<String> = serde_json::from_value(texts().await).ok()?;
            let mut previews: Vec<&str> = found[1..].iter().map(String::as_str).collect();
            previews.sort_unstable();
            (found[0] == want[0] && previews == sorted).then_some(())
        })
        .await;
    };
    let undo = async || {
        let keys = "\u{e009}z\u{e000}";
        browser.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    };
    are(["", "For all", "For all"]).await;
    let scope = format!(".own:has({own})");
    browser.click(&format!("{scope} .write-own")).await;
    are(["For all", "For all", "For all"]).await;
    undo().await;
    are(["", "For all", "For all"]).await;
    browser.click(&format!("{scope} .write-own")).await;
    browser.client.active_element().await.unwrap().send_keys("\u{e010} here").await.unwrap();
    are(["For all here", "For all here", "For all"]).await;
    browser.click(&format!("{scope} .back-to-all")).await;
    are(["", "For all", "For all"]).await;
    undo().await;
    are(["For all here", "For all here", "For all"]).await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_issue_stands_once_under_its_field() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let networks = ["bluesky", "pinterest", "youtube", "threads"];
    open(&browser, &site, &networks).await;
    let content = format!("{}#one #two", "word ".repeat(120));
    write(&browser, "#content", &content).await;
    let shown = "return [...document.querySelectorAll('.slot .issue')].map((issue) => {
        const slot = issue.closest('.slot');
        const link = issue.querySelector('a.rule');
        return { rule: link?.textContent, href: link?.getAttribute('href'), text: issue.textContent,
          field: document.getElementById(slot.dataset.for) !== null,
          beside: document.getElementById(slot.dataset.for)?.parentElement.closest('section, fieldset, div, form')
            ?.contains(slot) ?? false };
      });";
    let shown = browser.run(shown, vec![]).await;
    let shown = shown.as_array().unwrap();
    let targets: Vec<Value> =
        networks.iter().map(|platform| json!({ "platform": platform })).collect();
    let body = json!({"content": content, "targets": targets});
    let api = site.service.api();
    let report = api.send(Method::POST, "/platforms/validate", None, Some(&body)).await;
    let report: Value = report.json().await.unwrap();
    let sorted = |rules: Vec<&Value>| {
        let mut rules: Vec<&str> = rules.iter().filter_map(|rule| rule.as_str()).collect();
        rules.sort_unstable();
        rules.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let issues = report["issues"].as_array().unwrap();
    assert_eq!(
        sorted(shown.iter().map(|one| &one["rule"]).collect()),
        sorted(issues.iter().map(|issue| &issue["rule"]).collect()),
        "{shown:?}"
    );
    for one in shown {
        let rule = one["rule"].as_str().unwrap();
        assert_eq!(one["href"], format!("/docs/rules#{rule}"), "{one}");
        assert!(one["field"] == true && one["beside"] == true, "{one}");
    }
    // Each rule is in the reference that is linked to.
    let reference = reqwest_text(&format!("{}/docs/rules", site.service.url)).await;
    for issue in issues {
        let id = format!("id=\"{}\"", issue["rule"].as_str().unwrap());
        assert!(reference.contains(&id), "{id}");
    }
    let button = browser.run("return document.getElementById('go').textContent;", vec![]).await;
    let errors = issues.iter().filter(|issue| issue["severity"] == "error").count();
    assert_eq!(button, format!("Schedule · {errors} to fix"));

    // Nothing is sent; the summary has the focus, and leads to each field.
    browser.run("document.querySelector('input[name=when][value=now]').click();", vec![]).await;
    browser.click("#go").await;
    let focused = "return document.activeElement?.id === 'problem';";
    browser.wait("the summary", focused).await;
    assert_eq!(
        posts(&site).await.len(),
        posts(&site).await.iter().filter(|post| post["status"] == "draft").count()
    );
    accessible::is_clean(&browser, "the summary").await;
    let links = "return document.querySelectorAll('#problem a.jump').length;";
    let links = browser.run(links, vec![]).await.as_u64().unwrap();
    assert_eq!(usize::try_from(links).unwrap(), errors);
    for link in 0..links {
        let follow = "const link = document.querySelectorAll('#problem a.jump')[arguments[0]];
            link.click(); return link.hash.slice(1);";
        let field = browser.run(follow, vec![json!(link)]).await;
        let is_there = format!("return document.activeElement?.id === {field};");
        browser.wait(&format!("the focus at {field}"), &is_there).await;
    }

    // Shorten here makes it an own text that fits; the others keep theirs.
    let short = format!("button[value='fit.{}']", site.account("bluesky").await);
    browser.click(&short).await;
    browser.wait("the page", "return document.readyState === 'complete';").await;
    let own = format!(
        "return document.getElementById('own-{}').value.length;",
        site.account("bluesky").await
    );
    let length = wait_for("the own text", async || {
        browser.run(&own, vec![]).await.as_u64().filter(|length| *length > 0)
    })
    .await;
    assert!(length <= 300, "{length}");
    browser.end().await;
}

/// What an address answers.
async fn reqwest_text(address: &str) -> String {
    crate::support::client_of_forms().get(address).send().await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_leaves_now_waits_and_can_be_stopped() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &["bluesky"]).await;
    write(&browser, "#content", "Leaves soon").await;
    browser.run("document.querySelector('input[name=when][value=now]').click();", vec![]).await;
    browser
        .wait(
            "what will happen",
            "return document.getElementById('will').textContent
        .includes('Leaves 10 seconds after you press, to 1 account: Bluesky.');",
        )
        .await;
    browser.wait("the draft", SAVED).await;
    browser.click("#go").await;
    browser.wait("the button", "return document.activeElement?.textContent === 'Stop';").await;
    let counts = "return Number(document.querySelector('[data-seconds]').textContent) <= 10;";
    assert_eq!(browser.run(counts, vec![]).await, json!(true));
    browser.click("#leaving button").await;
    browser
        .wait(
            "the draft",
            "return location.pathname.includes('/compose/')
        && document.readyState === 'complete';",
        )
        .await;
    let stopped = posts(&site).await;
    assert_eq!((stopped.len(), &stopped[0]["status"]), (1, &json!("draft")), "{stopped:?}");
    assert!(site.networks.live("bluesky").await.is_empty());

    // A double press and a reload are one post.
    browser.run("document.querySelector('input[name=when][value=now]').click();", vec![]).await;
    browser.run("const go = document.getElementById('go'); go.click(); go.click();", vec![]).await;
    browser.wait("the post", "return document.getElementById('leaving') !== null;").await;
    browser.client.refresh().await.unwrap();
    let id = browser.path().await.rsplit('/').next().unwrap().to_owned();
    let post = site.service.api().ended(&id).await;
    assert_eq!(post["targets"][0]["status"], "published", "{post}");
    assert_eq!(posts(&site).await.len(), 1);
    let live = site.networks.live("bluesky").await;
    assert_eq!(live.values().sum::<usize>(), 1, "{live:?}");
    // The page shows by itself what has become of it.
    browser
        .wait(
            "what became of it",
            "return document.querySelector('main').textContent
        .includes('Live on 1 of 1.');",
        )
        .await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_is_kept_without_a_target_and_with_errors() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &["pinterest"]).await;
    let text = "No picture, 👩‍👩‍👧 花 e\u{301} \"quoted\" <b>\n\n  two lines";
    write(&browser, "#content", text).await;
    let kept = async |text: &str| {
        wait_for("the draft", async || {
            let posts = posts(&site).await;
            posts.iter().any(|post| post["content"] == text).then_some(())
        })
        .await;
    };
    kept(text).await;
    browser.open(&site.at("compose?account=none")).await;
    browser.write("#content", "Nowhere to").await;
    kept("Nowhere to").await;
    // An own text alone is something written as well.
    assert_eq!(posts(&site).await.len(), 2);
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_windows_the_second_is_asked_and_no_text_is_lost() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &["mastodon"]).await;
    write(&browser, "#content", "First").await;
    browser.wait("the draft", SAVED).await;
    let address = format!("{}{}", site.service.url, browser.path().await);
    let id = address.rsplit('/').next().unwrap().to_owned();
    let stored = async || site.service.api().get(&format!("/posts/{id}")).await["content"].clone();
    let elsewhere = async |content: &str| {
        let change = json!({ "content": content });
        site.service.api().send(Method::PATCH, &format!("/posts/{id}"), None, Some(&change)).await;
    };
    let versions = async || {
        browser.open(&format!("{address}/versions")).await;
        browser.text("main").await
    };

    elsewhere("Theirs").await;
    write(&browser, "#content", "Mine").await;
    let asked = "return document.getElementById('elsewhere')?.textContent
        .startsWith('Also open elsewhere: changed at ') ?? false;";
    browser.wait("the question", asked).await;
    assert_eq!(stored().await, "Theirs", "nothing is overwritten");
    accessible::is_clean(&browser, "the question").await;
    browser.click("#elsewhere button[value^='mine.']").await;
    wait_for("mine", async || (stored().await == "Mine").then_some(())).await;
    let listed = versions().await;
    for text in ["First", "Theirs", "Mine"] {
        assert!(listed.contains(text), "{text}: {listed}");
    }

    browser.open(&address).await;
    elsewhere("Theirs again").await;
    write(&browser, "#content", "Mine again").await;
    browser.wait("the question", asked).await;
    browser.click("#elsewhere button[value=theirs]").await;
    let theirs = "return document.getElementById('content')?.value === 'Theirs again';";
    browser.wait("theirs", theirs).await;
    assert_eq!(stored().await, "Theirs again");
    let listed = versions().await;
    for text in ["Mine again", "Theirs again", "written in another window"] {
        assert!(listed.contains(text), "{text}: {listed}");
    }

    // Looked at, and taken back.
    let row = browser.client.find(fantoccini::Locator::XPath("//tr[contains(., 'Mine again')]//a"));
    row.await.unwrap().click().await.unwrap();
    browser
        .wait(
            "the version",
            "return document.querySelector('.post > .stack > .glass > .say')?.textContent === 'Mine again';",
        )
        .await;
    accessible::is_clean(&browser, "a version").await;
    browser.follow("button.go").await;
    wait_for("the version", async || (stored().await == "Mine again").then_some(())).await;
    assert!(versions().await.contains("Theirs again"), "what it said stays a version");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_nothing_to_scheduled_by_keys_alone() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &[]).await;
    browser.open(&site.at("compose?account=none")).await;
    let press = async |keys: &str| {
        browser.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    };
    let tab_to = async |css: &str| {
        for _ in 0..150 {
            // Not sent to what has the focus: a field for files would take it for a path.
            browser.press_tab().await;
            let seen = "
                const at = document.activeElement;
                const box = at.getBoundingClientRect();
                const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                const label = at.closest('label');
                const isSeen = hit !== null && (at.contains(hit) || label?.contains(hit)
                  || (hit.contains(at) && !hit.matches('html, body, main, .app')));
                return [at.matches(arguments[0]), isSeen, at.outerHTML.slice(0, 120)];";
            let seen = browser.run(seen, vec![json!(css)]).await;
            assert_eq!(seen[1], true, "what has the focus is covered: {seen}");
            if seen[0] == true {
                return;
            }
        }
        panic!("no tab leads to {css}");
    };
    let account = site.account("bluesky").await;
    tab_to(&format!("input[value='{account}']")).await;
    press(" ").await;
    // The page is drawn anew, and the focus is where it was.
    let back = format!(
        "return document.getElementById('own-{account}') !== null && document.querySelector('.shot') !== null
          && document.activeElement?.value === '{account}';"
    );
    browser.wait("the account", &back).await;
    tab_to("#content").await;
    press("By keys alone").await;
    // What was missing is not told any more; a link in it could have had the focus.
    let checked = "return document.querySelector('.say')?.textContent === 'By keys alone';";
    browser.wait("the check", checked).await;
    tab_to("input[name=when]").await;
    for _ in 0..5 {
        if browser.run("return document.activeElement.value;", vec![]).await == json!("instant") {
            break;
        }
        press("\u{e014}").await;
    }
    tab_to("input[name=day]").await;
    press("05142031").await;
    tab_to("input[name=time]").await;
    press("0930AM").await;
    let said = "return document.getElementById('will').textContent.includes('Wednesday 14 May 2031, 09:30');";
    browser.wait("what will happen", said).await;
    press("\u{e009}\u{e007}\u{e000}").await;
    let shown = "return location.pathname.startsWith('/w/default/posts/');";
    browser.wait("the post", shown).await;
    let post = posts(&site).await.remove(0);
    assert_eq!((&post["status"], &post["content"]), (&json!("scheduled"), &json!("By keys alone")));
    assert_eq!(post["scheduledAt"], "2031-05-14T09:30:00Z");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_searched_and_people_are_mentioned() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    open(&browser, &site, &["bluesky"]).await;
    // Thirteen accounts are enough to search among.
    browser.write("#find-account", "masto").await;
    let shown =
        "return [...document.querySelectorAll('.pick')].filter((pick) => pick.checkVisibility())
        .map((pick) => pick.textContent).join();";
    let shown = browser.run(shown, vec![]).await;
    assert!(
        shown.as_str().unwrap().contains("Mastodon")
            && !shown.as_str().unwrap().contains("Bluesky"),
        "{shown}"
    );
    browser.click("#pick-all").await;
    let picked = "return document.querySelectorAll('input[name=account]:checked').length === 2
        && document.querySelectorAll('.shot').length === 2;";
    browser.wait("both", picked).await;

    browser.write("#content", "Ask @sand").await;
    let offered =
        "return document.querySelector('#mentions [aria-selected=true]')?.textContent ?? '';";
    let offered = wait_for("somebody", async || {
        let offered = browser.run(offered, vec![]).await;
        offered.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    })
    .await;
    assert!(offered.contains("works on "), "{offered}");
    accessible::is_clean(&browser, "the list of people").await;
    browser.client.active_element().await.unwrap().send_keys("\u{e007}").await.unwrap();
    let text = browser.run("return document.getElementById('content').value;", vec![]).await;
    let text = text.as_str().unwrap();
    assert!(text.starts_with("Ask @") && text.ends_with(' ') && text != "Ask @sand", "{text}");
    browser.end().await;
}
