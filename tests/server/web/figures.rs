//! Analytics: charts with the same numbers in their tables, posts, best times, and files of them.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, TimeDelta, Utc, Weekday};
use http::header::{CONTENT_TYPE, COOKIE};
use scheduler_core::account::Account;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::platform::{Metric, Platform};
use scheduler_core::ports::{ClaimRequest, Figures, Ids as _, Place, Store, WorkAfter};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::reading::Reading;
use scheduler_core::target::{Remote, Target};
use scheduler_store::{Database, SealingKey};
use scheduler_worker::UuidV7;
use serde_json::{Map, Value, json};

use super::Site;
use super::accessible::look;
use super::browser::{Browser, Like};
use super::doors::signed_in;
use crate::support::client_of_forms;

/// A post that went live, and the hours after that at which figures were read of it.
struct Live<'a> {
    account: &'a Account,
    content: String,
    at: DateTime<Utc>,
    readings: Vec<(i64, Metric, u32)>,
}

impl Live<'_> {
    async fn store(&self, store: &dyn Store) {
        let Self { account, at, .. } = self;
        let id = TargetId(UuidV7.next(*at));
        let target = Target::new(id, account.platform, account.id, Map::new(), Some(*at), None);
        let post = Post {
            status: PostStatus::Scheduled,
            content: self.content.clone(),
            scheduled_at: Some(*at),
            version: 1,
            targets: vec![target],
            ..Post::new(PostId(UuidV7.next(*at)), account.workspace_id, *at)
        };
        store.create_post(&post, u64::MAX).await.unwrap();
        let request = ClaimRequest::new(*at, *at + TimeDelta::minutes(1), 1, 1);
        let claim = store.claim(&request.without([Place::Read])).await.unwrap().remove(0);
        let context = store.publish_context(&claim).await.unwrap().unwrap();
        let begun = context.target().cloned().unwrap().start().unwrap();
        let held = WorkAfter::Held(*at + TimeDelta::minutes(1));
        store.record_publish(&claim, &begun, None, held, *at).await.unwrap();
        let live = begun.succeed(*at, Some(Remote::new(id.to_string(), None)), None).unwrap();
        store.record_publish(&claim, &live, None, WorkAfter::Done, *at).await.unwrap();
        for (hours, metric, value) in &self.readings {
            let figures = Figures(BTreeMap::from([(*metric, f64::from(*value))]));
            let reading = Reading { at: *at + TimeDelta::hours(*hours), figures };
            store.add_reading(id, &reading, &[]).await.unwrap();
        }
    }
}

pub(super) fn now() -> DateTime<Utc> {
    #[expect(clippy::disallowed_methods, reason = "the server goes by the clock of the machine")]
    DateTime::<Utc>::from(std::time::SystemTime::now())
}

/// Tuesday evenings of 22 weeks, Wednesday mornings of 9, and videos of every third day.
async fn fill(store: &dyn Store) {
    let workspace = store.workspaces().await.unwrap().remove(0);
    let accounts = store.accounts(workspace.id).await.unwrap();
    let on = |platform| accounts.iter().find(|account| account.platform == platform).unwrap();
    let at = |days: i64, hour: u32| {
        let day = (now() - TimeDelta::days(days)).date_naive();
        day.and_hms_opt(hour, 30, 0).unwrap().and_utc()
    };
    let last = |weekday: Weekday| (3..10).find(|days| at(*days, 0).weekday() == weekday).unwrap();
    let account = on(Platform::Mastodon);
    for week in (0..22).rev() {
        let at = at(last(Weekday::Tue) + week * 7, 19);
        let likes = 100 + u32::try_from(week).unwrap();
        let readings =
            vec![(1, Metric::Likes, 7), (24, Metric::Likes, likes), (30, Metric::Likes, likes + 5)];
        Live { account, content: format!("=Evening {week}"), at, readings }.store(store).await;
    }
    for week in (0..9).rev() {
        let at = at(last(Weekday::Wed) + week * 7, 7);
        let content = "Morning".to_owned();
        Live { account, content, at, readings: vec![(24, Metric::Likes, 900)] }.store(store).await;
    }
    let account = on(Platform::Youtube);
    for days in (1..120).rev().map(|third| third * 3) {
        let views = 1_000 + u32::try_from(days).unwrap() * 13;
        let readings =
            vec![(1, Metric::Views, 300), (24, Metric::Views, views), (48, Metric::Likes, 4)];
        Live { account, content: "A video".to_owned(), at: at(days, 12), readings }
            .store(store)
            .await;
    }
}

/// A server that only answers, on a workspace that has posted for a year.
async fn filled() -> Site {
    let Site { service, setup, networks, _folder } = Site::start().await;
    let first_key = service.first_key.clone();
    assert_eq!(service.stop(), Some(0));
    let key = SealingKey::load_or_create_file(&setup.data.join("secret.key")).unwrap();
    let url = format!("sqlite:{}", setup.data.join("scheduler.db").display());
    let database = Database::open(&url, &key).await.unwrap();
    fill(&*database.store()).await;
    drop(database);
    let mut service = setup.serve_with(&[("SCHEDULER_ROLE", "api")]);
    service.first_key = first_key;
    Site { service, setup, networks, _folder }
}

/// What a chart shows: the marks of its axis and the points of its lines, and its table.
const CHARTS: &str = "return [...document.querySelectorAll('figure')].map((figure) => ({
    axis: [...figure.querySelectorAll('.gl')].map((line) => [
        Number(/^M\\S+ ([\\d.]+)/.exec(line.getAttribute('d'))[1]), line.nextElementSibling.textContent]),
    lines: [...figure.querySelectorAll('.l1, .l2, .l3, .l4')].map((line) =>
        line.getAttribute('d').split(/[ML]/).slice(1).map((point) => Number(point.split(' ')[1]))),
    names: [...figure.querySelectorAll('.k1, .k2, .k3, .k4')].map((name) => name.textContent),
    heads: [...figure.querySelectorAll('thead th')].slice(1).map((head) => head.textContent),
    rows: [...figure.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    marks: [...figure.querySelectorAll('.br + text')].map((mark) => mark.textContent),
    caption: figure.querySelector('figcaption').textContent,
}));";

fn number(text: &str) -> f64 {
    text.replace('\u{202f}', "").replace('−', "-").parse().unwrap()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Holds the lines of each chart against its table.
fn hold(charts: &Value, page: &str) {
    let charts = charts.as_array().unwrap();
    assert!(!charts.is_empty(), "{page}");
    for chart in charts {
        let axis: Vec<(f64, f64)> = chart["axis"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mark| (mark[0].as_f64().unwrap(), number(mark[1].as_str().unwrap())))
            .collect();
        let ((bottom, low), (top, high)) = (axis[0], axis[axis.len() - 1]);
        assert_eq!(low, 0.0, "the axis begins at nothing");
        let (lines, rows) = (chart["lines"].as_array().unwrap(), chart["rows"].as_array().unwrap());
        assert_eq!(strings(&chart["names"]), strings(&chart["heads"]));
        assert_eq!(lines.len(), strings(&chart["heads"]).len());
        for (column, line) in lines.iter().enumerate() {
            let line = line.as_array().unwrap();
            assert_eq!(line.len(), rows.len());
            for (y, row) in line.iter().zip(rows) {
                let drawn = (bottom - y.as_f64().unwrap()) / (bottom - top) * high;
                let told = number(row[column].as_str().unwrap());
                assert!((drawn - told).abs() <= high / 1_000.0, "{drawn} is drawn, {told} told");
            }
        }
        assert!(chart["caption"].as_str().unwrap().contains(" gained: "));
    }
}

pub(super) async fn got(site: &Site, cookie: &str, path: &str) -> (u16, String, String) {
    let request = client_of_forms().get(site.at(path)).header(COOKIE, cookie);
    let answer = request.send().await.unwrap();
    let kind = answer.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
    (answer.status().as_u16(), kind, answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_without_posts_is_told_when_figures_come() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "reader").await;
    let (status, _, text) = got(&site, &cookie, "figures").await;
    assert_eq!(status, 200);
    assert!(text.contains("No figures yet. They are read from an hour after the first post."));
    assert!(!text.contains("<svg class=\"chart\"") && text.contains(">Analytics</span>"));
    let (_, _, text) = got(&site, &cookie, "figures/posts").await;
    assert!(text.contains("No post with figures went out in these days."));
    let (_, _, text) = got(&site, &cookie, "figures/times").await;
    assert!(text.contains("Too few posts to tell."));
    for wrong in ["figures?days=30", "figures?measure=worth", "figures/posts?order=up"] {
        let (status, kind, _) = got(&site, &cookie, wrong).await;
        assert_eq!((status, kind.as_str()), (400, "text/html; charset=utf-8"), "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chart_is_drawn_from_the_numbers_of_its_table() {
    let site = filled().await;
    let Some(browser) = Browser::start(Like::default()).await else { return };
    browser.open(&site.link("reader")).await;
    browser.follow("button.go").await;
    browser.open(&site.at("calendar")).await;
    browser.client.active_element().await.unwrap().send_keys("gf").await.unwrap();
    let is_there =
        "return location.pathname.endsWith('/figures') && document.readyState === 'complete';";
    browser.wait("the key leads there", is_there).await;
    for (query, lines, rows) in [
        ("", 2, 28),
        ("?days=7&measure=likes", 2, 7),
        ("?days=90&measure=views", 1, 90),
        ("?days=365&measure=views", 1, 52),
    ] {
        browser.open(&site.at(&format!("figures{query}"))).await;
        let charts = browser.run(CHARTS, vec![]).await;
        hold(&charts, &browser.text("main").await);
        assert_eq!(charts[0]["lines"].as_array().unwrap().len(), lines, "{query}");
        assert_eq!(charts[0]["rows"].as_array().unwrap().len(), rows, "{query}");
        let total: f64 = charts[0]["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| number(row[0].as_str().unwrap()))
            .sum();
        let tile = number(&browser.text(".tile p").await);
        assert_eq!(total, tile, "{query}");
        // The day from which YouTube counts views in another way.
        let days = if query.contains("365") {
            365
        } else if query.contains("90") {
            90
        } else {
            28
        };
        let changed: DateTime<Utc> = "2026-08-27T00:00:00Z".parse().unwrap();
        let today = now().date_naive().and_hms_opt(0, 0, 0).unwrap().and_utc();
        let is_within = query.contains("views")
            && today >= changed
            && today - TimeDelta::days(days - 1) < changed;
        let marks = strings(&charts[0]["marks"]);
        let want = ["27 Aug: YouTube counts a view at the start"];
        assert_eq!(marks, want[..usize::from(is_within)], "{query}");
        let tile = browser.text(".tile small").await;
        let is_compared = !tile.starts_with("Not comparable");
        assert!(!is_within || !is_compared, "{query}: {tile}");
        assert!(is_compared || !tile.contains('%'), "{tile}");
    }
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn best_times_are_filled_with_twenty_posts_and_tables_are_files() {
    let site = filled().await;
    let cookie = signed_in(&site, "reader").await;
    let accounts = site.service.api().get("/oauth/accounts").await;
    let accounts = accounts["data"].as_array().unwrap();
    let of = |platform: &str| {
        let found = accounts.iter().find(|account| account["platform"] == platform).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let mastodon = of("mastodon");

    let times = format!("figures/times?account={mastodon}&measure=likes");
    let (status, _, text) = got(&site, &cookie, &times).await;
    assert_eq!(status, 200);
    let cells: Vec<&str> =
        text.split("<td").skip(1).map(|cell| cell.split("</td>").next().unwrap()).collect();
    assert_eq!(cells.len(), 28);
    let mut filled = 0;
    for cell in &cells {
        let count: usize = cell.rsplit("n ").next().unwrap().parse().unwrap();
        let is_filled = cell.contains("class=") || cell.contains("<b>");
        assert_eq!(is_filled, count >= 20, "{cell}");
        filled += usize::from(is_filled);
    }
    assert_eq!(filled, 1);
    assert!(
        text.contains(
            "<strong>Tuesday 18–22</strong>: median 110.5 likes in the first day, n = 22."
        )
    );
    assert!(cells.iter().any(|cell| cell.ends_with("n 9")), "{cells:?}");
    let (_, _, text) =
        got(&site, &cookie, &format!("figures/times?account={}", of("youtube"))).await;
    assert!(text.contains("Too few posts to tell. "), "18 at most of a weekday in a year");

    let month = format!("figures?days=28&measure=likes&account={mastodon}&format=csv");
    let (_, kind, text) = got(&site, &cookie, &month).await;
    assert_eq!(kind, "text/csv; charset=utf-8");
    assert_eq!(text.lines().count(), 29);
    let posts =
        format!("figures/posts?days=365&account={mastodon}&sort=likes&format=csv&network=mastodon");
    let (_, _, text) = got(&site, &cookie, &posts).await;
    assert_eq!(text.lines().count(), 1 + 22 + 9);
    assert!(text.lines().nth(1).unwrap().contains(",Morning,"), "900 likes are the most");
    assert!(text.contains(",'=Evening 3,") && !text.contains(",=Evening"), "no formula");
    let (_, _, text) = got(&site, &cookie, &format!("{times}&format=csv")).await;
    assert_eq!(text.lines().count(), 29);
    assert!(text.contains("Tuesday,18,22,22,110.5\r\n"));

    let (_, _, text) = got(&site, &cookie, "figures/posts?days=90&sort=likes&order=asc").await;
    assert!(
        text.contains("format=csv&#38;network=mastodon&#38;sort=likes&#38;order=asc"),
        "the file is in the order of the page"
    );
    assert!(text.contains("aria-sort=\"ascending\"") && text.contains("Posts on YouTube"));
    let (up, down) = (text.find("=Evening 0").unwrap(), text.find("=Evening 9").unwrap());
    assert!(up < down, "fewer likes come first");
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_what_is_filled() {
    let site = filled().await;
    for is_dark in [false, true] {
        let like = Like { is_dark, ..Like::default() };
        let Some(browser) = Browser::start(like).await else { return };
        browser.open(&site.link("reader")).await;
        browser.follow("button.go").await;
        for page in
            ["figures?measure=likes", "figures/posts?days=365", "figures/times?measure=likes"]
        {
            look(&browser, &site.at(page), page, is_dark).await;
        }
        assert_eq!(
            browser.run("return document.querySelectorAll('[style]').length;", vec![]).await,
            json!(0)
        );
        browser.end().await;
    }
}
