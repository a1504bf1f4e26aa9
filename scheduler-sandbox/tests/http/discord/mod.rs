//! The imitation of Discord.

mod bots;
mod connecting;
mod extras;
mod faults;
mod webhooks;

use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

pub(crate) const AGENT: &str = "DiscordBot (https://a.example, 1.0)";

/// A server with its webhooks and its bot.
pub(crate) struct Actor {
    pub(crate) account: Value,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        Self { account: world.account("discord", name).await }
    }

    fn of(&self, pointer: &str) -> String {
        self.account.pointer(pointer).unwrap().as_str().unwrap().to_owned()
    }

    /// The path of a webhook's calls, below the sandbox.
    pub(crate) fn webhook(&self, world: &World) -> String {
        self.of("/webhookUrl").strip_prefix(world.sandbox.url()).unwrap().to_owned()
    }

    pub(crate) fn forum_webhook(&self, world: &World) -> String {
        self.of("/forum/webhookUrl").strip_prefix(world.sandbox.url()).unwrap().to_owned()
    }

    pub(crate) fn channel(&self, kind: &str) -> String {
        let id = self.of(&format!("/bot/{kind}ChannelId"));
        format!("/discord/api/v10/channels/{id}")
    }

    pub(crate) fn guild(&self) -> String {
        format!("/discord/api/v10/guilds/{}", self.of("/bot/guildId"))
    }

    /// A call of the bot.
    pub(crate) fn bot(&self, world: &World, method: Method, path: &str) -> RequestBuilder {
        let token = self.of("/bot/botToken");
        call(world, method, path).header("authorization", format!("Bot {token}"))
    }

    pub(crate) async fn bot_get(&self, world: &World, path: &str) -> Got {
        send(self.bot(world, Method::GET, path)).await
    }

    pub(crate) async fn bot_post(&self, world: &World, path: &str, body: &Value) -> Got {
        send(self.bot(world, Method::POST, path).json(body)).await
    }

    /// Posts by the webhook, and waits.
    pub(crate) async fn say(&self, world: &World, body: &Value) -> Got {
        let path = format!("{}?wait=true", self.webhook(world));
        send(call(world, Method::POST, &path).json(body)).await
    }
}

/// A call with the name of a client.
pub(crate) fn call(world: &World, method: Method, path: &str) -> RequestBuilder {
    world.request(method, path).header("user-agent", AGENT)
}

/// A form with a message and files.
pub(crate) fn form(payload: &Value, files: &[(&str, &str, Vec<u8>)]) -> Form {
    let json = Part::text(payload.to_string()).mime_str("application/json").unwrap();
    let mut form = Form::new().part("payload_json", json);
    for (index, (name, mime_type, bytes)) in files.iter().enumerate() {
        let part = Part::bytes(bytes.clone()).file_name((*name).to_owned());
        form = form.part(format!("files[{index}]"), part.mime_str(mime_type).unwrap());
    }
    form
}

/// The status and the code of a refusal.
pub(crate) fn refusal(got: &Got) -> (u16, u64) {
    (got.status, got.body["code"].as_u64().unwrap_or_default())
}

pub(crate) fn text(content: &str) -> Value {
    json!({ "content": content, "allowed_mentions": { "parse": [] } })
}
