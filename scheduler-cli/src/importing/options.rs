//! How a file is imported.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use scheduler_core::platform::Platform;

use crate::posting::TargetSpec;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table with a header.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// What Buffer, Mixpost or Postiz answers when it lists posts.
    Json,
}

/// What is imported, and how.
#[derive(Args, Debug)]
pub(crate) struct ImportOptions {
    /// A .csv, .jsonl or .json file, or - for standard input
    pub(super) file: String,
    /// The form of the file [default: told from the end of its name]
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// What stands between the cells of a table: comma, semicolon or tab [default: found out]
    #[arg(long, value_name = "SIGN", value_parser = delimiter)]
    pub(super) delimiter: Option<u8>,
    /// Check every line, and create nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Check by the networks' capability sheets alone, without a server and a key
    #[arg(long, conflicts_with_all = ["server", "api_key", "skip_faulty", "fresh"])]
    pub(crate) offline: bool,
    /// Create the lines without errors, and leave the others out
    #[arg(long)]
    pub(super) skip_faulty: bool,
    /// Of an export, or another system: take every post, also those that went out, as a draft
    #[arg(long)]
    pub(super) as_drafts: bool,
    /// Which account here is the one that the file calls so, such as "mastodon:Bakery=@me"; several
    /// times for several
    #[arg(long = "account", value_name = "NETWORK:NAME=ACCOUNT")]
    pub(super) accounts: Vec<AccountAlias>,
    /// Forget what earlier runs have written down; the server still makes no post of a key twice
    #[arg(long)]
    pub(super) fresh: bool,
    /// How many lines with files of this machine are checked at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(super) jobs: u8,
}

/// An account of a file, and which one it is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccountAlias {
    pub(super) platform: Platform,
    /// What the file calls it.
    pub(super) theirs: String,
    /// Its handle here, without `@`, or its id.
    pub(super) ours: String,
}

impl FromStr for AccountAlias {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Names may hold an equals sign, handles and ids do not.
        let (theirs, ours) = text.rsplit_once('=').ok_or("write NETWORK:NAME=@HANDLE")?;
        let ours = ours.trim_start_matches('@');
        match theirs.parse()? {
            TargetSpec::Account(platform, theirs) if !ours.is_empty() => {
                Ok(Self { platform, theirs, ours: ours.to_owned() })
            }
            _ => Err("write NETWORK:NAME=@HANDLE".to_owned()),
        }
    }
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text {
        "comma" | "," => Ok(b','),
        "semicolon" | ";" => Ok(b';'),
        "tab" | "\t" | "\\t" => Ok(b'\t'),
        _ => Err("write comma, semicolon or tab"),
    }
}

impl ImportOptions {
    pub(super) const fn creates_nothing(&self) -> bool {
        self.dry_run || self.offline
    }
}
