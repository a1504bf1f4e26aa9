//! Boards, and lists in pages.
//!
//! Source: <https://github.com/pinterest/api-description>, `GET /boards`, `POST /boards`, and
//! `/boards/{board_id}/sections`.

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Pinterest;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Entries of a page: usual, and at most.
const PAGE_SIZE: usize = 25;
const MAX_PAGE_SIZE: usize = 250;

/// Longest name of a board.
const MAX_NAME: usize = 50;

/// Longest name of a section.
///
/// Source: <https://github.com/pinterest/api-description>, `BoardSection`.
const MAX_SECTION_NAME: usize = 180;

/// Who sees a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Privacy {
    /// Everybody.
    Public,
    /// Its owner.
    Secret,
}

impl Privacy {
    const fn name(self) -> &'static str {
        match self {
            Self::Public => "PUBLIC",
            Self::Secret => "SECRET",
        }
    }
}

/// A board.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) id: String,
    pub(super) owner: String,
    name: String,
    pub(super) privacy: Privacy,
    created_at: DateTime<Utc>,
    /// Its sections: ids and names.
    pub(super) sections: Vec<(String, String)>,
}

/// Writes a time as this network does: UTC, whole seconds, no zone.
pub(super) fn plain(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Answers a page of entries.
///
/// # Errors
/// 400 for a size or a bookmark that is none.
pub(super) fn paged(request: &Request, entries: &[Value]) -> Result<Answer, ApiError> {
    let size = match request.query("page_size") {
        None => PAGE_SIZE,
        Some(text) => text
            .parse()
            .ok()
            .filter(|size| (1..=MAX_PAGE_SIZE).contains(size))
            .ok_or_else(|| ApiError::invalid(&format!("'{text}' is not a page size")))?,
    };
    let from = match request.query("bookmark").filter(|text| !text.is_empty()) {
        None => 0,
        Some(text) => hex::decode(text)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .and_then(|text| text.parse::<usize>().ok())
            .ok_or_else(|| ApiError::invalid("the bookmark is none of ours"))?,
    };
    let items: Vec<&Value> = entries.iter().skip(from).take(size).collect();
    let next = from + items.len();
    let bookmark = (next < entries.len()).then(|| hex::encode(next.to_string()));
    Ok(Answer::ok(&json!({ "items": items, "bookmark": bookmark })))
}

impl Pinterest {
    /// Makes a board.
    pub(super) fn add_board(
        &mut self,
        owner: &str,
        name: &str,
        privacy: Privacy,
        now: DateTime<Utc>,
    ) -> Board {
        let id = self.next_id(now);
        let (owner, name) = (owner.to_owned(), name.to_owned());
        let board = Board { id, owner, name, privacy, created_at: now, sections: Vec::new() };
        self.boards.push(board.clone());
        board
    }

    /// Lists the boards of a user; secret ones for who has the permission.
    ///
    /// # Errors
    /// Those of tokens, permissions and pages.
    pub(super) fn list_boards(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read"])?;
        let sees_secrets = caller.has("boards:read_secret");
        let boards = self.boards.iter().filter(|board| {
            board.owner == caller.user && (board.privacy == Privacy::Public || sees_secrets)
        });
        let boards: Vec<Value> = boards.map(|board| self.board_json(board)).collect();
        paged(request, &boards)
    }

    /// Makes a board for a user.
    ///
    /// # Errors
    /// 400 for a name that cannot be used or is taken; those of tokens and permissions.
    pub(super) fn create_board(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "boards:write"])?;
        let body = request.json().cloned().unwrap_or_default();
        let name = body["name"].as_str().unwrap_or_default().trim().to_owned();
        if name.is_empty() || name.chars().count() > MAX_NAME {
            return Err(ApiError::invalid("the name is too short or too long"));
        }
        let is_taken =
            self.boards.iter().any(|board| board.owner == caller.user && board.name == name);
        if is_taken {
            let message = "You already have a board with this name.";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, 58, message));
        }
        let privacy = match body["privacy"].as_str() {
            None | Some("PUBLIC") => Privacy::Public,
            Some("SECRET") => Privacy::Secret,
            Some(other) => return Err(ApiError::invalid(&format!("'{other}' is not a privacy"))),
        };
        let board = self.add_board(&caller.user, &name, privacy, context.now);
        Ok(Answer::json(StatusCode::CREATED, &self.board_json(&board)))
    }

    /// Lists the sections of a board.
    ///
    /// # Errors
    /// Those of tokens, permissions, boards and pages.
    pub(super) fn list_sections(
        &self,
        request: &Request,
        board: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read"])?;
        self.check_board(&caller, board)?;
        let board = self.boards.iter().find(|known| known.id == board);
        let sections = board.into_iter().flat_map(|board| &board.sections);
        let sections: Vec<Value> = sections.map(section_json).collect();
        paged(request, &sections)
    }

    /// Makes a section of a board.
    ///
    /// # Errors
    /// 400 for a name that cannot be used; those of tokens, permissions and boards.
    pub(super) fn create_section(
        &mut self,
        request: &Request,
        board: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "boards:write"])?;
        self.check_board(&caller, board)?;
        let body = request.json().cloned().unwrap_or_default();
        let name = body["name"].as_str().unwrap_or_default().trim().to_owned();
        if name.is_empty() || name.chars().count() > MAX_SECTION_NAME {
            return Err(ApiError::invalid("the name is too short or too long"));
        }
        let section = (self.next_id(context.now), name);
        let answer = Answer::json(StatusCode::CREATED, &section_json(&section));
        if let Some(board) = self.boards.iter_mut().find(|known| known.id == board) {
            board.sections.push(section);
        }
        Ok(answer)
    }

    fn board_json(&self, board: &Board) -> Value {
        let owner = self.users.get(&board.owner).map(|user| user.username.as_str());
        let pins =
            self.pins.iter().filter(|pin| pin.board_id == board.id && !pin.is_deleted).count();
        json!({
            "id": board.id,
            "created_at": plain(board.created_at),
            "name": board.name,
            "description": "",
            "pin_count": pins,
            "follower_count": 0,
            "owner": { "username": owner },
            "privacy": board.privacy.name(),
        })
    }
}

fn section_json((id, name): &(String, String)) -> Value {
    json!({ "id": id, "name": name })
}
