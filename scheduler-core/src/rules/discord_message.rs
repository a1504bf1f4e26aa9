//! What a message of Discord may hold as a whole, and what its account can do.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Place, Rule};
use crate::platform::{Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Code points of all cards together.
///
/// Source: <https://docs.discord.com/developers/resources/message>, "Embed Limits".
const CARDS_LIMIT: usize = 6_000;

/// What the name of a webhook may not hold.
///
/// Source: <https://docs.discord.com/developers/resources/webhook>, "Create Webhook".
const FORBIDDEN: [&str; 2] = ["clyde", "discord"];

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Discord {
        return;
    }
    check_cards(on);
    check_sender(on);
    check_mentions(on);
}

fn check_cards(on: &mut OfTarget<'_, '_>) {
    let too_long = on.error(
        ("embeds", "too_long"),
        format_args!("The texts of all embeds have more than {CARDS_LIMIT} characters together."),
    );
    let empty = on.error(("embeds", "empty"), "An embed shows nothing.");
    let same_url =
        on.warning(("embeds", "same_url"), "Two embeds have the same url; one of them is shown.");
    let hidden = on.warning(
        ("hide_link_previews", "with_embeds"),
        "hideLinkPreviews is set on a post with embeds, which it hides as well.",
    );
    let Some(target) = on.subject() else { return };
    let Some(cards) = target.option("embeds").and_then(Value::as_array) else { return };
    let found = cards.iter().map(length).sum();
    if found > CARDS_LIMIT {
        let (unit, place) = (TextUnit::CodePoints, Place::option("embeds"));
        on.report(too_long, Detail::too_long(unit, found, CARDS_LIMIT, place));
    }
    for (index, card) in cards.iter().enumerate().filter(|(_, card)| card.is_object()) {
        if length(card) == 0 && ["image", "thumbnail"].iter().all(|key| card.get(key).is_none()) {
            on.report(empty, Detail::Empty { place: Place::item("embeds", index) });
        }
        let url = card.get("url").filter(|url| url.is_string());
        if url.is_some() && cards[..index].iter().any(|earlier| earlier.get("url") == url) {
            let place = Place::item("embeds", index);
            on.report(same_url, Detail::Repeated { place, earlier: None });
        }
    }
    if !cards.is_empty() && target.is_on("hideLinkPreviews") {
        let sentence = "hideLinkPreviews hides the embeds of the post as well.";
        on.report(hidden, Detail::note_of("hideLinkPreviews", sentence));
    }
}

/// Code points of the texts of a card.
fn length(card: &Value) -> usize {
    let fields = card.get("fields").and_then(Value::as_array).into_iter().flatten();
    let of_fields = fields.flat_map(|field| [field.get("name"), field.get("value")]);
    let of_card =
        ["/title", "/description", "/author/name", "/footer/text"].map(|path| card.pointer(path));
    let texts = of_card.into_iter().chain(of_fields).flatten().filter_map(Value::as_str);
    texts.map(count::code_points).sum()
}

fn check_sender(on: &mut OfTarget<'_, '_>) {
    let forbidden = on.error(
        ("username", "forbidden"),
        format_args!("username holds {}.", FORBIDDEN.join(" or ")),
    );
    let [no_name, no_picture] =
        [("username", "username"), ("avatar_url", "avatarUrl")].map(|(subject, key)| {
            let when = format_args!(
                "{key} is set for an account that posts as a bot, where it has no effect."
            );
            (key, on.warning((subject, "no_effect"), when))
        });
    let not_followed = on.error(
        ("crosspost", "no_announcement"),
        "crosspost is set for an account that is no bot in an announcement channel.",
    );
    let Some(target) = on.subject() else { return };
    let name = target.option("username").and_then(Value::as_str).unwrap_or_default();
    let lower = name.to_lowercase();
    if FORBIDDEN.iter().any(|word| lower.contains(word)) {
        let sentence = "{name} takes no username that holds clyde or discord.";
        on.report(forbidden, Detail::note_of("username", sentence));
    }
    let limits = target.limits;
    for (key, finding) in [no_name, no_picture] {
        if limits.posts_as_bot == Some(true) && target.option(key).is_some() {
            let sentence =
                "A bot posts under its own name and picture; what is set here has no effect.";
            on.report(finding, Detail::note_of(key, sentence));
        }
    }
    let cannot = limits.posts_as_bot == Some(false) || limits.is_announcement == Some(false);
    if target.is_on("crosspost") && cannot {
        let sentence = "crosspost works for a bot in an announcement channel alone.";
        on.report(not_followed, Detail::note_of("crosspost", sentence));
    }
}

fn check_mentions(on: &mut OfTarget<'_, '_>) {
    let silent = on.warning(
        ("mentions", "everyone_off"),
        "The text says @everyone or @here, and nobody is told of it.",
    );
    let Some(target) = on.subject() else { return };
    let text = target.composed.text();
    let is_said = text.contains("@everyone") || text.contains("@here");
    let mentions = target.option("mentions");
    let is_on = mentions.and_then(|mentions| mentions.get("everyone")) == Some(&Value::Bool(true));
    if is_said && !is_on {
        let sentence = "@everyone and @here tell nobody unless mentions.everyone is true.";
        on.report(silent, Detail::note_of("mentions", sentence));
    }
}
