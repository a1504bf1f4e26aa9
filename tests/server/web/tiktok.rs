//! TikTok's panel in the composer: what its guidelines for sharing content want of it.

use http::header::{COOKIE, LOCATION};
use reqwest::StatusCode;
use scheduler_core::platform::Platform;
use scheduler_core::platform::tiktok::{
    BRANDED_CONTENT_POLICY, BRANDED_IS_NOT_PRIVATE, MUSIC_USAGE_CONFIRMATION, PAID_PARTNERSHIP,
    PROMOTES_NOTHING, PROMOTIONAL_CONTENT, SHOWN_LATER,
};
use serde_json::{Value, json};

use super::Site;
use super::browser::{Browser, Like};
use super::doors::signed_in;
use crate::files::{id_of, picture, post, put, ready};
use crate::support::{Offers, client_of_forms, film, wait_for};

/// A file of the workspace.
pub(super) async fn file(site: &Site, kind: &str, name: &str, bytes: &[u8]) -> String {
    let api = site.service.api();
    let file = json!({"kind": kind, "sizeBytes": bytes.len(), "fileName": name});
    let (status, declared) = post(&api, "/media", &file).await;
    assert_eq!(status, StatusCode::CREATED, "{declared}");
    let id = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], bytes).await;
    post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(&api, &id).await;
    id
}

/// The composer of somebody who may schedule, without scripts.
struct Composer {
    site: Site,
    cookie: String,
}

impl Composer {
    async fn open() -> Self {
        let site = Site::start().await;
        let cookie = signed_in(&site, "editor").await;
        Self { site, cookie }
    }

    /// One more account.
    async fn account(&self, name: &str) -> String {
        let sandbox = self.site.networks.url();
        let offers = Offers::open(self.site.service.data(), sandbox).await;
        offers.connect(sandbox, Platform::Tiktok, name).await
    }

    /// Sends the form with what is chosen for an account, and returns the status and the page.
    async fn send(&self, account: &str, button: &str, chosen: &str) -> (StatusCode, String) {
        let mut form = vec![
            ("do".to_owned(), button.to_owned()),
            ("when".to_owned(), "now".to_owned()),
            ("content".to_owned(), "A foot ring".to_owned()),
            ("account".to_owned(), account.to_owned()),
        ];
        for pair in chosen.split_whitespace() {
            let (name, value) = pair.split_once('=').unwrap();
            form.push((name.replace("ID", account), value.to_owned()));
        }
        let request = client_of_forms().post(self.site.at("compose")).header(COOKIE, &self.cookie);
        let answer = request.form(&form).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap().replace("&#39;", "'"))
    }

    /// The page with what is chosen, which is not stored.
    async fn look(&self, account: &str, chosen: &str) -> String {
        let (status, page) = self.send(account, "check", chosen).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        page
    }

    /// Expects that nothing is stored, and why.
    async fn refused(&self, account: &str, chosen: &str, why: &[&str]) {
        let (status, page) = self.send(account, "schedule", chosen).await;
        assert!(status.is_client_error(), "{chosen}: {status}");
        let problem = page.split("id=\"problem\"").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(why.iter().all(|why| problem.contains(why)), "{chosen}: {problem}");
        assert_eq!(self.site.service.api().get("/posts").await["data"], json!([]), "{chosen}");
    }
}

/// What the levels of a page are, with a `!` before those that cannot be chosen and a `*` before
/// the chosen one.
fn levels(page: &str) -> Vec<String> {
    let select = page.split("<select class=\"input\" id=\"who-").nth(1).unwrap_or_default();
    let select = select.split("</select>").next().unwrap_or_default();
    let levels = select.split("<option value=\"").skip(1).map(|option| {
        let (value, rest) = option.split_once('"').unwrap();
        let rest = rest.split('>').next().unwrap();
        let sign = match (rest.contains("disabled"), rest.contains("selected")) {
            (true, _) => "!",
            (_, true) => "*",
            _ => "",
        };
        format!("{sign}{value}")
    });
    levels.collect()
}

/// The tag of an input.
fn input<'a>(page: &'a str, name: &str, value: &str) -> Option<&'a str> {
    let mut tags = page.split("<input ").skip(1).map(|tag| tag.split('>').next().unwrap());
    let (name, value) = (format!("name=\"{name}\""), format!("value=\"{value}\""));
    tags.find(|tag| tag.contains(&name) && tag.contains(&value))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_panel_offers_is_what_the_account_may() {
    let composer = Composer::open().await;
    let own = composer.site.account("tiktok").await;
    let of = |key: &str| format!("option.{own}.{key}");
    let page = composer.look(&own, "").await;
    for words in ["Posting to <b>sandbox", "(@sandbox_", "videos up to 10 min"] {
        assert!(page.contains(words), "{words}");
    }
    // Nothing is chosen beforehand.
    let all = ["", "PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"];
    assert_eq!(levels(&page), all);
    let switches = ["allowComments", "allowDuet", "allowStitch", "asDraft"].map(of);
    let promotes = format!("promotes.{own}");
    let discloses = format!("discloses.{own}");
    let off = switches.iter().map(|name| (name.as_str(), "true"));
    let off = off.chain([(discloses.as_str(), "true")]);
    for (name, value) in off.chain([(&*promotes, "ownBrand"), (&*promotes, "brandedContent")]) {
        let input = input(&page, name, value).unwrap();
        assert!(!input.contains("checked"), "{input}");
        assert_eq!(input.contains("disabled"), name.ends_with("allowStitch"), "{input}");
    }
    assert!(page.contains("switched off in this account’s TikTok settings"));
    // The draft comes first, and the declaration is always there.
    assert!(page.find(".asDraft\"").unwrap() < page.find(".privacy\"").unwrap());
    for link in [MUSIC_USAGE_CONFIRMATION, BRANDED_CONTENT_POLICY] {
        assert!(page.contains(&format!("href=\"{link}\" target=\"_blank\" rel=\"noreferrer\"")));
    }
    let draft = composer.look(&own, "option.ID.asDraft=true").await;
    assert_eq!(levels(&draft), [""; 0]);
    assert!(draft.contains("By posting, you agree to TikTok's "));
    assert!(!composer.look("", "").await.contains("By posting"), "another network's post");

    // Branded content and a post that nobody sees exclude each other.
    let branded = "discloses.ID=true promotes.ID=brandedContent";
    let page = composer.look(&own, branded).await;
    assert_eq!(levels(&page)[3], "!SELF_ONLY");
    assert!(page.contains(&format!("Only me: {BRANDED_IS_NOT_PRIVATE}")));
    let page = composer.look(&own, "discloses.ID=true option.ID.privacy=SELF_ONLY").await;
    assert_eq!(levels(&page)[3], "*SELF_ONLY");
    assert!(input(&page, &promotes, "brandedContent").unwrap().contains("disabled"));
    assert!(page.contains(BRANDED_IS_NOT_PRIVATE));
    let page = composer.look(&own, "promotes.ID=brandedContent").await;
    assert_eq!(levels(&page)[3], "SELF_ONLY", "it is switched off");

    // Photos have neither duets nor stitches.
    let photo = file(&composer.site, "image", "picture.png", &picture(800, 600)).await;
    let video = file(&composer.site, "video", "film.mp4", &film::bytes()).await;
    for (media, has_duets) in [(&photo, false), (&video, true)] {
        let page = composer.look(&own, &format!("media={media}")).await;
        for (key, is_there) in
            [("allowComments", true), ("allowDuet", has_duets), ("allowStitch", has_duets)]
        {
            assert_eq!(input(&page, &of(key), "true").is_some(), is_there, "{media} {key}");
        }
    }

    let quiet = composer.account("Kiln quiet").await;
    let page = composer.look(&quiet, "").await;
    assert!(page.contains("Posting to <b>Kiln quiet</b> <span class=\"hint\">(@kiln_quiet)"));
    let comments = format!("option.{quiet}.allowComments");
    assert!(input(&page, &comments, "true").unwrap().contains("disabled"));
    let closed = composer.account("private kiln").await;
    let page = composer.look(&closed, "").await;
    assert_eq!(levels(&page)[1], "FOLLOWER_OF_CREATOR");

    // What the rules and TikTok refuse is not stored.
    let direct = format!("media={video} option.ID.privacy=SELF_ONLY");
    composer.refused(&own, &format!("media={video}"), &["Choose “Who can see it”"]).await;
    let followers = format!("media={video} option.ID.privacy=FOLLOWER_OF_CREATOR");
    composer.refused(&own, &followers, &["this account allows"]).await;
    composer.refused(&own, &format!("{direct} discloses.ID=true"), &[PROMOTES_NOTHING]).await;
    composer.refused(&own, &format!("{direct} {branded}"), &[BRANDED_IS_NOT_PRIVATE]).await;
    let brief = composer.account("Kiln brief").await;
    composer.refused(&brief, &direct, &["5 s", "4 s"]).await;
    let full = composer.account("Kiln full").await;
    let sentence = "TikTok takes no more posts from this account today. Try again tomorrow, or \
                    send a draft.";
    let page = composer.look(&full, &direct).await;
    assert!(page.contains(sentence) && levels(&page).is_empty());
    let kept = input(&page, &format!("option.{full}.privacy"), "SELF_ONLY").unwrap();
    assert!(kept.contains("type=\"hidden\""), "{kept}");
    composer.refused(&full, &direct, &[sentence]).await;
    let draft = format!("media={video} option.ID.asDraft=true");
    let (status, _) = composer.send(&full, "schedule", &draft).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "a draft is taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_goes_out_as_it_was_chosen() {
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let site = Site::start().await;
    let bytes = film::bytes();
    let video = file(&site, "video", "film.mp4", &bytes).await;
    let account = site.account("tiktok").await;
    // Written on the page: a program has to say who sees it.
    let form = [
        ("do", "save"),
        ("content", "A foot ring #pottery"),
        ("account", account.as_str()),
        ("media", video.as_str()),
    ];
    let cookie = signed_in(&site, "editor").await;
    let request = client_of_forms().post(site.at("compose")).header(COOKIE, cookie).form(&form);
    let kept = request.send().await.unwrap();
    assert_eq!(kept.status(), StatusCode::SEE_OTHER);
    let kept = kept.headers()[LOCATION].to_str().unwrap();
    let id = kept.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    let asked = async || {
        let requests = site.networks.requests("tiktok").await;
        requests.iter().filter(|path| path.contains("creator_info")).count()
    };
    let earlier = asked().await;
    browser.open(&site.link("editor")).await;
    browser.follow("button.go").await;
    browser.open(&site.at(&format!("compose/{id}"))).await;
    assert!(asked().await > earlier, "TikTok is asked anew");
    assert!(browser.text(".choices").await.contains("Posting to sandbox"));
    let preview = "return document.querySelector('.shot .say').textContent;";
    assert_eq!(browser.run(preview, vec![]).await, json!("A foot ring #pottery"));

    // Nothing is sent before somebody has chosen who sees it.
    let who = format!("#who-{account}");
    let chosen = format!("return document.querySelector('{who}').value;");
    assert_eq!(browser.run(&chosen, vec![]).await, json!(""));
    browser.run("document.querySelector('input[name=when][value=now]').click();", vec![]).await;
    browser.click("#go").await;
    browser.wait("why not", "return document.getElementById('problem') !== null;").await;
    assert!(browser.text("#problem").await.contains("Choose “Who can see it”"));
    let stored = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!(stored["status"], "draft");

    // What is promoted: the words, the declaration, and what excludes what.
    // Does something in the panel, which the server then draws again.
    let redrawn = async |script: &str| {
        let mark = "document.querySelector('.choices').dataset.former = 'yes';";
        browser.run(&format!("{mark} {script}"), vec![]).await;
        let is_new = "return document.querySelector('.choices').dataset.former === undefined;";
        browser.wait("the panel", is_new).await;
    };
    let pick = async |value: &str| {
        redrawn(&format!(
            "const who = document.querySelector('{who}'); who.value = '{value}';
             who.dispatchEvent(new Event('input', {{ bubbles: true }}));"
        ))
        .await;
    };
    let press = async |css: &str| {
        let script = "const box = document.querySelector('CSS'); box.focus(); box.click();";
        redrawn(&script.replace("CSS", css)).await;
    };
    let is_disabled = async |css: &str| {
        let script = format!("return document.querySelector('{css}').disabled;");
        browser.run(&script, vec![]).await == json!(true)
    };
    let private = format!("{who} [value=SELF_ONLY]");
    let branded = format!("#branded-{account}");
    let music = "By posting, you agree to TikTok's Music Usage Confirmation.";
    let both = "By posting, you agree to TikTok's Branded Content Policy and Music Usage \
                Confirmation.";
    assert_eq!(browser.text(".consent").await, music);
    assert_eq!(browser.text(".promotes").await, "", "nothing of it is seen");
    press(&format!("#disc-{account}")).await;
    assert!(browser.text(".promotes").await.contains(PROMOTES_NOTHING));
    press(&format!("#own-brand-{account}")).await;
    let shown = browser.text(".promotes").await;
    assert!(shown.contains(PROMOTIONAL_CONTENT) && !shown.contains(PROMOTES_NOTHING), "{shown}");
    assert_eq!(browser.text(".consent").await, music);
    press(&branded).await;
    let shown = browser.text(".promotes").await;
    assert!(shown.contains(PAID_PARTNERSHIP) && !shown.contains(PROMOTIONAL_CONTENT), "{shown}");
    assert_eq!(browser.text(".consent").await, both);
    assert!(is_disabled(&private).await, "branded content is never private");
    let focused = browser.run("return document.activeElement.id;", vec![]).await;
    assert_eq!(focused, json!(branded[1..]), "the focus stays");
    press(&branded).await;
    assert!(!is_disabled(&private).await);
    pick("SELF_ONLY").await;
    assert!(is_disabled(&branded).await);
    assert!(browser.text(".promotes").await.contains(BRANDED_IS_NOT_PRIVATE));
    pick("MUTUAL_FOLLOW_FRIENDS").await;
    assert!(!is_disabled(&branded).await);
    press(&branded).await;
    press(&format!("#allowComments-{account}")).await;

    browser.click("#go").await;
    browser.wait("the post", "return location.pathname.startsWith('/w/default/posts/');").await;
    let live = wait_for("the post to be live", async || {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        (post["targets"][0]["status"] == "published").then_some(post)
    })
    .await;
    assert_eq!(live["targets"][0]["options"]["musicUsageConfirmed"], true);
    browser.client.refresh().await.unwrap();
    assert!(browser.text("main").await.contains(SHOWN_LATER));

    // Exactly what was chosen, and the very bytes.
    let url = format!("{}/_sandbox/requests?platform=tiktok", site.networks.url());
    let requests: Value = client_of_forms().get(url).send().await.unwrap().json().await.unwrap();
    let requests = requests["data"].as_array().unwrap().iter();
    let sent: Vec<Value> = requests
        .filter(|request| request["path"].as_str().unwrap().ends_with("/video/init/"))
        .map(|request| serde_json::from_str(request["body"].as_str().unwrap()).unwrap())
        .collect();
    let want = json!({
        "title": "A foot ring #pottery", "privacy_level": "MUTUAL_FOLLOW_FRIENDS",
        "disable_comment": false, "disable_duet": true, "disable_stitch": true,
        "brand_content_toggle": true, "brand_organic_toggle": true,
    });
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["post_info"], want);
    let url = format!("{}/_sandbox/posts?platform=tiktok", site.networks.url());
    let posts: Value = client_of_forms().get(url).send().await.unwrap().json().await.unwrap();
    let media = &posts["data"][0]["media"];
    assert_eq!(media[0]["bytes"], bytes.len());
    assert_eq!(media[0]["sha256"], sha256(&bytes));
    browser.end().await;
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let output = std::process::Command::new("sha256sum").arg(file.path()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}
