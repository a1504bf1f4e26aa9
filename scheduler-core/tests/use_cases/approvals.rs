//! Posts that wait for their clients.

use chrono::TimeDelta;
use scheduler_core::app::{
    ApprovalAnswer, ApprovalFile, ApprovalInput, ApprovalPage, ApprovalPost, ApprovalView, Decided,
    NewApproval, OpenedApproval,
};
use scheduler_core::connecting::Pass;
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::Refusal;
use scheduler_core::ids::PostId;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::post::{ApprovalState, LiveRights, Post, PostView, Verdict};
use scheduler_core::target::{Target, TargetStatus};
use serde_json::{Value, json};

use crate::fakes::live;
use crate::publish::fails;
use crate::support::{World, at, body, done, outcome, refused, statuses, target_of};

pub(crate) const FORTNIGHT: TimeDelta = TimeDelta::days(14);

pub(crate) fn show(world: &World, id: PostId) -> Result<NewApproval, Refusal> {
    let input = ApprovalInput { post_ids: vec![id], ..ApprovalInput::default() };
    ask(world, &input)
}

pub(crate) fn ask(world: &World, input: &ApprovalInput) -> Result<NewApproval, Refusal> {
    refused(done(world.scheduler.create_approval(world.caller.workspace.id, input)))
}

pub(crate) fn withdraw(world: &World, id: PostId) -> Result<Post, Refusal> {
    refused(done(world.scheduler.withdraw_approval(world.caller.workspace.id, id)))
}

pub(crate) fn told(world: &World, id: PostId) -> Result<ApprovalView, Refusal> {
    refused(done(world.scheduler.approval(world.caller.workspace.id, id)))
}

pub(crate) fn opened(world: &World, pass: &Pass) -> OpenedApproval {
    done(world.scheduler.open_approval(pass)).unwrap()
}

/// The only post under a link.
pub(crate) fn page(world: &World, pass: &Pass) -> ApprovalPost {
    let mut page = whole_page(world, pass);
    assert_eq!(page.posts.len(), 1);
    page.posts.remove(0)
}

pub(crate) fn whole_page(world: &World, pass: &Pass) -> ApprovalPage {
    match opened(world, pass) {
        OpenedApproval::Page(page) => *page,
        other => panic!("{other:?}"),
    }
}

/// A client sees what each network gets.
#[test]
fn a_client_sees_the_files_of_each_target_and_of_each_part() {
    let world = World::new();
    let [shared, own, of_part] = [(); 3].map(|()| world.file(MediaStatus::Ready));
    let part = json!({"text": "two", "mediaIds": [of_part], "altTexts": ["of the part"]});
    let words = json!({own.to_string(): {"altText": "of the target"}});
    let post = world.create(json!({
        "content": "Hello", "mediaIds": [shared], "saveAsDraft": true,
        "disclosure": {"aiGenerated": true},
        "targets": [
            {"platform": "bluesky", "options": {"thread": ["one", part]}},
            {"platform": "mastodon", "mediaIds": [own], "files": words},
            {"platform": "telegram", "mediaIds": []},
        ],
    }));
    let page = page(&world, &show(&world, post.id).unwrap().pass);
    let words = |files: &[ApprovalFile]| -> Vec<Option<String>> {
        files.iter().map(|file| file.alt_text.clone()).collect()
    };
    let [bluesky, mastodon, telegram] = &*page.targets else { panic!("{:?}", page.targets) };
    assert!(bluesky.files.is_none(), "those of the post");
    assert_eq!(bluesky.thread_files.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(words(&bluesky.thread_files[1]), [Some("of the part".to_owned())]);
    let own = mastodon.files.as_deref().unwrap();
    assert_eq!(words(own), [Some("of the target".to_owned())]);
    assert!(telegram.files.as_deref().unwrap().is_empty());
    assert_eq!(page.files.len(), 1);
}

pub(crate) fn answer_to(
    world: &World,
    pass: &Pass,
    post: &ApprovalPost,
    verdict: Verdict,
    note: &str,
) -> Result<Decided, Refusal> {
    let note = (!note.is_empty()).then(|| note.to_owned());
    let answer = ApprovalAnswer { post_id: post.id, seen: post.seen.clone(), verdict, note };
    refused(done(world.scheduler.decide_approval(pass, &answer)))
}

/// What a client says of the post as it is.
pub(crate) fn say(
    world: &World,
    pass: &Pass,
    verdict: Verdict,
    note: &str,
) -> Result<Decided, Refusal> {
    answer_to(world, pass, &page(world, pass), verdict, note)
}

/// A post to Bluesky that is due in an hour, and its link.
pub(crate) fn shown(world: &World) -> (PostId, Pass) {
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-21T13:00:00Z"})));
    let new = show(world, post.id).unwrap();
    (post.id, new.pass)
}

pub(crate) fn view(world: &World, id: PostId) -> Value {
    serde_json::to_value(PostView::new(&world.post(id), &LiveRights::at(world.now()))).unwrap()
}

#[test]
fn a_post_waits_says_so_and_goes_out_when_it_is_approved() {
    let world = World::new();
    let (id, pass) = shown(&world);
    assert_eq!(view(&world, id)["approvalState"], "pending");
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::PublishWithheld]);
    let waiting = view(&world, id);
    assert_eq!(statuses(&world.post(id)), "scheduled: pending");
    let target = &waiting["targets"][0];
    assert!(target["error"].as_str().unwrap().contains("has not approved this post yet"));
    assert_eq!(target["errorCode"], Value::Null);
    assert_eq!((&target["errorPermanent"], &target["attempts"]), (&json!(false), &json!(0)));
    assert_eq!(target["nextAttemptAt"], "2026-11-21T14:00:00Z");
    assert_eq!(waiting["scheduledAt"], "2026-11-21T13:00:00Z", "that is when it was to go out");
    assert!(world.store.events().is_empty());

    world.clock.advance(TimeDelta::minutes(10));
    let woken = world.wake.count();
    assert_eq!(say(&world, &pass, Verdict::Approve, "").unwrap(), Decided::Stored);
    assert_eq!(world.wake.count(), woken + 1);
    assert_eq!(view(&world, id)["targets"][0]["error"], Value::Null);
    assert_eq!(world.work(), [RunOutcome::Published], "at once");
    assert_eq!(world.post(id).targets[0].attempts, 1);
    assert_eq!(view(&world, id)["approvalState"], "approved");
}

#[test]
fn what_is_approved_before_its_time_goes_out_at_its_time() {
    let world = World::new();
    let (id, pass) = shown(&world);
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert!(world.work_after(TimeDelta::minutes(59)).is_empty());
    assert_eq!(world.work_after(TimeDelta::minutes(1)), [RunOutcome::Published]);
    assert_eq!(world.post(id).approval_state, Some(ApprovalState::Approved));
}

#[test]
fn whatever_waits_is_looked_at_once_an_hour() {
    let world = World::new();
    let (id, pass) = shown(&world);
    let mut looks = 0;
    for _ in 0..3 * 24 * 60 {
        looks += world.work_after(TimeDelta::minutes(1)).len();
    }
    assert_eq!(looks, 72);
    assert_eq!(world.post(id).targets[0].attempts, 0);
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert_eq!(world.work(), [RunOutcome::Published]);
}

#[test]
fn a_client_who_wants_changes_is_asked_again_under_the_same_link() {
    let world = World::new();
    let (id, pass) = shown(&world);
    world.work_after(TimeDelta::hours(1));
    say(&world, &pass, Verdict::Changes, " Call it a fair.\r\nThanks ").unwrap();
    let target = &view(&world, id)["targets"][0];
    assert!(target["error"].as_str().unwrap().contains("asked for changes"), "{target}");
    assert_eq!(told(&world, id).unwrap().note.as_deref(), Some("Call it a fair.\nThanks"));
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::PublishWithheld]);

    world.patch(id, json!({"content": "To the fair!"})).unwrap();
    assert_eq!(world.post(id).approval_state, Some(ApprovalState::Pending));
    assert_eq!(page(&world, &pass).targets[0].text.text(), "To the fair!");
    assert!(world.work().is_empty());
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert_eq!(told(&world, id).unwrap().note, None);
    assert_eq!(world.work(), [RunOutcome::Published]);
}

#[test]
fn only_what_the_client_saw_voids_an_approval() {
    for (name, change, want) in [
        ("time", json!({"scheduledAt": "2026-11-22T09:00:00Z"}), ApprovalState::Approved),
        ("parked", json!({"saveAsDraft": true}), ApprovalState::Approved),
        (
            "the same targets",
            json!({"targets": [{"platform": "bluesky"}]}),
            ApprovalState::Approved,
        ),
        ("content", json!({"content": "Other"}), ApprovalState::Pending),
        ("link", json!({"linkUrl": "https://example.com"}), ApprovalState::Pending),
        (
            "options",
            json!({"targets": [{"platform": "bluesky", "options": {"caption": "B"}}]}),
            ApprovalState::Pending,
        ),
        (
            "targets",
            json!({"targets": [{"platform": "bluesky"}, {"platform": "mastodon"}]}),
            ApprovalState::Pending,
        ),
    ] {
        let world = World::new();
        let (id, pass) = shown(&world);
        say(&world, &pass, Verdict::Approve, "").unwrap();
        world.patch(id, change).unwrap();
        assert_eq!(world.post(id).approval_state, Some(want), "{name}");
    }
}

#[test]
fn a_new_time_ends_the_waiting_until_it_comes() {
    let world = World::new();
    let (id, pass) = shown(&world);
    world.work_after(TimeDelta::hours(1));
    world.patch(id, json!({"scheduledAt": "2026-11-22T09:00:00Z"})).unwrap();
    assert_eq!(view(&world, id)["targets"][0]["error"], Value::Null);
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert!(world.work().is_empty());
    world.clock.set(at("2026-11-22T09:00:00Z"));
    assert_eq!(world.work(), [RunOutcome::Published]);

    let (id, _) = {
        let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-23T09:00:00Z"})));
        (post.id, show(&world, post.id).unwrap())
    };
    world.patch(id, json!({"publishNow": true})).unwrap();
    assert_eq!(world.work(), [RunOutcome::PublishWithheld], "now is no way around the client");
}

#[test]
fn a_withdrawn_link_lets_the_post_go() {
    for waits in [false, true] {
        let world = World::new();
        let (id, pass) = shown(&world);
        if waits {
            assert_eq!(world.work_after(TimeDelta::hours(2)), [RunOutcome::PublishWithheld]);
        }
        withdraw(&world, id).unwrap();
        assert_eq!(view(&world, id)["approvalState"], Value::Null);
        assert_eq!(opened(&world, &pass), OpenedApproval::Unknown);
        assert_eq!(outcome(&told(&world, id)), "not_found");
        assert_eq!(outcome(&withdraw(&world, id)), "not_found");
        if !waits {
            assert!(world.work_after(TimeDelta::minutes(59)).is_empty());
            world.clock.advance(TimeDelta::minutes(1));
        }
        assert_eq!(world.work(), [RunOutcome::Published], "{waits}");
    }
}

#[test]
fn a_refusal_at_the_very_moment_keeps_the_post_back() {
    let world = World::new();
    let (id, pass) = shown(&world);
    say(&world, &pass, Verdict::Approve, "").unwrap();
    world.clock.advance(TimeDelta::hours(1));
    let claims = world.claim_all();
    say(&world, &pass, Verdict::Changes, "No!").unwrap();
    for claim in &claims {
        assert_eq!(done(world.scheduler.run(claim)).unwrap(), RunOutcome::Lost);
    }
    assert_eq!(world.work(), [RunOutcome::PublishWithheld]);
    assert_eq!(statuses(&world.post(id)), "scheduled: pending");
}

#[test]
fn links_are_made_for_what_has_not_begun() {
    let world = World::new();
    for (name, fields, is_worked, want) in [
        ("a draft", json!({"saveAsDraft": true}), false, "ok"),
        ("scheduled", json!({"scheduledAt": "2026-11-21T13:00:00Z"}), false, "ok"),
        ("due and not begun", json!({"publishNow": true}), false, "ok"),
        ("done", json!({"publishNow": true}), true, "already_started"),
    ] {
        let post = world.create(body(&["mastodon"], fields));
        if is_worked {
            withdraw_all(&world);
            world.work();
        }
        assert_eq!(outcome(&show(&world, post.id)), want, "{name}");
    }
    let canceled =
        world.create(body(&["telegram"], json!({"scheduledAt": "2026-11-21T13:00:00Z"})));
    world.delete(canceled.id).unwrap();
    assert_eq!(outcome(&show(&world, canceled.id)), "already_started");
    let nobodys = PostId(uuid::Uuid::nil());
    assert_eq!(outcome(&show(&world, nobodys)), "not_found");
    for lifetime in [TimeDelta::minutes(59), TimeDelta::days(366)] {
        let expires_at = Some(world.now() + lifetime);
        let input = ApprovalInput { post_ids: vec![nobodys], expires_at, ..Default::default() };
        assert_eq!(outcome(&ask(&world, &input)), "invalid_request expiresAt");
    }
}

fn withdraw_all(world: &World) {
    for view in done(world.scheduler.approvals(world.caller.workspace.id, 100)).unwrap() {
        let _ = withdraw(world, view.post_id);
    }
}

#[test]
fn a_client_changes_their_mind_until_it_begins() {
    let world = World::new();
    world.network.script([fails(Kind::Temporary), live()]);
    let (id, pass) = shown(&world);
    for (verdict, note) in [
        (Verdict::Changes, "no"),
        (Verdict::Approve, ""),
        (Verdict::Changes, "no, sorry"),
        (Verdict::Approve, "as it is"),
    ] {
        world.clock.advance(TimeDelta::seconds(1));
        say(&world, &pass, verdict, note).unwrap();
        let told = told(&world, id).unwrap();
        assert_eq!(told.approval_state, Some(verdict.state()));
        assert_eq!(told.note.unwrap_or_default(), note);
        assert_eq!(told.decided_at, Some(world.now()));
    }
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::PublishDeferred]);
    assert_eq!(outcome(&say(&world, &pass, Verdict::Changes, "stop")), "already_started");
    assert_eq!(outcome(&withdraw(&world, id)), "already_started");
    assert_eq!(outcome(&show(&world, id)), "already_started");
    assert!(!page(&world, &pass).is_open);
    let again = say(&world, &pass, Verdict::Approve, "as it is");
    assert_eq!(again.unwrap(), Decided::Stored, "what was said is said");
    assert_eq!(world.work_after(TimeDelta::minutes(2)), [RunOutcome::Published], "a retry goes on");
}

#[test]
fn an_answer_is_of_what_was_shown() {
    let world = World::new();
    let (id, pass) = shown(&world);
    let seen = page(&world, &pass);
    world.patch(id, json!({"content": "Something else"})).unwrap();
    let decided = answer_to(&world, &pass, &seen, Verdict::Approve, "").unwrap();
    let Decided::Changed(now) = decided else { panic!("{decided:?}") };
    let now = &now.posts[0];
    assert_eq!(now.targets[0].text.text(), "Something else");
    assert_eq!(world.post(id).approval_state, Some(ApprovalState::Pending));
    let decided = answer_to(&world, &pass, now, Verdict::Approve, "").unwrap();
    assert_eq!(decided, Decided::Stored);
}

#[test]
fn an_answer_that_comes_twice_is_stored_once() {
    let world = World::new();
    let (id, pass) = shown(&world);
    say(&world, &pass, Verdict::Changes, "no").unwrap();
    let first = (world.post(id), told(&world, id).unwrap());
    world.clock.advance(TimeDelta::minutes(1));
    say(&world, &pass, Verdict::Changes, "no").unwrap();
    assert_eq!((world.post(id), told(&world, id).unwrap()), first);
}

#[test]
fn notes_have_bounds() {
    let world = World::new();
    let (_, pass) = shown(&world);
    for (verdict, note, want) in [
        (Verdict::Approve, String::new(), "ok"),
        (Verdict::Changes, String::new(), "invalid_request note"),
        (Verdict::Changes, " \r\n ".to_owned(), "invalid_request note"),
        (Verdict::Changes, "é".repeat(2_000), "ok"),
        (Verdict::Changes, "é".repeat(2_001), "invalid_request note"),
        (Verdict::Approve, "a\0b".to_owned(), "invalid_request note"),
    ] {
        assert_eq!(outcome(&say(&world, &pass, verdict, &note)), want, "{verdict:?} {note:?}");
    }
}

#[test]
fn one_link_opens_one_post_for_its_time() {
    let world = World::new();
    let (id, first) = shown(&world);
    let seen = page(&world, &first);
    say(&world, &first, Verdict::Approve, "").unwrap();
    let second = show(&world, id).unwrap();
    assert_eq!(world.post(id).approval_state, Some(ApprovalState::Pending), "asked anew");
    assert_eq!(opened(&world, &first), OpenedApproval::Unknown, "replaced");
    let decided = answer_to(&world, &first, &seen, Verdict::Approve, "").unwrap();
    assert_eq!(decided, Decided::Unknown);
    assert_eq!(second.expires_at, world.now() + FORTNIGHT);
    let seen = page(&world, &second.pass);

    world.clock.advance(FORTNIGHT - TimeDelta::seconds(1));
    assert!(matches!(opened(&world, &second.pass), OpenedApproval::Page(_)));
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(opened(&world, &second.pass), OpenedApproval::Expired);
    let decided = answer_to(&world, &second.pass, &seen, Verdict::Approve, "").unwrap();
    assert_eq!(decided, Decided::Expired);
    assert_eq!(world.work(), [RunOutcome::PublishWithheld], "an expired link is no approval");

    let draft = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    let third = show(&world, draft.id).unwrap();
    world.delete(draft.id).unwrap();
    assert_eq!(opened(&world, &third.pass), OpenedApproval::Unknown, "it went with its post");
}

#[test]
fn another_account_is_another_post() {
    let world = World::new();
    world.network.script([fails(Kind::Permanent), live()]);
    let other = world.connect(Platform::Mastodon, "other");
    let mine = world.account(Platform::Bluesky);
    let fields = json!({
        "content": "Hello",
        "publishNow": true,
        "targets": [{"platform": "bluesky", "accountId": mine.id}],
    });
    let post = world.create(fields);
    let new = show(&world, post.id).unwrap();
    say(&world, &new.pass, Verdict::Approve, "").unwrap();
    assert_eq!(world.work(), [RunOutcome::PublishFailed]);
    assert_eq!(other.platform, Platform::Mastodon);

    let second = world.connect(Platform::Bluesky, "second");
    let target = world.post(post.id).targets[0].id;
    let moved = world.scheduler.move_target(&world.caller, post.id, target, second.id);
    refused(done(moved)).unwrap();
    assert_eq!(world.post(post.id).approval_state, Some(ApprovalState::Pending));
    world.retry(post.id).unwrap();
    assert_eq!(world.work(), [RunOutcome::PublishWithheld], "the client saw another account");
    assert!(page(&world, &new.pass).is_open);
    say(&world, &new.pass, Verdict::Approve, "").unwrap();
    assert_eq!(world.work(), [RunOutcome::Published]);
}

/// A post to two accounts that failed through both, one of which was moved to a third account, so
/// that the client is asked again.
fn failed_and_moved(kind: Kind) -> (World, PostId, Pass) {
    let world = World::new();
    world.network.script([fails(kind), fails(Kind::Permanent), live(), live()]);
    let fields = json!({"scheduledAt": "2026-11-21T13:00:00Z"});
    let post = world.create(body(&["bluesky", "mastodon"], fields));
    let new = show(&world, post.id).unwrap();
    say(&world, &new.pass, Verdict::Approve, "").unwrap();
    assert_eq!(world.work_after(TimeDelta::hours(1)).len(), 2);
    let post = world.post(post.id);
    let failed =
        post.targets.iter().find(|target| target.status() == TargetStatus::Failed).unwrap();
    let other = world.connect(failed.platform, "other");
    let moved = world.scheduler.move_target(&world.caller, post.id, failed.id, other.id);
    refused(done(moved)).unwrap();
    (world, post.id, new.pass)
}

#[test]
fn a_retry_is_no_way_around_the_client() {
    let (world, id, pass) = failed_and_moved(Kind::Permanent);
    say(&world, &pass, Verdict::Changes, "Not like this.").unwrap();
    world.retry(id).unwrap();
    assert_eq!(world.work(), [RunOutcome::PublishWithheld, RunOutcome::PublishWithheld]);
    assert!(world.post(id).targets.iter().all(Target::waits_for_approval));
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Published]);
}

#[test]
fn nor_is_an_attempt_that_is_still_to_come() {
    let (world, id, pass) = failed_and_moved(Kind::Temporary);
    say(&world, &pass, Verdict::Changes, "Not like this.").unwrap();
    assert_eq!(world.work_after(TimeDelta::minutes(2)), [RunOutcome::PublishWithheld]);
    withdraw(&world, id).unwrap();
    assert_eq!(world.work(), [RunOutcome::Published]);
}

#[test]
fn a_change_while_it_waits_leaves_its_time() {
    let world = World::new();
    let (id, _) = shown(&world);
    world.work_after(TimeDelta::hours(1));
    for change in [
        json!({"content": "Other"}),
        json!({"targets": [{"platform": "bluesky"}, {"platform": "mastodon"}]}),
    ] {
        world.patch(id, change).unwrap();
        assert_eq!(view(&world, id)["scheduledAt"], "2026-11-21T13:00:00Z");
    }
    world.patch(id, json!({"scheduledAt": "2026-11-22T13:00:00Z"})).unwrap();
    assert_eq!(view(&world, id)["scheduledAt"], "2026-11-22T13:00:00Z");
}

#[test]
fn a_page_shows_what_each_network_gets() {
    let world = World::new();
    world.connect(Platform::Youtube, "me");
    let (picture, video) = (
        world.file(MediaStatus::Ready),
        world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready),
    );
    let account = world.account(Platform::Mastodon);
    let zone = "Asia/Tokyo".parse().unwrap();
    done(world.scheduler.set_account_timezone(&account, Some(zone))).unwrap();
    let post = world.create(json!({
        "content": "Hello",
        "linkUrl": "https://example.com/a",
        "mediaIds": [picture],
        "altTexts": ["A <hill>"],
        "scheduledAt": "2026-11-21T13:00:00Z",
        "targets": [
            {"platform": "bluesky", "options": {"thread": ["And more"]}},
            {"platform": "mastodon", "options": {"caption": "Toot", "visibility": "unlisted"}},
        ],
    }));
    let page = page(&world, &show(&world, post.id).unwrap().pass);
    let [bluesky, mastodon] = page.targets.as_slice() else { panic!("{page:?}") };
    assert_eq!(bluesky.text.parts[1], "And more");
    assert_eq!(mastodon.text.text(), "Toot\nhttps://example.com/a");
    assert_eq!(mastodon.settings, [("Visibility".to_owned(), "unlisted".to_owned())]);
    assert_eq!((mastodon.zone, mastodon.account.as_str()), (zone, "@me"));
    let local = mastodon.local_time.unwrap();
    assert_eq!(local.to_string(), "2026-11-21 22:00:00");
    assert_eq!(bluesky.local_time.unwrap().to_string(), "2026-11-21 13:00:00");
    let [file] = page.files.as_slice() else { panic!("{page:?}") };
    assert_eq!(file.alt_text.as_deref(), Some("A <hill>"));
    assert!(file.url.is_some() && !format!("{file:?}").contains("http"), "links stay out of logs");
    assert!(page.is_open);

    let film = world.create(json!({
        "content": "About",
        "mediaIds": [video],
        "scheduledAt": "2026-11-21T13:00:00Z",
        "targets": [{"platform": "youtube", "options": {"title": "Film", "privacy": "public"}}],
    }));
    let page = self::page(&world, &show(&world, film.id).unwrap().pass);
    assert_eq!(page.targets[0].title.as_deref(), Some("Film"));
    assert_eq!(target_of(&world.post(film.id), Platform::Youtube).attempts, 0);
}

#[test]
fn links_are_listed_newest_first_and_only_in_their_workspace() {
    let world = World::new();
    let (first, _) = shown(&world);
    world.clock.advance(TimeDelta::seconds(1));
    let (second, _) = shown(&world);
    let listed = |world: &World, workspace, limit| -> Vec<PostId> {
        let views = done(world.scheduler.approvals(workspace, limit)).unwrap();
        views.iter().map(|view| view.post_id).collect()
    };
    let mine = world.caller.workspace.id;
    assert_eq!(listed(&world, mine, 9), [second, first]);
    assert_eq!(listed(&world, mine, 1), [second]);
    let elsewhere = world.stranger().workspace.id;
    assert!(listed(&world, elsewhere, 9).is_empty());
    let input = ApprovalInput { post_ids: vec![first], ..ApprovalInput::default() };
    let made = done(world.scheduler.create_approval(elsewhere, &input));
    assert_eq!(outcome(&refused(made)), "not_found");
    assert_eq!(outcome(&refused(done(world.scheduler.approval(elsewhere, first)))), "not_found");
    assert_eq!(
        outcome(&refused(done(world.scheduler.withdraw_approval(elsewhere, first)))),
        "not_found"
    );
}
