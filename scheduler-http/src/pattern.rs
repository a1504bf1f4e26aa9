//! Patterns of paths: `{…}` stands for a uuid or the beginning of one, or for any text where the
//! parameter is one of [`TEXTS`]. What takes no beginning finds nothing under it.

use scheduler_core::ids::beginning;

/// Parameters that hold any text, if not none.
const TEXTS: [&str; 4] = ["name", "commentId", "workspaceId", "mediaId"];

/// The name of the parameter that a segment of a pattern stands for.
pub(crate) fn parameter_of(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// True when a path has the form of a pattern.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let is_id = |segment: &str| uuid::Uuid::parse_str(segment).is_ok();
    fits(pattern, path, |segment| is_id(segment) || beginning(segment).is_some())
}

/// True when a path has the form of a pattern but for its ids.
pub(crate) fn matches_but_for_ids(pattern: &str, path: &str) -> bool {
    fits(pattern, path, |segment| !segment.is_empty())
}

fn fits(pattern: &str, path: &str, is_id: impl Fn(&str) -> bool) -> bool {
    let mut segments = path.split('/');
    let fits = pattern.split('/').all(|want| {
        segments.next().is_some_and(|segment| match parameter_of(want) {
            Some(name) if TEXTS.contains(&name) => !segment.is_empty(),
            Some(_) => is_id(segment),
            None => want == segment,
        })
    });
    fits && segments.next().is_none()
}

/// What stands in a path for a parameter of its pattern; empty where the pattern has none of the
/// name.
pub(crate) fn segment<'a>(pattern: &str, path: &'a str, name: &str) -> &'a str {
    let mut pairs = pattern.split('/').zip(path.split('/'));
    let found = pairs.find(|(want, _)| parameter_of(want) == Some(name));
    found.map_or("", |(_, segment)| segment)
}
