//! Where on its network a post goes.

use serde_json::{Map, Value};

use crate::media::{MediaFacts, MediaKind};
use crate::platform::{MediaFigures, Placement, PlacementChoice};

/// The placement that a target asks for, or that its network gives to such files.
pub(crate) fn placement(
    figures: &MediaFigures,
    options: &Map<String, Value>,
    media: &[MediaFacts],
) -> Placement {
    let post = if media.len() > 1 { Placement::Carousel } else { Placement::Post };
    match figures.placement {
        PlacementChoice::ByFiles => post,
        PlacementChoice::Named { option, video_alone } => {
            let is_one_video = matches!(media, [file] if file.kind == MediaKind::Video);
            match options.get(option).and_then(Value::as_str) {
                Some("story") => Placement::Story,
                Some("reel") => Placement::Reel,
                _ if is_one_video => video_alone,
                _ => post,
            }
        }
        PlacementChoice::NamedOrReelFlag { option, flag } => {
            let is_reel = options.get(flag).and_then(Value::as_bool) == Some(true);
            match options.get(option).and_then(Value::as_str) {
                Some("story") => Placement::Story,
                Some("reel") => Placement::Reel,
                None if is_reel => Placement::Reel,
                Some(_) | None => post,
            }
        }
    }
}
