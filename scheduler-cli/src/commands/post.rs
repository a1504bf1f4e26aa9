//! `scheduler post`: creates a post.

use clap::Args;
use scheduler_client::Error;
use scheduler_core::post::{PostStatus, PostView};
use serde_json::Value;

use crate::client::{Answer, Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{
    Attached, Attachments, ContentArguments, MediaArguments, NewBody, TimingArguments, accounts,
    create_body, follow, idempotency_key, known_accounts, random_key, show_post,
};
use crate::signals::stop_requested;
use crate::uploading::{UploadOptions, Uploader, leave_to_others, unless_stopped};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler post \"Out now\" --to bluesky,mastodon --now
  scheduler post \"New clip\" --to all --media clip.mp4 --alt \"A street at night\" --queue";

/// A new post.
#[derive(Args, Debug)]
pub(crate) struct PostArguments {
    #[command(flatten)]
    pub(super) content: ContentArguments,
    #[command(flatten)]
    pub(super) timing: TimingArguments,
    #[command(flatten)]
    pub(super) media: MediaArguments,
    /// Idempotency key: a repeat with the same key creates nothing [default: a random one]
    #[arg(long, value_name = "KEY", value_parser = idempotency_key)]
    key: Option<String>,
    /// Follow it until every target has ended; exit 1 if one has failed. Ctrl-C leaves the post
    /// alone, and `posts show ID --wait` follows it again
    #[arg(long, conflicts_with = "draft")]
    wait: bool,
    #[command(flatten)]
    upload: UploadOptions,
    #[command(flatten)]
    pub(super) client: ClientOptions,
}

/// Uploads the post's files, if there are any, and creates it.
pub(crate) async fn run(context: Context, arguments: PostArguments) -> Result<Exit, Failure> {
    if arguments.timing.is_empty() && arguments.content.file.is_none() {
        return Err(Failure::Usage(
            "say when the post goes out: --now, --at, --in, --local, --queue, or --draft".into(),
        ));
    }
    let files = Attachments::measure(&arguments.media)?;
    let storage = arguments.client.here.0.storage.clone();
    let client = context.client(arguments.client).await?;
    let NewBody { body, written } =
        create_body(Some(&client), context.printer, &arguments.content, &arguments.timing).await?;
    let key = arguments.key.unwrap_or_else(random_key);
    let (upload, wait_for_it) = (arguments.upload, arguments.wait);
    let unsent = Unsent { body, files, upload, key: &key, is_awaited: wait_for_it };
    let created = Box::pin(create(&context, &client, unsent)).await;
    let is_taken = created.as_ref().is_ok_and(|answer| !answer.is_of_other_body);
    if let Some(written) = written.filter(|_| !is_taken) {
        written.leave(context.printer);
    }
    let answer = created?;
    if !answer.created {
        context.printer.message("a post of this key exists already; nothing was created");
    }
    let post: PostView = answer.read()?;
    if answer.is_of_other_body {
        context.printer.warning(&format!(
            "the key {key} was first used for a post with another text, target, time or file, which \
             is as it was: nothing of this command was taken"
        ));
        context.printer.advice(&format!(
            "for a new post give another --key; to change that one, `scheduler posts edit {}`",
            post.id
        ));
    }
    if matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing) {
        context.tell_unserved(&client, &storage)?;
    }
    if wait_for_it && post.status == PostStatus::Draft {
        context
            .printer
            .message("not waiting: the post is a draft, which does not go out by itself");
    } else if wait_for_it {
        // Known before anything can fail that comes later.
        context.printer.message(&format!("post {}", post.id));
        return wait(&context, &client, &post).await;
    }
    show(&context, &client, &answer.body, &post).await
}

/// A post that is not sent yet.
struct Unsent<'a> {
    /// Its body, without its files.
    body: Value,
    files: Attachments,
    upload: UploadOptions,
    /// Its idempotency key.
    key: &'a str,
    /// Whether it is followed to its end.
    is_awaited: bool,
}

/// Uploads the files of a post and creates it.
async fn create(context: &Context, client: &Client, unsent: Unsent<'_>) -> Result<Answer, Failure> {
    let Unsent { mut body, files, upload, key, is_awaited } = unsent;
    if is_awaited && body.get("saveAsDraft") == Some(&Value::Bool(true)) {
        return Err(Failure::Usage(
            "--wait: the post would be a draft, which does not go out by itself; leave --wait \
             out, or say when it goes out"
                .into(),
        ));
    }
    let attached = attach(context, client, upload, files, &body).await?;
    attached.add_to(&mut body)?;
    let sent = client.send(Call::post("/posts", &body).idempotent(Some(key))).await;
    let answer = sent.inspect_err(|error| {
        if matches!(error, Error::Unreachable { .. }) {
            context.printer.message(&format!(
                "no answer has come, so the post may exist; the same command with --key {key} \
                 creates it only if it does not"
            ));
        }
    })?;
    attached.forget();
    Ok(answer)
}

/// Uploads the files of a post, unless a network would refuse it with them. `body` is that of the
/// post, whole.
///
/// # Errors
/// [`Failure::Refused`] when a network would refuse the post or a file cannot be used;
/// [`Failure::Interrupted`] when the process is told to stop; those of an upload.
pub(super) async fn attach(
    context: &Context,
    client: &Client,
    options: UploadOptions,
    files: Attachments,
    body: &Value,
) -> Result<Attached, Failure> {
    if files.is_empty() {
        return Ok(Attached::default());
    }
    files.await_stored(client).await?;
    if body.get("allowIssues").is_none() {
        files.rehearse(client, body).await?;
    }
    let uploader = Uploader::new(context, client, options)?;
    unless_stopped(files.upload(client, &uploader)).await
}

/// Follows a post to its end, and shows it.
pub(crate) async fn wait(
    context: &Context,
    client: &Client,
    post: &PostView,
) -> Result<Exit, Failure> {
    if post.status == PostStatus::Draft {
        return Err(Failure::Usage(format!(
            "--wait: the post is a draft, which does not go out by itself; give it a time with \
             `scheduler posts edit {} --now`",
            post.id
        )));
    }
    let accounts = accounts(client).await?;
    // From here on ctrl-C ends following, and no longer an upload.
    leave_to_others();
    let stop = stop_requested()?;
    let followed = tokio::select! {
        followed = Box::pin(follow(client, context.printer, post.id, &accounts)) => followed?,
        () = stop => return Err(Failure::Unfollowed(post.id)),
    };
    context.show(&followed.document, |printer| show_post(printer, &followed.post, &accounts))?;
    if followed.post.status == PostStatus::Canceled {
        context.printer.error("the post was canceled; nothing of it goes out any more");
    }
    let is_over = followed.post.status == PostStatus::Done && !followed.has_failed();
    Ok(if is_over { Exit::Done } else { Exit::Failed })
}

/// Shows a post as the server has answered it.
pub(crate) async fn show(
    context: &Context,
    client: &Client,
    document: &Value,
    post: &PostView,
) -> Result<Exit, Failure> {
    let accounts =
        if context.printer.is_json() { Vec::new() } else { known_accounts(client).await };
    let exit = context.show(document, |printer| show_post(printer, post, &accounts))?;
    if !context.printer.is_json() {
        post.issues.iter().flatten().for_each(|issue| context.printer.issue(issue));
    }
    Ok(exit)
}
