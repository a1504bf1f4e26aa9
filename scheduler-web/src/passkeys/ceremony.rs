//! What a passkey is asked, and what its answer is worth, by the rules of WebAuthn.
//!
//! Only the person themself may answer: each answer is one of a verified user, made for this
//! server's name and on a page of its own address. Nothing is asked of who has built the
//! authenticator.

use serde_json::{Value, json};
use url::{Host, Url};
use webauthn_rp::bin::{Decode as _, Encode as _};
use webauthn_rp::request::ExtensionInfo;
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{CredProtect, RegistrationVerificationOptions, UserHandle};
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::register::{DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions, Registration,
    RegistrationServerState,
};

/// Bytes of what an authenticator knows a person of a workspace by: the ids of both.
pub(super) const HANDLE: usize = 32;

/// Why an answer counts for nothing; a browser that is in order sends no such.
#[derive(Debug)]
pub(super) struct Unusable;

/// What is asked: for the browser, and what is kept until it answers.
pub(super) struct Asked {
    pub(super) options: Value,
    pub(super) state: Vec<u8>,
}

/// What an authenticator has made.
pub(super) struct Made {
    pub(super) credential: Vec<u8>,
    pub(super) public: Vec<u8>,
    pub(super) state: Vec<u8>,
}

/// What is known of a passkey that answers.
pub(super) struct Known<'a> {
    pub(super) handle: [u8; HANDLE],
    pub(super) credential: &'a [u8],
    pub(super) public: &'a [u8],
    pub(super) state: &'a [u8],
}

/// An answer of a passkey that signs in, read and not verified yet.
pub(super) struct Answer(DiscoverableAuthentication<HANDLE>);

impl Answer {
    pub(super) fn read(json: &str) -> Result<Self, Unusable> {
        let read = DiscoverableAuthentication::from_json_relaxed(json.as_bytes());
        read.map(Self).map_err(|_| Unusable)
    }

    /// The credential that it says it is of.
    pub(super) fn credential(&self) -> &[u8] {
        self.0.raw_id().into_inner()
    }
}

/// The server as passkeys know it.
pub(super) struct Party {
    id: RpId,
    origin: String,
}

impl Party {
    /// The server at this address; `None` where browsers make no passkeys: at a number in place of
    /// a name, and without encryption but on the machine itself.
    pub(super) fn of(server: &Url) -> Option<Self> {
        let Some(Host::Domain(name)) = server.host() else { return None };
        let is_here = name == "localhost" || name.ends_with(".localhost");
        if server.scheme() != "https" && !is_here {
            return None;
        }
        let id = RpId::Domain(AsciiDomain::try_from(name.to_owned()).ok()?);
        Some(Self { id, origin: server.origin().ascii_serialization() })
    }

    /// Asks for a new passkey of a person.
    pub(super) fn ask_to_make(
        &self,
        handle: [u8; HANDLE],
        (name, shown): (&str, &str),
        known: &[Vec<u8>],
    ) -> Result<Asked, Unusable> {
        let Ok(handle) = UserHandle::<HANDLE>::decode(handle);
        let known = known.iter().filter_map(|id| {
            let id = CredentialId::decode(id.clone()).ok()?;
            let transports = AuthTransports::decode(0).ok()?;
            Some(PublicKeyCredentialDescriptor { id, transports })
        });
        let known = known.collect();
        let mut options =
            PublicKeyCredentialCreationOptions::passkey(&self.id, (&handle).into(), known);
        // Enforced, browsers refuse every device that does not know this protection. Each answer
        // has to be verified anyway.
        options.extensions.cred_protect =
            CredProtect::UserVerificationRequired(ExtensionInfo::AllowDontEnforceValue);
        let (state, options) = options.start_ceremony().map_err(|_| Unusable)?;
        let mut options = serde_json::to_value(&options).map_err(|_| Unusable)?;
        // Names of people have letters that the profile of the library does not take.
        options["user"]["name"] = json!(name);
        options["user"]["displayName"] = json!(shown);
        Ok(Asked { options, state: state.encode().map_err(|_| Unusable)? })
    }

    /// Verifies that a passkey was made as it was asked for.
    pub(super) fn made(&self, asked: &[u8], answer: &str) -> Result<Made, Unusable> {
        let asked = RegistrationServerState::<HANDLE>::decode(asked).map_err(|_| Unusable)?;
        let answer = Registration::from_json_relaxed(answer.as_bytes()).map_err(|_| Unusable)?;
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &[&self.origin],
            error_on_unsolicited_extensions: false,
            ..RegistrationVerificationOptions::default()
        };
        let made = asked.verify(&self.id, &answer, &options).map_err(|_| Unusable)?;
        let (Ok(public), Ok(state)) = (made.static_state().encode(), made.dynamic_state().encode());
        let credential = made.id().as_ref().to_vec();
        Ok(Made { credential, public, state: state.to_vec() })
    }

    /// Asks for any passkey of this server.
    pub(super) fn ask_to_sign(&self) -> Result<Asked, Unusable> {
        let options = DiscoverableCredentialRequestOptions::passkey(&self.id);
        let (state, options) = options.start_ceremony().map_err(|_| Unusable)?;
        let options = serde_json::to_value(&options).map_err(|_| Unusable)?;
        Ok(Asked { options, state: state.encode().map_err(|_| Unusable)? })
    }

    /// Verifies an answer by what is known of its passkey; gives the state that it has now. The
    /// count of a passkey that counts has to have grown.
    pub(super) fn signed(
        &self,
        asked: &[u8],
        Answer(answer): &Answer,
        known: &Known<'_>,
    ) -> Result<Vec<u8>, Unusable> {
        let asked = DiscoverableAuthenticationServerState::decode(asked).map_err(|_| Unusable)?;
        let Ok(handle) = UserHandle::<HANDLE>::decode(known.handle);
        let id = CredentialId::<&[u8]>::decode(known.credential).map_err(|_| Unusable)?;
        let public = StaticState::decode(known.public).map_err(|_| Unusable)?;
        let state = known.state.try_into().map_err(|_| Unusable)?;
        let state = DynamicState::decode(state).map_err(|_| Unusable)?;
        let credential = AuthenticatedCredential::new(id, &handle, public, state);
        let mut credential = credential.map_err(|_| Unusable)?;
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &[&self.origin],
            error_on_unsolicited_extensions: false,
            ..AuthenticationVerificationOptions::default()
        };
        let verified = asked.verify(&self.id, answer, &mut credential, &options);
        verified.map_err(|_| Unusable)?;
        let Ok(state) = credential.dynamic_state().encode();
        Ok(state.to_vec())
    }
}

#[cfg(test)]
#[path = "ceremony_tests.rs"]
mod tests;
