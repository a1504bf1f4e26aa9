//! `scheduler sessions`: who is logged in, and who may come in.

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::ids::SessionId;
use scheduler_core::session::{LoginCode, Role, SessionView, WaitingLoginView};
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, escape_control};
use crate::times::Reader;

/// What to do with sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// Let the program in that shows this code. Says who asks, and asks first on a terminal
    #[command(
        after_help = "Examples:\n  scheduler sessions confirm WDJB-MJHT\n  scheduler sessions confirm WDJB-MJHT --as reader"
    )]
    Confirm(ConfirmArguments),
    /// List who is logged in
    #[command(after_help = "Example:\n  scheduler sessions list")]
    List(OfWorkspace),
    /// End a session at once
    #[command(
        after_help = "Example:\n  scheduler sessions end 01993b5c-2b7e-7000-8000-000000000001"
    )]
    End(EndArguments),
}

/// A code to confirm.
#[derive(Args, Debug)]
pub(crate) struct ConfirmArguments {
    /// The code that the program shows
    code: LoginCode,
    /// What the person may do
    #[arg(long = "as", value_name = "ROLE", default_value = "editor", value_parser = OneOf::<Role>::new())]
    role: Role,
    /// Let it in without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A session to end.
#[derive(Args, Debug)]
pub(crate) struct EndArguments {
    /// The session's id, as `sessions list` shows it
    #[arg(value_parser = names::session_id)]
    id: SessionId,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: SessionsCommand) -> Result<Exit, Failure> {
    match command {
        SessionsCommand::Confirm(ConfirmArguments { code, role, yes, of }) => {
            let client = of.open(&context).await?;
            let waiting = Call::get("/login").query("code", Some(&code));
            let login: WaitingLoginView = client.ask(waiting).await?.read()?;
            context.printer.message(&format!(
                "who asks: {} ({})",
                escape_control(&login.client),
                Reader::here().show_from_now(login.created_at)
            ));
            confirm(yes, &format!("Let it in as {role}?"))?;
            let body = json!({"code": code.to_string(), "role": role});
            let session: SessionView =
                client.ask(Call::post("/login/confirm", &body)).await?.read()?;
            let until = instant(session.expires_at);
            let line = format!("{} is in as {role}, until {until}", session.client);
            context.done(&session, &line)
        }
        SessionsCommand::List(of) => {
            let client = of.open(&context).await?;
            list(&context, &client.ask(Call::get("/sessions")).await?.data()?)
        }
        SessionsCommand::End(EndArguments { id, of }) => {
            let client = of.open(&context).await?;
            client.ask(Call::new(Method::DELETE, &format!("/sessions/{id}"))).await?;
            context.done(&json!({"id": id, "ended": true}), "ended")
        }
    }
}

fn list(context: &Context, sessions: &[SessionView]) -> Result<Exit, Failure> {
    let columns: [Shows<SessionView>; 6] = [
        (Column::words("id"), |session| cell(session.id)),
        (Column::text("who"), |session| {
            cell(session.person.as_ref().map_or("", |person| person.name.as_str()))
        }),
        (Column::text("client"), |session| cell(&session.client)),
        (Column::words("role"), |session| cell(session.role)),
        (Column::words("since"), |session| cell(instant(session.created_at))),
        (Column::words("until"), |session| cell(instant(session.expires_at))),
    ];
    context.list(&json!({"data": sessions}), sessions, &columns, "Nobody is logged in.")
}
