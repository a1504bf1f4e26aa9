//! The page of documentation that lists every rule, from the catalogue and the sheets.

use std::fmt::Write as _;

use scheduler_core::media::MediaKind;
use scheduler_core::platform::{
    CapabilitySheet, LimitWithMedia, LinkPlace, Platform, Reaction, RequiredMedia,
};
use scheduler_core::rules::{CatalogueEntry, Severity, catalogue};

use crate::printer::count;

/// What stands above the first table.
const INTRODUCTION: &str = "\
# Rules

<!-- Written by `scheduler platforms --rules --markdown`. Change the sheets and rules of scheduler-core, not this page. -->

Before anything leaves, a post is checked against the rules of every network that it goes to. Each finding is an *issue* with

- a **severity**: an *error* stops the post, for the network would refuse it; a *warning* does not, but the network changes, hides or ignores something, or may refuse it where no source says so for certain;
- a **message** for a person: what is wrong, how much, and what is allowed;
- a **rule**, the id of this page. It is made of the network (or `post`), what it looks at and what is wrong with it, as in `bluesky.text.too_long`. Ids stay the same; a message may be reworded;
- the **platform** and the **target** (its index in `targets`), unless it speaks of the post as a whole.

Issues are in the answer of a dry run (`POST /v1/platforms/validate`, `scheduler check`) and of creating or updating a post that is refused (status 422, `issues`). The same rules run once more right before a post is sent: what an account may do can change in between. Where a server or an account has limits of its own, such as a Mastodon server, those hold in place of the figures below. What is not known of a file is not checked. Of one target, as of the post as a whole, at most 500 errors and 500 warnings are listed.

`scheduler platforms --rules` prints these tables, and `--json` makes them one document. Where each figure comes from stands beside it in `scheduler-core/src/platform`.
";

pub(super) fn markdown() -> String {
    let rules = catalogue();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## The post as a whole\n");
    push_table(&mut page, rules.iter().filter(|rule| rule.platform.is_none()));
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        let _ = write!(page, "\n## {}\n\n", sheet.name);
        for line in at_a_glance(sheet) {
            let _ = writeln!(page, "- {line}");
        }
        push_table(&mut page, rules.iter().filter(|rule| rule.platform == Some(platform)));
    }
    page
}

fn push_table<'a>(page: &mut String, rules: impl Iterator<Item = &'a CatalogueEntry>) {
    page.push_str("\n| rule | severity | when |\n|---|---|---|\n");
    for rule in rules {
        let severity = match rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(page, "| `{}` | {severity} | {} |", rule.rule, escaped(&rule.sentence));
    }
}

/// A text whose signs mean nothing to Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\|<>*_`[]#".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The limits of a network, one line each.
fn at_a_glance(sheet: &CapabilitySheet) -> Vec<String> {
    let mut lines = vec![text(sheet)];
    lines.extend(of_files(sheet));
    if let Some(with_files) = sheet.with_files {
        let where_on = |line: String| format!("{line}, where the operator turns files on");
        lines.extend(of_files(with_files).map(where_on));
    }
    lines.push(link(sheet).to_owned());
    let keys: Vec<String> =
        sheet.options.iter().map(|option| format!("`{}`", option.key)).collect();
    lines.push(format!("**Options**: {}", keys.join(", ")));
    lines.push(format!("**Besides**: {}", escaped(sheet.notes)));
    lines
}

/// What is taken of files, one line for all and one for each kind.
fn of_files(sheet: &CapabilitySheet) -> impl Iterator<Item = String> {
    let kinds = MediaKind::ALL.into_iter().filter(|kind| sheet.takes(*kind));
    [files(sheet)].into_iter().chain(kinds.map(|kind| of_kind(sheet, kind)))
}

fn text(sheet: &CapabilitySheet) -> String {
    let figures = &sheet.text;
    let mut line =
        format!("**Text**: up to {} {}", grouped(sheet.char_limit), figures.unit.definition());
    if let Some(bytes) = figures.byte_limit {
        let _ = write!(line, ", and up to {} bytes of UTF-8", grouped(bytes));
    }
    match figures.limit_with_media {
        LimitWithMedia::Same => {}
        LimitWithMedia::AnyFile(limit) => {
            let _ = write!(line, "; up to {} beside files", grouped(limit));
        }
        LimitWithMedia::OnlyImages(limit) => {
            let _ = write!(line, "; up to {} beside images alone", grouped(limit));
        }
    }
    line
}

fn files(sheet: &CapabilitySheet) -> String {
    if sheet.max_media_per_post == 0 {
        return "**Files**: none".to_owned();
    }
    let kinds = MediaKind::ALL.into_iter().filter(|kind| sheet.takes(*kind));
    let counts: Vec<String> = kinds.map(|kind| counted(sheet.most_of(kind), kind.name())).collect();
    let both = counts.len() > 1;
    let counts = counts.join(" or ");
    let mixing = if !both {
        ""
    } else if sheet.media.mixes_kinds {
        ", also together"
    } else {
        ", not together"
    };
    let needed = match sheet.requires_media {
        RequiredMedia::None => "",
        RequiredMedia::Image => "; one image is needed",
        RequiredMedia::Video => "; the video is needed",
        RequiredMedia::ImageOrVideo => "; one is needed",
    };
    let most = if both && sheet.media.mixes_kinds {
        format!("up to {} in all: ", sheet.max_media_per_post)
    } else {
        String::new()
    };
    format!("**Files**: {most}{counts}{mixing}{needed}")
}

fn counted(most: u32, noun: &str) -> String {
    if most == 1 { format!("1 {noun}") } else { format!("up to {most} {noun}s") }
}

fn of_kind(sheet: &CapabilitySheet, kind: MediaKind) -> String {
    let (noun, bytes) = match kind {
        MediaKind::Image => ("Image", sheet.max_image_bytes),
        MediaKind::Video => ("Video", sheet.max_video_bytes),
        MediaKind::Document => ("Document", sheet.media.documents.max_bytes),
    };
    let mut line = format!("**{noun}**: up to {} bytes", grouped(bytes));
    if kind == MediaKind::Video {
        let seconds = (sheet.min_video_duration_seconds, sheet.max_video_duration_seconds);
        line.push_str(&between(seconds, "s"));
        line.push_str(&between((sheet.min_video_fps, sheet.max_video_fps), "fps"));
    }
    let types = sheet.types_of(kind);
    let _ = write!(line, "; {}", types.taken.join(", "));
    match types.others {
        Reaction::Refuses => {}
        Reaction::Warns(_) => line.push_str("; others with a warning"),
    }
    line
}

fn between((least, most): (Option<u32>, Option<u32>), unit: &str) -> String {
    match (least.filter(|least| *least > 0), most) {
        (None, None) => String::new(),
        (Some(least), None) => format!(", {} {unit} or more", grouped(least)),
        (None, Some(most)) => format!(", up to {} {unit}", grouped(most)),
        (Some(least), Some(most)) => format!(", {} to {} {unit}", grouped(least), grouped(most)),
    }
}

const fn link(sheet: &CapabilitySheet) -> &'static str {
    match sheet.link {
        LinkPlace::Text => "**Link**: on a line of its own at the end of the text",
        LinkPlace::OwnField => "**Link**: in a field of its own",
        LinkPlace::OwnFieldWithoutMedia => {
            "**Link**: in a field of its own; beside files at the end of the text"
        }
    }
}

fn grouped(number: impl Into<u64>) -> String {
    count(number.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs() {
        assert_eq!(escaped("a | <b> _c_"), "a \\| \\<b\\> \\_c\\_");
    }
}
