//! How often a key may call.

use std::num::NonZeroU32;

use scheduler_http::RateLimit;

use crate::support::World;

#[tokio::test]
async fn too_many_requests_of_a_key() {
    let world = World::new().await;
    let limit =
        RateLimit { per_minute: NonZeroU32::new(1).unwrap(), burst: NonZeroU32::new(5).unwrap() };
    let client = world.serve_with(limit, None).await;
    for index in 0..5 {
        assert_eq!(client.get("/v1/posts").await.status, 200, "{index}");
    }
    let refused = client.get("/v1/posts").await;
    assert_eq!(refused.refusal(), (429, "rate_limited".into(), None));
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    // Before the scope, the query and the body are looked at.
    assert_eq!(client.get("/v1/posts?x=1").await.status, 429);
    assert_eq!(client.get("/v1/platforms").await.status, 200, "needs no key");
    for _ in 0..10 {
        assert_eq!(client.without("authorization").get("/v1/posts").await.status, 401);
    }
    let other = world.key_with(&[]).await;
    assert_eq!(client.keyed(&other).get("/v1/posts").await.status, 403, "has its own limit");
}
