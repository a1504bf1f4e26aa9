//! The commands that work on the database directly.

use serde_json::{Value, json};

use crate::running::run;

#[test]
fn workspaces_and_keys() {
    let folder = tempfile::tempdir().unwrap();
    let json = |arguments: &[&str]| {
        let ran = run(folder.path(), &[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.json()
    };

    let ran = run(folder.path(), &["keys", "list"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("`scheduler workspace create`"), "{}", ran.stderr);

    assert_eq!(json(&["migrate"]), json!({"migrated": true}));
    assert_eq!(json(&["workspace", "list"]), json!({"data": []}));
    let made = json(&["workspace", "create", "shop"]);
    assert_eq!(made["plan"], "studio");
    let changed = json(&["workspace", "set-plan", "shop", "pro"]);
    assert_eq!((&changed["id"], &changed["plan"]), (&made["id"], &json!("pro")));
    let changed = json(&["workspace", "set-timezone", "shop", "Europe/Berlin"]);
    assert_eq!(changed["timezone"], "Europe/Berlin");
    assert_eq!(json(&["workspace", "list"])["data"], json!([changed]));

    let key = json(&["keys", "create", "--name", "ci", "--preset", "drafts", "--expires", "30d"]);
    let names: Vec<&String> = key.as_object().unwrap().keys().collect();
    let want =
        ["confirm", "createdAt", "expiresAt", "hint", "id", "key", "livePerHour", "name", "scopes"];
    assert_eq!(names, want);
    assert!(key["key"].as_str().is_some_and(|value| value.starts_with("sk_")));
    let listed = json(&["keys", "list"]);
    assert_eq!(listed["data"][0]["id"], key["id"]);
    assert_eq!(listed["data"][0]["key"], Value::Null, "the value is shown once");
    let id = key["id"].as_str().unwrap();
    assert_eq!(json(&["keys", "revoke", id]), json!({"id": id, "revoked": true}));
    assert_eq!(json(&["keys", "list"]), json!({"data": []}));

    json(&["workspace", "set-plan", "shop", "free"]);
    let ran = run(folder.path(), &["keys", "create", "--name", "ci", "--preset", "full", "--json"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.json()["error"]["code"], "api_not_on_plan");
    assert_eq!(ran.json()["error"]["upgradeTo"], "pro");
    assert!(ran.stderr.contains("next: the operator can change the plan"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn the_data_folder_and_its_key_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["migrate"]).code, Some(0));
    for (path, mode) in [("data", 0o700), ("data/secret.key", 0o600)] {
        let found = std::fs::metadata(folder.path().join(path)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{path}");
    }
}
