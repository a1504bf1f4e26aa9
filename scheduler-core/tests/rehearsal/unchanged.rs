//! A rehearsal changes nothing, and the same calendar gives the same report.

use crate::chance::Chance;
use crate::planted::{KINDS, fitting, plant};
use crate::world::World;

fn world() -> World {
    let (mut world, mut chance) = (World::new(), Chance::new(3));
    fitting(&mut world, &mut chance);
    for kind in KINDS {
        plant(&mut world, kind, &mut chance);
    }
    world
}

#[test]
fn the_store_is_as_it_was() {
    let world = world();
    let before = format!("{:?}", world.store);
    world.rehearse(30);
    assert_eq!(before, format!("{:?}", world.store));
}

#[test]
fn the_same_calendar_gives_the_same_bytes() {
    let bytes = || serde_json::to_vec(&world().rehearse(30)).unwrap();
    assert_eq!(bytes(), bytes());
}

#[test]
fn the_report_is_read_back() {
    let found = world().rehearse(30);
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<scheduler_core::rehearsal::Rehearsal>(&text).unwrap(), found);
}
