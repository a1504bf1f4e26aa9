//! Links that show clients several posts, and what both sides write.

use scheduler_core::app::{
    ApprovalInput, ApprovalPost, Decided, OpenedApproval, RemarkInput, WorkspaceChange,
};
use scheduler_core::connecting::Pass;
use scheduler_core::ids::{MediaId, PostId};
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::post::{ApprovalState, Field, REMARKS_MAX, RemarkBy, Verdict};
use serde_json::json;

use crate::approvals::{
    FORTNIGHT, answer_to, ask, opened, page, say, show, shown, told, whole_page, withdraw,
};
use crate::support::{World, at, body, done, outcome, refused};

#[test]
fn what_is_asked_for_is_checked() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    let (id, nobodys) = (post.id, PostId(uuid::Uuid::nil()));
    let (from, to) = (at("2026-11-30T00:00:00Z"), at("2026-12-07T00:00:00Z"));
    for (name, input, want) in [
        ("nothing", json!({}), "invalid_request postIds"),
        ("twice", json!({"postIds": [id, id]}), "invalid_request postIds[1]"),
        ("too many", json!({"postIds": vec![nobodys; 101]}), "invalid_request postIds"),
        ("both", json!({"postIds": [id], "from": from, "to": to}), "invalid_request postIds"),
        ("no end", json!({"from": from}), "invalid_request to"),
        ("no beginning", json!({"to": to}), "invalid_request from"),
        ("nothing due", json!({"from": from, "to": to}), "invalid_request from"),
        (
            "a long name",
            json!({"postIds": [id], "client": "a".repeat(101)}),
            "invalid_request client",
        ),
        (
            "a long note",
            json!({"postIds": [id], "note": "a".repeat(2_001)}),
            "invalid_request note",
        ),
        ("a stranger among several", json!({"postIds": [id, nobodys]}), "not_found postIds[1]"),
        ("a stranger alone", json!({"postIds": [nobodys]}), "not_found"),
    ] {
        let made = ask(&world, &serde_json::from_value(input).unwrap());
        assert_eq!(outcome(&made), want, "{name}");
        assert_eq!(world.post(id).approval_state, None, "{name}");
    }
}

#[test]
fn several_posts_are_decided_on_one_by_one() {
    let world = World::new();
    let due = |day: u32| json!({"scheduledAt": format!("2026-12-0{day}T09:00:00Z")});
    let [late, early, other] = [3, 1, 8].map(|day| world.create(body(&["bluesky"], due(day))).id);
    let draft = world.create(body(&["mastodon"], json!({"saveAsDraft": true}))).id;
    let input = ApprovalInput {
        client: Some(" Ana ".to_owned()),
        note: Some("Our week".to_owned()),
        timezone: Some("Asia/Tokyo".parse().unwrap()),
        from: Some(at("2026-11-30T00:00:00Z")),
        to: Some(at("2026-12-07T00:00:00Z")),
        ..ApprovalInput::default()
    };
    let new = ask(&world, &input).unwrap();
    assert_eq!(new.expires_at, world.now() + FORTNIGHT);
    let page = whole_page(&world, &new.pass);
    assert_eq!((page.workspace.as_str(), page.client.as_deref()), ("home", Some("Ana")));
    assert_eq!(page.message.as_deref(), Some("Our week"));
    let ids: Vec<PostId> = page.posts.iter().map(|post| post.id).collect();
    assert_eq!(ids, [early, late], "soonest first; neither a draft nor what is due later");
    let local = page.posts[0].targets[0].local_time.unwrap();
    assert_eq!(local.to_string(), "2026-12-01 18:00:00", "by the client's clock");

    let answer = |post: &ApprovalPost, verdict, note| {
        answer_to(&world, &new.pass, post, verdict, note).unwrap()
    };
    assert_eq!(answer(&page.posts[0], Verdict::Approve, ""), Decided::Stored);
    assert_eq!(answer(&page.posts[1], Verdict::Changes, "Warmer"), Decided::Stored);
    let not_shown = ApprovalPost { id: other, ..page.posts[0].clone() };
    assert_eq!(answer(&not_shown, Verdict::Approve, ""), Decided::Unknown);
    let states = [early, late, other, draft].map(|id| world.post(id).approval_state);
    let (approved, changes) = (Some(ApprovalState::Approved), Some(ApprovalState::Changes));
    assert_eq!(states, [approved, changes, None, None]);

    // A new link for the week leaves out what is approved; the old one shows what it still has.
    let again = ask(&world, &input).unwrap();
    assert_eq!(again.views.iter().map(|view| view.post_id).collect::<Vec<_>>(), [late]);
    assert_eq!(page_ids(&world, &again.pass), [late]);
    assert_eq!(page_ids(&world, &new.pass), [early]);
    withdraw(&world, late).unwrap();
    assert_eq!(opened(&world, &again.pass), OpenedApproval::Unknown);
}

fn page_ids(world: &World, pass: &Pass) -> Vec<PostId> {
    whole_page(world, pass).posts.iter().map(|post| post.id).collect()
}

#[test]
fn client_and_team_read_what_each_has_written() {
    let world = World::new();
    let (id, pass) = shown(&world);
    let workspace = world.caller.workspace.id;
    let reply = |text: &str| {
        let input = RemarkInput { text: text.to_owned() };
        refused(done(world.scheduler.remark_on_approval(workspace, id, &input)))
    };
    say(&world, &pass, Verdict::Changes, "Warmer").unwrap();
    let before = world.post(id);
    reply(" It is warmer now. ").unwrap();
    assert_eq!(world.post(id).revision, before.revision, "nothing of the post changes");
    assert_eq!(world.post(id).approval_state, Some(ApprovalState::Changes));
    // What was said stays under a new link.
    let pass = show(&world, id).unwrap().pass;
    say(&world, &pass, Verdict::Approve, "Fine").unwrap();
    let want = [
        (RemarkBy::Client, "Warmer"),
        (RemarkBy::Team, "It is warmer now."),
        (RemarkBy::Client, "Fine"),
    ];
    let told = told(&world, id).unwrap();
    for remarks in [&told.remarks, &page(&world, &pass).remarks] {
        let remarks: Vec<_> = remarks.iter().map(|one| (one.by, one.text.as_str())).collect();
        assert_eq!(remarks, want);
    }
    assert_eq!(told.note.as_deref(), Some("Fine"));
    for text in ["", " ", &"a".repeat(2_001)] {
        assert_eq!(outcome(&reply(text)), "invalid_request text");
    }
    for _ in 0..REMARKS_MAX {
        reply("again").unwrap();
    }
    let remarks = reply("the last").unwrap().remarks;
    assert_eq!((remarks.len(), remarks[0].text.as_str()), (REMARKS_MAX, "again"));
    withdraw(&world, id).unwrap();
    assert_eq!(outcome(&reply("too late")), "not_found");
}

#[test]
fn a_client_sees_the_picture_of_the_workspace() {
    let world = World::new();
    let (_, pass) = shown(&world);
    let change = |picture: Option<MediaId>| {
        let picture = picture.map_or(Field::Null, Field::Value);
        let change = WorkspaceChange { picture, ..WorkspaceChange::default() };
        refused(done(world.scheduler.change_workspace(&world.caller.workspace, change)))
    };
    let picture = world.file(MediaStatus::Ready);
    change(Some(picture)).unwrap();
    assert!(whole_page(&world, &pass).picture.is_some());
    let film = world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready);
    for (id, want) in [
        (film, "invalid_request picture"),
        (world.file(MediaStatus::Processing), "invalid_request picture"),
        (MediaId(uuid::Uuid::nil()), "not_found picture"),
    ] {
        assert_eq!(outcome(&change(Some(id))), want);
    }
    change(None).unwrap();
    assert_eq!(whole_page(&world, &pass).picture, None);
}

#[test]
fn asking_without_a_link_takes_the_place_of_none() {
    let world = World::new();
    let scheduled = json!({"scheduledAt": "2026-12-11T13:00:00Z"});
    let [first, second] =
        ["mastodon", "telegram"].map(|name| world.create(body(&[name], scheduled.clone())).id);
    let workspace = world.caller.workspace.id;
    let note = Some("Before Friday?".to_owned());
    let input = ApprovalInput { post_ids: vec![first, second], note, ..ApprovalInput::default() };
    let asked = || refused(done(world.scheduler.ask_for_approval(workspace, &input)));
    let shown = show(&world, second).unwrap();
    let refusal = asked().unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("postIds[1]"), "the second has a link");
    assert_eq!(world.post(first).approval_state, None, "all or none");
    world.clock.set(shown.expires_at);
    let (expires_at, views) = asked().unwrap();
    assert_eq!((views.len(), expires_at), (2, world.now() + FORTNIGHT), "that link has expired");
    assert_eq!(opened(&world, &shown.pass), OpenedApproval::Unknown);
    assert_eq!(outcome(&asked()), "invalid_request postIds[0]", "asked already");
    // Whoever makes the link need not write the note again.
    let made = show(&world, first).unwrap();
    assert_eq!(made.views[0].message.as_deref(), Some("Before Friday?"));
    assert_eq!(whole_page(&world, &made.pass).posts.len(), 1);
}
