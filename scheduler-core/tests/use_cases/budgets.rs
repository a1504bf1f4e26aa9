//! What callers ask of networks live, and do there, is charged to what may be asked besides
//! publishing, and an answer is good for a minute.

use std::num::NonZeroU32;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta};
use futures_util::FutureExt as _;
use scheduler_core::app::{Caller, CommentInput, EditInput, NewPlaylistInput, Scheduler};
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::{AppError, Refusal};
use scheduler_core::ids::{AccountId, PostId, TargetId};
use scheduler_core::platform::{BudgetScope, Platform};
use scheduler_core::ports::{
    Budget, Insights, NetworkError, NetworkErrorKind, ReadingStore as _, Spending,
};
use serde_json::{Value, json};

use crate::after_support::{ScriptedAfter, figures, live_on, world_after};
use crate::support::{World, body, done, outcome, refused, statuses};

/// A live target and its account, and who asks about them.
struct Live {
    caller: Caller,
    account: AccountId,
    post: PostId,
    target: TargetId,
}

impl Live {
    fn on(world: &World, platform: Platform) -> Self {
        let (post, target) = live_on(world, platform);
        let account = world.account(platform).id;
        Self { caller: world.caller.clone(), account, post: post.id, target }
    }
}

type Ask = fn(&Scheduler, &Live) -> Result<Value, Refusal>;

fn shown<T: serde::Serialize>(result: Result<T, AppError>) -> Result<Value, Refusal> {
    refused(result).map(|value| serde_json::to_value(value).unwrap())
}

/// Every question that reaches a network, and one network that answers it.
const QUESTIONS: [(&str, Platform, Ask); 7] = [
    ("figures", Platform::Mastodon, |scheduler, live| {
        shown(done(scheduler.read_metrics(&live.caller, live.post, live.target)))
    }),
    ("comments", Platform::Youtube, |scheduler, live| {
        shown(done(scheduler.comments(&live.caller, live.post, live.target)))
    }),
    ("insights", Platform::Youtube, |scheduler, live| {
        shown(done(scheduler.insights(&live.caller, live.post, live.target)))
    }),
    ("boards", Platform::Pinterest, |scheduler, live| {
        shown(done(scheduler.boards(&live.caller, live.account)))
    }),
    ("playlists", Platform::Youtube, |scheduler, live| {
        shown(done(scheduler.playlists(&live.caller, live.account)))
    }),
    ("creator", Platform::Tiktok, |scheduler, live| {
        shown(done(scheduler.creator(&live.caller, live.account)))
    }),
    ("mentions", Platform::Bluesky, |scheduler, live| {
        shown(done(scheduler.mentions(&live.caller, live.account, Some("ana"))))
    }),
];

/// Everything that is done at a network besides publishing, and a network that offers it.
const CHANGES: [(&str, Platform, Ask); 4] = [
    ("edit", Platform::Youtube, |scheduler, live| {
        let input: EditInput = serde_json::from_value(json!({"content": "New"})).unwrap();
        let edited = scheduler.edit_live_post(&live.caller, live.post, live.target, input);
        refused(done(edited)).map(|_| Value::Null)
    }),
    ("reply", Platform::Youtube, |scheduler, live| {
        let text = Some("Thanks".to_owned());
        let input = CommentInput { action: Some("reply".to_owned()), text };
        shown(
            done(scheduler.act_on_comment(&live.caller, live.post, live.target, "c1", input, None))
                .map(|made| made.value),
        )
    }),
    ("playlist", Platform::Youtube, |scheduler, live| {
        let input = NewPlaylistInput { title: Some("Films".to_owned()), privacy: None };
        shown(
            done(scheduler.create_playlist(&live.caller, live.account, input, None))
                .map(|made| made.value),
        )
    }),
    ("take down", Platform::Youtube, |scheduler, live| {
        let taken = scheduler.take_down(&live.caller, live.post, live.target);
        refused(done(taken)).map(|_| Value::Null)
    }),
];

fn scripted() -> (World, Arc<ScriptedAfter>) {
    let (world, after) = world_after();
    *after.figures.lock().unwrap() = Some(figures(1.0));
    *after.insights.lock().unwrap() = Some(Insights::default());
    (world, after)
}

/// A scheduler over the same store that has asked nothing yet.
fn another_node(world: &World) -> Scheduler {
    Scheduler::new(world.scheduler.ports().clone(), *world.scheduler.settings())
}

/// How many requests a subject has taken in the span that is under way.
fn spent(world: &World, platform: Platform, scope: BudgetScope, subject: &str) -> u32 {
    let budgets = platform.sheet().readings.budgets;
    let budget = budgets.iter().find(|budget| budget.scope == scope).unwrap();
    let seconds = budget.per.num_seconds();
    let begun = world.now().timestamp().div_euclid(seconds) * seconds;
    let begins_at = DateTime::from_timestamp(begun, 0).unwrap();
    let fits = |calls| {
        let subject = subject.to_owned();
        let span = Budget { subject, begins_at, ends_at: begins_at + budget.per, limit: calls };
        done(world.store.spend(&[span], 0)).unwrap() == Spending::Counted
    };
    (0..100_000).find(|calls| fits(*calls)).unwrap()
}

#[test]
fn a_question_costs_the_network_one_request_a_minute() {
    for (name, platform, ask) in QUESTIONS {
        let (world, after) = scripted();
        let live = Live::on(&world, platform);
        let scheduler = &world.scheduler;
        after.take_calls();
        let first = ask(scheduler, &live).unwrap();
        for _ in 0..50 {
            assert_eq!(ask(scheduler, &live).unwrap(), first, "{name}");
        }
        world.clock.advance(TimeDelta::milliseconds(59_999));
        assert_eq!(ask(scheduler, &live).unwrap(), first, "{name}");
        assert_eq!(after.take_calls().len(), 1, "{name}");
        world.clock.advance(TimeDelta::milliseconds(1));
        ask(scheduler, &live).unwrap();
        assert_eq!(after.take_calls().len(), 1, "{name}: a minute later");
        let budget = platform.sheet().readings.budgets[0];
        let subject = match budget.scope {
            BudgetScope::App => format!("{platform}/app"),
            BudgetScope::Account => format!("{platform}/account/{}", live.account),
        };
        // The minute of TikTok is a span of its own.
        let want = if budget.per == TimeDelta::minutes(1) { 1 } else { 2 };
        assert_eq!(spent(&world, platform, budget.scope, &subject), want, "{name}");
    }
}

#[test]
fn a_question_beyond_its_budget_is_refused_until_the_span_ends() {
    for (name, platform, ask) in QUESTIONS {
        let (world, after) = scripted();
        let live = Live::on(&world, platform);
        world.clock.advance(TimeDelta::milliseconds(20_500));
        after.take_calls();
        let mut asked = 0;
        let refusal = loop {
            match ask(&another_node(&world), &live) {
                Ok(_) => asked += 1,
                Err(refusal) => break refusal,
            }
            assert!(asked <= 1_000, "{name} is never refused");
        };
        assert_eq!(outcome::<()>(&Err(refusal.clone())), "rate_limited", "{name}");
        let (want, words) = match platform {
            Platform::Mastodon => {
                (75, "This account may make 75 requests in 5 minutes to Mastodon")
            }
            Platform::Youtube => (
                100,
                "All accounts of this workspace together may make 100 requests an hour to YouTube",
            ),
            Platform::Pinterest => (
                10,
                "All accounts of this workspace together may make 10 requests an hour to Pinterest",
            ),
            Platform::Tiktok => (5, "This account may make 5 requests a minute to TikTok"),
            _ => (
                375,
                "All accounts of this workspace together may make 375 requests in 5 minutes to Bluesky",
            ),
        };
        assert_eq!(asked, want, "{name}");
        assert_eq!(after.take_calls().len(), want, "{name}");
        let per = platform.sheet().readings.budgets[0].per.num_minutes();
        let end = match platform {
            Platform::Linkedin => unreachable!("asked nothing here"),
            _ => format!("2026-11-21T{:02}:{:02}:00Z", 12 + per / 60, per % 60),
        };
        let message = format!(
            "{words} besides publishing, and no more are left. Ask again at {end} or later; publishing is not held up."
        );
        assert_eq!(refusal.message(), message, "{name}");
        let wait = refusal.retry_after_seconds().map(NonZeroU32::get).unwrap();
        assert_eq!(i64::from(wait), per * 60 - 20, "{name}: whole seconds, rounded up");

        if !world.accounts().iter().any(|account| account.platform == Platform::Telegram) {
            world.connect(Platform::Telegram, "me");
        }
        let post = world.create(body(&["telegram"], json!({"publishNow": true})));
        world.work();
        assert_eq!(statuses(&world.post(post.id)), "done: published", "{name}");

        world.clock.advance(TimeDelta::seconds(i64::from(wait)));
        ask(&another_node(&world), &live).unwrap();
    }
}

#[test]
fn publishing_goes_on_at_a_network_that_may_not_be_asked_any_more() {
    let (world, _) = scripted();
    let live = Live::on(&world, Platform::Mastodon);
    let read = |scheduler: &Scheduler| {
        refused(done(scheduler.read_metrics(&live.caller, live.post, live.target)))
    };
    while read(&another_node(&world)).is_ok() {}
    for _ in 0..100 {
        let post = world.create(body(&["mastodon"], json!({"publishNow": true})));
        world.work();
        assert_eq!(statuses(&world.post(post.id)), "done: published");
    }
    let shown = done(world.scheduler.post_view(&world.post(live.post))).unwrap();
    assert!(shown.targets[0].metrics.is_some(), "what was read last is still shown");
}

#[test]
fn questions_leave_the_engine_and_other_workspaces_their_part_of_an_app() {
    let (world, after) = scripted();
    let live = Live::on(&world, Platform::Pinterest);
    let boards = |caller: &Caller, account| {
        refused(done(another_node(&world).boards(caller, account))).map(drop)
    };
    let stranger = world.stranger();
    let theirs = world.connect_for(&stranger, Platform::Pinterest, "them").id;
    let own = (0..1_000).take_while(|_| boards(&world.caller, live.account).is_ok()).count();
    assert_eq!(own, 10, "half of the 20 of an hour");
    after.take_calls();
    assert_eq!(
        world.take_readings(),
        [RunOutcome::Read, RunOutcome::Read],
        "both accounts are looked at"
    );
    let others = (0..1_000).take_while(|_| boards(&stranger, theirs).is_ok()).count();
    assert_eq!(others, 8, "what is left of the app");
    let refusal = boards(&stranger, theirs).unwrap_err();
    let words = "All accounts of this server together may make 20 requests an hour to Pinterest";
    assert!(refusal.message().starts_with(words), "{}", refusal.message());
}

#[test]
fn each_request_of_a_question_is_charged_and_the_first_beyond_the_budget_ends_it() {
    let (world, after) = scripted();
    let live = Live::on(&world, Platform::Mastodon);
    let account = format!("mastodon/account/{}", live.account);
    *after.requests.lock().unwrap() = 20;
    let ask = || {
        let node = another_node(&world);
        outcome(&refused(done(node.comments(&live.caller, live.post, live.target))))
    };
    for pages in [20, 40, 60] {
        assert_eq!(ask(), "ok");
        assert_eq!(spent(&world, Platform::Mastodon, BudgetScope::Account, &account), pages);
    }
    after.take_calls();
    assert_eq!(ask(), "rate_limited");
    assert_eq!(after.take_calls(), [""; 0], "it is not asked to its end");
    assert_eq!(spent(&world, Platform::Mastodon, BudgetScope::Account, &account), 75);
}

#[test]
fn what_a_person_does_takes_nothing_of_what_may_be_asked() {
    for (name, platform, change) in CHANGES {
        let (world, after) = scripted();
        let live = Live::on(&world, platform);
        let playlists = || {
            let asked = done(another_node(&world).playlists(&live.caller, live.account));
            outcome(&refused(asked))
        };
        while playlists() == "ok" {}
        after.take_calls();
        change(&world.scheduler, &live).unwrap();
        assert_eq!(after.take_calls().len(), 1, "{name}: not refused");
        assert_eq!(playlists(), "rate_limited", "{name}");
        assert_eq!(spent(&world, platform, BudgetScope::App, "youtube/app"), 100, "{name}");
    }
}

#[test]
fn what_was_done_is_seen_at_once() {
    for (name, platform, change) in CHANGES {
        let (world, after) = scripted();
        let live = Live::on(&world, platform);
        let playlists =
            || refused(done(world.scheduler.playlists(&live.caller, live.account))).unwrap();
        playlists();
        after.take_calls();
        change(&world.scheduler, &live).unwrap();
        assert_eq!(after.take_calls().len(), 1, "{name}");
        playlists();
        assert_eq!(after.take_calls().len(), 1, "{name}: asked again");
        playlists();
        let post = world.create(body(
            &["youtube"],
            json!({
                "publishNow": true,
                "mediaIds": [world.file_of(
                    &world.caller,
                    scheduler_core::media::MediaKind::Video,
                    scheduler_core::media::MediaStatus::Ready,
                )],
            }),
        ));
        world.work();
        assert_eq!(statuses(&world.post(post.id)), "done: published", "{name}");
        assert_eq!(after.take_calls(), [""; 0], "{name}");
        playlists();
        assert_eq!(after.take_calls().len(), 1, "{name}: asked again after a publish");
    }
}

#[test]
fn a_failure_is_not_kept() {
    let (world, after) = scripted();
    let live = Live::on(&world, Platform::Youtube);
    let ask = || {
        let asked = world.scheduler.playlists(&live.caller, live.account);
        outcome(&refused(done(asked)))
    };
    after.take_calls();
    after.fail(NetworkError::new(NetworkErrorKind::Temporary, "No."));
    assert_eq!([ask(), ask(), ask()], ["network_error", "ok", "ok"]);
    assert_eq!(after.take_calls().len(), 2);
}

#[test]
fn nothing_is_told_of_an_account_that_is_gone() {
    let (world, after) = scripted();
    let live = Live::on(&world, Platform::Youtube);
    let account = world.account(Platform::Youtube);
    let ask = |caller: &Caller| {
        let asked = world.scheduler.playlists(caller, live.account);
        outcome(&refused(done(asked)))
    };
    assert_eq!(ask(&world.caller), "ok");
    assert_eq!(ask(&world.stranger()), "not_found", "another workspace");
    assert_eq!(ask(&world.caller_with(&[])), "forbidden", "without the scope");
    after.take_calls();
    done(world.scheduler.disconnect_account(&account)).unwrap();
    assert_eq!(ask(&world.caller), "account_not_connected");
    assert_eq!(after.take_calls(), [""; 0]);
}

#[test]
fn of_callers_who_ask_the_same_at_once_one_asks_the_network() {
    for fails in [false, true] {
        let (world, after) = scripted();
        let live = Live::on(&world, Platform::Youtube);
        after.take_calls();
        if fails {
            after.fail(NetworkError::new(NetworkErrorKind::Permanent, "No."));
        }
        let release = after.hold();
        let asked: Vec<_> = (0..100)
            .map(|_| world.scheduler.playlists(&live.caller, live.account))
            .map(Box::pin)
            .collect();
        let mut asked = asked;
        for one in &mut asked {
            assert!(one.now_or_never().is_none(), "the network has not answered");
        }
        // The one who asks goes away, and the next asks.
        drop(asked.remove(0));
        assert!((&mut asked[0]).now_or_never().is_none());
        drop(release);
        let outcomes: Vec<String> =
            asked.into_iter().map(|one| outcome(&refused(done(one)))).collect();
        let want = if fails { "network_refused" } else { "ok" };
        assert_eq!(outcomes, vec![want; 99]);
        assert_eq!(after.take_calls().len(), 2, "the one who left, and one for all others");
    }
}
