//! Capability sheets, and the answer of a dry run.

use scheduler_core::platform::{Metric, Platform, RequiredMedia};
use serde_json::{Value, json};

use crate::openapi::schema::{
    count, flag, list, named, named_all, object, one_of, one_of_all, said, text,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    let names = one_of(Platform::ALL.iter().map(|platform| platform.as_str()));
    let sheets = json!({
        "type": "object",
        "description": "The sheet of every network, by its name.",
        "propertyNames": names,
        "additionalProperties": named("PlatformCapabilities"),
        "minProperties": Platform::ALL.len(),
    });
    named_all([
        ("PlatformCapabilities", sheet()),
        ("PlatformSheets", object([("data", sheets)])),
        (
            "CheckReport",
            object([
                ("ok", said(flag(), "False when any issue is an error.")),
                ("issues", list(named("ValidationIssue"))),
            ]),
        ),
    ])
}

fn sheet() -> Value {
    let required = [
        RequiredMedia::None,
        RequiredMedia::Image,
        RequiredMedia::Video,
        RequiredMedia::ImageOrVideo,
    ];
    let schema = object([
        ("platform", named("Platform")),
        ("name", said(text(), "The network's name for people.")),
        (
            "charLimit",
            said(
                count(),
                "Longest text, as the network counts it; `notes` says how where that is not obvious.",
            ),
        ),
        ("requiresMedia", said(one_of_all(&required), "Which files a post cannot do without.")),
        ("supportsImage", flag()),
        ("supportsVideo", flag()),
        ("allowsEmptyText", said(flag(), "Whether the text may be empty when there are files.")),
        ("maxMediaPerPost", count()),
        ("maxImageBytes", count()),
        ("maxVideoBytes", count()),
        ("minVideoDurationSeconds?", count()),
        ("maxVideoDurationSeconds?", count()),
        ("minVideoFps?", count()),
        ("maxVideoFps?", count()),
        ("supportsThread", said(flag(), "Option `thread`.")),
        ("supportsAltText", flag()),
        ("supportsThumbnail", said(flag(), "Option `thumbnailMediaId`.")),
        ("supportsFirstComment", said(flag(), "Option `firstComment`.")),
        ("canEditRemote", said(flag(), "Whether a live post can be edited.")),
        ("canDeleteRemote", said(flag(), "Whether a live post can be taken down.")),
        ("canReadComments", flag()),
        ("reportsFollowers", flag()),
        ("metricFields", said(list(one_of_all(&Metric::ALL)), "The figures that it reports.")),
        ("notes", said(text(), "What a person should know besides.")),
    ]);
    said(
        schema,
        "What a network takes and offers. A bound that it does not set is left out. Limits that differ by account are read from the network and override the sheet for that account.",
    )
}
