//! `DELETE /app/v1/accounts/{id}`

use scheduler_core::app::DueChoice;
use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;

use crate::openapi::examples::ACCOUNT;
use crate::openapi::schema::uuid;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "disconnect_account",
    method: Method::DELETE,
    pattern: "/app/v1/accounts/{id}",
    query: &[
        Parameter::optional(
            "due",
            "What becomes of what is due for it: `keep`, it fails at its time unless the account is connected again before; `cancel`, it is cancelled; `move`, it goes out through the account `to`.",
            || one_of(["keep", "cancel", "move"]),
        ),
        Parameter::optional("to", "With `due=move`: an account of the same network.", uuid)
            .for_example(ACCOUNT),
    ],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(disconnect(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Disconnect an account",
        "Its credentials are removed, its posts stay. Where posts are to come through it, the answer is 409 `in_use` with their number in `due`, unless `due` says what becomes of them.",
    )
    .answers_nothing(204, "It is disconnected.")
    .refuses(&[
        Code::NotFound,
        Code::InUse,
        Code::InFlight,
        Code::AlreadyStarted,
        Code::VideoOnYoutube,
        Code::AccountNotConnected,
        Code::ChannelLimit,
    ])
}

async fn disconnect(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let choice = choice(&mut call)?;
    let id: AccountId = call.path("id")?;
    let account = call.api.scheduler.connected_account(member.workspace.id, id).await?;
    let leave = async move |scheduler: Scheduler| {
        scheduler.disconnect(&member.caller(), &account, choice).await
    };
    call.api.to_its_end(leave).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

/// What becomes of what is due.
fn choice(call: &mut Call) -> Result<Option<DueChoice>, ApiError> {
    let to: Option<AccountId> = call.query.parsed("to", "the id of an account")?;
    let choice = match (call.query.take("due").as_deref(), to) {
        (None, None) => None,
        (Some("keep"), None) => Some(DueChoice::Keep),
        (Some("cancel"), None) => Some(DueChoice::Cancel),
        (Some("move"), Some(to)) => Some(DueChoice::Move(to)),
        (Some("move"), None) => {
            return Err(Refusal::invalid("to", "due=move needs the account to move to.").into());
        }
        (Some("keep" | "cancel") | None, Some(_)) => {
            return Err(Refusal::invalid("to", "to goes with due=move.").into());
        }
        (Some(_), _) => {
            return Err(Refusal::invalid("due", "due is keep, cancel or move.").into());
        }
    };
    Ok(choice)
}
