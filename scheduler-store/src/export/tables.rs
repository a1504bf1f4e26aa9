//! What an export holds of each table, and why the rest is left out.

use super::kind::{Described as _, Kind, RowColumn};
use crate::rows::media::MediaValues;
use crate::rows::post::PostValues;
use crate::rows::target::TargetValues;

/// A column that is not written as the type of its row says, or of which no row knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// It is written under its own name.
    Shown(&'static str, Kind),
    /// It is written under another name.
    Named(&'static str, &'static str, Kind),
    /// It is left out, for a reason.
    Left(&'static str, &'static str),
}

impl Column {
    /// Its name in the table.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Shown(name, _) | Self::Named(name, _, _) | Self::Left(name, _) => name,
        }
    }
}

/// The columns of a table: those of its row under their own names, unless another line names them.
/// Bytes of a row, as which secrets are kept, are not written; of tables whose texts tell of secrets
/// each column is named here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// The columns of its row.
    pub(super) row: &'static [RowColumn],
    /// What is otherwise.
    pub(super) other: &'static [Column],
}

/// A table, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Its name.
    pub(super) name: &'static str,
    /// Its rows as lines, or why there are none.
    pub(super) rows: Rows,
}

impl Table {
    /// Its columns, unless it is left out.
    pub(super) const fn columns(&self) -> Option<Columns> {
        match self.rows {
            Rows::Lines(Lines { columns, .. }) | Rows::InPosts(columns) => Some(columns),
            Rows::Left(_) => None,
        }
    }
}

/// The rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows {
    /// Each is a line.
    Lines(Lines),
    /// Each is in the list of the line of its post.
    InPosts(Columns),
    /// They are left out, for a reason.
    Left(&'static str),
}

/// How the rows of a table become lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// The type that the lines name.
    pub(super) kind: &'static str,
    /// All of its columns.
    pub(super) columns: Columns,
    /// What joins a row `t` to its workspace, where the row does not name it.
    pub(super) join: &'static str,
    /// The column that holds the workspace.
    pub(super) workspace: &'static str,
    /// The order, which is the same in every export.
    pub(super) order: &'static str,
}

use Column::{Left, Named, Shown};
use Kind::{Flag, Id, Instant, Json, Text, Whole};

const OF_LINE: &str = "every line is of the workspace of the first";
const GUARD: &str = "guards changes while they are made";
const SECRET: &str = "secret";
const DERIVED: &str = "follows from other columns";
const UPLOAD: &str = "how far an upload has come";

/// Every table of the schema, in the order of the export.
pub(super) const TABLES: [Table; 51] = [
    Table {
        name: "workspaces",
        rows: Rows::Lines(Lines {
            kind: "workspace",
            columns: only(&[
                Shown("id", Id),
                Shown("name", Text),
                Shown("plan", Text),
                Shown("timezone", Text),
                Named("picture_id", "picture", Id),
                Shown("second_pair", Flag),
                Shown("links", Json),
                Shown("created_at", Instant),
            ]),
            join: "",
            workspace: "t.id",
            order: "t.id",
        }),
    },
    of_workspace(
        "keys",
        "key",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("name", Text),
            Left("hash", SECRET),
            Left("hint", "the beginning of a secret"),
            Shown("scopes", Text),
            Shown("confirmation", Text),
            Shown("live_per_hour", Whole),
            Shown("created_at", Instant),
            Shown("expires_at", Instant),
        ]),
        "t.created_at, t.id",
    ),
    of_workspace(
        "accounts",
        "account",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("platform", Text),
            Shown("network_id", Text),
            Shown("server_url", Text),
            Shown("username", Text),
            Shown("display_name", Text),
            Shown("avatar_url", Text),
            Shown("connection", Text),
            Shown("needs_reconnect", Flag),
            Shown("timezone", Text),
            Shown("schedule", Text),
            Shown("default_options", Json),
            Shown("limits", Json),
            Shown("connected_at", Instant),
            Shown("disconnected_at", Instant),
            Left("credentials", SECRET),
            Left("credentials_expire_at", "of no use without the credentials"),
            Left("credentials_version", GUARD),
            Left("refresh_leased_until", GUARD),
        ]),
        "t.connected_at, t.id",
    ),
    of_workspace(
        "media",
        "media",
        Columns {
            row: MediaValues::COLUMNS,
            other: &[
                Left("workspace_id", OF_LINE),
                Shown("description", Json),
                Left("transfer", UPLOAD),
                Left("source_url", SECRET),
                Left("due_at", UPLOAD),
                Left("tries", UPLOAD),
                Left("version", GUARD),
            ],
        },
        "t.created_at, t.id",
    ),
    of_workspace(
        "posts",
        "post",
        Columns {
            row: PostValues::COLUMNS,
            other: &[
                Shown("id", Id),
                Left("workspace_id", OF_LINE),
                Shown("media_ids", Json),
                Shown("alt_texts", Json),
                Shown("disclosure", Json),
                Shown("occurrence", Json),
                Shown("author", Json),
                Shown("review", Json),
                Named("idempotency_key", "key", Text),
                Left("idempotency_body", GUARD),
                Left("version", GUARD),
                Left("moment", DERIVED),
                Left("went_out", DERIVED),
                Left("allowance_month", DERIVED),
                Shown("labels", Json),
                Shown("metadata", Json),
                Shown("timing", Json),
                Shown("links", Json),
                Left("due_at", DERIVED),
                Left("searchable", DERIVED),
            ],
        },
        "t.id",
    ),
    Table {
        name: "targets",
        rows: Rows::InPosts(Columns {
            row: TargetValues::COLUMNS,
            other: &[
                Left("post_id", "stands in its post"),
                Left("position", "its place in the list"),
                Shown("options", Json),
                Shown("files", Json),
                Left("remote_record", "an adapter's own, and may hold what opens the post"),
                Named("failure_message", "error", Text),
                Named("failure_code", "errorCode", Text),
                Named("failure_permanent", "errorPermanent", Flag),
                Left("spent_tries", GUARD),
                Left("spent_rate_limits", GUARD),
                Left("revision", GUARD),
                Left("progress", "an adapter's own, and may hold signed addresses"),
                Shown("failed_attempts", Json),
                Shown("links", Json),
            ],
        }),
    },
    of_workspace(
        "approvals",
        "approval",
        only(&[
            Shown("post_id", Id),
            Left("workspace_id", OF_LINE),
            Left("pass", SECRET),
            Shown("created_at", Instant),
            Shown("expires_at", Instant),
            Shown("decided_at", Instant),
            Shown("client", Text),
            Shown("message", Text),
            Shown("timezone", Text),
            Shown("remarks", Json),
            Shown("seen", Json),
        ]),
        "t.created_at, t.post_id",
    ),
    Table {
        name: "reviews",
        rows: Rows::Lines(Lines {
            kind: "review",
            columns: only(&[
                Shown("target_id", Id),
                Shown("post_id", Id),
                Shown("review", Json),
                Shown("created_at", Instant),
            ]),
            join: "JOIN posts p ON p.id = t.post_id",
            workspace: "p.workspace_id",
            order: "t.target_id",
        }),
    },
    Table {
        name: "readings",
        rows: Rows::Lines(Lines {
            kind: "reading",
            columns: only(&[Shown("target_id", Id), Shown("at", Instant), Shown("figures", Json)]),
            join: "JOIN reading_plans r ON r.target_id = t.target_id \
                   JOIN accounts a ON a.id = r.account_id",
            workspace: "a.workspace_id",
            order: "t.target_id, t.at",
        }),
    },
    of_workspace(
        "comments",
        "comment",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("post_id", Id),
            Shown("target_id", Id),
            Shown("account_id", Id),
            Shown("platform", Text),
            Shown("remote_id", Text),
            Shown("author", Text),
            Shown("text", Text),
            Shown("at", Instant),
            Shown("hidden", Flag),
            Shown("like_count", Whole),
            Shown("read_at", Instant),
        ]),
        "t.at, t.id",
    ),
    Table {
        name: "followers",
        rows: Rows::Lines(Lines {
            kind: "followers",
            columns: only(&[
                Shown("account_id", Id),
                Shown("day", Whole),
                Shown("followers", Whole),
            ]),
            join: "JOIN accounts a ON a.id = t.account_id",
            workspace: "a.workspace_id",
            order: "t.account_id, t.day",
        }),
    },
    of_workspace(
        "webhooks",
        "webhook",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("url", Text),
            Shown("events", Json),
            Left("secret", SECRET),
            Shown("created_at", Instant),
            Shown("disabled_at", Instant),
        ]),
        "t.created_at, t.id",
    ),
    of_workspace(
        "account_sets",
        "accountSet",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("name", Text),
            Shown("account_ids", Json),
            Shown("created_at", Instant),
        ]),
        "t.created_at, t.id",
    ),
    of_workspace(
        "snippets",
        "snippet",
        only(&[
            Left("workspace_id", OF_LINE),
            Shown("name", Text),
            Shown("text", Text),
            Shown("post", Json),
            Shown("updated_at", Instant),
        ]),
        "t.name",
    ),
    of_workspace(
        "recurrences",
        "recurrence",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("name", Text),
            Shown("state", Text),
            Shown("terms", Json),
            Shown("created_at", Instant),
            Shown("updated_at", Instant),
            Shown("revision", Whole),
            Left("planned", GUARD),
            Shown("problem", Json),
            Left("planned_revision", GUARD),
            Left("next_at", GUARD),
            Left("lease_until", GUARD),
        ]),
        "t.created_at, t.id",
    ),
    Table {
        name: "entry_uses",
        rows: Rows::Lines(Lines {
            kind: "entryUse",
            columns: only(&[
                Shown("entry_id", Id),
                Shown("account_id", Id),
                Shown("recurrence_id", Id),
                Shown("target_id", Id),
                Shown("used_at", Instant),
                Shown("texts", Json),
            ]),
            join: "JOIN recurrences r ON r.id = t.recurrence_id",
            workspace: "r.workspace_id",
            order: "t.entry_id, t.account_id",
        }),
    },
    of_workspace(
        "audit",
        "change",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("at", Instant),
            Shown("actor_kind", Text),
            Shown("actor_id", Id),
            Shown("actor_name", Text),
            Shown("actor_person_id", Id),
            Shown("actor_person", Text),
            Shown("operation", Text),
            Shown("path", Text),
            Shown("client", Text),
            Shown("outcome", Text),
        ]),
        "t.at, t.id",
    ),
    of_workspace(
        "notifiers",
        "notifier",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("channel", Text),
            Left("address", SECRET),
            Shown("events", Json),
            Shown("quiet", Text),
            Shown("created_at", Instant),
            Left("until_at", GUARD),
            Left("until_event_id", GUARD),
            Left("next_at", GUARD),
            Left("failures", GUARD),
            Shown("told_at", Instant),
            Shown("error", Text),
        ]),
        "t.created_at, t.id",
    ),
    of_workspace(
        "short_links",
        "short_link",
        only(&[
            Shown("code", Text),
            Left("workspace_id", OF_LINE),
            Shown("destination", Text),
            Shown("created_at", Instant),
        ]),
        "t.created_at, t.code",
    ),
    Table {
        name: "short_link_clicks",
        rows: Rows::Lines(Lines {
            kind: "short_link_clicks",
            columns: only(&[Shown("code", Text), Shown("day", Whole), Shown("clicks", Whole)]),
            join: "JOIN short_links s ON s.code = t.code",
            workspace: "s.workspace_id",
            order: "t.code, t.day",
        }),
    },
    of_workspace(
        "feeds",
        "feed",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("input", Json),
            Shown("written_by", Json),
            Left("paused", DERIVED),
            Shown("created_at", Instant),
            Left("next_at", GUARD),
            Left("rests_until", GUARD),
            Shown("read_at", Instant),
            Shown("posted_at", Instant),
            Left("failures", GUARD),
            Shown("error", Text),
            Left("etag", GUARD),
            Left("last_modified", GUARD),
            Left("known", GUARD),
        ]),
        "t.created_at, t.id",
    ),
    of_workspace(
        "events",
        "event",
        only(&[
            Shown("id", Id),
            Left("workspace_id", OF_LINE),
            Shown("kind", Text),
            Shown("created_at", Instant),
            Shown("body", Json),
        ]),
        "t.id",
    ),
    of_workspace(
        "deliveries",
        "delivery",
        only(&[
            Shown("id", Id),
            Shown("event_id", Id),
            Shown("webhook_id", Id),
            Left("workspace_id", OF_LINE),
            Shown("status", Text),
            Shown("attempts", Whole),
            Shown("created_at", Instant),
            Shown("ended_at", Instant),
        ]),
        "t.id",
    ),
    Table {
        name: "delivery_attempts",
        rows: Rows::Lines(Lines {
            kind: "deliveryAttempt",
            columns: only(&[
                Shown("delivery_id", Id),
                Shown("position", Whole),
                Shown("at", Instant),
                Shown("status", Whole),
                Shown("answer", Text),
            ]),
            join: "JOIN deliveries d ON d.id = t.delivery_id",
            workspace: "d.workspace_id",
            order: "t.delivery_id, t.position",
        }),
    },
    of_workspace(
        "post_counts",
        "postCount",
        only(&[Left("workspace_id", OF_LINE), Shown("month", Whole), Shown("posts", Whole)]),
        "t.month",
    ),
    of_workspace(
        "media_counts",
        "mediaCount",
        only(&[Left("workspace_id", OF_LINE), Shown("month", Whole), Shown("bytes", Whole)]),
        "t.month",
    ),
    of_workspace(
        "assistant_counts",
        "assistantCount",
        only(&[
            Left("workspace_id", OF_LINE),
            Shown("month", Whole),
            Shown("call", Text),
            Shown("calls", Whole),
        ]),
        "t.month, t.call",
    ),
    left("post_files", "follows from the posts"),
    left("post_facets", "follows from the posts"),
    left("post_words", "follows from the posts"),
    left("work", "the queue; follows from everything else"),
    left("post_versions", "what can be gone back to, and not what posts say"),
    left("last_changes", "what can be taken back, and is over within minutes"),
    left("logins", "secret, and over within minutes"),
    left("sessions", "of people, who log in again"),
    left("passkeys", "of people, who add them again"),
    left("grants", "of people, who connect their programs again"),
    left("grant_tokens", "secret"),
    left("upload_links", "secret, and over within minutes"),
    left("calendar_feeds", "secret, and made anew with a command"),
    left("challenges", "secret, and over within minutes"),
    left("pending_connections", "secret, and over within minutes"),
    left("moves", "belongs to the database itself"),
    left("reading_plans", "follows from targets and readings"),
    left("reading_states", "when accounts are read next"),
    left("reading_refreshes", "when a refresh was last asked for"),
    left("call_budgets", "calls to networks in spans that pass"),
    left("clocks", "the latest time that the database has seen"),
    left("idempotency_keys", "guards requests that are sent again"),
    left("last_writes", GUARD),
    left("_sqlx_migrations", "the schema's own history"),
];

/// A table whose rows are lines and name their workspace.
const fn of_workspace(
    name: &'static str,
    kind: &'static str,
    columns: Columns,
    order: &'static str,
) -> Table {
    let lines = Lines { kind, columns, join: "", workspace: "t.workspace_id", order };
    Table { name, rows: Rows::Lines(lines) }
}

/// Columns of which each is named.
const fn only(columns: &'static [Column]) -> Columns {
    Columns { row: &[], other: columns }
}

/// A table that is left out, for a reason.
const fn left(name: &'static str, reason: &'static str) -> Table {
    Table { name, rows: Rows::Left(reason) }
}
