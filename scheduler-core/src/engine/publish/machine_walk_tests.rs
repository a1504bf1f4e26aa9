//! What holds whatever happens: attempts against a driver, a store and a network that do anything.

use super::*;
use NetworkErrorKind as Kind;
use proptest::prelude::*;
use serde_json::json;

fn at(second: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
}

fn no(kind: Kind) -> NetworkError {
    NetworkError::new(kind, "no")
}

/// A driver, a store and a network that do anything, and what is true of the calls meanwhile.
struct World {
    now: DateTime<Utc>,
    choices: std::vec::IntoIter<u8>,
    /// A call that others can see may have been done.
    is_open: bool,
    /// Until when the latest of them can have an effect.
    call_until: DateTime<Utc>,
    /// When a look allowed a repeat although a call is open.
    allowed_at: Option<DateTime<Utc>>,
    /// What was stored at last.
    stored: Option<Progress>,
    is_visible: bool,
    refreshes: u32,
}

impl World {
    fn choose<const N: usize>(&mut self) -> Option<usize> {
        self.choices.next().map(|choice| usize::from(choice) % N)
    }

    fn pass(&mut self) -> Option<()> {
        let seconds = [0, 0, 1, 4, 40, 90][self.choose::<6>()?];
        self.now += TimeDelta::seconds(seconds);
        Some(())
    }

    fn error(&mut self) -> Option<NetworkError> {
        let kinds = [
            Kind::Temporary,
            Kind::RateLimited { wait: None },
            Kind::Permanent,
            Kind::TokenExpired,
            Kind::Reconnect,
            Kind::InDoubt,
            Kind::Unsettled,
        ];
        Some(no(kinds[self.choose::<7>()?]))
    }

    /// Does what the machine says; `None` when there are no more choices.
    fn event(&mut self, machine: &Machine, action: &Action) -> Option<Event> {
        let live = || Live { remote: None, then: None };
        let until = at(10_000);
        Some(match action {
            Action::Refresh => {
                assert_eq!(self.refreshes, 0, "exchanged once");
                self.pass()?;
                let refreshed = match self.choose::<3>()? {
                    0 => Refreshed::New(()),
                    1 => Refreshed::Busy(until),
                    _ => Refreshed::Failed(self.error()?),
                };
                self.refreshes += u32::from(!matches!(refreshed, Refreshed::Busy(_)));
                Event::Refreshed(refreshed)
            }
            Action::Look => {
                assert!(self.is_open, "only what is open is looked for");
                let asked_at = self.now;
                self.pass()?;
                let found = match self.choose::<8>()? {
                    0 => Ok(Located::Live(live())),
                    1 => Ok(Located::Continue(json!(1))),
                    2 => Ok(Located::Absent(json!(1))),
                    3 | 4 => Ok(Located::Repeat(json!(1))),
                    5 => Ok(Located::Wait { progress: json!(1), until }),
                    6 => Ok(Located::Unknown),
                    _ => Err(self.error()?),
                };
                let has_ended = self.call_until <= asked_at;
                let when_unknown = machine.progress.open.map(|open| open.when_unknown);
                let resends = when_unknown == Some(WhenUnknown::SendAgain);
                match &found {
                    Ok(Located::Continue(_)) => self.is_open = false,
                    Ok(Located::Absent(_)) if has_ended => self.is_open = false,
                    Ok(Located::Unknown) if has_ended && resends => self.is_open = false,
                    Ok(Located::Repeat(_)) if has_ended => self.allowed_at = Some(self.now),
                    _ => {}
                }
                Event::Looked { asked_at, answered_at: self.now, found }
            }
            Action::Prepare => {
                self.is_visible = self.choose::<3>()? > 0;
                let visible_for = self.is_visible.then(|| TimeDelta::seconds(60));
                Event::Prepared { at: self.now, visible_for }
            }
            Action::Store { lease } => {
                self.stored = Some(machine.progress.clone());
                if self.is_visible {
                    assert!(*lease > TimeDelta::seconds(60), "kept for as long as the call");
                    let open = machine.progress.open.expect("the call is marked");
                    self.call_until = open.call.ends_after(self.now).expect("with its end");
                }
                self.pass()?;
                match self.choose::<10>()? {
                    0 => Event::Lost,
                    _ => Event::Stored { at: self.now },
                }
            }
            Action::Step => {
                if self.is_open {
                    let allowed_at = self.allowed_at.expect("nothing is sent before a look");
                    let is_fresh = self.now - allowed_at <= HELD_WITHIN;
                    assert!(!self.is_visible || is_fresh, "and only while the look is fresh");
                }
                if self.is_visible {
                    let stored = self.stored.as_ref().expect("stored");
                    assert_eq!(stored, &machine.progress, "as it is");
                    assert!(stored.open.is_some(), "and marked");
                    assert!(self.call_until >= self.now + TimeDelta::seconds(60), "to its end");
                }
                self.pass()?;
                let stepped = match self.choose::<7>()? {
                    0 | 1 => Ok(Step::Next(json!(1))),
                    2 => Ok(Step::Live(live())),
                    3 => Ok(Step::Wait { progress: json!(1), until }),
                    4 => Ok(Step::Failed { progress: json!(1), error: self.error()? }),
                    _ => Err(self.error()?),
                };
                match &stepped {
                    Ok(_) => self.is_open = false,
                    Err(error) => {
                        let is_lost = matches!(error.kind, Kind::InDoubt | Kind::Unsettled);
                        self.is_open |= is_lost && self.is_visible;
                    }
                }
                if self.is_open
                    && !matches!(&stepped, Err(error) if error.kind == Kind::TokenExpired)
                {
                    self.allowed_at = None;
                }
                Event::Stepped(stepped)
            }
            Action::End(_) => return None,
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_096))]

    #[test]
    fn whatever_happens_nothing_is_sent_twice(
        is_open: bool,
        when_unknown in prop::sample::select(vec![WhenUnknown::Ask, WhenUnknown::SendAgain]),
        need in prop::option::of(prop::sample::select(vec![Need::Soon, Need::Now])),
        choices in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let open = is_open.then(|| OpenCall { call: VisibleCall::new(at(0), TimeDelta::seconds(63)), when_unknown });
        let progress = Progress { open, ..Progress::new(json!(0), at(0)) };
        let (mut machine, mut action) =
            Machine::begin(progress, need, no(Kind::InDoubt));
        let mut world = World {
            now: at(30),
            choices: choices.into_iter(),
            is_open,
            call_until: at(63),
            allowed_at: None,
            stored: None,
            is_visible: false,
            refreshes: 0,
        };
        while let Some(event) = world.event(&machine, &action) {
            action = machine.next(event).unwrap();
        }
        if let Action::End(End::Waits(_) | End::Failed(_)) = action {
            let is_marked = machine.progress.open.is_some();
            prop_assert_eq!(is_marked, world.is_open, "what is left open is marked");
        }
    }
}
