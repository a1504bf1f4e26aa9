//! Tables of what networks' errors mean, and how they are read.
//!
//! A table holds a row for each error that is known: when it is this error, what it means, and the
//! sentence that a person reads. The first row that holds counts. A sentence names what the network
//! has said by place-holders, such as `{said}`.

use chrono::TimeDelta;
use scheduler_core::ports::{NetworkError, NetworkErrorKind as Kind};
use scheduler_core::target::FailureCode;

use crate::conversation::Answer;

/// An error of a network, in the terms by which errors are told apart.
#[derive(Debug, Default)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    /// Something in front of the network answered for it.
    pub(crate) is_page: bool,
    /// The network says itself that the error passes.
    pub(crate) is_transient: bool,
    pub(crate) names: Vec<String>,
    pub(crate) codes: Vec<i64>,
    pub(crate) subcode: Option<i64>,
    /// What it says, as far as errors are told apart by it.
    pub(crate) words: String,
    /// True for a call whose effect others can see.
    pub(crate) is_visible: bool,
    /// How long the network wants to be left alone, as it says.
    pub(crate) wait: Option<TimeDelta>,
    /// What stands for place-holders, besides `{status}` and `{code}`.
    pub(crate) places: Vec<(&'static str, String)>,
}

/// What an error means for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing was done; trying again may help.
    Temporary,
    /// Nothing was done, and nothing will be without a change.
    Permanent(FailureCode),
    /// The access token has run out.
    TokenExpired,
    /// A person has to connect the account again.
    Reconnect,
    /// The network failed somewhere in the middle: what others can see may have been done.
    Failed,
    /// Too many calls: try again after the wait that the network names, else after this.
    Limited(Option<TimeDelta>),
    /// Too much of something: try again after this, whatever the network names.
    UsedUp(Option<TimeDelta>),
    /// The network is busy, and takes this up again after a while.
    Busy(TimeDelta),
}

/// The call is refused.
pub(crate) const REFUSED: Effect = Effect::Permanent(FailureCode::NetworkRefused);
/// What is posted is refused.
pub(crate) const CONTENT: Effect = Effect::Permanent(FailureCode::ValidationFailed);
/// It cannot be done here.
pub(crate) const UNSUPPORTED: Effect = Effect::Permanent(FailureCode::Unsupported);

/// One known error: when it is that, what it means, and the sentence.
pub(crate) type Row = (When, Effect, &'static str);

/// Rows of a table, each as `when => effect, sentence;`.
macro_rules! rows {
    ($($when:expr => $meaning:expr $(, $sentence:expr)?;)*) => {
        &[$(($when, $meaning $(, $sentence)?)),*]
    };
}
pub(crate) use rows;

/// What the errors of a network mean, or of one kind of its calls.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rows: &'static [Row],
    /// What an error means that no row knows.
    pub(crate) unknown: (Effect, &'static str),
}

impl Table {
    /// What a refusal means.
    pub(crate) fn failure(&self, refusal: &Refusal) -> NetworkError {
        let (effect, sentence) = self.unknown;
        known(self.rows, refusal).unwrap_or_else(|| refusal.failure(effect, sentence))
    }
}

/// What a refusal means by some rows; `None` for an error that none of them knows.
pub(crate) fn known(rows: &[Row], refusal: &Refusal) -> Option<NetworkError> {
    let (_, effect, sentence) = rows.iter().find(|(when, ..)| when.holds(refusal))?;
    Some(refusal.failure(*effect, sentence))
}

/// What a meaning is for a call, by rows of meanings; `None` for one that none of them knows.
pub(crate) fn told<M: Copy + PartialEq>(
    rows: &[(M, Effect, &'static str)],
    meaning: M,
) -> Option<(Effect, &'static str)> {
    let (_, effect, sentence) = rows.iter().find(|(known, ..)| *known == meaning)?;
    Some((*effect, *sentence))
}

/// What an error of a call about tokens means by some rows. `said` tells it, and its name is that
/// of the answer.
///
/// Source: RFC 6749, section 5.2.
pub(crate) fn known_of_tokens(rows: &[Row], answer: &Answer, said: String) -> Option<NetworkError> {
    let refusal = Refusal {
        status: answer.status,
        names: vec![answer.words("error")],
        words: said.clone(),
        places: vec![("said", said)],
        ..Refusal::default()
    };
    known(rows, &refusal)
}

/// What a network says of an error about tokens: its description, else its name.
pub(crate) fn said_of_tokens(answer: &Answer) -> String {
    let description = answer.words("error_description");
    if description.is_empty() { answer.words("error") } else { description }
}

impl Refusal {
    /// The failure of a meaning, told by a sentence with place-holders.
    pub(crate) fn failure(&self, effect: Effect, sentence: &str) -> NetworkError {
        let limited = |wait| (Kind::RateLimited { wait }, FailureCode::RateLimited);
        let (kind, code) = match effect {
            Effect::Temporary => (Kind::Temporary, FailureCode::NetworkError),
            Effect::Permanent(code) => (Kind::Permanent, code),
            Effect::TokenExpired => (Kind::TokenExpired, FailureCode::AccountNotConnected),
            Effect::Reconnect => (Kind::Reconnect, FailureCode::AccountNotConnected),
            Effect::Failed if self.is_visible => (Kind::Unsettled, FailureCode::NetworkError),
            Effect::Failed => (Kind::Temporary, FailureCode::NetworkError),
            Effect::Limited(usual) => limited(self.wait.or(usual)),
            Effect::UsedUp(wait) => limited(wait),
            Effect::Busy(wait) => {
                (Kind::RateLimited { wait: Some(wait) }, FailureCode::NetworkError)
            }
        };
        NetworkError::new(kind, self.worded(sentence)).with_code(code)
    }

    /// A sentence with what stands for its place-holders. What a network has said is never read
    /// for place-holders.
    fn worded(&self, sentence: &str) -> String {
        let mut worded = String::new();
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            worded.push_str(before);
            match (name, self.places.iter().find(|(place, _)| *place == name)) {
                (_, Some((_, words))) => worded.push_str(words),
                ("status", None) => worded.push_str(&self.status.to_string()),
                ("code", None) => {
                    let code = self.codes.first().copied().unwrap_or_default();
                    worded.push_str(&code.to_string());
                }
                (_, None) => {}
            }
            rest = after;
        }
        worded + rest
    }
}

/// When a refusal is a certain error. Conditions are all demanded that are named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    statuses: Statuses,
    source: Source,
    is_transient: bool,
    names: &'static [&'static str],
    codes: Codes,
    subcodes: &'static [i64],
    words: &'static [&'static str],
    is_either: bool,
}

#[derive(Clone, Copy, Debug)]
enum Statuses {
    Any,
    Among(&'static [u16]),
    Between(u16, u16),
    /// 408, and 500 or more.
    Trouble,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Any,
    Page,
    Network,
}

#[derive(Clone, Copy, Debug)]
enum Codes {
    Any,
    Among(&'static [i64]),
    Between(i64, i64),
}

/// Any error; what follows narrows it.
pub(crate) const ANY: When = When {
    statuses: Statuses::Any,
    source: Source::Any,
    is_transient: false,
    names: &[],
    codes: Codes::Any,
    subcodes: &[],
    words: &[],
    is_either: false,
};

/// The network failed, by its status.
pub(crate) const TROUBLE: When = When { statuses: Statuses::Trouble, ..ANY };

/// Something in front of the network answered for it.
pub(crate) const PAGE: When = When { source: Source::Page, ..ANY };

/// One of these statuses.
pub(crate) const fn status(statuses: &'static [u16]) -> When {
    When { statuses: Statuses::Among(statuses), ..ANY }
}

/// A status of a range.
pub(crate) const fn status_between(first: u16, last: u16) -> When {
    When { statuses: Statuses::Between(first, last), ..ANY }
}

/// One of these names.
pub(crate) const fn named(names: &'static [&'static str]) -> When {
    ANY.named(names)
}

/// One of these codes.
pub(crate) const fn codes(codes: &'static [i64]) -> When {
    ANY.codes(codes)
}

/// A code of a range.
pub(crate) const fn code_between(first: i64, last: i64) -> When {
    When { codes: Codes::Between(first, last), ..ANY }
}

/// One of these subcodes.
pub(crate) const fn subcodes(subcodes: &'static [i64]) -> When {
    When { subcodes, ..ANY }
}

/// One of these texts in what the network says.
pub(crate) const fn says(words: &'static [&'static str]) -> When {
    ANY.says(words)
}

impl When {
    /// The same for one of these names alone.
    pub(crate) const fn named(self, names: &'static [&'static str]) -> Self {
        Self { names, ..self }
    }

    /// The same for one of these codes alone.
    pub(crate) const fn codes(self, codes: &'static [i64]) -> Self {
        Self { codes: Codes::Among(codes), ..self }
    }

    /// The same where the network says one of these texts.
    pub(crate) const fn says(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// The same, but no page of the network names it: it is known from other programs alone. How
    /// many such rows a network has stands in `docs/networks/README.md`.
    pub(crate) const fn unverified(self) -> Self {
        self
    }

    /// The same where the network says that it passes.
    pub(crate) const fn transient(self) -> Self {
        Self { is_transient: true, ..self }
    }

    /// The same for an answer of something in front of the network.
    pub(crate) const fn of_page(self) -> Self {
        Self { source: Source::Page, ..self }
    }

    /// The same for an answer of the network itself.
    pub(crate) const fn of_network(self) -> Self {
        Self { source: Source::Network, ..self }
    }

    /// The same where any of its names, codes, subcodes and texts is enough.
    pub(crate) const fn either(self) -> Self {
        Self { is_either: true, ..self }
    }

    /// True for a refusal that is this error.
    pub(crate) fn holds(&self, refusal: &Refusal) -> bool {
        let status = refusal.status;
        let is_status = match self.statuses {
            Statuses::Any => true,
            Statuses::Among(known) => known.contains(&status),
            Statuses::Between(first, last) => (first..=last).contains(&status),
            Statuses::Trouble => status == 408 || status >= 500,
        };
        let is_source = match self.source {
            Source::Any => true,
            Source::Page => refusal.is_page,
            Source::Network => !refusal.is_page,
        };
        is_status
            && is_source
            && (refusal.is_transient || !self.is_transient)
            && self.is_told(refusal)
    }

    /// True where the refusal is told by its names, codes, subcodes and words.
    fn is_told(&self, refusal: &Refusal) -> bool {
        let is_code = |is_known: &dyn Fn(&i64) -> bool| Some(refusal.codes.iter().any(is_known));
        let told = [
            (!self.names.is_empty())
                .then(|| refusal.names.iter().any(|name| self.names.contains(&name.as_str()))),
            match self.codes {
                Codes::Any => None,
                Codes::Among(known) => is_code(&|code| known.contains(code)),
                Codes::Between(first, last) => is_code(&|code| (first..=last).contains(code)),
            },
            (!self.subcodes.is_empty())
                .then(|| refusal.subcode.is_some_and(|subcode| self.subcodes.contains(&subcode))),
            (!self.words.is_empty())
                .then(|| self.words.iter().any(|words| refusal.words.contains(words))),
        ];
        let mut told = told.into_iter().flatten();
        if self.is_either { told.any(|is_it| is_it) } else { told.all(|is_it| is_it) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_where_all_that_it_names_is_so() {
        let refusal = || Refusal {
            status: 403,
            names: vec!["forbidden".to_owned()],
            codes: vec![29],
            subcode: Some(7),
            words: "trial access".to_owned(),
            ..Refusal::default()
        };
        let all = status(&[403]).named(&["forbidden"]).codes(&[29]).says(&["trial"]);
        for (name, when, want) in [
            ("any", ANY, true),
            ("all", all, true),
            ("another status", status(&[400, 404]), false),
            ("a range", status_between(400, 403), true),
            ("past a range", status_between(400, 402), false),
            ("no trouble", TROUBLE, false),
            ("another name", all.named(&["gone"]), false),
            ("another code", all.codes(&[7]), false),
            ("a range of codes", code_between(20, 29), true),
            ("past a range of codes", code_between(20, 28), false),
            ("a subcode", subcodes(&[7, 8]), true),
            ("another subcode", subcodes(&[8]), false),
            ("other words", all.says(&["standard"]), false),
            ("one of several", codes(&[7]).says(&["trial"]).either(), true),
            ("none of several", codes(&[7]).says(&["standard"]).either(), false),
            ("not transient", all.transient(), false),
            ("no page", PAGE, false),
            ("of the network", all.of_network(), true),
        ] {
            assert_eq!(when.holds(&refusal()), want, "{name}");
        }
        for (status, want) in [(408, true), (499, false), (500, true), (599, true)] {
            let refusal = Refusal { status, is_page: true, is_transient: true, ..refusal() };
            assert_eq!(TROUBLE.transient().holds(&refusal), want, "{status}");
            assert!(PAGE.holds(&refusal) && !ANY.of_network().holds(&refusal), "{status}");
        }
    }

    #[test]
    fn every_effect_has_its_kind_and_code() {
        let (short, long) = (TimeDelta::seconds(7), TimeDelta::hours(1));
        let limited = |wait| Kind::RateLimited { wait };
        for (effect, wait, hidden, visible, code) in [
            (Effect::Temporary, None, Kind::Temporary, Kind::Temporary, FailureCode::NetworkError),
            (CONTENT, None, Kind::Permanent, Kind::Permanent, FailureCode::ValidationFailed),
            (Effect::Failed, None, Kind::Temporary, Kind::Unsettled, FailureCode::NetworkError),
            (
                Effect::Limited(Some(long)),
                Some(short),
                limited(Some(short)),
                limited(Some(short)),
                FailureCode::RateLimited,
            ),
            (
                Effect::Limited(Some(long)),
                None,
                limited(Some(long)),
                limited(Some(long)),
                FailureCode::RateLimited,
            ),
            (
                Effect::UsedUp(None),
                Some(short),
                limited(None),
                limited(None),
                FailureCode::RateLimited,
            ),
            (
                Effect::Busy(long),
                Some(short),
                limited(Some(long)),
                limited(Some(long)),
                FailureCode::NetworkError,
            ),
        ] {
            for (is_visible, kind) in [(false, hidden), (true, visible)] {
                let refusal = Refusal { is_visible, wait, ..Refusal::default() };
                let failure = refusal.failure(effect, "It failed.");
                assert_eq!((failure.kind, failure.code), (kind, code), "{effect:?} {is_visible}");
            }
        }
    }

    #[test]
    fn sentences_are_filled_once() {
        let refusal = Refusal {
            status: 400,
            codes: vec![9, 10],
            places: vec![("said", "{status} {".to_owned())],
            ..Refusal::default()
        };
        for (sentence, want) in [
            ("Plain.", "Plain."),
            ("No: {said}.", "No: {status} {."),
            ("{status}, {code}", "400, 9"),
            ("{trace}", ""),
        ] {
            let failure = refusal.failure(REFUSED, sentence);
            assert_eq!(failure.message, want);
        }
    }
}
