//! What lists are asked for beside a status and a range, and the order of what is due.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use scheduler_core::account::Account;
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ConnectOutcome, RemoveOutcome, SaveOutcome, Store};
use scheduler_core::post::{
    Annotations, ApprovalState, AskedTiming, ListFilter, ListOrder, ListQuery, ListedState,
    PageQuery, Post, PostStatus, Window,
};
use scheduler_core::target::{Failure, FailureCode, Target};
use serde_json::{Map, json};

use crate::fixtures::{NO_LIMIT, World, account, at, begun, credentials, id, live, post, skip};

const TEXTS: [&str; 5] =
    ["Fresh cakes", "Crème brûlée, fresh!", "Tea for two", "CAKES and tea", "…"];
const LABELS: [&str; 3] = ["Winter", "summer", "Überall"];
const SEARCHES: [&[&str]; 6] =
    [&["cake"], &["fresh", "crem"], &["tea"], &["brulee"], &["nothing"], &["winter"]];

/// What a random post is made of.
#[derive(Clone, Debug)]
struct Made {
    second: i64,
    status: usize,
    accounts: (usize, usize),
    text: usize,
    caption: Option<usize>,
    labels: Vec<usize>,
    approval: Option<usize>,
    failure: Option<bool>,
    unfinished: bool,
}

fn made() -> impl Strategy<Value = Made> {
    let annotations = (
        0..TEXTS.len(),
        prop::option::of(0..TEXTS.len()),
        prop::collection::vec(0..LABELS.len(), 0..3),
    );
    let state = (prop::option::of(0_usize..3), prop::option::of(any::<bool>()), any::<bool>());
    (0_i64..20, 0_usize..5, (0_usize..4, 0_usize..4), annotations, state).prop_map(
        |(second, status, accounts, (text, caption, labels), (approval, failure, unfinished))| {
            Made { second, status, accounts, text, caption, labels, approval, failure, unfinished }
        },
    )
}

/// A list that is asked for, by the places of what it names.
#[derive(Clone, Debug)]
struct Asked {
    platforms: Vec<usize>,
    accounts: Vec<usize>,
    labels: Vec<usize>,
    state: Option<usize>,
    search: Option<usize>,
    status: Option<usize>,
    is_due: bool,
    /// Where a range begins, if there is one.
    from: Option<i64>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let sets = (
        prop::collection::vec(0_usize..3, 0..2),
        prop::collection::vec(0_usize..5, 0..3),
        prop::collection::vec(0..LABELS.len(), 0..3),
    );
    let single = (
        prop::option::weighted(0.4, 0_usize..ListedState::ALL.len()),
        prop::option::weighted(0.4, 0_usize..SEARCHES.len()),
        prop::option::weighted(0.3, 0_usize..5),
    );
    (sets, single, any::<bool>(), prop::option::of(-2_i64..15)).prop_map(
        |((platforms, accounts, labels), (state, search, status), is_due, from)| Asked {
            platforms,
            accounts,
            labels,
            state,
            search,
            status,
            is_due,
            from,
        },
    )
}

const PLATFORMS: [Platform; 3] = [Platform::Bluesky, Platform::Mastodon, Platform::Threads];

/// Two accounts of Bluesky and one of Mastodon that can be used, and two that cannot: one has to be
/// connected again, one was disconnected.
async fn accounts(world: &World) -> Vec<Account> {
    let mut accounts = Vec::new();
    for (index, platform) in [0, 0, 1, 0, 1].into_iter().map(|n| PLATFORMS[n]).enumerate() {
        let account = account(world.workspace, platform, &format!("{index}:{}", id()));
        let stored = world.store.connect_account(&account, &credentials("t"), NO_LIMIT).await;
        assert_eq!(stored.unwrap(), ConnectOutcome::Added);
        accounts.push(account);
    }
    assert!(world.store.mark_needs_reconnect(accounts[3].id, 1, None).await.unwrap());
    assert!(world.store.disconnect_account(world.workspace, accounts[2].id, at(0)).await.unwrap());
    accounts
}

fn post_of(world: &World, accounts: &[Account], made: &Made) -> Post {
    let status = PostStatus::ALL[made.status];
    let due = (status != PostStatus::Draft).then_some(at(made.second));
    let mut chosen = vec![made.accounts.0];
    chosen.extend((made.accounts.1 != made.accounts.0).then_some(made.accounts.1));
    let targets = chosen.into_iter().enumerate().map(|(position, index)| {
        let account = &accounts[index];
        let mut options = Map::new();
        if let Some(text) = made.caption {
            options.insert("caption".to_owned(), json!(TEXTS[text]));
        }
        let target = Target::new(TargetId(id()), account.platform, account.id, options, due, None);
        moved(target, status, made, position == 0)
    });
    let labels: BTreeSet<usize> = made.labels.iter().copied().collect();
    let targets: Vec<Target> = targets.collect();
    Post {
        status,
        content: TEXTS[made.text].to_owned(),
        created_at: at(made.second),
        scheduled_at: due,
        timing: if due.is_some() { AskedTiming::Instant } else { AskedTiming::Draft },
        annotations: Annotations {
            labels: labels.into_iter().map(|index| LABELS[index].to_owned()).collect(),
            ..Annotations::default()
        },
        approval_state: made.approval.map(|index| ApprovalState::ALL[index]),
        unfinished: made.unfinished && status == PostStatus::Draft,
        ..post(world.workspace, targets)
    }
}

/// A target as it is in a post of a status; the first one may have failed.
fn moved(target: Target, status: PostStatus, made: &Made, is_first: bool) -> Target {
    let failed = |target: Target, in_doubt: bool| {
        let code = if in_doubt { FailureCode::InDoubt } else { FailureCode::NetworkRefused };
        target.fail(Failure { message: "no".to_owned(), code, permanent: true }).unwrap()
    };
    let failure = made.failure.filter(|_| is_first);
    match (status, failure) {
        (PostStatus::Draft | PostStatus::Scheduled, _) => target,
        (PostStatus::Publishing, None) => {
            if is_first {
                begun(target)
            } else {
                target
            }
        }
        (PostStatus::Done, None) => live(begun(target), at(made.second)),
        (PostStatus::Publishing | PostStatus::Done | PostStatus::Canceled, Some(in_doubt)) => {
            failed(begun(target), in_doubt)
        }
        (PostStatus::Canceled, None) => {
            let mut target = target;
            skip(&mut target);
            target
        }
    }
}

async fn walk(store: &Arc<dyn Store>, mut query: ListQuery) -> Vec<Post> {
    let mut posts = Vec::new();
    loop {
        let page = store.list_posts(&query).await.unwrap();
        let Some(last) = page.last() else { return posts };
        query.page.before = query.order.place(last);
        posts.extend(page);
    }
}

/// What the rule says post by post, in its order.
fn wanted(query: &ListQuery, posts: &[Post], unusable: &BTreeSet<AccountId>) -> Vec<Post> {
    let mut want: Vec<Post> =
        posts.iter().filter(|post| query.lists(post, unusable)).cloned().collect();
    want.sort_by_key(|post| query.order.place(post));
    if query.order == ListOrder::Recent {
        want.reverse();
    }
    want
}

/// Random posts, of which some change and some go, against random lists.
pub(crate) async fn find_what_the_rule_says(store: Arc<dyn Store>) {
    let mut runner = TestRunner::new(ProptestConfig::with_cases(1));
    let strategy = prop::collection::vec((made(), made(), 0_usize..4), 12..40);
    for round in 0..4 {
        let world = World::add(store.clone(), &format!("round {round}")).await;
        let other = World::add(store.clone(), &format!("beside {round}")).await;
        let (accounts, others) = (accounts(&world).await, accounts(&other).await);
        let unusable = BTreeSet::from([accounts[3].id, accounts[2].id]);
        let mut posts = Vec::new();
        for (made, changed, fate) in strategy.new_tree(&mut runner).unwrap().current() {
            other.create(post_of(&other, &others, &made)).await;
            let post = world.create(post_of(&world, &accounts, &made)).await;
            let fate = if post.is_in_flight() { 3 } else { fate };
            if fate == 0 {
                let removed = store.remove_post(world.workspace, post.id, post.version).await;
                assert_eq!(removed.unwrap(), RemoveOutcome::Removed);
            } else if fate == 1 {
                let changed = post_of(&world, &accounts, &changed);
                let changed = Post { id: post.id, version: post.version, ..changed };
                assert_eq!(store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
                posts.push(world.read(post.id).await);
            } else {
                posts.push(post);
            }
        }
        for _ in 0..60 {
            let Asked { platforms, accounts: of, labels, state, search, status, is_due, from } =
                asked().new_tree(&mut runner).unwrap().current();
            let query = ListQuery {
                workspace_id: world.workspace,
                status: status.map(|index| PostStatus::ALL[index]),
                filter: ListFilter {
                    platforms: platforms.into_iter().map(|index| PLATFORMS[index]).collect(),
                    accounts: of.into_iter().map(|index| accounts[index].id).collect(),
                    labels: labels.iter().map(|index| LABELS[*index].to_lowercase()).collect(),
                    state: state.map(|index| ListedState::ALL[index]),
                    words: search
                        .map(|index| {
                            SEARCHES[index].iter().map(|word| (*word).to_owned()).collect()
                        })
                        .unwrap_or_default(),
                },
                window: from.map_or(Window::Since(at(10)), |from| Window::Between {
                    from: at(from),
                    to: at(from + 8),
                }),
                order: if is_due { ListOrder::Due } else { ListOrder::Recent },
                page: PageQuery { limit: 3, before: None },
            };
            let found = walk(&store, query.clone()).await;
            assert_eq!(found, wanted(&query, &posts, &unusable), "{query:?}");
        }
    }
}

/// A post goes on being found while it goes out, by what it becomes.
pub(crate) async fn follow_a_publish(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = world.due(account, at(60)).await;
    let later = world.due(account, at(90)).await;
    let query = |state, order| ListQuery {
        workspace_id: world.workspace,
        status: None,
        filter: ListFilter {
            accounts: BTreeSet::from([account]),
            state,
            words: vec!["hel".to_owned()],
            ..ListFilter::default()
        },
        window: Window::Since(at(0)),
        order,
        page: PageQuery { limit: 10, before: None },
    };
    let ids = async |state, order| {
        let found = store.list_posts(&query(state, order)).await.unwrap();
        found.iter().map(|post| post.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(None, ListOrder::Due).await, [post.id, later.id]);
    let claim = world.claim_one(at(60)).await;
    let target = world.start(&claim, at(61)).await;
    assert_eq!(ids(None, ListOrder::Due).await, [post.id, later.id], "it has not ended");
    let failure =
        Failure { message: "no".to_owned(), code: FailureCode::InDoubt, permanent: false };
    let failed = target.fail(failure).unwrap();
    let after = scheduler_core::ports::WorkAfter::Done;
    store.record_publish(&claim, &failed, None, after, at(62)).await.unwrap();
    assert_eq!(ids(None, ListOrder::Due).await, [later.id]);
    assert_eq!(ids(Some(ListedState::InDoubt), ListOrder::Recent).await, [post.id]);
    assert_eq!(ids(Some(ListedState::Failed), ListOrder::Recent).await, []);
    let retried = scheduler_core::post::decide::retry(&world.read(post.id).await, at(95)).unwrap();
    assert_eq!(store.save_post(&retried, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(ids(Some(ListedState::InDoubt), ListOrder::Recent).await, []);
    assert_eq!(ids(None, ListOrder::Due).await, [later.id, post.id]);
    let claim = world.claim_one(at(96)).await;
    let target = world.target(&claim).await;
    assert_eq!(target.account_id, account);
    world.publish(&claim, at(97)).await;
    let recent = ids(None, ListOrder::Recent).await;
    assert_eq!(recent.len(), 2, "each once");
}

/// A draft may have no target, and is read and found like others.
pub(crate) async fn find_drafts_without_targets(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let key = crate::fixtures::idempotency_key("alone-1234");
    let draft = Post {
        unfinished: true,
        idempotency_key: Some(key),
        annotations: Annotations { note: Some("Later".to_owned()), ..Annotations::default() },
        ..post(world.workspace, Vec::new())
    };
    let draft = world.create(draft).await;
    assert_eq!(world.read(draft.id).await, draft);
    let by_key = store.post_by_key(world.workspace, "alone-1234").await.unwrap();
    assert_eq!(by_key.as_ref(), Some(&draft));
    let query = ListQuery {
        workspace_id: world.workspace,
        status: Some(PostStatus::Draft),
        filter: ListFilter {
            state: Some(ListedState::Unfinished),
            words: vec!["lat".to_owned()],
            ..ListFilter::default()
        },
        window: Window::Since(at(0)),
        order: ListOrder::Recent,
        page: PageQuery { limit: 10, before: None },
    };
    assert_eq!(store.list_posts(&query).await.unwrap(), std::slice::from_ref(&draft));
    let removed = store.remove_post(world.workspace, draft.id, draft.version).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Removed);
    assert_eq!(store.list_posts(&query).await.unwrap(), []);
}
