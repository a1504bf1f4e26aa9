//! `scheduler media delete`

use reqwest::Method;
use scheduler_core::error::ErrorCode;
use scheduler_core::post::{PostStatus, PostView};

use super::OneArguments;
use super::show::posts_of;
use crate::client::Call;
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What the help shows last.
pub(super) const EXAMPLE: &str =
    "Example:\n  scheduler media delete 01993b5c-2b7e-7000-8000-000000000001";

/// Deletes a file. Where a post needs it, the post is named.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: OneArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let path = format!("/media/{}", arguments.id);
    let answer = match client.send(Call::new(Method::DELETE, &path)).await {
        Err(Failure::Refused(body)) if body.error.code == ErrorCode::InUse => {
            // The refusal stands, whether its reason can be told or not.
            for post in posts_of(&client, arguments.id).await.unwrap_or_default() {
                if needs_its_files(&post) {
                    let status = post.status.as_str();
                    context.printer.message(&format!("needed by post {} ({status})", post.id));
                }
            }
            return Err(Failure::Refused(body));
        }
        outcome => outcome?,
    };
    context.print(&answer.body, "deleted; its record stays")?;
    Ok(Exit::Done)
}

const fn needs_its_files(post: &PostView) -> bool {
    match post.status {
        PostStatus::Draft | PostStatus::Scheduled | PostStatus::Publishing => true,
        PostStatus::Done | PostStatus::Canceled => false,
    }
}
