//! Faults of what the database holds: accounts, workspaces, webhooks, work.

use std::path::Path;
use std::process::Command;

use super::planted::{Fault, done, problem, set, set_real, sql, warning};

/// In the units of the database: an hour ago, and in three days.
const HOUR_AGO: &str = "(unixepoch() - 3600) * 1000000";
const IN_DAYS: &str = "(unixepoch() + 3 * 86400) * 1000000";

/// Statements for the database, which live as long as the tests.
fn statements(text: String) -> impl Fn(&Path, &mut Command) + Send + Sync {
    sql(Box::leak(text.into_boxed_str()))
}

pub(super) fn faults() -> Vec<Fault> {
    let mut faults = of_accounts();
    faults.extend(of_networks());
    faults.extend(of_workspaces());
    faults.extend(of_webhooks());
    faults.extend(of_work());
    faults
}

fn of_accounts() -> Vec<Fault> {
    let account = "WHERE platform = 'threads'";
    vec![
        Fault::new(
            "an account whose network has refused its token",
            statements(format!("UPDATE accounts SET needs_reconnect = 1 {account}")),
            problem(
                ["accounts", "account-refused"],
                ["threads @", "`scheduler accounts connect threads`"],
            ),
        ),
        Fault::new(
            "a token that has ended for good",
            statements(format!("UPDATE accounts SET credentials_expire_at = {HOUR_AGO} {account}")),
            problem(
                ["accounts", "token-ended"],
                ["its token ended on", "accounts connect threads"],
            ),
        ),
        Fault::new(
            "a token that ends soon and is not renewed afterwards",
            statements(format!("UPDATE accounts SET credentials_expire_at = {IN_DAYS} {account}")),
            warning(
                ["accounts", "token-ending"],
                ["its token ends on", "accounts connect threads"],
            ),
        ),
        Fault::new(
            "more accounts than the plan covers",
            done(&["workspace", "set-plan", "default", "free"]),
            warning(
                ["accounts", "account-paused"],
                ["it is paused, the plan does not cover it", "`scheduler workspace set-plan`"],
            ),
        ),
        Fault::new(
            "an account that cannot be read",
            statements(format!("UPDATE accounts SET schedule = 'never' {account}")),
            problem(
                ["accounts", "accounts-unreadable"],
                ["cannot be read", "this release is the one that wrote it"],
            ),
        ),
        Fault::new(
            "tokens that nobody renews",
            |folder: &Path, command: &mut Command| {
                let at_google = format!(
                    "UPDATE accounts SET server_url = NULL, credentials_expire_at = {IN_DAYS} \
                     WHERE platform = 'youtube'"
                );
                statements(at_google)(folder, command);
                command.env_remove("SCHEDULER_SANDBOX");
                // Nothing is to leave this machine.
                command.env("SCHEDULER_YOUTUBE_API_BASE", "http://127.0.0.1:1");
            },
            problem(
                ["apps", "app-missing"],
                ["YouTube: tokens of connected accounts run out", "SCHEDULER_YOUTUBE_CLIENT_ID"],
            ),
        ),
        Fault::new(
            "a sandbox over a real account",
            statements(
                "UPDATE accounts SET server_url = NULL WHERE platform = 'tumblr'".to_owned(),
            ),
            problem(
                ["sandbox", "sandbox-real-accounts"],
                ["does not start", "unset SCHEDULER_SANDBOX"],
            ),
        ),
        Fault::new(
            "accounts of a sandbox without one",
            set_real([("SCHEDULER_PUBLIC_URL", "http://127.0.0.1:1")]),
            warning(
                ["sandbox", "sandbox-unnamed"],
                ["accounts of a sandbox are connected", "`scheduler serve --sandbox`"],
            ),
        )
        .among_others(),
    ]
}

fn of_networks() -> Vec<Fault> {
    let unreachable = ["networks", "network-unreachable"];
    vec![
        Fault::new(
            "a network that cannot be reached",
            set_real([("SCHEDULER_BLUESKY_API_BASE", "http://127.0.0.1:1")]),
            problem(unreachable, ["Bluesky cannot be reached", "SCHEDULER_BLUESKY_API_BASE"]),
        ),
        Fault::new(
            "a server of Mastodon that nobody knows",
            |folder: &Path, command: &mut Command| {
                let moved = "UPDATE accounts SET server_url = 'https://mastodon.invalid' \
                             WHERE platform = 'mastodon'";
                sql(moved)(folder, command);
                command.env_remove("SCHEDULER_SANDBOX");
            },
            problem(
                unreachable,
                ["Mastodon (mastodon.invalid) cannot be reached", "reaches the internet"],
            ),
        ),
        Fault::new(
            "a sandbox that does not run",
            set([("SCHEDULER_SANDBOX_URL", "http://127.0.0.1:1")]),
            problem(unreachable, ["the sandbox cannot be reached", "SCHEDULER_SANDBOX_URL"]),
        ),
    ]
}

fn of_workspaces() -> Vec<Fault> {
    vec![
        Fault::new(
            "a workspace without a time zone",
            sql("UPDATE workspaces SET timezone = NULL"),
            warning(
                ["workspaces", "zone-unset"],
                ["has no time zone", "`scheduler workspace set-timezone default ZONE`"],
            ),
        ),
        Fault::new(
            "an account without slots",
            done(&["schedule", "set", "mastodon", "--none"]),
            warning(
                ["workspaces", "slots-missing"],
                ["nothing can be queued", "`scheduler schedule set ACCOUNT"],
            ),
        ),
        Fault::new(
            "API keys that have all ended",
            statements(format!("UPDATE keys SET expires_at = {HOUR_AGO}")),
            warning(
                ["workspaces", "api-keys-ended"],
                ["every API key has expired", "`scheduler keys create --workspace default"],
            ),
        ),
        Fault::new(
            "a workspace without an API key",
            sql("DELETE FROM keys"),
            warning(
                ["workspaces", "api-keys-ended"],
                ["has no API key", "`scheduler keys create --workspace default"],
            ),
        ),
        Fault::new(
            "a last API key that ends soon",
            statements(format!("UPDATE keys SET expires_at = {IN_DAYS}")),
            warning(
                ["workspaces", "api-keys-ending"],
                ["its last API key expires on", "`scheduler keys create --workspace default"],
            ),
        ),
    ]
}

/// An event that was tried three times without success.
fn delivery(status: &str) -> String {
    let event = format!(
        "INSERT INTO events (id, workspace_id, kind, created_at, body) SELECT \
        x'01', id, 'post.published', {HOUR_AGO}, '{{}}' FROM workspaces"
    );
    let event = event.replace("x'01'", "x'01900000000070008000000000000001'");
    let delivery = format!(
        "INSERT INTO deliveries (id, event_id, webhook_id, workspace_id, status, attempts, \
         created_at) SELECT x'01900000000070008000000000000002', \
         x'01900000000070008000000000000001', id, workspace_id, '{status}', 3, {HOUR_AGO} \
         FROM webhooks"
    );
    let attempt = |position: u32| {
        format!(
            "INSERT INTO delivery_attempts (delivery_id, position, at, status, answer) VALUES \
             (x'01900000000070008000000000000002', {position}, {HOUR_AGO} + {position}, 500, 'hunter2')"
        )
    };
    [event, delivery, attempt(1), attempt(2), attempt(3)].join("; ")
}

fn of_webhooks() -> Vec<Fault> {
    vec![
        Fault::new(
            "a webhook that may not be sent to",
            |_: &Path, command: &mut Command| {
                command.env_remove("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE");
            },
            problem(
                ["webhooks", "webhook-refused"],
                ["it must begin with https://", "`scheduler webhooks add`"],
            ),
        ),
        Fault::new(
            "a receiver that keeps failing",
            statements(delivery("pending")),
            warning(
                ["webhooks", "webhook-failing"],
                ["3 attempts in a row have failed; the last was answered with 500", "2xx"],
            ),
        ),
        Fault::new(
            "events that were given up",
            statements(delivery("failed")),
            problem(
                ["webhooks", "webhook-given-up"],
                ["events given up: 1", "`scheduler deliveries redeliver`"],
            ),
        ),
    ]
}

fn of_work() -> Vec<Fault> {
    let late = |minutes: u32| {
        format!(
            "UPDATE work SET due_at = (unixepoch() - 60 * {minutes}) * 1000000, \
             claimable_at = (unixepoch() - 60 * {minutes}) * 1000000, leased = 0"
        )
    };
    vec![
        Fault::new(
            "work that waits while nobody works",
            statements(late(90)),
            problem(["work", "work-overdue"], ["for 90 min", "start `scheduler serve`"]),
        ),
        Fault::new(
            "work that waits for a moment",
            statements(late(4)),
            warning(["work", "work-overdue"], ["for 4 min", "start `scheduler serve`"]),
        ),
        Fault::new(
            "work that waits beside a server without a worker",
            {
                let late = late(90);
                move |folder: &Path, command: &mut Command| {
                    statements(late.clone())(folder, command);
                    command.env("SCHEDULER_ROLE", "api");
                }
            },
            problem(["work", "work-overdue"], ["no worker does it", "`--role worker`"]),
        ),
    ]
}
