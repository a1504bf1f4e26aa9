//! Playlists as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkError;
use scheduler_core::ports::NetworkErrorKind as Kind;

use super::*;
use crate::conversation::{AfterConversation, Request};
use crate::testing::{answered, answered_text};
use crate::youtube::testing::{EVERYTHING, access, all_shown, held, refused, youtube};

fn page(titles: &[(&str, &str)], next: Option<&str>) -> Answer {
    let items: Vec<Value> = titles
        .iter()
        .map(|(id, title)| {
            json!({
                "id": id,
                "snippet": { "title": title },
                "status": { "privacyStatus": "unlisted" },
            })
        })
        .collect();
    answered(200, &json!({ "items": items, "nextPageToken": next }))
}

fn create(title: &str, answers: &[Answer]) -> (Vec<Request>, Result<NewPlaylist, NetworkError>) {
    held(answers, |answers| {
        youtube().create_playlist(&access(EVERYTHING), title, PlaylistPrivacy::Private, answers)
    })
}

#[test]
fn every_page_is_listed() {
    let answers = [page(&[("PL1", "One")], Some("P2")), page(&[("PL2", "Two")], None)];
    let (asked, found) =
        held(&answers, |answers| youtube().playlists(&access(EVERYTHING), answers));
    let found = found.unwrap();
    let titles: Vec<&str> = found.iter().map(|playlist| playlist.title.as_str()).collect();
    assert_eq!(titles, ["One", "Two"]);
    assert_eq!(found[0].privacy, PlaylistPrivacy::Unlisted);
    assert_eq!(
        asked[1].url.as_str(),
        "https://www.googleapis.com/youtube/v3/playlists?part=snippet%2Cstatus&mine=true&maxResults=50&pageToken=P2"
    );
}

#[test]
fn a_playlist_is_made_unless_one_of_that_title_is_there() {
    let known = [page(&[("PL1", "One")], Some("P2")), page(&[("PL2", "Two")], None)];
    let (asked, found) = create("Two", &known);
    let found = found.unwrap();
    assert_eq!((asked.len(), found.duplicate, found.playlist.id.as_str()), (2, true, "PL2"));

    let made = answered(
        200,
        &json!({
            "id": "PL3",
            "snippet": { "title": "two" },
            "status": { "privacyStatus": "private" },
        }),
    );
    let [first, second] = known;
    let (asked, found) = create("two", &[first, second, made]);
    let found = found.unwrap();
    assert!(!found.duplicate, "a title is another in other letters");
    assert_eq!(found.playlist.privacy, PlaylistPrivacy::Private);
    assert_json_snapshot!(all_shown(&asked[2..]), @r#"
    [
      {
        "body": {
          "snippet": {
            "title": "two"
          },
          "status": {
            "privacyStatus": "private"
          }
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://www.googleapis.com/youtube/v3/playlists?part=snippet%2Cstatus",
        "visible": true
      }
    ]
    "#);
    for (name, answers, want) in [
        ("list refused", vec![refused(403, "insufficientPermissions")], Kind::Permanent),
        ("list failed", vec![answered_text(500, "")], Kind::Temporary),
        ("title", vec![page(&[], None), refused(400, "playlistTitleRequired")], Kind::Permanent),
        ("failed", vec![page(&[], None), answered_text(500, "")], Kind::Unsettled),
        ("unreadable", vec![page(&[], None), answered_text(200, "{}")], Kind::InDoubt),
    ] {
        assert_eq!(create("x", &answers).1.unwrap_err().kind, want, "{name}");
    }
}
