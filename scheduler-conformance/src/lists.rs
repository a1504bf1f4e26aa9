use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use scheduler_core::cursor::Cursor;
use scheduler_core::ids::PostId;
use scheduler_core::ports::Store;
use scheduler_core::post::{ListFilter, ListOrder, ListQuery, PageQuery, Post, PostStatus, Window};

use crate::fixtures::{World, at, begun, id, live, post, skip, target};

fn query(world: &World, window: Window, limit: u32) -> ListQuery {
    ListQuery {
        workspace_id: world.workspace,
        status: None,
        filter: ListFilter::default(),
        window,
        order: ListOrder::Recent,
        page: PageQuery { limit, before: None },
    }
}

/// Every post in the order of the pages, and how many pages there were.
async fn walk(store: &Arc<dyn Store>, mut query: ListQuery) -> (Vec<Post>, usize) {
    let (mut posts, mut pages) = (Vec::new(), 0);
    loop {
        let page = store.list_posts(&query).await.unwrap();
        let Some(last) = page.last() else { return (posts, pages) };
        query.page.before = Some(Cursor::of(last));
        pages += 1;
        posts.extend(page);
    }
}

/// A post of a status whose moment is `moment`.
async fn of(world: &World, status: PostStatus, went_out: bool, moment: DateTime<Utc>) -> Post {
    let account = world.account().await.id;
    let is_draft = status == PostStatus::Draft;
    let waits = target(account, (!is_draft).then_some(moment));
    let target = match status {
        PostStatus::Draft | PostStatus::Scheduled => waits,
        PostStatus::Publishing => begun(waits),
        PostStatus::Done => live(begun(waits), moment),
        PostStatus::Canceled => {
            let mut target = if went_out { live(begun(waits), moment) } else { waits };
            skip(&mut target);
            target
        }
    };
    let post = Post {
        status,
        created_at: moment,
        scheduled_at: (!is_draft).then_some(moment),
        ..post(world.workspace, vec![target])
    };
    assert_eq!(post.sort_at(), moment);
    world.create(post).await
}

pub(crate) async fn show_what_each_window_and_status_ask_for(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mut posts = Vec::new();
    for second in [-50, -10, 0, 10, 20, 30] {
        for status in PostStatus::ALL {
            posts.push(of(&world, status, status == PostStatus::Done, at(second)).await);
        }
        posts.push(of(&world, PostStatus::Canceled, true, at(second)).await);
        of(&other, PostStatus::Done, true, at(second)).await;
    }
    let windows = [
        ("since", Window::Since(at(0))),
        ("since long ago", Window::Since(at(-1_000))),
        ("since the future", Window::Since(at(1_000))),
        ("between", Window::Between { from: at(-10), to: at(20) }),
        ("between nothing", Window::Between { from: at(11), to: at(20) }),
    ];
    let statuses = PostStatus::ALL.map(Some).into_iter().chain([None]);
    for (status, (name, window)) in
        statuses.flat_map(|status| windows.map(|window| (status, window)))
    {
        let mut want: Vec<&Post> = posts
            .iter()
            .filter(|post| status.is_none_or(|status| post.status == status))
            .filter(|post| is_in(window, status, post))
            .collect();
        want.sort_by_key(|post| std::cmp::Reverse((post.sort_at(), post.id)));
        let want: Vec<Post> = want.into_iter().cloned().collect();
        for limit in [1, 3, 100] {
            let query = ListQuery { status, ..query(&world, window, limit) };
            let (found, pages) = walk(&store, query).await;
            assert_eq!(found, want, "{name}, {status:?}, pages of {limit}");
            let full = want.len().div_ceil(usize::try_from(limit).unwrap());
            assert_eq!(pages, full, "{name}, {status:?}: no page is short of posts");
        }
    }
}

/// The rule by its words, post by post.
fn is_in(window: Window, status: Option<PostStatus>, post: &Post) -> bool {
    let went_out = post.targets.iter().any(|target| target.published_at().is_some());
    match window {
        Window::Since(since) => {
            post.sort_at() >= since
                || post.status == PostStatus::Draft
                || post.status == PostStatus::Scheduled
                || post.status == PostStatus::Publishing
        }
        Window::Between { from, to } => {
            let is_canceled = post.status == PostStatus::Canceled;
            from <= post.sort_at()
                && post.sort_at() < to
                && post.status != PostStatus::Draft
                && (!is_canceled || went_out || status == Some(PostStatus::Canceled))
        }
    }
}

pub(crate) async fn put_the_greater_id_first_at_one_moment(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for _ in 0..9 {
        of(&world, PostStatus::Scheduled, false, at(0)).await;
    }
    let (posts, _) = walk(&store, query(&world, Window::Since(at(0)), 2)).await;
    let ids: Vec<PostId> = posts.iter().map(|post| post.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable_by(|left, right| right.cmp(left));
    sorted.dedup();
    assert_eq!(ids, sorted);
    assert_eq!(ids.len(), 9);
}

pub(crate) async fn stay_as_they_are_while_posts_are_created(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut want = Vec::new();
    for second in 0..30 {
        want.push(of(&world, PostStatus::Done, true, at(second)).await.id);
    }
    want.reverse();
    let mut seen = Vec::new();
    let mut query = query(&world, Window::Since(at(-1_000)), 4);
    loop {
        let page = store.list_posts(&query).await.unwrap();
        let Some(last) = page.last() else { break };
        query.page.before = Some(Cursor::of(last));
        seen.extend(page.iter().map(|post| post.id));
        // Before the page, on its last moment, and after it.
        for moment in [at(500), last.sort_at()] {
            let new = of(&world, PostStatus::Scheduled, false, moment).await;
            assert!((moment, new.id) > (last.sort_at(), last.id));
        }
    }
    assert_eq!(seen, want, "each once, none passed over");
}

pub(crate) async fn follow_the_moment_of_a_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = world.due(account, at(60)).await;
    of(&world, PostStatus::Done, true, at(70)).await;
    let first = async || {
        let page = store.list_posts(&query(&world, Window::Since(at(0)), 1)).await.unwrap();
        page[0].id
    };
    assert_ne!(first().await, post.id);
    let claim = world.claim_one(at(80)).await;
    world.publish(&claim, at(80)).await;
    assert_eq!(first().await, post.id, "it went out last");
    assert_eq!(world.read(post.id).await.sort_at(), at(80));
}

/// Posts of random moments and statuses: walking the pages meets each once, in order.
pub(crate) async fn are_walked_completely(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(12));
    let strategy = (
        prop::collection::vec((0_i64..20, 0_usize..5), 0..40),
        1_u32..12,
        -5_i64..25,
        prop::option::of(0_usize..5),
    );
    for number in 0..12 {
        let (made, limit, since, status) = strategy.new_tree(&mut runner).unwrap().current();
        let world = World::add(world.store.clone(), &format!("random {number}")).await;
        let status = status.map(|index| PostStatus::ALL[index]);
        let mut want = BTreeSet::new();
        for (second, index) in made {
            let post_status = PostStatus::ALL[index];
            let post = Post {
                id: PostId(id()),
                status: post_status,
                created_at: at(second),
                ..post(world.workspace, vec![target(account, None)])
            };
            let is_open = !matches!(post_status, PostStatus::Done | PostStatus::Canceled);
            if (second >= since || is_open) && status.is_none_or(|status| status == post_status) {
                want.insert((post.sort_at(), post.id));
            }
            world.create(post).await;
        }
        let query = ListQuery { status, ..query(&world, Window::Since(at(since)), limit) };
        let (found, _) = walk(&store, query).await;
        let found: Vec<_> = found.iter().map(|post| (post.sort_at(), post.id)).collect();
        assert_eq!(found, want.into_iter().rev().collect::<Vec<_>>());
    }
}
