//! Random calendars: those that fit raise nothing, and what is planted is found.

use scheduler_core::rehearsal::FindingKind;

use crate::chance::Chance;
use crate::planted::{KINDS, fitting, plant};
use crate::world::World;

const CALENDARS: u64 = 40;

#[test]
fn a_calendar_that_fits_raises_nothing() {
    for seed in 0..CALENDARS {
        let (mut world, mut chance) = (World::new(), Chance::new(seed));
        fitting(&mut world, &mut chance);
        let found = world.rehearse(30);
        assert!(found.findings.is_empty(), "seed {seed}: {:#?}", found.findings);
        assert_eq!((found.delayed, found.stopped), (0, 0), "seed {seed}");
    }
}

#[test]
fn planted_shortages_are_predicted_and_nothing_else() {
    let mut missed = Vec::new();
    for seed in 0..CALENDARS {
        let (mut world, mut chance) = (World::new(), Chance::new(1_000 + seed));
        fitting(&mut world, &mut chance);
        let mut kinds: Vec<FindingKind> = KINDS.into_iter().filter(|_| chance.one_in(3)).collect();
        kinds.sort_by_key(|kind| *kind == FindingKind::Paused);
        let all: Vec<_> =
            kinds.into_iter().map(|kind| plant(&mut world, kind, &mut chance)).collect();
        let found = world.rehearse(30);
        missed.extend(
            all.iter()
                .filter_map(|one| one.missed(&found))
                .map(|what| format!("seed {seed}: {what}")),
        );
        let wanted = all.len();
        assert_eq!(found.findings.len(), wanted, "seed {seed}: {:#?}", found.findings);
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
