//! Which lanes get their turn.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::ids::WorkspaceId;
use crate::ports::{ClaimRequest, Place};

/// A lane with due work that nobody holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueLane {
    /// Whose work it is.
    pub workspace_id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// What it takes a place of.
    pub place: Place,
    /// When its first work was due.
    pub due_at: DateTime<Utc>,
    /// That work; decides between lanes that are due at the same instant.
    pub work_id: Uuid,
}

/// The names of the lanes that a request gets of these, for each place workspace by workspace in
/// turn: first the earliest lane of each workspace, then the second of each, and so on. Within a
/// round, what was due first. A lane without a place is passed over.
#[must_use]
pub fn in_turn(lanes: Vec<DueLane>, request: &ClaimRequest) -> Vec<String> {
    let count = usize::try_from(request.lanes).unwrap_or(usize::MAX);
    let mut places = request.places.clone();
    let mut of_workspace: BTreeMap<(WorkspaceId, Place), Vec<DueLane>> = BTreeMap::new();
    for lane in lanes {
        of_workspace.entry((lane.workspace_id, lane.place)).or_default().push(lane);
    }
    let mut turns: Vec<(usize, DueLane)> = Vec::new();
    for mut lanes in of_workspace.into_values() {
        lanes.sort_by_key(place);
        turns.extend(lanes.into_iter().enumerate());
    }
    turns.sort_by_key(|(round, lane)| (*round, place(lane)));
    let turns = turns.into_iter().map(|(_, lane)| lane);
    let found = turns.filter(|lane| places.claim(lane.place, lane.workspace_id)).take(count);
    found.map(|lane| lane.name).collect()
}

fn place(lane: &DueLane) -> (DateTime<Utc>, Uuid) {
    (lane.due_at, lane.work_id)
}

#[cfg(test)]
mod tests {
    use crate::ports::Places;

    use super::*;

    fn lane(workspace: u128, name: &str, due_at_seconds: i64) -> DueLane {
        DueLane {
            workspace_id: WorkspaceId(Uuid::from_u128(workspace)),
            name: name.to_owned(),
            place: if name < "x" { Place::Fetch } else { Place::Erase },
            due_at: DateTime::from_timestamp(due_at_seconds, 0).unwrap(),
            work_id: Uuid::from_u128(u128::from(name.as_bytes()[0])),
        }
    }

    #[test]
    fn turns() {
        let all = Places::default;
        let two = || all().with(Place::Fetch, 2).with(Place::Erase, 2);
        for (name, lanes, count, places, want) in [
            ("none", vec![], 9, all(), ""),
            ("by due time", vec![lane(1, "b", 2), lane(1, "a", 1)], 9, all(), "ab"),
            ("the same instant: by id", vec![lane(1, "b", 1), lane(1, "a", 1)], 9, all(), "ab"),
            (
                "a late lane of another workspace goes before an early second lane",
                vec![lane(1, "a", 1), lane(1, "b", 2), lane(1, "c", 3), lane(2, "w", 9)],
                9,
                all(),
                "awbc",
            ),
            (
                "turns are taken for each place",
                vec![lane(1, "a", 1), lane(1, "b", 2), lane(1, "y", 3), lane(2, "w", 9)],
                9,
                all(),
                "aywb",
            ),
            (
                "no more than asked for",
                vec![lane(1, "a", 1), lane(1, "b", 2), lane(2, "w", 9)],
                2,
                all(),
                "aw",
            ),
            (
                "three workspaces",
                vec![
                    lane(1, "a", 1),
                    lane(1, "b", 2),
                    lane(2, "c", 3),
                    lane(2, "d", 4),
                    lane(3, "e", 0),
                ],
                9,
                all(),
                "eacbd",
            ),
            (
                "no more than its share of each place",
                vec![lane(1, "a", 1), lane(1, "b", 2), lane(1, "y", 3), lane(1, "z", 4)],
                9,
                two(),
                "ay",
            ),
            (
                "the places that are left go to another workspace",
                vec![lane(1, "a", 1), lane(1, "b", 2), lane(2, "c", 9), lane(3, "d", 10)],
                9,
                two(),
                "ac",
            ),
            (
                "what has no place takes nobody's turn",
                vec![lane(1, "a", 1), lane(1, "b", 2), lane(1, "y", 3)],
                2,
                two(),
                "ay",
            ),
        ] {
            let now = DateTime::UNIX_EPOCH;
            let request = ClaimRequest { places, ..ClaimRequest::new(now, now, count, 1) };
            assert_eq!(in_turn(lanes, &request).concat(), want, "{name}");
        }
    }
}
