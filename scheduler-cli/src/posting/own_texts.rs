//! Texts of one network alone, and threads.

use scheduler_core::platform::{CAPTION, THREAD};
use scheduler_core::post::TargetInput;
use scheduler_core::rules;
use serde_json::Value;

use super::target::read_network;
use crate::failure::Failure;

/// Gives targets the texts that are written for their networks, and the further posts of a thread
/// where their networks have threads. `own` are networks and texts in turn.
///
/// # Errors
/// [`Failure::Usage`] for a network that the post does not go to, one that is named twice, and for
/// a thread that no network of the post has.
pub(super) fn add_to(
    targets: &mut [TargetInput],
    own: &[String],
    thread: &[String],
) -> Result<(), Failure> {
    for pair in own.chunks_exact(2) {
        let [network, text] = pair else { continue };
        let platform = read_network(network)
            .map_err(|error| Failure::Usage(format!("--for {network}: {error}")))?;
        let mut found = false;
        for target in targets.iter_mut().filter(|target| target.platform == platform) {
            set(target, CAPTION.key, text.as_str().into(), "--for")?;
            found = true;
        }
        if !found {
            let message = format!("--for {network}: the post does not go to {platform}");
            return Err(Failure::Usage(message));
        }
    }
    if thread.is_empty() {
        return Ok(());
    }
    let mut found = false;
    for target in targets {
        if target.platform.sheet().option(THREAD.key).is_some() {
            set(target, THREAD.key, thread.into(), "--thread")?;
            found = true;
        }
    }
    if found {
        return Ok(());
    }
    Err(Failure::Usage("--thread: none of the networks of this post has threads".into()))
}

/// Makes threads of texts that are too long for their networks, where these have threads; what
/// cannot be split stays as it is, and is refused with what is wrong.
pub(super) fn split(targets: &mut [TargetInput], text: &str) {
    for target in targets {
        let options = target.options.get_or_insert_default();
        let own = options.get(CAPTION.key).and_then(Value::as_str);
        let parts = rules::split(target.platform, own.unwrap_or(text)).unwrap_or_default();
        if let [first, rest @ ..] = parts.as_slice()
            && !rest.is_empty()
            && !options.contains_key(THREAD.key)
        {
            options.insert(CAPTION.key.to_owned(), first.as_str().into());
            options.insert(THREAD.key.to_owned(), rest.into());
        }
    }
}

fn set(target: &mut TargetInput, key: &str, value: Value, flag: &str) -> Result<(), Failure> {
    let options = target.options.get_or_insert_default();
    if options.insert(key.to_owned(), value).is_some() {
        let platform = target.platform;
        return Err(Failure::Usage(format!("{flag}: {platform}.{key} is given twice")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use scheduler_core::platform::Platform;
    use serde_json::json;

    use super::*;

    #[test]
    fn long_texts_become_threads_where_there_are_threads() {
        let long = "A cake for you. ".repeat(30);
        let mut targets = [
            TargetInput::from(Platform::Bluesky),
            TargetInput::from(Platform::Mastodon)
                .with_options(json!({"caption": "Short."}).as_object().unwrap().clone()),
            TargetInput::from(Platform::Telegram),
        ];
        split(&mut targets, &long);
        let [bluesky, mastodon, telegram] = targets.map(|target| json!(target.options));
        assert!(bluesky["caption"].as_str().unwrap().ends_with("you. (1/2)"), "{bluesky}");
        assert!(bluesky["thread"][0].as_str().unwrap().ends_with("you. (2/2)"), "{bluesky}");
        assert_eq!((mastodon, telegram), (json!({"caption": "Short."}), json!({})));
    }

    #[test]
    fn each_network_gets_its_own() {
        let words =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        for (name, own, thread, want) in [
            ("nothing", vec![], vec![], Ok((json!(null), json!(null)))),
            ("one", vec!["bluesky", "B"], vec![], Ok((json!({"caption": "B"}), json!(null)))),
            (
                "as people call it",
                vec!["bsky", "B"],
                vec![],
                Ok((json!({"caption": "B"}), json!(null))),
            ),
            ("no network", vec!["bluessky", "B"], vec![], Err(())),
            ("none of it", vec!["threads", "T"], vec![], Err(())),
            ("twice", vec!["bluesky", "A", "bluesky", "B"], vec![], Err(())),
            (
                "a thread, where there are threads",
                vec![],
                vec!["two", "three"],
                Ok((json!({"thread": ["two", "three"]}), json!(null))),
            ),
        ] {
            let mut targets =
                [TargetInput::from(Platform::Bluesky), TargetInput::from(Platform::Linkedin)];
            let done = add_to(&mut targets, &words(&own), &words(&thread));
            let got = done.map(|()| {
                let [bluesky, linkedin] = targets.map(|target| json!(target.options));
                (bluesky, linkedin)
            });
            assert_eq!(got.map_err(|_| ()), want, "{name}");
        }
    }
}
