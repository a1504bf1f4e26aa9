//! `scheduler login`, `logout` and `profiles`: the servers that a person works on from elsewhere.

use std::time::Duration;

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::session::{LoginView, MeView, NewSessionView};
use serde_json::{Value, json};
use url::Url;

use crate::client::{Call, Client, connect};
use crate::config::{ClientSettings, ConfigError, Profile, Profiles, RemoteOptions};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell};

pub(super) const EXAMPLES: &str = "Examples:\n  scheduler login https://posts.example.com\n  scheduler login http://127.0.0.1:8080 --name local";

/// A server to log in to.
#[derive(Args, Debug)]
pub(crate) struct LoginArguments {
    /// The server's address
    #[arg(value_name = "URL")]
    server: String,
    /// What to call it in --profile [default: its host]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// A server to log out of.
#[derive(Args, Debug)]
pub(crate) struct LogoutArguments {
    /// The profile; the one that counts when left out
    name: Option<String>,
}

/// What to do with profiles.
#[derive(Args, Debug)]
pub(crate) struct ProfilesArguments {
    #[command(subcommand)]
    command: Option<ProfilesCommand>,
}

/// What to do with profiles.
#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// List the servers that you have logged in to
    #[command(after_help = "Example:\n  scheduler profiles list")]
    List,
    /// Choose the profile that counts where none is named
    #[command(after_help = "Example:\n  scheduler profiles use posts.example.com")]
    Use {
        /// The profile
        name: String,
    },
}

/// Logs in.
pub(crate) async fn login(context: Context, arguments: LoginArguments) -> Result<Exit, Failure> {
    let LoginArguments { server, name } = arguments;
    if !server.contains("://") {
        let message = "write http:// or https:// before the address of the server";
        return Err(Failure::Usage(message.into()));
    }
    let settings = ClientSettings::load(RemoteOptions::at(Some(server)), &context.sources);
    let settings = settings.map_err(|error| match error {
        // There is no option whose value it would be.
        ConfigError::Value { reason, .. } => Failure::Usage(format!("<URL> {reason}")),
        error => error.into(),
    })?;
    let base = settings.base.clone();
    let name = name.unwrap_or_else(|| host(&base));
    let client = connect(settings)?;
    let asked = json!({"client": client_name(), "api": true});
    let login: LoginView = client.ask(Call::post("/login", &asked).keyless()).await?.read()?;
    context.printer.message(&format!(
        "Code {}: confirm it on the server with `scheduler sessions confirm {}`",
        login.code, login.code
    ));
    context.printer.message(&format!("What it is for: {}", login.url));
    let waiting = claimed(&client, &login);
    let session = context.with_spinner("waiting for the code to be confirmed", waiting).await?;
    let mut profiles = Profiles::load()?;
    let NewSessionView { session, role, workspace, expires_at } = session;
    let workspace = workspace.name;
    let profile = Profile::new(base.clone(), session.into(), workspace.clone(), role, expires_at);
    profiles.profiles.insert(name.clone(), profile);
    profiles.current = Some(name.clone());
    profiles.save()?;
    let line =
        format!("logged in to {base} as {role} of {workspace}, until {}", instant(expires_at));
    let document = json!({
        "profile": name,
        "url": base,
        "workspace": workspace,
        "role": role,
        "expiresAt": expires_at,
    });
    context.done(&document, &line)
}

/// The session, once somebody has confirmed the code.
async fn claimed(client: &Client, login: &LoginView) -> Result<NewSessionView, Failure> {
    let secret = json!({"secret": login.secret});
    let pause = Duration::from_secs(u64::try_from(login.interval).unwrap_or(1).max(1));
    loop {
        let answer = client.ask(Call::post("/login/claim", &secret).keyless()).await?;
        if !answer.is_pending {
            return Ok(answer.read()?);
        }
        tokio::time::sleep(pause).await;
    }
}

/// Ends the session and forgets the profile.
pub(crate) async fn logout(context: Context, arguments: LogoutArguments) -> Result<Exit, Failure> {
    let mut profiles = Profiles::load()?;
    let named = arguments.name.as_deref().or(context.profile.as_deref());
    let chosen = profiles.chosen(named).map_err(Failure::Usage)?;
    let Some((name, profile)) = chosen.map(|(name, profile)| (name.to_owned(), profile.clone()))
    else {
        return Err(Failure::Usage("you are not logged in anywhere".into()));
    };
    let ended = end(&profile).await;
    profiles.profiles.remove(&name);
    if profiles.current.as_ref() == Some(&name) {
        profiles.current = None;
    }
    profiles.save()?;
    if let Err(error) = ended {
        context.printer.warning(&format!(
            "the session could not be ended ({error}); it lasts until {} unless an owner ends it",
            instant(profile.expires_at)
        ));
    }
    context.done(
        &json!({"profile": name, "loggedOut": true}),
        &format!("logged out of {}", profile.url),
    )
}

async fn end(profile: &Profile) -> Result<(), Failure> {
    let client = connect(ClientSettings::of_profile(profile))?;
    let me: MeView = client.ask(Call::get("/me")).await?.read()?;
    let Some(session) = me.session else { return Ok(()) };
    client.ask(Call::new(Method::DELETE, &format!("/sessions/{}", session.id))).await?;
    Ok(())
}

/// Lists or chooses profiles.
pub(crate) fn profiles(context: &Context, arguments: ProfilesArguments) -> Result<Exit, Failure> {
    let mut profiles = Profiles::load()?;
    if let Some(ProfilesCommand::Use { name }) = arguments.command {
        profiles.chosen(Some(&name)).map_err(Failure::Usage)?;
        profiles.current = Some(name.clone());
        profiles.save()?;
        return context.done(&json!({"current": name}), &format!("{name} counts from now on"));
    }
    let is_current = |name: &String| profiles.current.as_ref() == Some(name);
    let documents: Vec<Value> = profiles
        .profiles
        .iter()
        .map(|(name, profile)| {
            json!({
                "name": name,
                "current": is_current(name),
                "url": profile.url,
                "workspace": profile.workspace,
                "role": profile.role,
                "expiresAt": profile.expires_at,
            })
        })
        .collect();
    let rows: Vec<(String, bool, &Profile)> = profiles
        .profiles
        .iter()
        .map(|(name, profile)| (name.clone(), is_current(name), profile))
        .collect();
    let columns: [Shows<(String, bool, &Profile)>; 5] = [
        (Column::words("profile"), |(name, is_current, _)| {
            cell(if *is_current { format!("{name} *") } else { name.clone() })
        }),
        (Column::words("server"), |(_, _, profile)| cell(&profile.url)),
        (Column::text("workspace"), |(_, _, profile)| cell(&profile.workspace)),
        (Column::words("role"), |(_, _, profile)| cell(profile.role)),
        (Column::words("until"), |(_, _, profile)| cell(instant(profile.expires_at))),
    ];
    context.list(&json!({"data": documents}), &rows, &columns, "Not logged in anywhere.")
}

/// The host of an address, with its port where it has one.
fn host(base: &str) -> String {
    let url = Url::parse(base).ok();
    let host = url.as_ref().and_then(|url| {
        let host = url.host_str()?;
        Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    });
    host.unwrap_or_else(|| base.to_owned())
}

/// What this program calls itself.
fn client_name() -> String {
    let variable = |name: &str| std::env::var(name).ok();
    client_on([
        // A shell sets the variable, and does not always hand it on.
        std::fs::read_to_string("/proc/sys/kernel/hostname").ok(),
        variable("HOSTNAME"),
        variable("COMPUTERNAME"),
    ])
}

/// The same on the machine with the first of these names that is one.
fn client_on(names: [Option<String>; 3]) -> String {
    let mut names = names.iter().flatten().map(|name| name.trim());
    match names.find(|name| !name.is_empty()) {
        Some(name) => format!("scheduler on {}", name.chars().take(60).collect::<String>()),
        None => "scheduler on another machine".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_named_by_the_first_that_knows() {
        for (name, names, want) in [
            ("the kernel", [Some("lap-7\n"), Some("other"), None], "scheduler on lap-7"),
            ("the shell", [None, Some("lap-7"), None], "scheduler on lap-7"),
            ("an empty name is none", [Some("\n"), None, Some("LAP-7")], "scheduler on LAP-7"),
            ("nobody", [None, None, None], "scheduler on another machine"),
        ] {
            assert_eq!(client_on(names.map(|name| name.map(str::to_owned))), want, "{name}");
        }
        let long = client_on([Some("x".repeat(300)), None, None]);
        assert_eq!(long.chars().count(), "scheduler on ".len() + 60);
    }
}
