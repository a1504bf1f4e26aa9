//! The publishing rules: one rule a file, and one function that runs them all.
//!
//! The dry run, creating, updating and the last look before sending all call [`check`]. A rule
//! reads figures from the network's sheet and holds none itself. [`RuleSet`] adds rules of
//! one's own to them.

mod allowance;
mod alt_text;
mod alt_text_of_network;
mod bluesky_options;
mod catalogue;
mod comment;
mod conversion;
mod conversion_of_videos;
mod cost;
mod custom;
mod detail;
mod disclosure;
mod discord_message;
mod discord_thread;
mod document_of_images;
mod draft;
mod facebook_options;
mod facebook_placement;
mod file_details;
#[cfg(feature = "engine")]
pub(crate) mod fit;
#[cfg(feature = "engine")]
mod framing;
mod inspection;
mod instagram_options;
mod instagram_partnership;
mod instagram_placement;
mod instagram_tags;
mod issue;
mod issues;
mod link;
mod linkedin_comment;
mod linkedin_escapes;
mod linkedin_mentions;
mod linkedin_share;
mod mastodon_audience;
mod measure;
mod media_carousel;
mod media_codec;
mod media_count;
mod media_kind;
mod media_limits;
mod media_ready;
mod media_required;
mod media_total;
mod media_type;
mod option_effect;
mod option_forms;
mod option_items;
mod option_keys;
mod option_required;
mod option_shape;
mod option_values;
pub(crate) mod phrase;
mod pinterest_cards;
mod pinterest_cover;
mod place;
pub(crate) mod placement;
mod poll;
mod post_text;
mod rule_set;
mod telegram_message;
mod text_content;
mod text_length;
mod text_missing;
mod thread;
mod threads_options;
mod threads_text;
mod thumbnail;
mod tiktok_account;
mod tiktok_post;
mod tumblr_layout;
mod tumblr_paragraphs;
mod tumblr_reblog;
mod tumblr_slug;
mod youtube_audience;
mod youtube_comment;
mod youtube_localizations;
mod youtube_shorts;
mod youtube_title;

#[cfg(test)]
mod custom_tests;
#[cfg(test)]
mod tests;

pub use catalogue::{CatalogueEntry, catalogue};
pub use comment::comment_over_limit;
#[cfg(feature = "engine")]
pub(crate) use conversion::is_read;
pub use conversion::{
    Conversion, DECODED_BYTES_MAX, DECODED_PIXELS_MAX, Fit, Unfit, fits, thumbnail_fit,
};
pub use cost::{Cost, costs};
pub use custom::{CustomRule, Finding, Findings, Listing, OutgoingTarget};
pub use detail::{Counted, Detail, Fix, Form, Picture, PlanUnit, WhyLong, Word};
pub use draft::{Context, Draft, DraftAccount, DraftFiles, DraftTarget, DraftText, Uploads};
#[cfg(feature = "engine")]
pub use fit::{fitted, split, split_for_all};
#[cfg(feature = "engine")]
pub use framing::{Shape, keeps_description, least_part, shapes};
pub use issue::{Severity, ValidationIssue};
pub use measure::{Measured, measure};
pub use place::{Figure, Place};
pub use rule_set::{RuleSet, RuleSetError};

pub use crate::media::{MediaFacts, MediaKind, VideoCodec};

use draft::TargetView;
use inspection::{Inspection, OfPost, OfTarget, PostView};
use issues::Issues;

/// A line of the rule table: a function that names what it can find, and finds it.
enum Rule {
    /// It looks at the post as a whole, once.
    Post(fn(&mut OfPost<'_, '_>)),
    /// It looks at each target.
    Target(fn(&mut OfTarget<'_, '_>)),
    /// It looks at the files of each target, and at those of each later part of its thread.
    Files(fn(&mut OfTarget<'_, '_>)),
}

/// Every rule, in the order in which issues are listed.
const RULES: [Rule; 59] = [
    post_text::RULE,
    media_ready::RULE,
    media_ready::OWN_RULE,
    alt_text::RULE,
    allowance::RULE,
    text_missing::RULE,
    text_length::RULE,
    linkedin_escapes::RULE,
    tumblr_paragraphs::RULE,
    text_content::RULE,
    thread::RULE,
    link::RULE,
    media_required::RULE,
    media_kind::RULE,
    media_count::RULE,
    conversion::RULE,
    conversion_of_videos::RULE,
    media_type::RULE,
    media_codec::RULE,
    media_limits::RULE,
    media_total::RULE,
    media_carousel::RULE,
    alt_text_of_network::RULE,
    file_details::RULE,
    option_required::RULE,
    option_values::RULE,
    option_effect::RULE,
    disclosure::RULE,
    poll::RULE,
    instagram_placement::RULE,
    instagram_options::RULE,
    instagram_tags::RULE,
    instagram_partnership::RULE,
    facebook_placement::RULE,
    facebook_options::RULE,
    threads_options::RULE,
    threads_text::RULE,
    linkedin_comment::RULE,
    linkedin_share::RULE,
    linkedin_mentions::RULE,
    document_of_images::RULE,
    thumbnail::RULE,
    youtube_comment::RULE,
    youtube_audience::RULE,
    youtube_localizations::RULE,
    youtube_shorts::RULE,
    tiktok_account::RULE,
    tiktok_post::RULE,
    mastodon_audience::RULE,
    bluesky_options::RULE,
    tumblr_slug::RULE,
    tumblr_layout::RULE,
    tumblr_reblog::RULE,
    discord_thread::RULE,
    discord_message::RULE,
    telegram_message::RULE,
    pinterest_cover::RULE,
    pinterest_cards::RULE,
    option_keys::RULE,
];

/// Checks a post against every network that it goes to.
///
/// Issues of the post as a whole come first, then those of each target in order; within, they keep
/// the order of the rule table. An empty answer means that nothing was found.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{Context, Draft, DraftTarget, Severity, check};
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let targets = [Platform::Bluesky, Platform::Mastodon]
///     .map(|platform| DraftTarget::new(platform, &options, &limits));
/// let draft = Draft {
///     content: &"é".repeat(301),
///     link_url: None,
///     media: &[],
///     alt_texts: &[],
///     targets: &targets,
/// };
/// let issues = check(&draft, &Context::default());
/// assert_eq!(issues.len(), 1, "Mastodon takes 500");
/// assert_eq!(issues[0].rule, "bluesky.text.too_long");
/// assert_eq!(issues[0].severity, Severity::Error);
/// assert_eq!(issues[0].target, Some(0));
/// ```
#[must_use]
pub fn check(draft: &Draft<'_>, context: &Context) -> Vec<ValidationIssue> {
    run_rules(draft, context, &RuleSet::new())
}

/// Runs the rule table, and after it in each place what there is of one's own.
fn run_rules(draft: &Draft<'_>, context: &Context, set: &RuleSet) -> Vec<ValidationIssue> {
    let mut targets: Vec<TargetView<'_>> =
        draft.targets.iter().map(|target| TargetView::new(draft, target, context)).collect();
    let is_empty = post_text::is_empty(draft, &targets);
    for target in &mut targets {
        target.post_is_empty = is_empty;
    }
    let post = PostView { draft, context, is_empty };
    let mut issues = Issues::of_post();
    for rule in &RULES {
        if let Rule::Post(rule) = rule {
            rule(&mut Inspection::look((), &post, &mut issues));
        }
    }
    set.check_post(draft, &mut issues);
    for (index, target) in targets.iter().enumerate() {
        issues.turn_to(index, target.sheet.platform);
        for rule in &RULES {
            if let Rule::Target(rule) | Rule::Files(rule) = rule {
                rule(&mut Inspection::look(target.sheet, target, &mut issues));
            }
        }
        set.check_target(target, &mut issues);
        for (part, files) in target.target.parts.iter().enumerate() {
            issues.turn_to_part(part);
            check_part(draft, target.target, *files, context, &mut issues);
        }
    }
    issues.found
}

/// Checks the files of a later part of a thread.
fn check_part(
    draft: &Draft<'_>,
    target: &DraftTarget<'_>,
    files: DraftFiles<'_>,
    context: &Context,
    issues: &mut Issues,
) {
    if files.media.is_none_or(<[MediaFacts]>::is_empty) {
        return;
    }
    let part = DraftTarget { files: Some(files), thumbnail: None, parts: &[], ..*target };
    let view = TargetView::new(draft, &part, context);
    for rule in &RULES {
        if let Rule::Files(rule) = rule {
            rule(&mut Inspection::look(view.sheet, &view, issues));
        }
    }
}
