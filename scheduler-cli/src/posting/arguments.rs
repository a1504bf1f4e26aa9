//! The arguments of the posting commands.

use std::path::PathBuf;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use scheduler_core::idempotency::IDEMPOTENCY_KEY_CHARACTERS;
use scheduler_core::ids::MediaId;
use scheduler_core::platform::Disclosed;
use scheduler_core::ports::Random as _;
use scheduler_core::snippet::SnippetName;
use scheduler_core::timing::parse_local;
use scheduler_worker::OsRandom;

use super::media_for::MediaForArgument;
use super::option::OptionArgument;
use super::target::TargetSpec;
use crate::times::Reader;

/// What a post says, and where it goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct ContentArguments {
    /// The text; - reads it from standard input
    // A picture needs no text.
    #[arg(
        value_name = "TEXT",
        required_unless_present_any = ["file", "files", "text_file", "editor", "template", "snippet"],
        conflicts_with_all = ["file", "text_file", "editor"]
    )]
    pub(crate) text: Option<String>,
    /// A file with the text
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "editor"])]
    pub(crate) text_file: Option<PathBuf>,
    /// Write the text in your editor: that of VISUAL, else of EDITOR
    #[arg(long, conflicts_with = "file")]
    pub(crate) editor: bool,
    /// Where it goes: a network, NETWORK:@ACCOUNT, set:NAME, several with commas between, or all
    #[arg(
        long,
        value_name = "TARGETS",
        value_delimiter = ',',
        required_unless_present_any = ["file", "draft", "template"],
        conflicts_with = "file"
    )]
    pub(crate) to: Vec<TargetSpec>,
    /// A template to begin with: what it says holds where nothing else is said
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub(crate) template: Option<SnippetName>,
    /// A kept text to end with, such as a set of hashtags; several in their order
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub(crate) snippet: Vec<SnippetName>,
    /// A link that goes with it
    #[arg(long, value_name = "URL", conflicts_with = "file")]
    pub(crate) link: Option<String>,
    /// What it discloses, with commas between: aiGenerated, paidPartnership, ownBrand. Networks show
    /// it as a label
    #[arg(long, value_name = "LABELS", value_delimiter = ',', conflicts_with = "file")]
    pub(crate) disclose: Vec<Disclosed>,
    /// Another text for one network; once for each
    #[arg(long = "for", value_names = ["NETWORK", "TEXT"], num_args = 2, conflicts_with = "file")]
    pub(crate) own_texts: Vec<String>,
    /// A further post of a thread, on the networks that have threads; several in their order
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) thread: Vec<String>,
    /// Make a thread, with numbers, of a text that is too long for a network that has threads
    #[arg(long, conflicts_with_all = ["thread", "file"])]
    pub(crate) split: bool,
    /// A label to find it by; several for more. Labels are not sent
    #[arg(long, value_name = "LABEL", conflicts_with = "file")]
    pub(crate) label: Vec<String>,
    /// A note for you and others of the workspace; it is not sent
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) note: Option<String>,
    /// Something for programs to know it by, such as order=7; it is not sent
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair, conflicts_with = "file")]
    pub(crate) metadata: Vec<(String, String)>,
    /// A setting for one network, such as mastodon.visibility=unlisted
    #[arg(long = "option", value_name = "NETWORK.KEY=VALUE", conflicts_with = "file")]
    pub(crate) options: Vec<OptionArgument>,
    /// The uploaded files of one network in place of those of --media, by their ids with commas
    /// between, or none
    #[arg(long, value_name = "NETWORK=ID", conflicts_with = "file")]
    pub(crate) media_for: Vec<MediaForArgument>,
    /// A file with the API's own body, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<String>,
}

/// The files of a post.
#[derive(Args, Clone, Debug)]
pub(crate) struct MediaArguments {
    /// A picture or video of this machine, or the id of one that is uploaded; several in the order
    /// in which they appear
    #[arg(long = "media", value_name = "FILE|ID")]
    pub(crate) files: Vec<MediaArgument>,
    /// What a file shows, for those who cannot see it; in the order of the files
    #[arg(long = "alt", value_name = "TEXT", requires = "files")]
    pub(crate) alt_texts: Vec<String>,
}

/// A file of a post, as a person names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MediaArgument {
    /// A file of this machine.
    File(PathBuf),
    Id(MediaId),
}

impl FromStr for MediaArgument {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Err("a file has a name");
        }
        // A file of this machine with such a name is named with its folder: ./NAME.
        let id = text.parse().ok().filter(|_| text.len() == ID_LENGTH);
        Ok(id.map_or_else(|| Self::File(text.into()), Self::Id))
    }
}

/// Characters of an id with its hyphens. Source: RFC 9562, section 4.
const ID_LENGTH: usize = 36;

/// What changes of a post.
#[derive(Args, Clone, Debug)]
pub(crate) struct EditArguments {
    /// Another text
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) text: Option<String>,
    /// Another link
    #[arg(long, value_name = "URL", conflicts_with = "file")]
    pub(crate) link: Option<String>,
    /// No link
    #[arg(long, conflicts_with_all = ["link", "file"])]
    pub(crate) no_link: bool,
    /// What it discloses instead, with commas between: aiGenerated, paidPartnership, ownBrand
    #[arg(long, value_name = "LABELS", value_delimiter = ',', conflicts_with = "file")]
    pub(crate) disclose: Vec<Disclosed>,
    /// It discloses nothing
    #[arg(long, conflicts_with_all = ["disclose", "file"])]
    pub(crate) no_disclosure: bool,
    /// A label in place of those that it has; several for more
    #[arg(long, value_name = "LABEL", conflicts_with = "file")]
    pub(crate) label: Vec<String>,
    /// No labels
    #[arg(long, conflicts_with_all = ["label", "file"])]
    pub(crate) no_labels: bool,
    /// Another note
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) note: Option<String>,
    /// No note
    #[arg(long, conflicts_with_all = ["note", "file"])]
    pub(crate) no_note: bool,
    /// Other targets: a network, NETWORK:@ACCOUNT, set:NAME, several with commas between, or all
    #[arg(long, value_name = "TARGETS", value_delimiter = ',', conflicts_with = "file")]
    pub(crate) to: Vec<TargetSpec>,
    /// A setting for one network, such as mastodon.visibility=unlisted; with --to
    #[arg(
        long = "option",
        value_name = "NETWORK.KEY=VALUE",
        requires = "to",
        conflicts_with = "file"
    )]
    pub(crate) options: Vec<OptionArgument>,
    /// The uploaded files of one network, by their ids with commas between, or none; with --to
    #[arg(long, value_name = "NETWORK=ID", requires = "to", conflicts_with = "file")]
    pub(crate) media_for: Vec<MediaForArgument>,
    /// A file with the API's own body, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<String>,
    #[command(flatten)]
    pub(crate) media: MediaArguments,
    /// No files
    #[arg(long, conflicts_with_all = ["files", "file"])]
    pub(crate) no_media: bool,
    #[command(flatten)]
    pub(crate) timing: TimingArguments,
}

impl EditArguments {
    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_none()
            && self.link.is_none()
            && !self.no_link
            && self.disclose.is_empty()
            && !self.no_disclosure
            && self.label.is_empty()
            && !self.no_labels
            && self.note.is_none()
            && !self.no_note
            && self.to.is_empty()
            && self.file.is_none()
            && self.media.files.is_empty()
            && !self.no_media
            && self.timing.is_empty()
    }
}

/// When a post goes out.
#[derive(Args, Clone, Debug)]
#[group(id = "timing", multiple = false, conflicts_with = "file")]
pub(crate) struct TimingArguments {
    /// At this time of your clock, such as "tomorrow 9:00", "fri 18:30" or "2026-12-01 09:00"; or at an
    /// instant, such as 2026-12-01T09:00:00Z
    #[arg(long, value_name = "TIME", value_parser = instant)]
    pub(crate) at: Option<String>,
    /// So far from now, such as 2h, "30 min" or "3 days"
    #[arg(long = "in", value_name = "LENGTH", value_parser = after)]
    pub(crate) after: Option<String>,
    /// At this wall-clock time in each account's own zone, such as 2026-12-01T09:00
    #[arg(long, value_name = "TIME", value_parser = local)]
    pub(crate) local: Option<String>,
    /// In the next free slot of each account's schedule
    #[arg(long)]
    pub(crate) queue: bool,
    /// At once
    #[arg(long)]
    pub(crate) now: bool,
    /// Not yet: as a draft
    #[arg(long)]
    pub(crate) draft: bool,
}

impl TimingArguments {
    pub(crate) const fn is_empty(&self) -> bool {
        self.at.is_none()
            && self.after.is_none()
            && self.local.is_none()
            && !self.queue
            && !self.now
            && !self.draft
    }
}

/// The instant of a time of the reader's clock; one that is written as an instant stays as it is.
fn instant(text: &str) -> Result<String, String> {
    if DateTime::parse_from_rfc3339(text).is_ok() {
        return Ok(text.to_owned());
    }
    Reader::here().instant(text).map(written).map_err(|error| error.to_string())
}

fn after(text: &str) -> Result<String, &'static str> {
    let after = Reader::here().after(text);
    after.map(written).map_err(|_| "write a length of time, such as 2h, \"30 min\" or \"3 days\"")
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or("write KEY=VALUE")
}

fn local(text: &str) -> Result<String, String> {
    parse_local(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// A key that no other call has.
pub(crate) fn random_key() -> String {
    hex::encode(&OsRandom.bytes()[..16])
}

/// A key that a person gives a post.
pub(crate) fn idempotency_key(text: &str) -> Result<String, &'static str> {
    if !IDEMPOTENCY_KEY_CHARACTERS.contains(&text.chars().count()) {
        return Err("a key has 8 to 200 characters");
    }
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        Ok(text.to_owned())
    } else {
        Err("a key is written in visible ASCII characters")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_the_id_of_one() {
        let id = "01993b5c-2b7e-7000-8000-000000000001";
        for (name, text, want) in [
            ("a file", "clip.mp4", Some(MediaArgument::File("clip.mp4".into()))),
            ("an id", id, Some(MediaArgument::Id(id.parse().unwrap()))),
            (
                "a file called like an id",
                "./01993b5c-2b7e-7000-8000-000000000001",
                Some(MediaArgument::File(format!("./{id}").into())),
            ),
            (
                "32 digits are a file",
                "01993b5c2b7e70008000000000000001",
                Some(MediaArgument::File("01993b5c2b7e70008000000000000001".into())),
            ),
            ("nothing", "", None),
        ] {
            assert_eq!(text.parse().ok(), want, "{name}");
        }
    }

    #[test]
    fn a_random_key_is_a_key_and_no_other() {
        let (one, other) = (random_key(), random_key());
        assert_eq!(idempotency_key(&one).as_ref(), Ok(&one));
        assert_ne!(one, other);
    }

    #[test]
    fn keys() {
        for (name, key, ok) in [
            ("shortest", "12345678".to_owned(), true),
            ("too short", "1234567".to_owned(), false),
            ("longest", "k".repeat(200), true),
            ("too long", "k".repeat(201), false),
            ("a line end", "1234567\n8".to_owned(), false),
        ] {
            assert_eq!(idempotency_key(&key).is_ok(), ok, "{name}");
        }
    }
}
