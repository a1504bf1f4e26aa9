//! A hundred callers at one below an allowance: one of them succeeds.

use std::sync::Arc;

use chrono::{DurationRound as _, TimeDelta, Timelike as _};
use futures_util::future::join_all;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Clock as _, ConnectInput};
use scheduler_core::post::Month;
use serde_json::{Value, json};

use crate::shapes::{ACCOUNTS, MEDIA_LIST, POST, POST_PAGE, SINGLE};
use crate::world::{Reply, Tenant, World, text};

const CALLERS: usize = 100;

/// Sends the same body that often at the same time.
async fn all_at_once(tenant: &Tenant, path: &str, body: impl Fn(usize) -> Value) -> Vec<Reply> {
    let calls = (0..CALLERS).map(|number| {
        let (tenant, path, body) = (tenant.clone(), path.to_owned(), body(number));
        tokio::spawn(async move { tenant.post(&path, &body).await })
    });
    join_all(calls).await.into_iter().map(Result::unwrap).collect()
}

/// One reply succeeded, the others were refused with this code and limit.
fn only_one(replies: Vec<Reply>, status: u16, code: &str, limit: u64, upgrade: &str) {
    let (ok, refused): (Vec<Reply>, Vec<Reply>) =
        replies.into_iter().partition(|reply| reply.answer.status == status);
    assert_eq!((ok.len(), refused.len()), (1, CALLERS - 1));
    for reply in refused {
        let error = reply.refused(402, code);
        assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(limit), &json!(upgrade)));
    }
}

async fn used(world: &World, tenant: &Tenant) -> (u64, u64) {
    let month = Month::of(world.clock.now());
    let store = &world.scheduler.ports().store;
    let posts = store.posts_in_month(tenant.workspace.id, month).await.unwrap();
    (posts, store.bytes_in_month(tenant.workspace.id, month).await.unwrap())
}

async fn posts_of_a_month(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Free).await;
    tenant.connect(Platform::Bluesky, "a").await;
    let body = |number: usize| {
        json!({
            "content": format!("post {number}"),
            "queue": true,
            "targets": [{"platform": "bluesky"}],
        })
    };
    tenant.new_post(&body(CALLERS)).await;
    let replies = all_at_once(&tenant, "/posts", body).await;
    only_one(replies, 201, "post_limit", 2, "pro");
    let all = tenant.get("/posts?limit=500").await.ok(200, &POST_PAGE);
    assert_eq!(all["data"].as_array().unwrap().len(), 2, "nothing is half written");
    assert_eq!(used(&world, &tenant).await.0, 2);
    // Neither does a refused post keep a slot: the next takes the third that there is.
    world.scheduler.set_plan(&tenant.workspace, Plan::Pro).await.unwrap();
    world.clock.advance(TimeDelta::seconds(1));
    let third = tenant.new_post(&body(0)).await;
    let hour = world.clock.now().duration_trunc(TimeDelta::hours(1)).unwrap();
    let hours = (1..).map(|hours| hour + TimeDelta::hours(hours));
    let mut slots = hours.filter(|hour| [9, 13, 18].contains(&hour.hour()));
    assert_eq!(third["scheduledAt"], json!(slots.nth(2)));
}

/// Drafts that are given a time are counted as new posts are.
async fn drafts_given_a_time(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Free).await;
    tenant.connect(Platform::Bluesky, "a").await;
    tenant.post_to(Platform::Bluesky, "first", json!({"publishNow": true})).await;
    let mut drafts = Vec::new();
    for number in 0..CALLERS {
        let draft = json!({"saveAsDraft": true});
        let draft = tenant.post_to(Platform::Bluesky, &format!("{number}"), draft).await;
        drafts.push(format!("/posts/{}", text(&draft["id"])));
    }
    let calls = drafts.into_iter().map(|path| {
        let tenant = tenant.clone();
        tokio::spawn(async move { tenant.patch(&path, &json!({"publishNow": true})).await })
    });
    let replies: Vec<Reply> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    only_one(replies, 200, "post_limit", 2, "pro");
    let drafts = tenant.get("/posts?status=draft&limit=500").await.ok(200, &POST_PAGE);
    assert_eq!(drafts["data"].as_array().unwrap().len(), CALLERS - 1);
    assert_eq!(used(&world, &tenant).await.0, 2);
}

async fn bytes_of_a_month(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Free).await;
    let body = |bytes: u64| json!({"kind": "image", "sizeBytes": bytes});
    tenant.post("/media", &body(600)).await.ok(201, &SINGLE);
    // The limit on uploads a minute comes before the plan's, so the callers are as many as it lets
    // through.
    let calls = (0..59).map(|_| {
        let tenant = tenant.clone();
        tokio::spawn(async move { tenant.post("/media", &body(400)).await })
    });
    let replies: Vec<Reply> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    let (ok, refused): (Vec<Reply>, Vec<Reply>) =
        replies.into_iter().partition(|reply| reply.answer.status == 201);
    assert_eq!((ok.len(), refused.len()), (1, 58));
    for reply in refused {
        let error = reply.refused(402, "upload_limit");
        assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(1_000), &json!("pro")));
    }
    let listed = tenant.get("/media?limit=200").await.ok(200, &MEDIA_LIST);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2, "nothing is half written");
    assert_eq!(used(&world, &tenant).await.1, 1_000);
}

async fn channels(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Free).await;
    tenant.connect(Platform::Bluesky, "first").await;
    let calls = (0..CALLERS).map(|number| {
        let tenant = tenant.clone();
        tokio::spawn(async move {
            let name = format!("name {number}");
            let input = ConnectInput([("name".to_owned(), name)].into());
            let scheduler = &tenant.world.scheduler;
            scheduler.connect_account(&tenant.workspace, Platform::Mastodon, &input).await
        })
    });
    let outcomes: Vec<_> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes {
        let Err(error) = outcome else { continue };
        let scheduler_core::error::AppError::Refused(refusal) = error else {
            panic!("{error:?}");
        };
        assert_eq!(refusal.code, scheduler_core::error::ErrorCode::ChannelLimit);
        let upgrade = Some(scheduler_core::plan::Plan::Pro);
        assert_eq!((refusal.limit(), refusal.upgrade_to()), (Some(2), upgrade));
    }
    let listed = tenant.get("/oauth/accounts").await.ok(200, &ACCOUNTS);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
}

async fn captions_of_a_month(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Pro).await;
    let body = |_: usize| json!({"content": "x", "platforms": ["bluesky"]});
    for _ in 0..2 {
        world.assistant.will(Ok(json!({"bluesky": "y"}).to_string()));
    }
    tenant.post("/ai/captions", &body(0)).await.ok(200, &crate::shapes::CAPTIONS);
    let replies = all_at_once(&tenant, "/ai/captions", body).await;
    only_one(replies, 200, "ai_limit", 2, "studio");
}

/// A post whose account is paused by its time fails and says so; once the plan covers it again, it
/// goes out.
async fn paused_at_its_time(world: Arc<World>) {
    let tenant = world.tenant().await;
    for platform in [Platform::Bluesky, Platform::Telegram, Platform::Mastodon] {
        tenant.connect(platform, "a").await;
    }
    let post = tenant.post_to(Platform::Mastodon, "x", json!({"publishNow": true})).await;
    let path = format!("/posts/{}", text(&post["id"]));
    world.scheduler.set_plan(&tenant.workspace, Plan::Free).await.unwrap();
    world.work().await;
    let failed = tenant.get(&path).await.ok(200, &POST);
    let target = &failed["targets"][0];
    assert_eq!(
        (&target["status"], &target["errorCode"], &target["errorPermanent"]),
        (&json!("failed"), &json!("channel_limit"), &json!(true))
    );
    world.scheduler.set_plan(&tenant.workspace, Plan::Studio).await.unwrap();
    tenant.post_nothing(&format!("{path}/retry")).await.ok(200, &POST);
    world.work().await;
    assert_eq!(tenant.get(&path).await.ok(200, &POST)["status"], "done");
}

scenarios!(
    posts_of_a_month,
    drafts_given_a_time,
    bytes_of_a_month,
    channels,
    captions_of_a_month,
    paused_at_its_time,
);
