//! Random choices that follow from a seed.

use std::time::Duration;

/// A source of random numbers (SplitMix64); equal seeds give equal choices.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// One source of several that share a seed.
    pub(crate) const fn new(seed: u64, which: u64) -> Self {
        Self(seed ^ which.wrapping_mul(0xA24B_AED4_963E_E407))
    }

    /// The next number.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("it is below the bound")
    }

    /// True so many times of a hundred.
    pub(crate) fn percent(&mut self, of_a_hundred: usize) -> bool {
        self.below(100) < of_a_hundred
    }

    /// One of several.
    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A time between two.
    pub(crate) fn between(&mut self, least: Duration, most: Duration) -> Duration {
        let span = usize::try_from((most.saturating_sub(least)).as_millis()).expect("no ages");
        least + Duration::from_millis(self.below(span + 1) as u64)
    }
}
