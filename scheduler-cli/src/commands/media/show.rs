//! `scheduler media show`

use scheduler_core::app::ShownMedia;
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaView;
use scheduler_core::post::{PostPage, PostView};

use super::{OneArguments, length, pixels};
use crate::client::{Call, Client};
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{instant, post_tone, size};
use crate::printer::{Column, cell, harmless, one_line, toned};

/// What the help shows last.
pub(super) const EXAMPLE: &str =
    "Example:\n  scheduler media show 01993b5c-2b7e-7000-8000-000000000001";

/// Shows a file.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: OneArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let answer = client.send(Call::get(&format!("/media/{}", arguments.id))).await?;
    let shown: ShownMedia = answer.read()?;
    let posts = match context.printer.is_json() {
        true => Vec::new(),
        false => posts_of(&client, arguments.id).await?,
    };
    let printed = context.printer.result(&answer.body, |printer| {
        for (heading, text) in lines(&shown.media) {
            if !text.is_empty() {
                printer.line(&format!("{heading:<7} {}", harmless(&text)))?;
            }
        }
        printer.line("")?;
        let rows = posts.iter().map(|post| {
            vec![
                cell(post.id),
                toned(post.status.as_str(), post_tone(post)),
                cell(one_line(&post.content)),
            ]
        });
        let columns = [Column::words("post"), Column::words("status"), Column::text("text")];
        printer.columns(&columns, rows, "No post uses it.")
    });
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}

fn lines(media: &MediaView) -> [(&'static str, String); 10] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        ("file", media.id.to_string()),
        ("status", media.status.as_str().to_owned()),
        ("error", text(&media.error)),
        ("name", text(&media.file_name)),
        ("type", text(&media.mime_type)),
        ("size", media.size_bytes.map(size).unwrap_or_default()),
        ("pixels", pixels(media)),
        ("length", length(media)),
        ("created", instant(media.created_at)),
        ("link", text(&media.preview_url)),
    ]
}

/// All posts that use a file, newest first.
///
/// # Errors
/// Those of the server.
pub(super) async fn posts_of(client: &Client, id: MediaId) -> Result<Vec<PostView>, Failure> {
    let (mut posts, mut query) = (Vec::new(), String::new());
    loop {
        let answer = client.send(Call::get(&format!("/media/{id}/posts{query}"))).await?;
        let page: PostPage = answer.read()?;
        posts.extend(page.data);
        let Some(cursor) = page.next_cursor else { return Ok(posts) };
        query = format!("?before={cursor}");
    }
}
