//! Pins: `/v5/pins`, `/v5/boards/{board_id}/pins`.
//!
//! Source: <https://github.com/pinterest/api-description>, `POST /pins`, `GET /pins`,
//! `GET /pins/{pin_id}`, `DELETE /pins/{pin_id}`.

use chrono::{DateTime, Utc};
use http::{StatusCode, Uri};
use serde_json::{Value, json};

use super::Pinterest;
use super::accounts::Caller;
use super::boards::{Privacy, paged, plain};
use super::error::ApiError;
use super::figures::pin_metrics;
use super::limits::is_trial;
use super::source::Shown;
use crate::answer::Answer;
use crate::json_files::JsonText;
use crate::network::{Context, LivePost};
use crate::request::Request;

/// Code points of each text.
const LENGTHS: [(&str, usize); 4] =
    [("title", 100), ("description", 800), ("link", 2048), ("alt_text", 500)];

/// The colour of a Pin that names none; invented.
const COLOR: &str = "#6E7874";

/// Hosts that stand for those that the network refuses, and that it takes for spam.
const BLOCKED_HOST: &str = "blocked.example";
const SPAM_HOST: &str = "spam.example";

/// A Pin.
#[derive(Clone, Debug)]
pub(super) struct Pin {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) board_id: String,
    title: Option<String>,
    description: Option<String>,
    link: Option<String>,
    alt_text: Option<String>,
    board_section_id: Option<String>,
    dominant_color: Option<String>,
    shown: Shown,
    created_at: DateTime<Utc>,
    pub(super) is_deleted: bool,
}

impl Pin {
    /// Says whether it shows a video.
    pub(super) const fn is_video(&self) -> bool {
        matches!(self.shown, Shown::Video(_))
    }

    fn to_json(&self, username: Option<&str>, is_owner: bool) -> Value {
        let mut media = json!({ "media_type": self.shown.media_type() });
        if media["media_type"] == "image" {
            let url = format!("https://i.pinimg.com/150x150/{}.jpg", self.id);
            media["images"] = json!({ "150x150": { "width": 150, "height": 150, "url": url } });
        }
        json!({
            "id": self.id,
            "created_at": plain(self.created_at),
            "link": self.link,
            "title": self.title,
            "description": self.description,
            "dominant_color": self.dominant_color.as_deref().unwrap_or(COLOR),
            "alt_text": self.alt_text,
            "creative_type": if self.is_video() { "VIDEO" } else { "REGULAR" },
            "board_id": self.board_id,
            "board_section_id": self.board_section_id,
            "board_owner": { "username": username },
            "is_owner": is_owner,
            "is_standard": true,
            "has_been_promoted": false,
            "parent_pin_id": null,
            "note": "",
            "media": media,
            "pin_metrics": null,
        })
    }
}

impl Pinterest {
    /// Makes a Pin; the same body makes another.
    ///
    /// # Errors
    /// Those of tokens, permissions, boards and media; 400 for a text that is too long or a link
    /// that is refused; 429 for spam.
    pub(super) fn create_pin(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "boards:write", "pins:read", "pins:write"])?;
        if is_trial(&caller.client_id) {
            return Err(ApiError::trial());
        }
        let unread = || ApiError::invalid("the body is not JSON");
        let text: &JsonText = request.body.json_text.as_ref().ok_or_else(unread)?;
        let body: Value = serde_json::from_slice(&text.text).map_err(|_| unread())?;
        let board_id = body["board_id"].as_str().unwrap_or_default().to_owned();
        if board_id.is_empty() || !board_id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ApiError::invalid(&format!("'{board_id}' does not match '^\\d+$'")));
        }
        let [title, description, link, alt_text] = texts(&body)?;
        self.check_board(&caller, &board_id)?;
        let board_section_id = self.section(&board_id, &body["board_section_id"])?;
        let dominant_color = color(&body["dominant_color"])?;
        let shown = self.shown(&caller, &body["media_source"], text, context)?;
        let pin = Pin {
            id: self.next_id(context.now),
            owner: caller.user.clone(),
            board_id,
            title,
            description,
            link,
            alt_text,
            board_section_id,
            dominant_color,
            shown,
            created_at: context.now,
            is_deleted: false,
        };
        let answer = Answer::json(StatusCode::CREATED, &self.pin_json(&pin, &caller));
        self.pins.push(pin);
        Ok(answer)
    }

    /// Lists the Pins of a user, newest first.
    ///
    /// # Errors
    /// Those of tokens, permissions and pages.
    pub(super) fn list_pins(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "pins:read"])?;
        self.listed(request, &caller, |pin| pin.owner == caller.user)
    }

    /// Lists the Pins of a board, newest first.
    ///
    /// # Errors
    /// Those of tokens, permissions, boards and pages.
    pub(super) fn list_board_pins(
        &self,
        request: &Request,
        board: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "pins:read"])?;
        self.check_board(&caller, board)?;
        self.listed(request, &caller, |pin| pin.board_id == board)
    }

    /// Answers a Pin, with what it has counted where that is asked for.
    ///
    /// # Errors
    /// Those of tokens, permissions and Pins.
    pub(super) fn show_pin(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "pins:read"])?;
        let pin = self.own_pin(&caller, id)?;
        let mut shown = self.pin_json(pin, &caller);
        if request.query("pin_metrics") == Some("true") {
            shown["pin_metrics"] = pin_metrics();
        }
        Ok(Answer::ok(&shown))
    }

    /// Takes a Pin down.
    ///
    /// # Errors
    /// Those of tokens, permissions and Pins.
    pub(super) fn delete_pin(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "boards:write", "pins:read", "pins:write"])?;
        let id = self.own_pin(&caller, id)?.id.clone();
        if let Some(pin) = self.pins.iter_mut().find(|pin| pin.id == id) {
            pin.is_deleted = true;
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Returns a Pin of the caller.
    ///
    /// # Errors
    /// 400 for what is no id, 404 for what is not there, 403 for what is somebody else's.
    pub(super) fn own_pin(&self, caller: &Caller, id: &str) -> Result<&Pin, ApiError> {
        if !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ApiError::invalid(&format!("'{id}' does not match '^\\d+$'")));
        }
        let pin = self.pins.iter().find(|pin| pin.id == id && !pin.is_deleted);
        let pin = pin.ok_or_else(ApiError::no_pin)?;
        if pin.owner == caller.user { Ok(pin) } else { Err(ApiError::not_permitted()) }
    }

    /// Returns a Pin as the control shows it.
    pub(super) fn live_post(&self, pin: &Pin) -> LivePost {
        let author = self.users.get(&pin.owner).map(|user| user.name.clone());
        LivePost {
            platform: super::NAME,
            account: pin.owner.clone(),
            author: author.unwrap_or_default(),
            remote_id: pin.id.clone(),
            text: pin.description.clone().unwrap_or_default(),
            media: pin.shown.files(),
            reply_to: None,
            created_at: pin.created_at,
            is_deleted: pin.is_deleted,
        }
    }

    fn listed(
        &self,
        request: &Request,
        caller: &Caller,
        is_wanted: impl Fn(&Pin) -> bool,
    ) -> Result<Answer, ApiError> {
        let pins = self.pins.iter().rev().filter(|pin| !pin.is_deleted && is_wanted(pin));
        let pins: Vec<Value> = pins.map(|pin| self.pin_json(pin, caller)).collect();
        paged(request, &pins)
    }

    fn pin_json(&self, pin: &Pin, caller: &Caller) -> Value {
        let username = self.users.get(&pin.owner).map(|user| user.username.as_str());
        pin.to_json(username, pin.owner == caller.user)
    }

    /// Reads the section that a Pin goes to.
    ///
    /// # Errors
    /// 400 for what is no id, 404 for a section that the board has not; what the network answers to
    /// that stands nowhere.
    fn section(&self, board: &str, given: &Value) -> Result<Option<String>, ApiError> {
        let Some(id) = given.as_str() else { return Ok(None) };
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ApiError::invalid(&format!("'{id}' does not match '^\\d+$'")));
        }
        let board = self.boards.iter().find(|known| known.id == board);
        let is_there =
            board.is_some_and(|board| board.sections.iter().any(|(known, _)| known == id));
        if is_there { Ok(Some(id.to_owned())) } else { Err(ApiError::no_section()) }
    }

    /// Refuses a board that the caller has not, or may not see.
    pub(super) fn check_board(&self, caller: &Caller, id: &str) -> Result<(), ApiError> {
        let board = self.boards.iter().find(|board| board.id == id);
        let board = board.ok_or_else(ApiError::no_board)?;
        let is_hidden = board.privacy == Privacy::Secret
            && (board.owner != caller.user || !caller.has("boards:write_secret"));
        if is_hidden {
            return Err(ApiError::no_board());
        }
        if board.owner == caller.user { Ok(()) } else { Err(ApiError::not_permitted()) }
    }
}

/// Reads the texts of a Pin, or of a card of its carousel: title, description, link, alternative
/// text.
///
/// # Errors
/// One is too long; the link is refused.
pub(super) fn texts(of: &Value) -> Result<[Option<String>; 4], ApiError> {
    let [title, description, link, alt_text] = LENGTHS.map(|(name, limit)| {
        let given = of[name].as_str().filter(|given| !given.is_empty());
        match given.filter(|given| given.chars().count() > limit) {
            Some(given) => Err(ApiError::invalid(&format!("'{given}' is too long"))),
            None => Ok(given.map(str::to_owned)),
        }
    });
    let link = link?;
    check_link(link.as_deref())?;
    Ok([title?, description?, link, alt_text?])
}

/// Reads the colour that stands in for a Pin until it is loaded.
fn color(given: &Value) -> Result<Option<String>, ApiError> {
    let Some(color) = given.as_str() else { return Ok(None) };
    let digits = color.strip_prefix('#').unwrap_or_default();
    let is_color = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let why = format!("'{color}' does not match '^#[0-9a-fA-F]{{6}}$'");
    if is_color { Ok(Some(color.to_owned())) } else { Err(ApiError::invalid(&why)) }
}

fn check_link(link: Option<&str>) -> Result<(), ApiError> {
    let Some(link) = link else { return Ok(()) };
    let uri: Option<Uri> = link.parse().ok();
    let is_web = uri.as_ref().is_some_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let refused = |message| Err(ApiError::new(StatusCode::BAD_REQUEST, 12, message));
    match host {
        SPAM_HOST => Err(ApiError::spam()),
        BLOCKED_HOST => refused("Sorry! This link is blocked."),
        _ if !is_web || host.is_empty() => refused("Invalid URL"),
        _ => Ok(()),
    }
}
