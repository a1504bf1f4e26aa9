//! What a person can do about each refusal.

use std::borrow::Cow;

use scheduler_core::error::ErrorCode;
use scheduler_core::key::{Preset, Scope};

use super::refused::{List, Needs, Refused};
use crate::command_path::CommandPath;

/// What a person can do who has given this command and was refused so.
pub(super) fn of_refusal(refused: &Refused, command: &CommandPath) -> Cow<'static, str> {
    match refused.error.code {
        ErrorCode::InvalidRequest => {
            format!("`{command} --help` shows what it takes, with examples").into()
        }
        ErrorCode::Unauthorized => {
            "log in with `scheduler login`, or make a key with `scheduler keys create` and set SCHEDULER_API_KEY to it".into()
        }
        ErrorCode::Forbidden => match &refused.needs {
            Needs::Scopes(scopes) => format!(
                "make a key that allows it with `scheduler keys create --name NAME --preset {}`",
                preset_of(scopes).as_str()
            ),
            Needs::Role(role) => format!(
                "log in again with `scheduler login`, and have the code confirmed on the server with `scheduler sessions confirm CODE --as {role}`"
            ),
        }
        .into(),
        ErrorCode::NotFound if command.is("sessions confirm") => {
            "have them run `scheduler login` again, which shows a new code".into()
        }
        ErrorCode::NotFound => {
            let list = refused.list.map_or_else(|| list_of(command), List::command);
            format!("`scheduler {list}` shows what there is").into()
        }
        ErrorCode::PostLimit
        | ErrorCode::UploadLimit
        | ErrorCode::ChannelLimit
        | ErrorCode::ApiNotOnPlan
        | ErrorCode::AiLimit
        | ErrorCode::AiNotInPlan => {
            let plan = refused.error.upgrade_to.as_deref().unwrap_or("studio");
            format!(
                "the operator can change the plan with `scheduler workspace set-plan WORKSPACE {plan}`"
            )
            .into()
        }
        ErrorCode::FileTooLarge => {
            "make the file smaller; the operator sets the limits with file_bytes_max and the plans"
                .into()
        }
        ErrorCode::AccountNotConnected => {
            "see `scheduler accounts list`, and connect with `scheduler accounts connect`".into()
        }
        ErrorCode::MediaUnusable => {
            "see what became of the file with `scheduler media show`, and upload it again".into()
        }
        ErrorCode::TargetsLocked | ErrorCode::AlreadyStarted | ErrorCode::NothingToRetry => {
            "see how far it has come with `scheduler posts show`".into()
        }
        ErrorCode::Stale => "look at it with `scheduler posts show`, then change it again".into(),
        ErrorCode::InFlight => {
            "wait until it has gone out, with `scheduler posts show POST --wait`, then try again"
                .into()
        }
        ErrorCode::Unsupported => {
            "see what each network offers with `scheduler platforms`".into()
        }
        ErrorCode::NotPublished => {
            "see which targets are live with `scheduler posts show`".into()
        }
        ErrorCode::InUse => {
            "cancel the post with `scheduler posts cancel`, or give it other files with `scheduler posts edit --media`"
                .into()
        }
        ErrorCode::SlotTaken => {
            "see the free slots with `scheduler queue list`, or swap the two with `scheduler queue swap`"
                .into()
        }
        ErrorCode::VideoOnYoutube => {
            "let it go out as it is with `scheduler posts retry`, or make a new post".into()
        }
        ErrorCode::PayloadTooLarge => {
            "send less at once; files go apart, with `scheduler media upload` or --media".into()
        }
        ErrorCode::ValidationFailed => {
            "change the post and look at it with `scheduler check` before you send it".into()
        }
        ErrorCode::AiDeclined => {
            "change the text, or write each caption yourself with --option NETWORK.caption=…".into()
        }
        ErrorCode::RateLimited => {
            "wait as long as it says, then give the same command again".into()
        }
        ErrorCode::AiUnavailable => {
            "the operator sets the assistant with SCHEDULER_AI_URL, and finds with `scheduler doctor` what is wrong with it; where it only did not answer, try again"
                .into()
        }
        ErrorCode::NetworkError => "try again in a moment".into(),
        ErrorCode::NetworkRefused => {
            "change what the network objects to, or see what it takes with `scheduler platforms`"
                .into()
        }
        ErrorCode::InDoubt => {
            "look on the network whether it is done before you try again".into()
        }
        ErrorCode::Unavailable => {
            "give the same command again in a few seconds; the operator finds the cause with `scheduler doctor`"
                .into()
        }
        ErrorCode::StorageFull => {
            "make room where the server keeps its database and files; `scheduler doctor` says how much is left"
                .into()
        }
        ErrorCode::Internal => {
            "try again; the log of the server, on its standard error, says more under the request's id"
                .into()
        }
    }
}

/// The smallest preset that has all of these scopes; the largest where they are not known. That of
/// agents has what drafts have, whose name says more here.
fn preset_of(scopes: &[Scope]) -> Preset {
    let fits = |preset: &Preset| {
        *preset != Preset::Agent
            && !scopes.is_empty()
            && scopes.iter().all(|scope| preset.scopes().allows(*scope))
    };
    Preset::ALL.into_iter().rev().find(fits).unwrap_or(Preset::Full)
}

/// The command that lists what another works on.
fn list_of(command: &CommandPath) -> &'static str {
    match command.first() {
        Some("accounts" | "schedule") => "accounts list",
        Some("approvals") => "approvals list",
        Some("channels") => "channels list",
        Some("deliveries") => "deliveries list",
        Some("feeds") => "feeds list",
        Some("grants") => "grants list",
        Some("inbox") => "inbox",
        Some("keys") => "keys list",
        Some("media") => "media list",
        Some("notifications") => "notifications list",
        Some("recurring") => "recurring list",
        Some("sessions") => "sessions list",
        Some("snippets") => "snippets list",
        Some("undo") => "undo --list",
        Some("webhooks") => "webhooks list",
        Some("workspace") => "workspace list",
        Some(_) | None => "posts list",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;
    use scheduler_core::error::Refusal;
    use scheduler_core::session::Role;

    use crate::commands::Arguments;

    fn path(words: &[&str]) -> CommandPath {
        CommandPath::of(&Arguments::command(), words.iter().map(|word| (*word).to_owned()))
    }

    fn refused(code: ErrorCode) -> Refused {
        Refusal::new(code, "No.").into()
    }

    #[test]
    fn every_code_of_the_contract_says_what_to_do_with_commands_that_exist() {
        let root = Arguments::command();
        for code in ErrorCode::ALL {
            let advice = of_refusal(&refused(code), &path(&["posts", "show"]));
            assert!(advice.split_whitespace().count() > 3, "{code:?}: {advice}");
            for named in advice.split('`').skip(1).step_by(2) {
                let mut words = named.split_whitespace();
                assert_eq!(words.next(), Some("scheduler"), "{code:?}: {advice}");
                let mut command = &root;
                for word in words {
                    let Some(next) = command.find_subcommand(word) else {
                        let option = word.strip_prefix("--");
                        let is_known = match option {
                            Some("help") => true,
                            Some(option) => command
                                .get_arguments()
                                .any(|argument| argument.get_long() == Some(option)),
                            None => !command.has_subcommands(),
                        };
                        assert!(is_known, "{code:?}: {word} of {named}");
                        continue;
                    };
                    command = next;
                }
            }
        }
    }

    #[test]
    fn what_lacks_decides_the_preset() {
        for (scopes, want) in [
            (&[Scope::PostsRead][..], "read"),
            (&[Scope::PostsWrite], "drafts"),
            (&[Scope::MediaWrite], "drafts"),
            (&[Scope::PostsPublish], "publish"),
            (&[Scope::PostsWrite, Scope::PostsPublish], "publish"),
            (&[Scope::WebhooksRead], "read"),
            (&[Scope::WebhooksWrite], "full"),
            (&[], "full"),
        ] {
            let needs = Needs::Scopes(scopes.to_vec());
            let refused = Refused { needs, ..refused(ErrorCode::Forbidden) };
            let advice = of_refusal(&refused, &path(&["posts"]));
            assert!(advice.ends_with(&format!("--preset {want}`")), "{scopes:?}: {advice}");
        }
        let refused = Refused { needs: Needs::Role(Role::Owner), ..refused(ErrorCode::Forbidden) };
        let advice = of_refusal(&refused, &path(&["accounts", "list"]));
        assert!(advice.ends_with("`scheduler sessions confirm CODE --as owner`"), "{advice}");
    }

    #[test]
    fn what_is_not_there_is_looked_up_where_it_would_be() {
        for (command, list, want) in [
            (&["posts", "show"][..], None, "`scheduler posts list`"),
            (&["media", "delete"], None, "`scheduler media list`"),
            (&["keys", "revoke"], None, "`scheduler keys list`"),
            (&["keys", "create"], Some(List::Workspaces), "`scheduler workspace list`"),
            (&["schedule", "set"], None, "`scheduler accounts list`"),
            (&["demo"], Some(List::Accounts), "`scheduler accounts list`"),
            (&["channels", "boards"], None, "`scheduler channels list`"),
            (&["snippets", "remove"], None, "`scheduler snippets list`"),
            (&["sessions", "end"], None, "`scheduler sessions list`"),
            (&["sessions", "confirm"], None, "`scheduler login` again"),
            (&["feeds", "pause"], None, "`scheduler feeds list`"),
            (&["recurring", "remove"], None, "`scheduler recurring list`"),
            (&["notifications", "remove"], None, "`scheduler notifications list`"),
            (&["grants", "remove"], None, "`scheduler grants list`"),
            (&["undo"], None, "`scheduler undo --list`"),
            (&["comments"], None, "`scheduler posts list`"),
            (&["reply"], None, "`scheduler posts list`"),
            (&["reply"], Some(List::Comments), "`scheduler comments POST TARGET`"),
        ] {
            let refused = Refused { list, ..refused(ErrorCode::NotFound) };
            let advice = of_refusal(&refused, &path(command));
            assert!(advice.contains(want), "{command:?}: {advice}");
        }
    }

    #[test]
    fn a_plan_that_would_allow_it_is_named() {
        let mut refused = refused(ErrorCode::PostLimit);
        refused.error.upgrade_to = Some("pro".into());
        assert!(of_refusal(&refused, &path(&["post"])).ends_with("set-plan WORKSPACE pro`"));
    }
}
