//! Connecting accounts in a browser.

use std::cell::RefCell;

use chrono::TimeDelta;
use scheduler_core::app::{Browser, Invitation, Returned, Settings, StageView};
use scheduler_core::connecting::{ConnectingStage, LIFETIME, Pass, PickOutcome};
use scheduler_core::error::Refusal;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Authorization, ConnectInput, ConnectingStore as _, NetworkError, NetworkErrorKind,
    PendingConnectionOf,
};
use secrecy::ExposeSecret as _;

use crate::support::{World, done, named, outcome, refused};

const BACK: &str = "https://s.example/connect/linkedin/callback";
const OF: Platform = Platform::Linkedin;

/// A code that comes back.
fn code_of(code: &str) -> Returned {
    let issuer = Some("https://linkedin.example".to_owned());
    Returned::Code { code: code.to_owned(), issuer }
}

/// A person with a browser that was given a link.
struct Visit<'a> {
    world: &'a World,
    invitation: Invitation,
    cookie: RefCell<Option<Pass>>,
}

impl<'a> Visit<'a> {
    fn begin(world: &'a World) -> Self {
        let invitation = invite(world, OF).unwrap();
        Self { world, invitation, cookie: RefCell::default() }
    }

    fn with_ticket(&self) -> Browser {
        let ticket = Some(self.invitation.ticket.clone());
        Browser { ticket, cookie: self.cookie.borrow().clone() }
    }

    fn in_visit(&self) -> Browser {
        Browser::in_visit(self.cookie.borrow().clone())
    }

    /// Goes to the network's page; returns the state that it would give back.
    fn authorize(&self, browser: &Browser) -> Result<String, Refusal> {
        let scheduler = &self.world.scheduler;
        let values = ConnectInput::default();
        let page = scheduler.authorize_connection(OF, browser, values, BACK);
        let page = refused(done(page))?;
        *self.cookie.borrow_mut() = Some(page.cookie);
        Ok(self.world.network.pages.lock().unwrap().last().unwrap().state.clone())
    }

    fn come_back(&self, state: &str, code: &str) -> Result<(), Refusal> {
        self.come_back_with(self.cookie.borrow().as_ref(), state, code_of(code))
    }

    fn come_back_with(
        &self,
        cookie: Option<&Pass>,
        state: &str,
        returned: Returned,
    ) -> Result<(), Refusal> {
        refused(done(self.world.scheduler.come_back(OF, cookie, state, returned)))
    }

    fn pick(&self, ids: &[&str]) -> Result<(), Refusal> {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let cookie = self.cookie.borrow().clone();
        refused(done(self.world.scheduler.pick_accounts(OF, cookie.as_ref(), &ids)))
    }

    fn stage(&self, browser: &Browser) -> Result<StageView, Refusal> {
        let view = refused(done(self.world.scheduler.connecting_view(OF, browser)))?;
        assert_eq!(view.workspace, "home");
        Ok(view.stage)
    }

    fn outcomes(&self) -> Vec<PickOutcome> {
        match self.stage(&self.in_visit()).unwrap() {
            StageView::Ended { outcomes } => outcomes,
            stage => panic!("{stage:?}"),
        }
    }
}

fn invite(world: &World, platform: Platform) -> Result<Invitation, Refusal> {
    let given = ConnectInput([("instance".to_owned(), "m.example".to_owned())].into());
    refused(done(world.scheduler.invite(&world.caller.workspace, platform, given)))
}

#[test]
fn an_account_is_connected_on_the_page_of_its_network() {
    let world = World::empty();
    let visit = Visit::begin(&world);
    assert!(matches!(visit.stage(&visit.with_ticket()), Ok(StageView::Begin { .. })));
    let state = visit.authorize(&visit.with_ticket()).unwrap();
    assert_eq!(visit.come_back(&state, "ana"), Ok(()));

    let page = world.network.pages.lock().unwrap()[0].clone();
    assert_eq!(
        (page.redirect_uri.as_str(), page.values.value("instance")),
        (BACK, Some("m.example"))
    );
    assert_eq!((page.state.len(), page.code_verifier.expose_secret().len()), (43, 43));
    let input = world.network.inputs.lock().unwrap()[0].clone();
    for (name, want) in [
        ("code", "ana"),
        ("iss", "https://linkedin.example"),
        ("redirectUri", BACK),
        ("codeVerifier", page.code_verifier.expose_secret()),
        ("clientSecret", "kept"),
        ("instance", "m.example"),
    ] {
        assert_eq!(input.value(name), Some(want), "{name}");
    }
    let account = world.account(OF);
    assert_eq!(account.username.as_deref(), Some("ana"));
    let want = PickOutcome {
        label: "ana (ana)".into(),
        account_id: Some(account.id),
        was_known: false,
        problem: None,
        lacks: vec!["ana cannot read comments.".into()],
    };
    assert_eq!(visit.outcomes(), [want]);
    let pending = done(world.scheduler.pending_connection(visit.invitation.id)).unwrap().unwrap();
    assert!(matches!(pending.stage, ConnectingStage::Ended { .. }));
}

#[test]
fn several_accounts_are_picked_from() {
    let world = World::empty();
    world.connect(OF, "ben");
    let visit = Visit::begin(&world);
    let state = visit.authorize(&visit.with_ticket()).unwrap();
    visit.come_back(&state, "ana+ben+eve").unwrap();
    assert_eq!(world.accounts().len(), 1, "nothing is connected before it is picked");
    let StageView::Pick { choices } = visit.stage(&visit.in_visit()).unwrap() else { panic!() };
    let choices: Vec<_> =
        choices.iter().map(|choice| (choice.network_id.as_str(), choice.is_connected)).collect();
    assert_eq!(choices, [("ana", false), ("ben", true), ("eve", false)]);
    assert_eq!(outcome(&visit.pick(&[])), "invalid_request account");
    assert_eq!(outcome(&visit.pick(&["somebody"])), "invalid_request account");
    visit.pick(&["ana", "ben"]).unwrap();
    let outcomes = visit.outcomes();
    let known: Vec<_> =
        outcomes.iter().map(|outcome| (outcome.label.as_str(), outcome.was_known)).collect();
    assert_eq!(known, [("ana (ana)", false), ("ben (ben)", true)]);
    assert_eq!(world.accounts().len(), 2);
    assert_eq!(visit.pick(&["eve"]), Ok(()), "a second click");
    assert_eq!(world.accounts().len(), 2, "changes nothing: the others are forgotten");
}

#[test]
fn what_the_network_has_given_is_typed() {
    let world = World::empty();
    let visit = Visit::begin(&world);
    let give = |browser: &Browser, name: &str| {
        refused(done(world.scheduler.give_values(OF, browser, named(name))))
    };
    let error = NetworkError::new(NetworkErrorKind::Permanent, "The token is wrong.");
    world.network.connects_as(|network| {
        network.expect_connect().return_once(|_| Err(error));
    });
    let refusal = give(&visit.with_ticket(), "ana").unwrap_err();
    assert_eq!(refusal.message(), "The token is wrong.");
    world.network.connects_as_usual();
    assert_eq!(outcome(&give(&visit.with_ticket(), &"a".repeat(4_097))), "invalid_request name");
    let cookie = give(&visit.with_ticket(), "ana").expect("the ticket is not used up by mistakes");
    assert_eq!(outcome(&give(&visit.with_ticket(), "ana")), "not_found", "but it is by success");
    *visit.cookie.borrow_mut() = Some(cookie);
    assert_eq!(visit.outcomes().len(), 1);
}

#[test]
fn nothing_is_used_twice() {
    let world = World::empty();
    let visit = Visit::begin(&world);
    let first = visit.authorize(&visit.with_ticket()).unwrap();
    let elsewhere = Browser { cookie: None, ..visit.with_ticket() };
    assert_eq!(outcome(&visit.authorize(&elsewhere)), "not_found", "the ticket");
    let second = visit.authorize(&visit.in_visit()).unwrap();
    assert_eq!(outcome(&visit.come_back(&first, "ana")), "not_found", "an older page");
    visit.come_back(&second, "ana").unwrap();
    assert_eq!(outcome(&visit.come_back(&second, "ana")), "not_found", "the state");
    assert_eq!(outcome(&visit.authorize(&visit.in_visit())), "not_found", "the visit");
    let calls = world.network.take_calls();
    assert_eq!(calls, ["authorize", "authorize", "connect ana"]);
}

#[test]
fn only_the_browser_that_began_comes_back() {
    let world = World::empty();
    let visit = Visit::begin(&world);
    let state = visit.authorize(&visit.with_ticket()).unwrap();
    let other = Visit::begin(&world);
    other.authorize(&other.with_ticket()).unwrap();
    let code = || code_of("ana");
    let (mine, others) = (visit.cookie.borrow().clone(), other.cookie.borrow().clone());
    for (name, cookie, state) in [
        ("no cookie", None, state.as_str()),
        ("the cookie of another visit", others.as_ref(), &state),
        ("the ticket in place of the cookie", Some(&visit.invitation.ticket), &state),
        ("no state", mine.as_ref(), ""),
        ("another state", mine.as_ref(), Pass::from_random([9; 32]).expose()),
    ] {
        let result = visit.come_back_with(cookie, state, code());
        assert_eq!(outcome(&result), "not_found", "{name}");
    }
    let result = done(world.scheduler.come_back(Platform::Tumblr, mine.as_ref(), &state, code()));
    assert_eq!(outcome(&refused(result)), "not_found", "another network");
    assert!(world.accounts().is_empty());
    assert_eq!(visit.come_back(&state, "ana"), Ok(()), "it is still good for the right one");
}

#[test]
fn after_a_refusal_the_same_browser_may_begin_again() {
    let world = World::empty();
    let refuse = |error: &str, description: Option<&str>| Returned::Refused {
        error: error.into(),
        description: description.map(str::to_owned),
    };
    for (name, returned, want) in [
        (
            "the person",
            refuse("access_denied", Some("The user said no")),
            "You have not allowed it at LinkedIn. Nothing was connected.",
        ),
        (
            "the network",
            refuse("invalid_scope", Some("No such\u{7} scope")),
            "LinkedIn has not taken the request (invalid_scope): No such scope",
        ),
        ("without words", refuse("x", None), "LinkedIn has not taken the request (x): x"),
    ] {
        let visit = Visit::begin(&world);
        let state = visit.authorize(&visit.with_ticket()).unwrap();
        let cookie = visit.cookie.borrow().clone();
        let refusal = visit.come_back_with(cookie.as_ref(), &state, returned).unwrap_err();
        assert_eq!(refusal.message(), want, "{name}");
        let again = visit.come_back_with(cookie.as_ref(), &state, refuse("x", None));
        assert_eq!(outcome(&again), "not_found", "{name}: its state is used up");
        assert!(matches!(visit.stage(&visit.in_visit()), Ok(StageView::Begin { .. })), "{name}");
        let state = visit.authorize(&visit.in_visit()).unwrap();
        assert_eq!(visit.come_back(&state, name), Ok(()), "{name}");
    }
}

#[test]
fn a_code_that_the_network_does_not_take_leaves_the_visit_open() {
    let world = World::empty();
    let visit = Visit::begin(&world);
    let state = visit.authorize(&visit.with_ticket()).unwrap();
    let error = NetworkError::new(NetworkErrorKind::Temporary, "It does not answer.");
    world.network.connects_as(|network| {
        network.expect_connect().return_once(|_| Err(error));
    });
    assert_eq!(visit.come_back(&state, "ana").unwrap_err().message(), "It does not answer.");
    world.network.connects_as_usual();
    assert_eq!(outcome(&visit.come_back(&state, "ana")), "not_found", "no code is sent twice");
    let state = visit.authorize(&visit.in_visit()).unwrap();
    assert_eq!(visit.come_back(&state, "ana"), Ok(()));
}

#[test]
fn its_time_ends() {
    let world = World::empty();
    let visit = Visit::begin(&world);
    assert_eq!(visit.invitation.expires_at, world.now() + LIFETIME);
    let state = visit.authorize(&visit.with_ticket()).unwrap();
    world.clock.advance(LIFETIME - TimeDelta::microseconds(1));
    assert!(visit.stage(&visit.in_visit()).is_ok());
    world.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(outcome(&visit.stage(&visit.in_visit())), "not_found");
    assert_eq!(outcome(&visit.come_back(&state, "ana")), "not_found");
    assert_eq!(outcome(&visit.authorize(&visit.with_ticket())), "not_found");
    let id = visit.invitation.id;
    assert!(done(world.store.pending_connection(PendingConnectionOf::Id(id))).unwrap().is_some());
    world.clock.advance(TimeDelta::minutes(15));
    Visit::begin(&world);
    assert!(
        done(world.store.pending_connection(PendingConnectionOf::Id(id))).unwrap().is_none(),
        "it is forgotten"
    );
}

#[test]
fn the_plan_bounds_what_is_picked() {
    let world = World::new();
    done(world.scheduler.set_plan(&world.caller.workspace, Plan::Free)).unwrap();
    let visit = Visit::begin(&world);
    let state = visit.authorize(&visit.with_ticket()).unwrap();
    assert_eq!(outcome(&visit.come_back(&state, "ana")), "channel_limit");
    done(world.scheduler.disconnect_account(&world.account(Platform::Bluesky))).unwrap();
    let state = visit.authorize(&visit.in_visit()).unwrap();
    visit.come_back(&state, "ana+ben").unwrap();
    visit.pick(&["ana", "ben"]).unwrap();
    let outcomes = visit.outcomes();
    assert!(outcomes[0].account_id.is_some() && outcomes[0].problem.is_none());
    assert!(outcomes[1].account_id.is_none());
    assert!(outcomes[1].problem.as_ref().is_some_and(|problem| problem.contains("plan")));
}

#[test]
fn networks_that_are_not_offered() {
    let world = World::with(Settings::default());
    assert_eq!(outcome(&invite(&world, Platform::Twitter)), "unsupported");
    let visit = Visit::begin(&world);
    let error = NetworkError::new(NetworkErrorKind::Permanent, "No client is set.");
    world.network.connects_as(|network| {
        network.expect_authorize().return_once(|_| Err(error));
    });
    let refusal = visit.authorize(&visit.with_ticket()).unwrap_err();
    assert_eq!(refusal.message(), "No client is set.");
    for url in ["javascript:alert(1)", "data:text/html,x", "nowhere", "file:///etc/passwd"] {
        let page = Authorization { url: url.to_owned(), kept: ConnectInput::default() };
        world.network.connects_as(|network| {
            network.expect_authorize().return_once(|_| Ok(page));
        });
        let refusal = visit.authorize(&visit.with_ticket());
        assert_eq!(outcome(&refusal), "account_not_connected", "{url}");
    }
    world.network.connects_as_usual();
    assert!(visit.authorize(&visit.with_ticket()).is_ok(), "the ticket is not used up");
}
