//! Comments, playlists, reports.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, reason};
use crate::support::{Got, World, send};

fn thread(video: &str, text: &str) -> Value {
    json!({ "snippet": {
        "videoId": video,
        "topLevelComment": { "snippet": { "textOriginal": text } },
    } })
}

fn reply(parent: &str, text: &str) -> Value {
    json!({ "snippet": { "parentId": parent, "textOriginal": text } })
}

async fn threads(world: &World, ana: &Actor, video: &str, more: &str) -> Got {
    let path = format!(
        "/youtube/v3/commentThreads?part=snippet,replies&videoId={video}&textFormat=plainText{more}"
    );
    ana.get(world, &path).await
}

#[tokio::test]
async fn comments_are_made_changed_held_back_and_deleted() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let video = ana.publish(&world, "Harbour").await;
    let path = "/youtube/v3/commentThreads?part=snippet";
    let made = ben.post(&world, path, &thread(&video, "Nice & calm")).await;
    assert_eq!(made.status, 200, "{made:?}");
    let id = made.text_of("id");
    let comments = "/youtube/v3/comments?part=snippet";
    let answered = ana.post(&world, comments, &reply(&id, "Thanks")).await;
    let answer = answered.text_of("id");
    assert!(answer.starts_with(&format!("{id}.")), "{answer}");
    let deeper = ana.post(&world, comments, &reply(&answer, "x")).await;
    assert_eq!(reason(&deeper), "operationNotSupported");

    let listed = threads(&world, &ana, &video, "").await;
    let first = &listed.body["items"][0];
    let top = &first["snippet"]["topLevelComment"]["snippet"];
    assert_eq!(top["textDisplay"], "Nice & calm");
    assert_eq!(top["textOriginal"], Value::Null, "as it was written, only its author is told");
    assert_eq!(top["authorChannelId"]["value"], json!(ben.channel));
    assert_eq!(first["snippet"]["totalReplyCount"], 1);
    assert_eq!(first["replies"]["comments"][0]["id"], json!(answer));

    let edit = json!({ "id": answer, "snippet": { "textOriginal": "Changed" } });
    assert_eq!(ana.put(&world, comments, &edit).await.status, 200);
    assert_eq!(ben.put(&world, comments, &edit).await.status, 403);
    let moderate = async |actor: &Actor, status: &str| {
        let path =
            format!("/youtube/v3/comments/setModerationStatus?id={id}&moderationStatus={status}");
        send(actor.request(&world, Method::POST, &path)).await
    };
    assert_eq!(reason(&moderate(&ben, "rejected").await), "forbidden");
    assert_eq!(reason(&moderate(&ana, "published&banAuthor=true").await), "banWithoutReject");
    for (status, shown, held) in [("heldForReview", 0, 1), ("published", 1, 0), ("rejected", 0, 0)]
    {
        assert_eq!(moderate(&ana, status).await.status, 204);
        let count = |got: &Got| got.body["items"].as_array().unwrap().len();
        assert_eq!(count(&threads(&world, &ana, &video, "").await), shown, "{status}");
        let more = "&moderationStatus=heldForReview";
        assert_eq!(count(&threads(&world, &ana, &video, more).await), held, "{status}");
        assert_eq!(threads(&world, &ben, &video, more).await.status, 403);
    }
    let own = ana.post(&world, path, &thread(&video, "Mine")).await.text_of("id");
    let path = format!("/youtube/v3/comments?id={own}");
    assert_eq!(ben.delete(&world, &path).await.status, 403);
    assert_eq!(ana.delete(&world, &path).await.status, 204);
    assert_eq!(reason(&ana.delete(&world, &path).await), "commentNotFound");
}

#[tokio::test]
async fn comments_that_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let video = ana.publish(&world, "Harbour").await;
    let path = "/youtube/v3/commentThreads?part=snippet";
    let missing =
        json!({ "snippet": { "topLevelComment": { "snippet": { "textOriginal": "x" } } } });
    for (name, body, want) in [
        ("empty", thread(&video, " "), "commentTextRequired"),
        ("long", thread(&video, &"a".repeat(10_001)), "commentTextTooLong"),
        ("no video", missing, "channelOrVideoIdMissing"),
        ("another video", thread("x", "x"), "videoNotFound"),
    ] {
        assert_eq!(reason(&ana.post(&world, path, &body).await), want, "{name}");
    }
    let orphan = reply("x", "x");
    let got = ana.post(&world, "/youtube/v3/comments?part=snippet", &orphan).await;
    assert_eq!((got.status, reason(&got)), (404, "parentCommentNotFound"));
}

#[tokio::test]
async fn playlists_and_what_is_in_them() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let video = ana.publish(&world, "Harbour").await;
    let path = "/youtube/v3/playlists?part=snippet,status";
    let body =
        json!({ "snippet": { "title": "Walks" }, "status": { "privacyStatus": "unlisted" } });
    let made = ana.post(&world, path, &body).await;
    assert_eq!(made.body["status"]["privacyStatus"], "unlisted", "{made:?}");
    let empty = json!({ "snippet": { "title": "" } });
    assert_eq!(reason(&ana.post(&world, path, &empty).await), "playlistTitleRequired");
    let listed = ana.get(&world, &format!("{path}&mine=true")).await;
    assert_eq!(listed.body["items"][0]["snippet"]["title"], "Walks");
    let none = ben.get(&world, &format!("{path}&mine=true")).await;
    assert_eq!(none.body["items"], json!([]));

    let item = |playlist: &str, video: &str| {
        json!({ "snippet": {
            "playlistId": playlist,
            "resourceId": { "kind": "youtube#video", "videoId": video },
        } })
    };
    let path = "/youtube/v3/playlistItems?part=snippet";
    let playlist = made.text_of("id");
    assert_eq!(ana.post(&world, path, &item(&playlist, &video)).await.status, 200);
    for (name, actor, body, status, want) in [
        ("again", &ana, item(&playlist, &video), 409, "videoAlreadyInPlaylist"),
        ("another's", &ben, item(&playlist, &video), 403, "playlistItemsNotAccessible"),
        ("no playlist", &ana, item("x", &video), 404, "playlistNotFound"),
        ("no video", &ana, item(&playlist, "x"), 404, "videoNotFound"),
    ] {
        let got = actor.post(&world, path, &body).await;
        assert_eq!((got.status, reason(&got)), (status, want), "{name}");
    }
    let path = format!("/youtube/v3/playlistItems?part=contentDetails&playlistId={playlist}");
    let items = ana.get(&world, &path).await;
    assert_eq!(items.body["items"][0]["contentDetails"]["videoId"], json!(video));
}

#[tokio::test]
async fn reports_of_a_video() {
    let world =
        World::start(Options { media_processing: Duration::ZERO, ..Options::default() }).await;
    let ana = Actor::new(&world, "Ana").await;
    let video = ana.publish(&world, "Harbour").await;
    let report = async |actor: &Actor, dimensions: &str, metrics: &str| {
        let path = format!(
            "/v2/reports?ids=channel==MINE&startDate=2026-11-20&endDate=2026-11-23&dimensions={dimensions}&metrics={metrics}&filters=video=={video}&sort=-views"
        );
        actor.get(&world, &path).await
    };
    let metrics = "audienceWatchRatio,relativeRetentionPerformance";
    let curve = report(&ana, "elapsedVideoTimeRatio", metrics).await;
    assert_eq!(curve.body["rows"].as_array().unwrap().len(), 100);
    assert_eq!(curve.body["columnHeaders"][1]["name"], "audienceWatchRatio");
    let sources = report(&ana, "insightTrafficSourceType", "views,estimatedMinutesWatched").await;
    assert_eq!(sources.body["rows"][0], json!(["YT_SEARCH", 120, 240]));
    assert_eq!(report(&ana, "day", "views").await.status, 400);
    let ben = Actor::new(&world, "Ben").await;
    assert_eq!(report(&ben, "elapsedVideoTimeRatio", metrics).await.status, 403);
}
