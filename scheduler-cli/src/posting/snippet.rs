//! What posts begin and end with.

use scheduler_core::post::{Field, PostInput, TargetInput};
use scheduler_core::snippet::{SnippetName, SnippetView};

use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::names::nearest;

/// The snippet of this name.
///
/// # Errors
/// [`Failure::Usage`] when there is none; those of the server.
pub(crate) async fn snippet_named(
    client: &Client,
    name: &SnippetName,
) -> Result<SnippetView, Failure> {
    find(&known(client).await?, name).cloned()
}

async fn known(client: &Client) -> Result<Vec<SnippetView>, Failure> {
    Ok(client.send(Call::get("/snippets")).await?.data()?)
}

fn find<'a>(known: &'a [SnippetView], name: &SnippetName) -> Result<&'a SnippetView, Failure> {
    known.iter().find(|snippet| snippet.name == *name).ok_or_else(|| {
        let names = known.iter().map(|snippet| snippet.name.as_str());
        let meant = nearest(name.as_str(), names);
        let meant = meant.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        Failure::advised(
            format!("no snippet is called {name}{meant}"),
            "`scheduler snippets list` shows them",
        )
    })
}

/// What a post begins with, and the texts that it ends with.
///
/// # Errors
/// Those of [`snippet_named`]; [`Failure::Usage`] for a text as a template, or the other way round.
pub(super) async fn begin_and_end(
    client: Option<&Client>,
    template: Option<&SnippetName>,
    ends: &[SnippetName],
) -> Result<(PostInput, Vec<String>), Failure> {
    if template.is_none() && ends.is_empty() {
        return Ok((PostInput::default(), Vec::new()));
    }
    let Some(client) = client else {
        return Err(Failure::Usage("--template and --snippet are known to a server only".into()));
    };
    let known = known(client).await?;
    let begin = match template {
        None => PostInput::default(),
        Some(name) => find(&known, name)?.post.clone().ok_or_else(|| {
            Failure::Usage(format!("{name} is a text; add it with --snippet {name}"))
        })?,
    };
    let ends = ends.iter().map(|name| {
        find(&known, name)?.text.clone().ok_or_else(|| {
            Failure::Usage(format!("{name} is a template; begin with it by --template {name}"))
        })
    });
    Ok((begin, ends.collect::<Result<_, _>>()?))
}

/// A text with others under it, after an empty line each.
pub(super) fn ended(text: Option<String>, ends: &[String]) -> Option<String> {
    if ends.is_empty() {
        return text;
    }
    let parts = text.iter().chain(ends).map(|part| part.trim_end());
    Some(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
}

/// The targets of a post that begins with a template: those that are named, with the options that
/// the template has for their networks where they say nothing else, or those of the template.
pub(super) fn targets_of(named: Vec<TargetInput>, begin: &PostInput) -> Vec<TargetInput> {
    let Field::Value(begun) = &begin.targets else { return named };
    if named.is_empty() {
        return begun.clone();
    }
    let with_options = |mut target: TargetInput| {
        let of_template = begun.iter().find(|one| one.platform == target.platform);
        for (key, value) in of_template.and_then(|one| one.options.as_ref()).into_iter().flatten() {
            let options = target.options.get_or_insert_default();
            options.entry(key.as_str()).or_insert_with(|| value.clone());
        }
        target
    };
    named.into_iter().map(with_options).collect()
}

#[cfg(test)]
mod tests {
    use scheduler_core::platform::Platform;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn texts_end_with_what_is_kept() {
        let ends = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        for (name, text, of, want) in [
            ("nothing", None, vec![], None),
            ("a text alone", Some("Hi\n"), vec![], Some("Hi\n")),
            ("one", Some("Hi\n"), vec!["#a"], Some("Hi\n\n#a")),
            ("several", Some("Hi"), vec!["Bye\n", "#a"], Some("Hi\n\nBye\n\n#a")),
            ("without a text", None, vec!["#a"], Some("#a")),
            ("an empty text", Some(""), vec!["#a"], Some("#a")),
        ] {
            let got = ended(text.map(str::to_owned), &ends(&of));
            assert_eq!(got.as_deref(), want, "{name}");
        }
    }

    #[test]
    fn targets_have_the_options_of_the_template() {
        let target = |platform: Platform, options: Value| {
            TargetInput::from(platform).with_options(options.as_object().cloned().unwrap())
        };
        let begin = PostInput {
            targets: vec![
                target(Platform::Mastodon, json!({"visibility": "unlisted", "signature": "A"})),
                TargetInput::from(Platform::Bluesky),
            ]
            .into(),
            ..PostInput::default()
        };
        let Field::Value(begun) = begin.targets.clone() else { panic!("it has targets") };
        let mine = target(Platform::Mastodon, json!({"signature": "B"}));
        for (name, named, want) in [
            ("none are named", vec![], begun),
            (
                "one is named",
                vec![mine, TargetInput::from(Platform::Telegram)],
                vec![
                    target(Platform::Mastodon, json!({"signature": "B", "visibility": "unlisted"})),
                    TargetInput::from(Platform::Telegram),
                ],
            ),
        ] {
            assert_eq!(targets_of(named, &begin), want, "{name}");
        }
    }
}
