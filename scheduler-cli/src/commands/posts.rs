//! `scheduler posts`: lists, shows, changes, cancels and retries posts, and changes or takes down
//! what is live.

mod filter;
mod list;
mod remote;

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::ids::PostId;
use scheduler_core::post::{PostStatus, PostView, TargetInput};
use serde_json::{Value, json};

use super::post::{attach, show, wait};
use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{Attached, Attachments, EditArguments, PostName, update_body};
use crate::uploading::UploadOptions;
use list::ListArguments;

pub(super) use filter::FilterArguments;
pub(super) use list::{pages, show_found, time};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler posts
  scheduler posts --failed
  scheduler posts --search \"fresh cakes\" --label spring
  scheduler posts show 01993b5c-2b7e-7000-8000-000000000001 --wait";

const EDIT_EXAMPLE: &str = "\
Example:
  scheduler posts edit 01993b5c-2b7e-7000-8000-000000000001 --media new.png --alt \"A harbour\"";

/// What to do with posts; listing them when nothing is said.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct PostsArguments {
    #[command(subcommand)]
    command: Option<PostsCommand>,
    #[command(flatten)]
    list: ListArguments,
}

#[derive(Debug, Subcommand)]
enum PostsCommand {
    /// List posts, most recent first
    #[command(
        after_help = "Examples:\n  scheduler posts list --status scheduled\n  scheduler posts list --failed --network mastodon\n  scheduler posts list --from 2026-12-01 --until 2027-01-01 --all"
    )]
    List(ListArguments),
    /// Show a post
    #[command(
        after_help = "Examples:\n  scheduler posts show 01993b5c-2b7e-7000-8000-000000000001\n  scheduler posts show 01993b5c-2b7e-7000-8000-000000000001 --wait"
    )]
    Show(ShowArguments),
    /// Change a post that has not gone out
    #[command(after_help = EDIT_EXAMPLE)]
    Edit(Box<EditPostArguments>),
    /// Cancel a post that has not gone out; a draft is removed
    ///
    /// A post that is canceled can still be read; canceling it again changes nothing.
    #[command(
        after_help = "Example:\n  scheduler posts cancel 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Cancel(OneArguments),
    /// Remove the record of a post that is a draft, canceled or over
    ///
    /// What is live stays on the networks.
    #[command(
        after_help = "Example:\n  scheduler posts delete 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Delete(OneArguments),
    /// Try the failed targets of a post again
    #[command(
        after_help = "Example:\n  scheduler posts retry 01993b5c-2b7e-7000-8000-000000000001 --wait"
    )]
    Retry(RetryArguments),
    /// Change a live post, on networks that allow it; the rules of its network are checked first
    #[command(after_help = remote::EDIT_EXAMPLES)]
    EditLive(Box<remote::EditLiveArguments>),
    /// Take a live post down from its network; its record stays. Asks first on a terminal
    #[command(after_help = remote::TAKE_DOWN_EXAMPLE)]
    TakeDown(Box<remote::TakeDownArguments>),
}

#[derive(Args, Debug)]
struct OneArguments {
    /// The post's id, or its first 8 characters or more
    id: PostName,
    #[command(flatten)]
    client: ClientOptions,
}

#[derive(Args, Debug)]
struct ShowArguments {
    #[command(flatten)]
    one: OneArguments,
    /// Follow it until every target has ended; exit 1 if one has failed
    #[arg(long)]
    wait: bool,
}

#[derive(Args, Debug)]
struct RetryArguments {
    #[command(flatten)]
    one: OneArguments,
    /// Wait until every target has ended; exit 1 if one has failed
    #[arg(long)]
    wait: bool,
}

#[derive(Args, Debug)]
struct EditPostArguments {
    #[command(flatten)]
    one: OneArguments,
    #[command(flatten)]
    edit: EditArguments,
    #[command(flatten)]
    upload: UploadOptions,
}

pub(crate) async fn run(context: Context, arguments: PostsArguments) -> Result<Exit, Failure> {
    match arguments.command.unwrap_or(PostsCommand::List(arguments.list)) {
        PostsCommand::List(arguments) => list::run(&context, arguments).await,
        PostsCommand::Show(arguments) => {
            let client = context.client(arguments.one.client).await?;
            let answer = client.send(Call::get(&format!("/posts/{}", arguments.one.id))).await?;
            if arguments.wait {
                return wait(&context, &client, &answer.read()?).await;
            }
            show(&context, &client, &answer.body, &answer.read()?).await
        }
        PostsCommand::Edit(arguments) => edit(&context, *arguments).await,
        PostsCommand::Cancel(arguments) => cancel(&context, arguments).await,
        PostsCommand::Delete(arguments) => delete(&context, arguments).await,
        PostsCommand::Retry(arguments) => retry(&context, arguments).await,
        PostsCommand::EditLive(arguments) => remote::edit(&context, *arguments).await,
        PostsCommand::TakeDown(arguments) => remote::take_down(&context, *arguments).await,
    }
}

fn path(id: PostId) -> String {
    format!("/posts/{id}")
}

async fn edit(context: &Context, arguments: EditPostArguments) -> Result<Exit, Failure> {
    if arguments.edit.is_empty() {
        return Err(Failure::Usage("say what to change, such as --text or --at".into()));
    }
    let files = Attachments::measure(&arguments.edit.media)?;
    let client = context.client(arguments.one.client).await?;
    let path = path(arguments.one.id.id(&client).await?);
    let mut body = update_body(&client, context.printer, &arguments.edit).await?;
    let attached = if files.is_empty() {
        Attached::default()
    } else {
        let post: PostView = client.send(Call::get(&path)).await?.read()?;
        let whole = changed(&post, &body);
        attach(context, &client, arguments.upload, files, &whole).await?
    };
    attached.add_to(&mut body)?;
    let answer = client.send(Call::patch(&path, &body)).await?;
    attached.forget();
    show(context, &client, &answer.body, &answer.read()?).await
}

/// The body that would create a post as a change leaves it, without the files it had.
fn changed(post: &PostView, change: &Value) -> Value {
    let targets = post.targets.iter().map(|target| {
        let options = target.options.clone();
        let input = TargetInput::from(target.platform).by(target.account_id).with_options(options);
        // What is said of the post's files speaks of those that it had.
        let Some(own) = &target.media_ids else { return input };
        let described = target.files.iter().filter(|(id, _)| own.contains(id));
        described.fold(input.with_files(own.clone()), |input, (id, details)| {
            input.with_details(*id, details.clone())
        })
    });
    let targets: Vec<TargetInput> = targets.collect();
    let mut body = json!({
        "content": post.content,
        "linkUrl": post.link_url,
        "disclosure": post.disclosure,
        "targets": targets,
    });
    if let (Some(fields), Some(changes)) = (body.as_object_mut(), change.as_object()) {
        fields.extend(changes.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    body
}

async fn cancel(context: &Context, arguments: OneArguments) -> Result<Exit, Failure> {
    let OneArguments { id, client } = arguments;
    let client = context.client(client).await?;
    let id = id.id(&client).await?;
    let path = path(id);
    let post: PostView = client.send(Call::get(&path)).await?.read()?;
    let (status, line) = match post.status {
        PostStatus::Done => {
            let problem = "the post has gone out: `scheduler posts take-down` takes it down, and `scheduler posts delete` removes its record";
            return Err(Failure::Usage(problem.to_owned()));
        }
        PostStatus::Canceled => {
            ("canceled", "it was canceled before; `scheduler posts delete` removes its record")
        }
        PostStatus::Draft => ("removed", "removed; it was a draft"),
        PostStatus::Scheduled | PostStatus::Publishing => {
            ("canceled", "canceled; it can still be read")
        }
    };
    if post.status != PostStatus::Canceled {
        client.send(Call::new(Method::DELETE, &path).at_revision(post.revision)).await?;
    }
    context.done(&json!({"id": id, "status": status}), line)
}

async fn delete(context: &Context, arguments: OneArguments) -> Result<Exit, Failure> {
    let OneArguments { id, client } = arguments;
    let client = context.client(client).await?;
    let id = id.id(&client).await?;
    let path = path(id);
    let post: PostView = client.send(Call::get(&path)).await?.read()?;
    if matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing) {
        let problem = "the post is still to go out: cancel it first, with `scheduler posts cancel`";
        return Err(Failure::Usage(problem.to_owned()));
    }
    client.send(Call::new(Method::DELETE, &path).at_revision(post.revision)).await?;
    let line = "removed; what is on the networks stays there";
    context.done(&json!({"id": id, "status": "removed"}), line)
}

async fn retry(context: &Context, arguments: RetryArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.one.client).await?;
    let path = format!("/posts/{}/retry", arguments.one.id.id(&client).await?);
    let answer = client.send(Call::new(Method::POST, &path)).await?;
    let post: PostView = answer.read()?;
    if arguments.wait {
        return wait(context, &client, &post).await;
    }
    show(context, &client, &answer.body, &post).await
}
