//! Faults of the file store, of links and of what should stand behind an address.

#[path = "../../../../scheduler-store/tests/files/s3/server.rs"]
mod server;

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::planted::{Fault, problem, set, warning, write};
use super::stand_in::{answering, silent, stranger};

/// A real S3 server with an empty bucket, in this process.
pub(super) struct Bucket {
    _runtime: tokio::runtime::Runtime,
    server: server::Server,
    folder: TempDir,
}

impl Bucket {
    pub(super) fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (server, folder) = runtime.block_on(server::Server::start());
        Self { _runtime: runtime, server, folder }
    }

    /// How many objects and unfinished uploads there are.
    pub(super) fn left(&self) -> usize {
        let objects = std::fs::read_dir(self.folder.path().join("media")).unwrap().flatten();
        let files = objects.filter(|entry| entry.path().is_file()).count();
        files + self.server.open_uploads()
    }

    /// The settings of a server that keeps its files in a bucket here.
    pub(super) fn settings(
        &self,
        bucket: &str,
        secret: &str,
    ) -> impl Fn(&Path, &mut Command) + Send + Sync + 'static {
        let files = format!("s3://{bucket}?endpoint={}", self.server.address);
        let secret = secret.to_owned();
        move |_, command| {
            command.env("SCHEDULER_FILES", &files);
            command.env("AWS_ACCESS_KEY_ID", server::ACCESS_KEY_ID);
            command.env("AWS_SECRET_ACCESS_KEY", &secret);
        }
    }
}

/// `other` is the address of another scheduler.
pub(super) fn faults(bucket: &Bucket, other: &str) -> Vec<Fault> {
    let mut faults = of_buckets(bucket);
    faults.extend(of_the_public_url(other));
    faults.extend(of_the_assistant(other));
    faults.extend(of_the_provider(other));
    faults
}

fn at(endpoint: &str) -> impl Fn(&Path, &mut Command) + Send + Sync + 'static {
    let files = format!("s3://media?endpoint={endpoint}");
    move |_, command| {
        command.env("SCHEDULER_FILES", &files);
        command.env("AWS_ACCESS_KEY_ID", "id").env("AWS_SECRET_ACCESS_KEY", "hunter2");
    }
}

fn of_buckets(bucket: &Bucket) -> Vec<Fault> {
    let right = server::SECRET_ACCESS_KEY;
    let without_keys = bucket.settings("media", right);
    let from_outside = bucket.settings("media", right);
    vec![
        Fault::new(
            "a file in place of the files",
            write("files", "text"),
            problem(["file store", "files-folder"], ["cannot use the folder", "--files"]),
        ),
        Fault::new(
            "no S3 service",
            at("http://127.0.0.1:1"),
            problem(
                ["file store", "bucket-unreachable"],
                ["", "see that the service runs and that the endpoint"],
            ),
        ),
        Fault::new(
            "an S3 service that never answers",
            at(&format!("http://{}", silent())),
            problem(["file store", "bucket-unreachable"], ["in time", "the endpoint"]),
        ),
        Fault::new(
            "links into a bucket that nobody serves",
            at("http://127.0.0.1:1"),
            problem(
                ["file links", "links-unreachable"],
                ["", "the endpoint of --files can be reached"],
            ),
        ),
        Fault::new(
            "a bucket that is not there",
            at(&stranger()),
            problem(
                ["file store", "bucket-absent"],
                ["there is no such bucket", "make the bucket"],
            ),
        ),
        Fault::new(
            "wrong keys of a bucket",
            bucket.settings("media", "hunter2"),
            problem(
                ["file store", "bucket-keys"],
                ["with these keys", "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
            ),
        ),
        Fault::new(
            "wrong keys of a bucket, by link",
            bucket.settings("media", "hunter2"),
            problem(
                ["file links", "links-wrong"],
                ["answered with 403", "the service takes presigned links"],
            ),
        ),
        Fault::new(
            "no keys of a bucket",
            move |folder: &Path, command: &mut Command| {
                without_keys(folder, command);
                command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
            },
            problem(["file store", "bucket-keys"], ["there are no keys", "set AWS_ACCESS_KEY_ID"]),
        ),
        Fault::new(
            "a bucket that networks cannot reach",
            move |folder: &Path, command: &mut Command| {
                from_outside(folder, command);
                command.env_remove("SCHEDULER_SANDBOX");
            },
            problem(
                ["file links", "bucket-private"],
                ["cannot fetch files from http://127.0.0.1", "a public https address"],
            ),
        ),
    ]
}

fn of_the_public_url(other: &str) -> Vec<Fault> {
    let (stranger, other) = (stranger(), other.to_owned());
    let lead = |url: String| {
        move |_: &Path, command: &mut Command| {
            command.env("SCHEDULER_PUBLIC_URL", &url);
        }
    };
    let here = other.clone();
    let from_outside = other.clone();
    vec![
        Fault::new(
            "no public URL, and accounts of networks that need one",
            |_: &Path, command: &mut Command| {
                command.env_remove("SCHEDULER_SANDBOX");
            },
            problem(
                ["public URL", "public-url-unset"],
                ["Instagram, Threads and TikTok", "set --public-url"],
            ),
        ),
        Fault::new(
            "a public name that leads nowhere",
            set([("SCHEDULER_PUBLIC_URL", "https://scheduler.invalid")]),
            problem(["public URL", "public-url-name"], ["scheduler.invalid", "DNS"]),
        ),
        Fault::new(
            "a public URL of somebody else",
            lead(stranger),
            problem(["public URL", "public-url-elsewhere"], ["with status 404", "reverse proxy"]),
        ),
        Fault::new(
            "nothing behind the public URL",
            set([("SCHEDULER_PUBLIC_URL", "http://127.0.0.1:1")]),
            warning(
                ["public URL", "server-not-running"],
                ["cannot reach http://127.0.0.1:1", "`scheduler serve`"],
            ),
        ),
        Fault::new(
            "nothing behind the public URL of a server that runs",
            move |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_PUBLIC_URL", "http://127.0.0.1:1");
                command.env("SCHEDULER_LISTEN", here.strip_prefix("http://").unwrap());
            },
            problem(
                ["public URL", "public-url-unreachable"],
                ["though the server runs", "the firewall"],
            ),
        ),
        Fault::new(
            "a public URL that never answers",
            lead(format!("http://{}", silent())),
            warning(["public URL", "server-not-running"], ["no answer in time", "start it"]),
        ),
        Fault::new(
            "a public URL without https that networks cannot reach",
            move |_: &Path, command: &mut Command| {
                command.env_remove("SCHEDULER_SANDBOX").env("SCHEDULER_PUBLIC_URL", &from_outside);
            },
            problem(
                ["public URL", "public-url-private"],
                ["cannot fetch files from http://127.0.0.1", "https"],
            ),
        ),
        Fault::new(
            "the public URL of another scheduler",
            lead(other),
            problem(["file links", "links-wrong"], ["is answered with 403", "this very server"]),
        ),
    ]
}

fn of_the_assistant(other: &str) -> Vec<Fault> {
    let model = |url: String| {
        move |_: &Path, command: &mut Command| {
            command.env("SCHEDULER_AI_URL", &url);
            command.env("SCHEDULER_AI_MODEL", "m").env("SCHEDULER_AI_KEY", "hunter2");
        }
    };
    let listing = r#"{"object":"list","data":[{"id":"alpha"},{"id":"beta"}]}"#;
    let unreachable = ["assistant", "assistant-unreachable"];
    vec![
        Fault::new(
            "nothing behind the address of the assistant",
            model("http://127.0.0.1:1/v1".to_owned()),
            problem(unreachable, ["it cannot be reached", "SCHEDULER_AI_URL"]),
        ),
        Fault::new(
            "an assistant that never answers",
            model(format!("http://{}/v1", silent())),
            problem(unreachable, ["did not answer within 5 s", "SCHEDULER_AI_URL"]),
        ),
        Fault::new(
            "another server behind the address of the assistant",
            model(other.to_owned()),
            warning(["assistant", "assistant-address"], ["no list of models", "/v1"]),
        ),
        Fault::new(
            "a key that the assistant refuses",
            model(answering("401 Unauthorized", String::new(), "{}")),
            problem(["assistant", "assistant-key"], ["refused (401)", "SCHEDULER_AI_KEY"]),
        ),
        Fault::new(
            "a model that the assistant does not know",
            model(answering("200 OK", String::new(), listing)),
            warning(
                ["assistant", "assistant-model"],
                ["lists no model m, but alpha, beta", "SCHEDULER_AI_MODEL"],
            ),
        ),
    ]
}

fn of_the_provider(other: &str) -> Vec<Fault> {
    let issuer = |url: String| {
        move |folder: &Path, command: &mut Command| {
            let list = "[[openid.allow]]\nsubject = \"7\"\nrole = \"owner\"\n\
                        workspaces = [\"wool\"]\n";
            std::fs::write(folder.join("scheduler.toml"), list).unwrap();
            command.env("SCHEDULER_OPENID_ISSUER", &url);
            command.env("SCHEDULER_OPENID_CLIENT_ID", "scheduler");
            command.env("SCHEDULER_OPENID_CLIENT_SECRET", "hunter2");
        }
    };
    let (unreachable, wrong) = (["OpenID", "openid-unreachable"], ["OpenID", "openid-wrong"]);
    vec![
        Fault::new(
            "nothing behind the address of the provider",
            issuer("http://127.0.0.1:1".to_owned()),
            problem(unreachable, ["nobody signs in with 127.0.0.1", "openid_issuer"]),
        ),
        Fault::new(
            "a provider that has a fault",
            issuer(answering("503 Service Unavailable", String::new(), "{}")),
            problem(unreachable, ["it answers 503", "openid_issuer"]),
        ),
        Fault::new(
            "another server behind the address of the provider",
            issuer(other.to_owned()),
            problem(wrong, ["it answers 404", "letter by letter"]),
        ),
        Fault::new(
            "a provider that says nothing of itself",
            issuer(answering("200 OK", String::new(), "{}")),
            problem(wrong, ["its document cannot be read", "letter by letter"]),
        ),
        Fault::new(
            "somebody whose workspace is not there",
            issuer("http://127.0.0.1:1".to_owned()),
            warning(
                ["OpenID", "openid-workspace"],
                ["no workspace for the subject", "scheduler workspace list"],
            ),
        )
        .among_others(),
        Fault::new(
            "nobody on the list of the provider",
            set([
                ("SCHEDULER_OPENID_ISSUER", "http://127.0.0.1:1"),
                ("SCHEDULER_OPENID_CLIENT_ID", "scheduler"),
            ]),
            warning(["OpenID", "openid-list"], ["nobody is let in", "add one for each person"]),
        )
        .among_others(),
        Fault::new(
            "a provider elsewhere without encryption",
            set([
                ("SCHEDULER_OPENID_ISSUER", "http://accounts.example.com"),
                ("SCHEDULER_OPENID_CLIENT_ID", "scheduler"),
            ]),
            problem(
                ["configuration", "setting-unusable"],
                ["SCHEDULER_OPENID_ISSUER must begin with https://", "correct it"],
            ),
        ),
    ]
}
