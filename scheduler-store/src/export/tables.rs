//! What an export holds of each table, and why the rest is left out.

/// How a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An id.
    Id,
    /// A text.
    Text,
    /// JSON that is kept as text; a text where it is none.
    Json,
    /// An instant, as RFC 3339.
    Instant,
    /// A whole number.
    Whole,
    /// A number.
    Real,
    /// True or false.
    Flag,
}

/// A column, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// It is written under a name.
    Shown(&'static str, &'static str, Kind),
    /// It is left out, for a reason.
    Left(&'static str, &'static str),
}

/// A table, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Its name.
    pub(super) name: &'static str,
    /// Its rows as lines, or why there are none.
    pub(super) rows: Rows,
}

/// The rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows {
    /// Each is a line.
    Lines(Lines),
    /// Each is in the list of the line of its post.
    InPosts(&'static [Column]),
    /// They are left out, for a reason.
    Left(&'static str),
}

/// How the rows of a table become lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// The type that the lines name.
    pub(super) kind: &'static str,
    /// All of its columns.
    pub(super) columns: &'static [Column],
    /// What joins a row `t` to its workspace, where the row does not name it.
    pub(super) join: &'static str,
    /// The column that holds the workspace.
    pub(super) workspace: &'static str,
    /// The order, which is the same in every export.
    pub(super) order: &'static str,
}

use Column::{Left, Shown};
use Kind::{Flag, Id, Instant, Json, Real, Text, Whole};

const OF_LINE: &str = "every line is of the workspace of the first";
const GUARD: &str = "guards changes while they are made";
const SECRET: &str = "secret";
const DERIVED: &str = "follows from other columns";

/// Every table of the schema, in the order of the export.
pub(super) const TABLES: [Table; 28] = [
    Table {
        name: "workspaces",
        rows: Rows::Lines(Lines {
            kind: "workspace",
            columns: &[
                Shown("id", "id", Id),
                Shown("name", "name", Text),
                Shown("plan", "plan", Text),
                Shown("timezone", "timezone", Text),
                Shown("created_at", "createdAt", Instant),
            ],
            join: "",
            workspace: "t.id",
            order: "t.id",
        }),
    },
    Table {
        name: "keys",
        rows: Rows::Lines(Lines {
            kind: "key",
            columns: &[
                Shown("id", "id", Id),
                Left("workspace_id", OF_LINE),
                Shown("name", "name", Text),
                Left("hash", SECRET),
                Left("hint", "the beginning of a secret"),
                Shown("scopes", "scopes", Text),
                Shown("created_at", "createdAt", Instant),
                Shown("expires_at", "expiresAt", Instant),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.created_at, t.id",
        }),
    },
    Table {
        name: "accounts",
        rows: Rows::Lines(Lines {
            kind: "account",
            columns: &[
                Shown("id", "id", Id),
                Left("workspace_id", OF_LINE),
                Shown("platform", "platform", Text),
                Shown("network_id", "networkId", Text),
                Shown("server_url", "serverUrl", Text),
                Shown("username", "username", Text),
                Shown("display_name", "displayName", Text),
                Shown("avatar_url", "avatarUrl", Text),
                Shown("connection", "connection", Text),
                Shown("needs_reconnect", "needsReconnect", Flag),
                Shown("timezone", "timezone", Text),
                Shown("schedule", "schedule", Text),
                Shown("limits", "limits", Json),
                Shown("connected_at", "connectedAt", Instant),
                Shown("disconnected_at", "disconnectedAt", Instant),
                Left("credentials", SECRET),
                Left("credentials_expire_at", "of no use without the credentials"),
                Left("credentials_version", GUARD),
                Left("refresh_leased_until", GUARD),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.connected_at, t.id",
        }),
    },
    Table {
        name: "media",
        rows: Rows::Lines(Lines {
            kind: "media",
            columns: &[
                Shown("id", "id", Id),
                Left("workspace_id", OF_LINE),
                Shown("kind", "kind", Text),
                Shown("status", "status", Text),
                Shown("mime_type", "mimeType", Text),
                Shown("size_bytes", "sizeBytes", Whole),
                Shown("duration_seconds", "durationSeconds", Real),
                Shown("width", "width", Whole),
                Shown("height", "height", Whole),
                Shown("fps", "fps", Real),
                Shown("file_name", "fileName", Text),
                Shown("error", "error", Text),
                Shown("created_at", "createdAt", Instant),
                Shown("video_codec", "videoCodec", Text),
                Shown("frame_count", "frameCount", Whole),
                Left("transfer", "how far an upload has come"),
                Left("source_url", SECRET),
                Shown("has_preview", "hasPreview", Flag),
                Left("due_at", "how far an upload has come"),
                Left("tries", "how far an upload has come"),
                Left("version", GUARD),
                Shown("allowance_bytes", "allowanceBytes", Whole),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.created_at, t.id",
        }),
    },
    Table {
        name: "posts",
        rows: Rows::Lines(Lines {
            kind: "post",
            columns: &[
                Shown("id", "id", Id),
                Left("workspace_id", OF_LINE),
                Shown("status", "status", Text),
                Shown("content", "content", Text),
                Shown("link_url", "linkUrl", Text),
                Shown("media_ids", "mediaIds", Json),
                Shown("alt_texts", "altTexts", Json),
                Shown("scheduled_at", "scheduledAt", Instant),
                Shown("approval_state", "approvalState", Text),
                Shown("created_at", "createdAt", Instant),
                Shown("updated_at", "updatedAt", Instant),
                Shown("idempotency_key", "key", Text),
                Left("idempotency_body", GUARD),
                Left("version", GUARD),
                Left("moment", DERIVED),
                Left("went_out", DERIVED),
                Left("allowance_month", DERIVED),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.id",
        }),
    },
    Table {
        name: "targets",
        rows: Rows::InPosts(&[
            Shown("id", "id", Id),
            Left("post_id", "stands in its post"),
            Left("position", "its place in the list"),
            Shown("platform", "platform", Text),
            Shown("account_id", "accountId", Id),
            Shown("status", "status", Text),
            Shown("options", "options", Json),
            Shown("due_at", "dueAt", Instant),
            Shown("slot_at", "slotAt", Instant),
            Shown("remote_id", "remoteId", Text),
            Shown("remote_url", "remoteUrl", Text),
            Left("remote_record", "an adapter's own, and may hold what opens the post"),
            Shown("published_at", "publishedAt", Instant),
            Shown("failure_message", "error", Text),
            Shown("failure_code", "errorCode", Text),
            Shown("failure_permanent", "errorPermanent", Flag),
            Shown("attempts", "attempts", Whole),
            Left("spent_tries", GUARD),
            Left("spent_rate_limits", GUARD),
            Left("revision", GUARD),
            Left("progress", "an adapter's own, and may hold signed addresses"),
        ]),
    },
    Table {
        name: "approvals",
        rows: Rows::Lines(Lines {
            kind: "approval",
            columns: &[
                Shown("post_id", "postId", Id),
                Left("workspace_id", OF_LINE),
                Left("pass", SECRET),
                Shown("created_at", "createdAt", Instant),
                Shown("expires_at", "expiresAt", Instant),
                Shown("decided_at", "decidedAt", Instant),
                Shown("note", "note", Text),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.created_at, t.post_id",
        }),
    },
    Table {
        name: "reviews",
        rows: Rows::Lines(Lines {
            kind: "review",
            columns: &[
                Shown("target_id", "targetId", Id),
                Shown("post_id", "postId", Id),
                Shown("review", "review", Json),
                Shown("created_at", "createdAt", Instant),
            ],
            join: "JOIN posts p ON p.id = t.post_id",
            workspace: "p.workspace_id",
            order: "t.target_id",
        }),
    },
    Table {
        name: "readings",
        rows: Rows::Lines(Lines {
            kind: "reading",
            columns: &[
                Shown("target_id", "targetId", Id),
                Shown("at", "at", Instant),
                Shown("figures", "figures", Json),
            ],
            join: "JOIN reading_plans r ON r.target_id = t.target_id \
                   JOIN accounts a ON a.id = r.account_id",
            workspace: "a.workspace_id",
            order: "t.target_id, t.at",
        }),
    },
    Table {
        name: "followers",
        rows: Rows::Lines(Lines {
            kind: "followers",
            columns: &[
                Shown("account_id", "accountId", Id),
                Shown("day", "day", Whole),
                Shown("followers", "followers", Whole),
            ],
            join: "JOIN accounts a ON a.id = t.account_id",
            workspace: "a.workspace_id",
            order: "t.account_id, t.day",
        }),
    },
    Table {
        name: "webhooks",
        rows: Rows::Lines(Lines {
            kind: "webhook",
            columns: &[
                Shown("id", "id", Id),
                Left("workspace_id", OF_LINE),
                Shown("url", "url", Text),
                Shown("events", "events", Json),
                Left("secret", SECRET),
                Shown("created_at", "createdAt", Instant),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.created_at, t.id",
        }),
    },
    Table {
        name: "events",
        rows: Rows::Lines(Lines {
            kind: "event",
            columns: &[
                Shown("id", "id", Id),
                Left("workspace_id", OF_LINE),
                Shown("kind", "kind", Text),
                Shown("created_at", "createdAt", Instant),
                Shown("body", "body", Json),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.id",
        }),
    },
    Table {
        name: "deliveries",
        rows: Rows::Lines(Lines {
            kind: "delivery",
            columns: &[
                Shown("id", "id", Id),
                Shown("event_id", "eventId", Id),
                Shown("webhook_id", "webhookId", Id),
                Left("workspace_id", OF_LINE),
                Shown("status", "status", Text),
                Shown("attempts", "attempts", Whole),
                Shown("created_at", "createdAt", Instant),
                Shown("ended_at", "endedAt", Instant),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.id",
        }),
    },
    Table {
        name: "delivery_attempts",
        rows: Rows::Lines(Lines {
            kind: "deliveryAttempt",
            columns: &[
                Shown("delivery_id", "deliveryId", Id),
                Shown("position", "position", Whole),
                Shown("at", "at", Instant),
                Shown("status", "status", Whole),
                Shown("answer", "answer", Text),
            ],
            join: "JOIN deliveries d ON d.id = t.delivery_id",
            workspace: "d.workspace_id",
            order: "t.delivery_id, t.position",
        }),
    },
    Table {
        name: "post_counts",
        rows: Rows::Lines(Lines {
            kind: "postCount",
            columns: &[
                Left("workspace_id", OF_LINE),
                Shown("month", "month", Whole),
                Shown("posts", "posts", Whole),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.month",
        }),
    },
    Table {
        name: "media_counts",
        rows: Rows::Lines(Lines {
            kind: "mediaCount",
            columns: &[
                Left("workspace_id", OF_LINE),
                Shown("month", "month", Whole),
                Shown("bytes", "bytes", Whole),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.month",
        }),
    },
    Table {
        name: "assistant_counts",
        rows: Rows::Lines(Lines {
            kind: "assistantCount",
            columns: &[
                Left("workspace_id", OF_LINE),
                Shown("month", "month", Whole),
                Shown("call", "call", Text),
                Shown("calls", "calls", Whole),
            ],
            join: "",
            workspace: "t.workspace_id",
            order: "t.month, t.call",
        }),
    },
    Table { name: "post_files", rows: Rows::Left("follows from the posts") },
    Table { name: "work", rows: Rows::Left("the queue; follows from everything else") },
    Table { name: "pending_connections", rows: Rows::Left("secret, and over within minutes") },
    Table { name: "reading_plans", rows: Rows::Left("follows from targets and readings") },
    Table { name: "reading_states", rows: Rows::Left("when accounts are read next") },
    Table { name: "reading_refreshes", rows: Rows::Left("when a refresh was last asked for") },
    Table { name: "call_budgets", rows: Rows::Left("calls to networks in spans that pass") },
    Table { name: "clocks", rows: Rows::Left("the latest time that the database has seen") },
    Table { name: "idempotency_keys", rows: Rows::Left("guards requests that are sent again") },
    Table { name: "last_writes", rows: Rows::Left(GUARD) },
    Table { name: "_sqlx_migrations", rows: Rows::Left("the schema's own history") },
];
