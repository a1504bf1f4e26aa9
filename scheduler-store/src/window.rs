//! How much due work a claim looks at before it chooses.

/// How much of the oldest due work a claim looks at. Where less is due, it has seen everything
/// and chooses fairly; where more is due, it looks at every workspace by itself.
///
/// Source: our decision. Lanes are chosen among these rows, so it is well above what is claimed
/// at once, and small enough to be read in a few milliseconds.
pub(crate) const WINDOW_ROWS: i64 = 4_096;

/// How much of the oldest due work of each workspace a claim looks at when there is a backlog.
pub(crate) const WORKSPACE_ROWS: i64 = 256;
