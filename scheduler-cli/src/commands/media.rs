//! `scheduler media`: uploads, lists, shows and deletes files.

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::app::{ListedMedia, MediaPage, ShownMedia, UploadInstructions};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{
    CropInput, FILE_NAME_MAX, MediaChange, MediaInput, MediaKind, MediaStatus, MediaView,
    VERSION_SIDE_MAX, VersionFormat, VersionInput,
};
use scheduler_core::post::{Field, PostPage, PostStatus, PostView};
use serde_json::json;
use url::Url;

use crate::client::{Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::{LocalFile, instant, kind_of, post_tone, size};
use crate::printer::{Column, Printer, Shows, Tone, cell, escape_control, one_line, toned};
use crate::uploading::{StoredFile, UploadOptions, Uploader, declare, settled, unless_stopped};

const UPLOAD_EXAMPLES: &str = "\
Examples:
  scheduler media upload clip.mp4 cover.png
  scheduler media upload clip.mp4 --json | jq -r .id
  scheduler media upload --source-url https://example.com/clip.mp4";

const LIST_EXAMPLES: &str = "\
Examples:
  scheduler media list --limit 10
  scheduler media list --unused --kind video
  scheduler media list --search cake --label spring";

const EDIT_EXAMPLES: &str = "\
Examples:
  scheduler media edit 01993b5c-2b7e-7000-8000-000000000001 --alt 'A cake with three tiers'
  scheduler media edit 01993b5c-2b7e-7000-8000-000000000001 --name 'Our cake' --label spring";

const VERSION_EXAMPLES: &str = "\
Examples:
  scheduler media version 01993b5c-2b7e-7000-8000-000000000001 --crop 4:5
  scheduler media version 01993b5c-2b7e-7000-8000-000000000001 --crop 600x400+10+20 --format jpeg
  scheduler media version 01993b5c-2b7e-7000-8000-000000000001 --max-side 1080";

/// What to do with files.
#[derive(Debug, Subcommand)]
pub(crate) enum MediaCommand {
    /// Upload pictures and videos, and wait until they can be used in a post
    ///
    /// An upload that was interrupted goes on when the same command runs again within 24 hours,
    /// unless the file has changed. With --json a document is printed for each file, one a line.
    #[command(after_help = UPLOAD_EXAMPLES)]
    Upload(UploadArguments),
    /// List files, newest first
    #[command(after_help = LIST_EXAMPLES)]
    List(ListArguments),
    /// Show a file, and the posts that use it
    #[command(after_help = "Example:\n  scheduler media show 01993b5c-2b7e-7000-8000-000000000001")]
    Show(OneArguments),
    /// Change the name, the labels and the alternative text of a file
    ///
    /// Posts take the text of a file that they say nothing else of.
    #[command(after_help = EDIT_EXAMPLES)]
    Edit(EditArguments),
    /// Make a version of a picture: cropped, smaller, or of another type; the original stays
    #[command(after_help = VERSION_EXAMPLES)]
    Version(VersionArguments),
    /// Delete a file that no post needs any more; its record stays
    #[command(
        after_help = "Example:\n  scheduler media delete 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Delete(OneArguments),
}

/// Files to upload.
#[derive(Args, Debug)]
pub(crate) struct UploadArguments {
    /// Pictures and videos of this machine
    #[arg(value_name = "FILE", required_unless_present = "source_url")]
    files: Vec<PathBuf>,
    /// A public https address from which the server fetches a file itself
    #[arg(long, value_name = "URL", conflicts_with_all = ["files", "parallel", "state"])]
    source_url: Option<Url>,
    /// What is at that address [default: told from the end of its path]
    #[arg(long, requires = "source_url", value_parser = OneOf::<MediaKind>::new())]
    kind: Option<MediaKind>,
    /// Do not wait until the files can be used
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    upload: UploadOptions,
    #[command(flatten)]
    client: ClientOptions,
}

/// Chooses the files that are listed.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// How many files at most [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: Option<u32>,
    /// Where the page begins: the cursor that the page before has ended with
    #[arg(long, value_name = "CURSOR")]
    before: Option<String>,
    /// Only files of this kind
    #[arg(long, value_parser = OneOf::<MediaKind>::new())]
    kind: Option<MediaKind>,
    /// Only files that no post uses
    #[arg(long)]
    unused: bool,
    /// Only files that a post uses
    #[arg(long, conflicts_with = "unused")]
    used: bool,
    /// Only files with this label; several for any of them
    #[arg(long, value_name = "LABEL")]
    label: Vec<String>,
    /// Only files with these words, or words that begin so, in their names
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    #[command(flatten)]
    client: ClientOptions,
}

/// What is said of a file.
#[derive(Args, Debug)]
#[group(id = "said", required = true, multiple = true, args = ["name", "no_name", "label", "no_labels", "alt", "no_alt"])]
pub(crate) struct EditArguments {
    /// The file's id
    #[arg(value_parser = names::media_id)]
    id: MediaId,
    /// What it is called
    #[arg(long)]
    name: Option<String>,
    /// The name that it came with
    #[arg(long, conflicts_with = "name")]
    no_name: bool,
    /// A label in place of those that it has; several for more
    #[arg(long, value_name = "LABEL")]
    label: Vec<String>,
    /// No labels
    #[arg(long, conflicts_with = "label")]
    no_labels: bool,
    /// What it shows, for those who do not see it
    #[arg(long, value_name = "TEXT")]
    alt: Option<String>,
    /// No such text
    #[arg(long, conflicts_with = "alt")]
    no_alt: bool,
    #[command(flatten)]
    client: ClientOptions,
}

/// What a version is made of, and how.
#[derive(Args, Debug)]
#[group(id = "change", required = true, multiple = true, args = ["crop", "max_side", "format"])]
pub(crate) struct VersionArguments {
    /// The id of the picture
    #[arg(value_parser = names::media_id)]
    id: MediaId,
    /// What is cut out of it: a ratio such as 4:5, from its middle, or a rectangle such as
    /// 600x400+10+20, 10 from the left and 20 from the top
    #[arg(long, value_name = "PART", value_parser = crop)]
    crop: Option<CropInput>,
    /// The longest side at most, in pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=i64::from(VERSION_SIDE_MAX)))]
    max_side: Option<u32>,
    /// The type that it gets
    #[arg(long, value_parser = ["jpeg", "png"])]
    format: Option<String>,
    /// Do not wait until the version can be used
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    client: ClientOptions,
}

/// One file of the server.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The file's id
    #[arg(value_parser = names::media_id)]
    id: MediaId,
    #[command(flatten)]
    client: ClientOptions,
}

pub(crate) async fn run(context: Context, command: MediaCommand) -> Result<Exit, Failure> {
    match command {
        MediaCommand::Upload(arguments) => upload(&context, arguments).await,
        MediaCommand::List(arguments) => list(&context, arguments).await,
        MediaCommand::Show(arguments) => show(&context, arguments).await,
        MediaCommand::Edit(arguments) => edit(&context, arguments).await,
        MediaCommand::Version(arguments) => version(&context, arguments).await,
        MediaCommand::Delete(arguments) => delete(&context, arguments).await,
    }
}

async fn upload(context: &Context, arguments: UploadArguments) -> Result<Exit, Failure> {
    let UploadArguments { files, source_url, kind, no_wait, upload, client } = arguments;
    if let Some(url) = source_url {
        let kind = kind.map_or_else(|| kind_of(&url), Ok)?;
        let client = context.client(client).await?;
        return fetch(context, &client, &url, kind, no_wait).await;
    }
    let files: Vec<LocalFile> =
        files.iter().map(|path| LocalFile::measure(path, "")).collect::<Result<_, _>>()?;
    let client = context.client(client).await?;
    let uploader = Uploader::new(context, &client, upload)?;
    unless_stopped(async {
        let mut exit = Exit::Done;
        for file in files {
            let uploaded = uploader.upload(&file).await?;
            let mut shown = uploaded.file.clone();
            if !no_wait {
                shown = settled(&client, shown.media.id, &file.name()).await?;
            }
            uploaded.forget();
            if !report(context, &shown, &file.name())? {
                exit = Exit::Failed;
            }
        }
        Ok(exit)
    })
    .await
}

async fn fetch(
    context: &Context,
    client: &Client,
    url: &Url,
    kind: MediaKind,
    no_wait: bool,
) -> Result<Exit, Failure> {
    let name = url.path_segments().and_then(|mut segments| segments.next_back());
    let name = name.filter(|name| !name.is_empty());
    let input = MediaInput {
        kind: Some(kind),
        source_url: Some(url.to_string()),
        file_name: name.map(|name| name.chars().take(FILE_NAME_MAX).collect()),
        ..MediaInput::default()
    };
    let answer = declare(client, &input, context.printer).await?;
    let UploadInstructions { media, .. } = answer.read()?;
    let id = media.id;
    let name = media.file_name.unwrap_or_else(|| id.to_string());
    let shown = if no_wait {
        let path = format!("/media/{id}");
        let answer = client.send(Call::get(&path)).await?;
        StoredFile::of(answer)?
    } else {
        settled(client, id, &name).await?
    };
    Ok(if report(context, &shown, &name)? { Exit::Done } else { Exit::Failed })
}

/// Reads a part of a picture.
fn crop(text: &str) -> Result<CropInput, String> {
    if text.contains(':') {
        return Ok(CropInput { ratio: Some(text.to_owned()), ..CropInput::default() });
    }
    let mut parts = text.splitn(3, '+');
    let size = parts.next().and_then(|size| size.split_once('x'));
    let number = |text: &str| text.parse::<u32>().ok();
    let (x, y) = (parts.next(), parts.next());
    let read = || {
        let (width, height) = size?;
        let place = |text: Option<&str>| text.map_or(Some(None), |text| number(text).map(Some));
        let (x, y) = (place(x)?, place(y)?);
        Some(CropInput { ratio: None, x, y, width: number(width), height: number(height) })
    };
    let input = read().filter(|input| input.width.is_some() && input.height.is_some());
    input.ok_or_else(|| "give a ratio such as 4:5, or a rectangle such as 600x400+10+20".to_owned())
}

async fn version(context: &Context, arguments: VersionArguments) -> Result<Exit, Failure> {
    let VersionArguments { id, crop, max_side, format, no_wait, client } = arguments;
    let format = format.map(|format| match format.as_str() {
        "png" => VersionFormat::Png,
        _ => VersionFormat::Jpeg,
    });
    let client = context.client(client).await?;
    let path = format!("/media/{id}/versions");
    let body = json!(VersionInput { crop, max_side, format });
    let answer = client.send(Call::post(&path, &body)).await?;
    let media: MediaView = answer.read()?;
    let name = media.file_name.clone().unwrap_or_else(|| media.id.to_string());
    let shown =
        if no_wait { StoredFile::of(answer)? } else { settled(&client, media.id, &name).await? };
    Ok(if report(context, &shown, &name)? { Exit::Done } else { Exit::Failed })
}

/// Prints what became of a file; false when it cannot be used.
fn report(context: &Context, shown: &StoredFile, name: &str) -> Result<bool, Failure> {
    let media = &shown.media;
    let line = format!("{}  {}  {}", media.id, media.status.as_str(), escape_control(name));
    context.print(&shown.document, &line)?;
    let is_lost = matches!(media.status, MediaStatus::Failed | MediaStatus::Deleted);
    if is_lost {
        let reason = media.error.as_deref().unwrap_or("it was deleted meanwhile");
        context.printer.error(&format!("{name}: {reason}"));
    }
    Ok(!is_lost)
}

async fn list(context: &Context, arguments: ListArguments) -> Result<Exit, Failure> {
    let ListArguments { limit, before, kind, unused, used, label, search, client } = arguments;
    let client = context.client(client).await?;
    let used = (used || unused).then_some(used);
    let mut call = Call::get("/media")
        .query("limit", limit)
        .query("before", before)
        .query("kind", kind.map(MediaKind::name))
        .query("used", used)
        .query("q", search);
    for label in label {
        call = call.query("label", Some(label));
    }
    let answer = client.send(call).await?;
    let MediaPage { data, next_cursor, .. } = answer.read()?;
    let columns: [Shows<ListedMedia>; 9] = [
        (Column::words("id"), |listed| cell(listed.media.id)),
        (Column::words("status"), |listed| {
            toned(listed.media.status.as_str(), tone(listed.media.status))
        }),
        (Column::words("type"), |listed| {
            cell(listed.media.mime_type.as_deref().unwrap_or_default())
        }),
        (Column::numbers("size"), |listed| {
            cell(listed.media.size_bytes.map(size).unwrap_or_default())
        }),
        (Column::words("pixels"), |listed| cell(pixels(&listed.media))),
        (Column::numbers("length"), |listed| cell(length(&listed.media))),
        (Column::numbers("posts"), |listed| cell(listed.post_count)),
        (Column::words("created"), |listed| cell(instant(listed.media.created_at))),
        (Column::text("name"), |listed| cell(one_line(name_of(&listed.media).unwrap_or_default()))),
    ];
    let exit = context.list(&answer.body, &data, &columns, "No files.")?;
    if let Some(cursor) = next_cursor.filter(|_| !context.printer.is_json()) {
        context.printer.message(&format!("more with --before {cursor}"));
    }
    Ok(exit)
}

/// What a file is called.
fn name_of(media: &MediaView) -> Option<&str> {
    media.name.as_deref().or(media.file_name.as_deref())
}

async fn edit(context: &Context, arguments: EditArguments) -> Result<Exit, Failure> {
    let EditArguments { id, name, no_name, label, no_labels, alt, no_alt, client } = arguments;
    let text = |sent: Option<String>, is_cleared: bool| match sent {
        Some(text) => Field::Value(text),
        None if is_cleared => Field::Null,
        None => Field::Absent,
    };
    let labels = match no_labels {
        true => Field::Null,
        false if label.is_empty() => Field::Absent,
        false => Field::Value(label),
    };
    let body =
        json!(MediaChange { name: text(name, no_name), labels, alt_text: text(alt, no_alt) });
    let client = context.client(client).await?;
    let path = format!("/media/{id}");
    let answer = client.send(Call::patch(&path, &body)).await?;
    let media: MediaView = answer.read()?;
    context.show(&answer.body, |printer| details(printer, &media))
}

const fn tone(status: MediaStatus) -> Tone {
    match status {
        MediaStatus::AwaitingUpload | MediaStatus::Ingesting | MediaStatus::Processing => {
            Tone::Plain
        }
        MediaStatus::Ready => Tone::Good,
        MediaStatus::Failed => Tone::Bad,
        MediaStatus::Deleted => Tone::Doubtful,
    }
}

/// Width and height, where they are known.
fn pixels(media: &MediaView) -> String {
    match (media.width, media.height) {
        (Some(width), Some(height)) => format!("{width}×{height}"),
        (_, _) => String::new(),
    }
}

/// The length, where it is known.
fn length(media: &MediaView) -> String {
    media.duration_seconds.map_or_else(String::new, |seconds| format!("{seconds:.1} s"))
}

async fn show(context: &Context, arguments: OneArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let answer = client.send(Call::get(&format!("/media/{}", arguments.id))).await?;
    let shown: ShownMedia = answer.read()?;
    let posts = match context.printer.is_json() {
        true => Vec::new(),
        false => posts_of(&client, arguments.id).await?,
    };
    context.show(&answer.body, |printer| {
        details(printer, &shown.media)?;
        printer.line("")?;
        let columns: [Shows<PostView>; 3] = [
            (Column::words("post"), |post| cell(post.id)),
            (Column::words("status"), |post| toned(post.status.as_str(), post_tone(post))),
            (Column::text("text"), |post| cell(one_line(&post.content))),
        ];
        printer.list(&posts, &columns, "No post uses it.")
    })
}

/// Prints what is known of a file.
fn details(printer: Printer, media: &MediaView) -> io::Result<()> {
    for (heading, text) in lines(media) {
        if !text.is_empty() {
            printer.line(&format!("{heading:<7} {}", escape_control(&text)))?;
        }
    }
    Ok(())
}

fn lines(media: &MediaView) -> [(&'static str, String); 14] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        ("file", media.id.to_string()),
        ("status", media.status.as_str().to_owned()),
        ("error", text(&media.error)),
        ("name", name_of(media).unwrap_or_default().to_owned()),
        ("came as", text(&media.file_name.clone().filter(|_| media.name.is_some()))),
        ("labels", media.labels.join(", ")),
        ("alt", text(&media.alt_text)),
        ("type", text(&media.mime_type)),
        ("size", media.size_bytes.map(size).unwrap_or_default()),
        ("pixels", pixels(media)),
        ("length", length(media)),
        ("created", instant(media.created_at)),
        ("made of", media.original_id.map(|id| id.to_string()).unwrap_or_default()),
        ("link", text(&media.preview_url)),
    ]
}

/// All posts that use a file, newest first.
async fn posts_of(client: &Client, id: MediaId) -> Result<Vec<PostView>, Failure> {
    let (mut posts, mut query) = (Vec::new(), String::new());
    loop {
        let answer = client.send(Call::get(&format!("/media/{id}/posts{query}"))).await?;
        let page: PostPage = answer.read()?;
        posts.extend(page.data);
        let Some(cursor) = page.next_cursor else { return Ok(posts) };
        query = format!("?before={cursor}");
    }
}

/// Deletes a file; where a post needs it, the post is named.
async fn delete(context: &Context, arguments: OneArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let path = format!("/media/{}", arguments.id);
    let deleted = client.send(Call::new(Method::DELETE, &path)).await;
    let answer = match deleted.map_err(Failure::from) {
        Err(failure) if failure.code() == Some(ErrorCode::InUse) => {
            // The refusal stands, whether its reason can be told or not.
            for post in posts_of(&client, arguments.id).await.unwrap_or_default() {
                if needs_its_files(&post) {
                    let status = post.status.as_str();
                    context.printer.message(&format!("needed by post {} ({status})", post.id));
                }
            }
            return Err(failure);
        }
        outcome => outcome?,
    };
    context.done(&answer.body, "deleted; its record stays")
}

const fn needs_its_files(post: &PostView) -> bool {
    match post.status {
        PostStatus::Draft | PostStatus::Scheduled | PostStatus::Publishing => true,
        PostStatus::Done | PostStatus::Canceled => false,
    }
}
