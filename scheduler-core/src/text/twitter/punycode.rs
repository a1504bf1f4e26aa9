//! How long a label gets when it is encoded for the name system.
//!
//! Only the length is wanted, and for as many labels as a text may hold, so the places of the
//! characters already written are bits of one number, which makes the time near linear.
//!
//! Source: RFC 3492, sections 5 and 6.

const BASE: u32 = 36;
const LOWEST_THRESHOLD: u32 = 1;
const HIGHEST_THRESHOLD: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_CODE: u32 = 0x80;

/// Longest label that is looked at, in characters: the bits of the number.
const MAX_CHARACTERS: usize = 64;

/// The length of a label in Punycode, without prefix; `None` when it is over `limit` or the label
/// has over 64 characters.
pub(super) fn length(label: &str, limit: usize) -> Option<usize> {
    let mut wide = [(0_u32, 0_u32); MAX_CHARACTERS];
    let mut wide_count = 0;
    let mut written = 0_u64;
    for (place, character) in (0..).zip(label.chars()) {
        if character.is_ascii() {
            written |= 1_u64.checked_shl(place)?;
        } else {
            *wide.get_mut(wide_count)? = (u32::from(character), place);
            wide_count += 1;
        }
    }
    let wide = &mut wide[..wide_count];
    wide.sort_unstable();
    let basic = written.count_ones();
    let mut sum = usize::try_from(basic).ok()? + usize::from(basic > 0);
    let (mut code, mut bias, mut next_place) = (INITIAL_CODE, INITIAL_BIAS, 0);
    for (character, place) in wide.iter().copied() {
        let count = written.count_ones() + 1;
        let before = (written & (1_u64.checked_shl(place)? - 1)).count_ones();
        let delta = ((character - code) * count + before).checked_sub(next_place)?;
        sum += digits(delta, bias);
        if sum > limit {
            return None;
        }
        bias = adapted(delta, count, written.count_ones() == basic);
        written |= 1_u64.checked_shl(place)?;
        (code, next_place) = (character, before + 1);
    }
    Some(sum).filter(|sum| *sum <= limit)
}

/// How many digits a number takes.
fn digits(delta: u32, bias: u32) -> usize {
    let (mut left, mut position, mut count) = (delta, BASE, 1);
    loop {
        let threshold = position.saturating_sub(bias).clamp(LOWEST_THRESHOLD, HIGHEST_THRESHOLD);
        if left < threshold {
            return count;
        }
        left = (left - threshold) / (BASE - threshold);
        position += BASE;
        count += 1;
    }
}

fn adapted(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut shift = 0;
    while delta > ((BASE - LOWEST_THRESHOLD) * HIGHEST_THRESHOLD) / 2 {
        delta /= BASE - LOWEST_THRESHOLD;
        shift += BASE;
    }
    shift + (BASE - LOWEST_THRESHOLD + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_an_encoder(
            label in "([a-z]|[\\-0-9]|[à-ÿ]|[ぁ-ん]|[一-龥]|\\PC){1,64}",
            limit in 0_usize..90,
        ) {
            let encoded = idna::punycode::encode_str(&label).map(|encoded| encoded.len());
            prop_assert_eq!(length(&label, limit), encoded.filter(|length| *length <= limit));
        }
    }

    #[test]
    fn a_label_of_65_characters_is_not_measured() {
        assert_eq!(length(&"é".repeat(65), 999), None);
        assert!(length(&"é".repeat(64), 999).is_some());
    }
}
