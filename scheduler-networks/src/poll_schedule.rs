//! When a network is asked again how far something is that it works on.

use chrono::TimeDelta;

/// When a network is asked how far something is. Networks name no figures unless an adapter cites
/// one: they are our decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollSchedule {
    /// How long until it is asked for the first time.
    pub(crate) first: TimeDelta,
    /// How long between two questions while the work is younger than `eager`.
    pub(crate) eager_wait: TimeDelta,
    /// Until which age of the work it is asked often.
    pub(crate) eager: TimeDelta,
    /// How long between two questions later.
    pub(crate) then: TimeDelta,
    /// Until which age of the work, including it, it is asked at all.
    pub(crate) give_up_after: TimeDelta,
}

impl PollSchedule {
    /// How long until work of this age is asked for again; `None` when it is not any more.
    pub(crate) fn wait(&self, age: TimeDelta) -> Option<TimeDelta> {
        let wait = if age < self.eager { self.eager_wait } else { self.then };
        (age <= self.give_up_after).then_some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_often_at_first_then_less_and_at_last_not_any_more() {
        let schedule = PollSchedule {
            first: TimeDelta::seconds(1),
            eager_wait: TimeDelta::seconds(2),
            eager: TimeDelta::seconds(30),
            then: TimeDelta::seconds(5),
            give_up_after: TimeDelta::seconds(600),
        };
        for (age, want) in [(0, Some(2)), (29, Some(2)), (30, Some(5)), (600, Some(5)), (601, None)]
        {
            let wait = schedule.wait(TimeDelta::seconds(age));
            assert_eq!(wait, want.map(TimeDelta::seconds), "{age}");
        }
    }
}
