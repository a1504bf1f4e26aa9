//! Accounts over HTTP.

use scheduler_core::platform::Platform;

use crate::support::World;

#[tokio::test]
async fn connected_accounts_are_listed() {
    let world = World::new().await;
    world.connect(Platform::Bluesky, "a").await;
    let answer = world.serve().await.get("/v1/oauth/accounts").await;
    assert_eq!(answer.status, 200);
    insta::assert_json_snapshot!(answer.json(), { ".data[].id" => "[id]" }, @r###"
    {
      "data": [
        {
          "avatarUrl": null,
          "canDeleteRemote": true,
          "connection": null,
          "displayName": null,
          "id": "[id]",
          "needsReconnect": false,
          "paused": false,
          "platform": "bluesky",
          "timezone": null,
          "username": "a"
        }
      ]
    }
    "###);
}
