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
mod login;
mod mark;
mod media;
mod metrics;
mod more;
mod page;
mod post;
mod reference;
mod server;
mod settings;
mod sign_in;
mod start;
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
        &login::SHOW,
        &reference::SHOW,
        &connect::SHOW,
        &connect::START,
        &connect::COME_BACK,
        &connect::SHOW_PICK,
        &connect::PICK,
        &approve::SHOW,
        &approve::DECIDE,
        &calendar::HOME,
        &calendar::SHOW,
        &compose::NEW,
        &compose::CREATE,
        &compose::SHOW,
        &compose::SAVE,
        &compose::CHECK,
        &post::SHOW,
        &post::RETRY,
        &post::CANCEL,
        &post::MOVE,
        &post::MOVED,
        &post::DUPLICATE,
        &post::UNDO,
        &post::TAKE_DOWN,
        &post::CHANGE_LIVE,
        &post::POINT,
        &post::READ,
        &accounts::SHOW,
        &accounts::CONNECT,
        &accounts::INVITE,
        &accounts::SLOTS,
        &accounts::SET_SLOTS,
        &approvals::SHOW,
        &approvals::CREATE,
        &approvals::WITHDRAW,
        &inbox::SHOW,
        &inbox::MARK,
        &inbox::CONVERSATION,
        &inbox::ACT,
        &media::SHOW,
        &media::THUMB,
        &media::DECLARE,
        &media::COMPLETE,
        &media::DESCRIBE,
        &media::DELETE,
        &figures::SHOW,
        &figures::POSTS,
        &figures::TIMES,
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
        &server::SHOW,
        &start::SHOW,
        &more::SHOW,
    ];
    PAGES
}
