//! What is wrong with a field of a request.

use std::fmt;

use chrono::{DateTime, NaiveDateTime, Utc};

use crate::ids::AccountId;
use crate::platform::Platform;
use crate::timing::{LocalTimeError, Zone, format_local};

/// What kind of value stands in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonKind {
    /// An object.
    Object,
    /// A list.
    List,
    /// A text.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// None of them.
    Other,
}

impl fmt::Display for JsonKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Object => "an object",
            Self::List => "a list",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Bool => "true or false",
            Self::Null => "null",
            Self::Other => "of another type",
        })
    }
}

/// Names as a choice between them.
fn one_of(names: &[&str], none: &str) -> String {
    match names {
        [] => none.to_owned(),
        [only] => format!("`{only}`"),
        [one, other] => format!("`{one}` or `{other}`"),
        several => format!("one of `{}`", several.join("`, `")),
    }
}

/// What is wrong with the field that a refusal names, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Invalid {
    /// What the layer or the program around the core says of it, or a use case that has no more to
    /// tell than its field.
    #[error("{0}")]
    Said(String),
    /// The body is empty.
    #[error("The body is empty; send a JSON object.")]
    EmptyBody,
    /// The body is a list.
    #[error("The body is a list; send a JSON object.")]
    ListBody,
    /// The body is not JSON, from this place on.
    #[error(
        "The body is not JSON: {} at line {line}, column {column}.",
        if *ends_too_early { "it ends too early" } else { "it cannot be read" }
    )]
    NotJson {
        /// It could go on there.
        ends_too_early: bool,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The object has no field of this name.
    #[error("{name:?} is not a field here; known: {}.", one_of(known, "nothing here"))]
    UnknownField {
        /// The name.
        name: String,
        /// The names of the fields that it has.
        known: &'static [&'static str],
    },
    /// The field of this name is there twice.
    #[error("{0} is sent more than once.")]
    Repeated(&'static str),
    /// The value is of another kind.
    #[error("This is {found}; {expected} is expected.")]
    WrongKind {
        /// Of which.
        found: JsonKind,
        /// What is expected, as the sentence goes on.
        expected: String,
    },
    /// The value is none of those that are known.
    #[error("This is not a known value; {} is expected.", one_of(known, "something else"))]
    UnknownValue {
        /// Those that are.
        known: &'static [&'static str],
    },
    /// The text is not what it is to be, such as a UUID.
    #[error("This is not {0}.")]
    NotA(String),
    /// The text is not Unicode.
    #[error("This is not Unicode; send UTF-8, and no half of a surrogate pair such as \\ud800.")]
    NotUnicode,
    /// The value is not allowed.
    #[error("This is not an allowed value.")]
    NotAllowed,
    /// The field of this name is missing.
    #[error("{0} is required.")]
    Required(&'static str),
    /// It holds more than it may.
    #[error("{what} is {found} {unit}, the limit is {most}{advice}.")]
    TooLong {
        /// What, as the sentence begins.
        what: String,
        /// How long it is.
        found: usize,
        /// In what that is counted.
        unit: &'static str,
        /// How long it may be.
        most: usize,
        /// What to do about it, as the sentence ends; often nothing.
        advice: &'static str,
    },
    /// The text holds the character U+0000.
    #[error("The text holds the character U+0000; leave it out.")]
    NulCharacter,
    /// The instant, as it was sent, is in the past.
    #[error("{sent} is in the past; choose an instant to come, or have it go out at once.")]
    Past {
        /// What was sent.
        sent: String,
        /// The instant.
        at: DateTime<Utc>,
    },
    /// The local time is in the past where the account is.
    #[error("{} is in the past for {account} in {zone}.", format_local(*.local))]
    PastLocal {
        /// The local time.
        local: NaiveDateTime,
        /// The account, as people read it.
        account: String,
        /// Its zone.
        zone: Zone,
    },
    /// The text is no instant.
    #[error(
        "{0:?} is not an instant; send ISO 8601 with an offset or Z, such as 2026-12-01T09:00:00Z."
    )]
    NotAnInstant(String),
    /// The text is no local time.
    #[error("{0}.")]
    NotALocalTime(LocalTimeError),
    /// Two fields say when the post goes out.
    #[error(
        "{first} and {second} exclude each other; send one of scheduledAt, scheduledLocal, queue, publishNow and saveAsDraft."
    )]
    TwoTimings {
        /// The one.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// No field says when the post goes out.
    #[error(
        "Say when the post goes out: send one of scheduledAt, scheduledLocal, queue, publishNow and saveAsDraft."
    )]
    NoTiming,
    /// The account, as people read it, has no slot in its posting schedule.
    #[error("The posting schedule of {0} has no slot; set one, or send a time.")]
    NoSlot(String),
    /// The instant is no slot to come of this account, as people read it.
    #[error("That is no slot of {0} to come; take one of its posting schedule.")]
    NotASlot(String),
    /// The post has no target.
    #[error("A post needs at least 1 target.")]
    NoTargets,
    /// Issues are allowed to a draft alone.
    #[error("allowIssues goes with saveAsDraft: true; only a draft is kept with issues.")]
    IssuesOfNoDraft,
    /// The account is of another network than the target.
    #[error("The account is of {account}, the target is of {target}.")]
    OtherNetwork {
        /// Of the account.
        account: Platform,
        /// Of the target.
        target: Platform,
    },
    /// Two targets have this account, as people read it.
    #[error("The post goes to {0} twice.")]
    AccountTwice(String),
    /// Another target of the post has the account.
    #[error("The post goes to this account already.")]
    AccountTaken,
    /// Several accounts of the network could be meant: as people read them.
    #[error("Several {platform} accounts are connected, say which: {}.", accounts.join(", "))]
    SeveralAccounts {
        /// The network.
        platform: Platform,
        /// The accounts.
        accounts: Vec<String>,
    },
    /// The account is not connected, or is not of this workspace.
    #[error("There is no such connected account in this workspace.")]
    NotConnected(AccountId),
    /// Several accounts could be meant: as people read them.
    #[error("Say which account: {}.", .0.join(", "))]
    WhichAccount(Vec<String>),
    /// Several workspaces could be meant: their names.
    #[error("Say which workspace: {}.", .0.join(", "))]
    WhichWorkspace(Vec<String>),
    /// A workspace of this name exists.
    #[error("A workspace named {0:?} exists.")]
    WorkspaceExists(String),
    /// The file is uploaded in parts, which are to be reported.
    #[error("This file is uploaded in parts.")]
    UploadedInParts,
    /// Links are to be shortened, and the server has no address that readers reach.
    #[error(
        "Short links need an address of this server that readers reach: set public_url, such as https://go.example.com, and start the server again."
    )]
    ShortensWithoutAddress,
    /// The file is uploaded in one piece, which is to be reported.
    #[error("This file is uploaded in one piece.")]
    UploadedInOnePiece,
    /// The upload has no part of this number.
    #[error("There is no part {part}; the parts are 1 to {count}.")]
    NoSuchPart {
        /// The number.
        part: u32,
        /// How many there are.
        count: u64,
    },
    /// The part of this number is listed twice.
    #[error("Part {0} is listed twice.")]
    PartTwice(u32),
    /// The part of this number is not listed.
    #[error("Part {part} of {count} is missing; send it and list it.")]
    PartMissing {
        /// The number.
        part: u32,
        /// How many there are.
        count: u32,
    },
}

impl Invalid {
    /// True for a time that has passed.
    #[must_use]
    pub const fn is_past(&self) -> bool {
        matches!(self, Self::Past { .. } | Self::PastLocal { .. })
    }

    /// A text of more characters than its field takes.
    pub(crate) fn too_long(what: impl Into<String>, found: usize, most: usize) -> Self {
        Self::TooLong { what: what.into(), found, unit: "characters", most, advice: "" }
    }
}

impl From<String> for Invalid {
    fn from(message: String) -> Self {
        Self::Said(message)
    }
}

impl From<&str> for Invalid {
    fn from(message: &str) -> Self {
        Self::Said(message.to_owned())
    }
}
