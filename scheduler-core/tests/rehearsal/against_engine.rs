//! What is predicted is what the engine then does, on the same clock, with networks of the test's
//! own.

use chrono::TimeDelta;
use scheduler_core::ports::Clock as _;
use scheduler_core::rehearsal::RehearsedOutcome;
use scheduler_core::target::TargetStatus;

use crate::chance::Chance;
use crate::planted::{KINDS, fitting, plant};
use crate::world::{BEGIN, World, at, done};

#[test]
fn the_engine_does_what_was_predicted() {
    for seed in 0..4 {
        let (mut world, mut chance) = (World::new(), Chance::new(seed));
        fitting(&mut world, &mut chance);
        for kind in KINDS {
            plant(&mut world, kind, &mut chance);
        }
        let predicted = world.rehearse(30);
        let scheduler = world.scheduler();
        let end = at(BEGIN) + TimeDelta::days(30);
        loop {
            done(scheduler.run_due()).unwrap();
            let now = world.clock.now();
            match world.store.next_due_but_readings(now) {
                Some(next) if next < end => world.clock.advance(next.max(now) - now),
                _ => break,
            }
        }
        let posts = world.store.posts();
        let happened = |id| {
            let target = posts.iter().find_map(|post| post.target(id)).unwrap();
            (target.published_at(), target.status() == TargetStatus::Failed)
        };
        let mut compared = 0;
        for target in &predicted.targets {
            let (went_out, failed) = happened(target.target_id);
            assert_eq!(went_out, target.at, "seed {seed}: {target:?}");
            // What waits for an approval waits on.
            let waits = !failed && went_out.is_none();
            let is_stopped = target.outcome == RehearsedOutcome::Stopped;
            assert_eq!(is_stopped, failed || waits, "seed {seed}: {target:?}");
            compared += 1;
        }
        assert!(compared > 500, "{compared}");
    }
}
