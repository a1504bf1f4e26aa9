//! What is printed: documents for programs, text without colours for everything but a terminal.

use serde_json::Value;

use crate::running::Serving;

#[test]
fn json_is_one_document_and_text_has_no_colours() {
    let server = Serving::start();
    let posted = server.run(&["post", "shown", "--to", "bluesky", "--draft", "--json"]).json();
    let id = posted["id"].as_str().unwrap();
    for arguments in [
        &["posts"][..],
        &["posts", "show", id],
        &["platforms"],
        &["platforms", "bluesky"],
        &["webhooks", "list"],
        &["check", "text", "--to", "bluesky"],
        &["accounts", "list"],
        &["keys", "list"],
        &["workspace", "list"],
        &["schedule", "show", "bluesky"],
    ] {
        let ran = server.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout.lines().count(), 1, "{arguments:?}");
        assert!(ran.json().is_object(), "{arguments:?}");
        assert_eq!(ran.stderr, "", "{arguments:?}");

        let ran = server.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert!(!ran.stdout.trim().is_empty(), "{arguments:?}");
        assert!(!ran.stdout.contains('\u{1b}'), "{arguments:?}: {:?}", ran.stdout);
        assert!(serde_json::from_str::<Value>(&ran.stdout).is_err(), "{arguments:?}");
    }
}

#[test]
fn a_sheet_is_shown_as_the_api_tells_it() {
    let server = Serving::start();
    let all = server.run(&["platforms", "--json"]).json();
    assert_eq!(all["data"].as_object().unwrap().len(), 13);
    let one = server.run(&["platforms", "mastodon", "--json"]).json();
    assert_eq!(one, all["data"]["mastodon"]);
}
