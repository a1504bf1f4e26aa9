//! What networks charge for posts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Checked;

/// What a network charges the operator's application for a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// The currency, as ISO 4217 names it.
    pub currency: &'static str,
    /// A post, and each later part of a thread.
    pub post: Amount,
    /// A post, or a part of a thread, whose text holds a link.
    pub post_with_link: Amount,
    /// A file of which something is said: an alternative text or a content warning.
    pub described_file: Amount,
    /// When they were last held against their source.
    pub checked: Checked,
}

/// An amount of money, to the thousandth of its currency.
///
/// Written as a decimal number with three places, and read with at most three.
///
/// ```
/// use scheduler_core::platform::Amount;
/// let amount: Amount = "5.2".parse()?;
/// assert_eq!((amount, amount.to_string().as_str()), (Amount::thousandths(5_200), "5.200"));
/// assert!("5.2001".parse::<Amount>().is_err());
/// # Ok::<(), scheduler_core::platform::NotAnAmount>(())
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct Amount(u32);

impl Amount {
    /// So many thousandths of a currency.
    #[must_use]
    pub const fn thousandths(count: u32) -> Self {
        Self(count)
    }

    /// How many thousandths of a currency it is.
    #[must_use]
    pub const fn in_thousandths(self) -> u32 {
        self.0
    }

    /// So many times as much; the largest amount where that would be larger still.
    #[must_use]
    pub const fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.fold(0, |sum, amount| sum.saturating_add(amount.0)))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.to_string()
    }
}

impl TryFrom<String> for Amount {
    type Error = NotAnAmount;

    fn try_from(text: String) -> Result<Self, NotAnAmount> {
        text.parse()
    }
}

impl FromStr for Amount {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        if !is_digits(whole) || !is_digits(places) || places.len() > 3 {
            return Err(NotAnAmount);
        }
        let thousandths = format!("{whole}{places:0<3}").parse();
        thousandths.map(Self).map_err(|_| NotAnAmount)
    }
}

/// What is said of a text that is no [`Amount`], to follow what it stands for in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be an amount of at most 4294967.295 with at most three decimal places, such as 5.00")]
pub struct NotAnAmount;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_written() {
        for (text, want) in [
            ("0", Ok("0.000")),
            ("5", Ok("5.000")),
            ("5.2", Ok("5.200")),
            ("005.015", Ok("5.015")),
            ("4294967.295", Ok("4294967.295")),
            ("4294967.296", Err(NotAnAmount)),
            ("5.0000", Err(NotAnAmount)),
            ("5.", Err(NotAnAmount)),
            (".5", Err(NotAnAmount)),
            ("-1", Err(NotAnAmount)),
            ("+1", Err(NotAnAmount)),
            ("1e3", Err(NotAnAmount)),
            ("1,5", Err(NotAnAmount)),
            ("", Err(NotAnAmount)),
        ] {
            let read = text.parse::<Amount>().map(|amount| amount.to_string());
            assert_eq!(read.as_deref().map_err(|error| *error), want, "{text}");
        }
    }

    #[test]
    fn sums_and_products_end_at_the_largest_amount() {
        let largest = Amount::thousandths(u32::MAX);
        assert_eq!([largest, Amount::thousandths(1)].into_iter().sum::<Amount>(), largest);
        assert_eq!(largest.times(2), largest);
        assert_eq!(Amount::thousandths(5).times(3), Amount::thousandths(15));
    }
}
