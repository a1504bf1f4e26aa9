//! Instagram, business and creator accounts.
//!
//! An account is connected by Instagram's own login, or through a Facebook Page. Everything is
//! published in three moves: containers, which nobody sees; a wait; and one call that makes the
//! last container visible. A container can be published once, and tells whether it was: that is
//! what keeps a post from going out twice.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/>.

mod after;
mod caller;
mod comments;
mod connect;
mod connect_page;
mod containers;
mod errors;
mod extras;
mod figures;
mod follow;
mod hosts;
mod locate;
mod progress;
mod publish;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, Step,
};

use crate::conversation::{Answer, ApiVersion, Job, Protocol, Turn, TurnResult};
use crate::graph::graph_version;
use crate::settings::{Client, NetworkSettings};
use caller::Caller;
use connect::Apps;
use hosts::Hosts;
use progress::Progress;
use wire::Tokens;

/// The conversations of Instagram.
#[derive(Clone, Debug)]
pub struct Instagram {
    hosts: Hosts,
    apps: Apps,
}

impl Instagram {
    /// Conversations with what an operator has chosen. Instagram's own login has an application
    /// id of its own; `page_client` is the Meta application through whose pages accounts are
    /// connected, and the settings' own where there is none.
    #[must_use]
    pub fn new(settings: NetworkSettings, page_client: Option<Client>) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        let via_page = page_client.or_else(|| client.clone());
        Self {
            hosts: Hosts::new(api_base, api_version, hosts::VERSION),
            apps: Apps { direct: client, via_page, scopes },
        }
    }

    fn caller<'a>(&'a self, tokens: &'a Tokens) -> Caller<'a> {
        Caller { hosts: &self.hosts, tokens }
    }
}

impl Protocol for Instagram {
    type Progress = Progress;
    type Credentials = Tokens;

    fn api_version(&self) -> Option<ApiVersion> {
        Some(graph_version(self.hosts.version()))
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.caller(&job.credentials), job, progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        publish::locate(&self.caller(&job.credentials), job, progress, answers)
    }

    /// Tokens of Instagram's own login are exchanged for new ones while they are good. Those of a
    /// Page do not expire, and the same are given back.
    fn refresh(
        &self,
        _account: &Account,
        stored: &Credentials,
        credentials: Tokens,
        answers: &[Answer],
    ) -> TurnResult<Credentials> {
        connect::refresh(&self.hosts, &credentials, stored, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        connect::authorize(&self.hosts, &self.apps, input).map(Turn::Done)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(&self.hosts, &self.apps, input, answers)
    }
}

#[cfg(test)]
mod testing;
