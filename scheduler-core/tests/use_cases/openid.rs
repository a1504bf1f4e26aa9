//! People who come from an OpenID provider.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::{ClaimedSession, NewWorkspace, ProviderAnswer, Scheduler};
use scheduler_core::error::{AppError, OpenIdRefusal, RefusalKind};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::openid::{AllowList, Allowed, Attempt, Identity, OpenId, Who};
use scheduler_core::plan::Plan;
use scheduler_core::ports::{IdentityError, IdentityProvider, Returning};
use scheduler_core::session::Role;

use crate::support::{World, done};

const BACK: &str = "https://s.example/signin/openid/callback";

/// Says of everybody the same.
struct Provider(Mutex<Result<Identity, IdentityError>>);

#[async_trait]
impl IdentityProvider for Provider {
    async fn sign_in_at(
        &self,
        attempt: &Attempt,
        redirect_uri: &str,
        _: DateTime<Utc>,
    ) -> Result<String, IdentityError> {
        assert_eq!(redirect_uri, BACK);
        Ok(format!("https://a.example/auth?state={}", attempt.state()))
    }

    async fn identify(
        &self,
        returning: Returning<'_>,
        _: DateTime<Utc>,
    ) -> Result<Identity, IdentityError> {
        assert_eq!((returning.code, returning.redirect_uri), ("code", BACK));
        self.0.lock().unwrap().clone()
    }

    fn issuer(&self) -> &str {
        "https://a.example"
    }
}

fn ada() -> Identity {
    Identity {
        subject: "7".to_owned(),
        email: Some("ada@a.example".to_owned()),
        is_email_verified: true,
        name: Some("Ada Byron".to_owned()),
        username: None,
    }
}

/// A world whose provider lets Ada in, and says what is told to it.
fn world(workspaces: &[&str]) -> (World, Scheduler, Arc<Provider>) {
    let world = World::empty();
    let provider = Arc::new(Provider(Mutex::new(Ok(ada()))));
    let allow = AllowList(vec![Allowed {
        who: Who::email("ada@a.example").unwrap(),
        name: None,
        role: Role::Editor,
        workspaces: workspaces.iter().map(|name| (*name).to_owned()).collect(),
    }]);
    let openid = OpenId::new("House".to_owned(), allow, provider.clone());
    let scheduler = world.scheduler.clone().with_openid(openid);
    (world, scheduler, provider)
}

/// Begins a sign-in, and comes back with what is made of its state.
fn back(
    scheduler: &Scheduler,
    answer: impl for<'a> Fn(&'a str) -> ProviderAnswer<'a>,
) -> (Attempt, Result<ClaimedSession, AppError>) {
    let begun = done(scheduler.begin_openid(BACK)).unwrap();
    let state = begun.attempt.state();
    assert!(begun.address.ends_with(&state));
    let result = finish(scheduler, Some(&begun.attempt.cookie()), answer(&state));
    (begun.attempt, result)
}

fn finish(
    scheduler: &Scheduler,
    attempt: Option<&str>,
    answer: ProviderAnswer<'_>,
) -> Result<ClaimedSession, AppError> {
    let signing_in = scheduler.sign_in_by_openid(attempt, answer, BACK, "a browser", 8, |_| false);
    done(signing_in).map(|signed_in| signed_in.first)
}

fn with_code(state: &str) -> ProviderAnswer<'_> {
    ProviderAnswer { state: Some(state), code: Some("code"), ..ProviderAnswer::default() }
}

fn refusal(result: Result<ClaimedSession, AppError>) -> Option<OpenIdRefusal> {
    match result {
        Ok(_) => None,
        Err(AppError::Refused(refusal)) => match refusal.kind {
            RefusalKind::OpenId(refusal) => Some(refusal),
            other => panic!("{other:?}"),
        },
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn somebody_of_the_list_has_a_session_that_names_them() {
    let (world, scheduler, provider) = world(&[]);
    assert_eq!(scheduler.openid_name(), Some("House"));
    let (_, first) = back(&scheduler, with_code);
    let first = first.unwrap();
    assert_eq!(first.workspace, world.caller.workspace);
    let person = first.session.person.clone().unwrap();
    assert_eq!((first.session.role, person.name.as_str()), (Role::Editor, "Ada Byron"));
    let member = done(scheduler.visitor(Some(first.value.expose()))).unwrap();
    assert_eq!(member.session, Some(first.session));
    // They stay who they are, whatever they are called.
    *provider.0.lock().unwrap() = Ok(Identity { name: Some("Ada King".to_owned()), ..ada() });
    let (_, second) = back(&scheduler, with_code);
    let second = second.unwrap().session.person.unwrap();
    assert_eq!((second.id, second.name.as_str()), (person.id, "Ada King"));
}

#[test]
fn nobody_else_is_let_in_and_nothing_is_stored_of_them() {
    use OpenIdRefusal as R;
    let house = || "House".to_owned();
    let unavailable = || Err(IdentityError::Unavailable("it is gone".to_owned()));
    let untrusted = || Err(IdentityError::Untrusted("another key".to_owned()));
    let refused = || Err(IdentityError::Refused("invalid_grant".to_owned()));
    let eve = Identity { email: Some("eve@a.example".to_owned()), ..ada() };
    let unsure = Identity { is_email_verified: false, ..ada() };
    let nameless = Identity { subject: "9".to_owned(), ..Identity::default() };
    type Answer = for<'a> fn(&'a str) -> ProviderAnswer<'a>;
    let said: Answer = with_code;
    let table: Vec<(&str, Result<Identity, IdentityError>, Answer, OpenIdRefusal)> = vec![
        ("not on the list", Ok(eve), said, R::NotLetIn("eve@a.example".to_owned())),
        ("without an address", Ok(nameless), said, R::NotLetIn("The subject “9”".to_owned())),
        (
            "an address that nobody has confirmed",
            Ok(unsure),
            said,
            R::EmailUnverified {
                person: "ada@a.example".to_owned(),
                subject: "7".to_owned(),
                provider: house(),
            },
        ),
        ("gone", unavailable(), said, R::Unavailable(house())),
        ("another key", untrusted(), said, R::Untrusted(house())),
        (
            "a code that was used",
            refused(),
            said,
            R::Refused { provider: house(), said: "invalid_grant".to_owned() },
        ),
        (
            "denied",
            Ok(ada()),
            |state| ProviderAnswer { error: Some("access_denied"), ..with_code(state) },
            R::Denied(house()),
        ),
        (
            "another error",
            Ok(ada()),
            |state| ProviderAnswer { error: Some("server\n_error"), ..with_code(state) },
            R::Refused { provider: house(), said: "server_error".to_owned() },
        ),
        (
            "no code",
            Ok(ada()),
            |state| ProviderAnswer { code: None, ..with_code(state) },
            R::Untrusted(house()),
        ),
        (
            "another issuer",
            Ok(ada()),
            |state| ProviderAnswer { issuer: Some("https://b.example"), ..with_code(state) },
            R::Untrusted(house()),
        ),
        ("another state", Ok(ada()), |_| with_code("another"), R::NotBegun),
        (
            "no state",
            Ok(ada()),
            |state| ProviderAnswer { state: None, ..with_code(state) },
            R::NotBegun,
        ),
    ];
    for (name, identity, answer, want) in table {
        let (world, scheduler, provider) = world(&[]);
        *provider.0.lock().unwrap() = identity;
        let (_, result) = back(&scheduler, answer);
        assert_eq!(refusal(result), Some(want), "{name}");
        assert_eq!(done(scheduler.sessions(world.caller.workspace.id)).unwrap(), [], "{name}");
    }
}

#[test]
fn a_sign_in_is_finished_once_in_its_browser_and_in_time() {
    let (world, scheduler, _) = world(&[]);
    let (attempt, first) = back(&scheduler, with_code);
    assert!(first.is_ok());
    let (cookie, state) = (attempt.cookie(), attempt.state());
    let again = finish(&scheduler, Some(&cookie), with_code(&state));
    assert_eq!(refusal(again), Some(OpenIdRefusal::NotBegun), "once");

    let begun = done(scheduler.begin_openid(BACK)).unwrap().attempt;
    let (cookie, state) = (begun.cookie(), begun.state());
    for (name, shown) in
        [("no cookie", None), ("no attempt", Some("x.1")), ("another's", Some(&*attempt.cookie()))]
    {
        let found = finish(&scheduler, shown, with_code(&state));
        assert_eq!(refusal(found), Some(OpenIdRefusal::NotBegun), "{name}");
    }
    world.clock.advance(TimeDelta::minutes(10));
    let late = finish(&scheduler, Some(&cookie), with_code(&state));
    assert_eq!(refusal(late), Some(OpenIdRefusal::Expired("House".to_owned())));

    // One that a provider has denied is over as well.
    let (denied, result) = back(&scheduler, |state| ProviderAnswer {
        error: Some("access_denied"),
        ..with_code(state)
    });
    assert!(result.is_err());
    let again = finish(&scheduler, Some(&denied.cookie()), with_code(&denied.state()));
    assert_eq!(refusal(again), Some(OpenIdRefusal::NotBegun));
}

#[test]
fn all_of_their_workspaces_open_and_the_wanted_one_first() {
    let (world, scheduler, _) = world(&["*"]);
    let other = NewWorkspace { name: "wool".to_owned(), plan: Plan::Studio };
    let other = done(scheduler.create_workspace(&other)).unwrap();
    let first = world.caller.workspace.id;
    for (name, wanted, most, want) in [
        ("none", None, 8, vec![first, other.id]),
        ("the second", Some(other.id), 8, vec![other.id, first]),
        ("the first", Some(first), 8, vec![first, other.id]),
        ("one alone", Some(other.id), 1, vec![other.id]),
    ] {
        let begun = done(scheduler.begin_openid(BACK)).unwrap().attempt;
        let (cookie, state) = (begun.cookie(), begun.state());
        let signing_in = scheduler.sign_in_by_openid(
            Some(&cookie),
            with_code(&state),
            BACK,
            "a browser",
            most,
            move |workspace| Some(workspace.id) == wanted,
        );
        let signed_in = done(signing_in).unwrap();
        let all = [vec![signed_in.first], signed_in.others].concat();
        let found: Vec<WorkspaceId> = all.iter().map(|session| session.workspace.id).collect();
        assert_eq!(found, want, "{name}");
        assert!(
            all.iter().all(|session| session.session.person == all[0].session.person),
            "{name}"
        );
    }
    let (_, scheduler, _) = crate::openid::world(&["gone"]);
    let (_, lost) = back(&scheduler, with_code);
    let want = OpenIdRefusal::NoWorkspace("ada@a.example".to_owned());
    assert_eq!(refusal(lost), Some(want));
}

#[test]
fn without_a_provider_nobody_comes_from_one() {
    let world = World::empty();
    assert_eq!(world.scheduler.openid_name(), None);
    let begun = done(world.scheduler.begin_openid(BACK)).map(drop).unwrap_err();
    assert!(begun.to_string().contains("Sign in with a link or a key"), "{begun}");
    let found = finish(&world.scheduler, Some("x.1"), with_code("state"));
    assert_eq!(refusal(found), Some(OpenIdRefusal::NotOffered));
}
