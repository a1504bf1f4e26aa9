use secrecy::SecretString;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::webhook::Event;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[test]
fn quiet_hours_end() {
    let berlin = |text: &str| QuietHours::parse(text, "Europe/Berlin".parse().unwrap()).unwrap();
    for (name, hours, now, want) in [
        ("before a night", "22:00-07:00", "2026-11-21T20:59:59Z", None),
        ("as it begins", "22:00-07:00", "2026-11-21T21:00:00Z", Some("2026-11-22T06:00:00Z")),
        ("after midnight", "22:00-07:00", "2026-11-22T02:00:00Z", Some("2026-11-22T06:00:00Z")),
        ("as it ends", "22:00-07:00", "2026-11-22T06:00:00Z", None),
        ("a noon", "12:00-13:00", "2026-11-22T11:30:00Z", Some("2026-11-22T12:00:00Z")),
        ("after a noon", "12:00-13:00", "2026-11-22T12:00:00Z", None),
        ("before a noon", "12:00-13:00", "2026-11-22T10:59:00Z", None),
        // At 2 the clocks go to 3: 2:30 is not there.
        (
            "a night that is shorter",
            "22:00-07:00",
            "2027-03-28T00:30:00Z",
            Some("2027-03-28T05:00:00Z"),
        ),
        (
            "a night that is longer",
            "22:00-07:00",
            "2026-10-24T22:30:00Z",
            Some("2026-10-25T06:00:00Z"),
        ),
    ] {
        assert_eq!(berlin(hours).ends(at(now)), want.map(at), "{name}");
    }
}

#[test]
fn quiet_hours_are_read_as_they_are_written() {
    let night = QuietHours::parse("22:00-07:30", "Asia/Tokyo".parse().unwrap()).unwrap();
    assert_eq!(night.to_string().parse(), Ok(night));
    let json = json!({"from": "22:00", "to": "07:30", "timezone": "Asia/Tokyo"});
    assert_eq!(serde_json::to_value(night).unwrap(), json);
    assert_eq!(serde_json::from_value::<QuietHours>(json).unwrap(), night);
    for text in ["", "22:00", "22:00-", "22-7", "25:00-07:00", "07:00-07:00", "a-b"] {
        let zone = "Asia/Tokyo".parse().unwrap();
        assert_eq!(QuietHours::parse(text, zone), Err(QuietHoursError(text.to_owned())));
    }
}

/// Wherever an instant lies in quiet hours, these end later, and are over then.
#[test]
fn whatever_waits_is_told_at_the_end() {
    use proptest::prelude::*;
    proptest!(|(
        from in 0..1_440_u32, length in 1..1_440_u32, minute in 0..2_000_000_i64,
        zone in prop::sample::select(vec!["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    )| {
        let time = |minutes: u32| chrono::NaiveTime::from_hms_opt(minutes / 60 % 24, minutes % 60, 0).unwrap();
        let timezone = zone.parse().unwrap();
        let quiet = QuietHours { from: time(from), to: time(from + length), timezone };
        let now = at("2026-01-01T00:00:00Z") + TimeDelta::minutes(minute);
        if let Some(end) = quiet.ends(now) {
            prop_assert!(end > now && end <= now + TimeDelta::hours(25), "{quiet} {now} {end}");
        }
        // Twice an hour of quiet and one of noise: no instant waits for ever.
        let mut next = now;
        for _ in 0..3 {
            match quiet.ends(next) {
                Some(end) => next = end,
                None => return Ok(()),
            }
        }
        prop_assert!(false, "{quiet} {now} never ends");
    });
}

fn event(kind: EventKind, data: serde_json::Value) -> Event {
    let (id, created_at) = (EventId(Uuid::nil()), at("2026-11-21T12:00:00Z"));
    let body = json!({"id": id, "event": kind, "createdAt": created_at, "data": data}).to_string();
    Event { id, workspace_id: WorkspaceId(Uuid::nil()), kind, created_at, body }
}

fn failed(number: u32) -> Event {
    let nil = Uuid::nil();
    event(
        EventKind::Failed,
        json!({
            "postId": nil, "targetId": nil, "platform": "mastodon",
            "error": format!("No {number}\nfor <good> & ever."), "permanent": true, "attempts": 1,
        }),
    )
}

#[test]
fn many_failures_are_one_message() {
    let alone = Message::of("bakery", None, &[failed(1)], false);
    assert_eq!(alone.title, "bakery: a post has failed");
    let nil = Uuid::nil();
    assert_eq!(alone.lines, [format!("mastodon: No 1 for <good> & ever. (post {nil})")]);

    let pages = Some("https://posts.example/w/bakery");
    let linked = Message::of("bakery", pages, &[failed(1)], false);
    let link = format!("https://posts.example/w/bakery/posts/{nil}#t-{nil}");
    assert_eq!(linked.lines, [format!("{} {link}", alone.lines[0])], "to the target");

    let account = json!({
        "accountId": nil, "platform": "linkedin", "handle": "bakery",
        "expiresAt": "2026-12-01T08:00:00Z",
    });
    let mut events: Vec<Event> = (0..30).map(failed).collect();
    events.push(event(EventKind::TokenExpiring, account));
    let many = Message::of("bakery", None, &events, false);
    assert_eq!(many.title, "bakery: 30 posts have failed, an account's access ends soon");
    assert_eq!((many.lines.len(), many.lines[20].as_str()), (21, "… and 11 besides"));
    assert_eq!(Message::of("bakery", None, &events, true).lines[20], "… and 11 or more besides");
    assert!(many.text().chars().count() <= 1_900);
}

#[test]
fn every_kind_makes_a_line() {
    let nil = Uuid::nil();
    for (kind, data, want) in [
        (
            EventKind::Published,
            json!({"postId": nil, "targetId": nil, "platform": "bluesky", "remoteId": "1", "remoteUrl": "https://b.example/1"}),
            "bluesky: live, https://b.example/1",
        ),
        (
            EventKind::Scheduled,
            json!({"postId": nil, "scheduledAt": "2026-12-01T08:00:00Z"}),
            "post 00000000-0000-0000-0000-000000000000: 2026-12-01 08:00 UTC",
        ),
        (
            EventKind::ApprovalDecided,
            json!({"postId": nil, "scheduledAt": null, "decision": "changes", "note": "Warmer"}),
            "post 00000000-0000-0000-0000-000000000000: changes asked for: Warmer",
        ),
        (
            EventKind::NeedsReconnect,
            json!({"accountId": nil, "platform": "mastodon", "handle": null, "reason": "Revoked."}),
            "mastodon: Revoked.",
        ),
        (
            EventKind::TokenExpiring,
            json!({"accountId": nil, "platform": "linkedin", "handle": "a", "expiresAt": "2026-12-01T08:00:00Z"}),
            "linkedin @a: connect it again before 2026-12-01 08:00 UTC",
        ),
        (
            EventKind::MediaFailed,
            json!({"mediaId": nil, "kind": "video", "error": "It is no video."}),
            "file 00000000-0000-0000-0000-000000000000: It is no video.",
        ),
        (EventKind::MediaReady, json!("of another form"), "media.ready"),
    ] {
        assert_eq!(Message::of("w", None, &[event(kind, data)], false).lines, [want], "{kind:?}");
    }
}

#[test]
fn each_channel_gets_its_form() {
    let message = Message { title: "a <b>".to_owned(), lines: vec!["c & d".to_owned()] };
    let url = "https://hooks.example/T0/B0/x";
    for (channel, address, want) in [
        (Channel::Slack, url, Some((url, json!({"text": "a &lt;b&gt;\nc &amp; d"})))),
        (
            Channel::Discord,
            url,
            Some((url, json!({"content": "a <b>\nc & d", "allowed_mentions": {"parse": []}}))),
        ),
        (
            Channel::Ntfy,
            "https://ntfy.example/topic",
            Some((
                "https://ntfy.example/",
                json!({"topic": "topic", "title": "a <b>", "message": "c & d"}),
            )),
        ),
        (Channel::Ntfy, "https://ntfy.example/", None),
        (Channel::Ntfy, "https://ntfy.example", None),
        (Channel::Email, "a@b.example", None),
    ] {
        let request = message.request(channel, address);
        let told =
            request.map(|request| (request.url, serde_json::from_str(&request.body).unwrap()));
        let want = want.map(|(url, body)| (url.to_owned(), body));
        assert_eq!(told, want, "{channel} {address}");
    }
}

#[test]
fn addresses_are_shown_without_what_opens_them() {
    for (channel, address, want) in [
        (Channel::Email, "ana@bakery.example", "ana@bakery.example"),
        (Channel::Slack, "https://hooks.slack.com/services/T0/B0/secret9", "hooks.slack.com/…ret9"),
        (Channel::Ntfy, "https://ntfy.sh/my-topic", "ntfy.sh/…opic"),
        (Channel::Discord, "", "/…"),
    ] {
        let notifier = Notifier {
            id: NotifierId(Uuid::nil()),
            workspace_id: WorkspaceId(Uuid::nil()),
            channel,
            address: SecretString::from(address),
            events: TOLD.to_vec(),
            quiet: None,
            created_at: at("2026-11-21T12:00:00Z"),
        };
        assert_eq!(notifier.shown_address(), want);
        assert!(!format!("{notifier:?}").contains("secret9"));
    }
}

#[test]
fn what_cannot_be_told_is_tried_again_and_then_left_out() {
    let now = at("2026-11-21T12:00:00Z");
    let until = (now, EventId(Uuid::nil()));
    let mut state = NotifierState::new(now);
    let first = state.told_until;
    for failures in 1..=5 {
        let wait = TimeDelta::minutes(7);
        state = state.failed(until, "no".to_owned(), Some(wait), now);
        assert_eq!((state.next_at, state.failures), (now + wait, failures));
        assert_eq!((state.told_until, state.error.as_deref()), (first, Some("no")));
    }
    let left_out = state.clone().failed(until, "no".to_owned(), None, now);
    assert_eq!((left_out.told_until, left_out.failures), (until, 0));
    let told = state.told(until, now);
    assert_eq!(
        (told.told_until, told.failures, told.error, told.told_at),
        (until, 0, None, Some(now))
    );
}
