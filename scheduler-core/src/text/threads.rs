//! The passages of a Threads post that are blurred until they are asked for.

use std::ops::Range;

/// Finds each place of the passages in a text, in order, as ranges of its bytes that do not overlap.
/// Of two that would, the one that begins first counts, and of those that begin together the longer.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/spoilers>.
///
/// ```
/// use scheduler_core::text::threads::blurred;
/// let text = "The gardener did it. The gardener!";
/// assert_eq!(blurred(text, &["gardener"]).collect::<Vec<_>>(), [4..12, 25..33]);
/// ```
pub fn blurred(text: &str, passages: &[&str]) -> impl Iterator<Item = Range<usize>> {
    let mut found: Vec<Range<usize>> = passages
        .iter()
        .map(|passage| passage.trim())
        .filter(|passage| !passage.is_empty())
        .flat_map(|passage| text.match_indices(passage))
        .map(|(at, passage)| at..at + passage.len())
        .collect();
    found.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.into_iter().filter(move |range| {
        let is_free = range.start >= end;
        end = end.max(range.end);
        is_free
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_do_not_overlap() {
        for (name, text, passages, want) in [
            ("none", "one two", vec![], vec![]),
            ("not there", "one two", vec!["three"], vec![]),
            ("in any order", "one two", vec!["two", "one"], vec![(0, 3), (4, 7)]),
            ("the longer", "one two", vec!["one", "one two"], vec![(0, 7)]),
            ("the earlier", "one two", vec!["e two", "one"], vec![(0, 3)]),
            ("beside each other", "one two", vec!["one ", " two"], vec![(0, 3), (4, 7)]),
            ("letters of several bytes", "é 👍 é", vec!["é"], vec![(0, 2), (8, 10)]),
            ("blank", "one", vec![" "], vec![]),
        ] {
            let found: Vec<(usize, usize)> =
                blurred(text, &passages).map(|range| (range.start, range.end)).collect();
            assert_eq!(found, want, "{name}");
        }
    }
}
