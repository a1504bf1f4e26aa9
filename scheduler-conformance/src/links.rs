use std::sync::Arc;

use chrono::{Days, NaiveDate};
use futures_util::future::join_all;
use scheduler_core::links::{Clicks, DayClicks, LinkChange, LinkRules, ShortLink, Utm};
use scheduler_core::ports::{CreateOutcome, SaveOutcome, Store};
use scheduler_core::post::Post;

use crate::fixtures::{NO_LIMIT, World, at, post, target};

fn change(code: &str, destination: &str) -> LinkChange {
    LinkChange {
        written: "https://e.com/ü".to_owned(),
        sent: format!("https://go.example/l/{code}"),
        leads_to: Some(destination.to_owned()),
    }
}

/// A draft with one target that has these links.
async fn with_links(world: &World, links: Vec<LinkChange>) -> Post {
    let mut target = target(world.account().await.id, None);
    target.links = links;
    post(world.workspace, vec![target])
}

async fn codes(world: &World, before: Option<ShortLink>, limit: u32) -> Vec<String> {
    let links = world.store.short_links(world.workspace, before, limit).await.unwrap();
    links.into_iter().map(|link| link.code).collect()
}

fn day(number: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 12, 1).unwrap() + Days::new(number)
}

pub(crate) async fn are_kept_with_their_posts(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let long = LinkChange {
        written: "https://e.com/2".to_owned(),
        sent: "https://e.com/2?utm_source='x'".to_owned(),
        leads_to: None,
    };
    let links = vec![change("aB3", "https://e.com/ü?a='b'"), long];
    let mut one = with_links(&world, links.clone()).await;
    let utm = Utm { source: Some("{network}".to_owned()), ..Utm::default() };
    one.links = Some(LinkRules { tag: true, utm, ..LinkRules::default() });
    assert_eq!(store.create_post(&one, NO_LIMIT).await.unwrap(), CreateOutcome::Created);
    let kept = store.post(world.workspace, one.id).await.unwrap().unwrap();
    assert_eq!((&kept.links, &kept.targets[0].links), (&one.links, &links));
    let link = store.short_link("aB3").await.unwrap().unwrap();
    assert_eq!((&*link.destination, link.workspace_id), ("https://e.com/ü?a='b'", world.workspace));
    assert_eq!(link.created_at, one.updated_at);
    assert_eq!(store.short_link("ab3").await.unwrap(), None, "capitals count");

    // A save keeps what is new, and what was there stays with its time.
    let mut changed = Post { updated_at: at(60), ..kept };
    changed.targets[0].links.push(change("aC3", "https://f.com/"));
    assert_eq!(store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(store.short_link("aB3").await.unwrap(), Some(link));
    assert_eq!(store.short_link("aC3").await.unwrap().unwrap().created_at, at(60));
    changed.version += 1;
    (changed.links, changed.targets[0].links) = (None, Vec::new());
    assert_eq!(store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    let kept = store.post(world.workspace, one.id).await.unwrap().unwrap();
    assert_eq!((kept.links, kept.targets[0].links.len()), (None, 0));
    store.remove_post(world.workspace, one.id, changed.version + 1).await.unwrap();
    assert!(store.short_link("aB3").await.unwrap().is_some(), "they outlive their post");
}

pub(crate) async fn never_lead_elsewhere(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let first = with_links(&world, vec![change("a", "https://e.com/")]).await;
    assert_eq!(store.create_post(&first, NO_LIMIT).await.unwrap(), CreateOutcome::Created);
    let again = with_links(&world, vec![change("a", "https://e.com/")]).await;
    assert_eq!(store.create_post(&again, NO_LIMIT).await.unwrap(), CreateOutcome::Created);
    let elsewhere =
        with_links(&world, vec![change("b", "https://e.com/"), change("a", "https://f.com/")])
            .await;
    assert!(store.create_post(&elsewhere, NO_LIMIT).await.is_err());
    assert_eq!(store.post(world.workspace, elsewhere.id).await.unwrap(), None, "nothing is stored");
    assert_eq!(store.short_link("b").await.unwrap(), None);
    let theirs = with_links(&other, vec![change("a", "https://e.com/")]).await;
    assert!(store.create_post(&theirs, NO_LIMIT).await.is_err(), "another workspace's");
    let mut saved = store.post(world.workspace, first.id).await.unwrap().unwrap();
    saved.targets[0].links = vec![change("a", "https://f.com/")];
    assert!(store.save_post(&saved, NO_LIMIT).await.is_err());
    let link = store.short_link("a").await.unwrap().unwrap();
    assert_eq!((&*link.destination, link.workspace_id), ("https://e.com/", world.workspace));
}

pub(crate) async fn are_listed_newest_first(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for (seconds, code) in [(1, "b"), (2, "Z"), (2, "a"), (3, "c")] {
        let one = with_links(&world, vec![change(code, "https://e.com/")]).await;
        let one = Post { updated_at: at(seconds), ..one };
        store.create_post(&one, NO_LIMIT).await.unwrap();
    }
    let theirs = with_links(&other, vec![change("t", "https://e.com/")]).await;
    store.create_post(&theirs, NO_LIMIT).await.unwrap();
    assert_eq!(codes(&world, None, 9).await, ["c", "a", "Z", "b"]);
    assert_eq!(codes(&world, None, 2).await, ["c", "a"]);
    let last = store.short_link("a").await.unwrap();
    assert_eq!(codes(&world, last, 2).await, ["Z", "b"]);
    assert_eq!(codes(&other, None, 9).await, ["t"]);
}

pub(crate) async fn count_clicks_by_day(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let one =
        with_links(&world, vec![change("a", "https://e.com/"), change("b", "https://f.com/")])
            .await;
    store.create_post(&one, NO_LIMIT).await.unwrap();
    for (code, number) in [("a", 0), ("a", 2), ("a", 2), ("a", 5), ("none", 2)] {
        store.count_click(code, day(number)).await.unwrap();
    }
    let codes = ["b", "a", "none"].map(str::to_owned);
    let clicks = store.clicks(&codes, day(2)).await.unwrap();
    let days = [(5, 1), (2, 2)].map(|(number, clicks)| DayClicks { day: day(number), clicks });
    let nothing = Clicks::default();
    assert_eq!(clicks, [nothing.clone(), Clicks { total: 4, days: days.to_vec() }, nothing]);
    assert_eq!(store.clicks(&[], day(0)).await.unwrap(), []);
}

pub(crate) async fn followed_at_once_are_all_counted(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let one = with_links(&world, vec![change("a", "https://e.com/")]).await;
    store.create_post(&one, NO_LIMIT).await.unwrap();
    let counted = (0..32).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.count_click("a", day(0)).await.unwrap() })
    });
    join_all(counted).await.into_iter().for_each(Result::unwrap);
    let clicks = store.clicks(&["a".to_owned()], day(0)).await.unwrap();
    assert_eq!(clicks[0].total, 32);
}
