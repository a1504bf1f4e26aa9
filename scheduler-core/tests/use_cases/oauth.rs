//! Programs that people connect by OAuth: what is asked, what is granted, and how it ends.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::TimeDelta;
use scheduler_core::app::{
    Asking, Caller, ClaimedSession, Consent, Credential, Member, NewPasskey, Scheduler, TokenError,
};
use scheduler_core::audit::ActorKind;
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::key::{Preset, Scope, Scopes};
use scheduler_core::oauth::{
    ACCESS_LIFETIME, AuthorizationInput, CODE_LIFETIME, ClientId, GRANT_LIFETIME, GRANTS_MAX,
    OAuth, OAuthError, REFRESH_LIFETIME, RevocationInput, TokenInput,
};
use scheduler_core::ports::{ClientDocuments, DocumentError, GrantStore as _};
use scheduler_core::session::Role;
use serde_json::{Value, json};
use url::Url;

use crate::support::{World, done, refused};

const CLIENT: &str = "https://a.example/client.json";
const BACK: &str = "http://127.0.0.1/back";
const RESOURCE: &str = "https://posts.example/mcp";
/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Documents that are as a test says, and how often they were read.
#[derive(Default)]
struct Documents {
    said: Mutex<BTreeMap<String, Result<Value, DocumentError>>>,
    read: Mutex<usize>,
}

impl Documents {
    fn say(&self, id: &str, document: Result<Value, DocumentError>) {
        self.said.lock().unwrap().insert(id.to_owned(), document);
    }

    fn reads(&self) -> usize {
        *self.read.lock().unwrap()
    }
}

#[async_trait]
impl ClientDocuments for Documents {
    async fn document(&self, id: &ClientId) -> Result<Vec<u8>, DocumentError> {
        *self.read.lock().unwrap() += 1;
        let said = self.said.lock().unwrap().get(id.as_str()).cloned();
        let said = said.unwrap_or_else(|| Err(DocumentError::Refused("there is none".to_owned())));
        said.map(|document| document.to_string().into_bytes())
    }
}

/// A world in which a client describes itself.
struct Connecting {
    world: World,
    scheduler: Scheduler,
    documents: Arc<Documents>,
}

impl Connecting {
    fn new() -> Self {
        let world = World::new();
        let documents = Arc::new(Documents::default());
        let document = json!({
            "client_id": CLIENT, "client_name": "A program", "redirect_uris": [BACK],
        });
        documents.say(CLIENT, Ok(document));
        let server: Url = "https://posts.example".parse().unwrap();
        let oauth = OAuth::at(&server, documents.clone()).unwrap();
        let scheduler = world.scheduler.clone().with_oauth(oauth);
        Self { world, scheduler, documents }
    }

    /// Somebody who has signed in by a link.
    fn session(&self, role: Role) -> ClaimedSession {
        let workspace = self.world.caller.workspace.clone();
        done(self.scheduler.sign_in(workspace, role, None, "a browser")).unwrap()
    }

    fn member(&self, role: Role) -> Member {
        self.member_in(&self.session(role))
    }

    fn member_in(&self, session: &ClaimedSession) -> Member {
        done(self.scheduler.member(Some(session.value.expose()))).unwrap()
    }

    fn consent(&self, member: &Member, input: &AuthorizationInput<'_>) -> Consent {
        match done(self.scheduler.consent(member, input)).unwrap() {
            Asking::Person(consent) => *consent,
            Asking::Client(address) => panic!("nobody is asked: {address}"),
        }
    }

    fn grant(&self, member: &Member, scopes: Scopes) -> Result<String, AppError> {
        done(self.scheduler.grant(member, &asked(), scopes))
    }

    /// The code that a person gives for these scopes.
    fn code(&self, member: &Member, scopes: Scopes) -> String {
        query(&self.grant(member, scopes).unwrap())["code"].clone()
    }

    fn exchange(&self, input: &TokenInput<'_>) -> Result<Tokens, OAuthError> {
        match done(self.scheduler.exchange_token(input)) {
            Ok(tokens) => Ok(Tokens(serde_json::to_value(&tokens).unwrap())),
            Err(TokenError::Refused(refusal)) => Err(refusal.error),
            Err(TokenError::App(error)) => panic!("{error}"),
        }
    }

    /// The first tokens of what a person grants.
    fn connected(&self, member: &Member, scopes: Scopes) -> Tokens {
        self.exchange(&with_code(&self.code(member, scopes))).unwrap()
    }

    fn caller(&self, tokens: &Tokens) -> Result<Caller, ErrorCode> {
        refused(done(self.scheduler.authenticate_grant(tokens.access())))
            .map_err(|refusal| refusal.code)
    }
}

/// What a client has got.
struct Tokens(Value);

impl Tokens {
    fn access(&self) -> &str {
        self.0["access_token"].as_str().unwrap()
    }

    fn refresh(&self) -> &str {
        self.0["refresh_token"].as_str().unwrap()
    }
}

fn asked() -> AuthorizationInput<'static> {
    AuthorizationInput {
        response_type: Some("code"),
        client_id: Some(CLIENT),
        redirect_uri: Some("http://127.0.0.1:49152/back"),
        state: Some("its state"),
        code_challenge: Some(CHALLENGE),
        code_challenge_method: Some("S256"),
        scope: None,
        resource: Some(RESOURCE),
    }
}

fn with_code(code: &str) -> TokenInput<'_> {
    TokenInput {
        grant_type: Some("authorization_code"),
        code: Some(code),
        redirect_uri: Some("http://127.0.0.1:49152/back"),
        client_id: Some(CLIENT),
        code_verifier: Some(VERIFIER),
        resource: Some(RESOURCE),
        ..TokenInput::default()
    }
}

fn with_refresh(token: &str) -> TokenInput<'_> {
    TokenInput {
        grant_type: Some("refresh_token"),
        refresh_token: Some(token),
        client_id: Some(CLIENT),
        ..TokenInput::default()
    }
}

fn query(address: &str) -> BTreeMap<String, String> {
    address.parse::<Url>().unwrap().query_pairs().into_owned().collect()
}

fn code_of<T>(result: Result<T, AppError>) -> Option<ErrorCode> {
    refused(result).err().map(|refusal| refusal.code)
}

#[test]
fn what_is_offered_is_of_the_role_and_what_is_ticked_of_an_agent() {
    use Scope::{MediaRead, MediaWrite, PostsPublish, PostsRead, PostsWrite};
    let here = Connecting::new();
    let everything = "posts:read posts:write posts:publish media:read media:write webhooks:write *";
    for (role, scope, offered, ticked) in [
        (Role::Reader, None, &[PostsRead, MediaRead][..], &[PostsRead, MediaRead][..]),
        (
            Role::Drafter,
            Some(everything),
            &[PostsRead, PostsWrite, MediaRead, MediaWrite],
            &[PostsRead, PostsWrite, MediaRead, MediaWrite],
        ),
        (
            Role::Editor,
            Some(everything),
            &[PostsRead, PostsWrite, PostsPublish, MediaRead, MediaWrite],
            &[PostsRead, PostsWrite, MediaRead, MediaWrite],
        ),
        (
            Role::Owner,
            Some("posts:read posts:publish"),
            &[PostsRead, PostsWrite, PostsPublish, MediaRead, MediaWrite],
            &[PostsRead],
        ),
    ] {
        let member = here.member(role);
        let consent = here.consent(&member, &AuthorizationInput { scope, ..asked() });
        let found: Vec<Scope> = consent.offered.iter().map(|(scope, _)| *scope).collect();
        assert_eq!(found, offered, "{role}");
        let found = consent.offered.iter().filter(|(_, is_ticked)| *is_ticked);
        assert_eq!(found.map(|(scope, _)| *scope).collect::<Vec<_>>(), ticked, "{role}");
        let more = here.grant(&member, Scopes::of(&Scope::ALL));
        assert_eq!(code_of(more), Some(ErrorCode::Forbidden), "{role}");
        let nothing = here.grant(&member, Scopes::default());
        assert_eq!(code_of(nothing), Some(ErrorCode::InvalidRequest), "{role}");
    }
    assert_eq!(here.documents.reads(), 1, "it is known for an hour");
    let workspace = here.world.caller.workspace.id;
    assert_eq!(done(here.world.store.grants(workspace)).unwrap(), [], "nor without tokens");
}

#[test]
fn clients_that_do_not_say_who_they_are_get_nobody() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    let other = "https://b.example/client.json";
    here.documents.say(other, Ok(json!({"client_id": CLIENT, "redirect_uris": [BACK]})));
    let away = "https://c.example/client.json";
    here.documents.say(away, Err(DocumentError::Unavailable("it does not answer".to_owned())));
    for (name, input, code, field) in [
        (
            "no id",
            AuthorizationInput { client_id: None, ..asked() },
            ErrorCode::InvalidRequest,
            Some("client_id"),
        ),
        (
            "a word",
            AuthorizationInput { client_id: Some("claude"), ..asked() },
            ErrorCode::InvalidRequest,
            Some("client_id"),
        ),
        (
            "no document",
            AuthorizationInput { client_id: Some("https://d.example/c"), ..asked() },
            ErrorCode::InvalidRequest,
            Some("client_id"),
        ),
        (
            "the document of another",
            AuthorizationInput { client_id: Some(other), ..asked() },
            ErrorCode::InvalidRequest,
            Some("client_id"),
        ),
        (
            "a silent server",
            AuthorizationInput { client_id: Some(away), ..asked() },
            ErrorCode::Unavailable,
            None,
        ),
        (
            "another address to go back to",
            AuthorizationInput { redirect_uri: Some("https://b.example/"), ..asked() },
            ErrorCode::InvalidRequest,
            Some("redirect_uri"),
        ),
    ] {
        let refusal = refused(done(here.scheduler.consent(&member, &input))).unwrap_err();
        assert_eq!((refusal.code, refusal.field.as_deref()), (code, field), "{name}");
        let granted = here.scheduler.grant(&member, &input, Preset::Agent.scopes());
        assert_eq!(code_of(done(granted)), Some(code), "{name}");
    }
    let input = AuthorizationInput { code_challenge_method: Some("plain"), ..asked() };
    let Asking::Client(address) = done(here.scheduler.consent(&member, &input)).unwrap() else {
        panic!("the person is asked")
    };
    assert_eq!(query(&address)["error"], "invalid_request");
    let without = done(here.world.scheduler.consent(&member, &asked()));
    assert_eq!(code_of(without), Some(ErrorCode::Unsupported), "where it is not offered");
}

#[test]
fn a_token_opens_what_was_granted_for_as_long_as_it_lasts() {
    let here = Connecting::new();
    let scopes = Scopes::of(&[Scope::PostsRead, Scope::PostsPublish]);
    let tokens = here.connected(&here.member(Role::Editor), scopes);
    assert_eq!(
        (&tokens.0["token_type"], &tokens.0["expires_in"]),
        (&json!("Bearer"), &json!(3600))
    );
    assert_eq!(tokens.0["scope"], "posts:read posts:publish");
    let caller = here.caller(&tokens).unwrap();
    assert_eq!(caller.scopes, scopes);
    assert!(matches!(caller.by, Credential::Grant(_)));
    assert_eq!(caller.author().kind, ActorKind::Grant);
    let as_key = here.scheduler.authenticate(Some(tokens.access()));
    assert_eq!(code_of(done(as_key)), Some(ErrorCode::Unauthorized), "it is no key");
    let as_session = here.scheduler.member(Some(tokens.access()));
    assert_eq!(code_of(done(as_session)), Some(ErrorCode::Unauthorized), "and no session");
    let refresh = here.scheduler.authenticate_grant(tokens.refresh());
    assert_eq!(code_of(done(refresh)), Some(ErrorCode::Unauthorized), "of its own kind alone");
    // The same database under another address is another audience.
    let server: Url = "https://other.example".parse().unwrap();
    let elsewhere = OAuth::at(&server, here.documents.clone()).unwrap();
    let elsewhere = here.scheduler.clone().with_oauth(elsewhere);
    let there = elsewhere.authenticate_grant(tokens.access());
    assert_eq!(code_of(done(there)), Some(ErrorCode::Unauthorized), "for another address");

    here.world.clock.advance(ACCESS_LIFETIME - TimeDelta::seconds(1));
    assert!(here.caller(&tokens).is_ok(), "in its last second");
    here.world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(here.caller(&tokens), Err(ErrorCode::Unauthorized), "its hour is over");
}

#[test]
fn a_code_used_twice_ends_what_came_of_it() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    let code = here.code(&member, Preset::Agent.scopes());
    assert_eq!(done(here.scheduler.grants(&member)).unwrap(), [], "not before it is exchanged");
    let tokens = here.exchange(&with_code(&code)).unwrap();
    assert_eq!(done(here.scheduler.grants(&member)).unwrap().len(), 1);
    assert_eq!(here.exchange(&with_code(&code)).err(), Some(OAuthError::InvalidGrant));
    assert_eq!(here.caller(&tokens), Err(ErrorCode::Unauthorized));
    let again = here.exchange(&with_refresh(tokens.refresh()));
    assert_eq!(again.err(), Some(OAuthError::InvalidGrant));
    assert_eq!(done(here.scheduler.grants(&member)).unwrap(), []);

    let late = here.code(&member, Preset::Agent.scopes());
    here.world.clock.advance(CODE_LIFETIME);
    assert_eq!(here.exchange(&with_code(&late)).err(), Some(OAuthError::InvalidGrant), "late");
}

#[test]
fn a_refresh_token_used_twice_ends_its_family_and_no_other() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    let other = here.connected(&member, Preset::Agent.scopes());
    let first = here.connected(&member, Preset::Agent.scopes());
    let second = here.exchange(&with_refresh(first.refresh())).unwrap();
    let third = here.exchange(&with_refresh(second.refresh())).unwrap();
    for tokens in [&first, &second] {
        assert_eq!(here.caller(tokens), Err(ErrorCode::Unauthorized), "the next took its place");
    }
    for tokens in [&third, &other] {
        assert!(here.caller(tokens).is_ok(), "until their hours are over");
    }
    assert_eq!(here.exchange(&with_refresh(first.refresh())).err(), Some(OAuthError::InvalidGrant));
    for tokens in [&first, &second, &third] {
        assert_eq!(here.caller(tokens), Err(ErrorCode::Unauthorized));
    }
    let again = here.exchange(&with_refresh(third.refresh()));
    assert_eq!(again.err(), Some(OAuthError::InvalidGrant));
    assert!(here.caller(&other).is_ok());
}

#[test]
fn a_token_that_is_given_back_ends_what_it_came_of_and_nothing_else() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    let other = here.connected(&member, Preset::Agent.scopes());
    let revoke_by = |token: Option<&str>, client_ids: &[&str]| match done(
        here.scheduler.revoke_token(&RevocationInput { token, client_ids }),
    ) {
        Ok(()) => None,
        Err(TokenError::Refused(refusal)) => Some(refusal.error),
        Err(TokenError::App(error)) => panic!("{error}"),
    };
    let revoke = |token: Option<&str>, client: Option<&str>| revoke_by(token, client.as_slice());
    type Shown = fn(&Tokens, &Tokens) -> String;
    for (name, shown) in [
        ("the access token", (|_, last| last.access().to_owned()) as Shown),
        ("the refresh token", |_, last| last.refresh().to_owned()),
        ("one that was used", |first, _| first.refresh().to_owned()),
    ] {
        for client in [Some(CLIENT), None, Some("")] {
            let first = here.connected(&member, Preset::Agent.scopes());
            let last = here.exchange(&with_refresh(first.refresh())).unwrap();
            let shown = shown(&first, &last);
            let by_another = revoke(Some(&shown), Some("https://b.example/client.json"));
            assert_eq!(by_another, Some(OAuthError::InvalidGrant), "{name}");
            for twice in [[CLIENT, CLIENT], [CLIENT, ""], ["", ""]] {
                let refused = revoke_by(Some(&shown), &twice);
                assert_eq!(refused, Some(OAuthError::InvalidRequest), "{name}, {twice:?}");
            }
            assert!(here.caller(&last).is_ok(), "{name}, of another client");
            for _ in 0..2 {
                assert_eq!(revoke(Some(&shown), client), None, "{name}, also a second time");
            }
            for tokens in [&first, &last] {
                assert_eq!(here.caller(tokens), Err(ErrorCode::Unauthorized), "{name}");
            }
            let again = here.exchange(&with_refresh(last.refresh()));
            assert_eq!(again.err(), Some(OAuthError::InvalidGrant), "{name}");
        }
    }
    let code = here.code(&member, Preset::Agent.scopes());
    let strange = [other.access().replace("oat_", "ort_"), code.clone(), "a word".to_owned()];
    for token in &strange {
        assert_eq!(revoke(Some(token), None), None, "what is not known needs no ending");
    }
    for token in [None, Some("")] {
        assert_eq!(revoke(token, Some(CLIENT)), Some(OAuthError::InvalidRequest));
    }
    assert!(here.exchange(&with_code(&code)).is_ok() && here.caller(&other).is_ok());
    here.world.clock.advance(ACCESS_LIFETIME);
    assert_eq!(revoke(Some(other.access()), None), None);
    assert!(here.exchange(&with_refresh(other.refresh())).is_ok(), "an expired one ends nothing");
}

#[test]
fn what_has_expired_is_removed_with_what_else_has_ended() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    let mut kept = here.connected(&member, Preset::Agent.scopes());
    for _ in 0..8 {
        here.connected(&member, Preset::Agent.scopes());
    }
    here.world.clock.advance(REFRESH_LIFETIME - TimeDelta::seconds(1));
    kept = here.exchange(&with_refresh(kept.refresh())).unwrap();
    let removed = || done(here.scheduler.remove_history()).unwrap().grants;
    assert_eq!(removed(), 0);
    here.world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(removed(), 8);
    assert!(here.caller(&kept).is_ok());
}

#[test]
fn a_program_that_is_used_stays_for_ninety_days_and_an_idle_one_for_thirty() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    let idle = here.connected(&member, Preset::Agent.scopes());
    let mut tokens = here.connected(&member, Preset::Agent.scopes());
    let step = TimeDelta::days(10);
    for day in (10..90).step_by(10) {
        here.world.clock.advance(step);
        tokens = here.exchange(&with_refresh(tokens.refresh())).unwrap();
        assert!(here.caller(&tokens).is_ok(), "day {day}");
    }
    assert!(step * 8 > REFRESH_LIFETIME && step * 9 >= GRANT_LIFETIME);
    let of_idle = here.exchange(&with_refresh(idle.refresh()));
    assert_eq!(of_idle.err(), Some(OAuthError::InvalidGrant));
    here.world.clock.advance(step);
    let over = here.exchange(&with_refresh(tokens.refresh()));
    assert_eq!(over.err(), Some(OAuthError::InvalidGrant), "day 90");
}

#[test]
fn everybody_sees_and_removes_their_own_and_an_owner_all() {
    let here = Connecting::new();
    let (mine, other) = (here.member(Role::Editor), here.member(Role::Editor));
    let owner = here.member(Role::Owner);
    let tokens = here.connected(&mine, Preset::Agent.scopes());
    let seen = |member: &Member| done(here.scheduler.grants(member)).unwrap();
    assert_eq!([seen(&mine).len(), seen(&other).len(), seen(&owner).len()], [1, 0, 1]);
    let id = seen(&mine)[0].id;
    let by_other = here.scheduler.remove_grant(&other, id);
    assert_eq!(code_of(done(by_other)), Some(ErrorCode::NotFound));
    assert!(here.caller(&tokens).is_ok());
    done(here.scheduler.remove_grant(&mine, id)).unwrap();
    assert_eq!(here.caller(&tokens), Err(ErrorCode::Unauthorized));
    let again = here.scheduler.remove_grant(&owner, id);
    assert_eq!(code_of(done(again)), Some(ErrorCode::NotFound));
    let tokens = here.connected(&mine, Preset::Agent.scopes());
    let id = seen(&owner)[0].id;
    done(here.scheduler.remove_grant(&owner, id)).unwrap();
    assert_eq!(here.caller(&tokens), Err(ErrorCode::Unauthorized));
}

#[test]
fn a_person_takes_their_programs_along() {
    let here = Connecting::new();
    let session = here.session(Role::Editor);
    // Before the session names her, and after.
    let before = here.connected(&here.member_in(&session), Preset::Agent.scopes());
    let new = NewPasskey {
        role: Role::Editor,
        made_in: "a browser".to_owned(),
        credential: vec![1; 32],
        public: vec![1],
        state: vec![0; 7],
    };
    let passkey = done(here.scheduler.add_passkey(&here.member_in(&session), "Ana", new)).unwrap();
    let ana = here.member_in(&session);
    let after = here.connected(&ana, Preset::Agent.scopes());
    let of_other = here.connected(&here.member(Role::Editor), Preset::Agent.scopes());
    assert_eq!(here.caller(&before).unwrap().person.as_ref(), ana.person(), "named since");
    assert_eq!(here.caller(&after).unwrap().person.as_ref(), ana.person(), "whose it is");
    assert_eq!(done(here.scheduler.grants(&ana)).unwrap().len(), 2, "both are hers");
    let owner = here.member(Role::Owner);
    done(here.scheduler.remove_passkey(&owner, passkey.id)).unwrap();
    for tokens in [&before, &after] {
        assert_eq!(here.caller(tokens), Err(ErrorCode::Unauthorized));
    }
    assert!(here.caller(&of_other).is_ok());
}

#[test]
fn a_session_without_a_person_takes_its_programs_along() {
    let here = Connecting::new();
    let workspace = here.world.caller.workspace.id;
    let (mine, other) = (here.member(Role::Editor), here.member(Role::Editor));
    let tokens = here.connected(&mine, Preset::Agent.scopes());
    let of_other = here.connected(&other, Preset::Agent.scopes());
    let session = mine.session.as_ref().unwrap().id;
    done(here.scheduler.end_session(workspace, session)).unwrap();
    assert_eq!(here.caller(&tokens), Err(ErrorCode::Unauthorized));
    let again = here.exchange(&with_refresh(tokens.refresh()));
    assert_eq!(again.err(), Some(OAuthError::InvalidGrant));
    assert!(here.caller(&of_other).is_ok());
}

#[test]
fn a_workspace_has_a_number_of_them() {
    let here = Connecting::new();
    let member = here.member(Role::Editor);
    for _ in 0..GRANTS_MAX {
        here.connected(&member, Preset::Agent.scopes());
    }
    let more = here.grant(&member, Preset::Agent.scopes());
    assert_eq!(code_of(more), Some(ErrorCode::Unavailable));
}
