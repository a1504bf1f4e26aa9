//! Bounds of what is sent, which hold for every network.

use url::Url;

use super::input::TargetInput;
use super::{files, options};
use crate::error::{Invalid, Refusal};
use crate::ids::MediaId;

/// Characters that the content of a post holds at most.
///
/// Source: interface description, Limits.
pub const CONTENT_MAX_CHARACTERS: usize = 64_000;

/// What has bounds that hold for every network, as far as it is sent.
pub(crate) struct Bounds<'a> {
    pub(crate) content: Option<&'a str>,
    pub(crate) link_url: Option<&'a str>,
    pub(crate) media_ids: Option<&'a [MediaId]>,
    pub(crate) alt_texts: Option<&'a [Option<String>]>,
    pub(crate) targets: Option<&'a [TargetInput]>,
    pub(crate) may_lack_targets: bool,
}

impl Bounds<'_> {
    /// Checks the bounds.
    ///
    /// # Errors
    /// `invalid_request` naming the first field that is out of bounds.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        self.content.map_or(Ok(()), check_content)?;
        self.link_url.map_or(Ok(()), |link| check_link("linkUrl", link))?;
        self.media_ids.map_or(Ok(()), files::check_media_ids)?;
        self.alt_texts.map_or(Ok(()), files::check_alt_texts)?;
        if !self.may_lack_targets && self.targets.is_some_and(<[TargetInput]>::is_empty) {
            return Err(Refusal::invalid("targets", Invalid::NoTargets));
        }
        for (index, target) in self.targets.into_iter().flatten().enumerate() {
            if let Some(given) = &target.options {
                options::check(&format_args!("targets[{index}].options"), given)?;
            }
            files::check(index, target)?;
        }
        Ok(())
    }
}

/// Refuses a text that is longer than it may be, or holds what no text may.
///
/// # Errors
/// `invalid_request` naming the field.
pub(crate) fn check_text(field: &str, text: &str, max_characters: usize) -> Result<(), Refusal> {
    let length = text.chars().count();
    if length > max_characters {
        return Err(Refusal::invalid(field, Invalid::too_long(field, length, max_characters)));
    }
    check_characters(field, text)
}

/// Refuses the one character that neither networks nor databases take.
///
/// # Errors
/// `invalid_request` naming the field.
pub(crate) fn check_characters(field: &str, text: &str) -> Result<(), Refusal> {
    if text.contains('\0') {
        return Err(Refusal::invalid(field, Invalid::NulCharacter));
    }
    Ok(())
}

/// Checks the length of a post's content.
///
/// # Errors
/// `invalid_request` naming `content`.
pub(crate) fn check_content(content: &str) -> Result<(), Refusal> {
    check_characters("content", content)?;
    // Counting code points reads the text once; a text within the bound in bytes needs no count.
    let length = if content.len() <= CONTENT_MAX_CHARACTERS { 0 } else { content.chars().count() };
    if length > CONTENT_MAX_CHARACTERS {
        let problem = Invalid::too_long("content", length, CONTENT_MAX_CHARACTERS);
        return Err(Refusal::invalid("content", problem));
    }
    Ok(())
}

/// Refuses what is no address that a network could show.
///
/// # Errors
/// `invalid_request` naming the field.
pub(super) fn check_link(field: &str, link: &str) -> Result<(), Refusal> {
    check_characters(field, link)?;
    let refuse = || {
        Refusal::invalid(
            field,
            format!("{link:?} is not a link; send an absolute http or https address."),
        )
    };
    // The parser mends what networks refuse: white space, control characters, other slashes.
    let host = ["http://", "https://"].into_iter().find_map(|scheme| {
        let (head, host) = link.split_at_checked(scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then_some(host)
    });
    let is_as_written = host.is_some_and(|host| !host.starts_with(['/', '\\']))
        && !link.contains(|character: char| character.is_whitespace() || character.is_control());
    if !is_as_written {
        return Err(refuse());
    }
    let url = Url::parse(link).map_err(|_| refuse())?;
    if url.has_host() { Ok(()) } else { Err(refuse()) }
}
