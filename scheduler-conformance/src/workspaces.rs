use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::ids::MediaId;
use scheduler_core::plan::Plan;
use scheduler_core::ports::{RenameOutcome, Store};

use crate::fixtures::{at, id, key, workspace};

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let mut first = workspace("first");
    let mut second = workspace("second");
    second.created_at = at(5);
    second.timezone = Some("Europe/Berlin".parse().unwrap());
    second.plan = Plan::Free;
    assert!(store.create_workspace(&second).await.unwrap());
    assert!(store.create_workspace(&first).await.unwrap());
    assert_eq!(store.workspaces().await.unwrap(), [first.clone(), second.clone()], "oldest first");
    assert_eq!(store.workspace(second.id).await.unwrap(), Some(second));

    first.plan = Plan::Pro;
    first.timezone = Some("Asia/Tokyo".parse().unwrap());
    first.name = "renamed".to_owned();
    first.picture = Some(MediaId(id()));
    first.second_pair = true;
    first.links.except = vec!["e.com".to_owned()];
    assert_eq!(store.update_workspace(&first).await.unwrap(), RenameOutcome::Saved);
    assert_eq!(store.workspace(first.id).await.unwrap(), Some(first));
    let unknown = workspace("unknown");
    assert_eq!(store.update_workspace(&unknown).await.unwrap(), RenameOutcome::Missing);
    assert_eq!(store.workspace(unknown.id).await.unwrap(), None);
}

pub(crate) async fn have_unique_names(store: Arc<dyn Store>) {
    assert!(store.create_workspace(&workspace("one")).await.unwrap());
    assert!(!store.create_workspace(&workspace("one")).await.unwrap());
    assert_eq!(store.workspaces().await.unwrap().len(), 1);

    let mut two = workspace("two");
    assert!(store.create_workspace(&two).await.unwrap());
    two.name = "one".to_owned();
    two.plan = Plan::Free;
    assert_eq!(store.update_workspace(&two).await.unwrap(), RenameOutcome::NameTaken);
    let stored = store.workspace(two.id).await.unwrap().unwrap();
    assert_eq!((stored.name.as_str(), stored.plan), ("two", Plan::Studio), "nothing of it");
}

pub(crate) async fn renamed_at_once_have_unique_names(store: Arc<dyn Store>) {
    let renamed = (0..8).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut own = workspace(&format!("workspace {number}"));
            assert!(store.create_workspace(&own).await.unwrap());
            own.name = "wanted by all".to_owned();
            store.update_workspace(&own).await.unwrap()
        })
    });
    let outcomes = join_all(renamed).await.into_iter().map(Result::unwrap);
    assert_eq!(outcomes.filter(|outcome| *outcome == RenameOutcome::Saved).count(), 1);
}

pub(crate) async fn the_first_is_made_once(store: Arc<dyn Store>) {
    let callers = (0..20_u8).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            let workspace = workspace(&format!("workspace {number}"));
            let key = key(workspace.id, number);
            store.create_first_workspace(&workspace, &key).await.unwrap()
        })
    });
    let made: Vec<bool> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(made.iter().filter(|made| **made).count(), 1);
    let workspaces = store.workspaces().await.unwrap();
    assert_eq!(workspaces.len(), 1);
    assert_eq!(store.keys(workspaces[0].id).await.unwrap().len(), 1, "with its key");
}

pub(crate) async fn the_first_is_not_made_beside_another(store: Arc<dyn Store>) {
    assert!(store.create_workspace(&workspace("there")).await.unwrap());
    let late = workspace("late");
    assert!(!store.create_first_workspace(&late, &key(late.id, 1)).await.unwrap());
    assert_eq!(store.workspaces().await.unwrap().len(), 1);
}
