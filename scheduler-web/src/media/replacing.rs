//! The change that puts a new file in the place of a picture in a draft: for all accounts, or for one.

use scheduler_core::ids::{AccountId, MediaId};
use scheduler_core::media::MediaKind;
use scheduler_core::platform::FileDetails;
use scheduler_core::post::{PostInput, PostView, TargetInput, TargetView};
use scheduler_core::rules::keeps_description;

/// The files that a target gets.
pub(super) fn files_of<'a>(post: &'a PostView, target: &'a TargetView) -> &'a [MediaId] {
    target.media_ids.as_deref().unwrap_or(&post.media_ids)
}

/// The files with another in the place of one.
fn with(files: &[MediaId], made: MediaId, id: MediaId) -> Vec<MediaId> {
    files.iter().map(|file| if *file == id { made } else { *file }).collect()
}

/// A target as it is; its files stay where nothing else is said of them.
fn as_it_is(target: &TargetView) -> TargetInput {
    let input = TargetInput::from(target.platform).by(target.account_id);
    input.with_options(target.options.clone())
}

/// The change that gives all accounts the new file, those with files of their own too; what an
/// account says of the picture it says of the new file. `None` where the post has not the picture.
pub(super) fn for_all(post: &PostView, made: MediaId, id: MediaId) -> Option<PostInput> {
    if !post.media_ids.contains(&id) {
        return None;
    }
    let mut is_named = false;
    let targets = post.targets.iter().map(|target| {
        let mut input = as_it_is(target);
        if let Some(own) = target.media_ids.as_ref().filter(|own| own.contains(&id)) {
            is_named = true;
            input = input.with_files(with(own, made, id));
        }
        let mut details = target.files.clone();
        if let Some(of_picture) = details.remove(&id) {
            is_named = true;
            details.insert(made, of_picture);
            input.files = details.into();
        }
        input
    });
    let targets: Vec<TargetInput> = targets.collect();
    let change = PostInput {
        media_ids: with(&post.media_ids, made, id).into(),
        alt_texts: post.alt_texts.clone().into(),
        ..PostInput::default()
    };
    Some(if is_named { PostInput { targets: targets.into(), ..change } } else { change })
}

/// The change that gives one account the new file, with what was said of the picture; `None` where
/// the account does not get the picture.
pub(super) fn for_one(
    post: &PostView,
    account: AccountId,
    (made, kind): (MediaId, MediaKind),
    id: MediaId,
) -> Option<PostInput> {
    let mut is_found = false;
    let targets = post.targets.iter().map(|target| {
        let input = as_it_is(target);
        let files = files_of(post, target);
        if target.account_id != account || !files.contains(&id) {
            return input;
        }
        is_found = true;
        let mut details = target.files.clone();
        let mut of_made: FileDetails = details.remove(&id).unwrap_or_default();
        if of_made.alt_text.is_none() && keeps_description(target.platform, kind) {
            let said = post.media_ids.iter().zip(&post.alt_texts).find(|(file, _)| **file == id);
            of_made.alt_text = said.and_then(|(_, alt)| alt.clone());
        }
        if of_made != FileDetails::default() {
            details.insert(made, of_made);
        }
        TargetInput { files: details.into(), ..input.with_files(with(files, made, id)) }
    });
    let targets: Vec<TargetInput> = targets.collect();
    is_found.then(|| PostInput { targets: targets.into(), ..PostInput::default() })
}

#[cfg(test)]
mod tests {
    use scheduler_core::uuid::Uuid;
    use serde_json::{Value, json};

    use super::*;

    const PICTURE: u128 = 1;
    const OTHER: u128 = 2;
    const MADE: u128 = 3;
    /// The account with the files of the post, and the one with files of its own.
    const PLAIN: u128 = 11;
    const OWN: u128 = 12;

    fn uuid(number: u128) -> String {
        Uuid::from_u128(number).to_string()
    }

    fn media(number: u128) -> MediaId {
        MediaId(Uuid::from_u128(number))
    }

    fn post(targets: Value) -> PostView {
        serde_json::from_value(json!({
            "id": uuid(7), "status": "draft", "content": "A ring", "linkUrl": null,
            "mediaIds": [uuid(OTHER), uuid(PICTURE)], "altTexts": [null, "A ring"],
            "scheduledAt": null, "approvalState": null, "createdAt": "2030-01-01T00:00:00Z",
            "updatedAt": "2030-01-01T00:00:00Z", "targets": targets,
        }))
        .unwrap()
    }

    fn target(account: u128, platform: &str, more: &Value) -> Value {
        let mut target = json!({
            "id": uuid(account), "platform": platform, "accountId": uuid(account),
            "status": "pending", "remoteId": null, "remoteUrl": null, "publishedAt": null,
            "error": null, "errorCode": null, "errorPermanent": false, "attempts": 0,
            "nextAttemptAt": null, "canEditRemote": false, "canDeleteRemote": false,
            "options": {"caption": "Mine"}, "metrics": null,
        });
        target.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        target
    }

    /// What a change says of the files of targets, by their places.
    fn said(change: &PostInput) -> Vec<Value> {
        let targets = change.targets.value().unwrap();
        targets.iter().map(|target| json!([target.media_ids, target.files])).collect()
    }

    #[test]
    fn all_accounts_get_the_new_file() {
        let (picture, other, made) = (uuid(PICTURE), uuid(OTHER), uuid(MADE));
        for (name, of_plain, of_own, want) in [
            ("nobody names it", json!({}), json!({"mediaIds": [&other]}), None),
            (
                "among the files of its own",
                json!({}),
                json!({"mediaIds": [&picture, &other]}),
                Some([json!([null, null]), json!([[&made, &other], null])]),
            ),
            (
                "with words of its own",
                json!({}),
                json!({
                    "mediaIds": [&picture],
                    "files": {&picture: {"altText": "Mine"}},
                }),
                Some([json!([null, null]), json!([[&made], {&made: {"altText": "Mine"}}])]),
            ),
            (
                "words alone",
                json!({"files": {&picture: {"altText": "Mine"}, &other: {"altText": "Kept"}}}),
                json!({"mediaIds": []}),
                Some([
                    json!([null, {&made: {"altText": "Mine"}, &other: {"altText": "Kept"}}]),
                    json!([null, null]),
                ]),
            ),
        ] {
            let targets = [target(PLAIN, "bluesky", &of_plain), target(OWN, "mastodon", &of_own)];
            let post = post(json!(targets));
            let change = for_all(&post, media(MADE), media(PICTURE)).unwrap();
            assert_eq!(json!(change.media_ids), json!([&other, &made]), "{name}");
            assert_eq!(json!(change.alt_texts), json!([null, "A ring"]), "{name}");
            match want {
                Some(want) => assert_eq!(said(&change), want, "{name}"),
                None => assert!(change.targets.is_absent(), "{name}: {:?}", change.targets),
            }
            assert_eq!(for_all(&post, media(MADE), media(9)), None, "{name}: another picture");
        }
    }

    #[test]
    fn one_account_gets_the_new_file_alone() {
        let own =
            json!({"mediaIds": [uuid(PICTURE)], "files": {uuid(PICTURE): {"altText": "Mine"}}});
        let targets = [target(PLAIN, "bluesky", &json!({})), target(OWN, "mastodon", &own)];
        let post = post(json!(targets));
        for (name, account, want) in [
            (
                "with the files of the post",
                PLAIN,
                [
                    json!([[uuid(OTHER), uuid(MADE)], {uuid(MADE): {"altText": "A ring"}}]),
                    json!([null, null]),
                ],
            ),
            (
                "with files of its own",
                OWN,
                [json!([null, null]), json!([[uuid(MADE)], {uuid(MADE): {"altText": "Mine"}}])],
            ),
        ] {
            let made = (media(MADE), MediaKind::Image);
            let account = AccountId(Uuid::from_u128(account));
            let change = for_one(&post, account, made, media(PICTURE)).unwrap();
            assert!(change.media_ids.is_absent(), "{name}: those of the post stay");
            assert_eq!(said(&change), want, "{name}");
            let targets = change.targets.value().unwrap();
            // What is absent stays: the files of the other account are not said at all.
            let is_other = |target: &&TargetInput| target.account_id != Some(account);
            let other = targets.iter().find(is_other).unwrap();
            assert!(other.media_ids.is_absent() && other.files.is_absent(), "{name}");
            assert_eq!(json!(other.options), json!({"caption": "Mine"}), "{name}");
        }
    }
}
