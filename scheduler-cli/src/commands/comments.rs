//! `scheduler comments`: the comments of a live post, as its network shows them now.

use std::io;

use clap::Args;
use comfy_table::Cell;
use scheduler_core::ports::{Comment, CommentRights};
use serde::Deserialize;
use unicode_width::UnicodeWidthStr as _;

use super::Context;
use crate::client::Call;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{TargetArguments, instant};
use crate::printer::{
    Column, Printer, Tone, cell, count, fitted, harmless, terminal_columns, toned,
};

/// What the help shows last.
pub(super) const EXAMPLE: &str =
    "Example:\n  scheduler comments 01993b5c-2b7e-7000-8000-000000000001 mastodon:@me";

/// Columns of a comment's text on a terminal that is too narrow for the rest.
const TEXT_COLUMNS_MIN: usize = 20;

/// Where the text stands in a row.
const TEXT: usize = 2;

/// A target.
#[derive(Args, Debug)]
pub(crate) struct CommentsArguments {
    #[command(flatten)]
    target: TargetArguments,
    #[command(flatten)]
    client: ClientOptions,
}

#[derive(Debug, Deserialize)]
struct Comments {
    data: Vec<Comment>,
    supported: bool,
    can: CommentRights,
}

/// Lists the comments of a live post.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, arguments: CommentsArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let path = format!("{}/comments", arguments.target.path(&client).await?);
    let answer = client.send(Call::get(&path)).await?;
    let comments: Comments = answer.read()?;
    let printed = context.printer.result(&answer.body, |printer| show(printer, &comments));
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}

fn show(printer: Printer, comments: &Comments) -> io::Result<()> {
    if !comments.supported {
        return printer.line("The comments of this post cannot be read over the network's API.");
    }
    let columns = [
        Column::words("id"),
        Column::words("author"),
        Column::words("text"),
        Column::words("when"),
        Column::numbers("likes"),
        Column::words("is"),
    ];
    printer.columns(&columns, rows(&comments.data, terminal_columns()), "No comments.")?;
    printer.line("")?;
    printer.line(&rights(comments.can))
}

/// A row for each comment, whose texts are cut so that the rows fit the terminal.
fn rows(comments: &[Comment], terminal_columns: Option<usize>) -> Vec<Vec<Cell>> {
    let texts: Vec<[String; 6]> = comments.iter().map(texts).collect();
    let text_columns = terminal_columns.map_or(usize::MAX, |columns| {
        let widest = |place: usize| {
            let heading = ["id", "author", "text", "when", "likes", "is"][place].width();
            texts.iter().map(|row| harmless(&row[place]).width()).fold(heading, usize::max)
        };
        // A column of a table has a space on either side.
        let others: usize = (0..6).filter(|place| *place != TEXT).map(widest).sum();
        columns.saturating_sub(others + 6 * 2).max(TEXT_COLUMNS_MIN)
    });
    let row = |(comment, texts): (&Comment, [String; 6])| {
        let [id, author, text, when, likes, is] = texts;
        let is = if comment.hidden { toned(is, Tone::Doubtful) } else { cell(is) };
        vec![cell(id), cell(author), cell(fitted(&text, text_columns)), cell(when), cell(likes), is]
    };
    comments.iter().zip(texts).map(row).collect()
}

fn texts(comment: &Comment) -> [String; 6] {
    let is: Vec<&str> = [("own", comment.own), ("hidden", comment.hidden)]
        .into_iter()
        .filter_map(|(word, is)| is.then_some(word))
        .collect();
    [
        comment.id.clone(),
        comment.author.clone().unwrap_or_default(),
        comment.text.clone(),
        comment.created_at.map(instant).unwrap_or_default(),
        comment.like_count.map(count).unwrap_or_default(),
        is.join(", "),
    ]
}

/// What may be done with the comments, in a sentence.
fn rights(can: CommentRights) -> String {
    let acts = [
        ("reply", can.reply),
        ("edit", can.edit),
        ("hide", can.hide),
        ("like", can.like),
        ("delete", can.delete),
    ];
    let acts: Vec<&str> = acts.into_iter().filter_map(|(act, can)| can.then_some(act)).collect();
    match acts[..] {
        [] => "This account can only read them.".to_owned(),
        [..] => format!("This account can: {}.", acts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::table;

    fn comment(id: &str, text: &str) -> Comment {
        Comment {
            id: id.to_owned(),
            author: Some("ann".to_owned()),
            text: text.to_owned(),
            created_at: "2026-11-22T01:02:03.5Z".parse().ok(),
            own: false,
            hidden: false,
            like_count: Some(1_234),
        }
    }

    fn lines(comments: &[Comment], terminal: Option<usize>) -> Vec<String> {
        let columns = ["id", "author", "text", "when", "likes", "is"];
        let columns: Vec<Column> = columns.iter().map(|name| Column::words(name)).collect();
        let shown = table(&columns, rows(comments, terminal)).unwrap();
        shown.lines().map(str::to_owned).collect()
    }

    #[test]
    fn texts_are_cut_to_the_terminal() {
        let long = "日本語 a long text that goes on and on, 😀 and on until its very end";
        let own = Comment { own: true, hidden: true, ..comment("a/b%", "short\nbut on two lines") };
        let comments = [comment("17", long), own];
        for (name, terminal, widest) in
            [("100 columns", 100, 100), ("80 columns", 80, 80), ("too narrow", 30, 100)]
        {
            let lines = lines(&comments, Some(terminal));
            assert_eq!(lines.len(), 3, "{name}: {lines:#?}");
            assert!(lines.iter().all(|line| line.width() <= widest), "{name}: {lines:#?}");
            assert!(lines[1].contains('…') && !lines[1].contains("very end"), "{name}: {lines:#?}");
            assert!(lines[1].contains("日本語 a long"), "{name}: {lines:#?}");
        }
        let whole = lines(&comments, None);
        assert!(whole[1].contains(long), "{whole:#?}");
        for text in ["a/b%", "ann", "short but on two lines", "1,234", "own, hidden"] {
            assert!(whole[2].contains(text), "{text}: {whole:#?}");
        }
        assert!(whole[2].contains("2026-11-22T01:02:03Z"), "{whole:#?}");
    }

    #[test]
    fn a_comment_does_nothing_to_the_terminal() {
        let lines = lines(&[comment("1\u{1b}[2J", "\u{1b}]0;title\u{7} ok")], Some(120));
        assert!(!lines.concat().contains('\u{1b}'), "{lines:#?}");
    }

    #[test]
    fn what_may_be_done() {
        let can = CommentRights { reply: true, like: true, ..CommentRights::default() };
        assert_eq!(rights(can), "This account can: reply, like.");
        assert_eq!(rights(CommentRights::default()), "This account can only read them.");
    }
}
