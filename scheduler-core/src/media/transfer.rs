//! How the bytes of a file come here.

use serde::{Deserialize, Serialize};

use super::Edit;
use crate::ids::MediaId;

/// How the bytes of a file come here.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Transfer {
    /// In one piece, to a signed address.
    Single,
    /// In parts, each to a signed address of its own.
    Multipart {
        /// What the file store calls the upload.
        upload: String,
        /// Bytes of every part but the last.
        part_bytes: u64,
    },
    /// The server fetches them.
    Ingest {
        /// From where; may hold a signature, so it is never shown or logged.
        source_url: String,
    },
    /// The server makes it of another file.
    Version {
        /// Of which.
        original: MediaId,
        /// How.
        edit: Edit,
    },
}

impl std::fmt::Debug for Transfer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Single => formatter.write_str("Single"),
            Self::Multipart { part_bytes, .. } => {
                write!(formatter, "Multipart({part_bytes} bytes a part)")
            }
            Self::Ingest { .. } => formatter.write_str("Ingest([redacted])"),
            Self::Version { original, .. } => write!(formatter, "Version({original})"),
        }
    }
}

/// Largest file that is sent in one piece, in bytes: 16 MiB.
///
/// Source: interface description, "multipart (files over 16 MB)"; the exact figure is ours.
pub const SINGLE_MAX_BYTES: u64 = 16 * MIB;

/// Parts of one upload at most; larger files get larger parts.
pub const PARTS_MAX: u64 = 1_000;

const MIB: u64 = 1 << 20;

/// How a file is cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPlan {
    /// Bytes of the whole file.
    pub size_bytes: u64,
    /// Bytes of every part but the last.
    pub part_bytes: u64,
}

impl PartPlan {
    /// The plan for a file: parts of 16 MiB, larger where that would give more than
    /// [`PARTS_MAX`]; `None` for a file that is sent in one piece.
    /// ```
    /// use scheduler_core::media::PartPlan;
    /// assert_eq!(PartPlan::of(16 << 20), None);
    /// assert_eq!(PartPlan::of((16 << 20) + 1).map(|plan| plan.count()), Some(2));
    /// ```
    #[must_use]
    pub const fn of(size_bytes: u64) -> Option<Self> {
        if size_bytes <= SINGLE_MAX_BYTES {
            return None;
        }
        let needed = size_bytes.div_ceil(PARTS_MAX).div_ceil(MIB) * MIB;
        let part_bytes = if needed > SINGLE_MAX_BYTES { needed } else { SINGLE_MAX_BYTES };
        Some(Self { size_bytes, part_bytes })
    }

    /// How many parts there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.size_bytes.div_ceil(self.part_bytes.max(1))).unwrap_or(u32::MAX)
    }

    /// Bytes of one part, counted from 1; 0 for a part that does not exist.
    #[must_use]
    pub fn bytes_of(&self, part_number: u32) -> u64 {
        let before = u64::from(part_number.saturating_sub(1)).saturating_mul(self.part_bytes);
        if part_number == 0 {
            0
        } else {
            self.size_bytes.saturating_sub(before).min(self.part_bytes)
        }
    }
}

/// A part that a caller has sent, as it reports it.
///
/// Source: interface description, POST /media/{id}/complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UploadedPart {
    /// Its number, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = PARTS_MAX)))]
    pub part_number: u32,
    /// The header `ETag` of the answer to the part's PUT.
    pub etag: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plans() {
        let gib = 1 << 30;
        for (name, size, want) in [
            ("nothing", 0, None),
            ("16 MiB", 16 * MIB, None),
            ("one byte more", 16 * MIB + 1, Some((16 * MIB, 2, 1))),
            ("3 GiB", 3 * gib, Some((16 * MIB, 192, 16 * MIB))),
            ("1000 parts", 16_000 * MIB, Some((16 * MIB, 1_000, 16 * MIB))),
            ("one byte more than that", 16_000 * MIB + 1, Some((17 * MIB, 942, 3 * MIB + 1))),
        ] {
            let plan = PartPlan::of(size);
            let found =
                plan.map(|plan| (plan.part_bytes, plan.count(), plan.bytes_of(plan.count())));
            assert_eq!(found, want, "{name}");
        }
    }

    #[test]
    fn a_source_is_not_shown() {
        let transfer = Transfer::Ingest { source_url: "https://a.example/?sig=secret".to_owned() };
        assert!(!format!("{transfer:?}").contains("secret"));
    }

    proptest! {
        #[test]
        fn the_parts_are_the_file(size in 0_u64..(1 << 45)) {
            let Some(plan) = PartPlan::of(size) else { return Ok(()) };
            prop_assert!(u64::from(plan.count()) <= PARTS_MAX);
            let sum: u64 = (1..=plan.count()).map(|number| plan.bytes_of(number)).sum();
            prop_assert_eq!(sum, size);
            prop_assert!((1..=plan.count()).all(|number| plan.bytes_of(number) > 0));
            prop_assert_eq!(plan.bytes_of(plan.count() + 1), 0);
            prop_assert_eq!(plan.bytes_of(0), 0);
        }
    }
}
