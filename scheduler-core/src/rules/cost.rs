//! What networks charge for a post.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::draft::TargetView;
use super::{Context, Draft};
use crate::platform::{Amount, EntitySyntax, Platform, Prices};
use crate::text::{entities, twitter};

/// What a network charges the operator for one target of a post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Cost {
    /// Index into the targets of the draft.
    pub target: usize,
    /// The network.
    pub platform: Platform,
    /// How much, such as `0.215`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub amount: Amount,
    /// The currency, as ISO 4217 names it.
    pub currency: String,
    /// The day as of which the prices are known.
    pub as_of: NaiveDate,
}

/// Tells what each target of a draft costs at the networks that charge for posts, by the prices of
/// their sheets: each part of a thread, dearer with a link, and each file of which something is
/// said. What fails and is sent anew is charged again. Targets of other networks are left out.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{Draft, DraftTarget, costs};
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let to = |platform| DraftTarget::new(platform, &options, &limits);
/// let draft = Draft {
///     content: "Read https://example.com",
///     link_url: None,
///     media: &[],
///     alt_texts: &[],
///     targets: &[to(Platform::Bluesky), to(Platform::Twitter)],
/// };
/// let [cost] = &costs(&draft)[..] else { panic!("X alone charges for posts") };
/// assert_eq!((cost.target, cost.amount.to_string(), cost.currency.as_str()), (1, "0.200".to_owned(), "USD"));
/// ```
#[must_use]
pub fn costs(draft: &Draft<'_>) -> Vec<Cost> {
    let targets = draft.targets.iter().enumerate();
    let costs = targets.filter_map(|(index, target)| {
        let prices = target.platform.sheet().prices?;
        let view = TargetView::new(draft, target, &Context::default());
        Some(Cost {
            target: index,
            platform: target.platform,
            amount: amount(&view, prices),
            currency: prices.currency.to_owned(),
            as_of: prices.checked.on,
        })
    });
    costs.collect()
}

fn amount(view: &TargetView<'_>, prices: &Prices) -> Amount {
    let has_link = |text: &str| match view.sheet.text.entities {
        EntitySyntax::TwitterText => !twitter::links(text).is_empty(),
        _ => entities::different_links(text, None) > 0,
    };
    let of_text = |text: &String| if has_link(text) { prices.post_with_link } else { prices.post };
    let of_files = prices.described_file.times(described_files(view));
    view.composed.parts.iter().map(of_text).chain([of_files]).sum()
}

/// How many files something is said of: all where there is a content warning, else the images with
/// an alternative text.
fn described_files(view: &TargetView<'_>) -> u32 {
    let is_warned =
        view.option("sensitive").and_then(Value::as_array).is_some_and(|of| !of.is_empty());
    let of_post = (view.draft.media, view.draft.alt_texts);
    let of_parts = view.target.parts.iter();
    let of_parts = of_parts.map(|part| (part.media.unwrap_or_default(), part.alt_texts));
    let mut described = 0;
    for (media, alt_texts) in [of_post].into_iter().chain(of_parts) {
        for (index, file) in media.iter().enumerate() {
            let alt_text = alt_texts.get(index).and_then(Option::as_deref).unwrap_or_default();
            described += u32::from(is_warned || (file.kind.is_image() && !alt_text.is_empty()));
        }
    }
    described
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::platform::AccountLimits;
    use crate::rules::tests::{image, video};
    use crate::rules::{DraftFiles, DraftTarget, MediaFacts};

    #[test]
    fn what_posts_cost() {
        let limits = AccountLimits { takes_files: Some(true), ..AccountLimits::default() };
        let described = [Some("A crab".to_owned()), None];
        let files: [MediaFacts; 2] = [image(), image()];
        let film = [video()];
        let in_part =
            [DraftFiles { media: Some(&files), alt_texts: &described, ..DraftFiles::default() }];
        let none: (&[MediaFacts], &[DraftFiles<'_>]) = (&[], &[]);
        for (name, content, options, (media, parts), want) in [
            ("a text", "Hello", json!({}), none, "0.015"),
            ("a link", "See https://example.com", json!({}), none, "0.200"),
            ("a bare domain", "See example.com", json!({}), none, "0.200"),
            ("a thread", "Hello", json!({"thread": ["b", "https://a.com"]}), none, "0.230"),
            ("files", "Hello", json!({}), (&files[..], &[][..]), "0.020"),
            ("a video", "Hello", json!({}), (&film[..], &[][..]), "0.015"),
            ("a warning", "Hello", json!({"sensitive": ["adult"]}), (&files[..], &[][..]), "0.025"),
            ("in a part", "Hello", json!({"thread": ["b"]}), (&[][..], &in_part[..]), "0.035"),
        ] {
            let Value::Object(options) = options else { panic!() };
            let target = DraftTarget::new(Platform::Twitter, &options, &limits).with_parts(parts);
            let (link_url, targets) = (None, &[target][..]);
            let draft = Draft { content, link_url, media, alt_texts: &described, targets };
            let costs = costs(&draft);
            assert_eq!((costs.len(), &*costs[0].amount.to_string()), (1, want), "{name}");
        }
    }
}
