//! Connecting bots as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use super::super::testing::{discord, held};
use super::*;
use crate::conversation::Conversation;
use crate::testing::{answered, answered_text};

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = [("botToken", "bot-token")].iter().chain(pairs);
    let pairs = pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn user() -> Answer {
    answered(200, &json!({ "id": "11", "username": "newsbot", "avatar": "a1", "bot": true }))
}

fn guilds(permissions: &str) -> Answer {
    answered(200, &json!([{ "id": "12", "name": "Home", "permissions": permissions }]))
}

fn guild(premium_tier: u8) -> Answer {
    answered(200, &json!({ "id": "12", "name": "Home", "premium_tier": premium_tier }))
}

fn channels() -> Answer {
    let of = |id: &str, kind: u8, name: &str| json!({ "id": id, "type": kind, "name": name });
    answered(
        200,
        &json!([
            of("1", 4, "a category"),
            of("2", 0, "general"),
            of("3", 2, "voice"),
            of("4", 5, "news"),
            of("5", 15, "forum"),
            of("6", 16, "pictures"),
        ]),
    )
}

fn connects(
    values: &[(&str, &str)],
    answers: &[Answer],
) -> (Vec<Value>, Result<Vec<Connected>, NetworkError>) {
    held(answers, |answers| discord().connect(&input(values), answers))
}

#[test]
fn every_channel_that_takes_posts_is_an_account() {
    let answers = [user(), guilds(PERMISSIONS), guild(2), channels()];
    let (asked, connected) = connects(&[], &answers);
    let paths: Vec<&Value> = asked.iter().map(|asked| &asked["request"]).collect();
    assert_eq!(
        paths,
        [
            "GET https://discord.com/api/v10/users/@me",
            "GET https://discord.com/api/v10/users/@me/guilds",
            "GET https://discord.com/api/v10/guilds/12",
            "GET https://discord.com/api/v10/guilds/12/channels",
        ]
    );
    assert!(asked.iter().all(|asked| asked["headers"]["authorization"] == "[redacted]"));
    let connected = connected.unwrap();
    let shown = connected.iter().map(|account| {
        let limits = &account.limits;
        (account.network_id.as_str(), account.display_name.as_deref().unwrap(), limits.is_forum)
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            ("11/2", "Home · #general", None),
            ("11/4", "Home · #news", None),
            ("11/5", "Home · #forum", Some(true)),
            ("11/6", "Home · #pictures", Some(true)),
        ]
    );
    let forum = &connected[2];
    assert_eq!(forum.username.as_deref(), Some("newsbot"));
    assert_eq!(forum.avatar_url.as_deref(), Some("https://cdn.discordapp.com/avatars/11/a1.png"));
    assert_eq!(forum.lacks, Vec::<String>::new());
    assert_eq!(forum.limits.max_video_bytes, Some(52_428_800));
    let kept: Value = serde_json::from_str(forum.credentials.expose()).unwrap();
    assert_json_snapshot!(kept, @r#"
    {
      "channelId": "5",
      "channelType": 15,
      "guildId": "12",
      "id": "11",
      "kind": "bot",
      "token": "bot-token"
    }
    "#);
}

#[test]
fn one_channel_can_be_named() {
    let channel = |kind: u8| {
        answered(200, &json!({ "id": "5", "type": kind, "name": "forum", "guild_id": "12" }))
    };
    let answers = [user(), guilds(PERMISSIONS), channel(15), guild(0)];
    let (asked, connected) = connects(&[("channelId", "5")], &answers);
    assert_eq!(asked[2]["request"], "GET https://discord.com/api/v10/channels/5");
    let connected = connected.unwrap();
    assert_eq!((connected.len(), connected[0].network_id.as_str()), (1, "11/5"));
    assert_eq!(connected[0].limits.max_image_bytes, None);

    let error = connects(&[("channelId", "5")], &[user(), guilds(PERMISSIONS), channel(2)]).1;
    assert!(error.unwrap_err().message.contains("takes no posts"));
}

#[test]
fn what_the_bot_may_not_do_is_told() {
    for (permissions, want) in [(PERMISSIONS, 0), ("8", 0), ("3072", 4), ("0", 6), ("no number", 0)]
    {
        let answers = [user(), guilds(permissions), guild(0), channels()];
        let connected = connects(&[], &answers).1.unwrap();
        assert_eq!(connected[0].lacks.len(), want, "{permissions}: {:?}", connected[0].lacks);
    }
}

#[test]
fn the_invitation_asks_for_what_the_bot_needs() {
    let asked: u64 = PERMISSIONS.parse().unwrap();
    let links = 1 << 14;
    let rights = RIGHTS.iter().fold(links, |sum, (bit, _)| sum | 1 << bit);
    assert_eq!(asked, rights);
    let error = connects(&[], &[user(), answered(200, &json!([]))]).1.unwrap_err();
    assert!(
        error.message.ends_with(
            "https://discord.com/oauth2/authorize?client_id=YOUR_APPLICATION_ID&scope=bot&permissions=309237763072"
        ),
        "{error}"
    );
}

#[test]
fn a_server_allows_more_when_it_is_boosted() {
    for (tier, want) in [(0, None), (1, None), (2, Some(52_428_800)), (3, Some(104_857_600))] {
        let limits = limits(tier, 0);
        assert_eq!((limits.max_image_bytes, limits.max_video_bytes), (want, want), "{tier}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let unauthorized = || answered(401, &json!({ "message": "401: Unauthorized", "code": 0 }));
    let missing = || answered(403, &json!({ "message": "Missing Access", "code": 50_001 }));
    let many: Vec<Value> = (0..21).map(|id| json!({ "id": id.to_string(), "name": "x" })).collect();
    let many = || answered(200, &json!(many));
    for (name, values, answers, kind, said) in [
        ("wrong token", vec![], vec![unauthorized()], Kind::Permanent, "bot token"),
        ("no id", vec![("channelId", "#x")], vec![], Kind::Permanent, "channelId"),
        ("no id of a server", vec![("guildId", "x")], vec![], Kind::Permanent, "guildId"),
        (
            "unseen channel",
            vec![("channelId", "5")],
            vec![user(), guilds("8"), missing()],
            Kind::Permanent,
            "channelId",
        ),
        (
            "another server",
            vec![("guildId", "99")],
            vec![user(), guilds("8")],
            Kind::Permanent,
            "invite",
        ),
        ("too many servers", vec![], vec![user(), many()], Kind::Permanent, "channelId"),
        (
            "no channel",
            vec![],
            vec![user(), guilds("8"), guild(0), answered(200, &json!([]))],
            Kind::Permanent,
            "no channel",
        ),
        ("down", vec![], vec![user(), answered_text(503, "")], Kind::Temporary, "failed"),
        ("a page", vec![], vec![answered_text(200, "<html>")], Kind::Temporary, "read"),
    ] {
        let error = connects(&values, &answers).1.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
        assert!(!error.message.contains("bot-token"), "{name}");
    }
}
