//! Accounts, and what their networks say of them.

use scheduler_core::account::Connection;
use scheduler_core::platform::youtube::PLAYLIST_TITLE_MAX_CHARACTERS;
use scheduler_core::ports::PlaylistPrivacy;
use serde_json::{Value, json};

use crate::openapi::schema::{
    count, data_of, flag, list, named, named_all, object, one_of_all, open_object, or_null, said,
    text, uuid, with,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("Account", account()),
        ("AccountList", data_of(named("Account"))),
        ("AudienceSeries", audience()),
        ("AudienceList", data_of(named("AudienceSeries"))),
        ("BoardList", data_of(object([("id", text()), ("name", text())]))),
        (
            "PlaylistPrivacy",
            one_of_all(&[
                PlaylistPrivacy::Public,
                PlaylistPrivacy::Unlisted,
                PlaylistPrivacy::Private,
            ]),
        ),
        (
            "PlaylistList",
            data_of(object([
                ("id", text()),
                ("title", text()),
                ("privacy", named("PlaylistPrivacy")),
            ])),
        ),
        ("NewPlaylist", new_playlist()),
        (
            "CreatedPlaylist",
            object([
                ("id", text()),
                ("title", text()),
                ("privacy", named("PlaylistPrivacy")),
                (
                    "duplicate",
                    said(flag(), "True when one of that title was there and nothing was made."),
                ),
            ]),
        ),
        ("Creator", creator()),
        (
            "MentionList",
            data_of(object([
                ("handle", said(text(), "What is written into the text.")),
                ("name", said(text(), "What people see.")),
            ])),
        ),
    ])
}

fn account() -> Value {
    let connection = one_of_all(&[Connection::Direct, Connection::ViaPage]);
    object([
        ("id", uuid()),
        ("platform", named("Platform")),
        ("username", or_null(text())),
        ("displayName", or_null(text())),
        ("avatarUrl", or_null(text())),
        ("connection", said(or_null(connection), "For Instagram: how it is connected.")),
        ("canDeleteRemote", said(flag(), "Whether its live posts can be taken down.")),
        ("needsReconnect", said(flag(), "True when the network has refused its token for good.")),
        ("paused", said(flag(), "True when it is beyond the channels that the plan covers.")),
        (
            "timezone",
            said(
                or_null(text()),
                "The IANA zone in which its times are read; null for that of the workspace, else UTC.",
            ),
        ),
    ])
}

fn audience() -> Value {
    let reading = open_object([
        ("date", said(json!({"type": "string", "format": "date"}), "The day, in UTC.")),
        ("followers", count()),
    ]);
    let schema = open_object([
        ("accountId", uuid()),
        ("platform", named("Platform")),
        ("username", or_null(text())),
        ("displayName", or_null(text())),
        ("readings", said(list(reading), "Oldest day first; a day without a reading is left out.")),
    ]);
    said(schema, "How many follow an account, day by day.")
}

fn new_playlist() -> Value {
    let title = with(text(), json!({"minLength": 1, "maxLength": PLAYLIST_TITLE_MAX_CHARACTERS}));
    let privacy = json!({
        "anyOf": [named("PlaylistPrivacy"), {"type": "null"}],
        "default": PlaylistPrivacy::default(),
    });
    object([("title", title), ("privacy?", privacy)])
}

fn creator() -> Value {
    object([
        (
            "privacyLevels",
            said(list(text()), "The values that `privacy` may have for this account."),
        ),
        ("commentDisabled", flag()),
        ("duetDisabled", flag()),
        ("stitchDisabled", flag()),
        ("maxVideoDurationSeconds", count()),
    ])
}
