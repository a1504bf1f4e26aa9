//! The English sentence of what a rule found, made from its data and from nothing else.

mod files;
pub(super) mod numbers;
mod options;
mod remedy;
mod texts;

use super::Place;
use super::detail::{Counted, Detail, PlanUnit};
use crate::platform::{CARD_IMAGE, CapabilitySheet, Platform};

pub(super) use files::{bytes, codecs};
pub(super) use texts::{hint, known_outcome, shown};

/// Says what a rule found of a network, or of the post as a whole.
pub(super) fn sentence(platform: Option<Platform>, detail: &Detail) -> String {
    let speaker = Speaker { sheet: platform.map(Platform::sheet) };
    speaker
        .of_texts(detail)
        .or_else(|| speaker.of_files(detail))
        .or_else(|| speaker.of_options(detail))
        .unwrap_or_else(|| speaker.of_the_rest(detail))
}

/// Says things of one network, or of the post as a whole.
#[derive(Clone, Copy)]
struct Speaker {
    sheet: Option<&'static CapabilitySheet>,
}

impl Speaker {
    /// The name of the network; empty for the post as a whole.
    fn name(self) -> &'static str {
        self.sheet.map_or("", |sheet| sheet.short_name)
    }

    /// What a place is called at the start of a sentence.
    fn subject(self, place: &Place) -> String {
        match place {
            Place::Post => "Post".to_owned(),
            Place::Text => "Text".to_owned(),
            Place::Link => "Link".to_owned(),
            Place::Comment => "The comment".to_owned(),
            Place::File(index) => format!("File {}", index + 1),
            Place::AltText(index) => format!("Alternative text {}", index + 1),
            Place::Option(key) if key == "thumbnailMediaId" => "The thumbnail".to_owned(),
            Place::Option(key) if key == CARD_IMAGE => "The image of the link's card".to_owned(),
            Place::Option(key) => {
                let option = self.sheet.and_then(|sheet| sheet.option(key));
                option.map_or(&**key, |option| option.label).to_owned()
            }
            // The first part is the text of the post.
            Place::Item(key, index) if key == "thread" => format!("Thread part {}", index + 2),
            Place::Item(key, index) if key == "poll" => format!("Poll option {}", index + 1),
            Place::Item(key, index) if key == "tags" => format!("Tag {}", index + 1),
            Place::Item(key, index) => format!("{key}[{index}]"),
        }
    }

    /// Says what is left: of the plan, of the account, of this network alone.
    fn of_the_rest(self, detail: &Detail) -> String {
        match detail {
            Detail::PlanLimit { unit, found, most, file, a_month } => {
                plan_limit(*unit, found.unwrap_or_default(), *most, *file, *a_month)
            }
            Detail::NotConnected => {
                let platform = self.sheet.map_or("", |sheet| sheet.platform.as_str());
                format!("No {platform} account is connected; creating this post would be refused.")
            }
            Detail::Note { sentence, .. } => sentence.replace("{name}", self.name()),
            _ => "The network does not take this.".to_owned(),
        }
    }
}

fn plan_limit(
    unit: PlanUnit,
    found: u64,
    most: Option<u64>,
    file: Option<usize>,
    a_month: Option<u64>,
) -> String {
    let most = most.unwrap_or_default();
    match (unit, file, a_month) {
        (PlanUnit::Posts, _, Some(limit)) => {
            format!("The plan allows {limit} posts a month and all are used.")
        }
        (PlanUnit::Posts, _, None) => "The plan allows no more posts this month.".to_owned(),
        (PlanUnit::Bytes, Some(file), _) => {
            format!("File {} is {found} bytes, the plan allows {most} for one file.", file + 1)
        }
        (PlanUnit::Bytes, None, _) => format!(
            "The files to be uploaded are {found} bytes; the plan allows {} a month, of which {most} are left.",
            a_month.unwrap_or_default()
        ),
        (PlanUnit::Accounts, ..) => format!("The plan allows {most} accounts."),
    }
}

/// A number of things whose plural ends in `s`.
pub(crate) fn counted(count: usize, plural: &str) -> String {
    let noun = if count == 1 { plural.trim_end_matches('s') } else { plural };
    format!("{count} {noun}")
}

impl Counted {
    /// The noun in a sentence, in the plural.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Videos => "videos",
            Self::Documents => "documents",
            Self::AltTexts => "alternative texts",
            Self::Hashtags => "hashtags",
            Self::Mentions => "mentions",
            Self::Links => "links",
            Self::Cashtags => "cashtags",
            Self::Posts => "posts",
            Self::Tags => "tags",
            Self::Names => "names",
            Self::Items => "items",
        }
    }
}
