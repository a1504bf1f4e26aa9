//! The resources as the interface description writes them, and a look whether an answer is one.

use serde_json::Value;

/// What a value has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Text,
    Uuid,
    Instant,
    Address,
    Integer,
    Number,
    Flag,
    /// An object whose keys are not written down.
    Free,
    OneOf(&'static [&'static str]),
    OrNull(&'static Shape),
    List(&'static Shape),
    /// An object of one kind of value.
    Map(&'static Shape),
    /// An object with these fields and no others.
    Fields(&'static [(&'static str, Shape)]),
    /// The same, and some that may be missing.
    Some(&'static [(&'static str, Shape)], &'static [(&'static str, Shape)]),
}

use Shape::*;

const TEXT_OR_NULL: Shape = OrNull(&Text);
const INSTANT_OR_NULL: Shape = OrNull(&Instant);
const INTEGER_OR_NULL: Shape = OrNull(&Integer);
const NUMBER_OR_NULL: Shape = OrNull(&Number);
const ADDRESS_OR_NULL: Shape = OrNull(&Address);

pub(crate) const PLATFORMS: &[&str] = &[
    "youtube",
    "tiktok",
    "instagram",
    "facebook",
    "threads",
    "twitter",
    "linkedin",
    "pinterest",
    "bluesky",
    "mastodon",
    "telegram",
    "discord",
    "tumblr",
];
const PLATFORM: Shape = OneOf(PLATFORMS);

/// `rule`, `target` and `detail` are additions of ours.
pub(crate) const ISSUE: Shape = Some(
    &[("severity", OneOf(&["error", "warning"])), ("message", Text), ("rule", Text)],
    &[
        ("platform", PLATFORM),
        ("code", OneOf(&["post_limit", "upload_limit", "channel_limit"])),
        ("target", Integer),
        ("detail", Free),
    ],
);

pub(crate) const ERROR: Shape = Fields(&[(
    "error",
    Some(
        &[("code", Text), ("message", Text)],
        &[
            ("field", Text),
            ("limit", Integer),
            ("upgradeTo", Text),
            ("issues", List(&ISSUE)),
            ("current", Free),
        ],
    ),
)]);

/// With the attempts that failed, which are an addition of ours, where there are any.
pub(crate) const TARGET: Shape = Some(TARGET_FIELDS, &[("failedAttempts", List(&FAILED_ATTEMPT))]);

const FAILED_ATTEMPT: Shape = Fields(&[
    ("at", Instant),
    ("errorCode", Text),
    ("error", Text),
    ("nextAttemptAt", INSTANT_OR_NULL),
]);

const TARGET_FIELDS: &[(&str, Shape)] = &[
    ("id", Uuid),
    ("platform", PLATFORM),
    ("accountId", Uuid),
    ("status", OneOf(&["pending", "publishing", "published", "failed", "skipped"])),
    ("remoteId", TEXT_OR_NULL),
    ("remoteUrl", ADDRESS_OR_NULL),
    ("publishedAt", INSTANT_OR_NULL),
    ("error", TEXT_OR_NULL),
    ("errorCode", TEXT_OR_NULL),
    ("errorPermanent", Flag),
    ("attempts", Integer),
    ("nextAttemptAt", INSTANT_OR_NULL),
    ("canEditRemote", Flag),
    ("canDeleteRemote", Flag),
    ("options", Free),
    ("metrics", OrNull(&Free)),
];

/// Labels, note, metadata, timing and revision are additions of ours.
const POST_FIELDS: &[(&str, Shape)] = &[
    ("id", Uuid),
    ("status", OneOf(&["draft", "scheduled", "publishing", "done", "canceled"])),
    ("content", Text),
    ("linkUrl", ADDRESS_OR_NULL),
    ("mediaIds", List(&Uuid)),
    ("altTexts", List(&TEXT_OR_NULL)),
    ("labels", List(&Text)),
    ("note", TEXT_OR_NULL),
    ("metadata", Map(&Text)),
    (
        "timing",
        Some(
            &[("kind", OneOf(&["instant", "local", "queue", "now", "draft"]))],
            &[("local", Text)],
        ),
    ),
    ("scheduledAt", INSTANT_OR_NULL),
    ("approvalState", OrNull(&OneOf(&["pending", "approved", "changes"]))),
    ("createdAt", Instant),
    ("updatedAt", Instant),
    ("revision", Integer),
    ("targets", List(&TARGET)),
];
/// With its issues, which are an addition of ours, wherever it is shown alone, and with what the
/// team says of it, where its workspace asks.
pub(crate) const POST: Shape = Some(POST_FIELDS, &[("issues", List(&ISSUE)), ("review", Free)]);
pub(crate) const BATCH: Shape = Fields(&[(
    "results",
    List(&Some(
        &[("key", Text), ("status", Integer)],
        &[("post", POST), ("error", Free), ("issues", List(&ISSUE))],
    )),
)]);
pub(crate) const TAKEN_DOWN: Shape = Fields(&[(
    "results",
    List(&Some(
        &[
            ("targetId", Uuid),
            ("platform", PLATFORM),
            ("accountId", Uuid),
            (
                "outcome",
                OneOf(&["canceled", "taken_down", "left", "going_out", "in_doubt", "not_live"]),
            ),
        ],
        &[("remoteUrl", Text), ("error", Free)],
    )),
)]);
pub(crate) const RETRIED: Shape = Fields(&[("retried", Integer), ("skipped", Integer)]);

pub(crate) const POST_PAGE: Shape = Fields(&[("data", List(&POST)), ("nextCursor", TEXT_OR_NULL)]);

const MEDIA_FIELDS: &[(&str, Shape)] = &[
    ("id", Uuid),
    ("kind", OneOf(&["image", "video"])),
    (
        "status",
        OneOf(&["awaiting_upload", "ingesting", "processing", "ready", "failed", "deleted"]),
    ),
    ("mimeType", TEXT_OR_NULL),
    ("sizeBytes", INTEGER_OR_NULL),
    ("durationSeconds", NUMBER_OR_NULL),
    ("width", INTEGER_OR_NULL),
    ("height", INTEGER_OR_NULL),
    ("fps", NUMBER_OR_NULL),
    ("fileName", TEXT_OR_NULL),
    // Three additions to the contract.
    ("name", TEXT_OR_NULL),
    ("labels", List(&Text)),
    ("altText", TEXT_OR_NULL),
    ("previewUrl", ADDRESS_OR_NULL),
    ("error", TEXT_OR_NULL),
    ("createdAt", Instant),
];
pub(crate) const MEDIA: Shape = Fields(MEDIA_FIELDS);
/// A file that was made of another, an addition of ours.
pub(crate) const VERSION: Shape = Some(MEDIA_FIELDS, &[("originalId", Uuid)]);
/// A file that still awaits its bytes is shown with fresh addresses, an addition of ours.
pub(crate) const SHOWN_MEDIA: Shape = Some(MEDIA_FIELDS, &[("upload", UPLOAD)]);
/// The name `postCount` is our decision; pages are an addition to the contract.
pub(crate) const MEDIA_LIST: Shape = Fields(&[
    ("data", List(&Some(MEDIA_FIELDS, &[("postCount", Integer)]))),
    ("nextCursor", TEXT_OR_NULL),
]);

const PART: Shape = Fields(&[("partNumber", Integer), ("url", Address)]);
const UPLOAD: Shape = Some(
    &[("mode", OneOf(&["single", "multipart", "ingest"]))],
    &[
        ("uploadUrl", Address),
        ("headers", Map(&Text)),
        ("partSize", Integer),
        ("parts", List(&PART)),
    ],
);
pub(crate) const SINGLE: Shape = Fields(&[
    ("media", MEDIA),
    (
        "upload",
        Fields(&[("mode", OneOf(&["single"])), ("uploadUrl", Address), ("headers", Map(&Text))]),
    ),
]);
pub(crate) const MULTIPART: Shape = Fields(&[
    ("media", MEDIA),
    (
        "upload",
        Fields(&[("mode", OneOf(&["multipart"])), ("partSize", Integer), ("parts", List(&PART))]),
    ),
]);
pub(crate) const INGEST: Shape =
    Fields(&[("media", MEDIA), ("upload", Fields(&[("mode", OneOf(&["ingest"]))]))]);

pub(crate) const ACCOUNTS: Shape = Fields(&[(
    "data",
    List(&Fields(&[
        ("id", Uuid),
        ("platform", PLATFORM),
        ("username", TEXT_OR_NULL),
        ("displayName", TEXT_OR_NULL),
        ("avatarUrl", TEXT_OR_NULL),
        ("connection", OrNull(&OneOf(&["direct", "via_page"]))),
        ("canDeleteRemote", Flag),
        ("needsReconnect", Flag),
        ("paused", Flag),
        ("timezone", TEXT_OR_NULL),
    ])),
)]);

/// A bound that the network does not set is left out, which is our decision.
pub(crate) const CAPABILITIES: Shape = Fields(&[(
    "data",
    Map(&Some(
        &[
            ("platform", PLATFORM),
            ("name", Text),
            ("charLimit", Integer),
            ("requiresMedia", OneOf(&["none", "image", "video", "image_or_video"])),
            ("supportsImage", Flag),
            ("supportsVideo", Flag),
            ("allowsEmptyText", Flag),
            ("maxMediaPerPost", Integer),
            ("maxImageBytes", Integer),
            ("maxVideoBytes", Integer),
            ("supportsThread", Flag),
            ("supportsAltText", Flag),
            ("supportsThumbnail", Flag),
            ("supportsFirstComment", Flag),
            ("canEditRemote", Flag),
            ("canDeleteRemote", Flag),
            ("canReadComments", Flag),
            ("reportsFollowers", Flag),
            ("metricFields", List(&Text)),
            ("notes", Text),
        ],
        &[
            ("minVideoDurationSeconds", Number),
            ("maxVideoDurationSeconds", Number),
            ("minVideoFps", Number),
            ("maxVideoFps", Number),
        ],
    )),
)]);

/// How long its texts are and when it would go out are additions of ours.
pub(crate) const REPORT: Shape = Some(
    &[("ok", Flag), ("issues", List(&ISSUE))],
    &[("counts", List(&COUNT)), ("times", List(&TIME))],
);
const COUNT: Shape = Some(
    &[("target", Integer), ("part", Text), ("unit", Text), ("used", Integer), ("limit", Integer)],
    &[("overAt", Integer)],
);
const TIME: Shape = Some(
    &[("target", Integer), ("instant", Instant), ("local", Text), ("zone", Text)],
    &[("asked", Text), ("shifted", Flag)],
);

pub(crate) const COMMENT: Shape = Fields(&[
    ("id", Text),
    ("author", TEXT_OR_NULL),
    ("text", Text),
    ("createdAt", INSTANT_OR_NULL),
    ("own", Flag),
    ("hidden", Flag),
    ("likeCount", INTEGER_OR_NULL),
]);
pub(crate) const COMMENTS: Shape = Fields(&[
    ("data", List(&COMMENT)),
    ("supported", Flag),
    (
        "can",
        Fields(&[
            ("reply", Flag),
            ("edit", Flag),
            ("hide", Flag),
            ("like", Flag),
            ("delete", Flag),
        ]),
    ),
]);

/// Other fields are the figures, by metric.
pub(crate) const FIGURES: Shape = Free;
pub(crate) const HISTORY: Shape = Fields(&[("data", List(&Free))]);
pub(crate) const QUEUED: Shape = Fields(&[("queued", Integer)]);

pub(crate) const BOARDS: Shape =
    Fields(&[("data", List(&Fields(&[("id", Text), ("name", Text)])))]);
const PRIVACY: Shape = OneOf(&["public", "unlisted", "private"]);
pub(crate) const PLAYLISTS: Shape =
    Fields(&[("data", List(&Fields(&[("id", Text), ("title", Text), ("privacy", PRIVACY)])))]);
pub(crate) const NEW_PLAYLIST: Shape =
    Fields(&[("id", Text), ("title", Text), ("privacy", PRIVACY), ("duplicate", Flag)]);
pub(crate) const CREATOR: Shape = Fields(&[
    ("privacyLevels", List(&Text)),
    ("commentDisabled", Flag),
    ("duetDisabled", Flag),
    ("stitchDisabled", Flag),
    ("maxVideoDurationSeconds", Integer),
]);
pub(crate) const MENTIONS: Shape =
    Fields(&[("data", List(&Fields(&[("handle", Text), ("name", Text)])))]);

pub(crate) const CAPTIONS: Shape = Fields(&[("captions", Map(&Text))]);

pub(crate) const SNIPPET: Shape = Fields(&[("name", Text), ("text", Text), ("updatedAt", Instant)]);
pub(crate) const SNIPPETS: Shape = Fields(&[("data", List(&SNIPPET))]);

const WEBHOOK_FIELDS: &[(&str, Shape)] = &[
    ("id", Uuid),
    ("url", Address),
    ("events", List(&OneOf(&["post.published", "post.failed"]))),
    ("createdAt", Instant),
];
pub(crate) const WEBHOOK_TEST: Shape =
    Fields(&[("status", INTEGER_OR_NULL), ("ms", Integer), ("answer", Text)]);
pub(crate) const WEBHOOK: Shape = Fields(WEBHOOK_FIELDS);
pub(crate) const WEBHOOKS: Shape = Fields(&[("data", List(&WEBHOOK))]);
pub(crate) const NEW_WEBHOOK: Shape = Fields(&[
    ("id", Uuid),
    ("url", Address),
    ("events", List(&OneOf(&["post.published", "post.failed"]))),
    ("createdAt", Instant),
    ("secret", Text),
]);

impl Shape {
    /// What is wrong with a value; `at` says where it stands.
    pub(crate) fn faults(&self, value: &Value, at: &str) -> Vec<String> {
        let fits = match self {
            Text => value.is_string(),
            Uuid => value.as_str().is_some_and(|text| uuid::Uuid::parse_str(text).is_ok()),
            Instant => value
                .as_str()
                .is_some_and(|text| chrono::DateTime::parse_from_rfc3339(text).is_ok()),
            Address => value.as_str().is_some_and(|text| url::Url::parse(text).is_ok()),
            Integer => value.is_i64() || value.is_u64(),
            Number => value.is_number(),
            Flag => value.is_boolean(),
            Free => value.is_object(),
            OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
            OrNull(shape) => {
                return if value.is_null() { Vec::new() } else { shape.faults(value, at) };
            }
            List(shape) => {
                let Option::Some(items) = value.as_array() else {
                    return vec![format!("{at} is {value}, want a list")];
                };
                let items = items.iter().enumerate();
                return items
                    .flat_map(|(index, item)| shape.faults(item, &format!("{at}[{index}]")))
                    .collect();
            }
            Map(shape) => {
                let Option::Some(object) = value.as_object() else {
                    return vec![format!("{at} is {value}, want an object")];
                };
                let fields = object.iter();
                return fields
                    .flat_map(|(name, value)| shape.faults(value, &format!("{at}.{name}")))
                    .collect();
            }
            Fields(fields) => return fields_faults(fields, &[], value, at),
            Some(fields, optional) => return fields_faults(fields, optional, value, at),
        };
        if fits { Vec::new() } else { vec![format!("{at} is {value}, want {self:?}")] }
    }
}

fn fields_faults(
    fields: &[(&'static str, Shape)],
    optional: &[(&'static str, Shape)],
    value: &Value,
    at: &str,
) -> Vec<String> {
    let Option::Some(object) = value.as_object() else {
        return vec![format!("{at} is {value}, want an object")];
    };
    let mut faults = Vec::new();
    for (name, shape) in fields {
        match object.get(*name) {
            Option::Some(value) => faults.extend(shape.faults(value, &format!("{at}.{name}"))),
            None => faults.push(format!("{at}.{name} is missing")),
        }
    }
    for (name, value) in object {
        if fields.iter().any(|(known, _)| known == name) {
            continue;
        }
        match optional.iter().find(|(known, _)| known == name) {
            Option::Some((_, shape)) => faults.extend(shape.faults(value, &format!("{at}.{name}"))),
            None => faults.push(format!("{at}.{name} is too many")),
        }
    }
    faults
}

#[test]
fn a_shape_finds_what_is_wrong() {
    let good = serde_json::json!({"id": "1", "name": "a"});
    for (name, value, want) in [
        ("good", good.clone(), ""),
        (
            "too many",
            serde_json::json!({"id": "1", "name": "a", "x": 1}),
            "$.data[0].x is too many",
        ),
        ("missing", serde_json::json!({"id": "1"}), "$.data[0].name is missing"),
        ("another type", serde_json::json!({"id": 1, "name": "a"}), "$.data[0].id is 1, want Text"),
        ("null", serde_json::json!({"id": null, "name": "a"}), "$.data[0].id is null, want Text"),
        ("no object", serde_json::json!([]), "$.data[0] is [], want an object"),
    ] {
        let faults = BOARDS.faults(&serde_json::json!({"data": [value]}), "$");
        assert_eq!(faults.join("; "), want, "{name}");
    }
}
