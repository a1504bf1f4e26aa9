//! Crashes and lost answers at every request of a publish.
//!
//! A publish is run as the engine runs it: a step that others can see is marked before it is
//! taken, and whoever finds the mark looks first. The network is an imitation that does what the
//! real one does with a repeat. For the tests of adapters, those of other crates too (feature
//! `testing`): `tests/own_network.rs` of this crate shows one.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Live, Located, NetworkError, NetworkErrorKind as Kind, PublishJob, Step,
};
use scheduler_core::target::Remote;

use crate::conversation::{Answer, Conversation, Request, Turn};

/// A network that remembers what was posted: what an adapter is tested against.
pub trait Imitation: Clone {
    /// Does what is asked, and answers.
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer;
    /// The texts of everything that is live, in the order in which it came.
    fn live(&self) -> Vec<String>;
}

/// What goes wrong at a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// The process dies before the request leaves.
    CrashBefore,
    /// The process dies after the network did what was asked.
    CrashAfter,
    /// The network does what was asked, and its answer is lost.
    Lost,
    /// The network does what was asked, and answers that it failed.
    FailedAfter,
    /// The network does nothing, and answers that it failed.
    FailedBefore,
    /// The network does nothing, and asks to be left alone for a while.
    Limited,
}

const CUTS: [Cut; 6] = [
    Cut::CrashBefore,
    Cut::CrashAfter,
    Cut::Lost,
    Cut::FailedAfter,
    Cut::FailedBefore,
    Cut::Limited,
];

/// A publish with cuts at requests of these numbers.
struct Run<'a, C, I> {
    conversation: &'a C,
    network: I,
    job: PublishJob,
    cuts: Vec<(usize, Cut)>,
    requests: usize,
    /// It is live, and takes the steps that follow.
    follows: bool,
}

/// How an attempt ended.
enum Ended {
    Live(Live),
    InDoubt,
    /// Another attempt has to go on.
    Unfinished,
}

/// How a conversation ended.
enum Held<T> {
    Done(T),
    Failed(NetworkError),
    /// The answer was lost, and `bool` says whether others can see what was asked.
    Lost(bool),
    Died,
}

/// What became of the runs of one kind of post.
#[derive(Debug, Default)]
struct Counts {
    /// Requests that are cut in turn: those of the run in which nothing goes wrong.
    steps: usize,
    runs: usize,
    /// Runs after which a text was live more than once.
    doubled: usize,
    /// Runs after which a text was not live, and that did not tell so.
    lost: usize,
    /// Runs that told that nobody knows.
    in_doubt: usize,
}

impl Counts {
    /// Counts a run: what is live after it, and whether it is told to be live.
    fn add(&mut self, live: &[String], texts: &[&str], is_told: bool) {
        self.runs += 1;
        self.in_doubt += usize::from(!is_told);
        let count = |text: &str| live.iter().filter(|one| *one == text).count();
        let wanted = |text: &str| texts.iter().filter(|one| **one == text).count();
        let has_more = live.iter().any(|text| count(text) > wanted(text));
        let has_less = texts.iter().any(|text| count(text) < wanted(text));
        self.doubled += usize::from(has_more);
        self.lost += usize::from(has_less && is_told);
    }

    /// Prints the counts as a line, which `scripts/conformance.sh` sums up for each network.
    #[expect(clippy::print_stdout, reason = "shown with --nocapture")]
    fn print(&self, platform: Platform) {
        let Self { steps, runs, doubled, lost, in_doubt } = self;
        println!(
            "conformance {platform} kinds=1 steps={steps} runs={runs} doubled={doubled} lost={lost} in_doubt={in_doubt}"
        );
    }
}

/// Publishes with no cut, with a cut of every kind at every request, and with every pair of cuts.
/// However it goes, every text must be live once, and the post be told to be.
///
/// `pause` passes before another holder takes over.
///
/// # Panics
///
/// When a text is live twice or not at all, when the post is not told to be live or has no address,
/// when a step has two visible requests, or when a publish does not end. The message names the
/// cuts.
pub fn exhaust<C: Conversation, I: Imitation>(
    conversation: &C,
    network: &I,
    job: &PublishJob,
    pause: TimeDelta,
    texts: &[&str],
) {
    let mut counts = Counts::default();
    let run = |cuts: Vec<(usize, Cut)>| {
        let name = format!("{cuts:?}");
        let mut run = Run::new(conversation, network, job, cuts);
        let Some(remote) = run.publish(pause) else { panic!("in doubt: {name}") };
        let live = run.network.live();
        counts.add(&live, texts, true);
        assert_eq!(live, texts, "{name}");
        assert!(remote.url.is_some(), "{name}");
        run.requests
    };
    counts.steps = every_cut(texts.len(), run);
    counts.print(job.account.platform);
}

/// The same of a network that offers no way to look: no text is ever live twice, and where it is
/// not told to be live, it is told to be in doubt.
///
/// # Panics
///
/// As [`exhaust`], but a publish with a cut may end in doubt.
pub fn exhaust_in_doubt<C: Conversation, I: Imitation>(
    conversation: &C,
    network: &I,
    job: &PublishJob,
    pause: TimeDelta,
    texts: &[&str],
) {
    let mut counts = Counts::default();
    let run = |cuts: Vec<(usize, Cut)>| {
        let name = format!("{cuts:?}");
        let undisturbed = cuts.is_empty();
        let mut run = Run::new(conversation, network, job, cuts);
        let remote = run.publish(pause);
        let live = run.network.live();
        counts.add(&live, texts, remote.is_some());
        if remote.is_some() {
            assert_eq!(live, texts, "{name}");
        } else {
            assert!(!undisturbed, "in doubt although nothing went wrong");
            assert!(live.is_empty() || texts.starts_with(&strs(&live)), "{name}: {live:?}");
        }
        run.requests
    };
    counts.steps = every_cut(texts.len(), run);
    counts.print(job.account.platform);
}

fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Runs with no cut, with each, and with each pair; a run gives back how many requests it made.
/// Returns how many the first made.
fn every_cut(requests_min: usize, mut run: impl FnMut(Vec<(usize, Cut)>) -> usize) -> usize {
    let undisturbed = run(Vec::new());
    assert!(undisturbed >= requests_min);
    for first in 0..undisturbed {
        for cut in CUTS {
            let requests = run(vec![(first, cut)]);
            for second in first + 1..requests {
                for other in CUTS {
                    run(vec![(first, cut), (second, other)]);
                }
            }
        }
    }
    undisturbed
}

impl<'a, C: Conversation, I: Imitation> Run<'a, C, I> {
    fn new(conversation: &'a C, network: &I, job: &PublishJob, cuts: Vec<(usize, Cut)>) -> Self {
        let (network, job) = (network.clone(), job.clone());
        Self { conversation, network, job, cuts, requests: 0, follows: false }
    }

    /// Publishes, and takes every step that follows; `None` when it ended in doubt.
    fn publish(&mut self, pause: TimeDelta) -> Option<Remote> {
        let mut stored = (self.conversation.begin(&self.job), false);
        let mut remote = None;
        for _ in 0..100 {
            match self.attempt(&mut stored) {
                Ended::Live(live) => {
                    self.follows = true;
                    remote = live.remote.or(remote);
                    match live.then {
                        Some(then) => stored = (then, false),
                        None => return remote,
                    }
                }
                Ended::InDoubt => return None,
                Ended::Unfinished => self.job.now += pause,
            }
        }
        panic!("no end after 100 attempts: {:?}", self.cuts);
    }

    /// One holder's attempt.
    fn attempt(&mut self, stored: &mut (serde_json::Value, bool)) -> Ended {
        let conversation = self.conversation;
        let (mut progress, mut is_open) = stored.clone();
        let (mut must_look, mut has_looked, mut is_unsettled) = (is_open, false, false);
        loop {
            if must_look {
                (must_look, has_looked) = (false, true);
                let job = self.job.clone();
                let located = self.hold(0, |answers| conversation.locate(&job, &progress, answers));
                match located {
                    Held::Done(Located::Live(live)) => return Ended::Live(live),
                    Held::Done(Located::Continue(next) | Located::Absent(next)) => {
                        (progress, is_open) = (next, false);
                    }
                    Held::Done(Located::Repeat(next)) => progress = next,
                    Held::Done(Located::Wait { progress, until }) => {
                        *stored = (progress, true);
                        self.job.now = self.job.now.max(until);
                        return Ended::Unfinished;
                    }
                    // What follows is left out.
                    Held::Done(Located::Unknown) if self.follows => {
                        let then = conversation.skip(&progress);
                        return Ended::Live(Live { remote: None, then });
                    }
                    Held::Done(Located::Unknown) => return Ended::InDoubt,
                    Held::Failed(_) | Held::Lost(_) | Held::Died => return Ended::Unfinished,
                }
                if is_unsettled {
                    *stored = (progress, is_open);
                    return Ended::Unfinished;
                }
            }
            let is_visible = conversation.is_visible(&progress);
            *stored = (progress.clone(), is_open || is_visible);
            let (job, visible) = (self.job.clone(), usize::from(is_visible));
            let step = self.hold(visible, |answers| conversation.advance(&job, &progress, answers));
            let kind = match step {
                Held::Done(Step::Live(live)) => return Ended::Live(live),
                Held::Done(Step::Next(next)) => {
                    (progress, is_open, has_looked) = (next, false, false);
                    continue;
                }
                Held::Done(Step::Wait { progress, until }) => {
                    *stored = (progress, false);
                    self.job.now = self.job.now.max(until);
                    return Ended::Unfinished;
                }
                Held::Done(Step::Failed { progress, .. }) => {
                    *stored = (progress, false);
                    return Ended::Unfinished;
                }
                Held::Lost(true) => Kind::InDoubt,
                Held::Lost(false) => Kind::Temporary,
                Held::Failed(error) => error.kind,
                Held::Died => return Ended::Unfinished,
            };
            let is_lost = matches!(kind, Kind::InDoubt | Kind::Unsettled);
            is_open |= is_lost && is_visible;
            stored.1 = is_open;
            if !is_lost || !is_visible || has_looked {
                return Ended::Unfinished;
            }
            must_look = true;
            is_unsettled = kind == Kind::Unsettled;
        }
    }

    fn hold<T>(
        &mut self,
        visible_max: usize,
        mut next: impl FnMut(&[Answer]) -> Result<Turn<T>, NetworkError>,
    ) -> Held<T> {
        let mut answers = Vec::new();
        let mut visible = 0;
        loop {
            let request = match next(&answers) {
                Err(error) => return Held::Failed(error),
                Ok(Turn::Done(result)) => return Held::Done(result),
                Ok(Turn::Send(request)) => request,
            };
            visible += usize::from(request.is_visible);
            assert!(visible <= visible_max, "one visible call too many: {request:?}");
            let number = self.requests;
            self.requests += 1;
            let cut = self.cuts.iter().find(|(at, _)| *at == number).map(|(_, cut)| *cut);
            let mut ask = || self.network.answer(&request, self.job.now);
            match cut {
                Some(Cut::CrashBefore) => return Held::Died,
                Some(Cut::CrashAfter) => {
                    ask();
                    return Held::Died;
                }
                Some(Cut::Lost) => {
                    ask();
                    return Held::Lost(request.is_visible);
                }
                Some(Cut::FailedAfter) => {
                    ask();
                    answers.push(failed(500));
                }
                Some(Cut::FailedBefore) => answers.push(failed(500)),
                Some(Cut::Limited) => answers.push(failed(429)),
                None => answers.push(ask()),
            }
        }
    }
}

/// An answer that says nothing but its status.
fn failed(status: u16) -> Answer {
    Answer { status, headers: Vec::new(), body: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_doubled_and_as_lost() {
        for (name, live, is_told, want) in [
            ("as it should be", &["a", "b", "b"][..], true, (0, 0, 0)),
            ("one too many", &["a", "a", "b", "b"], true, (1, 0, 0)),
            ("another text", &["a", "b", "b", "c"], true, (1, 0, 0)),
            ("one is missing", &["a", "b"], true, (0, 1, 0)),
            ("one is missing, as told", &["a"], false, (0, 0, 1)),
            ("one doubled, others missing", &["a", "a"], true, (1, 1, 0)),
        ] {
            let mut counts = Counts::default();
            let live: Vec<String> = live.iter().map(|text| (*text).to_owned()).collect();
            counts.add(&live, &["a", "b", "b"], is_told);
            assert_eq!((counts.doubled, counts.lost, counts.in_doubt), want, "{name}");
        }
    }
}
