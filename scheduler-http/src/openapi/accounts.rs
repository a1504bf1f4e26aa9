//! Connected accounts.

use scheduler_core::app::{AUDIENCE_DAYS_DEFAULT, AUDIENCE_DAYS_MAX, MENTION_QUERY_MAX_CHARACTERS};
use scheduler_core::error::ErrorCode as Code;
use serde_json::json;

use super::examples::ACCOUNT;
use super::operation::{Operation, Parameter};
use super::posts::up_to;
use super::schema::{named, text, with};
use crate::endpoints::{
    CREATE_PLAYLIST, LIST_ACCOUNTS, LIST_BOARDS, LIST_MENTIONS, LIST_PLAYLISTS, SHOW_AUDIENCE,
    SHOW_CREATOR,
};

/// What a question to an account's network may be refused for.
const OF_THE_NETWORK: &[Code] = &[
    Code::NotFound,
    Code::AccountNotConnected,
    Code::Unsupported,
    Code::NetworkError,
    Code::NetworkRefused,
    Code::InDoubt,
];

pub(super) fn operations() -> Vec<Operation> {
    vec![list(), audience(), boards(), playlists(), create_playlist(), creator(), mentions()]
}

fn list() -> Operation {
    let account = json!({
        "id": ACCOUNT,
        "platform": "mastodon",
        "username": "bakery@mastodon.example",
        "displayName": "The bakery",
        "avatarUrl": "https://mastodon.example/avatars/bakery.png",
        "connection": null,
        "canDeleteRemote": true,
        "needsReconnect": false,
        "paused": false,
        "timezone": "Europe/Berlin",
    });
    Operation::new(
        &LIST_ACCOUNTS,
        "List the connected accounts",
        "In the order in which they were connected. Accounts are connected and disconnected with the `scheduler` command, not over the API.",
    )
    .answers(200, "The accounts.", named("AccountList"), json!({"data": [account]}))
}

fn audience() -> Operation {
    let series = json!({
        "accountId": ACCOUNT,
        "platform": "mastodon",
        "username": "bakery@mastodon.example",
        "displayName": "The bakery",
        "readings": [
            {"date": "2026-11-20", "followers": 812},
            {"date": "2026-11-21", "followers": 815},
        ],
    });
    Operation::new(
        &SHOW_AUDIENCE,
        "Show how many follow each account",
        "One series of daily readings for every account whose network reports followers.",
    )
    .query(Parameter::optional(
        "days",
        "How many days back, today included.",
        up_to(AUDIENCE_DAYS_MAX, AUDIENCE_DAYS_DEFAULT),
    ))
    .answers(200, "The series.", named("AudienceList"), json!({"data": [series]}))
}

fn boards() -> Operation {
    Operation::new(
        &LIST_BOARDS,
        "List the boards of a Pinterest account",
        "Pass an `id` as the option `boardId` of a target.",
    )
    .answers(
        200,
        "The boards.",
        named("BoardList"),
        json!({"data": [{"id": "549755885175", "name": "Cakes"}]}),
    )
    .refuses(OF_THE_NETWORK)
}

fn playlists() -> Operation {
    let playlist = json!({"id": "PLrAXtmErZgOe", "title": "Baking", "privacy": "public"});
    Operation::new(
        &LIST_PLAYLISTS,
        "List the playlists of a YouTube channel",
        "Pass an `id` as the option `playlistId` of a target.",
    )
    .answers(200, "The playlists.", named("PlaylistList"), json!({"data": [playlist]}))
    .refuses(OF_THE_NETWORK)
}

fn create_playlist() -> Operation {
    let created = json!({"id": "PLrAXtmErZgOe", "title": "Baking", "privacy": "unlisted", "duplicate": false});
    Operation::new(
        &CREATE_PLAYLIST,
        "Create a playlist of a YouTube channel",
        "A playlist of the same title is answered in place of a second one, with `duplicate: true`.\n\nA repeat under the same `Idempotency-Key` waits while the first request is under way, and is answered 409 `in_flight` when that takes long, 409 `in_doubt` when the network's answer was lost: then look at the channel, and use another key if it is not there.",
    )
    .reads(named("NewPlaylist"), json!({"title": "Baking", "privacy": "unlisted"}))
    .answers(201, "The playlist.", named("CreatedPlaylist"), created.clone())
    .answers(
        200,
        "What was answered before to this `Idempotency-Key`.",
        named("CreatedPlaylist"),
        created,
    )
    .refuses(&[
        Code::NotFound,
        Code::AccountNotConnected,
        Code::Unsupported,
        Code::NetworkError,
        Code::NetworkRefused,
        Code::InDoubt,
        Code::InFlight,
    ])
}

fn creator() -> Operation {
    let creator = json!({
        "privacyLevels": ["PUBLIC_TO_EVERYONE", "SELF_ONLY"],
        "commentDisabled": false,
        "duetDisabled": true,
        "stitchDisabled": true,
        "maxVideoDurationSeconds": 600,
    });
    Operation::new(
        &SHOW_CREATOR,
        "Show what TikTok allows an account",
        "`privacyLevels` are the values that the option `privacy` may have for this account at present.",
    )
    .answers(200, "What is allowed.", named("Creator"), creator)
    .refuses(OF_THE_NETWORK)
}

fn mentions() -> Operation {
    let found = json!({"handle": "@ann@social.example", "name": "Ann"});
    Operation::new(
        &LIST_MENTIONS,
        "Look up names to mention",
        "Where the network offers it; for others the list is empty.",
    )
    .query(
        Parameter::required(
            "q",
            "The begin of a name.",
            with(text(), json!({"minLength": 1, "maxLength": MENTION_QUERY_MAX_CHARACTERS})),
        )
        .for_example("ann"),
    )
    .answers(200, "The names.", named("MentionList"), json!({"data": [found]}))
    .refuses(OF_THE_NETWORK)
}
