//! How far two texts are apart.

/// The number of single-character changes that turn one text into the other. Takes as many steps
/// as the product of their lengths.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, character) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(character != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (left, right, want) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("thread", "thread", 0),
            ("treads", "thread", 2),
        ] {
            assert_eq!(distance(left, right), want, "{left} {right}");
            assert_eq!(distance(right, left), want, "{right} {left}");
        }
    }
}
