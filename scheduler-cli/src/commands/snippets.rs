//! `scheduler snippets`: texts, sets of hashtags and templates to write posts with.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use http::Method;
use scheduler_core::platform::Disclosure;
use scheduler_core::post::{Field, PostInput, PostView, TargetInput};
use scheduler_core::snippet::{SnippetInput, SnippetName, SnippetView};
use serde_json::json;

use crate::client::{Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{PostName, instant, read_body, snippet_named};
use crate::printer::{Column, Shows, cell, escape_control, one_line};

/// What to do with snippets.
#[derive(Debug, Subcommand)]
pub(crate) enum SnippetsCommand {
    /// List what is kept
    #[command(after_help = "Example:\n  scheduler snippets list")]
    List(ListArguments),
    /// Show one
    #[command(after_help = "Example:\n  scheduler snippets show tags")]
    Show(OneArguments),
    /// Keep a text, or a post as a template, in place of what was kept under its name
    ///
    /// A template keeps the text, the link, labels, note, metadata, targets and their options of a
    /// post; not its time and its own files. Files that options name, such as a thumbnail, stay.
    #[command(
        after_help = "Examples:\n  scheduler snippets save tags \"#bread #bakery #berlin\"\n  scheduler snippets save daily --post 01993b5c-2b7e-7000-8000-000000000001\n  scheduler post \"Out of the oven\" --template daily --snippet tags --now"
    )]
    Save(SaveArguments),
    /// Remove one; posts that were made with it stay
    #[command(after_help = "Example:\n  scheduler snippets remove tags")]
    Remove(OneArguments),
}

/// Whose snippets.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    client: ClientOptions,
}

/// A snippet.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// Its name
    name: SnippetName,
    #[command(flatten)]
    client: ClientOptions,
}

/// A snippet, and what it keeps.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("kept").required(true))]
pub(crate) struct SaveArguments {
    /// What it is called: up to 50 of a-z, 0-9, - and _
    name: SnippetName,
    /// The text
    #[arg(group = "kept")]
    text: Option<String>,
    /// A post to make a template of: its id, or its first 8 characters or more
    #[arg(long, value_name = "POST", group = "kept")]
    post: Option<PostName>,
    /// A file with the API's own body of a post, or - for standard input
    #[arg(long, value_name = "FILE", group = "kept")]
    file: Option<String>,
    #[command(flatten)]
    client: ClientOptions,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: SnippetsCommand) -> Result<Exit, Failure> {
    match command {
        SnippetsCommand::List(ListArguments { client }) => {
            let client = context.client(client).await?;
            list(&context, &client.send(Call::get("/snippets")).await?.data()?)
        }
        SnippetsCommand::Show(OneArguments { name, client }) => {
            let snippet = snippet_named(&context.client(client).await?, &name).await?;
            context.show(&snippet, |printer| match (&snippet.text, &snippet.post) {
                (Some(text), _) => printer.line(&escape_control(text)),
                (None, Some(post)) => {
                    printer.line(&serde_json::to_string_pretty(post).unwrap_or_default())
                }
                (None, None) => Ok(()),
            })
        }
        SnippetsCommand::Save(SaveArguments { name, text, post, file, client }) => {
            let client = context.client(client).await?;
            let input = match (text, post, file) {
                (Some(text), ..) => json!(SnippetInput { text: Some(text), post: None }),
                (_, Some(post), _) => json!({"post": template_of(&client, &post).await?}),
                (.., Some(file)) => json!({"post": read_body(&file)?}),
                (None, None, None) => json!({}),
            };
            let path = format!("/snippets/{name}");
            let saved: SnippetView = client.send(Call::put(&path, &input)).await?.read()?;
            let line = match saved.post {
                Some(_) => format!("kept; `scheduler post … --template {name}` begins with it"),
                None => format!("kept; `scheduler post … --snippet {name}` ends with it"),
            };
            context.done(&saved, &line)
        }
        SnippetsCommand::Remove(OneArguments { name, client }) => {
            let client = context.client(client).await?;
            client.send(Call::new(Method::DELETE, &format!("/snippets/{name}"))).await?;
            context.done(&json!({"name": name, "removed": true}), "removed")
        }
    }
}

/// What a template keeps of a post.
async fn template_of(client: &Client, post: &PostName) -> Result<PostInput, Failure> {
    let post: PostView = client.send(Call::get(&format!("/posts/{post}"))).await?.read()?;
    let targets = post.targets.into_iter().map(|target| {
        let input = TargetInput::from(target.platform).by(target.account_id);
        if target.options.is_empty() { input } else { input.with_options(target.options) }
    });
    Ok(PostInput {
        content: post.content.into(),
        link_url: post.link_url.map_or(Field::Absent, Field::Value),
        disclosure: kept(post.disclosure, |said| *said == Disclosure::NONE),
        labels: kept(post.labels, Vec::is_empty),
        note: post.note.map_or(Field::Absent, Field::Value),
        metadata: kept(post.metadata, BTreeMap::is_empty),
        targets: targets.collect::<Vec<_>>().into(),
        ..PostInput::default()
    })
}

fn kept<T>(value: T, is_nothing: impl FnOnce(&T) -> bool) -> Field<T> {
    if is_nothing(&value) { Field::Absent } else { Field::Value(value) }
}

fn list(context: &Context, snippets: &[SnippetView]) -> Result<Exit, Failure> {
    let columns: [Shows<SnippetView>; 4] = [
        (Column::words("name"), |snippet| cell(&snippet.name)),
        (Column::words("kind"), |snippet| {
            cell(if snippet.post.is_some() { "template" } else { "text" })
        }),
        (Column::words("saved"), |snippet| cell(instant(snippet.updated_at))),
        (Column::text("text"), |snippet| {
            let of_post = snippet.post.as_ref().and_then(|post| post.content.value());
            cell(one_line(snippet.text.as_ref().or(of_post).map_or("", String::as_str)))
        }),
    ];
    context.list(
        &json!({"data": snippets}),
        snippets,
        &columns,
        "No snippets; `scheduler snippets save` keeps one.",
    )
}
