//! Every stage of an attempt and every event.

use super::*;
use NetworkErrorKind as Kind;
use serde_json::json;

fn at(second: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
}

fn error(kind: Kind, message: &str) -> NetworkError {
    NetworkError::new(kind, message)
}

fn no(kind: Kind) -> NetworkError {
    error(kind, "no")
}

fn fault() -> Option<NetworkError> {
    Some(error(Kind::Unsettled, "fault"))
}

const ANSWERED: Calls = Calls::Answered;
const SETTLED: Calls = Calls::Settled;
const LOOK: Turn = Turn::Look { fault: None };

fn repeatable() -> Calls {
    Calls::Repeatable { looked_at: at(8) }
}

/// A machine at a stage, with what is stored then.
fn machine(stage: Stage) -> Machine {
    let is_open = match &stage {
        Stage::Refreshing { turn: Turn::Look { .. }, .. } | Stage::Looking { .. } => true,
        Stage::Refreshing { turn: Turn::Step(calls), .. } | Stage::Preparing(calls) => {
            calls.is_open()
        }
        Stage::Storing { calls, is_visible, .. } | Stage::Stepping { calls, is_visible } => {
            calls.is_open() || *is_visible
        }
        Stage::Ended => false,
    };
    let progress = Progress { open: is_open.then(|| open(63)), ..Progress::new(json!(0), at(0)) };
    let in_doubt = error(Kind::InDoubt, "doubt");
    Machine { stage, progress, token: Token::Original, delays: 0, in_doubt }
}

/// A call that began at 0 and lasts so long.
fn open(seconds: i64) -> OpenCall {
    let call = VisibleCall::new(at(0), TimeDelta::seconds(seconds));
    OpenCall { call, when_unknown: WhenUnknown::Ask }
}

fn looking(fault: Option<NetworkError>, call_ends: i64, when_unknown: WhenUnknown) -> Machine {
    let mut machine = machine(Stage::Looking { fault });
    machine.progress.open = Some(OpenCall { when_unknown, ..open(call_ends) });
    machine
}

fn looked(found: Result<Located, NetworkError>) -> Event {
    Event::Looked { asked_at: at(50), answered_at: at(51), found }
}

/// What a machine does next, in short: the action, or the step that is prepared; then the adapter's
/// state – 0 as it was, 1 as the event says – with `!` while a call is marked as open, and `?`
/// while a person has asked for a repeat of what nobody can know.
fn told(machine: &Machine, action: &Action) -> String {
    let turn = |turn: &Turn| match turn {
        Turn::Look { fault: None } => "look".to_owned(),
        Turn::Look { fault: Some(_) } => "look, fault".to_owned(),
        Turn::Step(Calls::Answered) => "answered".to_owned(),
        Turn::Step(Calls::Settled) => "settled".to_owned(),
        Turn::Step(Calls::Repeatable { looked_at }) => {
            format!("repeat {}", looked_at.timestamp())
        }
    };
    let done = match (action, &machine.stage) {
        (Action::Refresh, Stage::Refreshing { need: Need::Now, turn: then }) => {
            format!("refresh, {}", turn(then))
        }
        (Action::Look, Stage::Looking { fault }) => turn(&Turn::Look { fault: fault.clone() }),
        (Action::Prepare, Stage::Preparing(calls)) => turn(&Turn::Step(*calls)),
        (Action::Store { lease }, Stage::Storing { .. }) => {
            format!("store {}", lease.num_seconds())
        }
        (Action::Step, Stage::Stepping { .. }) => "step".to_owned(),
        (Action::End(End::Live(_)), Stage::Ended) => "live".to_owned(),
        (Action::End(End::Waits(until)), Stage::Ended) => format!("wait {}", until.timestamp()),
        (Action::End(End::Failed(error)), Stage::Ended) if error.message == "no" => {
            format!("fail {}", error.kind.as_str())
        }
        (Action::End(End::Failed(error)), Stage::Ended) => {
            format!("fail {} {}", error.kind.as_str(), error.message)
        }
        (Action::End(End::Lost), Stage::Ended) => "lost".to_owned(),
        (action, stage) => panic!("{action:?} in {stage:?}"),
    };
    let mark = match machine.progress.open.map(|open| open.when_unknown) {
        None => "",
        Some(WhenUnknown::Ask) => "!",
        Some(WhenUnknown::SendAgain) => "!?",
    };
    format!("{done}; {}{mark}", machine.progress.state)
}

/// Every event, by name, each with the stage that it belongs to.
fn events() -> Vec<(&'static str, &'static str, Event)> {
    let progress = json!(1);
    let refreshed = |refreshed| Event::Refreshed(refreshed);
    let prepared = |lasts: Option<i64>| Event::Prepared {
        at: at(10),
        visible_for: lasts.map(TimeDelta::seconds),
    };
    let live = Live { remote: None, then: None };
    let limited = Kind::RateLimited { wait: None };
    let mut events = vec![
        ("refreshing", "new", refreshed(Refreshed::New(()))),
        ("refreshing", "busy", refreshed(Refreshed::Busy(at(400)))),
        ("refreshing", "fault", refreshed(Refreshed::Failed(no(Kind::Temporary)))),
        ("refreshing", "refused", refreshed(Refreshed::Failed(no(Kind::Reconnect)))),
        ("looking", "live", looked(Ok(Located::Live(live.clone())))),
        ("looking", "continue", looked(Ok(Located::Continue(progress.clone())))),
        ("looking", "absent", looked(Ok(Located::Absent(progress.clone())))),
        ("looking", "repeat", looked(Ok(Located::Repeat(progress.clone())))),
        ("looking", "wait", looked(Ok(Located::Wait { progress: json!(1), until: at(500) }))),
        ("looking", "unknown", looked(Ok(Located::Unknown))),
        ("preparing", "hidden", prepared(None)),
        ("preparing", "visible for 2", prepared(Some(2))),
        ("preparing", "visible for 60", prepared(Some(60))),
        ("storing", "stored at 11", Event::Stored { at: at(11) }),
        ("storing", "stored at 13", Event::Stored { at: at(13) }),
        ("storing", "stored at 14", Event::Stored { at: at(14) }),
        ("storing", "lost", Event::Lost),
        ("stepping", "next", Event::Stepped(Ok(Step::Next(progress.clone())))),
        ("stepping", "live", Event::Stepped(Ok(Step::Live(live)))),
        (
            "stepping",
            "wait",
            Event::Stepped(Ok(Step::Wait { progress: progress.clone(), until: at(500) })),
        ),
        (
            "stepping",
            "failed",
            Event::Stepped(Ok(Step::Failed {
                progress: progress.clone(),
                error: no(Kind::Temporary),
            })),
        ),
        (
            "stepping",
            "failed, token",
            Event::Stepped(Ok(Step::Failed { progress, error: no(Kind::TokenExpired) })),
        ),
    ];
    for kind in [
        Kind::Temporary,
        limited,
        Kind::Permanent,
        Kind::TokenExpired,
        Kind::Reconnect,
        Kind::InDoubt,
        Kind::Unsettled,
    ] {
        events.push(("looking", kind.as_str(), looked(Err(no(kind)))));
        events.push(("stepping", kind.as_str(), Event::Stepped(Err(no(kind)))));
    }
    events
}

/// Holds what follows each event of a stage against a table, whose columns are these machines: as
/// many as it has, and a row for every event of the stage. Every other event is impossible.
fn check(table: &str, machines: &[Machine]) {
    let mut rows =
        table.trim().lines().map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let names = rows.next().unwrap();
    assert_eq!(names.len(), machines.len() + 1, "{names:?}");
    let rows: Vec<_> = rows.collect();
    let stage = machines[0].stage.name();
    let (of_stage, others): (Vec<_>, Vec<_>) =
        events().into_iter().partition(|(of, ..)| *of == stage);
    assert_eq!(
        rows.iter().map(|row| row[0]).collect::<Vec<_>>(),
        of_stage.iter().map(|(_, name, _)| *name).collect::<Vec<_>>()
    );
    for (column, from) in machines.iter().enumerate() {
        for (row, (_, name, event)) in rows.iter().zip(&of_stage) {
            let mut machine = from.clone();
            let action = machine.next(event.clone()).unwrap();
            assert_eq!(told(&machine, &action), row[column + 1], "{} + {name}", names[column + 1]);
        }
        for (_, name, event) in &others {
            let refused = from.clone().next(event.clone()).unwrap_err();
            let want = Impossible::Attempt { stage, event: event.name() };
            assert_eq!(refused, want, "{} + {name}", names[column + 1]);
        }
    }
}

const REFRESHING: &str = r"
        | soon, look         | soon, look, fault  | soon, answered    | soon, settled     | soon, repeat       | now, look          | now, look, fault   | now, answered     | now, settled      | now, repeat
new     | look; 0!           | look, fault; 0!    | answered; 0       | settled; 0        | repeat 8; 0!       | look; 0!           | look, fault; 0!    | answered; 0       | settled; 0        | repeat 8; 0!
busy    | look; 0!           | look, fault; 0!    | answered; 0       | settled; 0        | repeat 8; 0!       | wait 400; 0!       | wait 400; 0!       | wait 400; 0       | wait 400; 0       | wait 400; 0!
fault   | look; 0!           | look, fault; 0!    | answered; 0       | settled; 0        | repeat 8; 0!       | fail temporary; 0! | fail temporary; 0! | fail temporary; 0 | fail temporary; 0 | fail temporary; 0!
refused | fail reconnect; 0! | fail reconnect; 0! | fail reconnect; 0 | fail reconnect; 0 | fail reconnect; 0! | fail reconnect; 0! | fail reconnect; 0! | fail reconnect; 0 | fail reconnect; 0 | fail reconnect; 0!
";

#[test]
fn refreshing_and_every_event() {
    let then = [
        LOOK,
        Turn::Look { fault: fault() },
        Turn::Step(ANSWERED),
        Turn::Step(SETTLED),
        Turn::Step(repeatable()),
    ];
    let of = |need| then.clone().map(|turn| machine(Stage::Refreshing { need, turn }));
    check(REFRESHING, &[of(Need::Soon), of(Need::Now)].concat());
}

/// Of a call that has ended or is under way; may be sent again by a person's wish; was answered
/// with a fault.
const LOOKING: &str = r"
              | ended                   | under way             | ended, again           | under way, again       | fault, ended             | fault, under way         | fault, ended, again       | fault, under way, again
live          | live; 0!                | live; 0!              | live; 0!?              | live; 0!?              | live; 0!                 | live; 0!                 | live; 0!?                 | live; 0!?
continue      | settled; 1              | settled; 1            | settled; 1             | settled; 1             | fail temporary fault; 1  | fail temporary fault; 1  | fail temporary fault; 1   | fail temporary fault; 1
absent        | settled; 1              | wait 51; 0!           | settled; 1             | wait 51; 0!?           | fail temporary fault; 1  | fail temporary fault; 0! | fail temporary fault; 1   | fail temporary fault; 0!?
repeat        | repeat 51; 1!           | wait 51; 0!           | repeat 51; 1!?         | wait 51; 0!?           | fail temporary fault; 1! | fail temporary fault; 0! | fail temporary fault; 1!? | fail temporary fault; 0!?
wait          | wait 500; 1!            | wait 500; 1!          | wait 500; 1!?          | wait 500; 1!?          | wait 500; 1!             | wait 500; 1!             | wait 500; 1!?             | wait 500; 1!?
unknown       | fail in_doubt doubt; 0! | wait 51; 0!           | settled; 0             | wait 51; 0!?           | fail in_doubt doubt; 0!  | fail temporary fault; 0! | fail temporary fault; 0   | fail temporary fault; 0!?
temporary     | fail temporary; 0!      | fail temporary; 0!    | fail temporary; 0!?    | fail temporary; 0!?    | fail temporary; 0!       | fail temporary; 0!       | fail temporary; 0!?       | fail temporary; 0!?
rate_limited  | fail rate_limited; 0!   | fail rate_limited; 0! | fail rate_limited; 0!? | fail rate_limited; 0!? | fail rate_limited; 0!    | fail rate_limited; 0!    | fail rate_limited; 0!?    | fail rate_limited; 0!?
permanent     | fail temporary; 0!      | fail temporary; 0!    | fail temporary; 0!?    | fail temporary; 0!?    | fail temporary; 0!       | fail temporary; 0!       | fail temporary; 0!?       | fail temporary; 0!?
token_expired | refresh, look; 0!       | refresh, look; 0!     | refresh, look; 0!?     | refresh, look; 0!?     | refresh, look, fault; 0! | refresh, look, fault; 0! | refresh, look, fault; 0!? | refresh, look, fault; 0!?
reconnect     | fail reconnect; 0!      | fail reconnect; 0!    | fail reconnect; 0!?    | fail reconnect; 0!?    | fail reconnect; 0!       | fail reconnect; 0!       | fail reconnect; 0!?       | fail reconnect; 0!?
in_doubt      | fail temporary; 0!      | fail temporary; 0!    | fail temporary; 0!?    | fail temporary; 0!?    | fail temporary; 0!       | fail temporary; 0!       | fail temporary; 0!?       | fail temporary; 0!?
unsettled     | fail temporary; 0!      | fail temporary; 0!    | fail temporary; 0!?    | fail temporary; 0!?    | fail temporary; 0!       | fail temporary; 0!       | fail temporary; 0!?       | fail temporary; 0!?
";

#[test]
fn looking_and_every_event() {
    use WhenUnknown::{Ask, SendAgain};
    let of = |fault: Option<NetworkError>| {
        [(50, Ask), (51, Ask), (50, SendAgain), (51, SendAgain)]
            .map(|(call_ends, when_unknown)| looking(fault.clone(), call_ends, when_unknown))
    };
    check(LOOKING, &[of(None), of(fault())].concat());
}

const PREPARING: &str = r"
               | answered     | settled      | repeat
hidden         | store 10; 0  | store 10; 0  | store 10; 0!
visible for 2  | store 10; 0! | store 10; 0! | store 10; 0!
visible for 60 | store 63; 0! | store 63; 0! | store 63; 0!
";

#[test]
fn preparing_and_every_event() {
    let of = |calls| machine(Stage::Preparing(calls));
    check(PREPARING, &[ANSWERED, SETTLED, repeatable()].map(of));
    let mut machine = of(ANSWERED);
    let visible_for = Some(TimeDelta::seconds(60));
    machine.next(Event::Prepared { at: at(10), visible_for }).unwrap();
    let call = VisibleCall::new(at(10), TimeDelta::seconds(63));
    let marked = machine.progress.open.map(|open| open.call);
    assert_eq!(marked, Some(call), "and until when it may have an effect");
}

/// Since 10; the look of the repeat was answered at 8.
const STORING: &str = r"
             | answered, hidden | settled, hidden | repeat, hidden | answered, visible | settled, visible | repeat, visible
stored at 11 | step; 0          | step; 0         | step; 0!       | step; 0!          | step; 0!         | step; 0!
stored at 13 | step; 0          | step; 0         | step; 0!       | step; 0!          | step; 0!         | look; 0!
stored at 14 | step; 0          | step; 0         | step; 0!       | answered; 0       | settled; 0       | look; 0!
lost         | lost; 0          | lost; 0         | lost; 0!       | lost; 0!          | lost; 0!         | lost; 0!
";

#[test]
fn storing_and_every_event() {
    let of = |is_visible| {
        [ANSWERED, SETTLED, repeatable()]
            .map(|calls| machine(Stage::Storing { calls, is_visible, since: at(10) }))
    };
    check(STORING, &[of(false), of(true)].concat());
}

const STEPPING: &str = r"
              | answered, hidden     | settled, hidden      | repeat, hidden        | answered, visible    | settled, visible     | repeat, visible
next          | answered; 1          | answered; 1          | answered; 1           | answered; 1          | answered; 1          | answered; 1
live          | live; 0              | live; 0              | live; 0!              | live; 0!             | live; 0!             | live; 0!
wait          | wait 500; 1          | wait 500; 1          | wait 500; 1           | wait 500; 1          | wait 500; 1          | wait 500; 1
failed        | fail temporary; 1    | fail temporary; 1    | fail temporary; 1     | fail temporary; 1    | fail temporary; 1    | fail temporary; 1
failed, token | refresh, answered; 1 | refresh, answered; 1 | refresh, answered; 1  | refresh, answered; 1 | refresh, answered; 1 | refresh, answered; 1
temporary     | fail temporary; 0    | fail temporary; 0    | fail temporary; 0!    | fail temporary; 0    | fail temporary; 0    | fail temporary; 0!
rate_limited  | fail rate_limited; 0 | fail rate_limited; 0 | fail rate_limited; 0! | fail rate_limited; 0 | fail rate_limited; 0 | fail rate_limited; 0!
permanent     | fail permanent; 0    | fail permanent; 0    | fail temporary; 0!    | fail permanent; 0    | fail permanent; 0    | fail temporary; 0!
token_expired | refresh, answered; 0 | refresh, settled; 0  | refresh, repeat 8; 0! | refresh, answered; 0 | refresh, settled; 0  | refresh, repeat 8; 0!
reconnect     | fail reconnect; 0    | fail reconnect; 0    | fail reconnect; 0!    | fail reconnect; 0    | fail reconnect; 0    | fail reconnect; 0!
in_doubt      | fail temporary; 0    | fail temporary; 0    | fail temporary; 0!    | look; 0!             | fail temporary; 0!   | fail temporary; 0!
unsettled     | fail temporary; 0    | fail temporary; 0    | fail temporary; 0!    | look, fault; 0!      | fail temporary; 0!   | fail temporary; 0!
";

#[test]
fn stepping_and_every_event() {
    let of = |is_visible| {
        [ANSWERED, SETTLED, repeatable()]
            .map(|calls| machine(Stage::Stepping { calls, is_visible }))
    };
    check(STEPPING, &[of(false), of(true)].concat());
}

#[test]
fn an_attempt_that_has_ended_takes_no_event() {
    check(" | ended", &[machine(Stage::Ended)]);
}

#[test]
fn an_attempt_begins_with_what_is_needed_first() {
    for (name, is_open, need, want) in [
        ("a step", false, None, "answered; 0"),
        ("a look", true, None, "look; 0!"),
        ("a refresh, then a step", false, Some(Need::Now), "refresh, answered; 0"),
        ("a refresh, then a look", true, Some(Need::Now), "refresh, look; 0!"),
    ] {
        let open = is_open.then(|| open(63));
        let progress = Progress { open, ..Progress::new(json!(0), at(0)) };
        let (machine, action) = Machine::begin(progress, need, error(Kind::InDoubt, "doubt"));
        assert_eq!(told(&machine, &action), want, "{name}");
    }
}

#[test]
fn credentials_are_exchanged_once() {
    for (name, stage, event, want) in [
        (
            "a step",
            Stage::Stepping { calls: ANSWERED, is_visible: true },
            Event::Stepped(Err(no(Kind::TokenExpired))),
            "fail token_expired; 0",
        ),
        (
            "a look",
            Stage::Looking { fault: None },
            looked(Err(no(Kind::TokenExpired))),
            "fail token_expired; 0!",
        ),
    ] {
        let mut machine = Machine { token: Token::Exchanged, ..machine(stage) };
        let action = machine.next(event).unwrap();
        assert_eq!(told(&machine, &action), want, "{name}");
    }
}

#[test]
fn a_call_is_put_off_five_times() {
    for (name, calls, want) in [
        (
            "a step",
            ANSWERED,
            "fail temporary The server was too slow to begin a call in time. Nothing was sent.; 0",
        ),
        (
            "a repeat",
            repeatable(),
            "fail temporary The server was too slow to begin a call in time. Nothing was sent.; 0!",
        ),
    ] {
        let stage = Stage::Storing { calls, is_visible: true, since: at(10) };
        for (delays, is_last) in [(4, false), (5, true)] {
            let mut machine = Machine { delays, ..machine(stage.clone()) };
            let action = machine.next(Event::Stored { at: at(20) }).unwrap();
            assert_eq!(told(&machine, &action) == want, is_last, "{name}, {delays}");
        }
    }
}
