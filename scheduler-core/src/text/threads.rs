//! The passages of a Threads post that are blurred until they are asked for.

use std::ops::Range;

/// Finds each place of the passages in a text, in order, as ranges of its bytes. Places that overlap
/// are one, since all of both is to be hidden.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/spoilers>.
///
/// ```
/// use scheduler_core::text::threads::blurred;
/// let text = "The gardener did it. The gardener!";
/// assert_eq!(blurred(text, &["gardener"]), [4..12, 25..33]);
/// ```
#[must_use]
pub fn blurred(text: &str, passages: &[&str]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = passages
        .iter()
        .map(|passage| passage.trim())
        .filter(|passage| !passage.is_empty())
        .flat_map(|passage| text.match_indices(passage))
        .map(|(at, passage)| at..at + passage.len())
        .collect();
    found.sort_unstable_by_key(|range| range.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_that_overlap_are_one() {
        for (name, text, passages, want) in [
            ("none", "one two", vec![], vec![]),
            ("not there", "one two", vec!["three"], vec![]),
            ("in any order", "one two", vec!["two", "one"], vec![(0, 3), (4, 7)]),
            ("two that begin together", "one two", vec!["one", "one two"], vec![(0, 7)]),
            ("one over the other", "one two", vec!["e two", "one"], vec![(0, 7)]),
            ("a row of three", "abcdef", vec!["abc", "cde", "ef"], vec![(0, 6)]),
            ("one within the other", "abcdef", vec!["c", "bcd", "f"], vec![(1, 4), (5, 6)]),
            ("beside each other", "one two", vec!["one ", " two"], vec![(0, 3), (4, 7)]),
            ("letters of several bytes", "é 👍 é", vec!["é"], vec![(0, 2), (8, 10)]),
            ("blank", "one", vec![" "], vec![]),
        ] {
            let found: Vec<(usize, usize)> =
                blurred(text, &passages).iter().map(|range| (range.start, range.end)).collect();
            assert_eq!(found, want, "{name}");
        }
    }
}
