//! The pages of the scheduler for people.
//!
//! Each page is an [`Endpoint`] that a server is given ([`pages`]); it calls the use cases of the
//! core and shows what they answer. No rule, limit, count or time is worked out here or in the
//! browser. Every action is a form that works without a script; scripts send the same forms.
//!
//! - a folder of `templates` and a module for each screen;
//! - `visitor` lets a person in by the session of a cookie; `page` is what all pages have;
//! - `assets` holds what pages load.
//!
//! # Adding a page
//! Its endpoint in the module of its screen, a line in [`pages`], and its template.
#![forbid(unsafe_code)]

mod accounts;
mod activity;
mod approvals;
mod approve;
mod assets;
mod calendar;
mod card;
mod compose;
mod connect;
mod door;
mod events;
mod figures;
#[expect(unreachable_pub, reason = "askama makes its filters public")]
mod filters;
mod inbox;
mod links;
mod login;
mod mark;
mod media;
mod metrics;
mod more;
mod openid;
mod page;
mod passkeys;
mod post;
mod programs;
mod reference;
mod rehearsal;
mod server;
mod settings;
mod sign_in;
mod start;
mod upload;
mod visitor;
mod when;

use scheduler_http::endpoints::Endpoint;

/// Every page.
#[must_use]
pub fn pages() -> &'static [&'static Endpoint] {
    static PAGES: &[&Endpoint] = &[
        &assets::SHOW,
        &sign_in::HOME,
        &sign_in::SHOW,
        &sign_in::ONCE,
        &sign_in::BY_LINK,
        &sign_in::BY_KEY,
        &sign_in::OUT,
        &passkeys::ASK_TO_SIGN,
        &passkeys::SIGN_IN,
        &openid::BEGIN,
        &openid::COME_BACK,
        &login::SHOW,
        &reference::SHOW,
        &reference::rules::SHOW,
        &connect::SHOW,
        &connect::START,
        &connect::COME_BACK,
        &connect::SHOW_PICK,
        &connect::PICK,
        &approve::SHOW,
        &approve::DECIDE,
        &upload::SHOW,
        &upload::TAKE,
        &links::FOLLOW,
        &calendar::HOME,
        &calendar::SHOW,
        &calendar::CHOSEN,
        &rehearsal::SHOW,
        &compose::NEW,
        &compose::CREATE,
        &compose::SHOW,
        &compose::SAVE,
        &compose::CHECK,
        &compose::mentions::SHOW,
        &compose::versions::LIST,
        &compose::versions::SHOW,
        &compose::versions::RESTORE,
        &post::SHOW,
        &post::RETRY,
        &post::CANCEL,
        &post::MOVE,
        &post::MOVED,
        &post::STOP,
        &post::DUPLICATE,
        &post::UNDO,
        &post::TAKE_DOWN,
        &post::CHANGE_LIVE,
        &post::FOUND,
        &post::POINT,
        &post::READ,
        &accounts::SHOW,
        &accounts::CONNECT,
        &accounts::INVITE,
        &accounts::LEAVING,
        &accounts::LEAVE,
        &accounts::SLOTS,
        &accounts::SET_SLOTS,
        &approvals::SHOW,
        &approvals::CREATE,
        &approvals::WITHDRAW,
        &approvals::APPROVE,
        &inbox::SHOW,
        &inbox::MARK,
        &inbox::CONVERSATION,
        &inbox::LEAVE,
        &inbox::ACT,
        &media::SHOW,
        &media::ONE,
        &media::THUMB,
        &media::FILE,
        &media::AVATAR,
        &media::DECLARE,
        &media::LINKS,
        &media::COMPLETE,
        &media::CROP,
        &media::CUT,
        &media::DESCRIBE,
        &media::DELETE,
        &figures::SHOW,
        &figures::POSTS,
        &figures::TIMES,
        &figures::WATCHED,
        &activity::SHOW,
        &activity::CREATE_KEY,
        &activity::REVOKE_KEY,
        &activity::CREATE_WEBHOOK,
        &activity::REMOVE_WEBHOOK,
        &activity::TEST_WEBHOOK,
        &activity::REDELIVER,
        &events::SHOW,
        &settings::SHOW,
        &settings::SAVE,
        &settings::END_SESSION,
        &settings::INVITE,
        &settings::MAKE_CALENDAR,
        &settings::REMOVE_CALENDAR,
        &settings::POLL_FEED,
        &settings::PAUSE_FEED,
        &settings::RESUME_FEED,
        &settings::REMOVE_FEED,
        &settings::PAUSE_RECURRENCE,
        &settings::RESUME_RECURRENCE,
        &settings::END_RECURRENCE,
        &settings::REMOVE_RECURRENCE,
        &settings::SET_LINKS,
        &passkeys::ASK_TO_MAKE,
        &passkeys::ADD,
        &passkeys::REMOVE,
        &programs::AUTHORIZE,
        &programs::SHOW,
        &programs::CONNECT,
        &programs::REMOVE,
        &server::SHOW,
        &start::SHOW,
        &more::SHOW,
    ];
    PAGES
}
