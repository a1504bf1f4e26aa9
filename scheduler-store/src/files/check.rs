//! Whether a part has arrived as its sender says.

use scheduler_core::media::{PartPlan, UploadedPart};
use scheduler_core::ports::FinishError;

/// A part, as the store knows it.
pub(super) struct Arrived<'a> {
    /// How many bytes it has.
    pub(super) bytes: u64,
    /// Its ETag; `None` where the store does not tell.
    pub(super) etag: Option<&'a str>,
}

/// Checks one part, and returns the ETag that its sender lists, without quotes.
///
/// # Errors
/// [`FinishError::Refused`] with what is wrong with it.
pub(super) fn check_part<'a>(
    plan: PartPlan,
    part_number: u32,
    arrived: Option<Arrived<'_>>,
    listed: &'a [UploadedPart],
) -> Result<&'a str, FinishError> {
    let refused = |why: &str| FinishError::Refused(format!("Part {part_number} {why}"));
    let Some(Arrived { bytes, etag }) = arrived else {
        return Err(refused("has not arrived; send it."));
    };
    let expected = plan.bytes_of(part_number);
    if bytes != expected {
        return Err(refused(&format!("has {bytes} bytes instead of {expected}; send it again.")));
    }
    let Some(part) = listed.iter().find(|part| part.part_number == part_number) else {
        return Err(refused("is not listed; list it with its ETag."));
    };
    let said = bare(&part.etag);
    if etag.is_some_and(|etag| bare(etag) != said) {
        return Err(refused("has another ETag than what has arrived; send it again."));
    }
    Ok(said)
}

/// An ETag without the quotes that it has in a header.
fn bare(etag: &str) -> &str {
    etag.trim().trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let plan = PartPlan { size_bytes: 15, part_bytes: 10 };
        let listed = [UploadedPart { part_number: 2, etag: " \"abc\" ".to_owned() }];
        let arrived = |bytes, etag| Some(Arrived { bytes, etag });
        for (name, number, arrived, want) in [
            ("as listed", 2, arrived(5, Some("abc")), Ok("abc")),
            ("with quotes", 2, arrived(5, Some("\"abc\"")), Ok("abc")),
            ("no ETag known", 2, arrived(5, None), Ok("abc")),
            ("not here", 2, None, Err("Part 2 has not arrived; send it.")),
            (
                "too short",
                2,
                arrived(4, Some("abc")),
                Err("Part 2 has 4 bytes instead of 5; send it again."),
            ),
            (
                "not listed",
                1,
                arrived(10, Some("abc")),
                Err("Part 1 is not listed; list it with its ETag."),
            ),
            (
                "another ETag",
                2,
                arrived(5, Some("abd")),
                Err("Part 2 has another ETag than what has arrived; send it again."),
            ),
        ] {
            let found = check_part(plan, number, arrived, &listed);
            let want = want.map_err(|why: &str| FinishError::Refused(why.to_owned()));
            assert_eq!(found, want, "{name}");
        }
    }
}
