//! How lists are walked on each database.

use std::collections::BTreeSet;

use scheduler_core::ids::WorkspaceId;
use scheduler_core::post::{ListedState, PageQuery};

use super::super::super::plans::Plans;
use super::*;

fn query(filter: ListFilter, order: ListOrder) -> ListQuery {
    ListQuery {
        workspace_id: WorkspaceId(Uuid::from_u128(1)),
        status: None,
        filter,
        window: Window::Since(chrono::DateTime::UNIX_EPOCH),
        order,
        page: PageQuery { limit: 50, before: None },
    }
}

fn plan(query: &ListQuery, sources: Vec<Source>, conditions: Vec<Condition>) -> Plan<'_> {
    let words = vec!["common".to_owned()];
    Plan { query, sources, conditions, words, unusable: vec![Uuid::from_u128(7)] }
}

#[tokio::test]
async fn a_page_walks_an_index() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    let (recent, due) = (
        query(ListFilter::default(), ListOrder::Recent),
        query(ListFilter::default(), ListOrder::Due),
    );
    let facets = vec![Facet::Account(AccountId(Uuid::from_u128(7))).key()];
    let any_of = || Condition::AnyOf { facets: facets.clone(), or_waits: true };
    for (name, query, source, conditions, want) in [
        ("all", &recent, Source::Posts, vec![], Plans::POSTS_BY_MOMENT),
        ("asked for", &recent, Source::Posts, vec![any_of()], Plans::POSTS_BY_MOMENT),
        ("with words", &recent, Source::Posts, vec![Condition::Words], Plans::POSTS_BY_MOMENT),
        ("of an account", &recent, Source::Facet(facets[0].clone()), vec![], Plans::FACET),
        ("due", &due, Source::Posts, vec![any_of()], Plans::POSTS_BY_DUE),
    ] {
        let plan = plan(query, vec![], conditions);
        let statement = plan.statement(&source, Range::ALL, Chosen::All);
        let told = plans.of(name, statement.sql().as_str()).await;
        assert!(told.contains(want), "{name}:\n{told}");
    }
}

/// Words that many posts have are looked for otherwise, and found all the same.
#[tokio::test]
async fn common_words_and_rare_ones() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    let of = |state, order| {
        let filter = ListFilter { words: vec!["com".to_owned()], state, ..ListFilter::default() };
        query(filter, order)
    };
    for (name, query) in [
        ("alone", of(None, ListOrder::Recent)),
        ("in a state", of(Some(ListedState::NeedsAttention), ListOrder::Recent)),
        ("due", of(None, ListOrder::Due)),
    ] {
        let connection = plans.connection();
        let rare = places_with(connection, &query, dialect::FEW).await.unwrap();
        let common = places_with(connection, &query, 0).await.unwrap();
        assert_eq!(rare, common, "{name}");
        assert_eq!(rare.len(), if name == "alone" { 50 } else { 0 }, "{name}");
        let each: BTreeSet<&Uuid> = rare.iter().collect();
        assert_eq!(each.len(), rare.len(), "{name}: each once");
    }
}
