//! The prompts that a person can choose in a client.

use rmcp::model::{self, GetPromptResult, JsonObject, PromptArgument, PromptMessage, Role};

/// One prompt.
struct Prompt {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The name of each argument, what it is, and whether it is needed.
    arguments: &'static [(&'static str, &'static str, bool)],
    text: &'static str,
}

const PROMPTS: [Prompt; 3] = [
    Prompt {
        name: "plan_week",
        title: "Plan a week",
        description: "Drafts for the free slots of a week",
        arguments: &[
            ("topic", "What the week is about", true),
            ("accounts", "Names of accounts; all when left out", false),
        ],
        text: "Plan a week of posts. See list_accounts and find_slot for what is free, list_posts for what is planned already, and get_network_rules for each network. Propose a text for each slot and show them to me with their local times. Store those that I like with create_draft, and show me what check_post says of each.",
    },
    Prompt {
        name: "adapt_post",
        title: "Adapt a post",
        description: "A post as another network wants it",
        arguments: &[
            ("id", "The id of the post", true),
            ("network", "The network that it is for", true),
        ],
        text: "Adapt a post to a network. Read it with get_post and the network's rules with get_network_rules, write the text anew for that network, and check it with check_post. Show me both texts, and store the new one with create_draft once I agree.",
    },
    Prompt {
        name: "review_queue",
        title: "Review what is to come",
        description: "What is wrong with the posts to come",
        arguments: &[],
        text: "Review what is to come: list_posts with order due, then with state needs_attention. Check each with check_post, and tell me what would be refused, what clashes or repeats, and what waits for somebody. Change nothing before I say so.",
    },
];

/// Every prompt, as the protocol lists it.
pub(crate) fn listed() -> Vec<model::Prompt> {
    let prompts = PROMPTS.iter().map(|prompt| {
        let arguments = prompt.arguments.iter().map(|(name, description, required)| {
            let argument = PromptArgument::new(*name).with_description(*description);
            argument.with_required(*required)
        });
        let arguments = Some(arguments.collect());
        let listed = model::Prompt::new(prompt.name, Some(prompt.description), arguments);
        listed.with_title(prompt.title)
    });
    prompts.collect()
}

/// The text of a prompt, with what the person has filled in.
///
/// # Errors
/// With a sentence, when there is none, or an argument is missing.
pub(crate) fn filled(name: &str, given: Option<&JsonObject>) -> Result<GetPromptResult, String> {
    let found = PROMPTS.iter().find(|prompt| prompt.name == name);
    let prompt = found.ok_or_else(|| format!("There is no prompt {name:?}."))?;
    let mut text = prompt.text.to_owned();
    for (name, _, required) in prompt.arguments {
        let value = given.and_then(|given| given.get(*name)?.as_str());
        match value.filter(|value| !value.is_empty()) {
            Some(value) => text.push_str(&format!("\n{name}: {value}")),
            None if *required => return Err(format!("{name} is missing.")),
            None => {}
        }
    }
    let messages = vec![PromptMessage::new_text(Role::User, text)];
    Ok(GetPromptResult::new(messages).with_description(prompt.description))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::entries;
    use serde_json::json;

    #[test]
    fn prompts_hold_what_was_filled_in() {
        let given = json!({"id": "a", "network": "b"});
        let filled_in = filled("adapt_post", given.as_object()).unwrap();
        let written = serde_json::to_string(&filled_in).unwrap();
        assert!(written.contains("\\nid: a\\nnetwork: b"), "{written}");
        for (name, given) in [("adapt_post", json!({"id": "a"})), ("nothing", json!({}))] {
            assert!(filled(name, given.as_object()).is_err(), "{name}");
        }
        assert!(filled("review_queue", None).is_ok());
        assert_eq!(listed().len(), PROMPTS.len());
    }

    #[test]
    fn prompts_name_tools_that_there_are() {
        let names: Vec<&str> = entries().iter().map(|entry| entry.definition.name).collect();
        for prompt in &PROMPTS {
            let words = prompt.text.split(|sign: char| !sign.is_ascii_lowercase() && sign != '_');
            let tools = words.filter(|word| word.contains('_') && *word != "needs_attention");
            let tools: Vec<&str> = tools.collect();
            assert!(!tools.is_empty(), "{}", prompt.name);
            assert!(tools.iter().all(|tool| names.contains(tool)), "{tools:?}");
        }
    }
}
