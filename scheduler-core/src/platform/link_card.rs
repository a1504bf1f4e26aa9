//! Link cards: what a post says of its link, where the network reads nothing of the page itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;

use super::{CapabilitySheet, Effect, Member, OptionFact, OptionValue, Shape, WEB};
use crate::ids::MediaId;
use crate::object::only_from_object;

/// What the card of a post's link shows, in the same form for every network that has it from us.
///
/// ```
/// use scheduler_core::platform::LinkCard;
/// let card = LinkCard { title: Some("Bread".into()), ..LinkCard::default() };
/// assert_eq!(serde_json::to_string(&card)?, r#"{"title":"Bread"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkCard {
    /// Its title; the host of the link where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What is said below the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its picture, an image of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_media_id: Option<MediaId>,
    /// Whether there is none: the link goes into the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hide: Option<bool>,
    /// The address of the page that the rest was read from, which the server says. When the link of
    /// the post changes, that is read again; a card without it is left as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_from: Option<String>,
    /// The address that its picture was read from, which the server says. Such a picture goes when
    /// the link changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_read_from: Option<String>,
}

only_from_object!(LinkCard);

/// The option that holds it.
///
/// Source: ours, for the fields that Bluesky and LinkedIn have.
pub(crate) const LINK_CARD: &str = "linkCard";

/// The member of it that names its picture.
pub(crate) const CARD_IMAGE: &str = "linkCard.imageMediaId";

impl LinkCard {
    /// The card of a target's options, without what is of another form; `None` where there is none.
    #[must_use]
    pub fn of(options: &Map<String, Value>) -> Option<Self> {
        let card = options.get(LINK_CARD)?.as_object()?;
        let text = |key: &str| {
            let text = card.get(key)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        Some(Self {
            title: text("title"),
            description: text("description"),
            image_media_id: text("imageMediaId").and_then(|id| id.parse().ok()),
            hide: card.get("hide").and_then(Value::as_bool),
            read_from: text("readFrom"),
            image_read_from: text("imageReadFrom"),
        })
    }

    /// Whether a network shows what we say of the link; others read the page themselves.
    pub(crate) fn is_ours_on(sheet: &CapabilitySheet) -> bool {
        members(sheet).iter().any(|member| member.key == "title")
    }

    /// Writes it into the options of a target which say nothing of a card: what its network knows
    /// of it; nothing where that is nothing.
    #[cfg(feature = "engine")]
    pub(crate) fn fill(&self, sheet: &CapabilitySheet, options: &mut Map<String, Value>) {
        let known = members(sheet);
        let Ok(Value::Object(mut card)) = serde_json::to_value(self) else { return };
        card.retain(|key, _| known.iter().any(|member| member.key == key));
        if !card.is_empty() && !options.contains_key(LINK_CARD) {
            options.insert(LINK_CARD.to_owned(), card.into());
        }
    }

    /// Its title, or the host of the link where none is given.
    #[must_use]
    pub fn title_of(&self, link: &str) -> String {
        let host = || Url::parse(link).ok().and_then(|url| url.host_str().map(str::to_owned));
        self.title.clone().or_else(host).unwrap_or_else(|| link.to_owned())
    }

    /// Whether options say that a post has none, on a network that knows of it.
    pub(crate) fn is_hidden(sheet: &CapabilitySheet, options: &Map<String, Value>) -> bool {
        let hide = options.get(LINK_CARD).and_then(|card| card.get("hide"));
        sheet.option(LINK_CARD).is_some() && hide == Some(&Value::Bool(true))
    }
}

/// What the card of a network has.
pub(crate) fn members(sheet: &CapabilitySheet) -> &'static [Member] {
    match sheet.option(LINK_CARD).map(|option| option.value) {
        Some(OptionValue::Shaped(Shape::Object(members))) => members,
        _ => &[],
    }
}

/// The option of a network whose card has these members.
pub(super) const fn option(shape: &'static Shape) -> OptionFact {
    OptionFact::new(LINK_CARD, "link_card", "The card of the link", OptionValue::Shaped(shape))
        .about("What the card of the link shows: its title, description and image. `hide` puts the link into the text instead.")
        .effective(Effect::WithLinkAlone)
}

/// The member for the title, of at most so many code points.
pub(super) const fn title(most: u32) -> Member {
    Member::new("title", Shape::Text(most))
}

/// The member for the description, of at most so many code points.
pub(super) const fn description(most: u32) -> Member {
    Member::new("description", Shape::Text(most))
}

/// The member for the picture.
pub(super) const IMAGE: Member = Member::new("imageMediaId", Shape::Uuid);

/// The member that says where the server has read the rest.
pub(super) const READ_FROM: Member = Member::new("readFrom", Shape::Address(WEB, LINK_READ_MAX));

/// The member that says where the server has read the picture.
pub(super) const IMAGE_READ_FROM: Member =
    Member::new("imageReadFrom", Shape::Address(WEB, IMAGE_LINK_MAX));

/// The longest address of a picture that is read, in code points. Our decision.
pub(crate) const IMAGE_LINK_MAX: u32 = 8_192;

/// The longest link whose page is read, in code points. Our decision.
pub(crate) const LINK_READ_MAX: u32 = 2_048;

/// The member that leaves the card out.
pub(super) const HIDE: Member = Member::new("hide", Shape::Flag);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cards_are_read_as_far_as_they_are_of_the_form() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        let named = Some(id.parse().unwrap());
        let titled = |title: &str| LinkCard { title: Some(title.into()), ..LinkCard::default() };
        for (name, options, want) in [
            ("none", json!({}), None),
            ("null", json!({"linkCard": null}), None),
            ("another type", json!({"linkCard": "Bread"}), None),
            ("empty", json!({"linkCard": {}}), Some(LinkCard::default())),
            ("a title", json!({"linkCard": {"title": " Bread "}}), Some(titled("Bread"))),
            ("a blank one", json!({"linkCard": {"title": " "}}), Some(LinkCard::default())),
            ("others beside it", json!({"linkCard": {"title": "a", "b": 1}}), Some(titled("a"))),
            (
                "all",
                json!({"linkCard": {
                    "title": "a", "description": "b", "imageMediaId": id, "hide": false,
                }}),
                Some(LinkCard {
                    description: Some("b".into()),
                    image_media_id: named,
                    hide: Some(false),
                    ..titled("a")
                }),
            ),
        ] {
            assert_eq!(LinkCard::of(options.as_object().unwrap()), want, "{name}");
        }
    }
}
