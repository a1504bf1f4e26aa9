//! Many due targets of one workspace beside few of another: the few are among the first to go.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::{Row, crowd, sized};
use crate::support::{Networks, Setup, Tenant, backends, post_ended, wait_for};

/// Accounts of the one workspace, and of the other.
const ACCOUNTS: (usize, usize) = (20, 10);

/// Posts to all accounts of a workspace, due at one instant.
async fn schedule(tenant: &Tenant, posts: usize, due: DateTime<Utc>) -> usize {
    let targets = tenant.targets("bluesky").await;
    for number in 0..posts {
        let body = json!({
            "content": format!("post {number}"),
            "scheduledAt": due.to_rfc3339(),
            "targets": targets,
        });
        tenant.api.create(&body).await;
    }
    posts * targets.len()
}

/// Every post of a workspace.
async fn posts(tenant: &Tenant) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = tenant.api.get(&format!("/posts?limit=500{cursor}")).await;
        all.extend(page["data"].as_array().unwrap().clone());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&before={next}"),
            None => return all,
        }
    }
}

/// When each target of a workspace went.
async fn published(tenant: &Tenant) -> Vec<DateTime<Utc>> {
    let posts = posts(tenant).await;
    let targets = posts.iter().flat_map(|post| post["targets"].as_array().unwrap());
    let published = targets.map(|target| {
        let at = target["publishedAt"].as_str();
        at.unwrap_or_else(|| panic!("{target}")).parse().unwrap()
    });
    published.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn few_due_targets_are_among_the_first_beside_many_of_another_workspace() {
    let (posts_of_one, posts_of_two) = sized((50, 1), (500, 10));
    for backend in backends().await {
        let row = Row::new("10 000 due targets beside 100 of another workspace", &backend);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let one = Tenant::first(&service, &setup);
        let two = Tenant::new(&service, &setup, "two");
        one.connect("bluesky", ACCOUNTS.0 - 1);
        two.connect("bluesky", ACCOUNTS.1);
        crowd(&setup, 2);

        #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
        let now = DateTime::<Utc>::from(std::time::SystemTime::now());
        let due = now + TimeDelta::seconds(sized(20, 120));
        let many = schedule(&one, posts_of_one, due).await;
        let few = schedule(&two, posts_of_two, due).await;
        #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
        let now = DateTime::<Utc>::from(std::time::SystemTime::now());
        assert!(now < due, "all were there when they became due");

        wait_for("all to go", async || {
            let all = [posts(&two).await, posts(&one).await];
            all.iter().flatten().all(post_ended).then_some(())
        })
        .await;
        let (of_one, of_two) = (published(&one).await, published(&two).await);
        assert_eq!((of_one.len(), of_two.len()), (many, few));
        let last = of_two.iter().max().unwrap();
        let place = of_one.iter().chain(&of_two).filter(|at| *at <= last).count();
        let took = *of_one.iter().max().unwrap() - due;
        let what = format!(
            "of {} within {} s, the last of the few went as",
            many + few,
            took.num_seconds()
        );
        row.at_most(&what, place as u64, (many + few) as u64 / 20);
    }
}
