//! The files of one network that a person gives with `--media-for`.

use std::str::FromStr;

use scheduler_core::ids::MediaId;
use scheduler_core::platform::Platform;
use scheduler_core::post::TargetInput;

use super::target::read_network;

/// One `--media-for NETWORK=ID,…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MediaForArgument {
    platform: Platform,
    /// None of them: the network gets no files.
    ids: Vec<MediaId>,
}

impl FromStr for MediaForArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shape = "write NETWORK=ID, several ids with commas between, or NETWORK=none";
        let (platform, ids) = text.split_once('=').ok_or(shape)?;
        let platform = read_network(platform)?;
        if ids == "none" {
            return Ok(Self { platform, ids: Vec::new() });
        }
        let id = |id: &str| {
            let unknown = |_| format!("{id:?} is not the id of an uploaded file; {shape}");
            id.trim().parse().map_err(unknown)
        };
        Ok(Self { platform, ids: ids.split(',').map(id).collect::<Result<_, _>>()? })
    }
}

/// Why files cannot be given to a network.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotGiven {
    #[error("--media-for {0} is given twice")]
    Twice(Platform),
    #[error("--media-for {0}: the post does not go to {0}")]
    NoTarget(Platform),
}

/// Gives the targets on each network the files that are named for it.
///
/// # Errors
/// [`NotGiven`] by variant.
pub(super) fn add_to(
    targets: &mut [TargetInput],
    arguments: &[MediaForArgument],
) -> Result<(), NotGiven> {
    for (index, MediaForArgument { platform, ids }) in arguments.iter().enumerate() {
        if arguments[..index].iter().any(|earlier| earlier.platform == *platform) {
            return Err(NotGiven::Twice(*platform));
        }
        let mut meant = targets.iter_mut().filter(|target| target.platform == *platform).peekable();
        if meant.peek().is_none() {
            return Err(NotGiven::NoTarget(*platform));
        }
        for target in meant {
            *target = target.clone().with_files(ids.clone());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";

    #[test]
    fn files_of_a_network() {
        let two = format!("bluesky={ID}, {ID}");
        for (name, text, want) in [
            ("one", format!("bluesky={ID}"), Some(1)),
            ("two", two, Some(2)),
            ("none", "bluesky=none".to_owned(), Some(0)),
            ("a file", "bluesky=clip.mp4".to_owned(), None),
            ("nothing", "bluesky=".to_owned(), None),
            ("no network", ID.to_owned(), None),
            ("another network", format!("friendster={ID}"), None),
        ] {
            let read: Result<MediaForArgument, _> = text.parse();
            assert_eq!(read.map(|it| it.ids.len()).ok(), want, "{name}");
        }
    }

    #[test]
    fn targets_get_the_files_of_their_network() {
        let added = |arguments: &[&str]| {
            let mut targets = [Platform::Bluesky, Platform::Mastodon].map(TargetInput::from);
            let arguments: Vec<_> = arguments.iter().map(|text| text.parse().unwrap()).collect();
            add_to(&mut targets, &arguments).map(|()| json!(targets))
        };
        let file = format!("mastodon={ID}");
        let want = json!([{"platform": "bluesky"}, {"platform": "mastodon", "mediaIds": [ID]}]);
        assert_eq!(added(&[&file]), Ok(want));
        let twice = Err(NotGiven::Twice(Platform::Mastodon));
        assert_eq!(added(&[&file, "mastodon=none"]), twice);
        assert_eq!(added(&["discord=none"]), Err(NotGiven::NoTarget(Platform::Discord)));
    }
}
