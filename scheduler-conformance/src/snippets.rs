use std::sync::Arc;

use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::Store;
use scheduler_core::snippet::{Kept, Snippet, SnippetName};
use tokio::task::JoinSet;

use crate::fixtures::{World, at};

fn text(workspace: WorkspaceId, name: &str, text: &str) -> Snippet {
    Snippet {
        workspace_id: workspace,
        name: name.parse().unwrap(),
        kept: Kept::Text(text.to_owned()),
        updated_at: at(1),
    }
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let post = r#"{"content": "it's", "linkUrl": null,
        "targets": [{"platform": "mastodon", "options": {"visibility": "unlisted"}}]}"#;
    let template = Snippet {
        kept: Kept::Post(Box::new(serde_json::from_str(post).unwrap())),
        ..text(world.workspace, "b", "")
    };
    let [first, last] = [text(world.workspace, "a", "\u{e9}\n'"), text(world.workspace, "c", "3")];
    for snippet in [&last, &template, &first, &text(other.workspace, "a", "theirs")] {
        assert!(store.save_snippet(snippet, 9).await.unwrap());
    }
    let mine = store.snippets(world.workspace).await.unwrap();
    assert_eq!(mine, [first.clone(), template.clone(), last.clone()], "by their names");

    // A text takes the place of a template, and a template that of a text.
    let replaced = Snippet { updated_at: at(9), ..text(world.workspace, "b", "two") };
    let other_way = Snippet { name: first.name, ..template };
    assert!(store.save_snippet(&replaced, 9).await.unwrap());
    assert!(store.save_snippet(&other_way, 9).await.unwrap());
    let mine = store.snippets(world.workspace).await.unwrap();
    assert_eq!(mine, [other_way, replaced, last.clone()]);

    let unknown: SnippetName = "z".parse().unwrap();
    assert!(!store.remove_snippet(world.workspace, &unknown).await.unwrap());
    assert!(store.remove_snippet(world.workspace, &last.name).await.unwrap());
    assert!(!store.remove_snippet(world.workspace, &last.name).await.unwrap());
    assert_eq!(store.snippets(world.workspace).await.unwrap().len(), 2);
    assert_eq!(store.snippets(other.workspace).await.unwrap().len(), 1);
}

pub(crate) async fn have_a_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut callers = JoinSet::new();
    for index in 0..8 {
        let (store, one) = (store.clone(), text(world.workspace, &format!("n{index}"), "1"));
        callers.spawn(async move { store.save_snippet(&one, 3).await.unwrap() });
    }
    let saved = callers.join_all().await.into_iter().filter(|saved| *saved).count();
    let kept = store.snippets(world.workspace).await.unwrap();
    assert_eq!((saved, kept.len()), (3, 3));
    let again = Snippet { kept: Kept::Text("2".to_owned()), ..kept[0].clone() };
    assert!(store.save_snippet(&again, 3).await.unwrap(), "it takes no further place");
}
