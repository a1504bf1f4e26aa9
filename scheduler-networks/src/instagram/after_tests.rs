//! Taking down, followers and names as exchanges of values.

use scheduler_core::ports::NetworkErrorKind;
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::instagram::testing::{access, asks, done, error, instagram, live_post};
use crate::testing::{answered, answered_text};

#[test]
fn a_post_is_taken_down_through_its_page_only() {
    let post = live_post("FEED");
    let (direct, via_page) = (access(Way::Direct), access(Way::ViaPage));
    let error_direct = instagram().take_down(&direct, &post, &[]).unwrap_err();
    assert_eq!(error_direct.kind, NetworkErrorKind::Permanent);
    assert_eq!(error_direct.code, FailureCode::Unsupported);
    assert!(error_direct.message.contains("Facebook Page"), "{error_direct}");

    let request = asks(instagram().take_down(&via_page, &post, &[]));
    insta::assert_json_snapshot!(shown(&request), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "DELETE https://graph.facebook.com/v26.0/18000000000000001",
      "visible": false
    }
    "#);
    let take_down = |answer: Answer| instagram().take_down(&via_page, &post, &[answer]);
    done(take_down(answered(200, &json!({ "success": true }))));
    done(take_down(error(100, 33, "Object does not exist")));
    for (name, answer, want) in [
        ("no", answered(200, &json!({ "success": false })), NetworkErrorKind::Temporary),
        ("fatal", error(-1, 2_207_085, "Fatal"), NetworkErrorKind::Permanent),
        ("not allowed", error(200, 0, "Permissions error"), NetworkErrorKind::Permanent),
        ("down", answered_text(500, ""), NetworkErrorKind::Temporary),
    ] {
        assert_eq!(take_down(answer).unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn there_is_no_editing() {
    let edit = scheduler_core::ports::RemoteEdit::default();
    let error = instagram().edit(&access(Way::ViaPage), &live_post("FEED"), &edit, &[]);
    assert_eq!(error.unwrap_err().code, FailureCode::Unsupported);
}

#[test]
fn followers_are_counted_on_the_account() {
    for (way, url) in [
        (Way::Direct, "https://graph.instagram.com/v26.0/me?fields=followers_count"),
        (Way::ViaPage, "https://graph.facebook.com/v26.0/17841400000000001?fields=followers_count"),
    ] {
        let access = access(way);
        assert_eq!(asks(instagram().followers(&access, &[])).url.as_str(), url);
        let counted = answered(200, &json!({ "followers_count": 96, "id": "1" }));
        assert_eq!(done(instagram().followers(&access, &[counted])), Some(96));
        let untold = answered(200, &json!({ "id": "1" }));
        assert_eq!(done(instagram().followers(&access, &[untold])), None);
        let gone = error(100, 33, "Object does not exist");
        let gone = instagram().followers(&access, &[gone]).unwrap_err();
        assert_eq!(gone.kind, NetworkErrorKind::Reconnect);
    }
}

#[test]
fn exact_names_are_found_by_accounts_of_a_page() {
    let via_page = access(Way::ViaPage);
    let request = asks(instagram().mentions(&via_page, "@bluebottle", &[]));
    assert_eq!(
        request.url.as_str(),
        "https://graph.facebook.com/v26.0/17841400000000001?fields=business_discovery.username%28bluebottle%29%7Busername%2Cname%7D"
    );
    let found =
        json!({ "business_discovery": { "username": "bluebottle", "name": "Blue Bottle" } });
    let found = done(instagram().mentions(&via_page, "bluebottle", &[answered(200, &found)]));
    let want = Mention { handle: "@bluebottle".to_owned(), name: "Blue Bottle".to_owned() };
    assert_eq!(found, [want]);
    for nobody in [error(110, 2_207_013, "Invalid user id"), error(24, 2_207_013, "Invalid")] {
        assert_eq!(done(instagram().mentions(&via_page, "bluebottle", &[nobody])), []);
    }
    for (name, way, query) in [
        ("direct", Way::Direct, "bluebottle"),
        ("nothing", Way::ViaPage, " @ "),
        ("no name", Way::ViaPage, "a){id}"),
        ("too long", Way::ViaPage, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ] {
        assert_eq!(done(instagram().mentions(&access(way), query, &[])), [], "{name}");
    }
    let limited = instagram().mentions(&via_page, "a", &[error(4, 0, "limit")]).unwrap_err();
    assert!(matches!(limited.kind, NetworkErrorKind::RateLimited { .. }));
}
