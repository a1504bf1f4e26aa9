//! `scheduler comments`: the comments of a live post, as its network shows them now.

use std::io;

use comfy_table::Cell;
use scheduler_core::ports::{Comment, CommentRights};
use serde::Deserialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{AskedArguments, instant};
use crate::printer::{Column, Printer, Tone, cell, count, one_line, toned};

pub(super) const EXAMPLE: &str =
    "Example:\n  scheduler comments 01993b5c-2b7e-7000-8000-000000000001 mastodon:@me";

#[derive(Debug, Deserialize)]
struct Comments {
    data: Vec<Comment>,
    supported: bool,
    can: CommentRights,
}

pub(crate) async fn run(context: Context, arguments: AskedArguments) -> Result<Exit, Failure> {
    let answer = arguments.ask(&context, "comments").await?;
    let comments: Comments = answer.read()?;
    context.show(&answer.body, |printer| show(printer, &comments))
}

fn show(printer: Printer, comments: &Comments) -> io::Result<()> {
    if !comments.supported {
        return printer.line("The comments of this post cannot be read over the network's API.");
    }
    printer.columns(&columns(), comments.data.iter().map(row), "No comments.")?;
    printer.line("")?;
    printer.line(&rights(comments.can))
}

fn columns() -> [Column; 6] {
    [
        Column::words("id"),
        Column::words("author"),
        Column::text("text"),
        Column::words("when"),
        Column::numbers("likes"),
        Column::words("is"),
    ]
}

fn row(comment: &Comment) -> Vec<Cell> {
    let is: Vec<&str> = [("own", comment.own), ("hidden", comment.hidden)]
        .into_iter()
        .filter_map(|(word, is)| is.then_some(word))
        .collect();
    let is = is.join(", ");
    vec![
        cell(&comment.id),
        cell(comment.author.as_deref().unwrap_or_default()),
        cell(one_line(&comment.text)),
        cell(comment.created_at.map(instant).unwrap_or_default()),
        cell(comment.like_count.map(count).unwrap_or_default()),
        if comment.hidden { toned(is, Tone::Doubtful) } else { cell(is) },
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
    use crate::printer::{Screen, arranged};
    use unicode_width::UnicodeWidthStr as _;

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
        let screen = Screen { columns: terminal, is_coloured: false };
        let shown = arranged(&columns(), comments.iter().map(row), screen).unwrap();
        shown.lines().map(str::to_owned).collect()
    }

    #[test]
    fn texts_are_cut_to_the_terminal() {
        let long = "日本語 a long text that goes on and on, 😀 and on until its very end";
        let own = Comment { own: true, hidden: true, ..comment("a/b%", "short\nbut on two lines") };
        let comments = [comment("17", long), own];
        for terminal in [100, 80] {
            let lines = lines(&comments, Some(terminal));
            assert_eq!(lines.len(), 3, "{terminal}: {lines:#?}");
            assert!(lines.iter().all(|line| line.width() <= terminal), "{terminal}: {lines:#?}");
            assert!(lines[1].contains('…') && !lines[1].contains("very end"), "{lines:#?}");
            assert!(lines[1].contains("日本語 a long"), "{terminal}: {lines:#?}");
        }
        let narrow = lines(&comments, Some(40));
        assert_eq!(narrow[0], "id:      17", "{narrow:#?}");
        assert!(narrow.iter().all(|line| line.width() <= 40), "{narrow:#?}");
        let whole = lines(&comments, None);
        assert!(whole[1].contains(long), "{whole:#?}");
        for text in ["a/b%", "ann", "short but on two lines", "1,234", "own, hidden"] {
            assert!(whole[2].contains(text), "{text}: {whole:#?}");
        }
        let when = instant("2026-11-22T01:02:03Z".parse().unwrap());
        assert!(whole[2].contains(&when), "{whole:#?}");
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
